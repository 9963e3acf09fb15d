"""An operator's folder as rules see it: its documents taken apart, its state, what its Python files hold.

What stands in a comment of Markdown, or in a block of code, is not a heading and not a box.
"""

import json
import re
from functools import cached_property

import yaml

from tilesmith.lint.findings import Finding

FENCE = re.compile(r"^(```|~~~)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
BOX = re.compile(r"^\s*[-*]\s+\[( |x|X)\]\s*(.*)$")


class Document:
    """A Markdown file: front matter, sections, blocks of code."""

    def __init__(self, text):
        self.text = text
        self.front, self.front_error, self.has_front = {}, None, False
        lines = text.splitlines()
        start = 0
        if lines and lines[0].strip() == "---":
            end = next((index for index, line in enumerate(lines[1:], 1) if line.strip() == "---"), None)
            if end:
                self.has_front, start = True, end + 1
                try:
                    front = yaml.safe_load("\n".join(lines[1:end]))
                    self.front = front if isinstance(front, dict) else {}
                    if not isinstance(front, dict):
                        self.front_error = "it is not a mapping"
                except yaml.YAMLError as error:
                    self.front_error = str(error).splitlines()[0]
        self.sections, self.blocks, self.levels = [], [], []  # (line, title, lines of prose), (line, language, code), by section
        title, at, prose, fence, comment, level = "", start + 1, [], None, False, 0
        for number, line in enumerate(lines[start:], start + 1):
            if fence is not None:
                if line.strip().startswith(fence[1]):
                    self.blocks.append((fence[0], fence[2], "\n".join(fence[3])))
                    fence = None
                else:
                    fence[3].append(line)
                continue
            if not comment and (match := FENCE.match(line.strip())):
                fence = (number, match[1], line.strip().strip("`~").strip(), [])
                prose.append("")
                continue
            line, comment = _without_comments(line, comment)
            if match := HEADING.match(line):
                self.sections.append((at, title, prose))
                self.levels.append(level)
                title, at, prose, level = match[2], number, [], len(match[1])
            else:
                prose.append(line)
        self.sections.append((at, title, prose))
        self.levels.append(level)

    def section(self, *words):
        """(line, prose) of the first section whose title has one of these words, or None."""
        for line, title, prose in self.sections:
            if title and any(word.lower() in title.lower() for word in words):
                return line, prose
        return None

    def covers(self, *words):
        """Whether there is such a section with something in it, itself or below it."""
        for index, (line, title, _) in enumerate(self.sections):
            if not title or not any(word.lower() in title.lower() for word in words):
                continue
            below = range(index + 1, len(self.sections))
            end = next((later for later in below if self.levels[later] <= self.levels[index]), len(self.sections))
            if any(text.strip() for section in self.sections[index:end] for text in section[2]):
                return True
            last = self.sections[end][0] if end < len(self.sections) else 1 << 30
            if any(line < block[0] < last for block in self.blocks):
                return True
        return False

    def below(self, *words):
        """All text of the first section whose title has one of these words and of those inside it, blocks of code too."""
        for index, (line, title, _) in enumerate(self.sections):
            if title and any(word.lower() in title.lower() for word in words):
                later = range(index + 1, len(self.sections))
                end = next((at for at in later if self.levels[at] <= self.levels[index]), len(self.sections))
                last = self.sections[end][0] if end < len(self.sections) else 1 << 30
                parts = [text for _, heading, prose in self.sections[index:end] for text in (heading, *prose)]
                return "\n".join(parts + [block[2] for block in self.blocks if line < block[0] < last])
        return ""

    def python(self):
        """(line, code) of the blocks of Python."""
        return [
            (line, code) for line, language, code in self.blocks if language.split() and language.split()[0] in ("python", "py")
        ]

    def tables(self, prose_of=None):
        """Rows of all tables: (line, cells). Lines of dashes are left out."""
        rows = []
        for at, title, prose in self.sections:
            if prose_of is not None and not any(word.lower() in title.lower() for word in prose_of):
                continue
            for offset, line in enumerate(prose, 1):
                if line.strip().startswith("|"):
                    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
                    if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                        rows.append((at + offset, cells))
        return rows


def _without_comments(line, inside):
    """A line without what stands in <!-- -->, and whether a comment is open behind it."""
    result = ""
    while line:
        if inside:
            _, found, line = line.partition("-->")
            inside = not found
        else:
            before, found, line = line.partition("<!--")
            result += before
            inside = bool(found)
    return result, inside


class Folder:
    """What rules read. A file that is not there is None."""

    def __init__(self, operator, shown, options):
        self.operator, self.shown, self.options = operator, shown, options
        self.stage = options.stage or operator.stage
        self.isGate = bool(options.stage)  # what is missing is told, too
        self.found = []

    def name(self, file):
        """A file as messages call it."""
        import os

        return os.path.join(self.shown, file.format(op=self.operator.name))

    def path(self, file):
        return self.operator.path(file)

    def text(self, file):
        try:
            return self.path(file).read_text(encoding="utf-8")
        except (OSError, UnicodeError):
            return None

    def exists(self, file):
        """Whether there is such a file, and not a stub of one."""
        from tilesmith.lint import files

        try:
            return files.STUB not in self.path(file).read_bytes()[:512]
        except OSError:
            return False

    def document(self, file):
        text = self.text(file)
        return None if text is None else Document(text)

    @cached_property
    def spec(self):
        return self.document("SPEC.md")

    @cached_property
    def report(self):
        return self.document("API_REPORT.md")

    @cached_property
    def design(self):
        return self.document("DESIGN.md")

    @cached_property
    def memory(self):
        return self.document("MEMORY.md")

    @cached_property
    def state(self):
        """The state, or None where it is missing or not JSON."""
        try:
            state = json.loads(self.text(".orchestrator_state.json") or "")
        except ValueError:
            return None
        return state if isinstance(state, dict) else None

    @cached_property
    def interfaces(self):
        """module_interfaces.yaml, or None where it is missing or not a mapping."""
        text = self.text("eval/module_interfaces.yaml")
        try:
            loaded = yaml.safe_load(text) if text is not None else None
        except yaml.YAMLError:
            return None
        return loaded if isinstance(loaded, dict) else None

    @cached_property
    def memory_facts(self):
        """The YAML block of MEMORY.md."""
        for _, language, code in self.memory.blocks if self.memory else ():
            if language.split() and language.split()[0] in ("yaml", "yml"):
                try:
                    loaded = yaml.safe_load(code)
                except yaml.YAMLError:
                    continue
                if isinstance(loaded, dict):
                    return loaded
        return self.memory.front if self.memory else {}

    def facts(self, file, role="impl"):
        """What a Python file holds; empty where it is missing or does not parse."""
        from tilesmith.lint import engine, files

        text = self.text(file)
        if text is None or files.STUB in text.encode()[:512]:
            return {}
        return engine.lint_text(self.name(file), text.encode(), role, self.stage, self.options, describe=True)[1]

    @cached_property
    def impl(self):
        return self.facts("{op}_impl.py")

    @cached_property
    def golden(self):
        return self.facts("{op}_golden.py", "golden")

    @cached_property
    def test(self):
        return self.facts("test_{op}.py", "test")

    @property
    def wrapper(self):
        """The impl's wrapper as described, or None."""
        return wrapper_of(self.impl, self.operator.name)

    def tell(self, rule, message, file, line=1, severity=None):
        self.found.append(Finding(rule["id"], severity or rule["severity"], message, self.name(file), line, 1, rule["use"]))


def wrapper_of(facts, name=""):
    """The wrapper of a file: the one called `<name>_wrapper` if there is one, else the first."""
    found = [
        function for function in facts.get("functions", []) if function["name"].endswith("_wrapper") and not function["device"]
    ]
    return next((it for it in found if it["name"] == f"{name}_wrapper"), found[0] if found else None)


def module_files(folder):
    """(file, wrapper's name, number of modules in it) of the impl and of the modules that are written."""
    import re

    yield "{op}_impl.py", folder.operator.name, 0
    for path in sorted(folder.path("modules").glob("*_impl.py")):
        name = path.name.removesuffix("_impl.py")
        match = re.fullmatch(r".*_module(\d+)", name)
        yield f"modules/{path.name}", name, len(match[1]) if match else 0
