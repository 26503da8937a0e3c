"""The table that is printed: what was measured, its goal, and whether it was met."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from measuring import By, Samples, quartiles, ratios


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

    def show(self, by: By) -> str:
        taken = by.of(self.samples)
        if min(taken) <= 0:
            return "-"
        rates = [self.amount / value if self.unit.is_rate else value / self.amount for value in taken]
        return self.unit.show(quartiles(rates)[1])

    def versus(self, peer: Measured, by: By) -> list[float]:
        """Ours to the peer's, round by round: of times where times are shown, else of throughputs."""
        above, below = (peer, self) if self.unit.is_rate else (self, peer)
        if min(by.of(below.samples)) <= 0:
            return []
        # Not the same amounts: what counts is what one of each takes.
        scale = below.amount / above.amount
        return [value * scale for value in ratios(above.samples, below.samples, by)]


@dataclass(frozen=True)
class Goal:
    """A bound on a ratio to a peer, or, where there is a unit, on the figure itself."""

    bound: float
    at_most: bool
    by: By
    unit: Unit | None = None

    def __str__(self) -> str:
        bound = self.unit.show(self.bound) if self.unit else f"{self.bound:g} x {self.by.value}"
        return f"{'<=' if self.at_most else '>='} {bound}"

    def is_met(self, value: float) -> bool:
        return value <= self.bound if self.at_most else value >= self.bound


def at_most(bound: float, by: By = By.CPU, unit: Unit | None = None) -> Goal:
    return Goal(bound, True, by, unit)


def at_least(bound: float, by: By = By.CPU) -> Goal:
    return Goal(bound, False, by)


# Heading and width of each column; the last ones are as wide as they are.
COLUMNS = (
    ("row", 14), ("what", 52), ("ours", 10), ("by CPU", 10), ("peer", 28), ("ratio", 6), ("by CPU", 6),
    ("middle half", 12), ("goal", 14), ("runs", 4), ("", 0),
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
        self, row: str, what: str, ours: Measured, peer: tuple[str, Measured] | None = None,
        goal: Goal | None = None,
    ) -> None:  # fmt: skip
        """Adds a line; the middle half is that of the ratio by which the goal is judged."""
        shown = [ours.show(by) for by in By]
        if not peer:
            self._line(row, what, (*shown, "-", "-", "-", "-"), len(ours.samples), None, 0)
            return
        versus = {by: ours.versus(peer[1], by) for by in By}
        judged = versus[goal.by if goal else By.CPU] or versus[By.CLOCK]
        low, middle, high = quartiles(judged)
        medians = [f"{quartiles(versus[by])[1]:.2f}" if versus[by] else "-" for by in By]
        cells = (*shown, f"{peer[1].show(By.CLOCK)} {peer[0]}", *medians, f"{low:.2f}..{high:.2f}")
        self._line(row, what, cells, len(ours.samples), goal, middle)

    def add_value(self, row: str, what: str, value: float, goal: Goal | None, unit: Unit) -> None:
        """Adds a line for what was found once, such as a size."""
        self._line(row, what, (unit.show(value), "-", "-", "-", "-", "-"), 1, goal, value)

    def add_absent(self, row: str, what: str, why: str, goal: Goal | None) -> None:
        """Adds a line that says why there is no figure, so that nobody takes this for a goal met."""
        self.absent.append(f"{row}: {what}: {why}")
        cells = ("-", "-", why, "-", "-", "-", str(goal or "-"), "0", "NOT MEASURED")
        self._print((row, what, *cells))

    def _line(
        self, row: str, what: str, cells: Sequence[str], runs: int, goal: Goal | None, judged: float
    ) -> None:
        verdict = ""
        if goal:
            verdict = "ok" if goal.is_met(judged) else "MISSED"
            if verdict != "ok":
                by = goal.unit.show(judged) if goal.unit else f"{judged:.2f} x"
                self.missed.append(f"{row}: {what}: {by}, goal {goal} {cells[2]}")
        self._print((row, what, *cells, str(goal or "-"), str(runs), verdict))

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
