"""The rows of the two tools without cryptography."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench import Bench
from inputs import SCRIPTS
from measuring import Command, interleave
from table import Measured, Unit, at_least, at_most


def alphabet(bench: Bench) -> str:
    """Every character that is good: those of the probe, the extension table, and the newline's."""
    probe = subprocess.run([bench.tools / "gsm7-check", "--probe"], capture_output=True, check=True)
    return probe.stdout.decode().strip("\n") + "^{}\\[~]|€␊"


def check_line(bench: Bench) -> None:
    line = bench.inputs.one_line()
    taken = interleave(
        {
            "ours": bench.runs(bench.tool("gsm7-check", input=line)),
            "cat": bench.runs(Command(["cat"], line)),
        },
        bench.many_rounds,
    )
    bench.table.add(
        "check-line", "gsm7-check, one line, whole process", Measured(taken["ours"]),
        at_most(1.1), ("cat", Measured(taken["cat"])),
    )  # fmt: skip


def check_bulk(bench: Bench) -> None:
    for what, input, statuses in (
        ("gsm7-check, 15 % of lines beyond ASCII", bench.inputs.bulk(), (0,)),
        ("the same, 1.5 % of lines are bad", bench.inputs.bulk(not_gsm=0.015), (1,)),
    ):
        with bench.scratch(in_memory=True) as folder:
            taken = interleave(
                {
                    "grep": bench.runs(bench.peers.grep_not_gsm(alphabet(bench), input)),
                    "null": bench.runs(bench.tool("gsm7-check", input=input, statuses=statuses)),
                    "file": bench.runs(
                        bench.tool("gsm7-check", input=input, output=folder / "out", statuses=statuses)
                    ),
                },
                bench.rounds,
            )
        size = input.stat().st_size
        grep = ("grep -cP", Measured(taken["grep"], Unit.BYTES, size))
        ours = Measured(taken["null"], Unit.BYTES, size)
        bench.table.add("check-bulk", what + ", to /dev/null", ours, at_least(1.2), grep)
        in_memory = Measured(taken["file"], Unit.BYTES, size)
        bench.table.add("check-bulk", what + ", to a file in memory", in_memory, peer=grep)


def check_counts(bench: Bench) -> None:
    input = bench.inputs.bulk()
    taken = interleave(
        {
            "grep": bench.runs(bench.peers.grep_not_gsm(alphabet(bench), input)),
            "ours": bench.runs(bench.tool("gsm7-check", "-c", input=input)),
        },
        bench.rounds,
    )
    size = input.stat().st_size
    bench.table.add(
        "check-counts", "gsm7-check -c, 15 % of lines beyond ASCII",
        Measured(taken["ours"], Unit.BYTES, size), at_least(1),
        ("grep -cP", Measured(taken["grep"], Unit.BYTES, size)),
    )  # fmt: skip


MESSAGES = 1_000_000


def frame_bulk(bench: Bench) -> None:
    messages = bench.inputs.messages(MESSAGES)
    _bulk(bench, "frame-bulk", "smsenc-frame, 10^6 messages", [], messages)


def unframe_bulk(bench: Bench) -> None:
    frames = bench.frames(bench.inputs.messages(MESSAGES))
    _bulk(bench, "unframe-bulk", "smsenc-frame -d, 10^6 frames", ["-d"], frames)


def _bulk(bench: Bench, row: str, what: str, options: list[str], input: Path) -> None:
    command = bench.tool("smsenc-frame", *options, input=input)
    taken = interleave({"ours": bench.runs(command)}, bench.rounds)
    ours = Measured(taken["ours"], Unit.MESSAGES, MESSAGES)
    bench.table.add(row, what, ours, at_least(1e6, Unit.MESSAGES))


def compress(bench: Bench) -> None:
    """Messages that are compressed, and read: by script, since that tells which languages are tried."""
    scripts = (("Cyrillic", 50_000, 10_000), ("Latin", 20_000, 3_000), ("no letters", 10_000, 3_000))
    for script, amount, least in scripts:
        messages = bench.inputs.foreign_messages(amount, script)
        frames = bench.frames(messages)
        for what, options, input, goal in (
            ("written", [], messages, least), ("read", ["-d"], frames, 60_000),
        ):  # fmt: skip
            command = bench.tool("smsenc-frame", *options, input=input)
            taken = interleave({"ours": bench.runs(command)}, bench.rounds)
            bench.table.add(
                "compress", f"{what}: compressed messages of 110 characters, {script}",
                Measured(taken["ours"], Unit.MESSAGES, amount), at_least(goal, Unit.MESSAGES),
            )  # fmt: skip


def split(bench: Bench) -> None:
    """Messages of 2,000 characters, cut into as few parts as can be: by script, as above."""
    for script in SCRIPTS:
        messages = bench.inputs.foreign_messages(5, script, 2000)
        command = bench.tool("smsenc-frame", "-s", input=messages)
        taken = interleave({"ours": bench.runs(command)}, bench.rounds)
        bench.table.add(
            "split", f"smsenc-frame -s, 2,000 characters, {script}",
            Measured(taken["ours"], amount=5),
        )  # fmt: skip
