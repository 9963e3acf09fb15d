"""`tilesmith lsp` as an editor has it: a process, messages over its stdin and stdout."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
URI = "file:///work/gelu_impl.py"
TEXT = "import asc2\n\n\n@asc2.jit\ndef kernel(x_ptr, size):\n    x = asc2.tensor(x_ptr, [size])\n    é = print(x)\n    asc2.store(asc2.load(x, [64], tile_id=[0]), x, tile_id=[0])\n"


class Client:
    """The little of a client that the tests need."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-m", "tilesmith", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number, self.told = 0, []

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, params):
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                return message
            self.told.append(message)

    def diagnostics(self):
        while True:
            message = self.told.pop(0) if self.told else self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                return message["params"]["diagnostics"]

    def open(self, text, uri=URI):
        self.send(method="textDocument/didOpen", params={"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
        return self.diagnostics()

    def change(self, text, uri=URI):
        self.send(method="textDocument/didChange", params={"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text}]})
        return self.diagnostics()

    def at(self, method, line, character, uri=URI):
        position = {"line": line, "character": character}
        return self.ask(method, {"textDocument": {"uri": uri}, "position": position})["result"]

    def close(self):
        self.ask("shutdown", None)
        self.send(method="exit")
        return self.process.wait(10)


@pytest.fixture
def client():
    made = Client()
    made.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    made.send(method="initialized", params={})
    yield made
    made.process.kill()


def test_diagnostics_follow_the_text(client):
    found = client.open(TEXT)
    assert [(each["code"], each["severity"]) for each in found] == [("TS106", 1)]
    assert found[0]["range"] == {"start": {"line": 6, "character": 8}, "end": {"line": 6, "character": 16}}  # UTF-16, not bytes
    assert client.change(TEXT.replace("print(x)", "1")) == []
    assert client.change("def f(:\n")[0]["code"] == "TS901"
    assert client.close() == 0


def test_hover_and_definition_of_a_builtin(client):
    client.open(TEXT)
    assert "load(" in client.at("textDocument/hover", 7, 22)["contents"]["value"]
    assert "TS106" in client.at("textDocument/hover", 6, 10)["contents"]["value"]
    assert client.at("textDocument/hover", 1, 0) is None
    assert Path(client.at("textDocument/definition", 7, 22)["uri"].removeprefix("file://")).is_file()
    assert client.at("textDocument/definition", 4, 6) is None


SHAPES = """\
import asc
import asc2

TILE = 1024


@asc2.jit
def kernel(x_ptr, y_ptr, rows, cols: asc.ConstExpr[int]):
    x = asc2.tensor(x_ptr, [rows, cols])
    for i in asc2.range(rows):
        tile = asc2.load(x, [4, TILE], offsets=[i, 0])
        wide = tile.to(asc.float32)
        total = asc2.reduce_sum(wide * 2, 1, keep_dims=True)
        part = asc2.load(x, [1, cols], offsets=[i, 0])
        asc2.store(wide / total, x, offsets=[i, 0])
"""


@pytest.mark.parametrize("line, character, words", [
    (9, 4, ["**tensor** [rows, cols] of the type of x_ptr, in GM"]),
    (11, 9, ["**tile** [4, 1024] of the type of x_ptr, in UB", "pipe MTE2, cycles: 208 + bytes / 250 (Ascend950PR_9599)"]),
    (12, 9, ["**tile** [4, 1024] of float32, in UB, 16384 bytes", "pipe V, 32 repeats of 128 lanes"]),
    (13, 9, ["**tile** [4, 1] of float32, in UB, 16 bytes", "pipe V, 32 repeats"]),
    (14, 9, ["**tile** [1, cols]"]),
    (15, 14, ["**store** of [4, 1024] of float32", "pipe MTE3, about 346 cycles: 270 + 16384 bytes / 215"]),
])
def test_hover_tells_shape_type_memory_pipe_and_cost(client, line, character, words):
    client.open(SHAPES)
    said = client.at("textDocument/hover", line - 1, character)["contents"]["value"]
    assert all(word in said for word in words), said


def test_hover_of_what_does_not_parse(client):
    client.open("def f(:\n    x = 1\n")
    assert client.at("textDocument/hover", 1, 4) is None


def test_quick_fix(client):
    text = "import pypto\nimport torch\n\n\n@pypto.jit\ndef kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):\n    pypto.set_vec_tile_shapes(16, 64)\n"
    client.open(text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    actions = client.ask("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": whole, "context": {"diagnostics": []}})["result"]
    assert actions[0]["edit"]["changes"][URI] == [
        {"range": {"start": {"line": 4, "character": 1}, "end": {"line": 4, "character": 10}}, "newText": "pypto.frontend.jit"}]


def test_what_is_not_known_is_an_error_and_the_server_stays(client):
    assert client.ask("textDocument/rename", {})["error"]["code"] == -32601
    assert "error" in client.ask("textDocument/hover", {"textDocument": {"uri": "file:///none.py"}, "position": {"line": 0, "character": 0}})
    client.send(method="textDocument/didChange", params={})
    client.send(method="$/cancelRequest", params={"id": 7})
    assert client.open(TEXT, "file:///work/k.py")


def test_a_thousand_lines_are_answered_in_50_ms(client):
    """In processor time of the server: the machine may be busy."""
    text = (ROOT / "kernels/softmax.py").read_text()
    text = text * (1 + 1000 // text.count("\n"))
    client.open(text)

    def used():
        return int(Path(f"/proc/{client.process.pid}/schedstat").read_text().split()[0]) / 1e9

    times = []
    for number in range(7):
        before = used()
        client.change(text + f"# {number}\n")
        changed = used()
        client.at("textDocument/hover", 40, 12)
        times.append(max(changed - before, used() - changed))
    assert min(times) < 0.05


def test_manifest_of_the_extension_is_json():
    assert json.loads((ROOT / "editors/vscode/package.json").read_text())["name"] == "tilesmith"
