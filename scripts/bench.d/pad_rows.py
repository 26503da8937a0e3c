"""The rows of smsenc-pad, each with the keyring on a disk, and once more with it in memory."""

from __future__ import annotations

import random
from pathlib import Path

from bench import Bench, Cases, Rival, one_sync
from inputs import contact_name
from keyrings import Keyring
from measuring import By, Case, Sample
from peers import Store, Work
from table import Goal, Unit, at_least, at_most

PLACES = (("disk", False), ("memory", True))


def enciphering(bench: Bench, row: str, keyring: Keyring, *options: str, input: Path) -> dict[str, Case]:
    """The same work on a copy on the disk and on one in memory; keys go on from run to run."""
    return {
        place: bench.runs(bench.keyrings.copy(keyring, row, in_memory).pad(*options, input=input))
        for place, in_memory in PLACES
    }


def places(what: str) -> dict[str, str]:
    return {place: f"{what}, {place}" for place, _ in PLACES}


def rivals(
    bench: Bench, work: Work, commits: int, goals: dict[str, Goal], verb: str = "send"
) -> dict[str, Rival]:
    """The peers as they are; the same, written back as often as we commit; and the limit."""
    found: dict[str, Rival] = {}
    for name, peer in {"libolm": bench.peers.libolm, "vodozemac": bench.peers.vodozemac}.items():
        found[name] = (goals.get("peers"), lambda peer=peer: peer(bench.core, work))

        def stored(name: str = name, peer=peer) -> Case:
            folder = bench.keyrings.disk / f"peer-{name}"
            folder.mkdir(exist_ok=True)
            case = peer(bench.core, work, Store(commits, folder / "sessions"))

            def run() -> Sample:
                for file in folder.iterdir():
                    file.unlink()
                return case()

            return run

        found[f"{name}, stored"] = (goals.get("stored"), stored)
    if verb == "late":
        return found
    counts = (work.messages, work.opened(commits), work.contacts if work.contacts > 1 else 0, commits)
    synchronised = bench.keyrings.disk / "limit"
    found["the limit"] = (
        goals.get("limit"),
        lambda: bench.peers.limit(bench.core, verb, *map(str, counts), synchronised),
    )
    return found


def durable_commits(keyring: Keyring, case: Case) -> int:
    """How many commits wait for the disk in a run."""
    before = keyring.commits()
    case()
    return (keyring.commits() - before) // 2


def pad_line(bench: Bench) -> None:
    frame = bench.frames(bench.inputs.one_line())

    def cases(bench: Bench) -> Cases:
        sender = bench.keyrings.pair(100).sender
        return enciphering(bench, "pad-line", sender, "-c", contact_name(50), input=frame)

    disk = bench.scratch()
    beside: dict[str, Rival] = {
        "age -r": (at_most(1.2, By.CLOCK), lambda: bench.runs(bench.peers.age(frame))),
        "openssl enc": (at_most(0.8, By.CLOCK), lambda: bench.runs(bench.peers.openssl(frame))),
        "4 KiB and fdatasync": (None, lambda: lambda: one_sync(disk / "sync")),
    }
    what = places("smsenc-pad, one message, whole process")
    bench.compare("pad-line", what, cases, beside, rounds=bench.many_rounds)


def enciphered(
    bench: Bench, row: str, what: str, work: Work, goals: dict[str, Goal], *options: str
) -> None:
    """Messages from frames of a table, or of messages alone where they are all one contact's."""
    if options:
        frames = bench.frames(bench.inputs.messages(work.messages))
    else:
        frames = bench.frames(bench.inputs.table(work.contacts, work.each, work.order), "-f", "2")

    def cases(bench: Bench) -> Cases:
        sender = bench.keyrings.pair(max(work.contacts, 100)).sender
        return enciphering(bench, row, sender, *options, input=frames)

    sender = bench.keyrings.copy(bench.keyrings.pair(max(work.contacts, 100)).sender, "counted", True)
    commits = durable_commits(sender, bench.runs(sender.pad(*options, input=frames)))
    bench.compare(
        row, places(f"{what}, {commits} commits"), cases, rivals(bench, work, commits, goals),
        Unit.MESSAGES, work.messages,
    )  # fmt: skip


def pad_rounds(bench: Bench) -> None:
    goals = {"peers": at_least(5), "limit": at_least(0.4, By.CLOCK)}
    work = Work("encrypt", 1000, 100, "rounds")
    enciphered(bench, "pad-rounds", "1,000 contacts x 100, in rounds", work, goals)


# In order of contacts there is a commit for each 100 keys, as there is to one contact: 100 messages take
# some 102, and their ciphertexts must be out before more of a contact's keys are committed.
def pad_sorted(bench: Bench) -> None:
    work = Work("encrypt", 1000, 100, "sorted")
    enciphered(bench, "pad-sorted", "1,000 contacts x 100", work, {"peers": at_least(3)})


def pad_one_contact(bench: Bench) -> None:
    work = Work("encrypt", 1, 100_000, "sorted")
    goals = {"peers": at_least(3)}
    enciphered(bench, "pad-one", "one contact, 100,000", work, goals, "-c", contact_name(50))


def pad_mixed(bench: Bench) -> None:
    goals = {"peers": at_least(1), "stored": at_least(5, By.CLOCK)}
    work = Work("encrypt", 10_000, 10, "mixed")
    enciphered(bench, "pad-mixed", "10,000 contacts x 10, mixed", work, goals)


def ciphertexts(bench: Bench, contacts: int, each: int, output: Path) -> Keyring:
    """Writes ciphertexts into a file, and returns the keyring that can read them, as it was kept."""
    pair = bench.keyrings.pair(contacts)
    frames = bench.frames(bench.inputs.table(contacts, each), "-f", "2")
    bench.keyrings.copy(pair.sender, "sender", True).pad(input=frames, output=output).run(bench.core)
    return pair.receiver


def deciphering(
    bench: Bench, receiver: Keyring, input: Path, in_memory: bool, output: Path | None = None
) -> Case:
    """Deciphers on a fresh copy each time, since nothing can be read twice; copying is not timed."""

    def run() -> Sample:
        copy = bench.keyrings.copy(receiver, "receiver", in_memory)
        return copy.pad("-d", input=input, output=output).run(bench.core)

    return run


def deciphered(
    bench: Bench, row: str, what: str, work: Work, goals: dict[str, Goal], verb: str = "receive"
) -> None:
    def given(bench: Bench) -> tuple[Keyring, Path]:
        input = bench.scratch() / "ciphertexts"
        receiver = ciphertexts(bench, work.contacts, work.each, input)
        if verb == "late":
            lines = input.read_text(encoding="utf-8").splitlines(keepends=True)
            random.Random(1).shuffle(lines)
            input.write_text("".join(lines), encoding="utf-8")
        return receiver, input

    def cases(bench: Bench) -> Cases:
        receiver, input = given(bench)
        found = {
            place: deciphering(bench, receiver, input, in_memory) for place, in_memory in PLACES
        }
        # A file is synchronised, before keys are forgotten: /dev/null is not.
        return found | {"file": deciphering(bench, receiver, input, False, input.with_name("plain"))}

    receiver, input = given(bench)
    counted = bench.keyrings.copy(receiver, "counted", True)
    commits = durable_commits(counted, bench.runs(counted.pad("-d", input=input)))
    what = f"-d, {what}, {commits} commits"
    bench.compare(
        row, places(what) | {"file": f"{what}, disk, to a file"}, cases,
        rivals(bench, work, commits, goals, verb), Unit.MESSAGES, work.messages,
    )  # fmt: skip


def unpad_bulk(bench: Bench) -> None:
    work = Work("decrypt", 1000, 100, "sorted")
    deciphered(bench, "unpad-bulk", "1,000 contacts x 100", work, {"peers": at_least(4)})


def unpad_shuffled(bench: Bench) -> None:
    """Each contact's messages arrive in no order, nearly all of them late: as many as peers keep keys for."""
    work = Work("decrypt", 250, 40, "shuffled")
    goals = {"peers": at_least(0.5)}
    deciphered(bench, "unpad-shuffled", "250 contacts x 40, in no order", work, goals, "late")


def pad_million(bench: Bench) -> None:
    frame = bench.frames(bench.inputs.one_line())
    many = 1_000_000
    what = "smsenc-pad, one message, 1,000,000 contacts"
    if not (bench.large or bench.keyrings.is_kept(many, 100)):
        bench.table.add_absent("pad-million", what, "not prepared, --large", at_most(1.2))
        return

    def cases(bench: Bench) -> Cases:
        # Neither the first nor the last of them. Used where it lies: to copy it for one message would take
        # longer than to use it.
        crowd = bench.keyrings.pair(many, in_step=100)
        return {"many": bench.runs(crowd.sender.pad("-c", contact_name(many // 2), input=frame))}

    few = bench.keyrings.pair(100).sender
    one = enciphering(bench, "few", few, "-c", contact_name(50), input=frame)["disk"]
    beside: dict[str, Rival] = {"100 contacts": (at_most(1.2), lambda: one)}
    bench.compare("pad-million", {"many": what}, cases, beside, rounds=bench.many_rounds)
