"""The rows of the two tools without cryptography."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench import Bench, Cases, Rival
from inputs import SCRIPTS
from measuring import Command
from table import Unit, at_least, at_most


def alphabet(bench: Bench) -> str:
    """Every character that is good: those of the probe, the extension table, and the newline's."""
    probe = subprocess.run([bench.tools / "gsm7-check", "--probe"], capture_output=True, check=True)
    return probe.stdout.decode().strip("\n") + "^{}\\[~]|€␊"


def check_line(bench: Bench) -> None:
    line = bench.inputs.one_line()

    def cases(bench: Bench) -> Cases:
        return {"line": bench.runs(bench.tool("gsm7-check", input=line))}

    cat: dict[str, Rival] = {"cat": (at_most(1.1), lambda: bench.runs(Command(["cat"], line)))}
    what = {"line": "gsm7-check, one line, whole process"}
    bench.compare("check-line", what, cases, cat, rounds=bench.many_rounds)


def grep(bench: Bench, input: Path, bound: float) -> dict[str, Rival]:
    """That which counts the lines with a character that is not GSM."""
    command = bench.peers.grep_not_gsm(alphabet(bench), input)
    return {"grep -cP": (at_least(bound), lambda: bench.runs(command))}


def check_bulk(bench: Bench) -> None:
    for what, input, statuses, bound in (
        ("gsm7-check, 15 % of lines beyond ASCII", bench.inputs.bulk(), (0,), 1.2),
        ("the same, 1.5 % of lines are bad", bench.inputs.bulk(not_gsm=0.015), (1,), 1),
    ):

        def cases(bench: Bench, input: Path = input, statuses: tuple[int, ...] = statuses) -> Cases:
            out = bench.scratch(in_memory=True) / "out"
            to_null = bench.tool("gsm7-check", input=input, statuses=statuses)
            to_file = bench.tool("gsm7-check", input=input, output=out, statuses=statuses)
            return {"null": bench.runs(to_null), "file": bench.runs(to_file)}

        lines = {"null": what, "file": what + ", to a file in memory"}
        size = input.stat().st_size
        bench.compare("check-bulk", lines, cases, grep(bench, input, bound), Unit.BYTES, size)
        bench.scratch(in_memory=True)


def check_counts(bench: Bench) -> None:
    _bulk(bench, "check-counts", "gsm7-check", ["-c"], bench.inputs.bulk(), 1)


MESSAGES = 1_000_000


# What grep takes for a message tells how fast the machine is: the goals are a million a second where it
# looks through 80 MB of them in some 0.35 s.
def frame_bulk(bench: Bench) -> None:
    _bulk(bench, "frame-bulk", "smsenc-frame", [], bench.inputs.messages(MESSAGES), 0.35)


def unframe_bulk(bench: Bench) -> None:
    frames = bench.frames(bench.inputs.messages(MESSAGES))
    _bulk(bench, "unframe-bulk", "smsenc-frame", ["-d"], frames, 0.35)


def _bulk(bench: Bench, row: str, name: str, options: list[str], input: Path, bound: float) -> None:
    def cases(bench: Bench) -> Cases:
        return {"it": bench.runs(bench.tool(name, *options, input=input))}

    count = sum(block.count(b"\n") for block in input.open("rb"))
    what = {"it": f"{' '.join((name, *options))}, {count:,} lines"}
    bench.compare(row, what, cases, grep(bench, input, bound), Unit.MESSAGES, count)


def compress(bench: Bench) -> None:
    """Messages that are compressed, and read: by script, since that tells which languages are tried."""
    for script, amount in (("Cyrillic", 50_000), ("Latin", 20_000), ("no letters", 10_000)):
        messages = bench.inputs.foreign_messages(amount, script)
        frames = bench.frames(messages)

        def cases(bench: Bench, messages: Path = messages, frames: Path = frames) -> Cases:
            written = bench.tool("smsenc-frame", input=messages)
            read = bench.tool("smsenc-frame", "-d", input=frames)
            return {"written": bench.runs(written), "read": bench.runs(read)}

        lines = {name: f"{name}, compressed, 110 characters, {script}" for name in ("written", "read")}
        bench.compare("compress", lines, cases, unit=Unit.MESSAGES, amount=amount)


def split(bench: Bench) -> None:
    """Messages of 2,000 characters, cut into as few parts as can be: by script, as above."""
    for script in SCRIPTS:
        messages = bench.inputs.foreign_messages(5, script, 2000)

        def cases(bench: Bench, messages: Path = messages) -> Cases:
            return {"it": bench.runs(bench.tool("smsenc-frame", "-s", input=messages))}

        what = {"it": f"smsenc-frame -s, 2,000 characters, {script}"}
        bench.compare("split", what, cases, amount=5)
