"""Messages between a process and its worker: JSON, each with its length in front; file descriptors travel beside them."""

import json
import socket
import struct

_LENGTH = struct.Struct("<Q")
MARK = b"\0tilesmith-printed"  # on the worker's standard output: everything of this request was printed


class Closed(Exception):
    """The other side is gone."""


def send(connection, message, fds=()):
    data = json.dumps(message).encode()
    header = _LENGTH.pack(len(data))
    try:
        if fds:
            socket.send_fds(connection, [header], list(fds))
        else:
            connection.sendall(header)
        connection.sendall(data)
    except OSError as error:
        raise Closed(str(error)) from None


def _receive_bytes(connection, count):
    parts = []
    while count:
        try:
            part = connection.recv(min(count, 1 << 20))
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(str(error)) from None
        if not part:
            raise Closed("end of stream")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive(connection, max_fds=0):
    """(message, file descriptors). TimeoutError if the connection has a timeout and nothing comes."""
    fds = []
    if max_fds:
        try:
            header, fds, _, _ = socket.recv_fds(connection, _LENGTH.size, max_fds)
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(str(error)) from None
        if not header:
            raise Closed("end of stream")
        header += _receive_bytes(connection, _LENGTH.size - len(header))
    else:
        header = _receive_bytes(connection, _LENGTH.size)
    return json.loads(_receive_bytes(connection, *_LENGTH.unpack(header))), fds
