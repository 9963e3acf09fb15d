"""What a process prints, read as it comes: bounded, whatever it prints."""

import threading


class Output:
    """What a worker prints, up to a limit: the beginning and the end are kept."""

    KEEP = 1 << 15

    def __init__(self, stream, limit, flooded):
        self.head, self.tail, self.total, self.limit, self.flooded = b"", b"", 0, limit, flooded
        self.thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self.thread.start()

    def _read(self, stream):
        with stream:
            while data := stream.read1(1 << 16):
                self.total += len(data)
                if len(self.head) < self.KEEP:
                    self.head += data[: self.KEEP - len(self.head)]
                self.tail = (self.tail + data)[-self.KEEP :]
                if self.total > self.limit:
                    self.flooded()
                    while stream.read1(1 << 20):
                        pass  # the writers must not block on us while they are ended

    def text(self):
        data = self.head if self.total <= self.KEEP else self.head + b"\n...\n" + self.tail[-(self.total - self.KEEP) :]
        return data.decode(errors="replace")
