"""Rules about an operator's folder: one module each, with `RULE`, its page, and `check(folder, tell)`.

Rules about one Python file are in lib/Lint/OperatorRules. `tell(message, file, line, severity)` notes a finding.
"""

import pkgutil
from functools import cache, partial
from importlib import import_module

from tilesmith.lint.findings import Finding

DEFAULTS = {"on": True, "portability": False, "latest": False}


@cache
def modules():
    """The modules of rules, by id."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("ol")]
    return sorted((import_module(f"{__name__}.{name}") for name in names), key=lambda module: module.RULE["id"])


def describe():
    return [DEFAULTS | module.RULE for module in modules()]


def wanted(rule, options, stage):
    names = {rule["id"], rule["name"]}
    if names & set(options.disable) or (options.only and not names & set(options.only)):
        return False
    if rule.get("latest") and options.profile != "latest":
        return False
    return bool(options.only) or not (stage and rule["stages"] and stage not in rule["stages"])


def check(operator, shown, options):
    """The findings about one operator's folder. Without a stage in the options only what is there is looked at."""
    from tilesmith.lint.operator.folder import Folder

    folder = Folder(operator, shown, options)
    for module in modules():
        if wanted(module.RULE, options, folder.stage):
            module.check(folder, partial(folder.tell, module.RULE))
    return folder.found + design_code(folder, options)


def _parsed(code):
    """A block of Python; where it is only like Python, its names of pypto, each on its line."""
    import ast
    import re
    import textwrap

    code = textwrap.dedent(code)
    try:
        ast.parse(code)
        return code
    except (SyntaxError, ValueError):
        lines = (line.split("#")[0] for line in code.splitlines())
        return "\n".join("; ".join(re.findall(r"\bpypto(?:\.\w+)+", line)) for line in lines)


def design_code(folder, options):
    """Names that pypto does not have, and early unrolling, in the blocks of Python of DESIGN.md (OL55, OL56)."""
    from dataclasses import replace

    from tilesmith.lint import engine

    wants = [each for each in ("OL55", "OL56") if (not options.only or each in options.only) and each not in options.disable]
    found = []
    for line, code in folder.design.python() if folder.design and wants else ():
        text = "import pypto\n" + _parsed(code)  # a line in front, as long as the block's own first line
        told, _ = engine.lint_text("DESIGN.md", text.encode("utf-8", "replace"), "impl", folder.stage, replace(options, only=wants))
        found += [
            Finding(it.rule, it.severity, it.message, folder.name("DESIGN.md"), line + it.line - 1, it.column, it.hint)
            for it in told
            if it.rule in wants
        ]
    return found
