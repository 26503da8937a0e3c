"""What all rows share: the tools, the core, the inputs, the keyrings, the peers and the table."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inputs import Inputs
from keyrings import Keyrings
from measuring import Command, Sample
from peers import Absent, Peers
from table import Goal, Table

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

    def runs(self, command: Command) -> Callable[[], Sample]:
        return lambda: command.run(self.core)

    def frames(self, messages: Path, *options: str) -> Path:
        """What smsenc-frame makes of a file; it is kept beside it."""

        def write(path: Path) -> None:
            self.tool("smsenc-frame", *options, input=messages, output=path).run(self.core)

        return self.inputs.kept(f"{messages.name}.frames", write)

    def unless_absent(
        self, row: str, what: str, peer: str, goal: Goal | None, find: Callable[[], Callable[[], Sample]]
    ) -> Callable[[], Sample] | None:
        """The peer's case, or a line in the table that says that it is not here."""
        try:
            return find()
        except Absent:
            self.table.add_absent(row, what, f"{peer} is not here", goal)
            return None

    @contextmanager
    def scratch(self, in_memory: bool = False) -> Iterator[Path]:
        """A folder for a row's outputs."""
        folder = (self.keyrings.memory if in_memory else self.keyrings.disk) / "scratch"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def describe_disk(self) -> None:
        """What a commit costs on the file system that holds the keyrings."""
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
