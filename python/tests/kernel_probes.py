"""Kernels that break one rule each, written in other ways than the rule's own example, and near ones that do not."""

HEAD = "import asc\nimport asc2\nimport numpy as np\n"
KERNEL = "@asc2.jit(always_compile=True)\n"


def kernel(body, params="x_ptr, y_ptr, size, tile: asc.ConstExpr[int]", deco=KERNEL, pre="", post=""):
    return (
        HEAD + pre + deco + f"def k({params}):\n    x, y = asc2.tensor(x_ptr, [size]), asc2.tensor(y_ptr, [size])\n" + "".join("    " + l + "\n" for l in body.splitlines()) + post
    )


LOOP = "for i in asc2.range(asc2.block_idx(), 8, asc2.block_num()):\n    asc2.store(asc2.load(x, [tile], tile_id=[i]), y, tile_id=[i])"
PROBES = []


def probe(rule, bad, good):
    PROBES.append((rule, bad, good))


probe("TS101", kernel("f = 1\ndef g(a):\n    return a\n" + LOOP), kernel(LOOP, pre="def g(a):\n    return a\n"))
probe("TS101", kernel("class A:\n    def f(self):\n        pass\n" + LOOP), kernel(LOOP, pre="class A:\n    def f(self):\n        pass\n"))
probe("TS102", kernel("global N\n" + LOOP, pre="N = 1\n"), kernel(LOOP, post="def h():\n    global N\n    N = 2\n"))
probe(
    "TS102",
    HEAD + "def outer():\n    n = 1\n    @asc2.jit\n    def k(x_ptr):\n        nonlocal n\n        n = 2\n    return k\n",
    HEAD + "def outer():\n    n = 1\n    def h():\n        nonlocal n\n        n = 2\n    return h\n",
)
probe("TS103", kernel(LOOP + "\nreturn x"), kernel(LOOP + "\nreturn"))
probe("TS103", kernel("if size > 4:\n    return 3\n" + LOOP), kernel(LOOP, pre="@asc2.jit\ndef dev(a):\n    return a + 1\n", post="    z = dev(3)\n"))
probe("TS104", kernel("for i in asc2.range(8):\n    return"), kernel(LOOP))
probe("TS104", kernel("if size > 4:\n    return\n" + LOOP), kernel(LOOP + "\nreturn"))
probe(
    "TS105",
    kernel("i = 0\nwhile i < size:\n    i += 1\n    if i > 4:\n        continue\n    asc2.store(asc2.load(x, [tile], tile_id=[i]), y, tile_id=[i])"),
    kernel(LOOP, post="def h(a):\n    for i in a:\n        break\n"),
)
probe("TS106", kernel("p = print\np(size)\n" + LOOP), kernel(LOOP, post="def h(a):\n    print(a)\n"))
probe("TS107", kernel("with open('x') as f:\n    pass\n" + LOOP), kernel("with asc2.mask(4):\n    asc2.store(asc2.load(x, [tile], tile_id=[0]), y, tile_id=[0])"))
probe("TS108", kernel("if size < 0:\n    raise ValueError('x')\n" + LOOP), kernel("assert size > 0\n" + LOOP))
probe("TS109", kernel("try:\n    pass\nfinally:\n    pass\n" + LOOP), kernel(LOOP, post="def h():\n    try:\n        pass\n    finally:\n        pass\n"))
probe(
    "TS109",
    HEAD + "def helper(a):\n    try:\n        return a\n    except Exception:\n        return a\n" + KERNEL + "def k(x_ptr):\n    y = helper(x_ptr)\n",
    HEAD + "def helper(a):\n    try:\n        return a\n    except Exception:\n        return a\n" + KERNEL + "def k(x_ptr):\n    y = x_ptr\n",
)
probe("TS110", kernel("yield 1\n" + LOOP), kernel(LOOP, post="def gen():\n    yield 1\n"))
probe("TS110", kernel("yield from [1]\n" + LOOP), kernel(LOOP))
probe("TS111", kernel("f = lambda a: a\n" + LOOP), kernel(LOOP, pre="f = lambda a: a\n"))
probe("TS111", kernel("asc2.store(asc2.load(x, [(lambda: 64)()], tile_id=[0]), y, tile_id=[0])"), kernel(LOOP, post="grid = lambda m: m\n"))
probe("TS112", kernel("from math import pi\n" + LOOP), kernel(LOOP, pre="from math import pi\n"))
probe("TS113", HEAD + KERNEL + "async def k(x_ptr):\n    pass\n", HEAD + "async def h():\n    pass\n")
probe("TS113", kernel("async for i in x:\n    pass\n"), kernel(LOOP))
probe("TS114", HEAD + "class A:\n    @asc2.jit\n    def k(self, x_ptr):\n        pass\n", HEAD + "class A:\n    def k(self, x_ptr):\n        pass\n")
probe(
    "TS114",
    HEAD + "class A:\n    @staticmethod\n    @asc2.jit\n    def k(x_ptr):\n        pass\n",
    HEAD + "@asc2.jit\ndef k(x_ptr):\n    pass\nclass A:\n    run = staticmethod(k)\n",
)
probe(
    "TS115",
    kernel("if size > 4:\n    s = 2.0\nasc2.store(asc2.load(x, [tile], tile_id=[0]) * s, y, tile_id=[0])"),
    kernel("s = 1.0\nif size > 4:\n    s = 2.0\nasc2.store(asc2.load(x, [tile], tile_id=[0]) * s, y, tile_id=[0])"),
)
probe(
    "TS115",
    kernel("if size > 4:\n    a = 1\nelif size > 2:\n    b = 2\nelse:\n    a = 3\nz = a"),
    kernel("if size > 4:\n    a = 1\nelif size > 2:\n    a = 2\nelse:\n    a = 3\nz = a"),
)
probe("TS117", kernel("a = [i for i in range(4)]\n" + LOOP), kernel(LOOP, post="A = [i for i in range(4)]\n"))
probe("TS117", kernel("a = sum(i for i in range(4))\n" + LOOP), kernel("a = [1, 2]\n" + LOOP))
probe("TS117", kernel("a = {i: 1 for i in range(4)}\n" + LOOP), kernel("a = (1, 2)\n" + LOOP))
probe("TS118", kernel("if (n := size) > 4:\n    pass\n" + LOOP), kernel(LOOP, post="def h(a):\n    if (n := a):\n        pass\n"))
probe("TS119", kernel("n = 1\ndel n\n" + LOOP), kernel(LOOP, post="n = 1\ndel n\n"))
probe("TS120", kernel("a = {1, 2}\n" + LOOP), kernel("a = [1, 2]\n" + LOOP))
probe("TS120", kernel("a = {'k': 1}\n" + LOOP), kernel("a = dict(k=1)\n" + LOOP))
probe("TS121", kernel("match size:\n    case 1:\n        pass\n" + LOOP), kernel(LOOP, post="def h(a):\n    match a:\n        case 1:\n            pass\n"))
probe("TS122", kernel("a, *b = 1, 2, 3\n" + LOOP), kernel("a, b = 1, 2\n" + LOOP))
probe("TS123", kernel("for i in asc2.range(4):\n    pass\nelse:\n    pass"), kernel("if size > 4:\n    pass\nelse:\n    pass\n" + LOOP))
probe("TS123", kernel("while size > 4:\n    pass\nelse:\n    pass"), kernel(LOOP))
probe("TS124", kernel("for a, b in asc2.range(4):\n    pass"), kernel(LOOP))
probe("TS125", kernel("if 0 < size < 4:\n    pass\n" + LOOP), kernel("if 0 < size and size < 4:\n    pass\n" + LOOP))
probe("TS126", kernel("if size > 1 and size > 2 and size > 3:\n    pass\n" + LOOP), kernel("if (size > 1 and size > 2) and size > 3:\n    pass\n" + LOOP))
probe("TS127", kernel("a = b = 3\n" + LOOP), kernel("a, b = 3, 3\n" + LOOP))
probe("TS128", kernel(LOOP, params="x_ptr, y_ptr, size, tile: asc.ConstExpr[int] = 64"), kernel(LOOP, post="def h(a=3):\n    pass\n"))
probe(
    "TS129",
    kernel("s = 0.0\nfor i in asc2.range(size):\n    s = s + asc2.load(x, [tile], tile_id=[i]).sum()\n"),
    kernel("s = 0.0\nfor i in asc2.range(size):\n    asc2.store(asc2.load(x, [tile], tile_id=[i]) * s, y, tile_id=[i])\n"),
)
probe("TS129", kernel("n = 0\nfor i in asc2.range(size):\n    n += 1\n" + LOOP), kernel("n = 1\nm = n + 1\n" + LOOP))
probe("TS130", kernel(LOOP + "\nreturn\nasc2.store(asc2.load(x, [tile], tile_id=[0]), y, tile_id=[0])"), kernel(LOOP + "\nreturn"))
probe(
    "TS131",
    kernel(LOOP, params="x_ptr, y_ptr, size, tile: asc.ConstExpr[int], mode: str"),
    kernel(LOOP, params="x_ptr, y_ptr, size, tile: asc.ConstExpr[int], mode: asc.ConstExpr[str]"),
)
probe("TS131", kernel(LOOP, params="x_ptr, y_ptr, size, tile: asc.ConstExpr[int], sizes: list"), kernel(LOOP, params="x_ptr, y_ptr, size: int, tile: asc.ConstExpr[int], a: float"))
probe(
    "TS131",
    kernel(LOOP, params="x_ptr, y_ptr, size, tile: asc.ConstExpr[int], sizes: tuple[int, int]"),
    kernel(LOOP, params="x_ptr: asc.GlobalAddress, y_ptr, size, tile: asc.ConstExpr[int]"),
)
probe("TS132", kernel("asc2.store(asc2.load(x, [size], tile_id=[0]), y, tile_id=[0])"), kernel("asc2.store(asc2.load(x, [tile * 2], tile_id=[0]), y, tile_id=[0])"))
probe(
    "TS132",
    kernel("n = size // 2\nasc2.store(asc2.full([n], 1.0, asc.float32), y, tile_id=[0])"),
    kernel("n = tile // 2\nasc2.store(asc2.full([n], 1.0, asc.float32), y, tile_id=[0])"),
)
probe("TS132", kernel("asc2.store(asc2.load(x, shape=[size], tile_id=[0]), y, tile_id=[0])"), kernel("asc2.store(asc2.load(x, shape=[64], tile_id=[0]), y, tile_id=[0])"))
probe("TS133", "from __future__ import annotations\n" + kernel(LOOP), "# from __future__ import annotations\n" + kernel(LOOP))
probe("TS134", kernel(LOOP.replace("[tile]", "[N[0]]"), pre="N = [64]\n"), kernel(LOOP.replace("[tile]", "[N]"), pre="N = 64\n"))
probe("TS134", kernel("s = SCALE\n" + LOOP, pre="SCALE = 1\n", post="def h():\n    global SCALE\n    SCALE = 2\n"), kernel("s = SCALE\n" + LOOP, pre="SCALE = 1\n"))
probe(
    "TS201",
    kernel("for i in range(size):\n    asc2.store(asc2.load(x, [tile], tile_id=[i]), y, tile_id=[i])"),
    kernel("for i in range(tile):\n    asc2.store(asc2.load(x, [64], tile_id=[i]), y, tile_id=[i])"),
)
probe(
    "TS201",
    kernel("for i in range(asc2.block_idx(), 8, asc2.block_num()):\n    asc2.store(asc2.load(x, [tile], tile_id=[i]), y, tile_id=[i])"),
    kernel("for i in range(0, 8, 2):\n    asc2.store(asc2.load(x, [64], tile_id=[i]), y, tile_id=[i])"),
)
probe(
    "TS203",
    kernel("s = asc2.full([64], 0.0, asc.float32)\nfor i in asc2.range(8, parallel=True):\n    s = s + asc2.load(x, [64], tile_id=[i])\nasc2.store(s, y, tile_id=[0])"),
    kernel("for i in asc2.range(8, parallel=True):\n    s = asc2.load(x, [64], tile_id=[i])\n    asc2.store(s, y, tile_id=[i])"),
)
probe(
    "TS203",
    kernel("s = asc2.full([64], 0.0, asc.float32)\nfor i in asc2.range(8, parallel=True):\n    s += asc2.load(x, [64], tile_id=[i])\nasc2.store(s, y, tile_id=[0])"),
    kernel("s = asc2.full([64], 0.0, asc.float32)\nfor i in asc2.range(8):\n    s += asc2.load(x, [64], tile_id=[i])\nasc2.store(s, y, tile_id=[0])"),
)
probe("TS204", kernel(LOOP), kernel(LOOP.replace("asc2.block_num())", "asc2.block_num(), unroll_factor=2)")))
probe("TS205", kernel(LOOP), kernel(LOOP.replace("asc2.block_num())", "asc2.block_num(), parallel=True)")))
probe("TS301", kernel("asc.data_copy(x, y, 4)\n" + LOOP), kernel(LOOP))
probe("TS301", kernel("a = asc.LocalTensor(asc.float32)\n" + LOOP), kernel(LOOP))
probe("TS301", kernel("from_here = asc.wait_flag\nfrom_here(1)\n" + LOOP), kernel(LOOP))
probe("TS303", kernel(LOOP, deco="@asc2.jit\n"), kernel(LOOP))
probe("TS303", kernel(LOOP, deco="@asc2.jit(always_compile=False)\n"), kernel(LOOP, deco="@asc2.jit(always_compile=True, opt_level=3)\n"))
LAUNCH = "def launch(x, y):\n    %s\n"
probe("TS401", kernel(LOOP, post=LAUNCH % "k[8, None](x, y, x.size, tile=64)"), kernel(LOOP, post=LAUNCH % "k[8](x, y, x.size, tile=64)"))
probe("TS401", kernel(LOOP, post=LAUNCH % "k[8, np.cuda.stream()](x, y, x.size, tile=64)"), kernel(LOOP, post=LAUNCH % "table[8, None](x)"))
probe("TS402", kernel(LOOP, post=LAUNCH % "k(x, y, x.size, tile=64)"), kernel(LOOP, post=LAUNCH % "k[1](x, y, x.size, tile=64)"))
probe("TS403", kernel(LOOP, post=LAUNCH % "k[8](x, y)"), kernel(LOOP, post=LAUNCH % "k[8](x, y, x.size, 64)"))
probe("TS403", kernel(LOOP, post=LAUNCH % "k[8](x, y, x.size, tile=64, other=3)"), kernel(LOOP, post=LAUNCH % "k[8](*args)"))
probe("TS404", kernel(LOOP, post=LAUNCH % "return k[8](x, y, x.size, tile=64)"), kernel(LOOP, post=LAUNCH % "k[8](x, y, x.size, tile=64)\n    return y"))
probe("TS404", kernel(LOOP, post=LAUNCH % "z = k[8](x, y, x.size, tile=64)\n    print(z)"), kernel(LOOP, post=LAUNCH % "f = k[8]\n    f(x, y, x.size, tile=64)"))
TEST = "def test_k():\n    x = np.ones(64, np.float32)\n    y = np.empty_like(x)\n    k[1](x, y, 64, tile=64)\n    %s\n"
probe("TS502", kernel(LOOP, post=TEST % "np.testing.assert_allclose(y, x, 0.5)"), kernel(LOOP, post=TEST % "np.testing.assert_allclose(y, x, 1e-3)"))
probe("TS502", kernel(LOOP, post=TEST % "assert np.allclose(y, x, atol=1e3)"), kernel(LOOP, post=TEST % "assert np.allclose(y, x, atol=1e-3)"))
probe("TS503", kernel(LOOP, post=TEST % "np.allclose(y, x)"), kernel(LOOP, post=TEST % "assert np.allclose(y, x)"))
probe("TS504", kernel(LOOP, post=TEST % "np.testing.assert_allclose(y, y)"), kernel(LOOP, post=TEST % "np.testing.assert_allclose(y, x)"))
probe("TS504", kernel(LOOP, post=TEST % "z = y\n    np.testing.assert_allclose(y, z)"), kernel(LOOP, post=TEST % "z = x\n    np.testing.assert_allclose(y, z)"))
probe(
    "TS505",
    kernel(LOOP, post=TEST % "import contextlib\n    with contextlib.suppress(AssertionError):\n        np.testing.assert_allclose(y, x)"),
    kernel(LOOP, post=TEST % "import contextlib\n    with contextlib.suppress(KeyError):\n        pass\n    np.testing.assert_allclose(y, x)"),
)
probe(
    "TS505",
    kernel(LOOP, post=TEST % "try:\n        np.testing.assert_allclose(y, x)\n    except Exception as error:\n        print(error)"),
    kernel(LOOP, post=TEST % "try:\n        np.testing.assert_allclose(y, x)\n    except AssertionError as error:\n        print(error)\n        raise"),
)
probe("TS701", kernel(LOOP, pre="ROOT = '/home/me/data'\n"), kernel(LOOP, pre="# /home/me/data\n"))
probe("TS702", kernel(LOOP, pre="password = 'hunter2hunter2'\n"), kernel(LOOP, pre="import os\npassword = os.environ['PASSWORD']\n"))
probe("TS135", kernel("z = asc2.lode(x, [64], tile_id=[0])\n" + LOOP), kernel(LOOP))
probe("TS125", kernel("s = 1 if 0 < size <= 4 else 2\n" + LOOP), kernel("s = 1 if size <= 4 else 2\n" + LOOP))
