"""Messages of JSON-RPC with their lengths in front, as the protocol has them."""

import json

LIMIT = 64 << 20  # bytes of a message


class Closed(Exception):
    """The other side is gone, or does not speak the protocol."""


def receive(stream):
    """The next message. Closed at the end of the stream, or for what is not a message."""
    length = None
    while True:
        line = stream.readline(4096)
        if not line:
            raise Closed("the stream has ended")
        line = line.strip()
        if not line:
            break
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    if length is None or length > LIMIT:
        raise Closed("a message without a length")
    body = b""
    while len(body) < length:
        part = stream.read(length - len(body))
        if not part:
            raise Closed("the stream ends inside a message")
        body += part
    try:
        return json.loads(body)
    except ValueError:
        return {}


def send(stream, message):
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    stream.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    stream.flush()
