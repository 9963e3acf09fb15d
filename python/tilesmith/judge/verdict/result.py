"""Files the judge writes: whole or not at all, and bound to what was judged."""

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path

from .. import DEFAULT_IMPL
from ..isolation.cases import cases_file
from ..isolation.process import SOURCES

_HEAD = _TAIL = 1000


def result_name(impl_name):
    """The result file of a variant: verify_result.json for the default, verify_result_<variant>.json for triton_<variant>."""
    if impl_name == DEFAULT_IMPL:
        return "verify_result.json"
    return f"verify_result_{impl_name.removeprefix('triton_')}.json"


def truncated(text):
    """A message over 2000 characters keeps its first and last 1000."""
    if len(text) <= _HEAD + _TAIL:
        return text
    return f"{text[:_HEAD]}\n... [{len(text) - _HEAD - _TAIL} characters truncated] ...\n{text[-_TAIL:]}"


def sha256_of(path):
    with open(path, "rb") as file:
        return (
            hashlib.file_digest(file, "sha256").hexdigest()
            if hasattr(hashlib, "file_digest")
            else hashlib.sha256(file.read()).hexdigest()
        )


@cache
def tool_sha256():
    """The judge itself: its Python files and the extension."""
    import _tilesmith

    judge = Path(__file__).resolve().parents[1]
    digest = hashlib.sha256()
    for path in [*sorted(judge.rglob("*.py")), Path(_tilesmith.__file__)]:
        name = path.relative_to(judge) if path.is_relative_to(judge) else path.name
        digest.update(f"{name} {sha256_of(path)}\n".encode())
    return digest.hexdigest()


def bindings(task, candidate):
    """What a result belongs to; a result whose bindings are not those of the files at hand says nothing about them.

    The names end in _sha256. Cases of the task in a file of their own, and C++ sources beside the candidate, are there if they are.
    """
    bound = {"task_sha256": sha256_of(task), "candidate_sha256": sha256_of(candidate), "tool_sha256": tool_sha256()}
    if cases := cases_file(task):
        bound["cases_sha256"] = sha256_of(cases)
    folder = os.path.dirname(os.path.abspath(candidate))
    if sources := sorted(name for name in os.listdir(folder) if name.endswith(SOURCES)):
        listing = "".join(f"{name} {sha256_of(os.path.join(folder, name))}\n" for name in sources)
        bound["sources_sha256"] = hashlib.sha256(listing.encode()).hexdigest()
    return bound


def remove(path):
    """An older result must not outlive the start of a new run."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def _write(fd, text):
    with os.fdopen(fd, "w", encoding="utf-8", errors="backslashreplace", closefd=False) as file:  # lone surrogates
        file.write(text)
        file.flush()
    os.fsync(fd)


def _publish_unnamed(path, folder, text):
    """A file without a name gets one when it is complete, so that not even a crash leaves anything else behind."""
    fd = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o644)
    try:
        _write(fd, text)
        os.link(f"/proc/self/fd/{fd}", path, follow_symlinks=True)
    finally:
        os.close(fd)


def _publish_renamed(path, folder, text):
    fd, temporary = tempfile.mkstemp(dir=folder, prefix=f".{os.path.basename(path)}.", suffix=".tmp")
    try:
        try:
            _write(fd, text)
            os.fchmod(fd, 0o644)
        finally:
            os.close(fd)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write_text(path, text):
    """Atomic and durable: a reader, and a crash at any moment, sees the old file, no file, or all of the new one."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        _publish_unnamed(path, folder, text)
    except OSError:  # the file system cannot, or there is a file already
        _publish_renamed(path, folder, text)
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write(path, content):
    """JSON, as write_text writes."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
