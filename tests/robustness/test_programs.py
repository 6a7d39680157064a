"""Programs of extreme shape: what is wrong with them is found, in bounded time."""

from __future__ import annotations

from pathlib import Path

import pytest

from .project import PROCESS, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    (tmp_path / ".git").mkdir()
    return Project(tmp_path)


DATASET = """\
class Rows({base}):
    def __init__(self, rows):
        self.names = rows.keys()
"""


# -- modules ------------------------------------------------------------------------------------------------------


def test_import_cycle(project: Project) -> None:
    project.write(
        {
            "a.py": "from b import Base, helper\n\n\n" + DATASET.format(base="Base"),
            "b.py": "from torch.utils.data import Dataset\n\nimport a\nfrom c import helper\n\n\n"
            "class Base(Dataset):\n    other = a\n",
            "c.py": "from b import *\nfrom a import Rows\n\n\ndef helper():\n    return Rows\n",
            "self.py": "from self import x\nimport self\n\nx = x\n",
        }
    )
    assert project.places() == ["a.py:6 MPS101"]


def test_star_imports_in_a_chain(project: Project) -> None:
    project.write({"m0.py": "from torch.utils.data import Dataset\n"})
    project.write({f"m{i}.py": f"from m{i - 1} import *\n" for i in range(1, 50)})
    project.write({"main.py": "from m49 import *\n\n\n" + DATASET.format(base="Dataset")})
    assert project.places() == ["main.py:6 MPS101"]


def test_star_imports_of_each_other(project: Project) -> None:
    project.write({f"m{i}.py": f"from m{(i + 1) % 50} import *\n" for i in range(50)})
    project.write({"main.py": "from m0 import *\nfrom m7 import missing\n\nmissing(other)\n\n\n" + PROCESS})
    assert project.places() == ["main.py:10 MPS202"]


def test_reexports_in_a_chain(project: Project) -> None:
    project.write({"m0.py": "from torch.utils.data import Dataset\n"})
    project.write({f"m{i}.py": f"from m{i - 1} import Dataset\n" for i in range(1, 20)})
    project.write({"main.py": "import m19\n\n\n" + DATASET.format(base="m19.Dataset")})
    assert project.places() == ["main.py:6 MPS101"]


def test_namespace_packages(project: Project) -> None:
    project.write(
        {
            "company/data/base.py": "from torch.utils.data import Dataset\n\n\nclass Base(Dataset):\n    pass\n",
            "company/sets/rows.py": "from company.data import base\n\n\n" + DATASET.format(base="base.Base"),
            "run.py": "import company.sets.rows\n\ncompany.sets.rows.Rows({})\n",
        }
    )
    assert project.places() == ["company/sets/rows.py:6 MPS101"]


def test_two_roots_with_one_module_name(project: Project) -> None:
    """A script sees the module beside it."""
    project.write(
        {
            "one/base.py": "from torch.utils.data import Dataset as Base\n",
            "one/main.py": "from base import Base\n\n\n" + DATASET.format(base="Base"),
            "two/base.py": "class Base:\n    pass\n",
            "two/main.py": "from base import Base\n\n\n" + DATASET.format(base="Base"),
        }
    )
    assert project.places() == ["one/main.py:6 MPS101"]


def test_a_package_that_shadows_a_standard_module(project: Project) -> None:
    own = "class Process:\n    def __init__(self, target):\n        self.target = target\n\n    def start(self): ...\n"
    project.write(
        {
            "shadowed/multiprocessing/__init__.py": own,
            "shadowed/main.py": PROCESS,
            "package/__init__.py": "",
            "package/multiprocessing.py": own,
            "package/absolute.py": PROCESS,
            "package/relative.py": PROCESS.replace("from multi", "from .multi"),
        }
    )
    assert project.places() == ["package/absolute.py:4 MPS202"]


@pytest.mark.parametrize(
    "imports",
    [
        "try:\n    from torch.utils.data import Dataset\nexcept ImportError:\n    Dataset = object\n",
        "try:\n    from missing import Dataset\nexcept ImportError:\n    from torch.utils.data import Dataset\n",
        "import sys\n\nif sys.version_info > (3, 9):\n    from torch.utils.data import Dataset\nelse:\n    Dataset = None\n",
        "try:\n    import torch.utils.data as data\n\n    Dataset = data.Dataset\nexcept Exception:\n    pass\n",
        "def load():\n    from torch.utils.data import Dataset\n\n    return Dataset\n\n\nDataset = load()\n",
    ],
)
def test_conditional_imports(imports: str, project: Project) -> None:
    project.write({"main.py": f"{imports}\n\n{DATASET.format(base='Dataset')}"})
    line = imports.count("\n") + 5
    assert project.places() == [f"main.py:{line} MPS101"]


# -- classes ------------------------------------------------------------------------------------------------------


def test_a_class_that_is_its_own_base(project: Project) -> None:
    project.write(
        {
            "main.py": "class Loop(Loop):\n    def __init__(self):\n        super().__init__()\n        self.x = abs\n"
            "\n\nLoop()\n\n\nfrom torch.utils.data import Dataset\n\n\nclass Dataset(Dataset):\n    pass\n\n\n"
            + DATASET.format(base="Dataset"),
            "a.py": "from b import B\n\n\nclass A(B):\n    pass\n",
            "b.py": "from a import A\n\n\nclass B(A):\n    pass\n\n\nB()\n",
        }
    )
    assert project.places() == ["main.py:19 MPS101"]


def test_deep_hierarchy(project: Project) -> None:
    """Two hundred classes, each the base of the next: one ends in a fault, the other has it at its top."""
    head = "from torch.utils.data import Dataset\n"
    lower = "".join(f"\n\nclass C{i}({f'C{i - 1}' if i else 'Dataset'}):\n    level = {i}\n" for i in range(200))
    project.write({"leaf.py": head + lower + "\n\n" + DATASET.format(base="C199")})
    upper = "".join(f"\n\nclass D{i}({f'D{i - 1}' if i else 'Rows'}):\n    level = {i}\n" for i in range(200))
    project.write({"top.py": head + "\n\n" + DATASET.format(base="Dataset") + upper})
    assert project.places() == ["leaf.py:806 MPS101", "top.py:6 MPS101"]


def test_deep_chain_of_constructors(project: Project) -> None:
    text = "from torch.utils.data import Dataset\n\n\n" + DATASET.format(base="Dataset").replace("Rows", "C0")
    for i in range(1, 100):
        text += f"\n\nclass C{i}(C{i - 1}):\n    def __init__(self, rows):\n        super().__init__(rows)\n"
    project.write({"main.py": text})
    assert project.places() == ["main.py:6 MPS101"]


def test_diamonds(project: Project) -> None:
    text = "class A0:\n    pass\n"
    for i in range(1, 40):
        for name, bases in (("B", f"A{i - 1}"), ("C", f"A{i - 1}"), ("A", f"B{i}, C{i}")):
            text += f"\n\nclass {name}{i}({bases}):\n    pass\n"
    project.write({"main.py": f"{text}\n\nA39()\n\n\n{PROCESS}"})
    assert project.places() == [f"main.py:{text.count(chr(10)) + 9} MPS202"]


# -- size and depth -----------------------------------------------------------------------------------------------


DEEP = {
    "150 nested calls": f"x = {'str(' * 150}1{')' * 150}\n",
    "1,000 chained calls": f"x = str(){'.strip()' * 1000}\n",
    "1,000 chained calls of the unknown": f"x = unknown{'.map(f)' * 1000}\n",
    "1,000 chained attributes": f"x = unknown{'.a' * 1000}\n",
    "1,000 chained subscripts": f"x = unknown{'[0]' * 1000}\n",
    "5,000 operands": f"x = {' + '.join(['y'] * 5000)}\n",
    "1,000 strings": f"x = {' + '.join([repr('text')] * 1000)}\n",
    "199 parentheses": f"x = {'(' * 199}1{')' * 199}\n",
    "199 lists": f"x = {'[' * 199}1{']' * 199}\n",
    "99 indents": "".join(f"{' ' * i}if x{i}:\n" for i in range(99)) + f"{' ' * 99}x = 1\n",
    "99 loops": "".join(f"{' ' * i}for x{i} in range({i}):\n" for i in range(99)) + f"{' ' * 99}x = x1\n",
    "99 functions": "".join(f"{' ' * i}def f{i}(x):\n" for i in range(99)) + f"{' ' * 99}return x\nf0(1)\n",
    "99 classes": "".join(f"{' ' * i}class C{i}:\n" for i in range(99)) + f"{' ' * 99}x = 1\nC0()\n",
    "60 lambdas": f"x = {'lambda: ' * 60}1\nx()()()()\n",
    "1,000 elifs": "if x == 0:\n    y = 0\n" + "".join(f"elif x == {i}:\n    y = {i}\n" for i in range(1, 1000)),
    "1,000 branches": "".join(f"if x{i}:\n    y{i} = {i}\nelse:\n    y{i} = [y{i - 1}]\n" for i in range(1, 1000)),
    "a list of 50,000 items": f"x = [{', '.join(map(str, range(50_000)))}]\n",
    "a dict of 20,000 items": f"x = {{{', '.join(f'{i}: {i}' for i in range(20_000))}}}\n",
    "a text of a million characters": f"x = {'a' * 1_000_000!r}\n",
    "functions that call the next one twice": "".join(
        f"def f{i}(x):\n    return f{i + 1}(x), f{i + 1}([x])\n\n" for i in range(100)
    ) + "f0(1)\n",
    "functions that call each other": "".join(
        f"def f{i}(x):\n    return [{', '.join(f'f{j}(x)' for j in range(20))}]\n\n" for i in range(20)
    ) + "f0(1)\n",
    "a function that calls itself": "def f(x):\n    return [f(x), f([x]), lambda: f(x)]\n\n\nf(f)(f)\n",
    "a list that holds itself": "x = []\nx.append(x)\nx[0][0].append(x)\ny = {}\ny['y'] = y\nz = y['y']['y']\n",
    "assignments in a circle": "a, b = b, a = [], []\nfor _ in a:\n    a, b = [a, b], [b, a]\n",
}  # fmt: skip


@pytest.mark.parametrize("name", DEEP)
def test_deep(name: str, project: Project) -> None:
    """What stands below it is found."""
    text = f"{DEEP[name]}\n{PROCESS}"
    project.write({"main.py": text})
    assert project.analysed() == [f"main.py:{text.count(chr(10))} MPS202"]


@pytest.mark.parametrize("name", ["150 nested calls", "99 indents", "1,000 elifs", "1,000 strings"])
def test_repair_beside_what_is_deep(name: str, project: Project) -> None:
    project.write({"main.py": f"{DEEP[name]}\n{PROCESS}"})
    (finding,) = project.lint()
    assert finding["fix"]["applicability"] == "safe"


DEEPER = {
    "250 parentheses": f"x = {'(' * 250}1{')' * 250}\n",
    "101 indents": "".join(f"{' ' * i}if x{i}:\n" for i in range(101)) + f"{' ' * 101}x = 1\n",
    "100,000 nots": f"x = {'not ' * 100_000}1\n",
    "100,000 parentheses": "(" * 100_000,
    "100,000 minus signs": f"x = {'-' * 100_000}1\n",
}


@pytest.mark.parametrize("name", DEEPER)
def test_deeper_than_the_parser_goes(name: str, project: Project) -> None:
    """Whether Python's parser takes it or not: a finding or none, and the other file's in any case."""
    project.write({"deep.py": DEEPER[name], "main.py": PROCESS})
    places = project.places()
    assert places[-1] == "main.py:4 MPS202"
    assert len(places) <= 2 and all(place.startswith("deep.py") for place in places[:-1])


def test_20_000_lines(project: Project) -> None:
    """The analysis takes a bounded time; the time of a repair is libcst's."""
    unit = "def f{i}(x):\n    y = [x, {i}]\n    if x:\n        y.append(f{j}(x))\n    return y\n\n\n"
    text = "".join(unit.format(i=i, j=i - 1) for i in range(2_860)) + PROCESS
    assert text.count("\n") >= 20_000
    project.write({"main.py": text})
    assert project.analysed() == [f"main.py:{text.count(chr(10))} MPS202"]


def test_many_faults(project: Project) -> None:
    """Many functions of which each leads to a boundary: what is found in the first is found in the last."""
    unit = "def start{i}(values):\n    pool = Pool({i})\n    return pool.map(lambda value: value + {i}, values)\n\n\n"
    text = "from multiprocessing import Pool\n\n\n" + "".join(unit.format(i=i) for i in range(1_000))
    project.write({"main.py": text})
    assert project.analysed() == [f"main.py:{6 + 5 * i} MPS202" for i in range(1_000)]
