"""Programs that break one rule about operators each, written in other ways than the rule's own example, and near ones that do not.

(rule, role, code that fires, code that is clean). HEAD and ENTRY stand for what most of them begin with.
"""

HEAD = "import pypto\nimport torch\n"
TENSOR = "pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)"
ENTRY = f"@pypto.frontend.jit\ndef kernel(x: {TENSOR}, out: {TENSOR}):\n    pypto.set_vec_tile_shapes(16, 64)\n"
WRAPPER = "def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return out\n"
BODY = "    for i in pypto.loop(1):\n        out[:] = x + x\n"
IMPORTS = "from op_impl import op_wrapper\nfrom op_golden import op_golden\n"

PROBES = [
    ("OL01", "impl", HEAD + "make = pypto.frontend.jit\n@make\ndef kernel(x: " + TENSOR + "):\n    pass\n", HEAD + ENTRY + BODY),
    ("OL01", "impl", HEAD + "def body(x):\n    pass\nkernel = pypto.frontend.jit(body)\n", HEAD + "# @pypto.frontend.jit\n" + ENTRY + BODY),
    ("OL01", "impl", HEAD + "import pypto.frontend as F\n@F.jit(runtime_options={})\ndef kernel(x: " + TENSOR + "):\n    pass\n",
     HEAD + "@pypto.frontend.jit(\n    runtime_options={'run_mode': 1},\n)\ndef kernel(x: " + TENSOR + "):\n    pass\n"),
    ("OL01", "impl", HEAD + ENTRY + BODY + "def factory(n):\n    @pypto.frontend.jit\n    def second(x: " + TENSOR + "):\n        pass\n    return second\n",
     HEAD + "def factory(n):\n    @pypto.frontend.jit\n    def only(x: " + TENSOR + "):\n        pass\n    return only\n"),
    ("OL01", "impl", HEAD + 'TEXT = "@pypto.frontend.jit"\ndef kernel(x):\n    pass\n', HEAD + ENTRY),
    ("OL02", "impl", HEAD + ENTRY + "    for out in pypto.loop(4):\n        pass\n", HEAD + ENTRY + "    out[:], part = x, x\n"),
    ("OL02", "impl", HEAD + ENTRY + "    part, (x, rest) = x, (out, out)\n", HEAD + ENTRY + "    def helper(x):\n        x = x + 1\n        return x\n    out[:] = helper(x)\n"),
    ("OL02", "impl", HEAD + ENTRY + "    if (x := x + out):\n        pass\n", HEAD + ENTRY + "    out[:] += x\n"),
    ("OL02", "impl", HEAD + ENTRY + "    out *= 2\n", HEAD + ENTRY + "    outs = [out for x in (1, 2)]\n"),
    ("OL03", "impl", HEAD + ENTRY + "    if x.shape[0] > 4:\n        return\n", HEAD + ENTRY + "    def twice(y):\n        return y + y\n    out[:] = twice(x)\n"),
    ("OL04", "impl", HEAD + ENTRY.replace("pypto.set_vec_tile_shapes(16, 64)", "'pypto.set_vec_tile_shapes(16, 64)'"),
     HEAD + "def tiles():\n    pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])\ndef deep():\n    tiles()\n" + ENTRY.replace("pypto.set_vec_tile_shapes(16, 64)", "deep()")),
    ("OL04", "impl", HEAD + "def tiles():\n    pypto.set_vec_tile_shapes(16, 64)\n" + ENTRY.replace("pypto.set_vec_tile_shapes(16, 64)", "out[:] = x"),
     HEAD + ENTRY.replace("pypto.set_vec_tile_shapes(16, 64)", "tile = pypto.set_vec_tile_shapes\n    tile(16, 64)")),
    ("OL04", "impl", HEAD + "def set_vec_tile_shapes(*n):\n    pass\n" + ENTRY.replace("pypto.set_vec", "set_vec"),
     HEAD + ENTRY.replace("    pypto.set_vec_tile_shapes(16, 64)", "    def tiles():\n        pypto.set_vec_tile_shapes(16, 64)\n    tiles()")),
    ("OL04", "impl", HEAD + ENTRY.replace("    pypto.set_vec_tile_shapes(16, 64)", "    def tiles():\n        pypto.set_vec_tile_shapes(16, 64)\n    out[:] = x"), HEAD + ENTRY),
    ("OL05", "impl", HEAD + ENTRY.replace("):\n", ", scale=1.0):\n", 1), HEAD + ENTRY.replace("):\n", ", scale: float = 1.0):\n", 1)),
    ("OL06", "impl", HEAD + ENTRY + "    smaller = min\n    n = smaller(x.shape[0], 4)\n", HEAD + ENTRY + "    n = (x.shape[0] - 4).min(16)\n"),
    ("OL06", "impl", HEAD + "import builtins\n" + ENTRY + "    n = builtins.max(x.shape[0], 4)\n", HEAD + "from pypto import max\n" + ENTRY + "    n = max(x.shape[0], 4)\n"),
    ("OL06", "impl", HEAD + "def part(n):\n    return [k + max(n, 2) for k in (1, 2)]\n" + ENTRY + "    n = part(x.shape[0])\n",
     HEAD + "def part(n):\n    return max(n, 2)\n" + ENTRY + BODY + "def op_wrapper(x):\n    return part(4)\n"),
    ("OL07", "impl", "import torch, pypto as pt\n", "import torch, pypto\n"),
    ("OL07", "impl", "import pypto\nfrom pypto.frontend import jit\n", "import pypto\nimport pypto_tools\n"),
    ("OL07", "impl", "import importlib\npypto = importlib.import_module('pypto')\n", "try:\n    import pypto\nexcept ImportError:\n    raise\n"),
    ("OL08", "impl", "import pypto\nclass A:\n    def op_wrapper(self):\n        pass\n", "import pypto\ndef op_wrapper(*x):\n    pass\n"),
    ("OL08", "impl", "import pypto\ndef outer():\n    def op_wrapper(x):\n        pass\n", "import pypto\nif True:\n    def op_wrapper(x):\n        pass\n"),
    ("OL15", "golden", "import importlib\np = importlib.import_module('py' + 'pto')\n", "import torch\nP = 'pypto'\n"),
    ("OL15", "golden", "def f(x):\n    from pypto.frontend import jit\n    return x\n", "import pyptography\n"),
    ("OL15", "golden", "exec('import pypto as p')\n", "print('import pypto')\n"),
    ("OL15", "golden", "from op_impl import op_wrapper\ndef op_golden(x):\n    return op_wrapper(x)\n", "def op_golden(x):\n    op_impl = x\n    return op_impl\n"),
    ("OL16", "impl", HEAD + "from importlib import import_module as load\ng = load('op_golden')\n", HEAD + "NAME = 'op_golden'\n"),
    ("OL16", "impl", HEAD + "def f(x):\n    from .op_golden import op_golden as g\n    return g(x)\n", HEAD + '"""op_golden computes the same"""\n'),
    ("OL16", "impl", HEAD + "import runpy\ng = runpy.run_path('custom/op/op_golden.py')\n", HEAD + "from op_golden_shapes import SHAPES\n"),
    ("OL16", "impl", HEAD + "exec(open('op_golden.py').read())\n", HEAD + "text = open('notes.txt').read()\n"),
    ("OL16", "impl", HEAD + "OP = 'op'\nm = __import__(f'{OP}_golden')\n", HEAD + "def __golden(x):\n    return x\n"),
    ("OL17", "test", "import pypto as p\nfrom pypto.frontend import jit as compiled\n@compiled\ndef kernel(x: p.Tensor([4], p.DT_FP32)):\n    pass\n", "# @pypto.frontend.jit\ndef kernel(x):\n    pass\n"),
    ("OL18", "test", "from op_impl import op_wrapper\n# from op_golden import op_golden\n", "from custom.op import op_impl, op_golden\n"),
    ("OL18", "test", "X = 'op_impl op_golden'\n", "import importlib\na = importlib.import_module('op_impl')\nb = importlib.import_module('custom.op.op_golden')\n"),
    ("OL19", "test", IMPORTS + "def test_l0(x):\n    op_wrapper(x)\ndef unused(a, b):\n    assert_allclose(a, b)\n", IMPORTS + "from numpy.testing import assert_allclose as close\ndef test_l0(x):\n    close(op_wrapper(x), op_golden(x))\n"),
    ("OL19", "test", IMPORTS + "def detailed_tensor_compare(*a, **k):\n    print('ok')\ndef test_l0(x):\n    detailed_tensor_compare(op_golden(x), op_wrapper(x))\n",
     IMPORTS + "def detailed_tensor_compare(a, b):\n    if (a != b).any():\n        raise AssertionError\ndef test_l0(x):\n    detailed_tensor_compare(op_golden(x), op_wrapper(x))\n"),
    ("OL19", "test", IMPORTS + "import numpy as np\ndef test_l0(x):\n    y = op_wrapper(x)\n    np.testing.assert_allclose(y, y)\n", IMPORTS + "import numpy as np\ndef check(a, b):\n    np.testing.assert_allclose(a, b)\ndef test_l0(x):\n    check(op_wrapper(x), op_golden(x))\n"),
    ("OL20", "test", 'NOTE = "TILE_FWK_DEVICE_ID"\nprint("TILE_FWK_DEVICE_ID set_device")\n', 'import os\nKEY = "TILE_FWK_DEVICE_ID"\ndevice = os.environ.get(KEY, "0")\n'),
    ("OL20", "test", "def set_device(n):\n    pass\nset_device(0)\n", "import torch_npu\ntorch_npu.npu.set_device(0)\n"),
    ("OL21", "test", "def test_op_l0():\n    pass\ndef test_op_l10():\n    pass\n", "def test_op_level0_small():\n    pass\ndef test_op_l1_large():\n    pass\n"),
    ("OL21", "test", "test_l0 = 1\n# def test_l1\n", "class TestOp:\n    def test_l0(self):\n        pass\n    def test_l1(self):\n        pass\n"),
    ("OL22", "test", "def manual_seed(n):\n    pass\nmanual_seed(0)\n", "from torch import manual_seed as seed\nseed(0)\n"),
    ("OL22", "test", "'torch.manual_seed(0)'\n", "import torch\ng = torch.Generator().manual_seed(1)\n"),
    ("OL23", "impl", HEAD + ENTRY + "    for i in range(4):\n        out[:] = x\n" + WRAPPER, HEAD + "def walk(x, out):\n    for i in pypto.loop_unroll(0, 4, 1, unroll_list=[1]):\n        out[:] = x\n" + ENTRY + "    walk(x, out)\n" + WRAPPER),
    ("OL23", "impl", HEAD + "def walk(x):\n    for i in pypto.loop(4):\n        pass\n" + ENTRY + "    out[:] = x\n" + WRAPPER, HEAD + "again = pypto.loop\n" + ENTRY + "    for i in again(2):\n        out[:] = x\n"),
    ("OL25", "impl", HEAD + "@pypto.frontend.jit\ndef kernel(x: pypto.Tensor[[], pypto.DT_FP32]):\n    pass\n", HEAD + "SHAPE = [pypto.DYNAMIC, 64]\nT = pypto.Tensor[SHAPE, pypto.DT_FP32]\n@pypto.frontend.jit\ndef kernel(x: T):\n    pass\n"),
    ("OL25", "impl", HEAD + "EMPTY = ()\n@pypto.frontend.jit\ndef kernel(x: pypto.Tensor(EMPTY, pypto.DT_FP32)):\n    pass\n", HEAD + "@pypto.frontend.jit\ndef kernel(x: pypto.Tensor(dtype=pypto.DT_FP16, shape=(4, 4))):\n    pass\n"),
    ("OL25", "impl", HEAD + "T = pypto.Tensor\n@pypto.frontend.jit\ndef kernel(x: T()):\n    pass\n", HEAD + "@pypto.frontend.jit\ndef kernel(x: " + TENSOR + ", n: int = 4):\n    pass\n"),
    ("OL25", "impl", HEAD + "@pypto.frontend.jit\ndef kernel(x: pypto.Tensor([4, 4])):\n    pass\n", HEAD + "def helper(x: pypto.Tensor()):\n    pass\n" + ENTRY),
    ("OL26", "impl", HEAD + f"T = {TENSOR}\n@pypto.frontend.jit\ndef kernel(x: T, eps: float, out: T):\n    pass\n", HEAD + f"T = {TENSOR}\n@pypto.frontend.jit\ndef kernel(x: T, out: T, eps: float, n: int):\n    pass\n"),
    ("OL28", "impl", HEAD + "from pypto import sigmoid\n" + ENTRY.replace("FP32", "FP16") + "    out[:] = sigmoid(x)\n", HEAD + "import math\n" + ENTRY.replace("FP32", "FP16") + "    n = math.cos(0.5)\n    out[:] = x\n"),
    ("OL28", "impl", HEAD + "def gate(y):\n    return y.softmax(-1)\n" + ENTRY.replace("FP32", "BF16") + "    out[:] = gate(x)\n", HEAD + "D = pypto.DT_FP32\n" + ENTRY.replace("pypto.DT_FP32", "D") + "    out[:] = pypto.sin(x)\n"),
    ("OL29", "impl", HEAD + ENTRY.replace("pypto.DYNAMIC", "16"), HEAD + "from pypto import DYN as any_size\n" + ENTRY.replace("pypto.DYNAMIC", "any_size")),
    ("OL29", "impl", HEAD + ENTRY.replace("pypto.DYNAMIC", "pypto.STATIC"), HEAD + "SHAPE = [pypto.DYNAMIC] + [64]\n" + ENTRY.replace("[pypto.DYNAMIC, 64]", "SHAPE")),
    ("OL45", "impl", HEAD + ENTRY + "def op_wrapper(x):\n    return [kernel(part, part) for part in x.split(16)]\n", HEAD + ENTRY + "def op_wrapper(x):\n    sizes = [n for n in range(4)]\n    kernel(x, x)\n"),
    ("OL45", "impl", HEAD + ENTRY + "def _each(x, n):\n    for i in range(n):\n        kernel(x[i], x[i])\ndef run_op(x):\n    _each(x, 4)\n", HEAD + ENTRY + "def op_wrapper(x):\n    for i in range(2):\n        x = x.unsqueeze(0)\n    kernel(x, x)\nfor i in range(3):\n    pass\n"),
    ("OL45", "impl", HEAD + ENTRY + "def op_wrapper(x):\n    list(map(lambda i: kernel(x[i], x[i]), range(4)))\n", HEAD + ENTRY + "def op_wrapper(x):\n    sizes = list(map(lambda i: x.shape[i], range(2)))\n    kernel(x, x)\n"),
    ("OL45", "impl", HEAD + ENTRY + "def launch_op(x):\n    go = kernel\n    i = 0\n    while i < 4:\n        go(x[i], x[i])\n        i += 1\n", HEAD + ENTRY + "def helper(x):\n    kernel(x, x)\ndef op_wrapper(x):\n    helper(x)\n"),
    ("OL46", "impl", HEAD + "def walk(x, out):\n    for i in pypto.loop(0, 1):\n        out[:] = x\n" + ENTRY + "    walk(x, out)\n    for i in pypto.loop(4):\n        pass\n", HEAD + ENTRY + "    for i in pypto.loop(1, 4):\n        for j in pypto.loop(2):\n            pass\n"),
    ("OL46", "impl", HEAD + "ONE = 1\n" + ENTRY + "    for i in pypto.loop(ONE):\n        for j in pypto.loop(4):\n            pass\n", HEAD + "ONE = 1\n" + ENTRY + "    for i in pypto.loop(ONE):\n        out[:] = x\n"),
    ("OL47", "impl", HEAD + "def pypto_a(x):\n    return x\ndef pypto_b(x):\n    return x\ndef _op_kernel_impl(x, out):\n    pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])\n    y = pypto_a(x)\n    out[:] = pypto_b(y)\n",
     HEAD + "def tiles():\n    pypto.set_vec_tile_shapes(1, 64)\ndef pypto_a(x):\n    tiles()\n    return x\ndef pypto_b(x):\n    tiles()\n    return x\ndef _op_kernel_impl(x, out):\n    pypto.set_vec_tile_shapes(16, 64)\n    out[:] = pypto_b(pypto_a(x))\n"),
    ("OL48", "impl", HEAD + ENTRY + "    pypto.set_vec_tile_shapes(1, 2 * 32)\n", HEAD + "A = B = 64\nC = B\n" + ENTRY + "    pypto.set_vec_tile_shapes(1, C)\n"),
    ("OL48", "impl", HEAD + "def make(size):\n    @pypto.frontend.jit\n    def kernel(x: " + TENSOR + "):\n        pypto.set_vec_tile_shapes(1, size)\n    return kernel\n", HEAD + "def make(n):\n    size = 128\n    @pypto.frontend.jit\n    def kernel(x: " + TENSOR + "):\n        pypto.set_vec_tile_shapes(1, size)\n    return kernel\n"),
    ("OL48", "impl", HEAD + ENTRY + "    cols = x.shape[1]\n    tile = pypto.set_vec_tile_shapes\n    tile(1, cols)\n", HEAD + ENTRY + "    cols = 64\n    pypto.set_vec_tile_shapes(1, cols)\n    cols = 128\n    pypto.set_vec_tile_shapes(1, cols)\n"),
    ("OL48", "impl", HEAD + ENTRY + "    pypto.set_vec_tile_shapes(1, cols)\n    cols = 64\n", HEAD + "M = [16, 128]\n" + ENTRY + "    pypto.set_cube_tile_shapes(M, [16, 64], n=[32, 32])\n"),
    ("OL48", "impl", HEAD + ENTRY + "    pypto.set_cube_tile_shapes([16, 24], [16, 16], [16, 16])\n", HEAD + ENTRY + "    pypto.set_cube_tile_shapes([16, 48], [16, 16], [16, 16], True)\n"),
    ("OL48", "impl", HEAD + ENTRY + "    pypto.set_cube_tile_shapes(128, [16, 16], [16, 16])\n", HEAD + ENTRY + "    pypto.set_cube_tile_shapes((16, 16), [16, 16], [16, 16])\n"),
    ("OL48", "impl", HEAD + "".join(f"A{n} = A{n - 1}\n" if n else "A0 = 8\n" for n in range(12)) + ENTRY + "    pypto.set_vec_tile_shapes(1, A11)\n", HEAD + "".join(f"A{n} = A{n - 1}\n" if n else "A0 = 8\n" for n in range(12)) + ENTRY + "    pypto.set_vec_tile_shapes(1, A8)\n"),
    ("OL49", "impl", HEAD + "def inner(x):\n    for j in pypto.loop(2):\n        pass\n" + ENTRY + "    for i in pypto.loop(4, unroll_list=[2]):\n        inner(x)\n", HEAD + "def inner(x):\n    for j in pypto.loop(2, unroll_list=[2]):\n        pass\n" + ENTRY + "    for i in pypto.loop(4):\n        inner(x)\n"),
    ("OL49", "impl", HEAD + ENTRY + "    for i, k in pypto.loop_unroll(0, 4, 1, unroll_list=[2]):\n        if i > 0:\n            for j in pypto.loop(2):\n                pass\n", HEAD + ENTRY + "    for i in pypto.loop(4, unroll_list=[2]):\n        for j in range(2):\n            pass\n    for j in pypto.loop(2):\n        pass\n"),
    ("OL52", "impl", HEAD + "AT = [0]\n" + ENTRY + "    y = pypto.view(x, [16, 64], AT)\n", HEAD + ENTRY + "    y = pypto.view(x, [16, 64], offsets=[0, 0], valid_shape=[8, 64])\n"),
    ("OL52", "impl", HEAD + ENTRY + "    y = x.view([16, 64], [0, 0], valid_shape=[16])\n", HEAD + ENTRY + "    y = pypto.reshape(x, [4, 4, 4], valid_shape=[4, 4])\n"),
    ("OL55", "impl", HEAD + ENTRY + "    y = getattr(pypto, 'swish')(x)\n", HEAD + ENTRY + "    y = getattr(pypto, 'sigmoid')(x)\n"),
    ("OL55", "impl", HEAD + "from pypto import layer_norm\n", HEAD + "TEXT = 'pypto.layer_norm'\n"),
    ("OL55", "impl", HEAD + "def op_wrapper(x):\n    return pypto.empty_like(x)\n", HEAD + "def op_wrapper(x):\n    pypto_empty = x\n    return pypto_empty\n"),
    ("OL56", "impl", HEAD + "LIST = (8, 4)\n" + ENTRY + "    for i in pypto.loop(4, unroll_list=LIST):\n        pass\n", HEAD + ENTRY + "    for i in pypto.loop(4, unroll_list=[8]):\n        pass\n"),
    ("OL56", "impl", HEAD + ENTRY + "    for i, k in pypto.loop_unroll(0, 8, 1, unroll_list=[4, 2]):\n        pass\n", HEAD + "unroll_list = [4, 2]\n" + ENTRY),
    ("OL57", "impl", HEAD + ENTRY + "    for i, j in enumerate(pypto.loop(4)):\n        pass\n", HEAD + ENTRY + "    for i in range(4):\n        pass\n"),
    ("OL57", "impl", HEAD + "def part(x, i):\n    return pypto.exp(x)\n" + ENTRY + "    y = [part(x, i) for i in range(2)]\n", HEAD + "def size(i):\n    return i * 2\n" + ENTRY + "    y = [size(i) for i in range(2)]\n"),
    ("OL57", "impl", HEAD + "def part(x):\n    for s in [1, 2]:\n        x = x + s\n    return x\n" + ENTRY + "    out[:] = part(x)\n", HEAD + ENTRY + "    out[:] = x\ndef op_wrapper(x):\n    while x.dim() < 2:\n        x = x.unsqueeze(0)\n    kernel(x, x)\n"),
    ("OL58", "impl", HEAD + ENTRY + "def make(n):\n    return pypto.full([n], 0.0, pypto.DT_FP32)\ndef op_wrapper(x):\n    kernel(x, make(4))\n", HEAD + ENTRY + "    y = pypto.full([4, 64], 0.0, pypto.DT_FP32)\ndef op_wrapper(x):\n    kernel(x, torch.zeros(4))\n"),
    ("OL58", "impl", HEAD + ENTRY + "OUT = pypto.zeros(4, 64)\ndef op_wrapper(x):\n    kernel(x, OUT)\n", HEAD + ENTRY + "    y = pypto.zeros(4, 64)\n" + WRAPPER),
    ("OL58", "impl", HEAD + "zeros = pypto.zeros\n" + ENTRY + "def op_wrapper(x):\n    out = zeros(4, 64)\n    kernel(x, out)\n", HEAD + "from torch import zeros\n" + ENTRY + "def op_wrapper(x):\n    out = zeros(4, 64)\n    kernel(x, out)\n"),
    ("OL60", "test", IMPORTS + "def test_l0(x):\n    assert op_golden(x) is not None\n", IMPORTS + "def both(x):\n    return op_wrapper(x), op_golden(x)\ndef test_l0(x):\n    a, b = both(x)\n"),
    ("OL61", "impl", HEAD + ENTRY + "    y = pypto.sub(-1.0, x)\n", HEAD + ENTRY + "    y = pypto.sub(x, -1.0)\n"),
    ("OL61", "impl", HEAD + ENTRY.replace("FP32", "INT64") + "    y = pypto.cast(x, pypto.DT_FP16)\n", HEAD + ENTRY.replace("FP32", "INT64") + "    y = pypto.cast(x, pypto.DT_FP32)\n"),
    ("OL61", "impl", HEAD + ENTRY + "    y = pypto.add(x, pypto.Element(pypto.DT_FP32, 1.0))\n", HEAD + ENTRY + "    y = pypto.clip(x, pypto.Element(pypto.DT_FP32, 0.0))\n"),
    ("OL61", "impl", HEAD + "D = pypto.DT_FP32\n" + ENTRY + "    y = pypto.ones(4, 64, D)\n", HEAD + "D = pypto.DT_FP32\n" + ENTRY + "    y = pypto.ones(4, 64, dtype=D)\n"),
    ("OL62", "impl", HEAD + ENTRY + BODY + "def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return x * 2\n", HEAD + ENTRY + BODY + "def op_wrapper(x):\n    rows = x.shape[0] * 2\n    out = torch.empty(rows, 64)\n    kernel(x.contiguous(), out)\n    return out.view(x.shape)\n"),
    ("OL62", "impl", HEAD + ENTRY + BODY + "def op_wrapper(x):\n    out = x.exp()\n    kernel(x, out)\n    return out\n", HEAD + ENTRY + BODY + "def op_wrapper(x):\n    out = x.new_empty(x.shape)\n    kernel(x, out)\n    return out\n"),
    ("OL62", "impl", HEAD + "import torch.nn.functional as F\n" + ENTRY + BODY + "def op_wrapper(x):\n    y = torch.empty_like(x)\n    kernel(x, y)\n    return F.gelu(x)\n", HEAD + ENTRY + BODY + WRAPPER),
]


def probe(rule, role, bad, good):
    PROBES.append((rule, role, bad, good))


E = HEAD + ENTRY
J = "@pypto.frontend.jit\n"
probe("OL01","impl","import pypto\nimport torch\nfrom pypto import frontend\n@frontend.jit\ndef kernel(x: "+TENSOR+"):\n    pass\n",HEAD+"@pypto.frontend.jit()\ndef kernel(x: "+TENSOR+"):\n    pass\n")
probe("OL01","impl","import pypto as pt\n@pt.frontend.jit\ndef kernel(x: pt.Tensor([4], pt.DT_FP32)):\n    pass\n",HEAD+"import functools\n@functools.cache\ndef f(x):\n    pass\n"+ENTRY)
probe("OL01","impl",HEAD+"from pypto.frontend import jit\n@jit(runtime_options={})\ndef kernel(x: "+TENSOR+"):\n    pass\n",E)
probe("OL01","impl",HEAD+"def kernel(x):\n    pass\n",E)
probe("OL02","impl",E+"    x: object = out + 1\n",E+"    y: object = out + 1\n")
probe("OL02","impl",E+"    with pypto.scope() as x:\n        pass\n",E+"    x.move(out)\n")
probe("OL02","impl",E+"    for i in pypto.loop(4):\n        x = x + 1\n",E+"    for i in pypto.loop(4):\n        acc = x + 1\n")
probe("OL03","impl",E+"    return None\n",E+"    out[:] = x\ndef helper(x):\n    return x\n")
probe("OL03","impl",E+"    for i in pypto.loop(2):\n        if i:\n            return out\n",E+"    f = lambda y: y\n    out[:] = f(x)\n")
probe("OL04","impl",HEAD+J+"def kernel(x: "+TENSOR+"):\n    set_vec_tile_shapes(1, 2)\n",HEAD+J+"def kernel(x: "+TENSOR+"):\n    pypto.set_cube_tile_shapes([16, 16], [16, 16], [16, 16])\n")
probe("OL05","impl",HEAD+J+"def kernel(x, out: "+TENSOR+"):\n    pass\n",HEAD+J+"def kernel(x: "+TENSOR+", n: int, /):\n    pass\n")
probe("OL05","impl",HEAD+J+"def kernel(x: "+TENSOR+", *, n):\n    pass\n",HEAD+J+"def kernel(x: "+TENSOR+", *, n: int):\n    pass\n")
probe("OL05","impl",HEAD+J+"def kernel(x: "+TENSOR+", *rest):\n    pass\n",E)
probe("OL06","impl",E+"    n = min([x.shape[0], 4])\n",E+"    n = pypto.minimum(x, out)\n")
probe("OL06","impl",E+"    for i in pypto.loop(max(1, 2)):\n        pass\n",E+"    n = x.max()\n")
probe("OL06","impl",HEAD+"def pypto_part(x):\n    return max(x, 0)\n"+ENTRY+"    out[:] = pypto_part(x)\n",HEAD+"def op_wrapper(x):\n    n = max(x.shape)\n"+ENTRY)
probe("OL07","impl","import pypto.frontend\n","import pypto\n")
probe("OL07","impl","from pypto import *\n","import pypto\nimport torch as pypto_torch\n")
probe("OL07","impl","import torch\n","import torch\nimport pypto\n")
probe("OL07","impl","def f():\n    import pypto as q\nimport pypto\n","import pypto  # as q\n")
probe("OL08","impl",HEAD+"def op_wrapper_old(x):\n    pass\n",HEAD+"def op_wrapper(x):\n    pass\n")
probe("OL08","impl",HEAD+"# def op_wrapper(x):\n",HEAD+"def gelu_wrapper(x):\n    pass\n")
probe("OL15","golden","import pypto\n","import torch\n# import pypto\n")
probe("OL15","golden","try:\n    import pypto\nexcept ImportError:\n    pypto = None\n","import torch_npu\n")
probe("OL16","impl",HEAD+"from custom.op.op_golden import *\n",HEAD+"'''from op_golden import op_golden'''\n")
probe("OL16","impl",HEAD+"from custom.op import op_golden\n",HEAD+"from custom.op import shapes\n")
probe("OL16","impl",HEAD+"import op_golden as reference\n",HEAD+"# import op_golden\n")
probe("OL17","test",IMPORTS+"import pypto\n@pypto.frontend.jit\ndef kernel(x):\n    pass\n",IMPORTS+"import pypto\n")
probe("OL17","test",IMPORTS+"import pypto\ndef make():\n    @pypto.frontend.jit(runtime_options={})\n    def kernel(x):\n        pass\n",IMPORTS+"import pytest\n@pytest.fixture\ndef x():\n    pass\n")
probe("OL18","test","from op_golden import op_golden\n",IMPORTS)
probe("OL18","test","from op_impl import op_wrapper\n","import op_impl\nimport op_golden\n")
probe("OL19","test",IMPORTS+"def test_l0(x):\n    assert op_wrapper(x) is not None\n",IMPORTS+"import numpy as np\ndef test_l0(x):\n    np.testing.assert_allclose(op_wrapper(x), op_golden(x))\n")
probe("OL19","test",IMPORTS+"# assert_allclose\ndef test_l0(x):\n    print('assert_allclose')\n",IMPORTS+"from helper import detailed_tensor_compare\ndef test_l0(x):\n    detailed_tensor_compare(op_golden(x), op_wrapper(x))\n")
probe("OL20","test",IMPORTS+"# TILE_FWK_DEVICE_ID\n","import os\ndev = os.getenv('TILE_FWK_DEVICE_ID')\n")
probe("OL20","test",IMPORTS,"import os\ndev = os.environ['TILE_FWK_DEVICE_ID']\n")
probe("OL20","test",IMPORTS+"'''set_device'''\n","import torch\ntorch.npu.set_device(0)\n")
probe("OL21","test","def test_op_l0():\n    pass\n","def test_op_l0():\n    pass\ndef test_op_l1():\n    pass\n")
probe("OL21","test","def test_op():\n    pass\n","def run_level0():\n    pass\ndef run_level1():\n    pass\n")
probe("OL22","test",IMPORTS+"# torch.manual_seed(0)\n","import torch\ntorch.manual_seed(0)\n")
probe("OL22","test",IMPORTS,"import torch\ntorch.npu.manual_seed(0)\n")
probe("OL23","impl",E+"    out[:] = x + x\n"+WRAPPER,E+BODY+WRAPPER)
probe("OL23","impl",E+"    n = len([i for i in (1, 2)])\n"+WRAPPER,E+"    for _ in pypto.loop(1):\n        out[:] = x\n"+WRAPPER)
probe("OL25","impl",HEAD+J+"def kernel(x: pypto.Tensor()):\n    pass\n",E)
probe("OL25","impl",HEAD+J+"def kernel(x: pypto.Tensor([], pypto.DT_FP32)):\n    pass\n",HEAD+J+"def kernel(x: pypto.Tensor([pypto.DYNAMIC, 64], pypto.DT_FP32)):\n    pass\n")
probe("OL25","impl",HEAD+J+"def kernel(x: pypto.Tensor(shape=[], dtype=pypto.DT_FP32)):\n    pass\n",HEAD+J+"def kernel(x: pypto.Tensor([...], pypto.DT_FP32)):\n    pass\n")
probe("OL26","impl",HEAD+J+"def kernel(n: int, x: "+TENSOR+"):\n    pass\n",HEAD+J+"def kernel(x: "+TENSOR+", n: int):\n    pass\n")
probe("OL28","impl",HEAD+ENTRY.replace("FP32","BF16")+"    out[:] = pypto.softmax(x, -1)\n",E+"    out[:] = pypto.softmax(x, -1)\n")
probe("OL28","impl",HEAD+ENTRY.replace("FP32","FP16",1)+"    out[:] = x.sigmoid()\n",HEAD+ENTRY.replace("FP32","FP16",1)+"    out[:] = pypto.exp(x)\n")
probe("OL29","impl",HEAD+J+"def kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32)):\n    pass\n",HEAD+"B = pypto.DYNAMIC\n"+J+"def kernel(x: pypto.Tensor([B, 64], pypto.DT_FP32)):\n    pass\n")
probe("OL29","impl",HEAD+J+"def kernel(x: pypto.Tensor([-1, 64], pypto.DT_FP32)):\n    B = pypto.DYNAMIC\n",HEAD+J+"def kernel(x: pypto.Tensor([16, 64], pypto.DT_FP32), y: pypto.Tensor([pypto.DYN, 64], pypto.DT_FP32)):\n    pass\n")
probe("OL45","impl",E+"def host_wrapper(x, out):\n    for i in range(0, x.shape[0], 16):\n        kernel(x[i:i + 16], out[i:i + 16])\n",E+"def host_wrapper(x, out):\n    shape = []\n    for i in range(2):\n        shape.append(i)\n    kernel(x, out)\n")
probe("OL45","impl",E+"def run_all(x, out):\n    for i in range(4):\n        if i:\n            kernel(x, out)\n",E+"def other(x, out):\n    for i in range(4):\n        pass\n")
probe("OL45","impl",E+"def op_wrapper(x, out):\n    [kernel(x, out) for _ in range(4)]\n",E+"def op_wrapper(x, out):\n    kernel(x, out)\n")
probe("OL46","impl",E+"    for _ in pypto.loop(1):\n        for i in pypto.loop(8):\n            out[:] = x\n",E+"    for i in pypto.loop(8):\n        for j in pypto.loop(2):\n            out[:] = x\n")
probe("OL46","impl",E+"    for i in pypto.loop(8):\n        out[:] = x\n    for _ in pypto.loop(1):\n        out[:] = x\n",E+"    for _ in pypto.loop(1):\n        out[:] = x\n")
probe("OL48","impl",E+"    pypto.set_vec_tile_shapes(x.shape[0], 64)\n",HEAD+"T = 128\n"+ENTRY+"    pypto.set_vec_tile_shapes(1, T)\n")
probe("OL48","impl",E+"    pypto.set_vec_tile_shapes(1, int(64))\n",E+"    T = 128\n    pypto.set_vec_tile_shapes(1, T)\n")
probe("OL48","impl",E+"    pypto.set_cube_tile_shapes([32, 16], [16, 16], [16, 16])\n",E+"    pypto.set_cube_tile_shapes([16, 32], [16, 16], [16, 16])\n")
probe("OL48","impl",E+"    pypto.set_cube_tile_shapes([0, 16], [16, 16], [16, 16])\n",E+"    pypto.set_cube_tile_shapes([128, 128], [64, 128], [128, 256])\n")
probe("OL48","impl",E+"    pypto.set_vec_tile_shapes(64.0, 1)\n",E+"    pypto.set_vec_tile_shapes(64, 1)\n")
probe("OL49","impl",E+"    for i in pypto.loop(4, unroll_list=[4]):\n        for j in pypto.loop(4):\n            out[:] = x\n",E+"    for i in pypto.loop(4):\n        for j in pypto.loop(4, unroll_list=[4]):\n            out[:] = x\n")
probe("OL52","impl",E+"    y = pypto.view(x, [16, 64], [0])\n",E+"    y = pypto.view(x, [16, 64], [0, 0])\n")
probe("OL52","impl",E+"    y = pypto.view(x, [16, 64], [0, 0], valid_shape=[4])\n",E+"    n = [4]\n    y = pypto.reshape(x, [4])\n")
probe("OL52","impl",E+"    y = pypto.view(x, (1, 16, 64), (0, 0))\n",E+"    y = pypto.view(x, (1, 16), (0, 0))\n")
probe("OL55","impl",E+"    y = pypto.empty([4])\n",E+"    y = pypto.full([4, 64], 0.0, pypto.DT_FP32)\n")
probe("OL55","impl",E+"    y = pypto.nn.gelu(x)\n",E+"    y = x.anything_goes()\n")
probe("OL56","impl",E+"    for i in pypto.loop(4, unroll_list=[1, 2]):\n        pass\n",E+"    for i in pypto.loop(4, unroll_list=[4]):\n        pass\n")
probe("OL57","impl",E+"    while True:\n        pass\n",E+"    for i in pypto.loop_unroll(0, 4, 1, unroll_list=[1]):\n        pass\n")
probe("OL57","impl",E+"    y = [pypto.exp(x) for i in range(4)]\n",E+"    y = [i * 2 for i in range(4)]\n")
probe("OL57","impl",E+"    for t in (x, out):\n        pass\n",E+"    for i in range(2):\n        pass\ndef op_wrapper(x):\n    for t in (x,):\n        pass\n")
probe("OL57","impl",E+"    for i in zip(pypto.loop(2), pypto.loop(2)):\n        pass\n",E+"    for i in pypto.loop(0, 8, 2):\n        pass\n")
probe("OL58","impl",E+"def op_wrapper(x):\n    out = pypto.zeros(16, 64)\n    kernel(x, out)\n",E+WRAPPER)
probe("OL58","impl",E+"def op_wrapper(x):\n    kernel(x, pypto.ones(16, 64))\n",E+"def op_wrapper(x):\n    out = torch.ones(16, 64)\n    kernel(x, out)\n")
probe("OL60","test",IMPORTS+"def test_l0(x):\n    pass\n",IMPORTS+"def test_l0(x):\n    assert_allclose(op_wrapper(x), op_golden(x))\n")
probe("OL60","test",IMPORTS+"def unused(x):\n    op_wrapper(x)\ndef test_l0(x):\n    op_golden(x)\n",IMPORTS+"class TestX:\n    def test_l0(self, x):\n        op_wrapper(x)\n")
probe("OL61","impl",E+"    y = pypto.mul(2, x)\n",E+"    y = pypto.mul(x, 2)\n")
probe("OL61","impl",HEAD+ENTRY.replace("FP32","INT8")+"    y = pypto.cast(x, pypto.DT_FP32)\n",HEAD+ENTRY.replace("FP32","INT8")+"    y = pypto.cast(x, pypto.DT_FP16)\n")
probe("OL61","impl",E+"    y = pypto.zeros([4, 64], pypto.DT_FP32)\n",E+"    y = pypto.zeros([4, 64], dtype=pypto.DT_FP32)\n")
probe("OL62","impl",E+BODY+"def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return torch.softmax(out, -1)\n",E+BODY+WRAPPER)
probe("OL62","impl",E+BODY+"def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    out += x\n    return out\n",E+BODY+"def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return out.view(x.shape)\n")
probe("OL62","impl",E+BODY+"def _fix(t):\n    return t + t\n"+"def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return _fix(out)\n",E+BODY+"def _fix(n):\n    return n + n\n"+"def op_wrapper(x):\n    out = torch.empty(_fix(4), 64)\n    kernel(x, out)\n    return out\n")
probe("OL62","impl",E+BODY+"def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return sum([out, x])\n",E+BODY+"def op_wrapper(x):\n    out = torch.empty(sum([4, 5]), 64)\n    kernel(x, out)\n    return out\n")
probe("OL62","impl",E+BODY+"def op_wrapper(x):\n    import operator\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return operator.add(out, x)\n",E+BODY+"def op_wrapper(x):\n    import operator\n    out = torch.empty(operator.add(1, 2), 64)\n    kernel(x, out)\n    return out\n")
probe("OL62","impl",E+BODY+"def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return torch.from_numpy(out.numpy() * 2)\n",E+BODY+"def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(torch.from_numpy(x), out)\n    return out.numpy()\n")
probe("OL62","impl",E+BODY+"def op_wrapper(x):\n    out = torch.empty_like(x)\n    kernel(x, out)\n    return getattr(torch, 'add')(out, x)\n",E+BODY+"def op_wrapper(x):\n    out = getattr(torch, 'empty_like')(x)\n    kernel(x, out)\n    return out\n")
