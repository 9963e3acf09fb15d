"""Files that the tool alone writes: JSON with a digest of its contents, signed with the judge's key where the library for it is there.

A record is replaced in one step, so whoever is killed leaves the old one or the new one. What was edited by hand, or written by
something else, is noticed when it is read.
"""

import contextlib
import fcntl
import hashlib
import json
import os
from datetime import datetime, timezone

DIGEST = "digest"


class RecordError(Exception):
    """A record that is missing, not JSON, or not as the tool left it. `str()` says which."""


def now():
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def who():
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def sha256(path):
    """The hash of a file, or None if it is not there."""
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None


def _digest(content):
    plain = {name: value for name, value in content.items() if name not in (DIGEST, "signature")}
    return hashlib.sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def write(path, content):
    from tilesmith.judge.verdict import signature
    from tilesmith.lint import fixes

    plain = {name: value for name, value in content.items() if name not in (DIGEST, "signature")}
    sealed = signature.signed({**plain, DIGEST: _digest(plain)})
    fixes.write(str(path), (json.dumps(sealed, indent=2, ensure_ascii=False) + "\n").encode())


def read(path, isForeign=False):
    """The content of a record. RecordError if it is not as the tool left it. `isForeign`: whoever signed it; it proves nothing then."""
    from tilesmith.judge.verdict import signature

    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except FileNotFoundError:
        raise RecordError(f"there is no '{path}'") from None
    except (OSError, ValueError) as error:
        raise RecordError(f"'{path}' cannot be read: {error}") from None
    if not isinstance(content, dict):
        raise RecordError(f"'{path}' is not a record")
    if content.get(DIGEST) != _digest(content):
        raise RecordError(f"'{path}' was edited by hand: its contents are not those the tool wrote")
    try:
        if not isForeign:
            signature.check(content)
    except signature.BadSignature as error:
        raise RecordError(f"'{path}' was not written by this tool: {error}") from None
    return content


@contextlib.contextmanager
def locked(folder):
    """One writer at a time for the records of a folder. The lock is gone with its process."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
