"""Findings as text, JSON, SARIF, commands of GitHub's workflows, and JUnit."""

import json

FORMATS = ("text", "json", "sarif", "github", "junit")


def source_line(path, line, cache):
    if path not in cache:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                cache[path] = file.read().splitlines()
        except OSError:
            cache[path] = []
    lines = cache[path]
    return lines[line - 1] if 0 < line <= len(lines) else ""


def text(findings):
    """Like clang: place, the line of the source, what to use instead."""
    cache, out = {}, []
    for finding in findings:
        shown = {"info": "note"}.get(finding.level, finding.level)
        level = "" if finding.severity in ("error", "warning", "info") else f" ({finding.severity})"
        out.append(f"{finding.file}:{finding.line}:{finding.column}: {shown}: {finding.message} [{finding.rule}]{level}")
        line = source_line(finding.file, finding.line, cache)
        if line.strip() and finding.end_line:
            column = len(line.encode()[: finding.column - 1].decode("utf-8", "replace"))
            end = finding.end_column - 1 if finding.end_line == finding.line else len(line.encode())
            width = max(1, len(line.encode()[finding.column - 1 : end].decode("utf-8", "replace").rstrip()))
            out.append(f"{finding.line:5} | {line}")
            out.append(f"      | {' ' * column}^{'~' * (width - 1)}")
        if finding.hint:
            out.append(f"help: {finding.hint}")
        if finding.portability:
            out.append("note: our compiler takes it, upstream's does not")
    return "".join(line + "\n" for line in out)


def as_json(findings):
    return json.dumps([finding.public() for finding in findings], indent=2) + "\n"


def sarif(findings):
    """SARIF 2.1.0."""
    from tilesmith import __version__
    from tilesmith.lint.rules import rules

    used = {finding.rule for finding in findings}
    levels = {"error": "error", "warning": "warning", "info": "note"}
    described = [
        {
            "id": rule["id"],
            "name": rule["name"],
            "shortDescription": {"text": rule["what"]},
            "fullDescription": {"text": rule["why"]},
            "help": {"text": rule["use"]},
        }
        for rule in rules()
        if rule["id"] in used
    ]
    results = []
    for finding in findings:
        region = {"startLine": finding.line, "startColumn": finding.column}
        if finding.end_line:
            region |= {"endLine": finding.end_line, "endColumn": finding.end_column}
        results.append(
            {
                "ruleId": finding.rule,
                "level": levels[finding.level],
                "message": {"text": finding.message},
                "locations": [{"physicalLocation": {"artifactLocation": {"uri": finding.file}, "region": region}}],
            }
        )
    driver = {"name": "tilesmith lint", "version": __version__, "rules": described}
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
    return json.dumps(document, indent=2) + "\n"


def github(findings):
    """Workflow commands, which GitHub shows beside the lines."""

    def escaped(text, more=""):
        for char in "%\r\n" + more:
            text = text.replace(char, f"%{ord(char):02X}")
        return text

    shown = {"error": "error", "warning": "warning", "info": "notice"}
    return "".join(
        f"::{shown[finding.level]} file={escaped(finding.file, ':,')},line={finding.line},col={finding.column},"
        f"title={finding.rule}::{escaped(finding.message)}{escaped('. ' + finding.hint) if finding.hint else ''}\n"
        for finding in findings
    )


def junit(findings, paths):
    """A test case for each file; its findings are its failures."""
    from xml.sax.saxutils import escape, quoteattr

    by_file = {str(path): [] for path in paths}
    for finding in findings:
        by_file.setdefault(finding.file, []).append(finding)
    failures = sum(any(finding.level != "info" for finding in found) for found in by_file.values())
    lines = ['<?xml version="1.0" encoding="utf-8"?>']
    lines.append(f'<testsuite name="tilesmith lint" tests="{len(by_file)}" failures="{failures}" errors="0">')
    for path, found in by_file.items():
        lines.append(f"  <testcase classname={quoteattr(path)} name={quoteattr(path)}>")
        for finding in found:
            if finding.level == "info":
                continue
            message = quoteattr(f"{finding.rule} {finding.message}")
            place = f"{finding.file}:{finding.line}:{finding.column}"
            lines.append(f"    <failure type={quoteattr(finding.severity)} message={message}>{escape(place)}</failure>")
        lines.append("  </testcase>")
    lines.append("</testsuite>")
    return "\n".join(lines) + "\n"


def render(name, findings, paths):
    """The findings in one of FORMATS."""
    if name == "junit":
        return junit(findings, paths)
    return {"text": text, "json": as_json, "sarif": sarif, "github": github}[name](findings)
