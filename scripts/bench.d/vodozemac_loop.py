"""Enciphers with vodozemac as smsenc-pad does in bulk: SESSIONS established sessions, MESSAGES each.

Prints the seconds of that loop, on the clock and of the processor. The loop is Python's, around a
library in Rust: what the loop itself takes, measured with a call that does nothing, is taken off.
"""

import sys
import time

import vodozemac


def established(amina: vodozemac.Account, bela: vodozemac.Account) -> vodozemac.Session:
    """A session in which either side has answered: a first message carries more."""
    bela.generate_one_time_keys(1)
    once = next(iter(bela.one_time_keys.values()))
    bela.mark_keys_as_published()
    session = amina.create_outbound_session(bela.curve25519_key, once)
    first = session.encrypt(b"hello").to_pre_key()
    answering, _ = bela.create_inbound_session(amina.curve25519_key, first)
    session.decrypt(answering.encrypt(b"hello"))
    return session


def loop(calls, messages: int) -> tuple[float, float]:
    text = b"a" * 144
    clock, cpu = time.perf_counter(), time.process_time()
    for call in calls:
        for _ in range(messages):
            call(text)
    return time.perf_counter() - clock, time.process_time() - cpu


def main() -> None:
    sessions, messages = int(sys.argv[1]), int(sys.argv[2])
    amina, bela = vodozemac.Account(), vodozemac.Account()
    calls = [established(amina, bela).encrypt for _ in range(sessions)]
    work = loop(calls, messages)
    # len() takes one argument and does next to nothing: a call from Python into C, as encrypt is.
    idle = loop([len] * sessions, messages)
    print(f"{work[0] - idle[0]:.9f} {work[1] - idle[1]:.9f}")


main()
