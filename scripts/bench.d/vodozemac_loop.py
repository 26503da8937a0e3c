"""Does with vodozemac what olm.c does with libolm, and is told it in the same words.

Prints the seconds of that loop, on the clock and of the processor. The loop is Python's, around a
library in Rust: what the loop itself takes, measured with a call that does nothing, is taken off.
"""

import random
import sqlite3
import sys
import time

import vodozemac

# To establish a session takes long: of more than so many the others are copies of these.
ESTABLISHED = 100
KEY = bytes(32)
TEXT = b"a" * 144


def established(amina: vodozemac.Account, bela: vodozemac.Account) -> tuple:
    """A session in which either side has answered, since a first message carries more, and its end."""
    bela.generate_one_time_keys(1)
    once = next(iter(bela.one_time_keys.values()))
    bela.mark_keys_as_published()
    session = amina.create_outbound_session(bela.curve25519_key, once)
    first = session.encrypt(b"hello").to_pre_key()
    answering, _ = bela.create_inbound_session(amina.curve25519_key, first)
    session.decrypt(answering.encrypt(b"hello"))
    return session, answering


def ordered(order: str, sessions: int, messages: int) -> list[tuple[int, int]]:
    """Session and message, one after the other."""
    places = [(i, j) for i in range(sessions) for j in range(messages)]
    if order == "rounds":
        places.sort(key=lambda place: place[1])
    elif order in ("mixed", "shuffled"):
        random.Random(1).shuffle(places)
    if order == "mixed":
        # Those of a session keep their order.
        following = [iter(range(messages)) for _ in range(sessions)]
        places = [(i, next(following[i])) for i, _ in places]
    return places


def loop(calls: list, commits: int, used: list[list[int]], save) -> tuple[float, float]:
    clock, cpu = time.perf_counter(), time.process_time()
    for commit in range(commits):
        for call, given in calls[len(calls) * commit // commits : len(calls) * (commit + 1) // commits]:
            call(given)
        save(used[commit])
    return time.perf_counter() - clock, time.process_time() - cpu


def main(verb: str, order: str, sessions: int, messages: int, commits: int = 1, path: str = "") -> None:
    amina, bela = vodozemac.Account(), vodozemac.Account()
    pairs = [established(amina, bela) for _ in range(min(sessions, ESTABLISHED))]
    made = len(pairs)
    copies = (pairs[i % made][0].pickle(KEY) for i in range(made, sessions))
    session = [one for one, _ in pairs] + [vodozemac.Session.from_pickle(one, KEY) for one in copies]
    reads = verb == "decrypt"
    sent = [[end.encrypt(TEXT) for _ in range(messages if reads else 0)] for _, end in pairs]
    places = ordered(order, sessions, messages)
    given = [sent[i % made][j] if reads else TEXT for i, j in places]

    def save(_: list[int]) -> None:
        pass

    if path:
        database = sqlite3.connect(path, isolation_level=None)
        for mode in ("journal_mode = WAL", "synchronous = FULL"):
            database.execute(f"PRAGMA {mode}")
        database.execute("CREATE TABLE sessions (pickle BLOB NOT NULL, id INTEGER PRIMARY KEY)")

        def save(used: list[int]) -> None:
            database.execute("BEGIN IMMEDIATE")
            rows = ((session[i].pickle(KEY), i) for i in used)
            database.executemany("REPLACE INTO sessions VALUES (?, ?)", rows)
            database.execute("COMMIT")

        save(list(range(sessions)))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    pieces = [(len(places) * i // commits, len(places) * (i + 1) // commits) for i in range(commits)]
    used = [sorted({i for i, _ in places[start:end]}) for start, end in pieces]
    methods = [one.decrypt if reads else one.encrypt for one in session]
    work = loop([(methods[i], one) for (i, _), one in zip(places, given)], commits, used, save)
    # len() takes one argument and does next to nothing: a call from Python into C, as encrypt is.
    idle = loop([(len, TEXT)] * len(places), commits, used, lambda _: None)
    print(f"{work[0] - idle[0]:.9f} {work[1] - idle[1]:.9f}")


main(*sys.argv[1:3], *map(int, sys.argv[3:6]), *sys.argv[6:])
