"""How cost grows: with records, with contacts, and with what the network loses."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import Bench
from inputs import contact_name
from measuring import By, Command, Sample, interleave, quartiles
from other_rows import peak
from peers import Absent
from table import Unit

CHUNK = 100_000


def median(bench: Bench, run: Callable[[], Sample], rounds: int) -> float:
    return quartiles(By.CLOCK.of(interleave({"it": run}, rounds, warm=rounds > 1)["it"]))[1]


def portion(bench: Bench, file: Path, records: int) -> list[Path]:
    """So many records of a file that has CHUNK, as operands: part of it, or all of it many times."""
    if records >= CHUNK:
        return [file] * (records // CHUNK)

    def write(path: Path) -> None:
        path.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:records]))

    return [bench.inputs.kept(f"{file.name}-first-{records}", write)]


def with_operands(command: Command, files: Sequence[Path], output: Path | None = None) -> Command:
    argv = [*command.argv, *map(str, files)]
    return Command(argv, None, output, environment=command.environment)


def grow_records(bench: Bench) -> None:
    """Each tool on more and more records; smsenc-pad goes on with one keyring, and its receiver reads."""
    pair = bench.keyrings.pair(1000)
    sender = bench.keyrings.copy(pair.sender, "growing-sender")
    receiver = bench.keyrings.copy(pair.receiver, "growing-receiver")
    table = bench.inputs.table(1000, CHUNK // 1000)
    frames = bench.frames(table, "-f", "2")
    names = ("gsm7-check", "smsenc-frame", "smsenc-frame -d", "smsenc-pad", "smsenc-pad -d")
    add = bench.table.small(
        "grow-records: time in all and for each record; smsenc-pad to and from 1,000 contacts",
        ["records", *(text for name in names for text in (name, "each"))],
    )
    for power in range(2, 8 if bench.large else 7):
        count = 10**power
        cells = [f"{count:,}"]
        rounds = 5 if count <= 10_000 else 1
        texts = {
            "gsm7-check": ("gsm7-check", "-f", "2"),
            "smsenc-frame": ("smsenc-frame", "-f", "2"),
            "smsenc-frame -d": ("smsenc-frame", "-d", "-f", "2"),
        }
        for what, (name, *options) in texts.items():
            files = portion(bench, frames if "-d" in options else table, count)
            command = with_operands(bench.tool(name, *options), files)
            cells += both(count, median(bench, bench.runs(command), rounds))
        folder = bench.scratch(in_memory=True)
        # One run each, since keys go on: what one enciphers the other deciphers.
        out = folder / "ciphertexts"
        files = portion(bench, frames, count)
        cells += both(count, with_operands(sender.pad(), files, out).run(bench.core).seconds)
        # More than 100 for one contact in a row is no matter, as long as none is lost.
        cells += both(count, receiver.pad("-d", input=out).run(bench.core).seconds)
        add(cells)


def both(count: int, taken: float) -> tuple[str, str]:
    each = taken / count
    return Unit.TIME.show(taken), f"{each * 1e9:.0f} ns" if each < 1e-6 else f"{each * 1e6:.1f} us"


def grow_contacts(bench: Bench) -> None:
    frame = bench.frames(bench.inputs.one_line())
    add = bench.table.small(
        "grow-contacts: contacts in the keyring, 100 of them in step; on the disk",
        ["contacts", "keyring", "one message", "100 x 100 messages", "list", "most memory"],
    )
    for power in range(2, 7):
        count = 10**power
        if count == 1_000_000 and not (bench.large or bench.keyrings.is_kept(count, 100)):
            bench.table.note("1,000,000 contacts are left out: to prepare them takes minutes, see --large")
            continue
        sender = bench.keyrings.pair(count, in_step=100).sender
        file_size = sender.file.stat().st_size
        one = sender.pad("-c", contact_name(count // 2), input=frame)
        table = bench.inputs.lines(
            f"in-step-{count}",
            lambda count=count: (
                f"{contact_name(i)}\tmessage {j} to contact {i}"
                for i in range(0, count, count // 100) for j in range(100)
            ),
        )  # fmt: skip
        bulk = sender.pad(input=bench.frames(table, "-f", "2"))
        listing = Command(
            [str(bench.tools / "smsenc-keyring"), "list"], environment=sender.environment
        )
        try:
            bench.peers.packages("time")
            most = Unit.SIZE.show(peak(bench, one.argv, sender.environment, input=frame))
        except Absent:
            most = "-"
        add([
            f"{count:,}", Unit.SIZE.show(file_size),
            Unit.TIME.show(median(bench, bench.runs(one), bench.rounds * 4)),
            Unit.MESSAGES.show(10_000 / median(bench, bench.runs(bulk), bench.rounds)),
            Unit.TIME.show(median(bench, bench.runs(listing), 1)), most,
        ])  # fmt: skip


def grow_loss(bench: Bench) -> None:
    _patterns(bench)
    _gaps(bench)


def _patterns(bench: Bench) -> None:
    """What arrives of 100 messages of each of 100 contacts, and how fast that is deciphered."""
    chance = random.Random("loss")

    def thinned(share: float) -> Callable[[list[bytes]], list[bytes]]:
        return lambda lines: [line for line in lines if chance.random() >= share]

    def shuffled(lines: list[bytes]) -> list[bytes]:
        return chance.sample(lines, len(lines))

    patterns: dict[str, Callable[[list[bytes]], list[bytes]]] = {
        "all, in order": lambda lines: lines,
        "one in ten is lost": thinned(0.1),
        "half are lost": thinned(0.5),
        "nine in ten are lost": thinned(0.9),
        "only the last arrives": lambda lines: lines[-1:],
        "neighbours are exchanged": lambda lines: [
            lines[i ^ 1] if i ^ 1 < len(lines) else lines[i] for i in range(len(lines))
        ],
        "all, in no order": shuffled,
        "the last comes first": lambda lines: lines[::-1],
    }
    pair = bench.keyrings.pair(100)
    frames = bench.frames(bench.inputs.table(100, 100), "-f", "2")
    add = bench.table.small(
        "grow-loss: of 100 messages of each of 100 contacts arrive (keyring on the disk, in memory)",
        ["what arrives", "SMS", "disk", "each", "memory", "each"],
    )
    folder = bench.scratch()
    sent, arrived = folder / "sent", folder / "arrived"
    sender = bench.keyrings.copy(pair.sender, "sender", in_memory=True)
    sender.pad(input=frames, output=sent).run(bench.core)
    lines = sent.read_bytes().splitlines(keepends=True)
    for what, pattern in patterns.items():
        kept = [line for i in range(0, len(lines), 100) for line in pattern(lines[i : i + 100])]
        arrived.write_bytes(b"".join(kept))
        cells = [what, f"{len(kept):,}"]
        for in_memory in (False, True):
            copy = bench.keyrings.copy(pair.receiver, "receiver", in_memory)
            cells += both(len(kept), copy.pad("-d", input=arrived).run(bench.core).seconds)
        add(cells)


def _gaps(bench: Bench) -> None:
    """After each gap one message of one contact arrives, twenty times."""
    arrivals = 20
    pair = bench.keyrings.pair(100)
    messages = bench.frames(bench.inputs.messages(CHUNK))
    lines = messages.read_bytes().splitlines(keepends=True)
    add = bench.table.small(
        f"grow-loss: {arrivals} messages of one contact arrive, before each so many were lost (in memory)",
        ["lost before each", "option", "in all", "each"],
    )
    folder = bench.scratch(in_memory=True)
    for gap, options in (
        (0, ()), (1, ()), (10, ()), (50, ()), (110, ()), (1000, ("--far",)), (3900, ("--far",)),
    ):  # fmt: skip
        given, sent, arrived = folder / "given", folder / "sent", folder / "arrived"
        given.write_bytes(b"".join(lines[: arrivals * (gap + 1)]))
        contact = ("-c", contact_name(0))
        sender = bench.keyrings.copy(pair.sender, "sender", in_memory=True)
        sender.pad(*contact, input=given, output=sent).run(bench.core)
        arrived.write_bytes(b"".join(sent.read_bytes().splitlines(keepends=True)[gap :: gap + 1]))
        receiver = bench.keyrings.copy(pair.receiver, "receiver", in_memory=True)
        taken = receiver.pad("-d", *options, *contact, input=arrived).run(bench.core)
        add([f"{gap:,}", " ".join(options), *both(arrivals, taken.seconds)])
