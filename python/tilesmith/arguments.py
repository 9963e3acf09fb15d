"""Command lines: argparse with suggestions, and with options on both sides of a script."""

import argparse
import sys

from tilesmith import terminal


class _Formatter(argparse.HelpFormatter):
    """Wraps a paragraph; text of several lines stays as it was written."""

    def _fill_text(self, text, width, indent):
        if "\n" in text.strip():
            return "".join(indent + line for line in text.splitlines(keepends=True))
        return super()._fill_text(text, width, indent)


SEPARATOR = "note: options of this command are ours after the script, too; what the script shall get stands after `--`"


class UsageError(SystemExit):
    """The command line is wrong. It has been said on stderr."""

    def __init__(self, message):
        super().__init__(2)
        self.message = message


def nearest(word, known, cutoff=0.6):
    """The known word that is most like this one, or None if none is."""
    import difflib

    begun = [name for name in known if len(word) > 2 and name.lower().startswith(word.lower())]
    return begun[0] if begun else next(iter(difflib.get_close_matches(word, known, 1, cutoff)), None)


def suggestion(word, known):
    """The end of a message about a wrong word: what may have been meant, or nothing."""
    near = nearest(word, known)
    return f"; did you mean '{near}'?" if near else ""


def _count(action, words):
    """How many of these words are values of an option."""
    if action.nargs is None or isinstance(action.nargs, int):
        return 1 if action.nargs is None else action.nargs
    values = next((index for index, word in enumerate(words) if word.startswith("-")), len(words))
    return min(values, 1) if action.nargs == "?" else values


class Parser(argparse.ArgumentParser):
    """A parser that says what may have been meant.

    After `take_script()` it has a positional `script`, and options are read wherever they stand: those that are ours before and after
    the script, the others after it are `args`, the script's. Everything behind `--` is the script's, too.
    """

    def __init__(self, *args, formatter_class=_Formatter, **kwargs):
        super().__init__(*args, formatter_class=formatter_class, **kwargs)
        self.takes_script = False
        self.after_script = False  # whether one of our options stands after the script

    def take_script(self, help="a Python file, which runs as __main__, or an Ascend C source (.cpp)", required=True):
        """Declares the positional `script` and leaves `args` to it."""
        self.takes_script = True
        self.add_argument("script", metavar="SCRIPT", help=help, nargs=None if required else "?")
        self.usage = f"{self.prog} [options] SCRIPT [options] [arguments of the script] [-- arguments of the script]"

    def add_common_options(self):
        """Declares what every verb has."""
        if "--json" not in self._option_string_actions:
            self.add_argument("--json", action="store_true", help="facts as JSON on stdout; what else is said goes to stderr")
        self.add_argument(
            "--color", choices=["auto", "always", "never"], default="auto", help="colours of text (default: on terminals; NO_COLOR)"
        )

    def parse_known_args(self, args=None, namespace=None):
        theirs = []
        if self.takes_script:
            args, theirs = self._split(sys.argv[1:] if args is None else list(args))
        namespace, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options = [word for word in unknown if word.startswith("-")]
            hint = suggestion(options[0].partition("=")[0], self._option_string_actions) if options else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
        if self.takes_script:
            namespace.args = theirs
            namespace.own_options, namespace.after_script = list(self._option_string_actions), self.after_script
        return namespace, []

    def _split(self, words):
        """(the script and ours, the script's)."""
        ours, script, theirs = [], None, []
        words = list(words)
        while words:
            word = words.pop(0)
            if word == "--":
                rest = words
                if script is None and rest:
                    script, *rest = rest
                    theirs += rest
                else:
                    theirs += ["--", *rest]  # whose mark it is depends on the script
                break
            if not word.startswith("-") or word == "-":
                if script is None:
                    script = word
                else:
                    theirs.append(word)
                continue
            action, has_value = self._option(word, may_be_short=script is None)
            if action is None or (script is not None and action.dest == "help"):
                (ours if script is None else theirs).append(word)
                continue
            ours.append(word)
            self.after_script = self.after_script or script is not None
            if not has_value:
                count = _count(action, words)
                ours += words[:count]
                del words[:count]
        if script is not None:
            ours.insert(0, script if not script.startswith("-") else f"./{script}")
        return ours, theirs

    def _option(self, word, may_be_short):
        """(our option this word names, whether the word holds its value), or (None, False). The beginning of a name is enough only where
        it cannot be the script's."""
        actions = self._option_string_actions
        if word in actions:
            return actions[word], False
        name, equals, _ = word.partition("=")
        if equals and name in actions:
            return actions[name], True
        if not word.startswith("--") and word[:2] in actions:
            return actions[word[:2]], True  # -vAscend910B1
        begun = {action for known, action in actions.items() if word.startswith("--") and known.startswith(name)}
        return (begun.pop(), bool(equals)) if may_be_short and len(begun) == 1 else (None, False)

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            known = ", ".join(map(repr, action.choices))
            hint = suggestion(str(value), list(map(str, action.choices)))
            raise argparse.ArgumentError(action, f"invalid choice: {value!r} (choose from {known}){hint}")

    def error(self, message):
        self.print_usage(sys.stderr)
        if self.after_script:
            message += f"\n{SEPARATOR}"
        terminal.say(f"{self.prog}: error: {message}", file=sys.stderr)
        raise UsageError(message)
