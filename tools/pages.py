#!/usr/bin/env python3
"""Runs what the pages of README.md and docs/ show, and renews it: printed texts, outputs of commands, pictures of timelines.

    ./dev run tools/pages.py                       # renew all pages
    ./dev run tools/pages.py --check docs/emit.md  # change nothing, fail if something would change

Blocks of a page run in order, in a folder of their own that has `kernels/` and `docs/` in it:

- ```python runs, all blocks of a page in one namespace; one that begins with a comment `# name.py` is saved under this name, too.
  A paragraph that begins with "prints" and a block after it are what it printed.
- ```console has lines `$ command`, each followed by its output. The exit status is 0, or what `  # exit N` at its end says.
- ```sh has commands only; each succeeds.
- ```py, ```cpp and others are not run.

A line `...` in an output stands for any lines, `...` at the end of a line for the rest of it. Comments before a block or a picture, which readers do not see:

- `<!-- not run: reason -->` before a block that needs root, a network or minutes,
- `<!-- setup: command -->` runs a command that a reader can do without,
- `<!-- picture: blocks=0,1 until=2.5 -->` before an image: it is the timeline of the launch that came last, of these blocks, up to
  this time in microseconds.
"""

import argparse
import contextlib
import io
import linecache
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Written by other tools, or a session with a debugger: their examples are tested with what they are about.
ELSEWHERE = {"options.md", "rules.md", "findings.md", "debug.md", "glossary.md"}
PIECE = re.compile(
    r"^<!-- (?P<mark>not run|setup|picture): *(?P<note>.*?) *-->\n"
    r"|^(?P<indent> *)```(?P<kind>[\w{}-]*)\n(?P<body>.*?)^(?P=indent)```\n(?P<said>\n(?:which )?prints[^\n]*\n\n```\n(?P<printed>.*?)^```\n)?"
    r"|^!\[[^\]]*\]\((?P<image>[^)]+\.svg)\)",
    re.MULTILINE | re.DOTALL,
)


def pages():
    """Every page that is run here."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    hidden = {"isa", "lint", "_build"}
    return [path for path in found if path.name not in ELSEWHERE and not hidden & set(path.relative_to(ROOT).parts)]


class Mistake(Exception):
    """Something on a page that does not work. The text says where."""


def matches(expected, actual):
    """Whether an output is what the page shows; `...` alone on a line stands for any lines, at its end for the rest of the line."""
    parts = re.split(r"^ *\.\.\.\n", expected, flags=re.MULTILINE)
    pattern = "(?:.*\n)*?".join(re.escape(part).replace(re.escape("...\n"), ".*\n") for part in parts)
    return re.fullmatch(pattern, actual) is not None


@dataclass
class Page:
    """A page, run from top to bottom. `text` becomes what it should be."""

    path: Path
    folder: Path
    pictures: dict[Path, str] = field(default_factory=dict)
    not_run: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.text = self.path.read_text()
        self.namespace: dict = {}
        self.report = None

    def where(self, match, offset=0):
        line = self.text.count("\n", 0, match.start()) + 1 + offset
        return f"{self.path.relative_to(ROOT)}:{line}"

    # ---- commands --------------------------------------------------------------------------------------------------

    def environment(self):
        python = [str(ROOT / "build/python"), str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]
        quiet = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "120", "TILESMITH_NO_SYSTEM_PACKAGES": "1"}
        path = os.pathsep.join([str(ROOT / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
        return os.environ | quiet | {"PYTHONPATH": os.pathsep.join(filter(None, python)), "PATH": path}

    def make_folder(self):
        for name in ("kernels", "docs"):
            (self.folder / name).symlink_to(ROOT / name)

    def shell(self, command, place, status=0):
        """What a command prints on both streams; its exit status must be this."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        if done.returncode != status:
            raise Mistake(f"{place}: `{command}` ends with {done.returncode}, not {status}:\n{done.stdout}")
        # The folder has another name every time, and readers have none like it.
        return done.stdout.replace(f"{self.folder}/", "").replace(str(self.folder), ".")

    def console(self, match):
        """The block with the outputs its commands have now."""
        lines, at = match["body"].splitlines(keepends=True), 0
        made = []
        while at < len(lines):
            if not lines[at].startswith("$ "):
                raise Mistake(f"{self.where(match, at + 1)}: a block of console begins with a command, `$ ...`")
            command, _, status = lines[at][2:].rstrip("\n").partition("  # exit ")
            place = self.where(match, at + 1)
            made.append(lines[at])
            at += 1
            begin = at
            while at < len(lines) and not lines[at].startswith("$ "):
                at += 1
            shown, output = "".join(lines[begin:at]), self.shell(command, place, int(status or 0))
            if output and not output.endswith("\n"):
                output += "\n"
            made.append(shown if matches(shown, output) else output)
        return "".join(made)

    def script(self, match):
        for offset, line in enumerate(match["body"].splitlines()):
            if line.strip() and not line.strip().startswith("#"):
                self.shell(line.strip(), self.where(match, offset + 1))

    # ---- Python ----------------------------------------------------------------------------------------------------

    def python(self, match, index):
        """What a block prints."""
        source, name = match["body"], f"/{index}/{self.path.name}"  # kernels need their source; what they print has its name
        if saved := re.match(r"# ([\w/]+\.py)\b", source):
            (self.folder / saved[1]).write_text(source)
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                exec(compile(source, name, "exec"), self.namespace)
        except Exception as error:
            raise Mistake(f"{self.where(match, 1)}: the block raises {type(error).__name__}: {error}") from error
        finally:
            del linecache.cache[name]
        return out.getvalue()

    def draw(self, options, image, place):
        from tilesmith.pages import gantt

        if not self.report or not self.report.launches:
            raise Mistake(f"{place}: no launch before this picture")
        wanted = dict(option.split("=") for option in options.split())
        blocks = {int(number) for number in wanted["blocks"].split(",")} if "blocks" in wanted else None
        launch = self.report.launches[-1]
        rows = gantt.lanes(launch, blocks)
        title = f"{launch.kernel}, {launch.blocks} blocks on {launch.platform}"
        until = float(wanted.get("until", 0)) or None
        self.pictures[self.path.parent / image] = gantt.picture(rows, title=title, until=until, flags=gantt.arrows(launch, rows))

    # ---- the whole -------------------------------------------------------------------------------------------------

    def run(self):
        """Runs the page; `text` is then the page as it should be, `pictures` what its images should be."""
        import asc
        import asc2
        import numpy as np
        from asc.runtime import config

        self.make_folder()
        self.namespace |= {"asc": asc, "asc2": asc2, "np": np, "__name__": "__main__"}
        made, last, skip, drawing, index = [], 0, None, None, 0
        config.set_platform(config.Backend.Model, "Ascend910B1")
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.chdir(self.folder))
            if "<!-- picture:" in self.text:
                self.report = stack.enter_context(asc.profile())
                stack.enter_context(asc.launch_mode("traced"))
            for match in PIECE.finditer(self.text):
                body = None
                if match["mark"] == "not run":
                    skip = match["note"]
                elif match["mark"] == "setup":
                    self.shell(match["note"], self.where(match))
                elif match["mark"] == "picture":
                    drawing = match["note"]
                elif match["image"]:
                    if drawing is not None:
                        self.draw(drawing, match["image"], self.where(match))
                    drawing = None
                elif skip is not None:
                    self.not_run.append(f"{self.where(match)}: {skip}")
                    skip = None
                elif match["kind"] == "python":
                    output = self.python(match, index)
                    if match["said"] and not matches(match["printed"], output):
                        made += [self.text[last : match.start("printed")], output]
                        last = match.end("printed")
                elif match["kind"] == "console":
                    body = self.console(match)
                elif match["kind"] == "sh":
                    self.script(match)
                index += match["kind"] == "python"
                if body is not None and body != match["body"]:
                    made += [self.text[last : match.start("body")], body]
                    last = match.end("body")
        self.text = "".join([*made, self.text[last:]])
        config.set_platform(config.Backend.Model, "Ascend910B1")
        return self


def run(path):
    """A page after it ran in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="tilesmith-page-") as folder:
        return Page(path, Path(folder).resolve()).run()


def stale(page):
    """{file: text} of what a page that ran wants to be different."""
    wanted = {page.path: page.text, **page.pictures}
    return {path: text for path, text in wanted.items() if not path.exists() or path.read_text() != text}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", type=Path, help="default: all")
    parser.add_argument("--check", action="store_true", help="change nothing, fail if something would change")
    args = parser.parse_args()
    failed = False
    for path in [page.resolve() for page in args.pages] or pages():
        try:
            page = run(path)
        except Mistake as mistake:
            print(mistake, file=sys.stderr)
            failed = True
            continue
        for file, text in stale(page).items():
            print(f"{file.relative_to(ROOT)}: {'not up to date; run tools/pages.py' if args.check else 'renewed'}")
            failed |= args.check
            if not args.check:
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)
    sys.exit(failed)


if __name__ == "__main__":
    main()
