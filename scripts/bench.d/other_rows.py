"""The rows that are about all the tools: pipeline, search, memory and size."""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import ENVIRONMENT, Bench, Cases, Rival
from inputs import contact_name
from keyrings import Keyring
from measuring import By, Case, Failed, Sample, interleave, run_pipeline
from peers import Absent
from table import Goal, Measured, Unit, at_most
from text_rows import alphabet


def pipeline(bench: Bench) -> None:
    """By the clock, which is what two cores are for: others on the machine spoil it."""
    contacts, each = 1000, 100
    messages = bench.inputs.table(contacts, each)
    frames = bench.frames(messages, "-f", "2")
    core, other = bench.core, bench.other_core
    sender = bench.keyrings.copy(bench.keyrings.pair(contacts).sender, "pipeline")
    frame = bench.tool("smsenc-frame", "-f", "2", input=messages)
    pad_file, pad_pipe = sender.pad(input=frames), sender.pad()
    taken = interleave(
        {
            "frame": lambda: frame.run(core),
            "pad": lambda: pad_file.run(other),
            "two": lambda: run_pipeline(frame, pad_pipe, (core, other)),
            "one": lambda: run_pipeline(frame, pad_pipe, (core, core)),
        },
        bench.rounds,
    )
    both = list(zip(taken["frame"], taken["pad"], strict=True))
    slower = [max(pair, key=lambda sample: sample.seconds) for pair in both]
    sums = [Sample(a.seconds + b.seconds, a.cpu + b.cpu) for a, b in both]
    if core == other:
        bench.table.note("there is one core only: the stages of the pipeline share it")
    bench.table.add(
        "pipeline", "smsenc-frame | smsenc-pad, two cores, 100,000", Measured(taken["two"]),
        ("the slower stage", Measured(slower)), at_most(1.15, By.CLOCK),
    )  # fmt: skip
    both_stages = ("the sum of stages", Measured(sums))
    bench.table.add("pipeline", "the same, on one core", Measured(taken["one"]), both_stages)


# At most, as smsenc(7) has it. A gap is shorter than the 128 keys tried: a key whose ciphertext would
# have spaces in the wrong places is passed over, and counts.
RETIRED_CHAINS, KEPT_KEYS, GAP = 64, 1024, 112


def worst_receiver(bench: Bench) -> Keyring:
    """One who has all that can be tried for contact 0: retired chains, kept keys, an offer out."""
    pair = bench.keyrings.pair(100)
    sender = bench.keyrings.copy(pair.sender, "worst-sender", in_memory=True)
    receiver = bench.keyrings.copy(pair.receiver, "worst-receiver", in_memory=True)
    contact = ("-c", contact_name(0))
    one = bench.frames(bench.inputs.one_line())
    many = bench.frames(bench.inputs.messages(GAP))
    text = bench.keyrings.memory / "worst-text"
    # Each answer brings a new key, and retires the chain before it.
    for _ in range(RETIRED_CHAINS + 1):
        for here, there in ((receiver, sender), (sender, receiver)):
            here.pad(*contact, input=one, output=text).run(bench.core)
            there.pad("-d", *contact, input=text).run(bench.core)
    # Of so many in a row only the last arrives: the keys of the others are kept.
    for _ in range(KEPT_KEYS // (GAP - 1) + 1):
        sender.pad(*contact, input=many, output=text).run(bench.core)
        text.write_bytes(text.read_bytes().splitlines(keepends=True)[-1])
        receiver.pad("-d", *contact, input=text).run(bench.core)
    receiver.pad(*contact, input=one).run(bench.core)
    return receiver


def forged(bench: Bench, count: int) -> Path:
    """Ciphertexts by their form, which nobody has made."""
    symbols = sorted(set(alphabet(bench)) - set(" ^{}\\[~]|€␊"))
    chance = random.Random("forged")

    def lines() -> Iterator[str]:
        for _ in range(count):
            yield "".join(chance.choices(symbols, k=160))

    return bench.inputs.lines(f"forged-{count}", lines)


def search(bench: Bench) -> None:
    """All keys that there can be are tried on what nobody has made: every other of a window is stepped to."""
    count = 200
    # 128 of the chain and of the one that an offer would give, 16 of each retired one; kept ones are there.
    stepped = 2 * 128 + 16 * RETIRED_CHAINS
    cut = bench.inputs.lines("forged-cut", lambda: iter(["a" * 158]))
    one, many = forged(bench, 1), forged(bench, count)

    def cases(bench: Bench) -> Cases:
        receiver = worst_receiver(bench)

        def of(input: Path, *options: str) -> Case:
            return bench.runs(receiver.pad("-d", "-c", contact_name(0), *options, input=input, statuses=(1,)))

        return {"many": of(many), "far": of(many, "--far"), "one": of(one), "cut": of(cut)}

    def tried(times: int) -> Case:
        return bench.peers.limit(
            bench.core, "search", str(times * stepped), str(times * (stepped + KEPT_KEYS))
        )

    lines = {
        "many": f"smsenc-pad -d, each of {count} forged SMS", "far": "the same with --far",
    }  # fmt: skip
    # Where the limit is 3.5 ms, as on a machine of 2020 without instructions for SHA, one takes 5 ms.
    limit: dict[str, Rival] = {"the limit": (at_most(1.4), lambda: tried(count))}
    bench.compare("search", lines, cases, limit, amount=count, rounds=bench.rounds)
    alone = {"one": "one forged SMS, whole process", "cut": "one that was cut, whole process"}
    limit = {"the limit": (None, lambda: tried(1))}
    bench.compare("search", alone, cases, limit, rounds=bench.rounds * 4)


def size(bench: Bench) -> None:
    for side in bench.sides:
        for name in ("gsm7-check", "smsenc-frame", "smsenc-pad", "smsenc-keyring"):
            tool = side.tools / name
            what = f"{side.label}{name}: {', '.join(elf_traits(tool.read_bytes()))}"
            bench.table.add_value("size", what, tool.stat().st_size, None, Unit.SIZE)


def elf_traits(data: bytes) -> tuple[str, str]:
    """Whether an executable asks for an interpreter, and whether it has a table of symbols."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise Failed("an executable is no ELF file of 64 bits")
    program_at, section_at = struct.unpack_from("<QQ", data, 32)
    program_size, programs, section_size, sections = struct.unpack_from("<HHHH", data, 54)
    interpreter, symbols = 3, 2  # PT_INTERP, SHT_SYMTAB
    types = [struct.unpack_from("<I", data, program_at + i * program_size)[0] for i in range(programs)]
    kinds = [struct.unpack_from("<I", data, section_at + i * section_size + 4)[0] for i in range(sections)]
    return (
        "DYNAMIC" if interpreter in types else "static",
        "WITH SYMBOLS" if symbols in kinds else "stripped",
    )


GIGABYTE = "head -c 1000000000"
ENDLESS = {
    "1 GB without a line end": f"yes aaaaaaa | tr -d '\\n' | {GIGABYTE}",
    "1 GB of combining marks": f"yes '\u0301' | tr -d '\\n' | {GIGABYTE}",
}


def peak(
    bench: Bench, argv: Sequence[str | Path], environment: dict[str, str],
    input: Path | None = None, source: str | None = None,
) -> float:  # fmt: skip
    """The most bytes that it had in memory at once.

    Debian's `time` starts it, since what wait4 says of a child counts what its parent had in memory.
    """
    report = bench.keyrings.memory / "peak.report"
    command = ["/usr/bin/time", "-q", "-f", "%M", "-o", report, *argv]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if source:
        feeder = subprocess.Popen(["sh", "-c", source], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        done = subprocess.run(command, stdin=feeder.stdout, env=environment, **quiet)
        if feeder.stdout:
            feeder.stdout.close()
        feeder.wait()
    else:
        with open(input or "/dev/null", "rb") as file:
            done = subprocess.run(command, stdin=file, env=environment, **quiet)
    if done.returncode not in (0, 1):
        raise Failed(f"{' '.join(map(str, argv))}: exit status {done.returncode}")
    return int(report.read_text()) * 1024


def memory(bench: Bench) -> None:
    # 16 MB, and 1 MB to spare.
    goal = at_most(15e6, unit=Unit.SIZE)
    try:
        bench.peers.packages("time")
    except Absent:
        bench.table.add_absent("memory", "all", "Debian's time is not here", goal)
        return
    for side in bench.sides:
        _memory(side, goal if side is bench else None)


def _memory(bench: Bench, goal: Goal | None) -> None:
    # Of each command what it took at most, and with which input.
    most: dict[str, tuple[float, str]] = {}

    def note(command: str, what: str, found: float) -> None:
        most[command] = max(most.get(command, (0, "")), (found, what))

    def text(what: str, name: str, *options: str, source: str) -> None:
        found = peak(bench, [bench.tools / name, *options], ENVIRONMENT, source=source)
        note(" ".join((name, *options)), what, found)

    def pad(
        what: str, keyring: Keyring, *options: str, input: Path | None = None, source: str | None = None
    ) -> None:
        found = peak(bench, keyring.pad(*options).argv, keyring.environment, input, source)
        note("smsenc-pad -d" if "-d" in options else "smsenc-pad", what, found)

    few = bench.keyrings.copy(bench.keyrings.pair(100).sender, "few", in_memory=True)
    contact = ("-c", contact_name(0))
    for what, source in ENDLESS.items():
        text(what, "gsm7-check", source=source)
        text(what, "gsm7-check", "-t", source=source)
        text(what, "smsenc-frame", "-s", source=source)
        text(what, "smsenc-frame", "-d", source=source)
        pad(what, few, *contact, source=source)
        pad(what, few, "-d", *contact, source=source)
    # The most records to a byte.
    what, source = "20,000,000 empty lines", "yes '' | head -c 20000000"
    text(what, "gsm7-check", source=source)
    text(what, "gsm7-check", "-c", source=source)
    text(what, "smsenc-frame", source=source)
    million = 1_000_000
    messages = bench.inputs.messages(million)
    frames = bench.frames(messages)
    for count in (1, 10):
        what = f"{count * million:,} records"
        text(what, "gsm7-check", "-c", source=repeat(messages, count))
        text(what, "smsenc-frame", source=repeat(messages, count))
        text(what, "smsenc-frame", "-d", source=repeat(frames, count))
    pad(f"{million:,} records, one contact", few, *contact, source=repeat(frames, 1))
    for contacts, each, order in ((1000, 100, "sorted"), (10_000, 10, "mixed"), (30_000, 3, "mixed")):
        pair = bench.keyrings.pair(contacts)
        what = f"{contacts:,} contacts x {each}, {order}"
        table = bench.frames(bench.inputs.table(contacts, each, order), "-f", "2")
        pad(what, bench.keyrings.copy(pair.sender, "peak", in_memory=True), input=table)
        # The keys of the run above are gone: this one's ciphertexts are of a copy again.
        ciphertexts = bench.keyrings.memory / "ciphertexts"
        sender = bench.keyrings.copy(pair.sender, "peak", in_memory=True)
        sender.pad(input=table, output=ciphertexts).run(bench.core)
        receiver = bench.keyrings.copy(pair.receiver, "peak", in_memory=True)
        pad(what, receiver, "-d", input=ciphertexts)
        ciphertexts.unlink()
    worst = worst_receiver(bench)
    pad("200 forged SMS, worst search", worst, "-d", "--far", *contact, input=forged(bench, 200))
    for command, (found, what) in most.items():
        bench.table.add_value("memory", f"{bench.label}{command}: {what}", found, goal, Unit.SIZE)


def repeat(file: Path, count: int) -> str:
    return f"for i in $(seq {count}); do cat '{file}'; done"
