"""A document even from a process that cannot write one: a script may end by a signal, or by os._exit.

The command runs in a child and leaves its document in memory that both have. The parent prints it, or one that says how the child ended.
"""

import os
import signal
import sys
import time

from tilesmith import terminal


def supervised(document, work):
    """Runs work(), which returns (exit code, text of the document), in a child. Returns the same of the child, however it ended.

    Called before anything has started threads.
    """
    if sys.stdout is None:  # closed, so nobody reads the document
        return work()
    sys.stdout.flush()
    memory = os.memfd_create("tilesmith-document")
    child = os.fork()
    if not child:
        code, text = work()
        with os.fdopen(memory, "w") as file:
            file.write(text)
        with _quiet():
            sys.stdout.flush()
            sys.stderr.flush()
        # Threads and exit handlers of the script are its own business, and it has had its chance.
        sys.exit(code)
    with _passed_on(child):
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with os.fdopen(memory, "r") as file:
        file.seek(0)
        text = file.read()
    if text:
        return status if status >= 0 else 128 - status, text
    if status < 0:
        code, how = 128 - status, f"was ended by {signal.Signals(-status).name}"
    else:
        code, how = status or 1, f"ended itself with exit code {status}"
    document.error("crashed", f"the process {how}")
    terminal.say(f"tilesmith: error: the process {how}", file=sys.stderr)
    return code, document.text(code)


class _quiet:
    """A stream that is gone is not worth an error any more."""

    def __enter__(self):
        return self

    def __exit__(self, kind, *exception):
        return kind is not None and issubclass(kind, (OSError, ValueError))


class _passed_on:
    """Signals to us go to the child. A terminal sends Ctrl-C to both, so the child gets ours only if it has not ended by then."""

    def __init__(self, child):
        self.child = child

    def __enter__(self):
        self.before = {number: signal.signal(number, self._pass) for number in (signal.SIGINT, signal.SIGTERM)}

    def __exit__(self, *exception):
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _pass(self, number, frame):
        if number == signal.SIGINT:
            time.sleep(0.3)
        try:
            os.kill(self.child, number)
        except ProcessLookupError:
            pass
