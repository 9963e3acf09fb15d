"""Messages between a process and its workers: JSON with its length in front, file descriptors beside it.

The other side may be hostile: length, time and number of descriptors are bounded. Imports nothing of ours: the worker's process
should hold only what the candidate brought.
"""

import json
import os
import select
import socket
import time

_LENGTH = 8
_DESCRIPTORS = 4
LIMIT = 64 << 20  # bytes of one message


class Closed(Exception):
    """The other side is gone."""


def send(connection, message, fds=(), timeout=None):
    """TimeoutError if the other side does not take it in time."""
    data = json.dumps(message).encode()
    try:
        connection.settimeout(timeout)
        header = len(data).to_bytes(_LENGTH, "little")
        if fds:
            socket.send_fds(connection, [header], list(fds))
        else:
            connection.sendall(header)
        connection.sendall(data)
    except TimeoutError:
        raise
    except OSError as error:
        raise Closed(str(error)) from None


def receive(connection, deadline=None, limit=LIMIT):
    """(message, file descriptors) by the deadline, in time.monotonic(). Closed, TimeoutError, or ValueError for what is not a
    message of at most `limit` bytes; None: a side we trust, whose messages may be of any length."""
    data, fds, wanted = bytearray(), [], _LENGTH
    try:
        while len(data) < wanted:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0 or not select.select([connection], [], [], left)[0]:
                raise TimeoutError
            try:
                part, more, _, _ = socket.recv_fds(connection, min(wanted - len(data), 1 << 20), _DESCRIPTORS)
            except OSError as error:
                raise Closed(str(error)) from None
            for fd in more:
                os.set_inheritable(fd, False)
            fds += more
            if len(fds) > _DESCRIPTORS:
                raise ValueError(f"{len(fds)} descriptors with one message")
            if not part:
                raise Closed("end of stream")
            data += part
            if len(data) == wanted == _LENGTH:
                wanted += int.from_bytes(data, "little")
                if limit is not None and wanted > limit:
                    raise ValueError(f"a message of {wanted} bytes")
        try:
            message = json.loads(data[_LENGTH:])
        except RecursionError:
            raise ValueError("a message nested too deeply") from None
        if not isinstance(message, dict):
            raise ValueError("a message that is not an object")
        return message, fds
    except BaseException:
        for fd in fds:
            os.close(fd)
        raise
