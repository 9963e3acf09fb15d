"""`# tilesmith: ignore[TS106]`: a finding of this line, or of the next if the comment stands alone, is not told.

Several ids are separated by commas, names of rules are as good. An ignore that nothing is found for is told itself (TS902).
"""

import io
import re
import tokenize

from tilesmith.lint.findings import Finding

COMMENT = re.compile(r"#\s*tilesmith:\s*ignore\[([^\]]*)\]")


def read(text):
    """The ignores of a source: (line they are for, line and column of the comment, words)."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and (match := COMMENT.search(token.string)):
                alone = not token.line[: token.start[1]].strip()
                words = [word.strip() for word in match[1].split(",") if word.strip()]
                found.append((token.start[0] + alone, token.start[0], token.start[1] + 1, words))
    except (tokenize.TokenError, SyntaxError):
        pass
    return found


def apply(path, text, findings, names):
    """The findings that are left, and those about ignores. `names` gives the name of a rule for its id."""
    ignores = read(text)
    used = set()

    def isIgnored(finding):
        hit = False
        for line, row, column, words in ignores:
            if line <= finding.line <= line:
                for word in words:
                    if word in (finding.rule, names.get(finding.rule)):
                        used.add((row, column, word))
                        hit = True
        return hit

    left = [finding for finding in findings if not isIgnored(finding)]
    for _, row, column, words in ignores:
        for word in words:
            if (row, column, word) not in used:
                message = f"nothing is found for '{word}' here"
                left.append(
                    Finding("TS902", "warning", message, path, row, column, "remove the comment, or the id that is not needed")
                )
    return left
