"""Heddle decides whether a multi-threaded program can reach a bad state, for any number of threads.

    >>> import heddle
    >>> lock = heddle.ThreadSystem(shared=2, local=2)
    >>> lock.step((0, 0), (1, 1)).step((1, 1), (0, 0))
    >>> answer = heddle.verify(lock, target="1|1,1", timeout=10)
    >>> answer.verdict
    <Verdict.SAFE: 'safe'>
    >>> print(heddle.verify("withdraw.c"))

Every answer comes with evidence that an independent checker has confirmed. Options are those of the
command line: `--no-check` is `no_check=True`, `-I include` is `I=["include"]`.
"""

from ._heddle import version as _version
from .answer import Answer, Change, Evidence, Invariant, Place, Step, Trace, Verdict
from .errors import Error, InputError, InternalError, ProgramError, UsageError
from .model import Model, PetriNet, ThreadSystem
from .questions import Cancellation, Event, check, cutoff, races, show, translate, verify

__version__ = _version()

__all__ = [
    "Answer", "Cancellation", "Change", "Error", "Event", "Evidence", "InputError", "InternalError",
    "Invariant", "Model", "PetriNet", "Place", "ProgramError", "Step", "ThreadSystem", "Trace",
    "UsageError", "Verdict", "check", "cutoff", "races", "show", "translate", "verify",
]
