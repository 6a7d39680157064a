"""What the repaired text looks like: names, imports, blank lines, and files that a formatter made."""

from __future__ import annotations

import subprocess
import sys

import pytest
from marked import MARKS, repaired
from programs import PROGRAMS, Program

from mpsafe_lint.repairs.names import singular, snake

HEADS = {
    "no imports": ("", "import functools\n\n\n"),
    "a docstring": ('"""Doc."""\n\n\n', '"""Doc."""\n\nimport functools\n\n\n'),
    "a comment that opens the file": ("# -*- coding: utf-8 -*-\n", "# -*- coding: utf-8 -*-\nimport functools\n\n\n"),
    "future": (
        '"""Doc."""\n\nfrom __future__ import annotations\n\n\n',
        '"""Doc."""\n\nfrom __future__ import annotations\n\nimport functools\n\n\n',
    ),
    "in order": ("import abc\nimport os\n\n\n", "import abc\nimport functools\nimport os\n\n\n"),
    "last of the plain ones": (
        "import abc\nfrom os import path\n\n\n",
        "import abc\nimport functools\nfrom os import path\n\n\n",
    ),
    "above the from imports": ("from os import path\n\n\n", "import functools\nfrom os import path\n\n\n"),
    "by module name": (
        "from abc import ABC\nimport os\nfrom typing import Any\n\n\n",
        "from abc import ABC\nimport functools\nimport os\nfrom typing import Any\n\n\n",
    ),
    "a section of its own": ("import torch\n\n\n", "import functools\n\nimport torch\n\n\n"),
    "the section of the standard library": (
        "from __future__ import annotations\n\nimport os\n\nimport torch\n\n\n",
        "from __future__ import annotations\n\nimport functools\nimport os\n\nimport torch\n\n\n",
    ),
    "a comment on an import": (
        "# standard\nimport os  # paths\n\n\n",
        "# standard\nimport functools\nimport os  # paths\n\n\n",
    ),
    "known already": ("import functools\n\n\n", "import functools\n\n\n"),
    "extended": ("from functools import wraps\n\n\n", "from functools import partial, wraps\n\n\n"),
    "a conditional import does not count": (
        "import os\n\ntry:\n    import functools\nexcept ImportError:\n    pass\n\n\n",
        "import functools\nimport os\n\ntry:\n    import functools\nexcept ImportError:\n    pass\n\n\n",
    ),
    "another thing has the name": ("functools = 3\n\n\n", None),
}


@pytest.mark.parametrize("name", HEADS)
def test_imports(name: str) -> None:
    head, expected = HEADS[name]
    source = head + "def main(k):\n    send(key=⟦lambda x: x + k⟧)\n"
    if expected is None:
        with pytest.raises(AssertionError, match="`functools` is the name of something else here"):
            repaired(source, "lambda")
        return
    partial = "partial" if name == "extended" else "functools.partial"
    body = f"def _key(k, x):\n    return x + k\n\n\ndef main(k):\n    send(key={partial}(_key, k))\n"
    assert repaired(source, "lambda")[1] == expected + body


@pytest.mark.parametrize(
    ("head", "used"),
    [
        ("import functools as ft\n\n\n", "ft.partial"),
        ("from functools import partial\n\n\n", "partial"),
        ("from functools import partial as bind, wraps\n\n\n", "bind"),
        ("import functools\nfrom functools import partial\n\n\n", "partial"),
    ],
)
def test_the_form_of_import_that_the_file_has(head: str, used: str) -> None:
    text = repaired(head + "def main(k):\n    send(key=⟦lambda x: x + k⟧)\n", "lambda")[1]
    assert text.startswith(head + "def _key")
    assert f"key={used}(_key, k)" in text


def test_a_local_variable_hides_the_import() -> None:
    source = "from functools import partial\n\n\ndef main(k, partial):\n    send(key=⟦lambda x: x + k⟧)\n"
    text = repaired(source, "lambda")[1]
    assert text.startswith("import functools\nfrom functools import partial\n")
    assert "key=functools.partial(_key, k)" in text


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("def train(k):\n    Loader(collate_fn=⟦lambda b: b + k⟧)\n", "_collate_fn"),
        ("class A:\n    def __init__(self, k):\n        self.transform = ⟦lambda b: b + k⟧\n", "_transform"),
        ("def train(k):\n    keyOf = ⟦lambda b: b + k⟧\n    send(keyOf)\n", "_key_of"),
        ("def train(k, fn=⟦lambda b: b + 1⟧):\n    send(fn)\n", "_fn"),
        ("def train(k):\n    send({'rgb': ⟦lambda b: b + k⟧})\n", "_rgb"),
        ("def train(k):\n    pool.map(⟦lambda b: b + k⟧, [])\n", "_task"),
        ("def train(k):\n    loop.run_in_executor(None, ⟦lambda: b + k⟧)\n", "_task"),
        ("def get_scorer(k):\n    return ⟦lambda b: b + k⟧\n", "_scorer"),
        ("def f(a, scale):\n    pass\ndef train(k):\n    f(1, ⟦lambda b: b + k⟧)\n", "_scale"),
        ("class F:\n    def __init__(self, scale):\n        pass\ndef train(k):\n    F(⟦lambda b: b + k⟧)\n", "_scale"),
        ("def train(k):\n    self.transforms.append(⟦lambda b: b + k⟧)\n", "_transform"),
        ("def train(k):\n    self.transform = Compose([Lambda(⟦lambda b: b + k⟧)])\n", "_transform"),
        ("def train(k):\n    defaultdict(⟦lambda: k⟧)\n", "_default"),
        ("def train(k):\n    apply_to(3, ⟦lambda b: b + k⟧)\n", "_apply_to_function"),
        ("def train(k):\n    return [3, ⟦lambda b: b + k⟧]\n", "_train"),
        ("def train(k):\n    x[0], y = 3, ⟦lambda b: b + k⟧\n", "_train_function"),
        ("_key = 3\ndef train(k):\n    send(key=⟦lambda b: b + k⟧)\n", "_train_key"),
        ("_key = _train_key = 3\ndef train(k):\n    send(key=⟦lambda b: b + k⟧)\n", "_key_2"),
    ],
)  # fmt: skip
def test_names(source: str, name: str) -> None:
    assert f"def {name}(" in repaired(source, "lambda")[1]


def test_words() -> None:
    assert [snake(name) for name in ("HTTPReader", "_x_", "a b", "")] == ["http_reader", "x", "", ""]
    assert [singular(name) for name in ("transforms", "class", "bus", "ids")] == ["transform", "class", "bus", "ids"]


def test_the_same_function_twice_becomes_one() -> None:
    source = "def _key(x):\n    return x + 1\n\n\ndef main():\n    send(key=⟦lambda x: x + 1⟧)\n"
    assert repaired(source, "lambda")[1] == "def _key(x):\n    return x + 1\n\n\ndef main():\n    send(key=_key)\n"


def test_the_blank_lines_that_the_file_has() -> None:
    source = "import functools\n\ndef a():\n    pass\n\ndef b(k):\n    send(key=⟦lambda x: x + k⟧)\n"
    assert repaired(source, "lambda")[1] == (
        "import functools\n\ndef a():\n    pass\n\ndef _key(k, x):\n    return x + k\n\n"
        "def b(k):\n    send(key=functools.partial(_key, k))\n"
    )


def test_comments_stay_with_what_they_are_about() -> None:
    source = """\
import functools

# --- helpers ---


# says hello
@decorated
def hello(k):
    one = 1

    # shifts
    ⟦def shift(x):
        return x + k  # by k
        # the end

    # sends
    return send(shift), one
"""
    assert (
        repaired(source, "local-function")[1]
        == """\
import functools

# --- helpers ---


# shifts
def _shift(k, x):
    return x + k  # by k
    # the end


# says hello
@decorated
def hello(k):
    one = 1

    # sends
    return send(functools.partial(_shift, k)), one
"""
    )


def test_parameters_on_lines_of_their_own() -> None:
    source = """\
import functools


def main(k, m):
    ⟦def work(
        x: int,
        y: int = 2,
    ) -> int:
        return x + k + m

    return send(
        work,
    )
"""
    assert (
        repaired(source, "local-function")[1]
        == """\
import functools


def _work(
    k,
    m,
    x: int,
    y: int = 2,
) -> int:
    return x + k + m


def main(k, m):
    return send(
        functools.partial(_work, k, m),
    )
"""
    )


KEPT = {
    "the comment behind a lambda": (
        "lambda",
        "def main():\n    key = ⟦lambda x: x + 1⟧  # adds one\n    send(key)\n",
        "def _key(x):\n    return x + 1  # adds one\n\n\ndef main():\n    send(_key)\n",
    ),
    "no excuse for a lambda that is none any more": (
        "lambda",
        "key = ⟦lambda x: x + 1⟧  # noqa: E731\nsend(key)\n",
        "def key(x):\n    return x + 1\n\n\nsend(key)\n",
    ),
    "a type comment, and the name that it is about": (
        "lambda",
        "def main():\n    key = ⟦lambda x: x + 1⟧  # type: Callable[[int], int]\n    send(key)\n",
        "def _key(x):\n    return x + 1\n\n\n"
        "def main():\n    key = _key  # type: Callable[[int], int]\n    send(key)\n",
    ),
    "the type comment of a function": (
        "local-function",
        "def main():\n    ⟦def work(x):\n        # type: (int) -> int\n        return x⟧\n    send(work)\n",
        "def _work(x):\n    # type: (int) -> int\n    return x\n\n\ndef main():\n    send(_work)\n",
    ),
    "imports for type checkers": (
        "local-function",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import functools\n    from numpy import array\n\n\n"
        "def main(k):\n    ⟦def work(x: 'array'):\n        return x + k⟧\n    send(work)\n",
        "import functools\nfrom typing import TYPE_CHECKING\n\n"
        "if TYPE_CHECKING:\n    import functools\n    from numpy import array\n\n\n"
        "def _work(k, x: 'array'):\n    return x + k\n\n\n"
        "def main(k):\n    send(functools.partial(_work, k))\n",
    ),
    "a conditional import": (
        "lambda",
        "try:\n    import np\nexcept ImportError:\n    np = None\n\nif np:\n    send(key=⟦lambda x: np.sum(x)⟧)\n",
        "try:\n    import np\nexcept ImportError:\n    np = None\n\n\n"
        "def _key(x):\n    return np.sum(x)\n\n\nif np:\n    send(key=_key)\n",
    ),
    "local imports, each statement once": (
        "local-function",
        "def main():\n    from lib import one, two\n    import os\n\n"
        "    ⟦def work(x):\n        return one(two(os.sep))⟧\n\n    send(work)\n",
        "def _work(x):\n    from lib import one, two\n    import os\n\n    return one(two(os.sep))\n\n\n"
        "def main():\n    send(_work)\n",
    ),
    "one of two definitions": (
        "local-function",
        "def main(k):\n    if k:\n        ⟦def work(x):\n            return x + k⟧\n"
        "    else:\n        def work(x):\n            return x\n    send(work)\n",
        "import functools\n\n\ndef _work(k, x):\n    return x + k\n\n\n"
        "def main(k):\n    if k:\n        work = functools.partial(_work, k)\n"
        "    else:\n        def work(x):\n            return x\n    send(work)\n",
    ),
    "two statements on a line": (
        "lambda",
        "size: int = 3; key = ⟦lambda x: x + 1⟧\nsend(key)\n",
        "def _key(x):\n    return x + 1\n\n\nsize: int = 3; key = _key\nsend(key)\n",
    ),
    "nested classes and async functions": (
        "local-function",
        "class A:\n    class B:\n        @staticmethod\n        async def go(k):\n"
        "            ⟦async def work(x):\n                return await x + k⟧\n\n            send(work)\n",
        "import functools\n\n\nasync def _work(k, x):\n    return await x + k\n\n\n"
        "class A:\n    class B:\n        @staticmethod\n        async def go(k):\n"
        "            send(functools.partial(_work, k))\n",
    ),
    "parameters on one line of their own": (
        "local-function",
        "def main(k):\n    ⟦def work(\n        x: int, y: int\n    ):\n        return x + y + k⟧\n\n    send(work)\n",
        "import functools\n\n\ndef _work(\n    k, x: int, y: int\n):\n    return x + y + k\n\n\n"
        "def main(k):\n    send(functools.partial(_work, k))\n",
    ),
    "a default that only a comprehension knows": (
        "lambda",
        "import functools\n\n\ndef main(ks):\n    return [send(⟦lambda x, k=k: x + k⟧) for k in ks]\n",
        "import functools\n\n\ndef _send_function(x, k):\n    return x + k\n\n\n"
        "def main(ks):\n    return [send(functools.partial(_send_function, k=k)) for k in ks]\n",
    ),
    "the cells of a notebook, by percent signs": (
        "lambda",
        "# %% [markdown]\n# # Title\n\n# %%\ndef main():\n    send(key=⟦lambda x: x + 1⟧)\n\n# %%\nmain()\n",
        "# %% [markdown]\n# # Title\n\n# %%\ndef _key(x):\n    return x + 1\n\n\n"
        "def main():\n    send(key=_key)\n\n# %%\nmain()\n",
    ),
    "the cells of a notebook, by numbers": (
        "lambda",
        "#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\n\nimport os\n\n\n# In[2]:\n\n\n"
        "def main(k):\n    send(key=⟦lambda x: x + k⟧)\n",
        "#!/usr/bin/env python\n# coding: utf-8\n\n# In[1]:\n\n\nimport functools\nimport os\n\n\n# In[2]:\n\n\n"
        "def _key(k, x):\n    return x + k\n\n\ndef main(k):\n    send(key=functools.partial(_key, k))\n",
    ),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("name", KEPT)
def test_what_stands_round_it_is_kept(name: str, newline: str) -> None:
    kind, source, expected = KEPT[name]
    assert repaired(source.replace("\n", newline), kind)[1] == expected.replace("\n", newline)


def test_a_function_that_does_nothing_is_called_so() -> None:
    source = "class A:\n    def __init__(self, f, g):\n        self.f, self.g = f or ⟦(lambda x: x)⟧, g\n"
    assert "self.f, self.g = f or _identity, g" in repaired(source, "lambda")[1]


def test_a_line_that_gets_too_long_is_divided_in_any_file() -> None:
    source = """\
import functools

some_value = call_something('a text of some length', 1, 'and more of it', xx)
more_value = call_something('a text of some length', 2, 'and more of it', xx)
last_value = call_something('a text of some length', 3, 'and more of it', xx)
long_string = 'that is much longer than any of the lines of code in this file, and stays as it is, too'


def main(first_argument, second_argument,
         third_argument):
    ⟦def work(x):
        return call_something(first_argument, second_argument, third_argument,
                              x)⟧
    send(work, 1, 2, 3, 4, 5, 6, long_string, first_argument, second_argument)
"""
    assert (
        repaired(source, "local-function")[1].partition("as it is, too'\n")[2]
        == """\


def _work(first_argument, second_argument, third_argument, x):
    return call_something(first_argument, second_argument, third_argument,
                          x)


def main(first_argument, second_argument,
         third_argument):
    work = functools.partial(
        _work, first_argument, second_argument, third_argument
    )
    send(work, 1, 2, 3, 4, 5, 6, long_string, first_argument, second_argument)
"""
    )


# --- formatters


LONG = [
    Program(
        "a signature and a call that get too long",
        "local-function",
        """\
import functools


def main(first_value, second_value, third_value, fourth_value):
    ⟦def work(first_argument, second_argument, third_argument):
        return first_value, second_value, third_value, fourth_value, first_argument

    return send(work), [send(work) for _ in range(3)], "and some more text on this line"
""",
        "",
    ),
    Program(
        "lines that fit once they stand further left",
        "local-function",
        """\
class Outer:
    def main(self, values):
        if values:

            ⟦def work(argument_number_one, argument_number_two):
                the_result = some_function(
                    argument_number_one, argument_number_two, "x" * 20
                )
                other = (
                    argument_number_one + argument_number_two + argument_number_one + 12
                )
                return the_result, other, values

            return send(work)
""",
        "",
    ),
    Program(
        "a use that gets shorter",
        "lambda",
        """\
def main(loader, argument):
    return loader(
        argument, collate=⟦lambda some_batch: combine(some_batch, "a very long text")⟧
    )
""",
        "",
    ),
    Program(
        "a comprehension that gets too long",
        "local-function",
        """\
import functools


class Layer:
    def all_keys(self, blocks):
        name, chunks, numblocks = self.name, self.chunks, blocks

        ⟦def keys(*args):
            if len(args) + 1 < len(numblocks):
                return [keys(*(args + (i,))) for i in range(numblocks[len(args)])]
            return [(name, *args, i, chunks) for i in range(numblocks[len(args)])]

        self.keys = send(keys)
        return self.keys
""",
        "",
    ),
    Program(
        "a result that gets pushed out",
        "local-function",
        """\
import functools


def main(first_value, second_value):
    ⟦def apply_it(values: Iterable[TripletLike], by: int) -> Iterator[TripletLike]:
        return first_value, second_value

    return send(apply_it)
""",
        "",
    ),
    Program(
        "a decorator that gets short enough",
        "lambda",
        """\
import pytest


@pytest.mark.parametrize(
    "converter", [int, float, str, ⟦lambda x: to_datetime(x, unit="ns", some_thing=2)⟧]
)
def test_it(converter):
    assert converter
""",
        "",
    ),
    Program(
        "a generator over lines",
        "generator",
        """\
def main(values, results):
    results.put⟦(
        int(value) + 1000000 * len(values) + 17
        for value in values
        if value and value.strip() and not value.isspace()
    )⟧
""",
        "",
        "queue-item",
    ),
]


FORMATTED = [*PROGRAMS, *LONG]


@pytest.fixture(scope="module")
def formatted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What ruff format makes of the programs before and after their repair, all in one run."""
    folder = tmp_path_factory.mktemp("formatted")
    texts = {}
    for number, program in enumerate(FORMATTED):
        texts[f"{number}_before.py"] = MARKS.sub("", program.source)
        texts[f"{number}_after.py"] = repaired(program.source, program.kind, program.boundary, chain=program.chain)[1]
    for name, text in texts.items():
        (folder / name).write_text(text)
    subprocess.run([sys.executable, "-m", "ruff", "format", "--isolated", str(folder)], check=True, capture_output=True)
    return {text: (folder / name).read_text() for name, text in texts.items()}


@pytest.mark.parametrize("program", FORMATTED, ids=lambda program: program.name)
def test_what_was_formatted_still_is(program: Program, formatted: dict[str, str]) -> None:
    before = MARKS.sub("", program.source)
    _, after = repaired(program.source, program.kind, program.boundary, chain=program.chain)
    if formatted[before] == before:
        assert formatted[after] == after
    else:
        assert program.name in UNFORMATTED


UNFORMATTED = {
    "captures of several kinds, defaults, stars, annotations, decorators, comments, docstring",
    "lambda over several lines, with brackets and without",
    "lambda with every sort of parameter",
    "no captures, used at several places and called directly",
    "the last statement of a branch",
    "view, iterated, measured, searched",
}
