"""The rows of smsenc-pad, each with the keyring on a disk, and once more with it in memory."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from bench import Bench, one_sync
from inputs import contact_name
from keyrings import Keyring
from measuring import Sample, interleave
from table import Goal, Measured, Unit, at_least, at_most

PLACES = (("disk", False), ("memory", True))


def enciphering(
    bench: Bench, row: str, keyring: Keyring, *options: str, input: Path
) -> dict[str, Callable[[], Sample]]:
    """The same work on a copy on the disk and on one in memory; keys go on from run to run."""
    return {
        place: bench.runs(bench.keyrings.copy(keyring, row, in_memory).pad(*options, input=input))
        for place, in_memory in PLACES
    }


def pad_line(bench: Bench) -> None:
    sender = bench.keyrings.pair(100).sender
    frame = bench.frames(bench.inputs.one_line())
    cases = enciphering(bench, "pad-line", sender, "-c", contact_name(50), input=frame)
    what = "smsenc-pad, one message, whole process"
    peers = {"age -r": (bench.peers.age, 1.3), "openssl enc": (bench.peers.openssl, 1)}
    for name, (find, bound) in peers.items():
        peer = bench.unless_absent(
            "pad-line", what, name, at_most(bound), lambda find=find: bench.runs(find(frame))
        )
        if peer:
            cases[name] = peer
    with bench.scratch() as folder:
        cases["sync"] = lambda: one_sync(folder / "sync")
        taken = interleave(cases, bench.many_rounds)
    sync = Measured(taken["sync"])
    bench.table.add("pad-line", "a write of 4 KiB and its fdatasync, beside these", sync)
    for place, _ in PLACES:
        for name, (_, bound) in peers.items():
            if name in taken:
                bench.table.add(
                    "pad-line", f"{what}, {place}", Measured(taken[place]),
                    at_most(bound) if place == "disk" else None, (name, Measured(taken[name])),
                )  # fmt: skip


def pad_bulk(bench: Bench) -> None:
    contacts, each = 1000, 100
    what = f"{contacts:,} contacts x {each}"
    peers = {"libolm": bench.peers.libolm, "vodozemac": bench.peers.vodozemac}
    found = {}
    for name, find in peers.items():
        peer = bench.unless_absent(
            "pad-bulk", what, name, at_least(3), lambda find=find: find(bench.core, contacts, each)
        )
        if peer:
            found[name] = peer
    # In order of contacts there is a commit for each 100 keys, as there is to one contact: 100 messages
    # take some 102, and their ciphertexts must be out before more of a contact's keys are committed.
    orders = (("rounds", "in rounds", 250e3), ("sorted", "one by one", 200e3))
    for order, name, goal in orders:
        sender = bench.keyrings.pair(contacts).sender
        frames = bench.frames(bench.inputs.table(contacts, each, order), "-f", "2")
        cases = enciphering(bench, "pad-bulk", sender, input=frames) | found
        taken = interleave(cases, bench.rounds)
        _rates(bench, "pad-bulk", f"smsenc-pad, {what}, {name}", taken, contacts * each, goal)
        ours = Measured(taken["disk"], Unit.MESSAGES, contacts * each)
        for peer in found:
            beside = (peer, Measured(taken[peer], Unit.MESSAGES, contacts * each))
            bench.table.add(
                "pad-bulk", f"smsenc-pad, {what}, {name}, disk", ours, at_least(3), beside
            )


def pad_one_contact(bench: Bench) -> None:
    count = 100_000
    sender = bench.keyrings.pair(100).sender
    frames = bench.frames(bench.inputs.messages(count))
    cases = enciphering(bench, "pad-one", sender, "-c", contact_name(50), input=frames)
    taken = interleave(cases, bench.rounds)
    _rates(bench, "pad-one", "smsenc-pad, one contact, 100,000 messages", taken, count, 200e3)


def pad_mixed(bench: Bench) -> None:
    contacts, each = 10_000, 10
    sender = bench.keyrings.pair(contacts).sender
    frames = bench.frames(bench.inputs.table(contacts, each, "mixed"), "-f", "2")
    cases = enciphering(bench, "pad-mixed", sender, input=frames)
    taken = interleave(cases, bench.rounds)
    what = "smsenc-pad, 10,000 contacts x 10, mixed"
    _rates(bench, "pad-mixed", what, taken, contacts * each, 80e3)


def ciphertexts(bench: Bench, contacts: int, each: int, output: Path) -> Keyring:
    """Writes ciphertexts into a file, and returns the keyring that can read them, as it was kept."""
    pair = bench.keyrings.pair(contacts)
    frames = bench.frames(bench.inputs.table(contacts, each), "-f", "2")
    bench.keyrings.copy(pair.sender, "sender", True).pad(input=frames, output=output).run(bench.core)
    return pair.receiver


def deciphering(
    bench: Bench, receiver: Keyring, input: Path, in_memory: bool, output: Path | None = None
) -> Callable[[], Sample]:
    """Deciphers on a fresh copy each time, since nothing can be read twice; copying is not timed."""

    def run() -> Sample:
        copy = bench.keyrings.copy(receiver, "receiver", in_memory)
        return copy.pad("-d", input=input, output=output).run(bench.core)

    return run


def unpad_bulk(bench: Bench) -> None:
    contacts, each = 1000, 100
    with bench.scratch() as folder:
        input = folder / "ciphertexts"
        receiver = ciphertexts(bench, contacts, each, input)
        cases = {
            place: deciphering(bench, receiver, input, in_memory) for place, in_memory in PLACES
        }
        # A file is synchronised, before keys are forgotten: /dev/null is not.
        cases["file"] = deciphering(bench, receiver, input, False, folder / "plain")
        taken = interleave(cases, bench.rounds)
    what = "smsenc-pad -d, 1,000 contacts x 100"
    _rates(bench, "unpad-bulk", what, taken, contacts * each, 175e3)
    to_file = Measured(taken["file"], Unit.MESSAGES, contacts * each)
    bench.table.add("unpad-bulk", f"{what}, disk, to a file", to_file)


def unpad_shuffled(bench: Bench) -> None:
    """Each contact's messages arrive in no order: nearly all of them are late."""
    contacts, each = 100, 100
    with bench.scratch() as folder:
        input = folder / "ciphertexts"
        receiver = ciphertexts(bench, contacts, each, input)
        lines = input.read_text(encoding="utf-8").splitlines(keepends=True)
        random.Random(1).shuffle(lines)
        input.write_text("".join(lines), encoding="utf-8")
        cases = {
            place: deciphering(bench, receiver, input, in_memory) for place, in_memory in PLACES
        }
        taken = interleave(cases, bench.rounds)
    what = "smsenc-pad -d, 100 contacts x 100, in no order"
    # 40 us each.
    _rates(bench, "unpad-shuffled", what, taken, contacts * each, 25e3)


def pad_million(bench: Bench) -> None:
    frame = bench.frames(bench.inputs.one_line())
    many = 1_000_000
    what = "smsenc-pad, one message, 1,000,000 contacts"
    if not (bench.large or bench.keyrings.is_kept(many, 100)):
        bench.table.add_absent("pad-million", what, "not prepared, --large", at_most(1.2))
        return
    # Neither the first nor the last of them.
    few, crowd = bench.keyrings.pair(100), bench.keyrings.pair(many, in_step=100)
    cases = {
        "100": enciphering(bench, "few", few.sender, "-c", contact_name(50), input=frame)["disk"],
        # Used where it lies: to copy it for one message would take longer than to use it.
        "many": bench.runs(crowd.sender.pad("-c", contact_name(many // 2), input=frame)),
    }
    taken = interleave(cases, bench.many_rounds)
    bench.table.add(
        "pad-million", what, Measured(taken["many"]),
        at_most(1.2), ("100 contacts", Measured(taken["100"])),
    )  # fmt: skip


def _rates(
    bench: Bench, row: str, what: str, taken: dict[str, list[Sample]], amount: int, bound: float
) -> None:
    goal: Goal | None = at_least(bound, Unit.MESSAGES)
    for place, _ in PLACES:
        bench.table.add(row, f"{what}, {place}", Measured(taken[place], Unit.MESSAGES, amount), goal)
        # The goals are about keyrings that are durable.
        goal = None
