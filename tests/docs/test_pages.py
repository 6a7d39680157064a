"""The README and the docs say what is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mpsafe_lint.config import KEYS
from mpsafe_lint.knowledge import boundaries
from mpsafe_lint.knowledge.rules import all_codes

from .snippets import ROOT, agrees, blocks, differences, update

DOCS = ROOT / "docs"
TESTED_ELSEWHERE = {"runtime.md", "worker-pool.md"}
PAGES = [ROOT / "README.md", *sorted(page for page in DOCS.glob("*.md") if page.name not in TESTED_ELSEWHERE)]
README = PAGES[0].read_text(encoding="utf-8")
sessions = [page for page in PAGES if re.search(r"^```(console|pycon)", page.read_text(encoding="utf-8"), re.M)]


@pytest.mark.parametrize("page", sessions, ids=lambda page: page.name)
def test_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    assert not list(differences(page.read_text(encoding="utf-8"), tmp_path))


def test_a_page_that_lies_is_found(tmp_path: Path) -> None:
    """The test above can fail: on another output, on a doctest, on a file that isn't there."""
    page = (
        '```text title="a.txt"\nhello\n```\n\n```console\n$ cat a.txt\nhello\n$ cat b.txt\nhello\n```\n\n'
        "```pycon\n>>> 1 + 1\n3\n```\n"
    )
    assert len(list(differences(page, tmp_path / "one"))) == 2
    assert "No such file" in update(page, tmp_path / "two")
    assert agrees("a\n…\nd\n", "a\nb\nc\nd\n") and not agrees("a\n…\nd\n", "a\nb\nc\n")


def commands() -> list[str]:
    """The two commands of the README."""
    return [block.text.strip() for block in blocks(README) if block.language == "sh"]


def test_the_tests_are_run_by_one_command() -> None:
    first, second = commands()
    assert first.endswith(".venv/bin/mpsafe-lint examples/birdsong") and "pytest" in second
    lines = [line.strip() for line in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()]
    assert second in lines


@pytest.mark.parametrize("script", ["run", "full"])
def test_scripts_are_sound(script: str) -> None:
    path = ROOT / ".ci" / script
    assert "set -euo pipefail" in path.read_text(encoding="utf-8")
    assert subprocess.run(["bash", "-n", path], timeout=10).returncode == 0


def test_a_failing_step_ends_the_script(tmp_path: Path) -> None:
    """`set -e` passes over what fails inside `&&`, but not over the function that ends with it."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "run").write_text(text.replace(commands()[1], "true && false && true"), encoding="utf-8")
    done = subprocess.run(["bash", "-x", ".ci/run"], cwd=tmp_path, capture_output=True, text=True, timeout=10)
    assert done.returncode == 1 and "ruff" not in done.stderr


def test_every_key_is_in_the_table() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", README, re.M)
    assert sorted(rows) == sorted(KEYS)


def test_codes_exist() -> None:
    texts = [page.read_text(encoding="utf-8") for page in [*PAGES, *DOCS.rglob("*.md"), ROOT / "CHANGELOG.md"]]
    named = {code for text in texts for code in re.findall(r"\bMPS\d{3}\b", text)}
    assert named <= set(all_codes())


def test_every_boundary_is_described() -> None:
    described = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", "".join(first_cells(DOCS / "crossing.md"))))
    rows = [*boundaries.CALLS.values(), *boundaries.POOL_METHODS.values(), boundaries.PROCESS, boundaries.DATALOADER]
    assert {sent.boundary for row in rows for sent in row.sends} <= described


def first_cells(page: Path) -> list[str]:
    return re.findall(r"^\|([^|]+)\|", page.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize("page", ["README.md", "docs/adopting.md"])
def test_hooks_exist(page: str) -> None:
    [text] = [block.text for block in blocks((ROOT / page).read_text(encoding="utf-8")) if block.language == "yaml"]
    [repository] = yaml.safe_load(text)["repos"]
    ours = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["id"] for hook in repository["hooks"]] == sorted((hook["id"] for hook in ours), key=str)


def test_the_changelog_names_the_version() -> None:
    from mpsafe_lint import __version__

    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_links_of_the_readme_lead_somewhere() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)", README) if "://" not in link]
    assert links and not [link for link in links if not (ROOT / link).exists()]


def test_the_site_builds(tmp_path: Path) -> None:
    """Strictly: a link that leads nowhere is an error. Every rule has its page, and nothing is left to be built."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    rules = (tmp_path / "site" / "rules" / "index.html").read_text(encoding="utf-8")
    assert not [code for code in all_codes() if code not in rules]
    built = [page.read_text(encoding="utf-8") for page in (tmp_path / "site").rglob("*.html")]
    assert not any("<!-- built:" in page or "--8&lt;--" in page for page in built)
    assert "dict_keys" in (tmp_path / "site" / "pickles" / "index.html").read_text(encoding="utf-8")
