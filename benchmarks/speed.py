"""What mpsafe-lint costs, beside what parsing the same files costs: prints a table for docs/benchmarks.md.

    python benchmarks/speed.py [--rounds 5] [--peers pylint,TorchFix] [--large FOLDER] [--work FOLDER]

Three released packages are downloaded by pip (versions pinned below) and laid side by side as one project. All figures
are CPU time (user and system) of whole processes, as the median of the rounds, as ratios within one run; the two of
`--jobs` are wall time. `--peers` are installed into environments of their own. `--large` names a folder of many files,
which is copied and measured as well.
"""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("monai==1.6.1", "nnunetv2==2.8.1", "speechbrain==1.1.2")
PEERS = {"pylint": ("pylint", ["pylint", "-E", "--exit-zero"]), "TorchFix": ("torchfix", ["torchfix"])}
PARSE = """
import ast, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
for file in Path(sys.argv[1]).rglob("*.py"):
    try:
        ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        pass
"""
BIN = Path(sys.executable).parent
LINT = [str(BIN / "mpsafe-lint"), "--exit-zero", "--output-format", "concise", "-q"]
FLAKE8 = [str(BIN / "flake8"), "--exit-zero", "--jobs", "1", "--isolated"]
PLAIN = [*FLAKE8, "--disable-noqa", "--select", "E,F,W,C90"]
PLUGIN = [*FLAKE8, "--disable-noqa", "--select", "E,F,W,C90,MPS"]


@dataclass(frozen=True)
class Cost:
    """What a process took: CPU and wall time in seconds, and its most memory in MB."""

    cpu: float
    wall: float
    memory: float


def run(command: Sequence[str], folder: Path) -> Cost:
    """Run a command to its end."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: exit {process.returncode}")
    return Cost(used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss / 1024)


@dataclass
class Bench:
    """Measures commands in the project, each as often as there are rounds."""

    project: Path
    rounds: int

    def cost(self, command: Sequence[str], before: Callable[[], object] = lambda: None) -> Cost:
        costs = []
        for _ in range(self.rounds):
            before()
            costs.append(run(command, self.project))
        return Cost(
            statistics.median(one.cpu for one in costs),
            statistics.median(one.wall for one in costs),
            max(one.memory for one in costs),
        )

    def forget(self) -> None:
        """Remove the cache."""
        shutil.rmtree(self.project / ".mpsafe_cache", ignore_errors=True)


def row(what: str, cost: Cost, base: Cost, target: str) -> str:
    """Return a line of the table."""
    return f"| {what} | {cost.cpu:.2f} s | {cost.cpu / base.cpu:.2f} | {target} |"


def small_set(bench: Bench) -> Iterable[str]:
    """Yield the lines for the project itself."""
    parse = bench.cost([sys.executable, "-c", PARSE, "."])
    yield row("`ast.parse` of every file", parse, parse, "")
    yield row("`mpsafe-lint --jobs 1 --no-cache`", bench.cost([*LINT, "--jobs", "1", "--no-cache"]), parse, "≤ 0.5")
    plain = bench.cost([*PLAIN, "."])
    yield row("`flake8`, without the plugin", plain, plain, "")
    yield row("`flake8`, cold", bench.cost([*PLUGIN, "."], bench.forget), plain, "≤ 1.10")
    yield row("`flake8`, warm", bench.cost([*PLUGIN, "."]), plain, "≤ 1.05")
    warm = bench.cost(LINT, lambda: run(LINT, bench.project))
    yield row("`mpsafe-lint`, warm, nothing changed", warm, parse, "≤ 0.15")
    one = "monai/data/dataset.py"
    plain = bench.cost([*PLAIN, one])
    yield row("`flake8` on one file, without the plugin", plain, plain, "")
    yield row("`flake8` on one file, warm", bench.cost([*PLUGIN, one]), plain, "≤ 1.25")
    yield row("`mpsafe-lint` on one file, warm", bench.cost([*LINT, one]), plain, "≤ 1.25")
    changed = bench.project / "monai/data/utils.py"

    def change() -> None:
        changed.write_text(changed.read_text() + "#\n")

    yield row("`mpsafe-lint`, warm, one file changed", bench.cost([*LINT, "--jobs", "1"], change), parse, "≤ 0.2")


def start_up(bench: Bench) -> Iterable[str]:
    """Yield the lines for what does nothing."""
    bare = bench.cost([sys.executable, "-c", "pass"])
    for what, command in (
        ("`mpsafe-lint --version`", [str(BIN / "mpsafe-lint"), "--version"]),
        ("importing the flake8 plugin", [sys.executable, "-c", "import mpsafe_lint.flake8_plugin"]),
    ):
        more = (bench.cost(command).cpu - bare.cpu) * 1000
        yield f"| {what}, over `python -c pass` | {more:.0f} ms | | ≤ 30 ms |"


def growth(bench: Bench, folder: Path) -> Iterable[str]:
    """Yield the lines for large files, each beside one of half its size."""
    shapes: dict[str, tuple[int, Callable[[int], str]]] = {
        "a file of 20,000 lines": (3_333, _functions),
        "2,000 classes": (2_000, _classes),
        "a dict of 5,000 lambdas": (5_000, _lambdas),
    }
    for name, (size, text) in shapes.items():
        costs = []
        for count in (size // 2, size):
            (folder / "large.py").write_text(text(count))
            costs.append(bench.cost([*LINT, "--jobs", "1", "--no-cache", str(folder / "large.py")]))
        yield row(f"{name}, against half of it", costs[1], costs[0], "≤ 2.3")


def _functions(count: int) -> str:
    body = "    y = [x, {0}]\n    if y:\n        x = y[0]\n    return Pool(2).map(f{1}, y)\n\n"
    functions = [f"def f{i}(x):\n{body.format(i, max(i - 1, 0))}" for i in range(count)]
    return "from multiprocessing import Pool\n" + "".join(functions)


def _classes(count: int) -> str:
    body = "    def __init__(self, a):\n        self.a = a\n        self.b = dict(a=1).keys()\n\n"
    return "from torch.utils.data import Dataset\n" + "".join(f"class C{i}(Dataset):\n{body}" for i in range(count))


def _lambdas(count: int) -> str:
    items = "".join(f"    'k{i}': lambda x: x + {i},\n" for i in range(count))
    use = "def go(items):\n    return Pool(2).map(D['k1'], items)\n"
    return f"from multiprocessing import Pool\nD = {{\n{items}}}\n\n{use}"


def peers(bench: Bench, names: Iterable[str], folder: Path) -> Iterable[str]:
    """Yield the lines for other tools, on a part of the project."""
    part = "monai/data"
    own = bench.cost([*LINT, "--jobs", "1", "--no-cache", part])
    yield row(f"`mpsafe-lint --no-cache` on `{part}`, the whole project behind it", own, own, "")
    for name in names:
        package, command = PEERS[name]
        environment = folder / package
        if not environment.exists():
            venv.create(environment, with_pip=True)
            install = [str(environment / "bin/pip"), "install", "-q", package]
            if subprocess.run(install, check=False).returncode:
                yield f"| {name} | could not be installed | | ≥ 50 |"
                continue
        single = Bench(bench.project, 1)
        cost = single.cost([str(environment / "bin" / command[0]), *command[1:], part])
        yield row(f"{name} on `{part}`", cost, own, "≥ 50")


def large(bench: Bench, folder: Path, small: Path, work: Path) -> Iterable[str]:
    """Yield the lines for a large project."""
    copy = work / "large"
    if not copy.exists():
        shutil.copytree(folder, copy, ignore=_no_source)
        (copy / "mpsafe.toml").touch()
    once = Bench(copy, 1)
    one, two = (once.cost([*LINT, "--no-cache", "--jobs", jobs]) for jobs in ("1", "2"))
    per_line = [
        cost.cpu / lines_in(where)
        for cost, where in ((one, copy), (bench.cost([*LINT, "--jobs", "1", "--no-cache"]), small))
    ]
    files = sum(1 for _ in copy.rglob("*.py"))
    ratio = per_line[0] / per_line[1]
    yield f"| {files:,} files, CPU per line against the small set | {one.cpu:.0f} s | {ratio:.2f} | ≤ 1.2 |"
    yield f"| the same, most memory | {one.memory:.0f} MB | | ≤ 1024 MB |"
    yield f"| the same, wall time of `--jobs 2` against 1 | {two.wall:.0f} s | {two.wall / one.wall:.2f} | ≤ 0.65 |"


def _no_source(_: str, names: list[str]) -> list[str]:
    return [one for one in names if "." in one and not one.endswith(".py")]


def lines_in(folder: Path) -> int:
    """Return how many lines the Python files of a folder have."""
    return sum(file.read_bytes().count(b"\n") for file in folder.rglob("*.py"))


def lay_out(work: Path) -> Path:
    """Download the packages, once, and lay them out as one project."""
    project = work / "project"
    wheels = work / "wheels"
    if not wheels.exists():
        download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(wheels), *PACKAGES]
        subprocess.run(download, check=True)
    shutil.rmtree(project, ignore_errors=True)
    for wheel in wheels.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(project)
    (project / "mpsafe.toml").touch()
    return project


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", default="pylint,TorchFix")
    parser.add_argument("--large", type=Path)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "mpsafe-lint-benchmarks")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    project = lay_out(options.work)
    bench = Bench(project, options.rounds)
    files = sum(1 for _ in project.rglob("*.py"))
    version = subprocess.run([LINT[0], "--version"], capture_output=True, text=True, check=True).stdout.strip()
    day = datetime.datetime.now(tz=datetime.timezone.utc).date()
    print(f"{day}, {version}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores;")
    print(f"{', '.join(PACKAGES)}: {files} files, {lines_in(project):,} lines; rounds: {options.rounds}\n")
    print("| what | time | ratio | target |\n| --- | --- | --- | --- |")
    grown = options.work / "grown"
    grown.mkdir(exist_ok=True)
    parts: list[Iterable[str]] = [small_set(bench), start_up(bench), growth(bench, grown)]
    if options.peers:
        parts.append(peers(bench, options.peers.split(","), options.work))
    if options.large:
        parts.append(large(bench, options.large, project, options.work))
    for part in parts:
        for line in part:
            print(line, flush=True)


if __name__ == "__main__":
    main()
