"""The commands `mpsafe-lint` and `mpsafe-fix`."""

from __future__ import annotations

import argparse
import os
import sys
from functools import cached_property

from mpsafe_lint import __version__
from mpsafe_lint.reports import FORMATS

TYPE_CHECKING = False  # as in typing, whose import takes longer than all that --version does
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import Any, NoReturn

    from mpsafe_lint.check import Analysis
    from mpsafe_lint.config import Config
    from mpsafe_lint.files.discovery import Root
    from mpsafe_lint.files.project import Project
    from mpsafe_lint.files.source import Source
    from mpsafe_lint.findings import Finding
    from mpsafe_lint.jobs import Jobs
    from mpsafe_lint.merging import Shard
    from mpsafe_lint.repairs.rounds import FixResult
    from mpsafe_lint.reports.reading import Document
    from mpsafe_lint.reports.report import Report
    from mpsafe_lint.suppress import Shown
    from mpsafe_lint.suppress.baseline import Entry

MOST_JOBS = 61  # what Windows can wait for

CLEAN, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130


def lint_main(argv: Sequence[str] | None = None) -> int:
    """Run `mpsafe-lint`. Return 0 where nothing was found, 1 where something was, 2 where it couldn't run."""
    return _guarded(_lint_parser, argv, _lint_command)


def fix_main(argv: Sequence[str] | None = None) -> int:
    """Run `mpsafe-fix`. Return 0, or 1 where `--check` would change something, or 2 where it failed."""
    return _guarded(_fix_parser, argv, _fix_command)


# --- options --------------------------------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with an option in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(FAILED, f"{self.prog}: error: {message} (see {self.prog} --help)\n")


def _parser(prog: str, description: str) -> _Parser:
    parser = _Parser(prog=prog, description=description, allow_abbrev=False)
    paths = "files and folders (default: the current folder); - for stdin"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths)
    parser.add_argument("--version", action="version", version=f"mpsafe-lint {__version__}")
    _add(
        parser.add_argument_group("rules"),
        ("--select", "CODES", "rules to look for: codes, prefixes, kinds, or ALL"),
        ("--ignore", "CODES", "rules to leave out"),
        ("--extend-select", "CODES", "rules to look for beside those selected"),
        ("--per-file-ignores", "GLOB:CODES", "rules to leave out in some files"),
        ("--fixable", "CODES", "rules to repair (default: ALL)"),
        ("--unfixable", "CODES", "rules not to repair"),
    )
    group = parser.add_argument_group("files")
    _add(
        group,
        ("--exclude", "GLOBS", "files and folders to leave out"),
        ("--extend-exclude", "GLOBS", "further files and folders to leave out"),
    )
    group.add_argument("--force-exclude", action="store_true", help="leave them out even where they are named as PATH")
    group.add_argument("--stdin-filename", metavar="PATH", help="the file that stdin stands for")
    group = parser.add_argument_group("the analysed program")
    group.add_argument("--python", metavar="PATH", help="the interpreter or the environment that it runs with")
    group.add_argument("--target-version", metavar="VERSIONS", help="the Pythons that it is for: 3.12, or '>=3.10'")
    _add(group, ("--start-method", "METHODS", "fork, spawn, forkserver (default: all)"))
    group = parser.add_argument_group("this run")
    group.add_argument("--config", metavar="FILE", help="the configuration file to use")
    group.add_argument("--isolated", action="store_true", help="use no configuration file")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="colours (default: auto)")
    text = "where results are kept (default: .mpsafe_cache in the root)"
    group.add_argument("--cache-dir", metavar="FOLDER", help=text)
    group.add_argument("--no-cache", action="store_true", help="keep no results, and use none that were kept")
    text = "processes to analyse in (default: one for a few files, else one for each core)"
    group.add_argument("-j", "--jobs", type=_jobs, metavar="N", help=text)
    group.add_argument("-q", "--quiet", action="store_true", help="no closing lines")
    group.add_argument("--diff", action="store_true", help="show what would be repaired, and change nothing")
    group.add_argument("--unsafe-fixes", action="store_true", default=None, help="apply unsafe repairs as well")
    return parser


def _information(parser: _Parser) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("information")
    text = "print the script that completes the options of this command, for bash, zsh or tcsh"
    group.add_argument("--print-completion", metavar="SHELL", choices=("bash", "zsh", "tcsh"), help=text)
    return group


def _lint_parser() -> _Parser:
    parser = _parser("mpsafe-lint", "Find values that will fail to cross a process boundary.")
    group = parser.add_argument_group("reports")
    group.add_argument("--output-format", choices=tuple(FORMATS), default="full", help="the format (default: full)")
    group.add_argument("-o", "--output-file", metavar="FILE", help="where the report goes (default: stdout)")
    group.add_argument("--statistics", action="store_true", help="count the findings of each rule instead")
    group.add_argument("-e", "--exit-zero", action="store_true", help="exit 0 even where something was found")
    group.add_argument("--baseline", metavar="FILE", help="report only what isn't in this baseline")
    group.add_argument("--diff-base", metavar="REV", help="report only what is new since this revision of git")
    text = "report instead what worked under fork and will fail with this Python: 3.14"
    group.add_argument("--migrate", metavar="VERSION", choices=("3.14",), help=text)
    group = parser.add_argument_group("more than one machine")
    text = "do only this share of the work, 1/4 to 4/4; see --merge"
    group.add_argument("--shard", type=_shard, metavar="I/N", help=text)
    text = "join reports in JSON, the files PATH: of all shards, or of several projects"
    group.add_argument("--merge", action="store_true", help=text)
    text = "analyse on a cluster, dask://HOST:PORT, or on a local one, dask, with as many workers as --jobs"
    group.add_argument("--executor", type=_executor, metavar="DASK", help=text)
    group = parser.add_argument_group("changing something")
    group.add_argument("--fix", action="store_true", help="repair what can be repaired, and report the rest")
    group.add_argument("--add-noqa", action="store_true", help="add a noqa comment for each finding")
    group.add_argument("--write-baseline", action="store_true", help="write all findings to the baseline")
    group = _information(parser)
    group.add_argument("--explain", metavar="RULE", help="print the page of a rule, or of ALL; also as json")
    text = "say which rule is behind an error text: in the log that comes from stdin, or in the files PATH"
    group.add_argument("--explain-error", action="store_true", help=text)
    group.add_argument("--show-settings", action="store_true", help="print the settings")
    group.add_argument("--show-files", action="store_true", help="print the files that are looked at")
    group = parser.add_argument_group("editors")
    text = "run a language server for an editor, on stdin and stdout"
    group.add_argument("--server", action="store_true", help=text)
    return parser


def _fix_parser() -> _Parser:
    parser = _parser("mpsafe-fix", "Repair values that would fail to cross a process boundary.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 where something would be")
    _information(parser)
    return parser


def _add(group: argparse._ArgumentGroup, *options: tuple[str, str, str]) -> None:
    """Add options that take a list: with commas between, or named more than once."""
    for name, metavar, text in options:
        group.add_argument(name, action="append", metavar=metavar, help=text)


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_JOBS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes: write 1 to {MOST_JOBS}")
    return int(text)


def _shard(text: str) -> tuple[int, int]:
    number, slash, of = text.partition("/")
    if not (slash and number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(f"{text!r} is no share: write I/N, 1/4 to 4/4 for four")
    return int(number), int(of)


def _executor(text: str) -> str:
    host, colon, port = text.removeprefix("dask://").rpartition(":")
    if text != "dask" and not (text.startswith("dask://") and host and colon and port.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is none: write dask, or dask://HOST:PORT")
    return text


def _alone(options: argparse.Namespace, name: str, others: Sequence[str]) -> None:
    """Raise ConfigError where options go with `--name` that can't."""
    from mpsafe_lint.config import ConfigError

    for other in others:
        if getattr(options, other):
            raise ConfigError(f"--{name}: not together with --{other.replace('_', '-')}")


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    """Return the keys of the configuration that options set. Raises ConfigError, which names the option."""
    from mpsafe_lint import config

    overrides = {}
    for key, value in vars(options).items():
        name = key.replace("_", "-")
        if value is None or name not in config.KEYS:
            continue
        try:
            overrides[key] = config.read(name, _value(key, value))
        except config.ConfigError as error:
            raise config.ConfigError(f"--{name}: {error}") from None
    return overrides


def _value(key: str, value: Any) -> Any:
    """Return what an option says, as a configuration file would write it."""
    if key == "per_file_ignores":
        return _per_file_ignores(value)
    if key in ("baseline", "cache_dir") or (key == "python" and os.path.exists(value)):
        return os.path.abspath(value)  # an option is relative to the current folder, a key to its file
    if isinstance(value, list):
        return [word.strip() for text in value for word in text.split(",") if word.strip()]
    return value


def _per_file_ignores(values: Sequence[str]) -> dict[str, list[str]]:
    """Read `tests/*:MPS1,MPS2 other.py:ALL`, with commas or spaces between."""
    from mpsafe_lint.config import ConfigError

    table: dict[str, list[str]] = {}
    codes: list[str] | None = None
    for word in " ".join(values).replace(",", " ").split():
        glob, colon, code = word.rpartition(":")
        if colon and glob:
            codes = table.setdefault(glob, [])
        if codes is None or (colon and not glob):
            raise ConfigError(f"{word!r} names no file: write GLOB:CODES")
        if code:
            codes.append(code)
    return table


# --- running --------------------------------------------------------------------------------------------------------


def _guarded(
    parser: Callable[[], _Parser], argv: Sequence[str] | None, command: Callable[[argparse.Namespace], int]
) -> int:
    """Run a command; what it can't do is said in one line. What its options alone answer loads nothing."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="backslashreplace")  # a file's name may be no UTF-8
    prog = ""
    try:
        of_command = parser()
        prog, options = of_command.prog, of_command.parse_args(argv)
        from mpsafe_lint.config import ConfigError

        try:
            status = command(options)
            sys.stdout.flush()
            return status
        except ConfigError as error:
            print(f"{prog}: error: {error}", file=sys.stderr)
            return FAILED
    except BrokenPipeError:  # the reader has seen enough, and Python would complain again at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        print(f"{prog}: interrupted", file=sys.stderr)
        return INTERRUPTED


class _Run:
    """One run of a command: what it looks at, and with which settings."""

    def __init__(self, prog: str, options: argparse.Namespace) -> None:
        """Find the root and the configuration. Raises ConfigError."""
        from dataclasses import replace
        from pathlib import Path

        from mpsafe_lint.config import ConfigError, Reporting, load_root
        from mpsafe_lint.files.discovery import find_root

        options.paths = options.paths or ["."]
        for path in options.paths:
            if path != "-" and not os.path.lexists(path):
                raise ConfigError(f"no such file or folder: {path}")
        overrides = _overrides(options)
        self.prog = prog
        self.options = options
        self.stdin = _read_stdin(options)
        paths = [Path(path) for path in options.paths if path != "-"]
        self.root: Root = find_root([*paths, Path(self.stdin.path)] if self.stdin else paths)
        file = Path(os.path.abspath(options.config)) if options.config else None
        self.config: Config = replace(load_root(self.root.path, file, options.isolated), **overrides)
        self._before: Project | None = None
        self.broken: dict[str, Finding] = {}  # notebooks that are named as PATH, and are none
        nearest = not (options.isolated or options.config)
        self.reporting = Reporting(self.root.path, self.config, overrides, nearest)

    def load(self) -> Project:
        """Return the project as it is now."""
        from mpsafe_lint.files.project import Project

        paths = [path for path in self.options.paths if path != "-"]
        overlay = {self.stdin.path: self.stdin.contents} if self.stdin else {}
        exclude = self.options.force_exclude
        project = Project.load(paths, self.config, root=self.root, overlay=overlay, force_exclude=exclude)
        if not project.given:
            self.say(f"warning: no Python files in {', '.join(self.options.paths)}")
        if revision := getattr(self.options, "diff_base", None):
            from mpsafe_lint.files.history import project_at

            self._before = project_at(revision, project, self.config)
        return project

    def analyse(self, project: Project, label: str = "") -> Analysis:
        """Analyse the project, or find what an earlier run found."""
        from mpsafe_lint.cached import analyse
        from mpsafe_lint.progress import shown

        with shown() as progress:
            jobs, folder = self.jobs, self._cache
            return analyse(project, self.config, folder=folder, label=label, jobs=jobs, progress=progress)

    @property
    def jobs(self) -> Jobs:
        """Who analyses."""
        jobs: int | None = self.options.jobs
        executor: str | None = getattr(self.options, "executor", None)
        if executor is None:
            return jobs
        from mpsafe_lint.config import ConfigError
        from mpsafe_lint.jobs import Cluster

        if executor == "dask":
            return Cluster(None, jobs)
        if jobs is not None:
            raise ConfigError(f"--jobs: not together with --executor {executor}: the cluster has its own workers")
        return Cluster(executor.removeprefix("dask://"))

    def attach(self, findings: Sequence[Finding], project: Project) -> tuple[Finding, ...]:
        """Return the findings with their repairs."""
        from mpsafe_lint.cached import attach

        return attach(findings, project, self.config, folder=self._cache)

    @cached_property
    def _cache(self) -> Path | None:
        from mpsafe_lint.files.cache import folder_for

        return None if self.options.no_cache else folder_for(self.root, self.config)

    def choose(self, findings: Sequence[Finding], project: Project) -> Shown:
        """Return which of the findings of an analysis are to be shown."""
        from mpsafe_lint.suppress import show
        from mpsafe_lint.suppress.baseline import entries

        known = [] if getattr(self.options, "write_baseline", False) else entries(self.config, self.root.path)
        shown = show(findings, project, self.reporting, baseline=known, earlier=self._earlier)
        return self._without_broken(shown, project)

    def _without_broken(self, shown: Shown, project: Project) -> Shown:
        """Leave out the notebooks that are named as PATH and are none: that is an error, as with any bad PATH. The rest
        goes on; raises ConfigError where there is no rest."""
        from dataclasses import replace
        from pathlib import Path

        from mpsafe_lint.config import ConfigError
        from mpsafe_lint.files.notebooks import SUFFIX
        from mpsafe_lint.files.project import relative

        named = {relative(Path(path), project.root) for path in self.options.paths if path.endswith(SUFFIX)}
        here = [one for one in shown.findings if one.span.path in named and not _can_be_read(project, one.span.path)]
        self.broken |= {one.span.path: one for one in here}
        if self.broken and project.given <= self.broken.keys():
            raise ConfigError(f"\n{self.prog}: error: ".join(self._errors()))
        findings, wanted = (
            tuple(one for one in some if one.span.path not in self.broken) for some in (shown.findings, shown.wanted)
        )
        return replace(shown, findings=findings, wanted=wanted)

    def ended(self, status: int) -> int:
        """Say which notebooks are none; return the exit code."""
        for error in self._errors():
            print(f"{self.prog}: error: {error}", file=sys.stderr)
        return FAILED if self.broken else status

    def _errors(self) -> Iterator[str]:
        for path, finding in self.broken.items():
            place = f"{os.path.relpath(self.root.path / path)}, line {finding.span.line}"
            yield f"{place}: {finding.message}; restore it, or leave it out"

    @cached_property
    def _earlier(self) -> Sequence[Entry]:
        """What would have been found at the revision that `--diff-base` names."""
        if self._before is None:
            return ()
        from mpsafe_lint.suppress import show
        from mpsafe_lint.suppress.baseline import as_entries

        findings = self.analyse(self._before, self.options.diff_base).findings
        return as_entries(show(findings, self._before, self.reporting).wanted)

    def choose_of_share(self, analysis: Analysis, project: Project) -> tuple[Finding, ...]:
        """Return which of the findings of a shard are to be shown: which comments silence nothing only the whole of
        them tells."""
        findings = self.choose(analysis.findings, project).findings
        return tuple(finding for finding in findings if finding.kind != "unused-noqa")

    def fix(self, write: bool) -> FixResult:
        """Repair what is to be shown, as far as the settings allow."""
        from mpsafe_lint.repairs.rounds import fix

        project = self.load()
        return fix(
            project,
            self.config,
            reporting=self.reporting,
            choose=lambda findings, project: self.choose(findings, project).findings,
            write=write,
        )

    def report(self, findings: Sequence[Finding], project: Project) -> Report:
        """Return what a report is made from."""
        from mpsafe_lint.reports.report import Report

        return Report(findings, project, self.reporting, _wants_color(self.options))

    def say(self, line: str) -> None:
        """Print a closing line."""
        if not self.options.quiet:
            print(line, file=sys.stderr)


def _wants_color(options: argparse.Namespace) -> bool:
    """Tell whether a report has colours."""
    if options.color != "auto":
        return bool(options.color == "always")
    return sys.stdout.isatty() and not getattr(options, "output_file", None) and not os.environ.get("NO_COLOR")


def _can_be_read(project: Project, path: str) -> bool:
    from mpsafe_lint.files.source import SourceError

    try:
        project.source(path)
    except SourceError:
        return False
    return True


def _read_stdin(options: argparse.Namespace) -> Source | None:
    """Return stdin under the name that it goes by, where `-` asks for it."""
    from mpsafe_lint.config import ConfigError
    from mpsafe_lint.files.source import SourceError, decode

    if "-" not in options.paths:
        if options.stdin_filename:
            raise ConfigError("--stdin-filename: only with - as PATH")
        return None
    try:
        return decode(sys.stdin.buffer.read(), options.stdin_filename or "<stdin>")
    except SourceError as error:
        raise ConfigError(f"stdin, line {error.line}: {error}") from None


def _failed(run: _Run, result: FixResult) -> int:
    """Say which files could not be repaired; return 2 where there are some."""
    for failure in result.failures:
        print(f"{run.prog}: error: {failure.path}: {failure.reason}", file=sys.stderr)
    return FAILED if result.failures else CLEAN


# --- mpsafe-lint ----------------------------------------------------------------------------------------------------


def _lint_command(options: argparse.Namespace) -> int:
    """Do what needs no project, or look at one."""
    if options.print_completion:
        return _print_completion(_lint_parser(), options.print_completion)
    if options.server:
        return _serve(options)
    if options.explain:
        return _explain(options)
    if options.explain_error:
        return _explain_error(options)
    if options.merge:
        return _merge(options)
    run = _Run("mpsafe-lint", options)
    return run.ended(_lint(run))


def _lint(run: _Run) -> int:
    options = run.options
    if options.show_settings:
        return _show_settings(run)
    if options.show_files:
        return _show_files(run)
    if options.migrate:
        return _migrate(run)
    if options.shard:
        return _lint_share(run)
    if options.statistics and options.output_format != "concise":
        _wants_json(options)  # before the work is done
    if options.fix or options.diff:
        return _lint_and_fix(run)
    project = run.load()
    analysis = run.analyse(project)
    shown = run.choose(analysis.findings, project)
    if options.write_baseline:
        return _write_baseline(run, shown)
    if options.add_noqa:
        return _add_noqa(run, project, shown)
    return _report(run, project, run.attach(shown.findings, project), analysis, shown.stale)


def _report(
    run: _Run, project: Project, findings: Sequence[Finding], analysis: Analysis, stale: Sequence[Entry] = ()
) -> int:
    from mpsafe_lint.reports.closing import closing_lines

    report = run.report(findings, project)
    _write(run.options.output_file, _rendered(run.options, report))
    for line in closing_lines(report, analysis, stale, run.options.diff_base or ""):
        run.say(line)
    return FOUND if findings and not run.options.exit_zero else CLEAN


def _migrate(run: _Run) -> int:
    """Report what a migration to a Python with another default start method meets."""
    from mpsafe_lint.check import check
    from mpsafe_lint.progress import shown as progress_shown
    from mpsafe_lint.repairs import attach
    from mpsafe_lint.reports import migrate

    options = run.options
    _alone(options, "migrate", ("fix", "diff", "write_baseline", "add_noqa", "statistics", "shard"))
    as_json = _wants_json(options)
    run.config = migrate.settings(run.config)
    project = run.load()
    with progress_shown() as progress:
        analysis = check(project, run.config, jobs=run.jobs, progress=progress)
    shown = attach(run.choose(analysis.findings, project).findings, project)
    found = migrate.migration(analysis, shown, project.given)
    report = run.report((*found.new, *found.old), project)
    _write(options.output_file, (migrate.as_json if as_json else migrate.render)(report, found))
    return FOUND if found.new and not options.exit_zero else CLEAN


def _lint_share(run: _Run) -> int:
    """Do the share of the work that `--shard` names, and report what no other shard can overrule."""
    from mpsafe_lint import merging, shards
    from mpsafe_lint.cached import told_of_syntax
    from mpsafe_lint.config import ConfigError
    from mpsafe_lint.progress import shown
    from mpsafe_lint.reports.closing import closing_lines, count
    from mpsafe_lint.reports.json import as_list

    options, config = run.options, run.config
    _alone(options, "shard", ("fix", "diff", "write_baseline", "add_noqa", "statistics", "diff_base"))
    if run.stdin:
        raise ConfigError("--shard: not together with stdin")
    project = run.load()
    with shown() as progress:
        share = shards.run_share(project, config, options.shard, jobs=run.jobs, progress=progress)
    sure = shards.certain(share, project, config)
    left = len(run.choose_of_share(shards.joined([share], project, config), project))
    left -= len(run.choose_of_share(sure, project))
    if share.number == 1:
        sure = told_of_syntax(sure, project, share.parsed)
    report = run.report(run.attach(run.choose_of_share(sure, project), project), project)
    if options.output_format == "json":
        origin = shards.origin_of(project, config, options.paths or ["."], options.force_exclude)
        _write(options.output_file, merging.as_text(shards.as_json(share, origin), options.shard, as_list(report)))
    else:
        _write(options.output_file, _rendered(options, report))
    for line in closing_lines(report, sure, ()):
        run.say(line)
    if left > 0:
        run.say(f"note: {count(left, 'finding')} more of this shard, on which --merge decides with the others")
    return FOUND if report.findings and not options.exit_zero else CLEAN


def _merge(options: argparse.Namespace) -> int:
    """Report what several reports say together."""
    from mpsafe_lint import merging
    from mpsafe_lint.config import ConfigError
    from mpsafe_lint.reports import reading

    others = ("shard", "executor", "migrate", "fix", "diff", "add_noqa", "diff_base", "show_settings", "show_files")
    _alone(options, "merge", (*others, "stdin_filename"))
    if not options.paths:
        raise ConfigError("--merge: name the reports as PATH: mpsafe-lint --merge one.json two.json")
    if options.statistics and options.output_format != "concise":
        _wants_json(options)
    documents = [reading.read(path) for path in options.paths]
    groups = merging.by_project(documents)
    if len(groups) == 1 and all(document.work for document in documents):
        run, project, analysis = _joined(options, *groups[0])
        shown = run.choose(analysis.findings, project)
        if options.write_baseline:
            return run.ended(_write_baseline(run, shown))
        return run.ended(_report(run, project, run.attach(shown.findings, project), analysis, shown.stale))
    return _merge_lists(options, documents, groups)


def _joined(options: argparse.Namespace, folder: Path, group: Sequence[Shard]) -> tuple[_Run, Project, Analysis]:
    """Return what the shards of one project come to, and the run that would have found it."""
    from mpsafe_lint import merging, shards
    from mpsafe_lint.cached import told_of_syntax

    _, share, origin = group[0]
    paths = [str(folder / path) for path in origin.paths]
    given = {**vars(options), "paths": paths, "force_exclude": origin.force_exclude}
    run = _Run("mpsafe-lint", argparse.Namespace(**given))
    project = run.load()
    now = shards.origin_of(project, run.config, paths, origin.force_exclude)
    analysis = merging.joined(group, project, run.config, now)
    return run, project, told_of_syntax(analysis, project, share.parsed)


def _merge_lists(
    options: argparse.Namespace, documents: Sequence[Document], groups: Sequence[tuple[Path, Sequence[Shard]]]
) -> int:
    """Report what whole runs said, beside what shards of several projects come to."""
    from dataclasses import replace
    from pathlib import Path

    from mpsafe_lint import merging
    from mpsafe_lint.config import Config, ConfigError, Reporting
    from mpsafe_lint.reports import reading
    from mpsafe_lint.reports.closing import closing_line
    from mpsafe_lint.reports.json import as_list
    from mpsafe_lint.reports.report import Report

    overrides = _overrides(options)
    for name in ("write_baseline", *overrides):
        if getattr(options, name) and name not in ("unsafe_fixes", "fixable", "unfixable"):
            raise ConfigError(
                f"--{name.replace('_', '-')}: not with reports of several runs, which are taken as they are"
            )
    lists = [document for document in documents if document.work is None]
    for folder, group in groups:
        run, project, analysis = _joined(options, folder, group)
        findings = run.attach(run.choose(analysis.findings, project).findings, project)
        lists.append(reading.Document(group[0][0], as_list(run.report(findings, project))))
    project = reading.project_of(lists)
    findings = tuple(merging.distinct(lists, project))
    config = replace(Config(folder=Path.cwd()), **overrides)
    report = Report(findings, project, Reporting(Path.cwd(), config, {}, nearest=False), _wants_color(options))
    _write(options.output_file, _rendered(options, report))
    if not options.quiet:
        print(closing_line(report, len(documents)), file=sys.stderr)
    return FOUND if findings and not options.exit_zero else CLEAN


def _lint_and_fix(run: _Run) -> int:
    """Repair, and report what is left; with `--diff`, show what would be repaired, and change nothing."""
    from mpsafe_lint.config import ConfigError
    from mpsafe_lint.reports.fixed import diff, summary

    options = run.options
    _alone(options, "fix" if options.fix else "diff", ("executor",))
    if run.stdin and not options.diff:
        raise ConfigError("--fix: stdin can't be changed; mpsafe-fix - prints what it would be")
    result = run.fix(write=not options.diff)
    if not options.diff:
        failed = _failed(run, result)
        run.say(summary(result, "repaired"))
        return failed or _report(run, result.project, result.remaining, result.analysis)
    _write(options.output_file, diff(run.report((), result.project), result))
    run.say(summary(result, "would repair"))
    return FOUND if (result.applied or result.remaining) and not options.exit_zero else CLEAN


def _rendered(options: argparse.Namespace, report: Report) -> str:
    from mpsafe_lint.reports import render, statistics

    if options.statistics:
        return statistics.render(report, as_json=options.output_format == "json")
    return render(options.output_format, report)


def _write(file: str | None, text: str) -> None:
    from pathlib import Path

    from mpsafe_lint.config import ConfigError
    from mpsafe_lint.files.writing import write_bytes

    if file is None:
        sys.stdout.write(text)
        return
    try:
        write_bytes(Path(file), text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ConfigError(f"--output-file: {file} cannot be written: {error.strerror}") from None


def _write_baseline(run: _Run, shown: Shown) -> int:
    from mpsafe_lint.config import ConfigError
    from mpsafe_lint.reports.closing import count
    from mpsafe_lint.suppress import baseline

    file = baseline.file_of(run.config, run.root.path)
    try:
        baseline.write(file, shown.wanted)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}") from None
    run.say(f"wrote {count(len(shown.wanted), 'finding')} to {file}")
    return CLEAN


def _add_noqa(run: _Run, project: Project, shown: Shown) -> int:
    from mpsafe_lint.reports.closing import count
    from mpsafe_lint.suppress.add_noqa import add_noqa

    done, failures = add_noqa(shown.findings, project)
    run.say(f"silenced {count(done, 'finding')} by comments")
    for failure in failures:
        print(f"mpsafe-lint: error: {failure}", file=sys.stderr)
    return FAILED if failures else CLEAN


def _serve(options: argparse.Namespace) -> int:
    """Answer an editor until it says that it ends. What holds is the configuration of each project."""
    from mpsafe_lint.config import ConfigError

    if options.paths:
        raise ConfigError("--server: takes no PATH: the editor names the files")
    try:
        from mpsafe_lint.server.server import make
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise ConfigError("--server: pygls is not installed: pip install 'mpsafe-lint[lsp]'") from None
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as answers:  # the server closes what it writes to
        make().start_io(stdout=answers)
    return CLEAN


def _explain(options: argparse.Namespace) -> int:
    from mpsafe_lint.config import ConfigError, matches, unknown_selector
    from mpsafe_lint.knowledge.rules import BY_KIND, all_codes
    from mpsafe_lint.reports import explain

    wanted = options.explain if options.explain in BY_KIND else options.explain.upper()
    if message := unknown_selector(wanted):
        raise ConfigError(f"--explain: {message}")
    codes = [code for code in sorted(all_codes()) if wanted == code or matches(wanted, code)]
    _write(options.output_file, explain.as_json(codes) if _wants_json(options) else explain.pages(codes))
    return CLEAN


def _explain_error(options: argparse.Namespace) -> int:
    """Explain a log: the text on stdin, or the files that are named."""
    from pathlib import Path

    from mpsafe_lint.config import ConfigError
    from mpsafe_lint.reports.explain import error_as_json
    from mpsafe_lint.runtime import explain_error

    try:
        data = [sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes() for path in options.paths or ["-"]]
    except OSError as error:
        raise ConfigError(f"--explain-error: {error.filename} cannot be read: {error.strerror}") from None
    explanation = explain_error(b"\n".join(data).decode("utf-8", "replace"))
    if _wants_json(options):
        _write(options.output_file, error_as_json(explanation))
    elif explanation:
        _write(options.output_file, f"{explanation}\n")
    else:
        print("mpsafe-lint: nothing in this text is known", file=sys.stderr)
    return CLEAN if explanation else FOUND


def _print_completion(parser: _Parser, shell: str) -> int:
    from mpsafe_lint.completion import script

    sys.stdout.write(script(parser, shell))
    return CLEAN


def _wants_json(options: argparse.Namespace) -> bool:
    """Tell whether what isn't a report is wanted as JSON. Raises ConfigError for a format that is for reports alone."""
    from mpsafe_lint.config import ConfigError

    if options.output_format not in ("full", "json"):
        raise ConfigError(f"--output-format: {options.output_format} is a form of reports alone: use full or json")
    return bool(options.output_format == "json")


def _show_settings(run: _Run) -> int:
    from mpsafe_lint.config import as_toml, config_file

    file = run.options.config or (None if run.options.isolated else config_file(run.root.path))
    print(f"# root: {run.root.path}")
    print(f"# configuration: {file or 'none'}")
    print(f"# environment: {run.load().environment}")
    sys.stdout.write(as_toml(run.config))
    return CLEAN


def _show_files(run: _Run) -> int:
    project = run.load()
    for path in sorted(project.given):
        print(project.root / path)
    return CLEAN


# --- mpsafe-fix -----------------------------------------------------------------------------------------------------


def _fix_command(options: argparse.Namespace) -> int:
    if options.print_completion:
        return _print_completion(_fix_parser(), options.print_completion)
    run = _Run("mpsafe-fix", options)
    return run.ended(_fix(run))


def _fix(run: _Run) -> int:
    from mpsafe_lint.reports.fixed import diff, left, repaired, summary

    options = run.options
    dry = options.check or options.diff
    result = run.fix(write=not dry)
    report = run.report((), result.project)
    if options.diff:
        sys.stdout.write(diff(report, result))
    elif run.stdin:
        _print_stdin(run.stdin, result)
    notes = sys.stderr if options.diff or run.stdin else sys.stdout
    notes.write("" if options.diff else repaired(report, result))
    notes.write(left(report, result))
    failed = _failed(run, result)
    run.say(summary(result, "would repair" if dry else "repaired"))
    return failed or (FOUND if options.check and result.changes else CLEAN)


def _print_stdin(stdin: Source, result: FixResult) -> None:
    """Print the repaired text of stdin, in its own encoding."""
    texts = [change.new for change in result.changes if change.path in result.project.overlay]
    sys.stdout.flush()
    sys.stdout.buffer.write(stdin.encode(texts[0] if texts else stdin.text))
