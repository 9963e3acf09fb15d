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
    return [finding for finding in folder.found if isinstance(finding, Finding)]
