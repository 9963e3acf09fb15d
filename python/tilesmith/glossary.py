"""The words of profiles, messages and pages (glossary.json): term, aliases, text, see."""

import json
from functools import cache
from pathlib import Path


@cache
def terms():
    """All terms in the order of the alphabet: dictionaries of term, aliases, text, see."""
    entries = json.loads((Path(__file__).parent / "glossary.json").read_text(encoding="utf-8"))
    return [{"see": [], **entry} for entry in entries]


def find(word):
    """The entry of a word or of another name for it, whatever its case, or None."""
    wanted = word.casefold()
    for exact in (lambda name: name == word, lambda name: name.casefold() == wanted):
        for entry in terms():
            if any(exact(name) for name in (entry["term"], *entry["aliases"])):
                return entry
    return None
