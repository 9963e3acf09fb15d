"""Candidates that want to pass without being right. Each must be refused, and for the right reason.

DEFAULT: refused by the specification's verdict, in our processes. STRICT: the verdict cannot see it; the finding must be there,
and fail the case under --strict.
"""

import os
import textwrap
import time
from pathlib import Path

import pytest
from judging import HONEST, MODEL, TASK


def forward(text):
    """ModelNew of the usual task with this body of forward."""
    return MODEL.format(forward=textwrap.indent(textwrap.dedent(text), " " * 8).strip())


def at_import(text, body="return x * 0"):
    return textwrap.dedent(text) + forward(body)


ANSWER = "torch.tanh(x) * self.w"

# name: (candidate, error type, part of the message)
DEFAULT = {
    "leaves with exit 0": (forward("import os; os._exit(0)"), "ProcessExited", "left with status 0 and without an answer"),
    "raises SystemExit 0": (forward("raise SystemExit(0)"), "SystemExit", "SystemExit: 0"),
    "raises KeyboardInterrupt": (forward("raise KeyboardInterrupt"), "KeyboardInterrupt", "KeyboardInterrupt"),
    "kills itself": (forward("import os; os.kill(os.getpid(), 9)"), "ProcessKilled", "SIGKILL"),
    "aborts": (forward("import os; os.abort()"), "ProcessKilled", "SIGABRT"),
    "touches address 0": (forward("import ctypes; ctypes.string_at(0)"), "ProcessKilled", "SIGSEGV"),
    "overruns the stack": (forward("""
        import sys
        sys.setrecursionlimit(10**9)
        def deeper(x): return list(map(deeper, [x]))
        return deeper(x)"""), "ProcessKilled", "SIGSEGV"),
    "floods its output": (forward("while True: print('all is well' * 1000)"), "OutputFlood", "printed more than"),
    "is a fork bomb": (forward("""
        import os
        while True:
            try: os.fork()
            except OSError: pass"""), "ProcessLimit", "100 are allowed"),
    "starts many sleepers": (forward("""
        import subprocess
        for _ in range(300): subprocess.Popen(['sleep', '100'])
        return x"""), "ProcessLimit", "100 are allowed"),
    "allocates everything": (forward("return torch.ones(1 << 45)"), "RuntimeError", "allocate"),
    "grows without bound": (forward("""
        held = []
        while True: held.append(torch.ones(1 << 24))"""), "RuntimeError", "allocate"),
    "fills its disk": (forward("""
        with open('/tmp/x', 'wb') as file:
            while True: file.write(b'x' * (1 << 24))"""), "OSError", "OSError: [Errno"),
    "returns zeros": (forward("return torch.zeros_like(x)"), "AssertionError", "MERE"),
    "returns a constant": (forward("return torch.full_like(x, 0.1)"), "AssertionError", "MERE"),
    "returns its input": (forward("return x"), "AssertionError", "MERE"),
    "returns NaN": (forward("return x * float('nan')"), "AssertionError", "NaN on one side only, in 2112 places"),
    "returns infinity": (forward("return x / 0"), "AssertionError", "infinity on one side only"),
    "does not write its output": (forward("return torch.empty_like(x)"), "AssertionError", "NaN on one side only"),
    "reuses freed memory": (forward(f"""
        y = {ANSWER}
        del y
        return torch.empty(x.shape)"""), "AssertionError", "NaN on one side only"),
    "forgets the tail": (forward(f"""
        y = torch.empty_like(x).reshape(-1)
        y[:-1] = ({ANSWER}).reshape(-1)[:-1]
        return y.reshape(x.shape)"""), "AssertionError", "first at [63, 32]"),
    "is one row short": (forward(f"return ({ANSWER})[1:]"), "AssertionError", "shape [63, 33], expected [64, 33]"),
    "returns the transpose": (forward(f"return ({ANSWER}).T"), "AssertionError", "shape [33, 64]"),
    "returns nothing": (forward("pass"), "AssertionError", "None on one side"),
    "returns a thing": (forward("return object()"), "AssertionError", "cannot be compared"),
    "equals everything": (at_import("""
        class Equal:
            def __eq__(self, other): return True
            def __ne__(self, other): return False
        """, "return Equal()"), "AssertionError", "cannot be compared"),
    "computes in a thread, later": (forward(f"""
        import threading, time
        y = torch.empty_like(x)
        def later():
            time.sleep(1)
            y.copy_({ANSWER})
        threading.Thread(target=later, daemon=True).start()
        return y"""), "AssertionError", "NaN on one side only"),
    "changes its inputs to make the reference easy": (forward("x.zero_(); return torch.zeros_like(x)"), "AssertionError", "MERE"),
    "patches torch": (at_import("""
        import torch
        torch.allclose = torch.equal = lambda *a, **k: True
        torch.Tensor.__ne__ = torch.Tensor.__gt__ = lambda self, other: torch.tensor(False)
        torch.tanh = torch.nn.Module.__call__ = lambda *a, **k: torch.zeros(64, 33)
        """), "AssertionError", "MERE"),
    "patches json, os and builtins": (at_import("""
        import builtins, json, os
        json.dumps = lambda *a, **k: '{"passed_cases": 2, "total_cases": 2}'
        builtins.abs = builtins.max = lambda *a, **k: 0.0
        os._exit = lambda code: None
        """), "ProtocolError", "question that was not asked"),
    "patches the worker": (at_import("""
        import sys
        for name, module in list(sys.modules.items()):
            if name.startswith('tilesmith') or name == '__main__':
                for key in list(vars(module)):
                    if callable(getattr(module, key)) and key not in ('sys', 'os'):
                        try: setattr(module, key, lambda *a, **k: ({'values': [], 'blobs': []}, 0))
                        except Exception: pass
        """), None, ""),
    "looks for the reference everywhere": (at_import("""
        import gc, glob, os, sys, torch
        def find():
            for module in list(sys.modules.values()):
                if isinstance(getattr(module, 'Model', None), type): return module.Model
            for thing in gc.get_objects():
                if isinstance(thing, type) and thing.__name__ == 'Model': return thing
            for top in ('/', '/proc/1/root', '/proc/self/cwd'):
                for folder, _, files in os.walk(top):
                    if folder.startswith(('/proc', '/sys', '/usr', '/lib')) or '/lib/python3' in folder: continue
                    for name in files:
                        if name.endswith('_torch.py') or name == 'verify_result.json':
                            scope = {}
                            exec(open(os.path.join(folder, name)).read(), scope)
                            if 'get_init_inputs' in scope: return scope['Model']
            return None
        found = find()
        """, """
        torch.manual_seed(0)
        return found(33)(x) if found else torch.zeros_like(x)"""), "AssertionError", "MERE"),
    "writes to its judge": (forward("""
        import json, os
        data = json.dumps({'nonce': '', 'wall_ns': 1, 'bundle': {}}).encode()
        for fd in range(3, 30):
            try: os.write(fd, len(data).to_bytes(8, 'little') + data)
            except OSError: pass
        return x"""), "ProtocolError", "not asked"),
    "sends its judge nonsense": (forward("""
        import os
        for fd in range(3, 30):
            try: os.write(fd, b'\\xff' * 64)
            except OSError: pass
        return x"""), "ProtocolError", "a message of"),
    "sends many descriptors": (forward("""
        import os, socket
        pair = socket.socketpair()
        for fd in range(3, 8):
            try:
                judge = socket.socket(fileno=os.dup(fd))
                for _ in range(500): socket.send_fds(judge, [b'\\0'], [0, 1, 2, 0])
            except OSError: pass
        return x"""), "ProtocolError", "descriptors"),
    "closes every descriptor": (forward("""
        import os
        os.closerange(0, 100)
        return x"""), None, ""),
    "answers twice": (forward(f"""
        import os
        os.fork()
        return {ANSWER} * 0"""), None, ""),
    "kills everybody it can": (forward("""
        import os
        for pid in [1, os.getppid(), *range(2, 70000)]:
            if pid != os.getpid():
                try: os.kill(pid, 9)
                except OSError: pass
        return torch.zeros_like(x)"""), "AssertionError", "MERE"),
    "raises what cannot be printed": (forward("""
        class Mute(Exception):
            def __str__(self): raise RuntimeError
            __repr__ = __str__
        raise Mute()"""), "Mute", ""),
    "raises a novel": (forward("raise ValueError('x' * (1 << 26))"), "ValueError", "truncated"),
    "asks the network": (forward("""
        import socket
        socket.create_connection(('1.1.1.1', 53), 2)
        return x"""), "OSError", "unreachable"),
    "returns a number too long to print": (forward("return 10**100000"), "AssertionError", "output 0: "),
    "returns a deep list": (forward("""
        held = []
        for _ in range(5000): held = [held]
        return held"""), None, ""),
    "returns very many outputs": (forward("return [x] * 30000"), "AssertionError", "30000 outputs, expected 1"),
    "returns a tensor without memory": (forward("return torch.empty(x.shape, device='meta')"), None, ""),
    "lies about its shape": (at_import("""
        import torch
        class Liar(torch.Tensor):
            @property
            def shape(self): return torch.Size([64, 33])
        """, "return torch.zeros(3).as_subclass(Liar)"), None, ""),
}


NEEDS_NAMESPACES = {"looks for the reference everywhere", "kills everybody it can", "asks the network", "fills its disk"}


@pytest.mark.parametrize("name", DEFAULT)
def test_refused_by_the_verdict(verify, isolation, name):
    if name in NEEDS_NAMESPACES and not all(isolation.values()):
        pytest.skip(f"this system allows no namespaces: {isolation}")
    impl, error_type, message = DEFAULT[name]
    done = verify(TASK, impl, "--timeout", "40", "--memory", "1")
    assert done.code == 1
    if error_type is None:  # there is more than one right way to fail; passing is not one of them
        assert done.result is None or (done.result["passed_cases"] == 0 and all(done.errors))
        assert done.result is not None or "op_triton_ascend_impl.py: Proc" in done.err
    elif done.result is None:  # it could not even be loaded
        assert error_type in done.err and message in done.err
    else:
        assert done.errors[0] == error_type, done.failures
        assert message in done.failures[0]["error_msg"]


LARGE_INTEGERS = TASK.replace("return torch.tanh(x) * self.w", "return (x * 1e6).long() + 10**9")
TINY = """
import torch
class Model(torch.nn.Module):
    def forward(self, x): return torch.softmax(x.float(), -1).to(x.dtype)
def get_init_inputs(): return []
def get_inputs(): return [torch.randn(2, 1 << 18).bfloat16()]
"""
LIKE_IDENTITY = """
import torch
class Model(torch.nn.Module):
    def forward(self, x): return torch.nn.functional.gelu(x)
def get_init_inputs(): return []
def get_inputs(): return [torch.rand(100) * 4 + 4]
"""
ALL_NAN = LIKE_IDENTITY.replace("torch.nn.functional.gelu(x)", "torch.log(-x)")
PLAIN = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x): return {}\n"

# name: (task, candidate, finding)
STRICT = {
    "integers off by one": (LARGE_INTEGERS, forward("return (x * 1e6).long() + 10**9 + 1"), "integer"),
    "another dtype": (TASK, forward(f"return ({ANSWER}).double()"), "dtype"),
    "other strides": (TASK, forward(f"return ({ANSWER}).T.contiguous().T"), "stride"),
    "zeros where results are tiny": (TINY, PLAIN.format("torch.zeros_like(x)"), "null-zeros"),
    "the input where the operation is nearly none": (LIKE_IDENTITY, PLAIN.format("x"), "null-input"),
    "returns its input's memory": (LIKE_IDENTITY, PLAIN.format("x.view(10, 10).view(100)"), "alias"),
    "nothing finite": (ALL_NAN, PLAIN.format("torch.full_like(x, float('nan'))"), "vacuous"),
    "writes its inputs": (TASK, forward(f"y = {ANSWER}; x.zero_(); return y"), "inputs-modified"),
    "writes past its inputs": (TASK, forward(f"""
        import ctypes
        y = {ANSWER}
        ctypes.memset(x.data_ptr() + x.numel() * 4, 1, 8)
        return y"""), "inputs-modified"),
    "a tensor of another class": (TASK, at_import("""
        import torch
        class Lazy(torch.Tensor): pass
        """, f"return ({ANSWER}).as_subclass(Lazy)"), "subclass"),
    "remembers by shape": (TASK, at_import("cache = {}", f"""
        if x.shape not in cache: cache[x.shape] = {ANSWER}
        return cache[x.shape].clone()"""), "second-seed"),
    "remembers by address": (TASK, forward(f"""
        if not hasattr(self, 'cache'): self.cache = {{}}
        return self.cache.setdefault(x.data_ptr(), {ANSWER}).clone() + (len(self.cache) > 1)"""), "nondeterministic"),
    "keeps state between calls": (TASK, forward(f"""
        self.calls = getattr(self, 'calls', 0) + 1
        return {ANSWER} * self.calls"""), "nondeterministic"),
    "is not the same twice": (TASK, forward(f"""
        import time
        return {ANSWER} * (1 + (time.perf_counter_ns() % 1000) * 1e-9)"""), "nondeterministic"),
    "knows the public seed": (TASK, forward(f"""
        torch.manual_seed(0)
        public = [torch.randn(64, 33), torch.randn(7, 33)]
        return {ANSWER} if any(torch.equal(x, known) for known in public) else x"""), "second-seed"),
    "knows the public weights": (TASK, forward("""
        torch.manual_seed(0)
        return torch.tanh(x) * torch.randn(33)"""), "second-seed"),
    "knows the public shapes": (TASK, forward(f"""
        return {ANSWER} if x.shape[0] in (64, 7) else x"""), "perturbed-shape"),
    "crashes on other shapes": (TASK, forward(f"""
        assert x.shape[0] in (64, 7)
        return {ANSWER}"""), "perturbed-shape"),
    "dies on other shapes": (TASK, forward(f"""
        import os
        if x.shape[0] not in (64, 7): os._exit(0)
        return {ANSWER}"""), "perturbed-shape"),
    "no kernel launched": (TASK.replace(ANSWER, "x.clone()"), "import asc2\n" + HONEST.replace(ANSWER, "x.clone()"), "no-launch"),
}


@pytest.mark.parametrize("name", STRICT)
def test_found_and_refused_when_strict(verify, name):
    task, impl, finding = STRICT[name]
    done = verify(task, impl)
    assert done.code == 0, done.failures
    assert finding in done.findings, done.result["findings"]
    assert f"[{finding}]" in done.out
    done = verify(task, impl, "--strict")
    assert done.code == 1 and done.errors[0] == "StrictFinding" and f"[{finding}]" in done.failures[0]["error_msg"]


def test_an_honest_candidate_has_no_findings(verify):
    done = verify(TASK, HONEST, "--strict")
    assert done.code == 0, done.result


@pytest.mark.parametrize("where", ["in forward", "at import"])
def test_a_hang_that_ignores_sigterm_ends(verify, where):
    text = "import signal\nfor number in (1, 2, 3, 15): signal.signal(number, signal.SIG_IGN)\nwhile True: pass\n"
    begin = time.monotonic()
    done = verify(TASK, at_import(text) if where == "at import" else forward(text), "--timeout", "3")
    assert done.code == 1 and done.result is None and "验证超时(3秒)" in done.out
    assert time.monotonic() - begin < 12


def test_a_candidate_cannot_write_the_result(verify, isolated, tmp_path):
    """It knows the path, tries to write a passing result at import and in the end, and leaves."""
    forged = '{"op_name": "op", "total_cases": 1, "passed_cases": 1, "failed_cases": 0, "failures": []}'
    done = verify(TASK, f"""
import os
for path in ({str(tmp_path / "verify_result.json")!r}, "verify_result.json", "../verify_result.json"):
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        open(path, "w").write('''{forged}''')
    except OSError: pass
os._exit(0)
""")
    assert done.code == 1 and done.result is None and "ProcessExited" in done.err


def test_a_daemon_does_not_survive(verify):
    """Forked twice, in a session of its own, ignoring signals: it must be gone when the judge is done."""
    mark = f"mark-{os.getpid()}-{time.time_ns()}"
    done = verify(TASK, forward(f"""
        import os, subprocess
        if os.fork() == 0:
            os.setsid()
            subprocess.Popen(['sh', '-c', 'trap "" TERM HUP INT; while :; do sleep 1; done', '{mark}'], start_new_session=True)
            os._exit(0)
        return {ANSWER}"""))
    assert done.code == 0
    commands = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            commands.append(path.read_bytes())
        except OSError:
            continue
    assert not any(mark.encode() in command for command in commands)


def test_the_task_is_not_importable(verify):
    done = verify(TASK, "from op_torch import Model\nclass ModelNew(Model): pass\n")
    assert done.code == 1 and done.result is None and "No module named 'op_torch'" in done.err


def test_one_candidate_does_not_see_what_another_left(verify, isolated):
    """/tmp and /dev/shm are new for every process."""
    verify(TASK, forward("""
        for folder in ('/tmp', '/dev/shm'): open(folder + '/left', 'w').write('x')
        return x"""))
    done = verify(TASK, forward(f"""
        import os
        assert not any(os.path.exists(folder + '/left') for folder in ('/tmp', '/dev/shm'))
        return {ANSWER}"""))
    assert done.code == 0, done.failures
