"""The rules of `tilesmith validate` as people read them: a list, a page for each. What they say is in lib/Lint/Rules."""

import json
import textwrap
from functools import cache

# What the examples of rules begin with, unless they import things themselves.
HEAD = """\
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) * 2, mask=i < n)


def run(x):
    out = torch.empty_like(x)
    double[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), BLOCK=64)
    return out


"""


@cache
def rules():
    """All rules, by id: dictionaries of id, name, severity, on, anywhere, what, why, bad, good."""
    from tilesmith.extension import _tilesmith

    return json.loads(_tilesmith.validate_rules())


def find(name):
    """A rule by id or name; ValueError if there is none."""
    for rule in rules():
        if name in (rule["id"], rule["name"]):
            return rule
    raise ValueError(f"unknown rule '{name}'; `tilesmith validate --rules` lists them")


def example(code):
    """An example as a whole candidate."""
    return code if "import torch\n" in code else HEAD + code


def page(rule, heading="# "):
    """The page about a rule."""
    facts = [rule["severity"], "on" if rule["on"] else "off unless switched on"]
    facts += ["also where forward does not reach"] if rule["anywhere"] else []
    return "\n".join(
        [
            f"{heading}{rule['id']} {rule['name']}",
            "",
            *textwrap.wrap(rule["what"], 120),
            "",
            *textwrap.wrap(rule["why"], 120),
            "",
            f"({'; '.join(facts)})",
            "",
            "Refused:",
            "",
            "```py",
            rule["bad"].strip("\n"),
            "```",
            "",
            "Clean:",
            "",
            "```py",
            rule["good"].strip("\n"),
            "```",
            "",
        ]
    )


def listing():
    """One line for each rule."""
    return "".join(f"{rule['id']}  {rule['name']:<20}{'' if rule['on'] else '(off) '}{rule['what']}\n" for rule in rules())


def document():
    """docs/rules.md."""
    table = [
        f"| [{rule['id']}](#{rule['id'].lower()}-{rule['name']}) | {rule['name']} | {'on' if rule['on'] else 'off'} | {rule['what']} |"
        for rule in rules()
    ]
    return "\n".join(
        [
            "# Rules for candidates",
            "",
            "<!-- Written by tools/rules.py from lib/Lint/Rules. -->",
            "",
            *textwrap.wrap(
                "What `tilesmith validate` refuses a candidate for (validate.md). `--enable` and `--disable` switch a rule by its "
                "id or name, `--explain` prints its part of this page.",
                120,
            ),
            "",
            "| id | name | | refused |",
            "|---|---|---|---|",
            *table,
            "",
            "Examples that import nothing begin with",
            "",
            "```py",
            HEAD.strip("\n"),
            "```",
            "",
            *(page(rule, "## ") for rule in rules()),
        ]
    )
