"""What a command says with `--json`: exactly one object on stdout, however the command ends.

A verb puts its facts into `args.document`, a dictionary, whether or not it was asked for JSON. What goes wrong it raises as `Failure`,
or tells `args.document.error`. The fields of every document, and those of each verb, are in tilesmith/schema.
"""

import contextlib
import json
import math
import os
import re
import sys

SCHEMA_VERSION = 1

PLACE = re.compile(
    r"^(?:[^\n]*?: )?(?P<file>[^\n:]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<severity>error|warning): (?P<message>.*)$",
    re.MULTILINE,
)


class Failure(Exception):
    """A command cannot do what it was asked: `tilesmith: error: TEXT` on stderr, and its exit code."""

    def __init__(self, text, code=2, kind=None):
        super().__init__(text)
        self.code, self.kind = code, kind or ("usage" if code == 2 else "failed")


def entries(text, kind):
    """An error for each diagnostic in a text; one for a text that names no place."""
    found = [match for match in PLACE.finditer(text) if match["severity"] == "error"]
    if not found:
        return [{"kind": kind, "message": text.strip(), "rendered": text.rstrip()}]
    ends = [match.start() for match in found[1:]] + [len(text)]
    return [
        {
            "kind": kind,
            "message": match["message"],
            "file": match["file"],
            "line": int(match["line"]),
            **({"column": int(match["column"])} if match["column"] else {}),
            "rendered": text[match.start() if index else 0 : end].rstrip(),
        }
        for index, (match, end) in enumerate(zip(found, ends))
    ]


class Document(dict):
    """The facts of one command, with its errors and warnings."""

    def __init__(self, command):
        super().__init__()
        self.command, self.errors, self.warnings = command, [], []
        self.specified = False  # the facts are those of a specification, which has them first and in this order

    def error(self, kind, text):
        """Notes an error. Showing it to people is the caller's business."""
        self.errors += entries(text, kind)

    def text(self, code):
        """The document as JSON, for a command that ends with this code."""
        head = {"schema_version": SCHEMA_VERSION, "command": self.command, "exit_code": code}
        tail = {"errors": self.errors, "warnings": self.warnings}
        facts = {**self, **head, **tail} if self.specified else {**head, **self, **tail}
        try:
            return json.dumps(facts, indent=2, default=_plain, allow_nan=False)
        except ValueError:  # JSON has neither infinities nor NaN
            return json.dumps(_finite(json.loads(json.dumps(facts, default=_plain))), indent=2)

    def _note_warning(self, message, category, filename, lineno, file=None, line=None):
        place = {"file": filename, "line": lineno}
        self.warnings.append({"kind": category.__name__, "message": str(message), **place})

    @contextlib.contextmanager
    def alone_on_stdout(self):
        """Sends all output of this process and its children to stderr. Gives the stream for the document."""
        import warnings

        if sys.stdout is None:  # closed before we began
            yield
            return
        stdout, show = sys.stdout, warnings.showwarning

        def note(*args, **kwargs):
            self._note_warning(*args, **kwargs)
            show(*args, **kwargs)

        warnings.showwarning = note
        sys.stdout.flush()
        kept = None
        try:
            if stdout.fileno() == 1:
                kept = os.dup(1)
                os.dup2(2, 1)
        except (OSError, ValueError):  # a test's own stdout, or none
            pass
        sys.stdout = sys.stderr
        try:
            yield
        finally:
            warnings.showwarning = show
            with contextlib.suppress(OSError, ValueError):
                sys.stdout.flush()
            if kept is not None:
                with contextlib.suppress(OSError, ValueError):
                    stdout.flush()
                os.dup2(kept, 1)
                os.close(kept)
            sys.stdout = stdout


def _finite(value):
    """The same with null for numbers that are none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    return [_finite(entry) for entry in value] if isinstance(value, list) else value


def _plain(value):
    """NumPy's numbers and paths, which facts may hold."""
    if hasattr(value, "item"):
        return value.item()
    if hasattr(value, "__fspath__"):
        return os.fspath(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
