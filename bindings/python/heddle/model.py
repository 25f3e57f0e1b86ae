"""Models: files, texts in memory, and models that are built step by step."""

from __future__ import annotations

import copy
import os
from typing import Any, Mapping, Optional, Union

from ._heddle import NativeModel

State = tuple[int, int]


class Model:
    """What a question is about. Can be copied and pickled: it knows how it was made."""

    def __init__(self, title: str, make: str, *arguments: object):
        self._title = title
        self._made: list[tuple[str, tuple[Any, ...]]] = [(make, arguments)]
        self._native: NativeModel = getattr(NativeModel, make)(*arguments)

    def _add(self, what: str, *arguments: object) -> Any:
        result = getattr(self._native, what)(*arguments)
        self._made.append((what, arguments))
        return result

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_native"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(copy.deepcopy(state))
        (make, arguments), *rest = self._made
        self._native = getattr(NativeModel, make)(*arguments)
        for what, arguments in rest:
            getattr(self._native, what)(*arguments)

    @staticmethod
    def file(path: Union[str, os.PathLike[str]]) -> Model:
        """A model in a file; its name says the format, or the option `format` does."""
        return Model(os.fspath(path), "file", os.fspath(path))

    @staticmethod
    def text(name: str, text: str) -> Model:
        """A text in memory. The name, without a folder, says the format: lock.tts, queue.c."""
        return Model(name, "text", name, text)

    def add_file(self, path: Union[str, os.PathLike[str]]) -> Model:
        """A further file: linked to a C program, or beside a text (a header, a property)."""
        self._add("add_file", os.fspath(path))
        return self

    def add_text(self, name: str, text: str) -> Model:
        """The same with its text in memory."""
        self._add("add_text", name, text)
        return self

    @property
    def source(self) -> Optional[str]:
        """The text of a model in memory; None for a file."""
        return self._native.source()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._title!r})"

    def _repr_svg_(self) -> Optional[str]:
        """The picture that notebooks show; None where there is none (see `heddle.show`)."""
        from .errors import Error
        from .questions import show

        try:
            return show(self)
        except Error:
            return None


class ThreadSystem(Model):
    """Shared states 0..shared-1, local states 0..local-1. A thread state is (shared, local)."""

    def __init__(self, shared: int, local: int):
        super().__init__(f"{shared} shared, {local} local", "thread_system", shared, local)

    def step(self, before: State, after: State) -> ThreadSystem:
        """A thread moves, and the shared state changes."""
        self._add("step", *before, *after)
        return self

    def spawn(self, before: State, after: State) -> ThreadSystem:
        """The thread stays in the local state of `before`; a new one starts in that of `after`."""
        self._add("spawn", *before, *after)
        return self

    def transfer(self, before: State, after: State) -> ThreadSystem:
        """All threads in the local state of `before` move to that of `after` at once."""
        self._add("transfer", *before, *after)
        return self


class PetriNet(Model):
    """A net whose places are known by their names."""

    def __init__(self) -> None:
        super().__init__("a net", "petri_net")
        self._places: dict[str, int] = {}

    def place(self, name: str, tokens: int = 0, at_least: bool = False) -> PetriNet:
        """A place with so many tokens in the beginning, or any number from that on."""
        self._places[name] = self._add("place", name, tokens, at_least)
        return self

    def transition(self, inputs: Mapping[str, int], outputs: Mapping[str, int]) -> PetriNet:
        """Takes the tokens of the inputs, then puts those of the outputs."""
        self._add("transition", self._arcs(inputs), self._arcs(outputs))
        return self

    def _arcs(self, tokens: Mapping[str, int]) -> list[tuple[int, int]]:
        for name in tokens:
            if name not in self._places:
                raise ValueError(f"there is no place {name!r}")
        return [(self._places[name], count) for name, count in tokens.items()]
