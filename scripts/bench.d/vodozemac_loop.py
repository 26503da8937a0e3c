"""Decrypts with vodozemac as olm.c does with libolm: vodozemac_loop.py SESSIONS MESSAGES

Prints the seconds of the loop, by the clock and of CPU time. The loop is Python's, around a library in Rust,
so what the loop itself takes, measured with a call that does nothing, is subtracted.
"""

import sys
import time

import vodozemac

# Establishing a session is slow: sessions beyond this number are copies.
ESTABLISHED = 100
KEY = bytes(32)


def established(amina: vodozemac.Account, bela: vodozemac.Account) -> tuple:
    """Both ends of a session in which each side has written, since a first message carries more."""
    bela.generate_one_time_keys(1)
    once = next(iter(bela.one_time_keys.values()))
    bela.mark_keys_as_published()
    session = amina.create_outbound_session(bela.curve25519_key, once)
    answering, _ = bela.create_inbound_session(amina.curve25519_key, session.encrypt(b"hello").to_pre_key())
    session.decrypt(answering.encrypt(b"hello"))
    return session, answering


def loop(calls: list) -> tuple[float, float]:
    clock, cpu = time.perf_counter(), time.process_time()
    for call, given in calls:
        call(given)
    return time.perf_counter() - clock, time.process_time() - cpu


def main(sessions: int, messages: int) -> None:
    amina, bela = vodozemac.Account(), vodozemac.Account()
    pairs = [established(amina, bela) for _ in range(min(sessions, ESTABLISHED))]
    copies = (pairs[i % ESTABLISHED][0].pickle(KEY) for i in range(len(pairs), sessions))
    session = [one for one, _ in pairs] + [vodozemac.Session.from_pickle(one, KEY) for one in copies]
    sent = [[end.encrypt(b"a" * 144) for _ in range(messages)] for _, end in pairs]
    places = [(i, j) for i in range(sessions) for j in range(messages)]
    work = loop([(session[i].decrypt, sent[i % len(pairs)][j]) for i, j in places])
    # len() takes one argument and does nearly nothing: a call from Python into C, as decrypt is.
    idle = loop([(len, b"")] * len(places))
    print(f"{work[0] - idle[0]:.9f} {work[1] - idle[1]:.9f}")


main(int(sys.argv[1]), int(sys.argv[2]))
