"""The server: texts that are open, findings about them, repairs, and what a name is.

Positions of the protocol count UTF-16 units, ours count bytes of UTF-8.
"""

from pathlib import Path
from urllib.parse import quote, unquote, urlparse

from tilesmith.lint import config, engine, files
from tilesmith.lsp import expressions, names, wire

SEVERITY = {"error": 1, "warning": 2, "info": 3}
NOT_FOUND, FAILED = -32601, -32603


def path_of(uri):
    return unquote(urlparse(uri).path)


def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class Text:
    """An open file: its text, and what was found in it."""

    def __init__(self, uri, text):
        self.uri, self.path = uri, path_of(uri)
        self.change(text)

    def change(self, text):
        self.text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.lines = self.text.split("\n")
        self.findings = None

    def position(self, line, column):
        """A place of ours, from 1, as the protocol has it."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        before = text.encode()[: max(column - 1, 0)].decode("utf-8", "ignore")
        return {"line": max(line - 1, 0), "character": units(before)}

    def column(self, position):
        """The index in the line's text a position of the protocol is."""
        text = self.lines[position["line"]] if 0 <= position["line"] < len(self.lines) else ""
        return text, len(text.encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le", "ignore"))

    def range(self, finding):
        end = (finding["end_line"], finding["end_column"]) if isinstance(finding, dict) else (finding.end_line, finding.end_column)
        start = (finding["line"], finding["column"]) if isinstance(finding, dict) else (finding.line, finding.column)
        end = end if end[0] else start
        return {"start": self.position(*start), "end": self.position(*end)}

    def lint(self):
        if self.findings is None:
            settings = config.load(self.path)
            options = engine.Options(
                profile=settings.profile, portable=settings.portable, enable=settings.enable, disable=settings.disable
            )
            options.ignored = {self.path: settings.ignored(self.path)}
            data = self.text.encode("utf-8", "replace")
            role, _ = files.role_of(self.path, data)
            self.findings = engine.lint_text(self.path, data, role, 0, options)[0]
            if "tilesmith:" in self.text:
                from tilesmith.lint import suppressions

                self.findings = suppressions.apply(self.path, self.text, self.findings, engine.names())
        return self.findings


class Server:
    """Answers messages until it is told to leave. `serve` gives the exit code."""

    def __init__(self, source, sink):
        self.source, self.sink = source, sink
        self.texts, self.asked_to_leave = {}, False
        self.requests = {
            "initialize": self.initialize,
            "shutdown": self.shutdown,
            "textDocument/hover": self.hover,
            "textDocument/definition": self.definition,
            "textDocument/codeAction": self.actions,
        }
        self.notifications = {
            "textDocument/didOpen": self.opened,
            "textDocument/didChange": self.changed,
            "textDocument/didClose": self.closed,
        }

    def serve(self):
        while True:
            try:
                message = wire.receive(self.source)
            except wire.Closed:
                return 0 if self.asked_to_leave else 1
            method, given = message.get("method"), message.get("params") or {}
            if method == "exit":
                return 0 if self.asked_to_leave else 1
            if "id" in message and method:
                self.answer(message["id"], method, given)
            elif method in self.notifications:
                try:
                    self.notifications[method](given)
                except Exception as error:  # an editor must not lose its server for one message
                    self.log(error)

    def answer(self, number, method, given):
        if method not in self.requests:
            return wire.send(self.sink, {"id": number, "error": {"code": NOT_FOUND, "message": f"{method} is not known here"}})
        try:
            wire.send(self.sink, {"id": number, "result": self.requests[method](given)})
        except Exception as error:
            wire.send(self.sink, {"id": number, "error": {"code": FAILED, "message": f"{type(error).__name__}: {error}"}})

    def log(self, error):
        params = {"type": 1, "message": f"tilesmith: {type(error).__name__}: {error}"}
        wire.send(self.sink, {"method": "window/logMessage", "params": params})

    def initialize(self, given):
        from tilesmith import __version__

        engine.exports()  # once, before the first text
        return {
            "capabilities": {
                "textDocumentSync": {"openClose": True, "change": 1},
                "hoverProvider": True,
                "definitionProvider": True,
                "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            },
            "serverInfo": {"name": "tilesmith", "version": __version__},
        }

    def shutdown(self, given):
        self.asked_to_leave = True
        return None

    def opened(self, given):
        document = given["textDocument"]
        self.texts[document["uri"]] = Text(document["uri"], document["text"])
        self.publish(self.texts[document["uri"]])

    def changed(self, given):
        text = self.texts[given["textDocument"]["uri"]]
        text.change(given["contentChanges"][-1]["text"])
        self.publish(text)

    def closed(self, given):
        uri = given["textDocument"]["uri"]
        self.texts.pop(uri, None)
        wire.send(self.sink, {"method": "textDocument/publishDiagnostics", "params": {"uri": uri, "diagnostics": []}})

    def publish(self, text):
        diagnostics = [
            {
                "range": text.range(finding),
                "severity": SEVERITY[finding.level],
                "code": finding.rule,
                "source": "tilesmith",
                "message": f"{finding.message}\nhelp: {finding.hint}" if finding.hint else finding.message,
            }
            for finding in text.lint()
        ]
        params = {"uri": text.uri, "diagnostics": diagnostics}
        wire.send(self.sink, {"method": "textDocument/publishDiagnostics", "params": params})

    def _name(self, given):
        """The text, and the path of the name of a language at a position."""
        text = self.texts[given["textDocument"]["uri"]]
        line, column = text.column(given["position"])
        name = names.at(line, column)
        first, _, rest = (name or "").partition(".")
        module = names.modules(text.text).get(first)
        return text, f"{module}.{rest}" if module and rest else None

    def hover(self, given):
        text, path = self._name(given)
        line = given["position"]["line"] + 1
        parts = []
        words, column = text.column(given["position"])
        if value := expressions.at(text.text, line, len(words[:column].encode())):
            parts.append(value)
        if path and (known := names.described(path)):
            parts.append(f"```python\n{known[0]}\n```\n{known[1]}")
        for finding in text.lint():
            if finding.line == line:
                from tilesmith.lint.rules import find

                rule = find(finding.rule)
                parts.append(f"**{rule['id']} {rule['name']}**: {rule['what']} {rule['why']}\n\nUse instead: {rule['use']}")
        return {"contents": {"kind": "markdown", "value": "\n\n---\n\n".join(parts)}} if parts else None

    def definition(self, given):
        _, path = self._name(given)
        known = names.described(path) if path else None
        if not known or not known[2]:
            return None
        place = {"line": max(known[3] - 1, 0), "character": 0}
        return {"uri": "file://" + quote(str(Path(known[2]).resolve())), "range": {"start": place, "end": place}}

    def actions(self, given):
        text = self.texts[given["textDocument"]["uri"]]
        first, last = (given["range"][end]["line"] + 1 for end in ("start", "end"))
        return [
            {
                "title": f"{finding.rule}: {finding.hint}",
                "kind": "quickfix",
                "edit": {"changes": {text.uri: [{"range": text.range(edit), "newText": edit["text"]} for edit in finding.edits]}},
            }
            for finding in text.lint()
            if finding.edits and first <= finding.line <= last
        ]
