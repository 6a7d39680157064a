"""The rules: what each kind is called, which number it has, and what one is told to do about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. `number` holds the last two digits of its code, or all three where the family is fixed.

    `noun` names the value in a message; `advice` says in one line what to do about it.
    """

    kind: str
    number: str
    noun: str
    advice: str
    default: bool = True


VALUES = (
    Rule("dict-view", "01", "dict view", "keep a list: list(...)"),
    Rule(
        "lambda", "02", "lambda", "define a function at module level, and bind captured values with functools.partial"
    ),
    Rule(
        "local-function",
        "03",
        "local function",
        "move it to module level, and bind captured values with functools.partial",
    ),
    Rule("generator", "04", "generator", "keep a list, or make the generator in the worker"),
    Rule("iterator", "05", "iterator", "keep a list, or make the iterator in the worker"),
    Rule("local-class", "06", "local class", "move the class to module level"),
    Rule("file-handle", "07", "open file", "keep the path, and open the file in the worker on first use"),
    Rule("thread-object", "08", "thread object", "leave it out in __getstate__, and make it anew in __setstate__"),
    Rule("connection", "09", "connection", "keep what it is opened with, and open it in the worker on first use"),
    Rule("module", "10", "module", "import it where it is used, or keep its name"),
    Rule(
        "mp-object",
        "11",
        "multiprocessing object",
        "hand it over when the process starts (args=, initargs=), or leave it out in __getstate__",
    ),
    Rule(
        "misnamed",
        "12",
        "misnamed object",
        "make it importable under its own name: functools.wraps, or the name that it is bound to",
    ),
    Rule("internal", "13", "interpreter object", "send the data that it was made from"),
    Rule(
        "unloadable",
        "14",
        "object that can't be loaded again",
        "give it a __reduce__ that holds the arguments of its constructor",
    ),
    Rule("native-object", "15", "native object", "keep what it is made from, and make it in the worker on first use"),
)

HABITS = (
    Rule("no-main-guard", "301", "no main guard", 'start processes below `if __name__ == "__main__":`'),
    Rule("join-before-drain", "302", "join before drain", "read the queue first, then join"),
    Rule("no-sentinel", "303", "no sentinel", "put one sentinel for each worker, and leave the loop on it"),
    Rule(
        "queue-empty-loop",
        "304",
        "loop on Queue.empty",
        "end on a sentinel: empty() tells nothing about what is on its way",
    ),
    Rule("daemon-children", "305", "children of a daemon", "start them in the parent, or use a ProcessPoolExecutor"),
    Rule("never-joined", "306", "never joined", "join it, or use a with statement", default=False),
    Rule("global-not-shared", "307", "global not shared", "pass the value as an argument or by an initializer"),
    Rule("target-called", "308", "target called", "pass the function, and its arguments in args="),
    Rule("lost-error", "309", "lost error", "ask for the result: .get() or .result()"),
    Rule("closed-pool", "310", "closed pool", "use the pool inside its with block"),
    Rule("early-pool", "311", "early pool", "open the pool below the definition of what it runs"),
    Rule(
        "fork-with-threads",
        "312",
        "fork with threads",
        "start processes before threads, or use spawn or forkserver",
        default=False,
    ),
    Rule("orphaned-children", "313", "orphaned children", "put the sentinels in a finally block", default=False),
)

ADVICE = (
    Rule("lazy-value", "401", "lazy value", "keep a list where a list is meant", default=False),
    Rule("tensor-pickle", "402", "tensor saved with pickle", "use torch.save", default=False),
    Rule(
        "shared-memory-leak", "403", "shared memory never unlinked", "call unlink() in a finally block", default=False
    ),
    Rule(
        "loader-rebuilt",
        "404",
        "loader rebuilt every epoch",
        "build it once, with persistent_workers=True",
        default=False,
    ),
)

TOOL = (
    Rule(
        "syntax-error",
        "900",
        "file that can't be parsed",
        "mend it, or run mpsafe-lint with a Python that knows its syntax",
    ),
    Rule("internal-error", "901", "file whose analysis failed", "report it, with the file"),
    Rule("unused-noqa", "902", "unused noqa", "remove it", default=False),
)

BY_KIND = {rule.kind: rule for rule in VALUES + HABITS + ADVICE + TOOL}


def code_of(kind: str, kept: bool = False) -> str:
    """Return the code of a kind: MPS1xx where the value is kept in an object that is sent (`kept`), MPS2xx else.

    >>> code_of("lambda"), code_of("lambda", kept=True), code_of("no-sentinel")
    ('MPS202', 'MPS102', 'MPS303')
    """
    number = BY_KIND[kind].number
    family = ("1" if kept else "2") if len(number) == 2 else ""
    return f"MPS{family}{number}"


def all_codes() -> dict[str, Rule]:
    """Return every code with its rule."""
    codes = {code_of(rule.kind, kept): rule for rule in VALUES for kept in (True, False)}
    return codes | {code_of(rule.kind): rule for rule in HABITS + ADVICE + TOOL}
