"""Runs commands on one core, and says how long each took.

Several cases are run in turns (A B, B A, A B, ...), so that what else the machine does strikes all of
them alike, and are compared round by round.
"""

from __future__ import annotations

import os
import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path


class Failed(Exception):
    """A command that was to be measured did not do its work: no figure is better than a false one."""


@dataclass(frozen=True)
class Sample:
    """One run: seconds on the clock, and of those the ones in which a processor was at work on it."""

    seconds: float
    cpu: float


@dataclass(frozen=True)
class Command:
    """A command with its standard streams; None is /dev/null.

    What GNU grep is to count must go into a file: into /dev/null it stops at the first match.
    """

    argv: Sequence[str]
    input: Path | None = None
    output: Path | None = None
    errors: Path | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    # What it may exit with: 1 of a tool is that records were rejected, of grep that none matched.
    statuses: tuple[int, ...] = (0,)

    def start(self, core: int, input: int | None = None, output: int | None = None) -> int:
        """Starts it on a core and returns its process; descriptors come before files."""
        opened: list[int] = []

        def standard(descriptor: int | None, path: Path | None, flags: int) -> int:
            if descriptor is not None:
                return descriptor
            opened.append(os.open(path or os.devnull, flags, 0o600))
            return opened[-1]

        writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        streams = (
            standard(input, self.input, os.O_RDONLY),
            standard(output, self.output, writing),
            standard(None, self.errors, writing),
        )
        # A child has the affinity of its parent: `taskset` would add its own start to each run.
        os.sched_setaffinity(0, {core})
        actions = [(os.POSIX_SPAWN_DUP2, stream, place) for place, stream in enumerate(streams)]
        process = os.posix_spawnp(self.argv[0], self.argv, self.environment, file_actions=actions)
        for descriptor in opened:
            os.close(descriptor)
        return process

    def finish(self, process: int) -> float:
        """Waits for it, and returns the seconds of processor time it took."""
        _, status, usage = os.wait4(process, 0)
        code = os.waitstatus_to_exitcode(status)
        if code not in self.statuses:
            raise Failed(f"{' '.join(map(str, self.argv))}: exit status {code}")
        return usage.ru_utime + usage.ru_stime

    def run(self, core: int) -> Sample:
        began = time.perf_counter()
        process = self.start(core)
        cpu = self.finish(process)
        return Sample(time.perf_counter() - began, cpu)


def run_pipeline(first: Command, second: Command, cores: tuple[int, int]) -> Sample:
    """Runs `first | second`, each on a core of its own."""
    began = time.perf_counter()
    reader, writer = os.pipe2(os.O_CLOEXEC)
    stages = (
        (first, first.start(cores[0], output=writer)),
        (second, second.start(cores[1], input=reader)),
    )
    os.close(reader)
    os.close(writer)
    cpu = sum(stage.finish(process) for stage, process in stages)
    return Sample(time.perf_counter() - began, cpu)


class Others:
    """How much of a core other processes take while ours are measured there."""

    def __init__(self, core: int) -> None:
        self._core = core
        self._began = self._seconds()

    def _seconds(self) -> tuple[float, float, float]:
        """Of the clock, of the core at work, and of that for this process and its children."""
        with open("/proc/stat") as file:
            line = next(line for line in file if line.startswith(f"cpu{self._core} "))
        user, nice, system, _idle, _waiting, *interrupts = map(int, line.split()[1:9])
        busy = (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")
        usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return time.monotonic(), busy, sum(one.ru_utime + one.ru_stime for one in usage)

    def share(self) -> float:
        clock, busy, ours = (now - then for now, then in zip(self._seconds(), self._began, strict=True))
        return max(busy - ours, 0) / clock


Samples = list[Sample]
Case = Callable[[], Sample]


def interleave(cases: Mapping[str, Case], rounds: int, warm: bool = True) -> dict[str, Samples]:
    """Runs all cases in turns; a first round, in which files come into memory, does not count."""
    taken: dict[str, Samples] = {name: [] for name in cases}
    order = list(cases)
    if warm:
        for name in order:
            cases[name]()
    for _ in range(rounds):
        for name in order:
            taken[name].append(cases[name]())
        order.reverse()
    return taken


class By(Enum):
    """What a run is judged by."""

    CLOCK = "clock"
    CPU = "CPU"

    def of(self, samples: Samples) -> list[float]:
        return [sample.cpu if self is By.CPU else sample.seconds for sample in samples]


def ratios(above: Samples, below: Samples, by: By) -> list[float]:
    """How many times as much `above` takes as `below`, round by round."""
    return [a / b for a, b in zip(by.of(above), by.of(below), strict=True)]


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """The lower quartile, the median and the upper quartile."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high
