"""Files the judge writes: whole or not at all, and bound to what was judged."""

import hashlib
import json
import os
import tempfile
from functools import cache

_HEAD = _TAIL = 1000


def truncated(text):
    """A message over 2000 characters keeps its first and last 1000."""
    if len(text) <= _HEAD + _TAIL:
        return text
    return f"{text[:_HEAD]}\n... [{len(text) - _HEAD - _TAIL} characters truncated] ...\n{text[-_TAIL:]}"


def sha256_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() if hasattr(hashlib, "file_digest") else \
            hashlib.sha256(file.read()).hexdigest()


@cache
def tool_sha256():
    """The judge itself: its Python files and the extension."""
    import _tilesmith

    folder = os.path.dirname(os.path.abspath(__file__))
    digest = hashlib.sha256()
    for path in sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".py")) + [_tilesmith.__file__]:
        digest.update(f"{os.path.basename(path)} {sha256_of(path)}\n".encode())
    return digest.hexdigest()


def bindings(task, candidate):
    """What a result belongs to; a result whose bindings are not those of the files at hand says nothing about them."""
    return {"task_sha256": sha256_of(task), "candidate_sha256": sha256_of(candidate), "tool_sha256": tool_sha256()}


def remove(path):
    """An older result must not outlive the start of a new run."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def _write_text(fd, content):
    with os.fdopen(fd, "w", encoding="utf-8", errors="backslashreplace", closefd=False) as file:  # lone surrogates
        json.dump(content, file, indent=2, ensure_ascii=False, allow_nan=False)
        file.write("\n")
        file.flush()
    os.fsync(fd)


def _publish_unnamed(path, folder, content):
    """A file without a name gets one when it is complete, so that not even a crash leaves anything else behind."""
    fd = os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o644)
    try:
        _write_text(fd, content)
        os.link(f"/proc/self/fd/{fd}", path, follow_symlinks=True)
    finally:
        os.close(fd)


def _publish_renamed(path, folder, content):
    fd, temporary = tempfile.mkstemp(dir=folder, prefix=f".{os.path.basename(path)}.", suffix=".tmp")
    try:
        try:
            _write_text(fd, content)
            os.fchmod(fd, 0o644)
        finally:
            os.close(fd)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write(path, content):
    """Atomic and durable: a reader, and a crash at any moment, sees the old file, no file, or all of the new one."""
    folder = os.path.dirname(os.path.abspath(path))
    try:
        _publish_unnamed(path, folder, content)
    except OSError:  # the file system cannot, or there is a file already
        _publish_renamed(path, folder, content)
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
