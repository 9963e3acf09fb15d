"""What beginning and ending a phase writes into an operator's folder: its file, its part of MEMORY.md, the impl at the end.

Modules are cumulative: the file of M2 begins as that of M1 with the names of M2. As long as golden and interfaces are those `op new`
wrote, it begins as the right one for them, and its self-review is ticked; else ticking is for who writes it.
"""

import ast
import re

from tilesmith.lint import files, fixes
from tilesmith.operators import scaffold, state

REVIEW = """\
## Phase {phase} self-review

- [{box}] wrapper signature = primary_inputs (OL50)
- [{box}] all outputs written (OL51)
- [{box}] view ranks (OL52)
- [{box}] inventory rows (OL53)
- [{box}] no `for ... in range` in the wrapper (OL45)
- [{box}] JIT called exactly once
- [{box}] valid-shape audit: {place}

"""
LOG = "## Development & debug log"


def stem(name, phase):
    return state.module_file(name, phase).removesuffix("_impl.py")


def is_stub(path):
    """Whether a file is not written yet."""
    try:
        return files.STUB in path.read_bytes()[:512]
    except OSError:
        return True


def renamed(text, before, after):
    """A module's file under the names of another: `gelu_module1_kernel` as `gelu_module12_kernel`."""
    return re.sub(rf"\b{re.escape(before)}(?=_|\b)(?!\d)", after, text)


def begin(folder, machine, phase):
    """The file and the memory of a phase that starts."""
    name, phases = machine.name, list(machine.phases["phase_status"])
    single, isOurs = len(phases) == 1, False
    path = folder / (f"{name}_impl.py" if single else f"modules/{state.module_file(name, phase)}")
    if not single and is_stub(path):
        number = phases.index(phase)
        isOurs = scaffold.is_untouched(folder, name, len(phases))
        if isOurs:
            text = scaffold.module_text(name, len(phases), number + 1)
        elif number:
            before = folder / "modules" / state.module_file(name, phases[number - 1])
            text = renamed(before.read_text(encoding="utf-8"), stem(name, phases[number - 1]), stem(name, phase))
        else:
            text = ""
        if text:
            path.parent.mkdir(exist_ok=True)
            fixes.write(str(path), text.encode())
    remember(folder, machine, phase)
    add_review(folder, phase, path, isOurs)


def _memory(folder, name):
    path = folder / "MEMORY.md"
    return path, path.read_text(encoding="utf-8") if path.exists() else f"# Memory of {name}\n\n{LOG}\n"


def remember(folder, machine, active):
    """Which module is active and which are verified, in the block of MEMORY.md."""
    path, text = _memory(folder, machine.name)
    verified = [name for name, facts in machine.phases["phase_status"].items() if facts["status"] == "verified"]
    now = re.sub(r"^active_module:.*$", f"active_module: {active or 'none'}", text, count=1, flags=re.MULTILINE)
    now = re.sub(
        r"^modules_pypto_verified:.*$", f"modules_pypto_verified: [{', '.join(verified)}]", now, count=1, flags=re.MULTILINE
    )
    if now != text:
        fixes.write(str(path), now.encode())


def add_review(folder, phase, impl, isTicked):
    """The section of a phase's self-review, where there is none."""
    path, text = _memory(folder, folder.name)
    if re.search(rf"^##+ Phase M_?{phase[1:]} self-review", text, re.MULTILINE):
        return
    place = ""
    if impl.is_file():
        lines = impl.read_text(encoding="utf-8", errors="replace").splitlines()
        line = next((at for at, each in enumerate(lines, 1) if "valid_shape" in each), len(lines) or 1)
        place = f"{impl.relative_to(folder).as_posix()}:{line}"
    section = REVIEW.format(phase=phase, box="x" if isTicked else " ", place=place)
    before, heading, after = text.partition(LOG)
    fixes.write(str(path), (before + section + heading + after if heading else text.rstrip("\n") + "\n\n" + section).encode())


def cleaned(text, name, last):
    """The impl that the last module's file becomes: its names without the suffix, the same bodies."""
    text = renamed(text, last, name)
    lines = [line for line in text.splitlines() if not re.match(r"\s*#\s*(STUB:|PYPTO_PENDING_STUB)", line)]
    return "\n".join(lines).rstrip("\n") + "\n"


def clean_up(folder, machine):
    """Writes `<op>_impl.py` from the file of the last module. Returns its path."""
    name, last = machine.name, list(machine.phases["phase_status"])[-1]
    source = folder / "modules" / state.module_file(name, last)
    target = folder / f"{name}_impl.py"
    text = cleaned(source.read_text(encoding="utf-8"), name, stem(name, last))
    fixes.write(str(target), text.encode())
    return target


def same_bodies(folder, machine):
    """Whether the impl has the bodies of the last module's file. Comments and words of documentation may differ."""
    name, last = machine.name, list(machine.phases["phase_status"])[-1]
    source = folder / "modules" / state.module_file(name, last)
    try:
        wanted = _bodies(cleaned(source.read_text(encoding="utf-8"), name, stem(name, last)))
        return wanted == _bodies((folder / f"{name}_impl.py").read_text(encoding="utf-8"))
    except (OSError, UnicodeError, SyntaxError, ValueError):
        return False


def _bodies(text):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)
