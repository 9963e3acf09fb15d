"""`tilesmith explain`: what a term, a finding or a rule means."""

import textwrap

from tilesmith.document import Failure
from tilesmith.schemas import listed, text

EXAMPLES = """\
examples:
  tilesmith explain                  list all there is to explain
  tilesmith explain latency          a word of profiles and messages
  tilesmith explain order.raw        a finding: what it means, a kernel that has it, and one that does not
  tilesmith explain DG301            a rule of `tilesmith validate`
"""

_ENTRY = {"type": "object", "required": ["id", "what"]}

SCHEMA = {
    "properties": {
        "kind": {"enum": ["term", "finding", "rule"]},
        "name": text("as the table has it"),
        "page": text("what is printed"),
        "entry": {"type": "object", "description": "the row of the table: of a finding with `fires` and `clean`, its two examples"},
        "terms": listed({"type": "string"}, "without a name: all of them"),
        "findings": listed(_ENTRY, "without a name: all of them"),
        "rules": listed(_ENTRY, "without a name: all of them"),
    },
    "anyOf": [{"required": ["kind", "name", "page", "entry"]}, {"required": ["terms", "findings", "rules"]}],
}


def add_parser(commands):
    what = "say what a term, a finding or a rule means"
    sub = commands.add_parser("explain", help=what, description=what[0].upper() + what[1:] + ".", epilog=EXAMPLES)
    sub.add_argument(
        "name", nargs="*", help="a word of profiles (UB, latency), the id of a finding (order.raw) or of a rule (DG301)"
    )
    return sub


def _term_text(entry):
    lines = [entry["term"] + (f"  ({', '.join(entry['aliases'])})" if entry["aliases"] else ""), ""]
    lines += textwrap.wrap(entry["text"], 100)
    if entry["see"]:
        lines += ["", "see " + ", ".join(entry["see"])]
    return "\n".join(lines) + "\n"


def _rule(name):
    from tilesmith import rules

    try:
        return rules.find(name.upper() if any(rule["id"] == name.upper() for rule in rules.rules()) else name.lower())
    except ValueError:
        return None


def _explain(name):
    """(kind, name, entry, page) of what has this name, or None."""
    from tilesmith import findings, glossary, rules

    name = name.strip("[]")  # as messages have it
    if row := findings.find(name) or findings.find(name.lower()):
        shown = {key: value for key, value in row.items() if value}
        if pair := findings.examples(row):
            shown.update(fires=pair[0][2], clean=pair[1][2], options=pair[0][0])
        return "finding", row["id"], shown, findings.page(row)
    if entry := glossary.find(name):
        return "term", entry["term"], entry, _term_text(entry)
    if rule := _rule(name):
        return "rule", rule["id"], rule, rules.page(rule)
    return None


def _known():
    from tilesmith import findings, glossary, rules

    words = [row["id"] for row in findings.table()]
    words += [name for entry in glossary.terms() for name in (entry["term"], *entry["aliases"])]
    return words + [name for rule in rules.rules() for name in (rule["id"], rule["name"])]


def _suggestion(name):
    from tilesmith.arguments import suggestion

    names = {word.casefold(): word for word in _known()}
    near = suggestion(name.casefold(), list(names))
    for folded, word in names.items():
        near = near.replace(f"'{folded}'", f"'{word}'")
    return near or "; `tilesmith explain` lists what there is"


def _list(document):
    from tilesmith import findings, glossary, rules

    document.update(
        terms=[entry["term"] for entry in glossary.terms()],
        findings=[{"id": row["id"], "severity": row["severity"], "what": row["what"]} for row in findings.table()],
        rules=[{"id": rule["id"], "name": rule["name"], "what": rule["what"]} for rule in rules.rules()],
    )
    width = max(len(row["id"]) for row in findings.table())
    parts = ["terms", *textwrap.wrap(", ".join(document["terms"]), 98, initial_indent="  ", subsequent_indent="  ")]
    parts += ["", "findings of launches"] + [f"  {row['id']:<{width}}  {row['what']}" for row in findings.table()]
    parts += ["", "rules for candidates (tilesmith validate)"]
    parts += [f"  {rule['id']:<6}{rule['name']:<22}{rule['what']}" for rule in rules.rules()]
    return "\n".join(parts)


def command(args):
    if not args.name:
        page = _list(args.document)
    else:
        name = " ".join(args.name)
        found = _explain(name)
        if found is None:
            raise Failure(f"nothing is called '{name}'{_suggestion(name)}")
        kind, known, entry, page = found
        args.document.update(kind=kind, name=known, page=page, entry=entry)
    if not args.json:
        print(page.rstrip("\n"))
    return 0
