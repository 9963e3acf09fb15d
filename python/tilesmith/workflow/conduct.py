"""What a kernel's script may not do, so that a run of it shows something: look at who runs it, write files, replace what compares it.

A script that knows how often it ran, or that it is judged, may show anything.
"""

import ast

ALLOWED_OF = {  # of these modules nothing else
    "sys": {
        "argv",
        "exit",
        "path",
        "version",
        "version_info",
        "stdout",
        "stderr",
        "stdin",
        "platform",
        "maxsize",
        "executable",
        "float_info",
    },
    "os": {"path", "environ", "getenv", "cpu_count", "sep", "linesep", "fspath"},
    "importlib": {"import_module"},
}
REFUSED = {
    "_tilesmith", "tilesmith.workflow", "tilesmith.judge", "tilesmith.records", "gc", "inspect", "ctypes", "cffi", "subprocess",
    "multiprocessing", "threading", "_thread", "concurrent", "signal", "atexit", "socket", "mmap", "runpy", "shutil", "tempfile",
    "traceback", "code", "unittest.mock", "importlib.util", "importlib.machinery", "imp", "pickle", "shelve", "sqlite3", "urllib", "http", "requests", "builtins",
}  # fmt: skip
CALLS = {"eval", "exec", "compile", "__import__", "open", "globals", "vars", "setattr", "delattr", "breakpoint"}
WRITES = {
    "write_text",
    "write_bytes",
    "touch",
    "unlink",
    "mkdir",
    "rename",
    "symlink_to",
    "tofile",
    "save",
    "savez",
    "savez_compressed",
    "savetxt",
    "memmap",
    "open",
}
SKIPS = ("pytest.mark.skip", "pytest.mark.skipif", "pytest.mark.xfail", "pytest.skip", "pytest.xfail", "pytest.importorskip")
FRAMES = {"f_back", "f_locals", "f_globals", "__globals__", "__code__", "__builtins__", "__subclasses__", "__closure__", "__dict__"}


def _dotted(node):
    """a.b.c of nested attributes; None of anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def _refused(module):
    return any(module == name or module.startswith(name + ".") for name in REFUSED)


def places(text):
    """(line, what) of everything a source may not do."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    modules = {}  # name here to module
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                modules[alias.asname or alias.name.split(".")[0]] = alias.name if alias.asname else alias.name.split(".")[0]
                if _refused(alias.name):
                    yield node.lineno, f"{alias.name} is imported"
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                modules[alias.asname or alias.name] = whole
                if _refused(whole) or (node.module in ALLOWED_OF and alias.name not in ALLOWED_OF[node.module]):
                    yield node.lineno, f"{whole} is imported"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            dotted = _dotted(node)
            owner, _, name = (dotted or "").rpartition(".")
            module = modules.get(owner)
            if module in ALLOWED_OF and name not in ALLOWED_OF[module]:
                yield node.lineno, f"{module}.{name}"
            elif dotted and ".".join([modules.get(dotted.split(".")[0], ""), *dotted.split(".")[1:]]) in SKIPS:
                yield node.lineno, dotted
            elif node.attr in FRAMES:
                yield node.lineno, f".{node.attr}"
            elif dotted and _refused(".".join([modules.get(dotted.split(".")[0], ""), *dotted.split(".")[1:]])):
                yield node.lineno, dotted
            if isinstance(node.ctx, (ast.Store, ast.Del)) and dotted and modules.get(dotted.split(".")[0]):
                yield node.lineno, f"{dotted} is replaced"
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else None
            if name in CALLS and name not in modules:
                yield node.lineno, f"{name}(...)"
            elif isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
                yield node.lineno, f".{node.func.attr}(...)"
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            dotted = _dotted(node.value)
            if dotted and modules.get(dotted.split(".")[0]) and dotted not in ("os.environ",):
                yield node.lineno, f"{dotted}[...] is replaced"


def of_folder(project):
    """(file, line, what) of every Python file of a project's folder."""
    for path in sorted(project.folder.rglob("*.py")):
        if "__pycache__" in path.parts:
            continue
        name = path.relative_to(project.folder).as_posix()
        for line, what in places(path.read_bytes()):
            yield name, line, what
