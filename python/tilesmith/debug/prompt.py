"""The terminal: reads commands, says what they answer. Commands that come through a pipe are shown, too."""

import sys

from tilesmith import terminal


class Prompt:
    TEXT = "(debug) "

    def __init__(self, lines=None, output=None):
        self.lines = iter(lines) if lines is not None else None
        self.output = output
        self.last = ""  # an empty line repeats it
        self._has_history = False

    def say(self, text):
        output = self.output or sys.stdout
        terminal.say(text, file=output)
        output.flush()

    def read(self):
        """The next command; raises EOFError when there is none."""
        if self.lines is None and sys.stdin is not None and sys.stdin.isatty():
            if not self._has_history:
                self._has_history = True
                try:
                    import readline  # noqa: F401 - line editing and history
                except ImportError:
                    pass
            return input(self.TEXT)
        line = next(self.lines, "") if self.lines is not None else (sys.stdin.readline() if sys.stdin else "")
        if not line:
            self.say(self.TEXT.rstrip())
            raise EOFError
        line = line.rstrip("\n")
        self.say((self.TEXT + line).rstrip())
        return line

    def talk(self, debugger, stop):
        """Commands until one goes on; how."""
        from tilesmith.debug import commands

        commands.show_stop(debugger, stop)
        while True:
            line = self.read().strip()
            if not line:
                line = self.last
                if not line:
                    continue
            self.last = line
            answer = commands.run(debugger, stop, line)
            if answer is not None:
                return answer
