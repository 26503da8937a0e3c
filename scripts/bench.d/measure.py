"""Runs commands on one core, compares them round by round, and prints a table with the goals."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


class Failed(Exception):
    """A command that was to be measured failed, so there is no figure."""


class Absent(Exception):
    """A program to compare with is not here and cannot be installed."""


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Sample:
    """One run: seconds by the clock, and seconds of CPU time."""

    clock: float
    cpu: float


Case = Callable[[], Sample]


@dataclass(frozen=True)
class Command:
    """A command with its standard streams. None stands for /dev/null."""

    argv: Sequence[str | Path]
    input: Path | None = None
    output: Path | None = None
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    statuses: tuple[int, ...] = (0,)

    def run(self) -> Sample:
        """Runs the command on the core of this process."""
        writing = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        streams = (
            os.open(self.input or os.devnull, os.O_RDONLY),
            os.open(self.output or os.devnull, writing, 0o600),
            os.open(os.devnull, writing),
        )
        actions = [(os.POSIX_SPAWN_DUP2, stream, place) for place, stream in enumerate(streams)]
        began = time.perf_counter()
        process = os.posix_spawnp(self.argv[0], self.argv, self.environment, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
        taken = time.perf_counter() - began
        for stream in streams:
            os.close(stream)
        if (code := os.waitstatus_to_exitcode(status)) not in self.statuses:
            raise Failed(f"{' '.join(map(str, self.argv))}: exit status {code}")
        return Sample(taken, usage.ru_utime + usage.ru_stime)

    def peak(self) -> int:
        """Runs the command and returns the most bytes of memory that it used at once.

        GNU time starts it: what wait4 reports for a child includes the memory of its parent.
        """
        timed = ["/usr/bin/time", "-q", "-f", "%M", *map(str, self.argv)]
        with open(self.input or os.devnull, "rb") as given, open(self.output or os.devnull, "wb") as taken:
            done = subprocess.run(
                timed, stdin=given, stdout=taken, stderr=subprocess.PIPE, env=self.environment
            )
        if done.returncode not in (0, 1):
            raise Failed(f"{' '.join(map(str, self.argv))}: exit status {done.returncode}")
        return int(done.stderr.split()[-1]) * 1024


def interleave(cases: Mapping[str, Case], rounds: int) -> dict[str, list[Sample]]:
    """Runs all cases in turns (A B, B A, A B, …). A first round, which fills caches, is not counted."""
    taken: dict[str, list[Sample]] = {name: [] for name in cases}
    order = list(cases)
    for name in order:
        cases[name]()
    for _ in range(rounds):
        for name in order:
            taken[name].append(cases[name]())
        order.reverse()
    return taken


@dataclass(frozen=True)
class Goal:
    """A bound on the ratio of our time or rate to that of a peer."""

    bound: float
    # True: our time, divided by the peer's, is at most the bound. False: our rate is at least the bound.
    of_time: bool = False
    by_clock: bool = False

    def __str__(self) -> str:
        return f"{'<=' if self.of_time else '>='} {self.bound:g} by {'clock' if self.by_clock else 'CPU'}"

    def is_met(self, ratio: float) -> bool:
        return ratio <= self.bound if self.of_time else ratio >= self.bound


class Table:
    """Prints each line as soon as it is measured, and at the end which goals were missed."""

    WIDTHS = (9, 46, 22, 24, 6, 12, 14)

    def __init__(self) -> None:
        self.missed: list[str] = []
        self._line("row", "what", "ours", "peer", "ratio", "middle half", "goal", "")

    def _line(self, *cells: str) -> None:
        widths = (*self.WIDTHS, 0)
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths)).rstrip(), flush=True)

    def compare(
        self, row: str, what: str, ours: Sequence[Sample], peer: tuple[str, Sequence[Sample]], goal: Goal,
        amount: float = 1,
    ) -> None:  # fmt: skip
        """Adds the median ratio of ours to the peer's, round by round."""
        by = (lambda one: one.clock) if goal.by_clock else (lambda one: one.cpu)
        pairs = [(by(a), by(b)) for a, b in zip(ours, peer[1], strict=True)]
        ratios = [a / b if goal.of_time else b / a for a, b in pairs]
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
        shown = [show(statistics.median(times), amount) for times in zip(*pairs, strict=True)]
        self._verdict(
            row, what, shown[0], f"{shown[1]} {peer[0]}", f"{middle:.2f}", f"{low:.2f}..{high:.2f}",
            str(goal), goal.is_met(middle),
        )  # fmt: skip

    def value(self, row: str, what: str, value: float, most: float, unit: str) -> None:
        """Adds a figure that is no ratio, with its upper bound."""
        goal = f"<= {most:g} {unit}"
        self._verdict(row, what, f"{value:.3g} {unit}", "", "", "", goal, value <= most)

    def absent(self, row: str, what: str, peer: str) -> None:
        self._verdict(row, what, "", f"{peer} is not here", "", "", "", False)

    def _verdict(self, row: str, *cells: str | bool) -> None:
        *texts, is_met = cells
        self._line(row, *map(str, texts), "ok" if is_met else "MISSED")
        if not is_met:
            self.missed.append(f"{row}: {', '.join(str(text) for text in texts if text)}")

    def summary(self) -> None:
        print()
        for text in self.missed or ["no goal"]:
            print(f"missed: {text}")


def show(seconds: float, amount: float) -> str:
    """Formats the time of one record, or the rate of several."""
    return f"{seconds * 1e3:.2f} ms" if amount == 1 else f"{amount / seconds / 1e3:.1f} k/s"
