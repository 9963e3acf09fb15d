"""Checking files and folders: reads them, hands them to the rules, and keeps what counts."""

import json
import os
import warnings
from dataclasses import dataclass, field, replace
from functools import cache

from tilesmith.lint import files, suppressions
from tilesmith.lint.findings import Finding
from tilesmith.validate import read

FEW_FILES = 256  # one process is as fast for up to so many


@dataclass
class Options:
    profile: str = "default"
    stage: int = 0  # of operators; 0: what their state says
    portable: bool = True
    enable: list = field(default_factory=list)  # ids
    disable: list = field(default_factory=list)
    only: list = field(default_factory=list)
    ignored: dict = field(default_factory=dict)  # ids by file


@cache
def exports():
    """Names that asc and asc2 have, one on a line; empty if they cannot be imported."""
    try:
        import asc
        import asc2
        from asc.language import basic, fwk
    except ImportError:
        return ""
    known = [f"asc.{name}" for name in (*dir(asc), *basic.__all__, *fwk.__all__)] + [f"asc2.{name}" for name in dir(asc2)]
    return "".join(f"\n{name}" for name in known) + "\n"


@cache
def names():
    from tilesmith.lint.rules import rules

    return {rule["id"]: rule["name"] for rule in rules()}


def failed(path, message, line=1, column=1):
    return Finding("TS901", "error", message, path, line, column, "correct the syntax")


def lint_text(path, text, role, stage, options, describe=False):
    """(findings of one file given as UTF-8, what it holds), before anything is ignored."""
    from tilesmith.extension import _tilesmith

    off = [*options.disable, *options.ignored.get(path, [])]
    known = exports() if role == "kernel" and b"asc" in text else ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the file's own escapes in strings
            found, facts = _tilesmith.lint_source(
                text, path, role, stage, options.profile, options.portable, options.enable, off, list(options.only), known, describe
            )
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        return [failed(path, f"the file does not parse: {getattr(error, 'msg', None) or error}", line, max(column, 1))], {}
    return [Finding(file=path, **entry) for entry in json.loads(found)], json.loads(facts) if facts else {}


def lint_file(path, options):
    """The findings of one file."""
    try:
        text = read(path)
    except OSError as error:
        return [failed(path, f"the file cannot be read: {error.strerror or error}")]
    except (SyntaxError, UnicodeError, LookupError) as error:
        return [failed(path, f"the file does not parse: {error}")]
    if files.STUB in text[:512]:
        return []
    role, operator = files.role_of(path, text)
    # Without a stage all rules run; only that of early unrolling asks which one the operator is at.
    tuned = operator is not None and operator.stage >= 7 and not options.stage
    found, _ = lint_text(
        path,
        text,
        role,
        7 if tuned else options.stage,
        replace(options, only=_anytime(role)) if tuned and not options.only else options,
    )
    if b"tilesmith:" in text:
        found = suppressions.apply(path, text.decode("utf-8", "replace"), found, names())
    return [finding for finding in found if finding.rule not in options.disable]


@cache
def _anytime(role):
    """All rules that are on for files of this role, whatever their stages."""
    from tilesmith.lint.rules import rules

    return tuple(rule["id"] for rule in rules() if rule["role"] == role and rule["on"])


def lint_operator(folder, operator, options):
    """The findings of the rules about a whole folder."""
    from tilesmith.lint import operator as folder_rules

    return folder_rules.check(operator, folder, options)


def lint(paths, operators, options, advance=lambda: None):
    """All findings, by place."""
    found = []
    if len(paths) <= FEW_FILES or (os.cpu_count() or 1) < 2:
        for path in paths:
            found += lint_file(path, options)
            advance()
    else:
        from concurrent.futures import ProcessPoolExecutor
        from functools import partial
        from multiprocessing import get_context

        import _tilesmith  # noqa: F401  loaded once, before the processes part

        exports()
        with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("fork")) as pool:
            for some in pool.map(partial(lint_one, options), paths, chunksize=32):
                found += some
                advance()
    for folder, operator in operators:
        found += lint_operator(folder, operator, options)
    return sorted(found, key=lambda finding: finding.place)


def lint_one(options, path):
    return lint_file(path, options)
