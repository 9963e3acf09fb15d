"""Functions of asc, asc2 and pypto by name: looked up, searched, and extracted from a file."""

from tilesmith.lint import engine, files
from tilesmith.lsp import names
from tilesmith.validate import read

MODULES = ("asc2", "asc", "pypto")


def known():
    """Names with their modules."""
    found = {name for name in engine.exports().split() if not name.split(".")[1].startswith("_")}
    return sorted(found | {f"pypto.{name}" for name in _pypto()})


def _pypto():
    try:
        import pypto
    except ImportError:
        return []
    return [name for name in dir(pypto) if not name.startswith("_")]


def entry(name):
    described = names.described(name)
    if described is None:
        return {"name": name, "signature": name, "documentation": "", "exists": name in known()}
    return {"name": name, "signature": described[0], "documentation": described[1], "exists": True}


def lookup(name):
    """The entry of a name, with its module or without."""
    wanted = [name] if name.split(".")[0] in MODULES else [f"{module}.{name}" for module in MODULES]
    return [found for each in wanted if (found := entry(each))["exists"]]


def search(word):
    """Entries with the word in their names first, then those with it in their first sentence."""
    word = word.lower()
    entries = [entry(name) for name in known()]
    named = [each for each in entries if word in each["name"].lower()]
    return named + [each for each in entries if each not in named and word in each["documentation"].split("\n\n")[0].lower()]


def calls(path):
    """Entries of what a file calls, in kernels and outside."""
    text = read(path)
    role, _ = files.role_of(path, text)
    _, facts = engine.lint_text(path, text, role, 0, engine.Options(only=["TS901"]), describe=True)
    found = {call for function in facts.get("functions", []) for call in function["calls"] if call.split(".")[0] in MODULES}
    return [entry(name) if name.split(".")[0] != "pypto" or _pypto() else _without(name) for name in sorted(found)]


def _without(name):
    """Of pypto, which is not installed, only the name is known."""
    return {"name": name, "signature": name, "documentation": "", "exists": True}


def near(word):
    from tilesmith.arguments import suggestion

    return suggestion(word, known())


def line(each, whole):
    if whole:
        return f"{each['signature']}\n\n{each['documentation']}\n"
    first = each["documentation"].strip().split("\n")[0]
    return f"{each['name']:<32}{first if each['exists'] else '(does not exist)'}\n"
