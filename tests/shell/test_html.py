"""The page: well-formed, complete in itself, with a picture of each crossing."""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mpsafe_lint.files.project import Project
from mpsafe_lint.findings import Finding, Step
from mpsafe_lint.reports import render
from shell.running import run
from shell.test_reports import ALL, HABIT, SENDING, VIEW, project, report

__all__ = ["project"]

HTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "birdsong"
CODES = ["MPS107", "MPS108", "MPS101", "MPS203", "MPS202"]


def page(project: Project, findings: tuple[Finding, ...] = ALL) -> ElementTree.Element:
    return ElementTree.fromstring(render("html", report(project, findings)))


def text_of(element: ElementTree.Element | None) -> str:
    assert element is not None
    return "".join(element.itertext())


def boxes(svg: ElementTree.Element) -> list[tuple[str, str, str]]:
    """Return each box of a picture: its class and its two lines."""
    found = []
    for group in svg.iter(f"{SVG}g"):
        label, place = ([text.text or "" for text in group.iter(f"{SVG}text")] + [""])[:2]
        found.append((group.get("class") or "", label, place))
    return found


def test_findings_stand_by_file(project: Project) -> None:
    root = page(project)
    sections = root.findall(f".//{HTML}section")
    assert [text_of(section.find(f"{HTML}h2")) for section in sections] == [
        "classes.py (1)",
        "data,set.py (2)",
        "gone.py (1)",
    ]
    assert [len(section.findall(f"{HTML}article")) for section in sections] == [1, 2, 1]
    first = root.find(f".//{HTML}article")
    assert first is not None
    assert text_of(first.find(f"{HTML}h3")) == f"MPS101 {VIEW.message} --fix"
    assert text_of(first.find(f".//{HTML}mark")) == "self.class_range.keys()"
    items = [text_of(item) for item in first.iter(f"{HTML}li")]
    assert items[0] == "fix: list(self.class_range.keys())"
    assert items[1].startswith("sent to worker processes as Frames.settings.names (data,set.py:1)")


def test_a_picture_shows_what_goes_over(project: Project) -> None:
    other = replace(VIEW, chain=(VIEW.chain[0], Step("['k']", None)), span=replace(VIEW.span, line=2))
    root = page(project, (other, VIEW, SENDING, HABIT))
    articles = root.findall(f".//{HTML}article")
    pictures = [article.find(f".//{SVG}svg") for article in articles]
    assert [svg is not None for svg in pictures] == [True, True, True, False]
    svg = pictures[1]
    assert svg is not None and text_of(svg.find(f"{SVG}title")) == "Frames.settings.names is a dict view"
    assert boxes(svg) == [
        ("kept", "Frames", "data,set.py:1"),
        ("kept", ".settings", "data,set.py:1"),
        ("kept", "['k']", ""),
        ("bad", "dict view", "classes.py:2"),
        ("kept", ".names", "classes.py:3"),
        ("bad shown", "dict view", "classes.py:3"),
    ]
    assert len(svg.findall(f"{SVG}path")) == 5
    alone = pictures[2]
    assert alone is not None and boxes(alone)[-1][0] == "bad shown" and len(boxes(alone)) == 2


def test_boxes_do_not_touch_and_stay_inside(project: Project) -> None:
    """Also of many findings, of which some are shown, and of long names."""
    many = tuple(
        replace(
            VIEW,
            span=replace(VIEW.span, line=number),
            chain=tuple(Step(f".{name * number}", VIEW.span) for name in ("a" * (number % 3), "b", "c") if name),
        )
        for number in range(1, 30)
    )
    for svg in page(project, many).iter(f"{SVG}svg"):
        _, _, width, height = map(float, (svg.get("viewBox") or "").split())
        rectangles = [
            tuple(float(rect.get(key) or 0) for key in ("x", "y", "width", "height")) for rect in svg.iter(f"{SVG}rect")
        ]
        assert sum(kind.startswith("bad") for kind, _, _ in boxes(svg)) == 12
        assert [kind for kind, _, _ in boxes(svg)].count("bad shown") == 1
        assert all(x >= 0 and y >= 0 and x + w <= width and y + h <= height for x, y, w, h in rectangles)
        for (x, y, w, h), (x2, y2, w2, h2) in itertools.combinations(rectangles, 2):
            assert x + w < x2 or x2 + w2 < x or y + h < y2 or y2 + h2 < y


def test_what_is_shown_is_text(project: Project) -> None:
    evil = replace(SENDING, message="<script>alert('&')</script>\x00\ud800", chain=(Step("['</svg><b>']", None),))
    text = render("html", report(project, (evil,)))
    assert "<script" not in text and "<b>" not in text
    root = ElementTree.fromstring(text)
    assert "<script>alert('&')</script>" in text_of(root.find(f".//{HTML}h3"))


def test_it_needs_nothing_else(project: Project) -> None:
    class Links(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag not in ("script", "link", "img", "iframe", "object")
            assert not {"src", "href", "onload", "onclick"} & {name for name, _ in attrs}

    text = render("html", report(project))
    Links().feed(text)
    assert "url(" not in text and "@import" not in text


def test_nothing_found(project: Project) -> None:
    assert "Nothing was found." in text_of(page(project, ()))


def test_the_command_writes_it(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "birdsong", ignore=shutil.ignore_patterns("__pycache__"))
    done = run("--output-format", "html", "-o", "page.html", "birdsong", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    root = ElementTree.parse(tmp_path / "page.html").getroot()
    headings = [text_of(heading.find(f"{HTML}code")) for heading in root.iter(f"{HTML}h3")]
    assert headings == CODES
    shown = [box for svg in root.iter(f"{SVG}svg") for box in boxes(svg) if box[0] == "bad shown"]
    assert [label for _, label, _ in shown] == ["open file", "thread object", "dict view", "local function", "lambda"]


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
def test_a_browser_shows_it(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "birdsong", ignore=shutil.ignore_patterns("__pycache__"))
    run("--output-format", "html", "-o", "page.html", "birdsong", cwd=tmp_path)
    measure = "<script>document.title = [...document.querySelectorAll('svg')].map(s => s.clientWidth).join()</script>"
    text = (tmp_path / "page.html").read_text().replace("</body>", f"{measure}</body>")
    (tmp_path / "page.html").write_text(text)
    command = [str(BROWSER), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    url = (tmp_path / "page.html").as_uri()
    done = subprocess.run([*command, "--dump-dom", url], capture_output=True, text=True, timeout=120)
    title = re.search(r"<title>([\d,]+)</title>", done.stdout)
    assert title is not None and all(int(width) > 200 for width in title[1].split(",")) and title[1].count(",") == 4
    assert done.stdout.count("<article") == 5
