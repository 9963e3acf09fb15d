"""All rules as people read them: those of one file, which C++ decides, and those of an operator's folder."""

import json
import textwrap
from functools import cache

HEADS = {
    "kernel": "import asc\nimport asc2\nimport numpy as np\n\n\n",
    "impl": "import pypto\nimport torch\n\n\n",
    "golden": "",
    "test": "",
}
GROUPS = {
    "TS1": "What a kernel may not hold",
    "TS2": "Loops",
    "TS3": "The interface",
    "TS4": "Launches",
    "TS5": "Verification",
    "TS6": "Speed",
    "TS7": "Conduct",
    "TS9": "Lint itself",
    "OL": "Operators of PyPTO",
}

# What the engine itself has to say.
OWN = [
    {
        "id": "TS901",
        "name": "does-not-parse",
        "severity": "error",
        "role": "any",
        "stages": [],
        "on": True,
        "portability": False,
        "latest": False,
        "what": "The file is not Python.",
        "why": "Nothing in it can be checked.",
        "use": "correct the syntax",
        "bad": "def kernel(:",
        "good": "def kernel():\n    pass",
    },
    {
        "id": "TS902",
        "name": "unused-ignore",
        "severity": "warning",
        "role": "any",
        "stages": [],
        "on": True,
        "portability": False,
        "latest": False,
        "what": "A `# tilesmith: ignore[...]` that nothing is found for.",
        "why": "It would hide the next finding that comes to this line.",
        "use": "remove the comment, or the id that is not needed",
        "bad": "x = 1  # tilesmith: ignore[TS106]",
        "good": "x = 1",
    },
]


@cache
def rules():
    """All rules, by id: dictionaries of id, name, severity, role, stages, on, portability, latest, what, why, use, bad, good."""
    from tilesmith.extension import _tilesmith
    from tilesmith.lint import operator

    found = [*json.loads(_tilesmith.lint_rules()), *OWN, *operator.describe()]
    return sorted(found, key=lambda rule: rule["id"])


def find(name):
    """A rule by id or name; ValueError if there is none."""
    for rule in rules():
        if name in (rule["id"], rule["name"]):
            return rule
    from tilesmith.arguments import suggestion

    known = [word for rule in rules() for word in (rule["id"], rule["name"])]
    raise ValueError(f"unknown rule '{name}'{suggestion(name, known)} (`tilesmith rule` lists them)")


def example(rule, code):
    """An example as a whole file."""
    code = code.strip("\n") + "\n"
    imports = any(line.startswith(("import asc", "import pypto", "from __future__")) for line in code.splitlines())
    return code if imports else HEADS.get(rule["role"], "") + code


def page(rule, heading="# "):
    """The page about a rule."""
    facts = [rule["severity"]]
    facts += ["off unless enabled"] if not rule["on"] else []
    facts += ["only in the profile `latest`"] if rule["latest"] else []
    facts += ["portability: our compiler takes it"] if rule["portability"] else []
    facts += [f"stages {', '.join(map(str, rule['stages']))}"] if rule["stages"] else []
    language = "py" if rule["role"] in (*HEADS, "any") else rule["role"]

    def block(title, code):
        fence = "````" if "```" in code else "```"
        return [title, "", f"{fence}{language}", code.strip("\n"), fence, ""]

    def prose(text):
        """As Markdown: `kernel[blocks](...)` is not a link."""
        return textwrap.wrap(text.replace("](", "]\\(") if heading != "# " else text, 120)

    return "\n".join(
        [
            f"{heading}{rule['id']} {rule['name']}",
            "",
            *prose(rule["what"]),
            "",
            *prose(rule["why"]),
            "",
            *prose(f"Use instead: {rule['use']}"),
            "",
            f"({'; '.join(facts)})",
            "",
            *block("Found:", rule["bad"]),
            *block("Clean:", rule["good"]),
        ]
    )


def listing():
    """One line for each rule."""
    return "".join(
        f"{rule['id']}  {rule['severity']:<8}{rule['name']:<24}{'' if rule['on'] else '(off) '}{rule['what']}\n" for rule in rules()
    )


def groups():
    """(title, rules) of each group."""
    for prefix, title in GROUPS.items():
        yield prefix, title, [rule for rule in rules() if rule["id"].startswith(prefix)]


def documents():
    """The pages of docs/lint by file name."""
    index = [
        "# Rules of `tilesmith lint`",
        "",
        "<!-- Written by tools/rules.py from lib/Lint/KernelRules, lib/Lint/OperatorRules and tilesmith/lint/operator. -->",
        "",
        "How to run, configure and silence them: [lint](../lint.md). `tilesmith rule ID` prints a rule's part of these pages.",
        "",
    ]
    pages = {}
    for prefix, title, found in groups():
        name = f"{prefix.lower()}.md"
        index += [f"## [{title}]({name})", "", "| id | name | severity | |", "|---|---|---|---|"]
        for rule in found:
            off = "" if rule["on"] else " (off)"
            index.append(
                f"| [{rule['id']}]({name}#{rule['id'].lower()}-{rule['name']}) | {rule['name']} | {rule['severity']}{off} | {rule['what']} |"
            )
        index.append("")
        heads = [rule["role"] for rule in found if HEADS.get(rule["role"])]
        head = HEADS[heads[0]].strip("\n") if heads else ""
        begin = ["Examples that import nothing begin with", "", "```py", head, "```", ""] if head else []
        pages[name] = "\n".join(
            [f"# {title}", "", "<!-- Written by tools/rules.py. -->", "", *begin, *(page(rule, "## ") for rule in found)]
        )
    pages["README.md"] = "\n".join(index)
    return pages
