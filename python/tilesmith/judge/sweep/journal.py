"""A journal: a file of JSON Lines that survives whoever writes it.

A record is one line, handed to the system in one write and on the disk before `append` returns. Whatever is killed, at
whatever moment, leaves whole records and at most one torn line at the end; opening the journal again drops that line. One
process writes at a time; a second one is refused.
"""

import fcntl
import json
import os

from ..timing.gate import strict_json


class JournalError(Exception):
    """The journal cannot be used; the text names the file."""


class Journal:
    """The records of a file, and room for more. `records` are those the file held when it was opened."""

    def __init__(self, path):
        self.path = os.fspath(path)
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.records, self.dropped = self._recover()
        except BlockingIOError:
            os.close(self._file)
            raise JournalError(f"{self.path}: another sweep is writing to it") from None
        except (OSError, JournalError) as error:
            os.close(self._file)
            raise error if isinstance(error, JournalError) else JournalError(f"{self.path}: {error.strerror}") from None
        folder = os.open(os.path.dirname(os.path.abspath(self.path)), os.O_RDONLY)
        os.fsync(folder)  # the name of a new file, too
        os.close(folder)

    def _recover(self):
        """(records, bytes dropped). A line that is damaged anywhere but at the end was not torn by us: better to ask than to drop it."""
        with open(self.path, "rb") as file:
            data = file.read()
        whole = data.rfind(b"\n") + 1
        records = []
        for number, line in enumerate(data[:whole].split(b"\n")[:-1], 1):
            try:
                record = strict_json(line)
                if not isinstance(record, dict):
                    raise ValueError("not an object")
            except ValueError as error:
                raise JournalError(f"{self.path}:{number}: not a record of a sweep: {error}") from None
            records.append(record)
        if whole < len(data):
            os.ftruncate(self._file, whole)
            os.fsync(self._file)
        return records, len(data) - whole

    def append(self, record):
        """Adds a record. When this returns, it is there whatever happens next."""
        line = json.dumps(record, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        end = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, line)
            if written != len(line):
                raise OSError(f"only {written} of {len(line)} bytes could be written")
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, end)  # a full disk must not leave half a record before the next
            raise JournalError(f"{self.path}: {error.strerror or error}") from None

    def close(self):
        os.close(self._file)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()
        return False
