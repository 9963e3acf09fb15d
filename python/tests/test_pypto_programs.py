"""Programs as PyPTO's users write them: every form of annotation, loop, branch and helper, and whole models' operators."""

from dataclasses import dataclass

import torch

import asc
import pypto
from pypto_checks import close, equal, nan, platform, run  # noqa: F401

F32, F16, BF16, I32 = pypto.DT_FP32, pypto.DT_FP16, pypto.DT_BF16, pypto.DT_INT32


def test_hello():
    shape = (2, 8)

    @pypto.frontend.jit(runtime_options={"run_mode": pypto.RunMode.NPU})
    def add_kernel(
        a: pypto.Tensor(shape, pypto.DT_FP32), b: pypto.Tensor(shape, pypto.DT_FP32), out: pypto.Tensor(shape, pypto.DT_FP32)
    ):
        pypto.set_vec_tile_shapes(2, 8)
        out.move(a + b)

    a, b, o = torch.rand(shape), torch.rand(shape), torch.empty(shape).fill_(float("nan"))
    run(add_kernel, a, b, o)
    equal(o, a + b)


def test_annotation_forms():
    forms = [
        "pypto.Tensor([4, 8], pypto.DT_FP32)",
        "pypto.Tensor((4, 8), pypto.DT_FP32)",
        "pypto.Tensor([], pypto.DT_FP32)",
        "pypto.Tensor()",
        "pypto.Tensor[[4, 8], pypto.DT_FP32]",
        "pypto.Tensor[pypto.DT_FP32, [4, 8]]",
        "pypto.Tensor[...]",
        "pypto.Tensor[[...], pypto.DT_FP32]",
        "pypto.Tensor([pypto.DYNAMIC, 8], pypto.DT_FP32)",
        "pypto.Tensor([pypto.DYN, pypto.STATIC], pypto.DT_FP32)",
        "pypto.Tensor([pypto.STATIC, ...], pypto.DT_FP32)",
        "pypto.Tensor([pypto.DYNAMIC, ...], pypto.DT_FP32)",
        "pypto.Tensor([4, 8])",
        "pypto.Tensor([4, 8], pypto.DT_FP32, 'x')",
        "pypto.Tensor([4,8], dtype=pypto.DT_FP32, format=pypto.TileOpFormat.TILEOP_ND)",
        "pypto.tensor([4, 8], pypto.DT_FP32)",
        "pypto.Tensor[[4,8], pypto.DT_FP32, pypto.TileOpFormat.TILEOP_ND]",
        "pypto.Tensor[[4,8], {'dtype': pypto.DT_FP32}]",
        "pypto.Tensor([4, 8], pypto.DataType.DT_FP32)",
        "pypto.Tensor([...], pypto.DT_FP32)",
        "pypto.Tensor",
        "'pypto.Tensor([4, 8], pypto.DT_FP32)'",
        "pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_FP32)",
    ]
    bad = []
    for i, f in enumerate(forms):
        src = f"def k(x: {f}, y: pypto.Tensor([4, 8], pypto.DT_FP32)):\n    pypto.set_vec_tile_shapes(2, 8)\n    y[:] = x * 2.0\n"
        import linecache

        name = f"<ann{i}>"
        linecache.cache[name] = (len(src), None, src.splitlines(True), name)
        ns = {"pypto": pypto}
        try:
            exec(compile(src, name, "exec"), ns)
            x, y = torch.rand(4, 8), nan(4, 8)
            run(pypto.frontend.jit(ns["k"]), x, y)
            equal(y, x * 2)
        except Exception as e:
            bad.append((f, str(e)[:300]))
    assert not bad, bad


def test_symbolic_methods():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([pypto.DYNAMIC, 64], F32), n: pypto.Tensor([4], I32), y: pypto.Tensor([pypto.DYNAMIC, 64], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        b = x.shape[0]
        b.as_variable()
        m = n[0]
        m.as_variable()
        q = (b + 15) // 16
        r = b % 16
        for i in pypto.loop(0, q, 1, name="LOOP", idx_name="i"):
            left = pypto.min(b - i * 16, 16)
            left2 = min(b - i * 16, 16)
            left3 = (b - i * 16).min(16).max(0)
            v = pypto.view(x, [16, 64], [i * 16, 0], valid_shape=[left3, 64])
            s = (left2 + m * 0 + 0).simplify()
            w = pypto.view(v, [16, 64], [0, 0], valid_shape=[s, 64])
            y[i * 16 :, 0:] = w * 2.0

    for rows in (16, 5, 40):
        x, y = torch.rand(rows, 64), nan(rows, 64)
        run(k, x, torch.tensor([3, 1, 1, 1], dtype=torch.int32), y)
        equal(y, x * 2)


def test_inplace_reshape_dynamic():
    @pypto.frontend.jit
    def k(q: pypto.Tensor([pypto.DYNAMIC, 4, 8, 64], F32), o: pypto.Tensor([pypto.DYNAMIC, 4, 8, 64], F32)):
        b, n, g, d = q.shape
        q2 = pypto.reshape(q, [b * n * g, d], inplace=True)
        o2 = pypto.reshape(o, [b * n * g, d], inplace=True)
        pypto.set_vec_tile_shapes(8, 64)
        for i in pypto.loop(b * n):
            t = pypto.view(q2, [8, 64], [i * 8, 0])
            pypto.assemble(t * 2.0, [i * 8, 0], o2)

    x, y = torch.rand(3, 4, 8, 64), nan(3, 4, 8, 64)
    run(k, x, y)
    equal(y, x * 2)


def test_inplace_reshape_static():
    @pypto.frontend.jit
    def k(q: pypto.Tensor([4, 8, 64], F32), o: pypto.Tensor([4, 8, 64], F32)):
        q2 = pypto.reshape(q, [32, 64], inplace=True)
        o2 = o.reshape([32, 64], inplace=True)
        pypto.set_vec_tile_shapes(8, 64)
        o2[:] = q2 + 1.0

    x, y = torch.rand(4, 8, 64), nan(4, 8, 64)
    run(k, x, y)
    equal(y, x + 1)


def test_loop_statement_form():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([pypto.DYNAMIC, 64], F32), y: pypto.Tensor([pypto.DYNAMIC, 64], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        pypto.loop((x.shape[0] + 15) // 16)
        i = pypto.loop_axis()
        v = pypto.view(x, [16, 64], [i * 16, 0])
        y[i * 16 :, 0:] = v * 2.0

    x, y = torch.rand(40, 64), nan(40, 64)
    run(k, x, y)
    equal(y, x * 2)


def test_unroll():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([pypto.DYNAMIC, 64], F32), y: pypto.Tensor([pypto.DYNAMIC, 64], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        for i, u in pypto.loop_unroll(0, x.shape[0] // 4, 1, name="U", idx_name="i", unroll_list=[4, 2, 1]):
            v = pypto.view(x, [4 * u, 64], [i * 4, 0])
            pypto.assemble(v * 2.0, [i * 4, 0], y)
        for i in pypto.loop(0, 3, unroll_list=[2, 1]):
            pass

    x, y = torch.rand(44, 64), nan(44, 64)
    run(k, x, y)
    equal(y, x * 2)


def test_branches():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([pypto.DYNAMIC, 64], F32), y: pypto.Tensor([pypto.DYNAMIC, 64], F32), flag: int = 1):
        pypto.set_vec_tile_shapes(4, 64)
        for i in pypto.loop(x.shape[0] // 4):
            xi = x[i * 4 : (i + 1) * 4, :]
            if pypto.cond(i < 2):
                if flag:
                    t = xi + 1.0
                else:
                    t = xi - 1.0
                y[i * 4 :, :] = t
            elif i == 2:
                y[i * 4 :, :] = xi * 3.0
            else:
                if pypto.cond(pypto.is_loop_end(i)):
                    y[i * 4 :, :] = xi * 7.0
                else:
                    y[i * 4 :, :] = xi * 2.0

    x, y = torch.rand(24, 64), nan(24, 64)
    run(k, x, y)
    e = torch.cat([x[:8] + 1, x[8:12] * 3, x[12:20] * 2, x[20:] * 7])
    equal(y, e)


def test_local_in_loops():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([pypto.DYNAMIC, 64], F32), y: pypto.Tensor([16, 64], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        acc = pypto.tensor([16, 64], F32, "acc")
        n = x.shape[0] // 16
        for i in pypto.loop(n, name="L"):
            v = pypto.view(x, [16, 64], [i * 16, 0])
            if pypto.is_loop_begin(i):
                acc[:] = v
            else:
                acc[:] = acc + v
            if pypto.is_loop_end(i):
                y[:] = acc * 1.0

    x, y = torch.rand(48, 64), nan(16, 64)
    run(k, x, y)
    close(y, x.view(3, 16, 64).sum(0), 1e-6, 1e-5)


def test_flash_like_glm():
    NQ, D, BS = 8, 64, 32

    @pypto.frontend.jit(runtime_options={"run_mode": pypto.RunMode.NPU})
    def k(
        q: pypto.Tensor([pypto.DYNAMIC, NQ, D], BF16),
        kc: pypto.Tensor([pypto.DYNAMIC, BS, 1, D], BF16),
        vc: pypto.Tensor([pypto.DYNAMIC, BS, 1, D], BF16),
        bt: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], I32),
        seqs: pypto.Tensor([pypto.DYNAMIC], I32),
        out: pypto.Tensor([pypto.DYNAMIC, NQ, D], BF16),
        scale: float,
    ):
        pypto.experimental.set_operation_options(combine_axis=True)
        b = q.shape[0]
        q2 = pypto.reshape(q, [b * NQ, D], inplace=True)
        k2 = pypto.reshape(kc, [kc.shape[0] * BS, D], inplace=True)
        v2 = pypto.reshape(vc, [vc.shape[0] * BS, D], inplace=True)
        S2 = 64
        for bi in pypto.loop(0, b, 1, name="LOOP_b", idx_name="b_idx"):
            cur = seqs[bi]
            cur.as_variable()
            bn = (cur + S2 - 1) // S2
            oi = pypto.tensor([NQ, D], F32, "oi")
            li = pypto.tensor([NQ, 1], F32, "li")
            mi = pypto.tensor([NQ, 1], F32, "mi")
            for si in pypto.loop(0, bn, 1, name="LOOP_s2", idx_name="s2", unroll_list=[2, 1]):
                act = (cur - si * S2).min(S2)
                qi = pypto.view(q2, [NQ, D], [bi * NQ, 0])
                kj = pypto.tensor([S2, D], BF16, "kj")
                vj = pypto.tensor([S2, D], BF16, "vj")
                for t in range(S2 // BS):
                    blk = bt[bi, si * (S2 // BS) + t]
                    blk = blk.max(0)
                    kj[t * BS : (t + 1) * BS, 0:] = pypto.view(k2, [BS, D], [blk * BS, 0])
                    vj[t * BS : (t + 1) * BS, 0:] = pypto.view(v2, [BS, D], [blk * BS, 0])
                kj = pypto.view(kj, [S2, D], [0, 0], valid_shape=[act, D])
                vj = pypto.view(vj, [S2, D], [0, 0], valid_shape=[act, D])
                pypto.set_cube_tile_shapes([16, 16], [64, 64], [64, 64])
                sij = pypto.matmul(qi, kj, F32, b_trans=True)
                pypto.set_vec_tile_shapes(8, 64)
                sij = pypto.mul(sij, scale)
                m = pypto.amax(sij, dim=-1, keepdim=True)
                if pypto.is_loop_begin(si):
                    p = pypto.exp(pypto.sub(sij, m))
                    li[:] = pypto.sum(p, dim=-1, keepdim=True)
                    pypto.set_cube_tile_shapes([16, 16], [64, 64], [64, 64])
                    oi[:] = pypto.matmul(pypto.cast(p, BF16), vj, F32)
                    mi[:] = m
                else:
                    mn = pypto.maximum(mi, m)
                    p = pypto.exp(sij - mn)
                    al = pypto.exp(mi - mn)
                    li[:] = li * al + pypto.sum(p, -1, keepdim=True)
                    pypto.set_cube_tile_shapes([16, 16], [64, 64], [64, 64])
                    oi[:] = oi * al + pypto.matmul(pypto.cast(p, BF16), vj, F32)
                    mi[:] = mn
                if pypto.is_loop_end(si):
                    res = pypto.cast(oi / li, BF16)
                    r3 = pypto.reshape(res, [1, NQ, D])
                    pypto.assemble(r3, [bi, 0, 0], out)

    torch.manual_seed(0)
    B, NB = 3, 12
    q = torch.randn(B, NQ, D).bfloat16()
    kc = torch.randn(NB, BS, 1, D).bfloat16()
    vc = torch.randn(NB, BS, 1, D).bfloat16()
    bt = torch.randperm(NB)[:12].reshape(3, 4).int()
    seqs = torch.tensor([128, 50, 70], dtype=torch.int32)
    out = nan(B, NQ, D, dtype=torch.bfloat16)
    run(k, q, kc, vc, bt, seqs, out, 0.125)
    for i in range(B):
        kk = kc[bt[i].long()].reshape(-1, D)[: seqs[i]].float()
        vv = vc[bt[i].long()].reshape(-1, D)[: seqs[i]].float()
        e = torch.softmax(q[i].float() @ kk.T * 0.125, -1) @ vv
        close(out[i], e, 2e-2, 2e-2)


def test_ffn_swiglu():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([pypto.DYNAMIC, 128], BF16),
        w1: pypto.Tensor([128, 512], BF16),
        w2: pypto.Tensor([256, 128], BF16),
        y: pypto.Tensor([pypto.DYNAMIC, 128], BF16),
    ):
        n = x.shape[0]
        for i in pypto.loop((n + 31) // 32, name="L", idx_name="i"):
            xi = pypto.view(x, [32, 128], [i * 32, 0], valid_shape=[(n - i * 32).min(32), 128])
            pypto.set_cube_tile_shapes([32, 32], [64, 128], [128, 256])
            up = pypto.matmul(xi, w1, F32)
            pypto.set_vec_tile_shapes(32, 256)
            left = up[:, 0:256]
            right = pypto.view(up, [32, 256], [0, 256])
            act = left / (1.0 + pypto.exp(-left)) * right
            act = pypto.cast(act, BF16)
            pypto.set_cube_tile_shapes([32, 32], [128, 256], [128, 128])
            y[i * 32 :, 0:] = pypto.matmul(act, w2, BF16)

    x, w1, w2 = torch.randn(70, 128).bfloat16(), (torch.randn(128, 512) / 11).bfloat16(), (torch.randn(256, 128) / 16).bfloat16()
    y = nan(70, 128, dtype=torch.bfloat16)
    run(k, x, w1, w2, y)
    u = x.float() @ w1.float()
    a = torch.nn.functional.silu(u[:, :256]) * u[:, 256:]
    close(y, a.bfloat16().float() @ w2.float(), 3e-2, 3e-2)


def test_big_intermediate():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([256, 256], F16),
        w: pypto.Tensor([256, 1024], F16),
        w2: pypto.Tensor([1024, 256], F16),
        y: pypto.Tensor([256, 256], F32),
    ):
        pypto.set_cube_tile_shapes([64, 128], [64, 128], [128, 256])
        pypto.set_vec_tile_shapes(16, 128)
        h = pypto.matmul(x, w, F32)
        h = pypto.cast(pypto.relu(h), F16)
        y[:] = pypto.matmul(h, w2, F32)

    x, w, w2 = torch.randn(256, 256).half(), (torch.randn(256, 1024) / 16).half(), (torch.randn(1024, 256) / 32).half()
    y = nan(256, 256)
    run(k, x, w, w2, y)
    close(y, torch.relu(x.float() @ w.float()).half().float() @ w2.float(), 1e-2, 1e-2)


def test_layer_norm():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([pypto.DYNAMIC, 256], F16),
        g: pypto.Tensor([256], F16),
        b: pypto.Tensor([256], F16),
        y: pypto.Tensor([pypto.DYNAMIC, 256], F16),
        eps: float = 1e-5,
    ):
        pypto.set_vec_tile_shapes(8, 256)
        xf = pypto.cast(x, F32)
        mean = pypto.sum(xf, -1, keepdim=True) / 256
        c = xf - mean
        var = pypto.sum(c * c, -1, keepdim=True) / 256.0
        n = c / pypto.sqrt(var + eps)
        n = n * pypto.cast(g, F32) + pypto.cast(b, F32)
        y[:] = pypto.cast(n, F16)

    x, g, b = torch.randn(50, 256).half(), torch.randn(256).half(), torch.randn(256).half()
    y = nan(50, 256, dtype=torch.float16)
    run(k, x, g, b, y)
    close(y, torch.nn.functional.layer_norm(x.float(), [256], g.float(), b.float()), 5e-3, 5e-3)


def test_dataclass_params():
    @dataclass
    class Cfg:
        rows: int = 16
        dtype: object = F32
        tile: tuple = (8, 64)

    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([pypto.DYNAMIC, 64], F32), y: pypto.Tensor([pypto.DYNAMIC, 64], F32), cfg: Cfg, names=("a", "b"), opt=None
    ):
        pypto.set_vec_tile_shapes(*cfg.tile)
        assert cfg.rows == 16, "rows"
        d = {"scale": 2.0}
        vals = [v for v in range(3)]
        if opt is None:
            s = d["scale"] + sum(vals)
        for i in pypto.loop(x.shape[0] // cfg.rows):
            t = x[i * cfg.rows : (i + 1) * cfg.rows]
            for _ in range(len(names)):
                t = t * s
            y[i * cfg.rows :, :] = t

    x, y = torch.rand(32, 64), nan(32, 64)
    run(k, x, y, Cfg(), opt=None)
    close(y, x * 25)


def test_matmul_forms():
    for rank in (2, 3, 4):
        pre = (2, 3)[: rank - 2]

        @pypto.frontend.jit
        def k(a: pypto.Tensor(), b: pypto.Tensor(), c: pypto.Tensor()):
            pypto.set_cube_tile_shapes([32, 32], [32, 32], [32, 32])
            pypto.set_vec_tile_shapes(*([1] * (rank - 2) + [32, 32]))
            c[:] = pypto.matmul(a, b, a.dtype, a_trans=True, b_trans=True)

        a, b = torch.randn(*pre, 48, 40).half(), torch.randn(*pre, 56, 48).half()
        c = nan(*pre, 40, 56, dtype=torch.float16)
        run(k, a, b, c)
        close(c, a.float().transpose(-1, -2) @ b.float().transpose(-1, -2), 1e-2, 1e-2)


def test_matmul_extend():
    @pypto.frontend.jit
    def k(
        a: pypto.Tensor([32, 64], F16),
        b: pypto.Tensor([64, 32], F16),
        bias: pypto.Tensor([1, 32], F32),
        c: pypto.Tensor([32, 32], F32),
        d: pypto.Tensor([32, 32], F16),
    ):
        pypto.set_cube_tile_shapes([32, 32], [32, 64], [32, 32])
        c[:] = pypto.matmul(a, b, F32, extend_params={"bias_tensor": bias})
        d[:] = pypto.matmul(a, b, F16, extend_params={"bias_tensor": bias, "relu_type": pypto.ReLuType.RELU})

    a, b, bias = torch.randn(32, 64).half(), torch.randn(64, 32).half(), torch.randn(1, 32)
    c, d = nan(32, 32), nan(32, 32, dtype=torch.float16)
    run(k, a, b, bias, c, d)
    e = a.float() @ b.float() + bias
    close(c, e, 1e-3, 1e-3)
    close(d, e.relu(), 1e-2, 1e-2)


def test_matmul_int8_scale():
    @pypto.frontend.jit
    def k(
        a: pypto.Tensor([32, 64], pypto.DT_INT8),
        b: pypto.Tensor([64, 32], pypto.DT_INT8),
        c: pypto.Tensor([32, 32], F16),
        d: pypto.Tensor([32, 32], I32),
    ):
        pypto.set_cube_tile_shapes([32, 32], [32, 64], [32, 32])
        c[:] = pypto.matmul(a, b, F16, extend_params={"scale": 0.5})
        d[:] = pypto.matmul(a, b, I32)

    a, b = torch.randint(-8, 8, (32, 64), dtype=torch.int8), torch.randint(-8, 8, (64, 32), dtype=torch.int8)
    c, d = nan(32, 32, dtype=torch.float16), nan(32, 32, dtype=torch.int32)
    run(k, a, b, c, d)
    e = a.int() @ b.int()
    equal(d, e)
    close(c, e * 0.5, 1e-2, 1)


def test_quant_dequant():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([32, 64], BF16),
        w: pypto.Tensor([64, 32], pypto.DT_INT8),
        ws: pypto.Tensor([1, 32], F32),
        y: pypto.Tensor([32, 32], BF16),
    ):
        pypto.set_vec_tile_shapes(16, 64)
        xf = pypto.cast(x, F32)
        m = pypto.amax(pypto.abs(xf), -1, keepdim=True)
        s = pypto.div(pypto.full([32, 1], 127.0, F32), m)
        q = pypto.cast(pypto.mul(xf, s), I32, pypto.CastMode.CAST_RINT)
        q = pypto.cast(q, F16, pypto.CastMode.CAST_ROUND)
        q = pypto.cast(q, pypto.DT_INT8, pypto.CastMode.CAST_TRUNC)
        pypto.set_cube_tile_shapes([32, 32], [64, 64], [32, 32])
        o = pypto.matmul(q, w, I32)
        pypto.set_vec_tile_shapes(16, 32)
        o = pypto.cast(o, F32) * (1.0 / s) * ws
        y[:] = pypto.cast(o, BF16)

    x, w, ws = torch.randn(32, 64).bfloat16(), torch.randint(-100, 100, (64, 32), dtype=torch.int8), torch.rand(1, 32) / 50
    y = nan(32, 32, dtype=torch.bfloat16)
    run(k, x, w, ws, y)
    close(y, x.float() @ (w.float() * ws), 5e-2, 0.3)


def test_from_torch_call():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([pypto.DYNAMIC, 64], F32), y: pypto.Tensor([pypto.DYNAMIC, 64], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        y[:] = x + 1.0

    x, y = torch.rand(20, 64), nan(20, 64)
    run(k, pypto.from_torch(x, "x", dynamic_axis=[0]), pypto.from_torch(y))
    equal(y, x + 1)


def test_function_decorator_and_recursion():
    @pypto.frontend.function
    def helper(a, b, k=2):
        t = a * b
        return t + k

    def two(a):
        return a + 1.0, a - 1.0

    class M:
        f = 3.0

        def apply(self, t):
            return t * self.f

    m = M()

    @pypto.frontend.jit
    def k(x: pypto.Tensor([8, 16], F32), y: pypto.Tensor([8, 16], F32)):
        pypto.set_vec_tile_shapes(8, 16)
        a, b = two(x)

        def inner(q):
            return q * 2.0

        g = lambda q: q + 0.5
        y[:] = g(inner(m.apply(helper(a, b))))

    x, y = torch.rand(8, 16), nan(8, 16)
    run(k, x, y)
    close(y, ((x + 1) * (x - 1) + 2) * 3 * 2 + 0.5)


def test_topk_gate():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([pypto.DYNAMIC, 64], F32),
        bias: pypto.Tensor([64], F32),
        w: pypto.Tensor([pypto.DYNAMIC, 8], F32),
        ids: pypto.Tensor([pypto.DYNAMIC, 8], I32),
    ):
        n = x.shape[0]
        for i in pypto.loop((n + 7) // 8):
            pypto.set_vec_tile_shapes(8, 64)
            v = pypto.view(x, [8, 64], [i * 8, 0], valid_shape=[(n - i * 8).min(8), 64])
            s = pypto.sigmoid(v)
            b = s + pypto.expand_clone(pypto.reshape(bias, [1, 64]), [8, 64])
            val, idx = pypto.topk(b, 8, -1, True)
            g = pypto.gather(s, 1, idx)
            d = pypto.sum(g, -1, True)
            w[i * 8 :, 0:] = g / d
            ids[i * 8 :, 0:] = idx

    x, b = torch.randn(21, 64), torch.randn(64)
    w, ids = nan(21, 8), nan(21, 8, dtype=torch.int32)
    run(k, x, b, w, ids)
    s = x.sigmoid()
    v, i = (s + b).topk(8)
    g = s.gather(1, i)
    equal(ids, i.int())
    close(w, g / g.sum(-1, keepdim=True))


def test_rope():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([pypto.DYNAMIC, 4, 64], F32),
        cos: pypto.Tensor([pypto.DYNAMIC, 64], F32),
        sin: pypto.Tensor([pypto.DYNAMIC, 64], F32),
        y: pypto.Tensor([pypto.DYNAMIC, 4, 64], F32),
    ):
        for i in pypto.loop(x.shape[0]):
            pypto.set_vec_tile_shapes(1, 4, 64)
            v = x[i : i + 1, :, :]
            c = pypto.reshape(cos[i : i + 1, :], [1, 1, 64])
            s = pypto.unsqueeze(sin[i : i + 1, :], 1)
            a, b = v[:, :, :32], v[:, :, 32:]
            rot = pypto.concat([-b, a], -1)
            y[i:, :, :] = v * c + rot * s

    x, c, s = torch.rand(5, 4, 64), torch.rand(5, 64), torch.rand(5, 64)
    y = nan(5, 4, 64)
    run(k, x, c, s, y)
    close(y, x * c[:, None] + torch.cat([-x[..., 32:], x[..., :32]], -1) * s[:, None])


def traffic(kernel, *tensors):
    """Bytes read and written of each argument, in order."""
    with asc.profile() as profile:
        kernel(*tensors)
    return [(one["read"], one["written"]) for one in profile.launches[0].traffic]


def test_a_chain_of_operations_moves_inputs_and_outputs_once():
    @pypto.frontend.jit
    def chain(
        x: pypto.Tensor([pypto.DYNAMIC, 512], F32),
        z: pypto.Tensor([pypto.DYNAMIC, 512], F32),
        y: pypto.Tensor([pypto.DYNAMIC, 512], F32),
    ):
        pypto.set_vec_tile_shapes(8, 512)
        a = pypto.exp(x) + z
        b = a * 0.5 - x
        y[:] = pypto.tanh(b * a) + pypto.maximum(a, z)

    x, z, y = torch.randn(100, 512), torch.randn(100, 512), nan(100, 512)
    size = x.nbytes
    assert traffic(chain, x, z, y) == [(size, 0), (size, 0), (0, size)]


def test_softmax_reads_its_rows_once():
    @pypto.frontend.jit
    def softmax(x: pypto.Tensor([pypto.DYNAMIC, 512], F32), y: pypto.Tensor([pypto.DYNAMIC, 512], F32)):
        pypto.set_vec_tile_shapes(8, 128)
        y[:] = pypto.softmax(x, -1) * 2.0

    x, y = torch.randn(100, 512), nan(100, 512)
    assert traffic(softmax, x, y) == [(x.nbytes, 0), (0, x.nbytes)]


def two_steps(tile):
    @pypto.frontend.jit
    def kernel(
        x: pypto.Tensor([pypto.DYNAMIC, 256], F32),
        w: pypto.Tensor([pypto.DYNAMIC, 256], F32),
        y: pypto.Tensor([256, pypto.DYNAMIC], F32),
    ):
        pypto.set_vec_tile_shapes(*tile)
        w[:] = pypto.exp(x)
        y[:] = pypto.transpose(w, 0, 1) * 2.0

    return kernel


def test_cores_share_parts_that_need_each_other(platform):
    """One core must not do everything because the second part reads what the first wrote."""
    x, w, y = torch.randn(512, 256), nan(512, 256), nan(256, 512)
    cycles = []
    for cores in (1, None):
        kernel = two_steps((16, 16)).on_cores(cores)
        run(kernel, x, w, y)
        close(y, x.exp().T * 2, 1e-4)
        with asc.profile() as profile:
            kernel(x, w, y)
        cycles.append(profile.launches[0].cycles)
    assert cycles[1] * 4 < cycles[0]


def test_all_cores_walk_loops_and_branches_around_parts():
    @pypto.frontend.jit
    def steps(x: pypto.Tensor([64, 256], F32), y: pypto.Tensor([64, 256], F32), n: pypto.Tensor([1], I32)):
        pypto.set_vec_tile_shapes(8, 256)
        y[:] = x + 1.0
        for i in pypto.loop(n[0]):
            y[:] = y * 0.5 + pypto.amax(y, 0, True)
            if i < 2:
                y[:] = y - x

    for count in (0, 1, 4):
        x, y = torch.randn(64, 256), nan(64, 256)
        run(steps, x, y, torch.tensor([count], dtype=torch.int32))
        expected = x.double() + 1
        for i in range(count):
            expected = expected * 0.5 + expected.amax(0, keepdim=True)
            expected = expected - x if i < 2 else expected
        close(y, expected)


def test_two_products_over_memory_on_all_cores():
    @pypto.frontend.jit
    def products(
        x: pypto.Tensor([256, 128], F16),
        up: pypto.Tensor([128, 512], F16),
        down: pypto.Tensor([512, 128], F16),
        y: pypto.Tensor([256, 128], F32),
    ):
        pypto.set_cube_tile_shapes([64, 64], [64, 64], [64, 64])
        pypto.set_vec_tile_shapes(32, 128)
        hidden = pypto.tensor([256, 512], F16)
        hidden[:] = pypto.cast(pypto.relu(pypto.matmul(x, up, F32)), F16)
        y[:] = pypto.matmul(hidden, down, F32)

    x, up, down = (torch.randn(*shape).half() / 8 for shape in ((256, 128), (128, 512), (512, 128)))
    y = nan(256, 128)
    run(products, x, up, down, y)
    expected = torch.relu(x.float() @ up.float()).half().float() @ down.float()
    close(y, expected, 1e-2, 1e-2)
    for late in ("consumers", "producers"):
        again = nan(256, 128)
        with asc.launch_mode(late=late):
            products(x, up, down, again)
        equal(again, y)
    one = nan(256, 128)
    products.on_cores(1)(x, up, down, one)
    equal(one, y)


def test_a_parameter_takes_turns_with_what_is_computed():
    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([8, 16], F32), n: pypto.Tensor([1], I32), y: pypto.Tensor([8, 16], F32)):
        pypto.set_vec_tile_shapes(8, 16)
        v = x
        if n[0] > 0:
            v = x + 1.0
        for _ in pypto.loop(n[0]):
            v = v * 2.0
        y[:] = v

    for count in (0, 2):
        x, y = torch.randn(8, 16), nan(8, 16)
        run(kernel, x, torch.tensor([count], dtype=torch.int32), y)
        equal(y, (x + 1.0) * 4 if count else x)


def test_products_over_a_size_that_only_the_launch_tells():
    @pypto.frontend.jit
    def product(
        a: pypto.Tensor([32, pypto.DYNAMIC], F16), b: pypto.Tensor([pypto.DYNAMIC, 48], F16), y: pypto.Tensor([32, 48], F32)
    ):
        pypto.set_cube_tile_shapes([32, 32], [64, 64], [48, 48])
        y[:] = pypto.matmul(a, b, F32)

    for k in (64, 1, 100, 200):
        a, b, y = torch.randn(32, k).half(), torch.randn(k, 48).half(), nan(32, 48)
        run(product, a, b, y)
        close(y, a.float() @ b.float(), 1e-2, 1e-2)


def test_reductions_where_no_size_is_known():
    def softmax(tile):
        @pypto.frontend.jit
        def kernel(x: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], F32), y: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], F32)):
            pypto.set_vec_tile_shapes(*tile)
            m = pypto.amax(x, -1, True)
            e = pypto.exp(x - m)
            y[:] = e / pypto.sum(e, -1, True)

        return kernel

    for shape in ((1, 1), (5, 50), (40, 300)):
        x, first = torch.randn(shape), None
        for tile in ((8, 64), (4, 128)):
            y = nan(*shape)
            run(softmax(tile), x, y)
            close(y, torch.softmax(x.double(), -1), 1e-5, 1e-6)
            first = y if first is None else first
            equal(first, y)


def test_the_last_piece_of_a_view_does_not_reach_into_what_others_write():
    """Tiles of 3 rows cut views of 4 rows: the second tile of one iteration must not read rows that the next one writes."""

    @pypto.frontend.jit
    def kernel(t: pypto.Tensor([12, 8], F32)):
        pypto.set_vec_tile_shapes(3, 8)
        for i in pypto.loop(3):
            p = pypto.view(t, [4, 8], [i * 4, 0])
            t[i * 4 :, 0:] = p * 2.0

    t = torch.randn(12, 8)
    before = t.clone()
    run(kernel, t)
    equal(t, before * 2.0)


def test_slices_that_are_large_themselves():
    """Both halves of a computed tensor of 128 KiB are more than what stays on the chip."""

    @pypto.frontend.jit
    def kernel(x: pypto.Tensor([64, 1024], F32), y: pypto.Tensor([64, 512], F32)):
        pypto.set_vec_tile_shapes(8, 512)
        e = pypto.exp(x)
        y[:] = e[:, :512] * e[:, 512:]

    x, y = torch.randn(64, 1024), nan(64, 512)
    run(kernel, x, y)
    close(y, x[:, :512].exp() * x[:, 512:].exp())
