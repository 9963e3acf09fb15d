"""Operations of PyPTO on all dtypes against torch, and what Python does in kernels while they are compiled."""

import os
import random
import threading
import time

import torch

import pypto
from pypto_checks import close, equal, nan, platform, run  # noqa: F401

F32, F16, BF16, I32 = pypto.DT_FP32, pypto.DT_FP16, pypto.DT_BF16, pypto.DT_INT32
LONG = bool(os.environ.get("TILESMITH_LONG"))
DAY = random.Random(int(time.time()) // 86400)  # what short runs leave out changes every day, alike in all processes


def drawn(cases, count=1):
    """A few of the cases; all of them in long runs."""
    return list(cases) if LONG else DAY.sample(list(cases), min(count, len(cases)))


U = {
    n: getattr(torch, n)
    for n in "exp log sqrt rsqrt reciprocal abs neg relu sigmoid tanh erf erfc ceil floor trunc round exp2 expm1 log1p log2 log10 sin cos tan sinh cosh sign".split()
}


def test_python_things():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([8, 16], F32), y: pypto.Tensor([8, 16], F32), mode: str = "a"):
        pypto.set_vec_tile_shapes(8, 16)
        d = {"scale": 2.0, "t": x}
        d["more"] = 3.0
        a = b = d["t"] * d["scale"]
        i = 0
        while i < 3:
            a = a + 1.0
            i += 1
        name = f"mode {mode} {len(d)}"
        print(name)
        if mode == "zzz":
            raise ValueError("never")
        parts = [x * float(j) for j in range(3)]
        s = parts[0]
        for p in parts[1:]:
            s = s + p
        for j, (u, w) in enumerate(zip([1.0, 2.0], (x, b))):
            s = s + w * u
        t = x if mode == "a" else b
        assert isinstance(x.shape[0], int)
        n = sum([2, 3]) + max(1, 2) + min(4, 5)
        y[:] = a + s + t + float(n)

    x, y = torch.rand(8, 16), nan(8, 16)
    run(k, x, y)
    close(y, (x * 2 + 3) + (0 + x + 2 * x + x * 1 + x * 2 * 2) + x + 11)


def test_raise_is_told():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([8, 16], F32), y: pypto.Tensor([8, 16], F32)):
        pypto.set_vec_tile_shapes(8, 16)
        if x.shape[0] != 9:
            raise ValueError(f"bad shape {x.shape[0]}")
        y[:] = x

    try:
        k(torch.rand(8, 16), nan(8, 16))
        assert False
    except pypto.error.PyptoError as e:
        assert "bad shape 8" in str(e), e


def test_unary_all():
    bad = []
    for n, g in U.items():
        for dt in drawn((torch.float32, torch.float16, torch.bfloat16)):
            op = getattr(pypto, n)

            @pypto.frontend.jit
            def k(x: pypto.Tensor(), y: pypto.Tensor()):
                pypto.set_vec_tile_shapes(4, 16)
                y[:] = op(x)

            x = (torch.rand(9, 33) * 3 + 0.1).to(dt)
            y = nan(9, 33, dtype=dt)
            try:
                run(k, x, y)
                tol = {torch.float32: 2e-5, torch.float16: 2e-3, torch.bfloat16: 1.6e-2}[dt]
                close(y, g(x.double()).to(dt), tol, tol)
            except BaseException as e:
                bad.append((n, dt, str(e)[:200]))
    assert not bad, bad


def test_int_ops():
    bad = []

    def go(n, op, g, dts, shape=(9, 40), args=2):
        for dt in drawn(dts):

            @pypto.frontend.jit
            def k(x: pypto.Tensor(), z: pypto.Tensor(), y: pypto.Tensor()):
                pypto.set_vec_tile_shapes(4, 16)
                y[:] = op(x, z)

            info = torch.iinfo(dt)
            x = torch.randint(max(info.min, -100), min(info.max, 100), shape, dtype=dt)
            z = torch.randint(1, min(info.max, 50), shape, dtype=dt)
            e = g(x, z)
            y = torch.zeros(e.shape, dtype=e.dtype)
            try:
                run(k, x, z, y)
                equal(y, e) if not e.dtype.is_floating_point else close(y, e)
            except BaseException as ex:
                bad.append((n, dt, str(ex)[:260]))

    I = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8]
    for n in ("add", "sub", "mul", "maximum", "minimum"):
        go(n, getattr(pypto, n), getattr(torch, n), I)
    for n in ("eq", "ne", "lt", "le", "gt", "ge"):
        go(n, getattr(pypto, n), getattr(torch, n), I)
    go("div", pypto.div, lambda a, b: a.float() / b.float(), [torch.int16, torch.int32])
    go("remainder", pypto.remainder, torch.remainder, [torch.int16, torch.int32])
    go("fmod", pypto.fmod, torch.fmod, [torch.int16, torch.int32])
    go("floor_div", pypto.floor_div, lambda a, b: torch.div(a, b, rounding_mode="floor"), [torch.int16, torch.int32])
    for n in ("and", "or", "xor"):
        go(n, getattr(pypto, "bitwise_" + n), getattr(torch, "bitwise_" + n), [torch.int8, torch.int16, torch.int32, torch.uint8])
    go("abs", lambda a, b: pypto.abs(a), lambda a, b: a.abs(), [torch.int16, torch.int32])
    go("neg", lambda a, b: pypto.neg(a), lambda a, b: -a, [torch.int16, torch.int32])
    go("relu", lambda a, b: pypto.relu(a), lambda a, b: a.relu(), [torch.int16, torch.int32])
    go("not", lambda a, b: pypto.bitwise_not(a), lambda a, b: ~a, [torch.int16, torch.int32])
    go("sum", lambda a, b: pypto.sum(a, -1, True), lambda a, b: a.sum(-1, keepdim=True).to(a.dtype), [torch.int16, torch.int32])
    go("amax", lambda a, b: pypto.amax(a, -1, True), lambda a, b: a.amax(-1, keepdim=True), I)
    go("amin0", lambda a, b: pypto.amin(a, 0, True), lambda a, b: a.amin(0, keepdim=True), I)
    go("where", lambda a, b: pypto.where(a < b, a, b), lambda a, b: torch.where(a < b, a, b), I)
    go("clip", lambda a, b: pypto.clip(a, -3, 7), lambda a, b: a.clamp(-3, 7), [torch.int16, torch.int32])
    go("pow", lambda a, b: pypto.pow(a, 2), lambda a, b: a**2, [torch.int16, torch.int32])
    go("concat", lambda a, b: pypto.concat([a, b], 0), lambda a, b: torch.cat([a, b]), I)
    go("transpose", lambda a, b: pypto.transpose(a, 0, 1), lambda a, b: a.T.contiguous(), I)
    go("reshape", lambda a, b: pypto.reshape(a, [40, 9]), lambda a, b: a.reshape(40, 9), I)
    go("expand", lambda a, b: pypto.expand_clone(a[:, 0:1], [9, 40]), lambda a, b: a[:, :1].expand(9, 40), I)
    go("view", lambda a, b: a[2:5, 3:20], lambda a, b: a[2:5, 3:20].clone(), I)
    assert not bad, "\n".join(map(str, bad))


def test_casts_all():
    bad = []
    T = {
        torch.float32: F32,
        torch.float16: F16,
        torch.bfloat16: BF16,
        torch.int8: pypto.DT_INT8,
        torch.int16: pypto.DT_INT16,
        torch.int32: I32,
        torch.int64: pypto.DT_INT64,
        torch.uint8: pypto.DT_UINT8,
    }
    for a, b in drawn([(a, b) for a in T for b in T if a != b], 12):
        to = T[b]

        @pypto.frontend.jit
        def k(x: pypto.Tensor(), y: pypto.Tensor()):
            pypto.set_vec_tile_shapes(4, 16)
            y[:] = pypto.cast(x, to)

        x = (torch.randn(9, 40) * 20).to(a) if a != torch.uint8 else torch.randint(0, 100, (9, 40), dtype=a)
        if b == torch.uint8 and a.is_floating_point:
            x = x.abs()
        y = torch.zeros(9, 40, dtype=b)
        try:
            run(k, x, y)
            equal(y, x.to(b))
        except BaseException as e:
            bad.append((a, b, str(e)[:200]))
    for m, f in {
        "CAST_RINT": torch.round,
        "CAST_FLOOR": torch.floor,
        "CAST_CEIL": torch.ceil,
        "CAST_TRUNC": torch.trunc,
        "CAST_ROUND": lambda v: torch.sign(v) * torch.floor(v.abs() + 0.5),
    }.items():
        mode = getattr(pypto.CastMode, m)
        for b in (torch.int32, torch.int16, torch.float32, torch.int8):
            to = T[b]

            @pypto.frontend.jit
            def k(x: pypto.Tensor(), y: pypto.Tensor()):
                pypto.set_vec_tile_shapes(4, 16)
                y[:] = pypto.cast(x, to, mode)

            x = torch.cat([torch.randn(8, 40) * 20, torch.arange(40).float()[None] - 20.5])
            y = torch.zeros(9, 40, dtype=b)
            try:
                run(k, x, y)
                equal(y, f(x).to(b))
            except BaseException as e:
                bad.append((m, b, str(e)[:200]))

        @pypto.frontend.jit
        def k(x: pypto.Tensor(), y: pypto.Tensor()):
            pypto.set_vec_tile_shapes(4, 16)
            y[:] = pypto.cast(x, F16, mode)

        x = torch.randn(9, 40)
        y = nan(9, 40, dtype=torch.float16)
        try:
            run(k, x, y)
            close(y, x, 2e-3, 2e-3)
        except BaseException as e:
            bad.append((m, "f16", str(e)[:200]))
    assert not bad, "\n".join(map(str, bad))


def test_saturation():
    @pypto.frontend.jit
    def k(x: pypto.Tensor(), y: pypto.Tensor(), z: pypto.Tensor()):
        pypto.set_vec_tile_shapes(16)
        y[:] = pypto.cast(x, pypto.DT_INT16, satmode=pypto.SaturationMode.ON)
        z[:] = pypto.cast(x, pypto.DT_INT16)

    x = torch.tensor([70000.0, -70000.0, 3.7, -3.7, 32768.0, 1.0, 2.0, 3.0])
    y, z = torch.zeros(8, dtype=torch.int16), torch.zeros(8, dtype=torch.int16)
    run(k, x, y, z)
    equal(y, x.clamp(-32768, 32767).trunc().to(torch.int16))
    equal(z, x.trunc().to(torch.int32).to(torch.int16))


def test_misc_ops():
    bad = []

    def go(n, op, g, x=None, z=None, tol=2e-3):
        for dt in drawn((torch.float32, torch.float16, torch.bfloat16)):

            @pypto.frontend.jit
            def k(x: pypto.Tensor(), z: pypto.Tensor(), y: pypto.Tensor()):
                pypto.set_vec_tile_shapes(4, 16)
                y[:] = op(x, z)

            a = torch.randn(9, 40).to(dt) if x is None else x.to(dt)
            b = torch.randn(9, 40).to(dt) if z is None else z.to(dt)
            e = g(a.double(), b.double())
            e = e.to(dt) if e.is_floating_point() else e
            y = torch.zeros(e.shape, dtype=e.dtype)
            try:
                run(k, a, b, y)
                equal(y, e) if not e.is_floating_point() else close(
                    y, e, tol if dt == torch.float32 else 2e-2, tol if dt == torch.float32 else 3e-2
                )
            except BaseException as ex:
                bad.append((n, dt, str(ex)[:260]))

    P = pypto
    go("hypot", P.hypot, torch.hypot)
    go("copysign", P.copysign, torch.copysign)
    go("signbit", lambda a, b: P.signbit(a), lambda a, b: a.signbit())
    go("expdif", P.expand_exp_dif, lambda a, b: (a - b).exp())
    go("lrelu", lambda a, b: P.lrelu(a), lambda a, b: torch.nn.functional.leaky_relu(a))
    go("lrelu2", lambda a, b: P.lrelu(a, 0.2), lambda a, b: torch.nn.functional.leaky_relu(a, 0.2))
    go("clip", lambda a, b: P.clip(a, -0.5, 0.5), lambda a, b: a.clamp(-0.5, 0.5))
    go("clipmin", lambda a, b: P.clip(a, min=0.1), lambda a, b: a.clamp(min=0.1))
    go("isnan", lambda a, b: P.isnan(a / (a - a)), lambda a, b: torch.isnan(a / (a - a)))
    go("isfinite", lambda a, b: P.isfinite(a), lambda a, b: torch.isfinite(a))
    go("var", lambda a, b: P.var(a, -1, keepdim=True), lambda a, b: a.var(-1, keepdim=True))
    go("varall", lambda a, b: P.var(a, [0, 1], 0, True), lambda a, b: a.var([0, 1], correction=0, keepdim=True))
    go("prod", lambda a, b: P.prod(a, -1, True), lambda a, b: a.prod(-1, keepdim=True))
    go("cumsum", lambda a, b: P.cumsum(a, 1), lambda a, b: a.cumsum(1))
    go("cumsum0", lambda a, b: P.cumsum(a, 0), lambda a, b: a.cumsum(0))
    go("cumprod", lambda a, b: P.cumprod(a, 1), lambda a, b: a.cumprod(1))
    go("softmax", lambda a, b: P.softmax(a, 0), lambda a, b: a.softmax(0))
    go("rms", lambda a, b: P.rms_norm(a), lambda a, b: a / (a.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt())
    go("round2", lambda a, b: P.round(a, 2), lambda a, b: torch.round(a, decimals=2))
    go("tril", lambda a, b: P.tril(a, -1), lambda a, b: a.tril(-1))
    go("triu", lambda a, b: P.triu(a, 2), lambda a, b: a.triu(2))
    go("floordiv", lambda a, b: P.floor_div(a, b), lambda a, b: torch.floor(a / b), z=torch.ones(9, 40) * 0.5)
    go("pow", lambda a, b: P.pow(P.abs(a) + 0.5, 1.5), lambda a, b: (a.abs() + 0.5) ** 1.5)
    go("argmax", lambda a, b: P.argmax(a, -1, True), lambda a, b: a.argmax(-1, keepdim=True).int())
    go("argmin0", lambda a, b: P.argmin(a, 0), lambda a, b: a.argmin(0).int())
    go("scalar_max", lambda a, b: P.maximum(a, 0.3), lambda a, b: a.clamp(min=0.3))
    assert not bad, "\n".join(map(str, bad))


def test_index_more():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([16, 4, 8], F32),
        i: pypto.Tensor([2, 3], I32),
        v: pypto.Tensor([6, 4, 8], F32),
        y: pypto.Tensor([2, 3, 4, 8], F32),
        p: pypto.Tensor([16, 4, 8], F32),
        a: pypto.Tensor([16, 32], F32),
        s: pypto.Tensor([6, 32], F32),
        o: pypto.Tensor([2, 3, 16], pypto.DT_INT64),
        j: pypto.Tensor([6], I32),
        w: pypto.Tensor([16, 2, 3, 8], F32),
    ):
        pypto.set_vec_tile_shapes(2, 3, 4, 8)
        y[:] = pypto.index_select(x, 0, i)
        pypto.index_put_(p, (pypto.reshape(i, [6]),), v)
        pypto.set_vec_tile_shapes(16, 32)
        pypto.index_add_(a, 0, j, s)
        o[:] = pypto.one_hot(i, 16)

    x, v = torch.rand(16, 4, 8), torch.rand(6, 4, 8)
    i = torch.randperm(16)[:6].reshape(2, 3).int()
    y, p = nan(2, 3, 4, 8), torch.zeros(16, 4, 8)
    a, s = torch.rand(16, 32), torch.rand(6, 32)
    o = torch.zeros(2, 3, 16, dtype=torch.int64)
    j = torch.tensor([1, 2, 1, 5, 1, 0], dtype=torch.int32)
    w = nan(16, 2, 3, 8)
    e = a.clone().index_add_(0, j.long(), s)
    run(k, x, i, v, y, p, a, s, o, j, w)
    equal(y, x[i.long()])
    q = torch.zeros(16, 4, 8)
    q[i.reshape(-1).long()] = v
    equal(p, q)
    close(a, e)
    equal(o, torch.nn.functional.one_hot(i.long(), 16))


def test_cache4d():
    @pypto.frontend.jit
    def k(c: pypto.Tensor([4, 16, 1, 32], F16), idx: pypto.Tensor([2, 1], I32), s: pypto.Tensor([2, 1, 1, 32], F16)):
        pypto.set_vec_tile_shapes(2, 1, 1, 32)
        c[:] = pypto.scatter_update(c, -2, idx, s)

    c, s = torch.rand(4, 16, 1, 32).half(), torch.rand(2, 1, 1, 32).half()
    idx = torch.tensor([[5], [40]], dtype=torch.int32)
    e = c.clone()
    e.view(64, 32)[[5, 40]] = s.view(2, 32)
    run(k, c, idx, s)
    equal(c, e)


def test_big_tensors():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([1024, 2048], F32), y: pypto.Tensor([1024, 2048], F32), s: pypto.Tensor([1024, 1], F32)):
        pypto.set_vec_tile_shapes(8, 2048)
        y[:] = pypto.exp(x) + 1.0
        s[:] = pypto.sum(x, -1, keepdim=True)

    x = torch.randn(1024, 2048)
    y, s = nan(1024, 2048), nan(1024, 1)
    run(k, x, y, s)
    close(y, x.exp() + 1)
    close(s, x.sum(-1, keepdim=True))


def test_split_k_etc():
    @pypto.frontend.jit
    def k(a: pypto.Tensor([64, 1024], F16), b: pypto.Tensor([1024, 64], F16), c: pypto.Tensor([64, 64], F32)):
        pypto.set_cube_tile_shapes([64, 64], [64, 256], [64, 64], True)
        c[:] = pypto.matmul(a, b, F32)

    a, b, c = torch.randn(64, 1024).half(), torch.randn(1024, 64).half(), nan(64, 64)
    run(k, a, b, c)
    close(c, a.float() @ b.float(), 1e-2, 1e-2)


def test_attention_whole():
    @pypto.frontend.jit
    def k(
        q: pypto.Tensor([2, 4, 128, 64], BF16),
        kk: pypto.Tensor([2, 4, 128, 64], BF16),
        v: pypto.Tensor([2, 4, 128, 64], BF16),
        o: pypto.Tensor([2, 4, 128, 64], BF16),
    ):
        pypto.set_cube_tile_shapes([64, 64], [64, 64], [64, 64])
        pypto.set_vec_tile_shapes(1, 1, 16, 128)
        s = pypto.matmul(q, kk, F32, b_trans=True) * 0.125
        p = pypto.softmax(s, dim=-1)
        o[:] = pypto.matmul(pypto.cast(p, BF16), v, BF16)

    q, kk, v = (torch.randn(2, 4, 128, 64).bfloat16() for _ in range(3))
    o = nan(2, 4, 128, 64, dtype=torch.bfloat16)
    run(k, q, kk, v, o)
    close(o, torch.softmax(q.float() @ kk.float().transpose(-1, -2) * 0.125, -1) @ v.float(), 2e-2, 2e-2)


def test_gated_delta_like():
    @pypto.frontend.jit
    def k(
        q: pypto.Tensor([pypto.DYNAMIC, 64], F32),
        kk: pypto.Tensor([pypto.DYNAMIC, 64], F32),
        v: pypto.Tensor([pypto.DYNAMIC, 64], F32),
        g: pypto.Tensor([pypto.DYNAMIC, 1], F32),
        beta: pypto.Tensor([pypto.DYNAMIC, 1], F32),
        st: pypto.Tensor([64, 64], F32),
        o: pypto.Tensor([pypto.DYNAMIC, 64], F32),
    ):
        pypto.set_vec_tile_shapes(64, 64)
        s = st + 0.0
        for t in pypto.loop(q.shape[0]):
            kt = pypto.transpose(kk[t : t + 1, :], 0, 1)
            s = s * pypto.exp(g[t : t + 1, :])
            mem = pypto.sum(s * kt, 0, keepdim=True)
            dlt = (v[t : t + 1, :] - mem) * beta[t : t + 1, :]
            s = s + kt * dlt
            o[t : t + 1, :] = pypto.sum(s * pypto.transpose(q[t : t + 1, :], 0, 1), 0, keepdim=True)
        st[:] = s

    n = 5
    q, kk, v = (torch.randn(n, 64) / 8 for _ in range(3))
    g, b = -torch.rand(n, 1), torch.rand(n, 1)
    st = torch.randn(64, 64) / 8
    S = st.clone()
    e = []
    for t in range(n):
        S = S * g[t].exp()
        m = (S * kk[t][:, None]).sum(0)
        S = S + kk[t][:, None] * ((v[t] - m) * b[t])[None]
        e.append((S * q[t][:, None]).sum(0))
    o = nan(n, 64)
    run(k, q, kk, v, g, b, st, o)
    close(o, torch.stack(e))
    close(st, S)


def test_two_phases():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([pypto.DYNAMIC, 256], F32),
        t: pypto.Tensor([pypto.DYNAMIC, 256], F32),
        y: pypto.Tensor([pypto.DYNAMIC, 256], F32),
    ):
        n = x.shape[0]
        pypto.set_vec_tile_shapes(16, 256)
        for i in pypto.loop((n + 15) // 16):
            v = pypto.view(x, [16, 256], [i * 16, 0], valid_shape=[(n - i * 16).min(16), 256])
            t[i * 16 :, 0:] = v * 2.0
        for i in pypto.loop((n + 15) // 16, submit_before_loop=True):
            v = pypto.view(t, [16, 256], [i * 16, 0], valid_shape=[(n - i * 16).min(16), 256])
            y[i * 16 :, 0:] = v + 1.0

    x, t, y = torch.rand(100, 256), nan(100, 256), nan(100, 256)
    run(k, x, t, y)
    equal(y, x * 2 + 1)


def test_dynamic_middle():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, 32], F32), y: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, 32], F32)):
        pypto.set_vec_tile_shapes(1, 8, 32)
        b, s, d = x.shape
        for i in pypto.loop(b):
            for j in pypto.loop((s + 7) // 8):
                v = pypto.view(x, [1, 8, d], [i, j * 8, 0], valid_shape=[1, pypto.min(s - j * 8, 8), d])
                pypto.assemble(pypto.relu(v - 0.5), [i, j * 8, 0], y)

    x, y = torch.rand(3, 13, 32), nan(3, 13, 32)
    run(k, x, y)
    equal(y, (x - 0.5).relu())


def test_whole_dynamic():
    @pypto.frontend.jit
    def k(
        x: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], F32),
        z: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], F32),
        y: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], F32),
    ):
        pypto.set_vec_tile_shapes(16, 32)
        y[:] = pypto.exp(x) * z + 1.0

    x, z, y = torch.rand(37, 45), torch.rand(37, 45), nan(37, 45)
    run(k, x, z, y)
    close(y, x.exp() * z + 1)


def test_matmul_dynamic_m():
    @pypto.frontend.jit
    def k(a: pypto.Tensor([pypto.DYNAMIC, 128], F16), b: pypto.Tensor([128, 64], F16), c: pypto.Tensor([pypto.DYNAMIC, 64], F32)):
        pypto.set_cube_tile_shapes([32, 32], [64, 64], [64, 64])
        pypto.set_vec_tile_shapes(16, 64)
        c[:] = pypto.relu(pypto.matmul(a, b, F32)) + 1.0

    a, b, c = torch.randn(77, 128).half(), torch.randn(128, 64).half(), nan(77, 64)
    run(k, a, b, c)
    close(c, (a.float() @ b.float()).relu() + 1)


def test_two_threads():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([pypto.DYNAMIC, 64], F32), y: pypto.Tensor([pypto.DYNAMIC, 64], F32)):
        pypto.set_vec_tile_shapes(16, 64)
        y[:] = x + 1.0

    errs = []

    def go(n):
        try:
            x, y = torch.rand(n, 64), nan(n, 64)
            k(x, y)
            equal(y, x + 1)
        except BaseException as e:
            errs.append(e)

    ts = [threading.Thread(target=go, args=(n,)) for n in (5, 20, 33, 64)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    assert not errs, errs


def test_local_big():
    @pypto.frontend.jit
    def k(x: pypto.Tensor([512, 1024], F32), y: pypto.Tensor([512, 1024], F32)):
        pypto.set_vec_tile_shapes(16, 256)
        t = pypto.tensor([512, 1024], F32, "t")
        for i in pypto.loop(32):
            pypto.assemble(x[i * 16 : (i + 1) * 16, :] * 2.0, [i * 16, 0], t)
        y[:] = t + 1.0

    x, y = torch.rand(512, 1024), nan(512, 1024)
    run(k, x, y)
    equal(y, x * 2 + 1)
