"""The questions. Each takes a model, or the name of a file, and the options of the command line."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Optional, Union

from . import _heddle
from ._heddle import Command
from .answer import Answer, Change, Evidence, Invariant, Place, Step, Trace, Verdict
from .errors import error_of
from .model import Model

AnyModel = Union[Model, str, "os.PathLike[str]"]

_VERDICTS = [Verdict.SAFE, Verdict.UNSAFE, Verdict.SAFE_UP_TO, Verdict.UNKNOWN, Verdict.CUTOFF]
# Options about the search, not about the question: a picture of the evidence is drawn without them.
_LIMITS_AND_ENGINES = {"engine", "jobs", "seed", "steps", "via", "no_check", "timeout", "memory"}


@dataclass(frozen=True)
class Event:
    """What an engine does at the moment; if the phase is empty, it has ended."""

    engine: str
    phase: str
    milestone: bool  # a part of the answer is certain by now
    figures: dict[str, float]


Progress = Callable[[Event], Optional[bool]]


class Cancellation:
    """Ends a question from another thread: its answer is UNKNOWN, reason "cancelled"."""

    def __init__(self) -> None:
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


def _words(options: dict[str, Any]) -> Iterable[tuple[str, Optional[str]]]:
    for name, value in options.items():
        option = name if len(name) == 1 else name.replace("_", "-")
        if option == "clang-flags":
            option = "--"
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                yield option, None
            elif one is not False and one is not None:
                yield option, os.fspath(one) if isinstance(one, os.PathLike) else str(one)


def _listener(
    progress: Optional[Progress], cancel: Optional[Cancellation]
) -> Optional[Callable[..., bool]]:
    if progress is None and cancel is None:
        return None

    def hear(
        engine: Optional[str], phase: str, milestone: bool, figures: list[tuple[str, float]]
    ) -> bool:
        if cancel is not None and cancel.is_cancelled:
            return False
        if progress is None or engine is None:
            return True
        return progress(Event(engine, phase, milestone, dict(figures))) is not False

    return hear


def _ask(
    command: Command,
    model: AnyModel,
    options: dict[str, Any],
    evidence: Union[Evidence, str, None] = None,
    progress: Optional[Progress] = None,
    cancel: Optional[Cancellation] = None,
) -> tuple[Model, dict[str, Any]]:
    known = model if isinstance(model, Model) else Model.file(model)
    text = evidence.text if isinstance(evidence, Evidence) else evidence
    answer = _heddle.ask(
        command, known._native, list(_words(options)), text or "", _listener(progress, cancel)
    )
    if isinstance(answer, tuple):
        raise error_of(*answer)
    return known, answer


def _place(place: Optional[tuple[str, int, int]]) -> Optional[Place]:
    return Place(*place) if place else None


def _step(row: tuple[Any, ...]) -> Step:
    first, last, thread, name, text, details, place, changes = row
    return Step(first, last, thread, name, text, tuple(details), _place(place),
                tuple(Change(*change) for change in changes))


def _answer(model: Model, raw: dict[str, Any], options: dict[str, Any]) -> Answer:
    same = ("headline", "engine", "seconds", "reason", "detail", "bound", "cutoff", "reached",
            "warnings")
    return Answer(
        verdict=_VERDICTS[raw["verdict"]],
        evidence=Evidence(*raw["evidence"]),
        trace=Trace(_step(row) for row in raw["trace"]),
        proof=tuple(raw["proof"]),
        invariants=tuple(Invariant(t, h, _place(p)) for t, h, p in raw["invariants"]),
        text=raw["json"],
        model=model,
        options={name: value for name, value in options.items() if name not in _LIMITS_AND_ENGINES},
        **{name: raw[name] for name in same},
    )


def verify(model: AnyModel, *, progress: Optional[Progress] = None,
           cancel: Optional[Cancellation] = None, **options: Any) -> Answer:
    """Can a target be reached, an assertion fail, ...?

    `progress` is called with an `Event` while engines run; if it returns False, the answer is
    UNKNOWN. Raises `InputError` for a model that cannot be read, `UsageError` for options that make
    no sense. Ctrl-C raises KeyboardInterrupt, and nothing goes on in the background.
    """
    return _answer(*_ask(Command.VERIFY, model, options, None, progress, cancel), options)


def races(model: AnyModel, *, progress: Optional[Progress] = None,
          cancel: Optional[Cancellation] = None, **options: Any) -> Answer:
    """Do threads of a C program race for data?"""
    return _answer(*_ask(Command.RACES, model, options, None, progress, cancel), options)


def cutoff(model: AnyModel, *, progress: Optional[Progress] = None,
           cancel: Optional[Cancellation] = None, **options: Any) -> Answer:
    """How many threads are enough to see every reachable thread state? (`answer.cutoff`)"""
    return _answer(*_ask(Command.CUTOFF, model, options, None, progress, cancel), options)


def check(model: AnyModel, evidence: Union[Evidence, str], **options: Any) -> Answer:
    """Checks evidence again: `answer.evidence.confirmed`. The options of the question are those of
    the question that it answers; the text of a stored file will do."""
    return _answer(*_ask(Command.CHECK, model, options, evidence), options)


def show(model: AnyModel, evidence: Union[Evidence, str, None] = None, **options: Any) -> str:
    """A picture of the model, or of evidence about it: SVG."""
    return str(_ask(Command.SHOW, model, options, evidence)[1]["output"])


def translate(model: AnyModel, to: str, **options: Any) -> str:
    """The model in another format: "spec", "tts", ... (`heddle formats`)."""
    return str(_ask(Command.TRANSLATE, model, {**options, "to": to})[1]["output"])
