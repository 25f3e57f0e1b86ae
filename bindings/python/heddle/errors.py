"""Why there is no answer. The text is what the program prints: file, line, column, a hint."""


class Error(Exception):
    """There is no answer."""


class UsageError(Error, ValueError):
    """Options that make no sense, or do not exist."""


class InputError(Error, ValueError):
    """A model or a file that cannot be read."""


class InternalError(Error, RuntimeError):
    """An error inside Heddle."""


class ProgramError(Error, OSError):
    """The program was not found, or could not be started."""


_KINDS = {2: UsageError, 3: InputError, 127: ProgramError}


def error_of(kind: int, text: str) -> Error:
    return _KINDS.get(kind, InternalError)(text.rstrip("\n"))
