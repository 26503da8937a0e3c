"""What all rows share: the tools, the core, the inputs, the keyrings, the peers and the table."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from inputs import Inputs
from keyrings import Keyrings
from measuring import Case, Command, Sample, interleave
from peers import Absent, Peers
from table import Goal, Measured, Table, Unit

Cases = Mapping[str, Case]
# What stands beside, the goal for it, and how it is found; it may be absent.
Rival = tuple[Goal | None, Callable[[], Case]]
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}


@dataclass
class Bench:
    tools: Path
    core: int
    # Another core, for the second stage of a pipeline; the same where there is only one.
    other_core: int
    rounds: int
    large: bool
    inputs: Inputs
    keyrings: Keyrings
    peers: Peers
    table: Table
    # The same with the tools of another folder, which are measured side by side; what its lines begin with.
    beside: Bench | None = None
    label: str = ""

    @property
    def sides(self) -> list[Bench]:
        return [self, *([self.beside] if self.beside else [])]

    # Rounds of what takes milliseconds: a start of a process varies more than a long run.
    @property
    def many_rounds(self) -> int:
        return self.rounds * 40

    def tool(
        self, name: str, *arguments: str | Path, input: Path | None = None,
        output: Path | None = None, statuses: tuple[int, ...] = (0,),
    ) -> Command:  # fmt: skip
        argv = [str(self.tools / name), *map(str, arguments)]
        return Command(argv, input, output, environment=ENVIRONMENT, statuses=statuses)

    def runs(self, command: Command) -> Case:
        return lambda: command.run(self.core)

    def frames(self, messages: Path, *options: str) -> Path:
        """What smsenc-frame makes of a file; it is kept beside it."""

        def write(path: Path) -> None:
            self.tool("smsenc-frame", *options, input=messages, output=path).run(self.core)

        return self.inputs.kept(f"{messages.name}.frames", write)

    def compare(
        self, row: str, lines: Mapping[str, str], ours: Callable[[Bench], Cases],
        rivals: Mapping[str, Rival] | None = None, unit: Unit = Unit.TIME, amount: float = 1,
        rounds: int = 0,
    ) -> None:  # fmt: skip
        """Measures cases of the tools, those of the tools beside and those of rivals, and adds the lines.

        `lines` says what is called how of what `ours` gives; the rivals stand beside the first.
        """
        cases, goals = dict(ours(self)), {}
        for name, (goal, find) in (rivals or {}).items():
            try:
                cases["peer " + name] = find()
                goals[name] = goal
            except Absent:
                what = next(iter(lines.values()))
                self.table.add_absent(row, what, f"{name} is not here", goal)
        if self.beside:
            cases |= {f"beside {name}": case for name, case in ours(self.beside).items()}
        taken = interleave(cases, rounds or self.rounds)
        for name, what in lines.items():
            mine = Measured(taken[name], unit, amount)
            for peer, goal in goals.items():
                beside = (peer, Measured(taken["peer " + peer], unit, amount))
                self.table.add(row, what, mine, beside, goal)
            if not goals:
                self.table.add(row, what, mine)
            if self.beside:
                other = Measured(taken["beside " + name], unit, amount)
                self.table.add(row, what, mine, ("the tools beside", other))
            goals = {}

    def scratch(self, in_memory: bool = False) -> Path:
        """An empty folder for a row's outputs, until the next row asks for it."""
        folder = (self.keyrings.memory if in_memory else self.keyrings.disk) / "scratch"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def describe_machine(self) -> None:
        """What a commit costs on the file system that holds the keyrings, and how SHA-256 is computed."""
        kind = subprocess.run(
            ["stat", "-f", "-c", "%T", self.keyrings.disk], capture_output=True, text=True
        ).stdout.strip()
        path = self.keyrings.disk / "sync"
        took = statistics.median(one_sync(path).seconds for _ in range(200))
        path.unlink()
        self.table.note(
            f"keyrings lie in {self.keyrings.disk} ({kind}); writing 4 KiB and fdatasync take"
            f" {took * 1e6:.0f} us there"
        )
        if not {"sha_ni", "sha2"} & set(Path("/proc/cpuinfo").read_text().split()):
            self.table.note(
                "this processor has no instructions for SHA-256, on which our messages spend half of their"
                " time, the limit nearly all; libolm, in plain C, would not use them either"
            )


def one_sync(path: Path) -> Sample:
    """A small write at the end of a file, and its fdatasync."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        began = time.perf_counter()
        os.write(descriptor, bytes(4096))
        os.fdatasync(descriptor)
        return Sample(time.perf_counter() - began, 0)
    finally:
        os.close(descriptor)
