"""The table that is printed: what was measured, its goal, and whether it was met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from measuring import Samples, quartiles, ratios, seconds


class Unit(Enum):
    """What a figure is of: the time of a run, or how much goes through in a second."""

    TIME = "time"
    MESSAGES = "messages"
    BYTES = "bytes"
    SIZE = "size"

    def show(self, value: float) -> str:
        match self:
            case Unit.TIME:
                if value < 1e-3:
                    return f"{value * 1e6:.0f} us"
                return f"{value * 1e3:.2f} ms" if value < 1 else f"{value:.2f} s"
            case Unit.MESSAGES:
                return f"{value / 1e6:.2f} M/s" if value >= 1e6 else f"{value / 1e3:.1f} k/s"
            case Unit.BYTES:
                return f"{value / 1e9:.2f} GB/s"
            case Unit.SIZE:
                return f"{value / 1e6:.2f} MB"

    @property
    def is_rate(self) -> bool:
        return self in (Unit.MESSAGES, Unit.BYTES)


@dataclass(frozen=True)
class Measured:
    """The runs of one case, and how much went through in each (nothing where the time itself counts)."""

    samples: Samples
    unit: Unit = Unit.TIME
    amount: float = 1

    def figures(self, of: Sequence[float] | None = None) -> list[float]:
        of = seconds(self.samples) if of is None else of
        return [self.amount / value if self.unit.is_rate else value / self.amount for value in of]

    def show(self) -> str:
        return self.unit.show(quartiles(self.figures())[1])

    def show_cpu(self) -> str:
        spent = [sample.cpu for sample in self.samples]
        return self.unit.show(quartiles(self.figures(spent))[1]) if min(spent) > 0 else "-"


@dataclass(frozen=True)
class Goal:
    """A bound on a ratio to the peer, or on the figure itself where there is a unit."""

    bound: float
    at_most: bool
    unit: Unit | None = None

    def __str__(self) -> str:
        sign = "<=" if self.at_most else ">="
        return f"{sign} {self.unit.show(self.bound) if self.unit else f'{self.bound:g} x'}"

    def is_met(self, value: float) -> bool:
        return value <= self.bound if self.at_most else value >= self.bound


def at_most(bound: float, unit: Unit | None = None) -> Goal:
    return Goal(bound, True, unit)


def at_least(bound: float, unit: Unit | None = None) -> Goal:
    return Goal(bound, False, unit)


# Heading and width of each column; the last ones are as wide as they are.
COLUMNS = (
    ("row", 13), ("what", 58), ("ours", 10), ("by CPU", 10), ("peer", 22), ("ratio", 7),
    ("middle half", 19), ("goal", 13), ("runs", 4), ("", 0),
)  # fmt: skip


class Table:
    """Prints a row as soon as it is measured, and remembers what was missed."""

    def __init__(self) -> None:
        self.missed: list[str] = []
        self.absent: list[str] = []
        self._begun = False

    def _print(self, cells: Sequence[str]) -> None:
        if not self._begun:
            self._begun = True
            self._print([heading for heading, _ in COLUMNS])
        line = "  ".join(f"{cell:<{width}}" for cell, (_, width) in zip(cells, COLUMNS, strict=True))
        print(line.rstrip(), flush=True)

    def add(
        self, row: str, what: str, ours: Measured, goal: Goal | None = None,
        peer: tuple[str, Measured] | None = None,
    ) -> None:  # fmt: skip
        """Adds a line; a goal without a unit is one for the ratio to the peer.

        The ratio is of times where times are shown, and of throughputs where these are, so ours
        always stands above. The middle half is that of what the goal is about.
        """
        versus: list[float] | None = None
        if peer:
            above, below = ours, peer[1]
            if ours.unit.is_rate:
                above, below = below, ours
            # Not the same amounts: what counts is the time for one of each.
            scale = below.amount / above.amount
            versus = [value * scale for value in ratios(above.samples, below.samples)]
        judged = versus if versus and not (goal and goal.unit) else ours.figures()
        unit = None if judged is versus else ours.unit
        low, middle, high = quartiles(judged)
        shown = unit.show if unit else lambda value: f"{value:.2f}"
        self._line(
            row, what, ours.show(), ours.show_cpu(), f"{peer[1].show()} {peer[0]}" if peer else "-",
            f"{quartiles(versus)[1]:.2f}" if versus else "-", f"{shown(low)}..{shown(high)}",
            goal, len(ours.samples), middle,
        )  # fmt: skip

    def add_value(self, row: str, what: str, value: float, goal: Goal | None, unit: Unit) -> None:
        """Adds a line for what was found once, such as a size."""
        self._line(row, what, unit.show(value), "-", "-", "-", "-", goal, 1, value)

    def add_absent(self, row: str, what: str, why: str, goal: Goal | None) -> None:
        """Adds a line that says why there is no figure, so that nobody takes this for a goal met."""
        self.absent.append(f"{row}: {what}: {why}")
        self._print((row, what, "-", "-", why, "-", "-", str(goal or "-"), "0", "NOT MEASURED"))

    def _line(
        self, row: str, what: str, ours: str, cpu: str, peer: str, ratio: str, spread: str,
        goal: Goal | None, runs: int, judged: float,
    ) -> None:  # fmt: skip
        verdict = ""
        if goal:
            verdict = "ok" if goal.is_met(judged) else "MISSED"
            if verdict != "ok":
                by = goal.unit.show(judged) if goal.unit else f"{judged:.2f} x"
                self.missed.append(f"{row}: {what}: {by}, goal {goal}")
        self._print((row, what, ours, cpu, peer, ratio, spread, str(goal or "-"), str(runs), verdict))

    def note(self, text: str) -> None:
        """Says how the rows that follow were measured."""
        print(f"# {text}", flush=True)

    def small(self, title: str, headings: Sequence[str]) -> Callable[[Sequence[str]], None]:
        """Begins a table of its own, for how something grows; returns what adds a line to it."""
        first, widths = max(len(headings[0]), 24), [max(len(heading), 9) for heading in headings[1:]]

        def add(cells: Sequence[str]) -> None:
            rest = (f"{cell:>{width}}" for cell, width in zip(cells[1:], widths, strict=True))
            print("  ".join((f"{cells[0]:<{first}}", *rest)), flush=True)

        print(f"\n{title}")
        add(headings)
        return add

    def summary(self) -> None:
        print()
        for text in self.absent:
            print(f"not measured  {text}")
        for text in self.missed:
            print(f"missed        {text}")
        if not self.missed and not self.absent:
            print("no goal was missed")
