"""Colour and progress, where a person looks at a terminal. Elsewhere text stays as it is, byte for byte, and nothing is loaded.

`--color` decides, else NO_COLOR, else FORCE_COLOR, else whether the stream is a terminal.
"""

import os
import re
import sys
import time

_choice = "auto"

_STYLES = {"error": "1;31", "warning": "1;35", "remark": "1;34", "note": "1;36", "help": "1;32"}


def choose(colour):
    """What `--color` said: "auto", "always" or "never"."""
    global _choice
    _choice = colour


def is_terminal(stream):
    """Whether the stream shows what is written to it to a person, with a cursor that can be moved."""
    try:
        return stream.isatty() and os.environ.get("TERM") != "dumb"
    except (AttributeError, ValueError):  # closed, or not a stream of ours
        return False


def is_coloured(stream):
    """Whether text for this stream gets colours."""
    if _choice != "auto":
        return _choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal(stream)


def _styled(style, text):
    return f"\x1b[{style}m{text}\x1b[0m" if text else text


def _diagnostic(match):
    place, severity, text, identifier = match.groups()
    text = _styled("1", text) if severity in ("error", "warning") else text
    return _styled("1", place) + _styled(_STYLES[severity], f"{severity}:") + text + _styled("2", identifier or "")


_RULES = [
    # file.py:3:7: error: what [id], note: what, tilesmith: error: what
    (
        re.compile(
            r"^((?:[^\s|][^\n]*?:\d+(?::\d+)?: |tilesmith(?: \w+)?: )?)(error|warning|remark|note|help):(.*?)( \[[\w.-]+\])?$",
            re.MULTILINE,
        ),
        _diagnostic,
    ),
    # the line under a line of source
    (re.compile(r"^( *\| *)([\^~][\^~ ]*)$", re.MULTILINE), lambda m: _styled("34", m[1]) + _styled("1;32", m[2])),
    # a line of source
    (re.compile(r"^( *\d+ \|)", re.MULTILINE), lambda m: _styled("34", m[1])),
    # reports: the head of a launch, and names of facts below it
    (re.compile(r"^(\w+  \S.* blocks? on \w.*)$", re.MULTILINE), lambda m: _styled("1", m[1])),
    (
        re.compile(r"^(  )([A-Za-z][\w ]{1,12}?)(  +)(?=\S)", re.MULTILINE),
        lambda m: m[1] + _styled("1;33" if m[2] == "hint" else "36", m[2]) + m[3],
    ),
    (re.compile(r"^(no findings in .*)$", re.MULTILINE), lambda m: _styled("32", m[1])),
    (re.compile(r"^(\d+ findings? in .*)$", re.MULTILINE), lambda m: _styled("1;31", m[1])),
]


def coloured(text):
    """Diagnostics and reports with the colours of a terminal."""
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return text


def say(*values, file=None):
    """Like print, in colour where the stream has it."""
    stream = sys.stdout if file is None else file
    text = " ".join(map(str, values))
    print(coloured(text) if is_coloured(stream) else text, file=stream)


def write(text):
    """Writes text to stdout as it is, in colour where stdout has it."""
    sys.stdout.write(coloured(text) if is_coloured(sys.stdout) else text)


class Progress:
    """How far long work is. This one shows nothing: stderr is not a terminal.

    `advance` when a piece is done, `line` for a line of text that stays; `total` is None where it is not known.
    """

    def __init__(self, text, total=None, done=0):
        self.text, self.total, self.done = text, total, done

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def advance(self, count=1, text=None):
        """`count` pieces are done; `text` is what is said beside the bar from now on."""
        self.done += count
        self.text = text or self.text

    def line(self, text):
        """Writes a line that stays."""
        print(text, file=sys.stderr, flush=True)


class _Bar(Progress):
    """On a terminal: a bar that is gone when the work is done.

    Where a script prints meanwhile it appears half a second after the first piece was done: short work has none.
    """

    DELAY = 0.5
    INTERVAL = 0.05  # between drawings

    def __init__(self, text, total=None, done=0, owns_output=False):
        super().__init__(text, total, done)
        self.owns_output, self.first, self.drawn, self.bar = owns_output, None, 0.0, None

    def _start(self):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Rich

        known = [BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()] if self.total else [SpinnerColumn(), TimeElapsedColumn()]
        self.bar = Rich(
            TextColumn("{task.description}", markup=False),
            *known,
            console=Console(file=sys.stderr, no_color=not is_coloured(sys.stderr)),
            transient=True,
            # What a script prints would break the bar. No thread then: the script may fork while it draws.
            redirect_stdout=not self.owns_output and is_terminal(sys.stdout),
            redirect_stderr=not self.owns_output,
            auto_refresh=self.owns_output,
        )
        self.task = self.bar.add_task(self.text, total=self.total, completed=self.done)
        self.bar.start()

    def __enter__(self):
        if self.owns_output:
            self._start()
        return self

    def __exit__(self, *exception):
        if self.bar is not None:
            self.bar.stop()
        return False

    def advance(self, count=1, text=None):
        super().advance(count, text)
        now = time.monotonic()
        self.first = self.first or now
        if self.bar is None and now - self.first > self.DELAY:
            self._start()
        if self.bar is not None and (now - self.drawn > self.INTERVAL or self.done == self.total):
            self.drawn = now
            self.bar.update(self.task, completed=self.done, description=self.text, refresh=True)

    def line(self, text):
        if self.bar is None:
            super().line(text)
        else:
            self.bar.console.print(text, markup=False, highlight=False, soft_wrap=True)


def progress(text, total=None, done=0, owns_output=True):
    """A context manager that shows on stderr how far long work is, if stderr is a terminal.

        with terminal.progress("tuning", total=40) as bar:
            for config in configs:
                ...
                bar.advance(text=f"tuning, best {best:.1f} us")

    `owns_output` is False where something else, such as a user's script, prints meanwhile.
    """
    if not is_terminal(sys.stderr):
        return Progress(text, total, done)
    return _Bar(text, total, done, owns_output)
