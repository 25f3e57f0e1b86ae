"""Answers as data."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .model import Model


class Verdict(enum.Enum):
    SAFE = "safe"
    UNSAFE = "unsafe"
    SAFE_UP_TO = "safe up to a bound"
    UNKNOWN = "unknown"
    CUTOFF = "cutoff"


@dataclass(frozen=True)
class Place:
    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Change:
    variable: str
    thread: Optional[int]  # whose; None: shared
    value: str


@dataclass(frozen=True)
class Step:
    """One row of a run; equal steps in a row are one, from `first` to `last`."""

    first: int
    last: int
    thread: Optional[int]
    name: str  # of the thread
    text: str
    details: tuple[str, ...] = ()
    place: Optional[Place] = None
    changes: tuple[Change, ...] = ()

    def __str__(self) -> str:
        number = str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
        line = f"  line {self.place.line}" if self.place else ""
        more = "".join(f"\n      {detail}" for detail in self.details)
        return f"{number:>4}  {self.name}  {self.text}{line}{more}"


class Trace(list[Step]):
    """The steps of a run, as a list that prints as a table."""

    def __str__(self) -> str:
        names = max((len(step.name) for step in self), default=0)
        texts = min(60, max((len(step.text) for step in self), default=0))
        out = []
        for step in self:
            number = str(step.first) if step.first == step.last else f"{step.first}-{step.last}"
            line = f"  line {step.place.line}" if step.place else ""
            out.append(f"{number:>4}  {step.name:<{names}}  {step.text:<{texts}}{line}".rstrip())
            out.extend(" " * (names + 8) + detail for detail in step.details)
        return "\n".join(out)

    __repr__ = __str__


@dataclass(frozen=True)
class Invariant:
    threads: str
    holds: str
    place: Optional[Place] = None


@dataclass(frozen=True)
class Evidence:
    """What stands behind the verdict, and what the independent checker says about it."""

    kind: str  # "trace", "backward_basis", ..., "none"
    confirmed: bool
    check: str  # what was checked, or why not
    text: Optional[str] = field(repr=False, default=None)  # JSON, as --evidence stores it

    @property
    def data(self) -> Any:
        """The evidence as Python data (docs/evidence.md); None if there is none."""
        return json.loads(self.text) if self.text else None


@dataclass(frozen=True)
class Answer:
    verdict: Verdict
    headline: str  # the verdict as a sentence
    engine: Optional[str]
    seconds: float
    evidence: Evidence
    reason: Optional[str] = None  # of UNKNOWN: "time_limit", "cancelled", ...
    detail: Optional[str] = None  # the reason in words
    bound: Optional[str] = None  # of SAFE_UP_TO: "3 contexts"
    cutoff: Optional[int] = None
    trace: Trace = field(default_factory=Trace)  # of UNSAFE
    reached: Optional[str] = None  # what is wrong at its end
    proof: tuple[str, ...] = ()  # of SAFE and SAFE_UP_TO, in words
    invariants: tuple[Invariant, ...] = ()  # at lines of a C program
    warnings: str = ""  # as the program prints them
    text: Optional[str] = field(repr=False, default=None)  # the whole answer as JSON
    model: Optional[Model] = field(repr=False, compare=False, default=None)
    options: dict[str, Any] = field(repr=False, compare=False, default_factory=dict)

    @property
    def data(self) -> Any:
        """The whole answer as Python data (docs/answer.schema.json)."""
        return json.loads(self.text) if self.text else None

    @property
    def is_safe(self) -> bool:
        return self.verdict is Verdict.SAFE

    @property
    def is_unsafe(self) -> bool:
        return self.verdict is Verdict.UNSAFE

    def __str__(self) -> str:
        lines = [self.headline]
        if self.detail:
            lines.append(f"  {self.detail}")
        if self.trace:
            lines += [str(self.trace), f"      {self.reached}"]
        lines += [f"  {words}" for words in self.proof]
        return "\n".join(lines)

    def _repr_svg_(self) -> Optional[str]:
        """The picture of the evidence that notebooks show; None where there is none."""
        from .errors import Error
        from .questions import show

        if self.model is None or not self.evidence.text:
            return None
        try:
            return show(self.model, self.evidence, **self.options)
        except Error:
            return None
