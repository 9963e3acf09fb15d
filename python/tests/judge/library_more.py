"""More kernels of the library, for library.py: those that change arrays in place or have several results, PyPTO and Triton, and what is needed
to say what they compute.

An input is (name, dtype, shape) as there, or (name, an expression, None), or (name, "number", its value). An output is (dtype, shape), or ("copy", an
input) for one that a kernel changes in place, ("zeros dtype", shape) for one it adds to, ("scratch dtype", shape) for zeros that nobody returns.
"""

REFERENCES = {
    "paged": """
def paged(q, k, v, table, lengths):
    result = torch.empty_like(q)
    for number, (pages, length) in enumerate(zip(table.tolist(), lengths.tolist())):
        keys, values = (each[pages].flatten(0, 1)[:length].float().repeat_interleave(q.shape[1] // k.shape[2], 1) for each in (k, v))
        scores = torch.einsum("hd,lhd->hl", q[number].float(), keys) / q.shape[2] ** 0.5
        result[number] = torch.einsum("hl,lhd->hd", scores.softmax(-1), values).half()
    return result
""",
    "adam": """
def adam(p, g, m, v, rate, step):
    p, g, m, v = (each.double() for each in (p, g, m, v))
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    p = p - rate * (m / (1 - 0.9**step)) / ((v / (1 - 0.999**step)).sqrt() + 1e-8)
    return p.float(), m.float(), v.float()
""",
    "dropped": """
def dropped(x, p, seed):
    most = (1 << 32) - 1
    h = (torch.arange(x.numel()) * 0x9E3779B1 + seed) & most
    for i in range(4):
        h = (h * ((h + h + 1) & most)) & most
        h = ((h << 16) + (h >> 16) + seed + 0x7F4A7C15 * (i + 1)) & most
    kept = (h >> 8).float() * 2.0**-24 < 1.0 - p
    return torch.where(kept.view(x.shape), x / (1.0 - p), 0.0)
""",
    "linear_attention": """
def linear_attention(q, k, v, state):
    gamma = 1 - 2.0 ** -(3 + torch.arange(q.shape[0]) % 3).double()
    s, o = state.double(), torch.empty(v.shape, dtype=torch.float64)
    for i in range(q.shape[1]):
        s = gamma[:, None, None] * s + k[:, i, :, None].double() * v[:, i, None, :].double()
        o[:, i] = torch.einsum("hd,hdv->hv", q[:, i].double(), s)
    return o.half(), s.float()
""",
    "mixture": """
def mixture(x, gate, w, k):
    x, gate, w = (each.double() for each in (x, gate, w))
    best, chosen = (x @ gate).topk(k, 1)
    weights = best.softmax(1)
    return sum(weights[:, j : j + 1] * torch.einsum("td,tdn->tn", x, w[chosen[:, j]]) for j in range(k)).half()
""",
    "quantised": """
def quantised(x, least):
    scale = (x.float().abs().amax(1) / torch.tensor(127.0)).clamp(min=least)
    return (x.float() / scale[:, None]).nan_to_num(0).round().to(torch.int8), scale
""",
    "conv1d": """
def conv1d(x, w):
    wide = F.pad(x, (w.shape[1] - 1, 0))
    return sum(wide[:, tap : tap + x.shape[1]] * w[:, tap : tap + 1] for tap in range(w.shape[1]))
""",
    "attention": """
def attention(q, k, v, scale, causal=False):
    scores = q.float() @ k.float().transpose(-1, -2) * scale
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), float("-inf"))
    return scores.softmax(-1) @ v.float()
""",
    "delta_rule": """
def delta_rule(q, k, v, decay, beta, state):
    held, out = state.clone(), []
    for t in range(q.shape[0]):
        held = held * decay[t].exp()
        error = (v[t] - (held * k[t][:, None]).sum(0)) * beta[t]
        held = held + k[t][:, None] * error[None]
        out.append((held * q[t][:, None]).sum(0))
    return held, torch.stack(out)
""",
    "feed_forward": """
def feed_forward(x, up, down):
    hidden = x.float() @ up.float()
    half = hidden.shape[1] // 2
    hidden = (F.silu(hidden[:, :half]) * hidden[:, half:]).bfloat16()
    return (hidden.float() @ down.float()).bfloat16()
""",
    "gates": """
def gates(logits, bias):
    scores = torch.sigmoid(logits)
    chosen = torch.topk(scores + bias, 4).indices
    kept = scores.gather(1, chosen)
    return kept / kept.sum(-1, keepdim=True), chosen.int()
""",
    "pages": """
def pages(cache, table, lengths):
    found = torch.zeros(table.shape[0], table.shape[1] * 16, cache.shape[2], dtype=cache.dtype)
    for b, length in enumerate(lengths.tolist()):
        found[b, :length] = cache[table[b].long()].flatten(0, 1)[:length]
    return found
""",
    "product_of_bytes": """
def product_of_bytes(x, w, scales):
    step = x.float().abs().amax(-1, keepdim=True).clamp(min=1e-6) / 127
    return ((x.float() / step).round() @ w.float() * step * scales).bfloat16()
""",
    "turned": """
def turned(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
""",
}

MOMENTS = [("p", "fp32", (3000,)), ("g", "fp32", (3000,)), ("m", "fp32", (3000,)), ("v", "positive fp32", (3000,))]
ASC2 = {
    "adam": ("(lambda p, g, m, v, p1, m1, v1: adam_launch(p1, g, m1, v1, 10, rate=0.01))", MOMENTS, "adam(p, g, m, v, 0.01, 10)",
             [("copy", "p"), ("copy", "m"), ("copy", "v")], ""),
    "dropout": ("dropout_launch", [("x", "fp32", (50, 60))], "dropped(x, 0.3, 20250)", [("x.dtype", "x.shape")], ", 0.3, 20250"),
    "linear_attention": ("(lambda q, k, v, s, o, s1: linear_attention_launch(q, k, v, [1 - 2.0 ** -(3 + h % 3) for h in range(q.shape[0])], s1, o))",
                         [(name, "positive fp16", (2, 50, 64)) for name in "qkv"] + [("s", "positive fp32", (2, 64, 64))], "linear_attention(q, k, v, s)",
                         [("v.dtype", "v.shape"), ("copy", "s")], ""),
    "moe_matmul": ("moe_launch", [("x", "positive fp16", (70, 65)), ("g", "fp16", (65, 5)), ("w", "positive fp16", (5, 65, 130))], "mixture(x, g, w, 2)",
                   [("x.dtype", "(x.shape[0], w.shape[2])")], ", 2", "numpy"),
    "quantise": ("quantise_launch", [("x", "fp32", (40, 333))], "quantised(x, 2.0**-100)", [("int8", "x.shape"), ("float32", "x.shape[:1]")], ""),
    "positions": ("(lambda n, y: arange_launch(y, -5, 3))", [("n", "number", 3000)], "torch.arange(-5, -5 + 3 * n, 3, dtype=torch.int32)", [("int32", "(n,)")], ""),
}
BEST = [("a", "fp32", (3, 1024)), ("n", "torch.arange(1024).to(torch.int32)", None)]
ASC = {
    "scale_to_bytes": ([("a", "fp32", (4096,))], "(a * 20 + 3).half().round().to(torch.int8)", 2, ", a.shape[0], 20.0, 3.0", ("int8", "a.shape")),
    "transpose_squares": ([("a", "fp16", (48, 80))], "a.t().contiguous()", 2, ", 48, 80", ("a.dtype", "a.shape[::-1]")),
    "top_k": (BEST, "(a.topk(10, 1)[0], a.topk(10, 1)[1].int())", 2, ", 3, 10", ("float32", "(3, 10)"), ("int32", "(3, 10)")),
    "matmul_mix": ([("a", "positive fp16", (100, 72)), ("b", "positive fp16", (72, 80))], "a.float() @ b.float()", 1, ", tiling(100, 80, 72, 2)", ("float32", "(100, 80)"),
                   ("scratch uint8", "16 << 20")),
    "ordered_sum": ([("a", "fp32", (4, 1024))], "a.sum(0)", 4, "", ("zeros float32", "a.shape[1:]"), ("scratch int32", "64")),
}
LENGTH = ", a.shape[0]"
ASCENDC = {  # by file and function
    "gather_rows": ([("t", "fp32", (1024,)), ("a", "ids 1024", (2048,))], "t[a.long()]", 4, ", t.shape[0], a.shape[0]", ("float32", "a.shape")),
    "clip_select": ([("a", "fp32", (4096,))], "torch.where((a > -1) & (a < 1), a, 0.5)", 4, LENGTH + ", -1.0, 1.0, 0.5"),
    "sum_masked": ([("a", "positive fp32", (128, 64))], "a[:, :50].sum(-1)", 4, LENGTH + ", 50", ("float32", "a.shape[:1]")),
    "transpose_squares": ([("a", "fp16", (48, 80))], "a.t().contiguous()", 2, ", 48, 80", ("a.dtype", "a.shape[::-1]")),
    "scale_to_bytes": ([("a", "fp32", (4096,))], "(a * 20 + 3).half().round().to(torch.int8)", 2, LENGTH + ", 20.0, 3.0", ("int8", "a.shape")),
    "row_bias": ([("a", "fp32", (64, 64)), ("b", "fp32", (64,))], "a + b", 4, LENGTH),
    "column_sums": ([("a", "fp32", (50, 128))], "a.sum(0)", 4, LENGTH + ", a.shape[1]", ("zeros float32", "a.shape[1:]")),
    "copy_columns": ([("a", "torch.randint(0, 1000, (50, 128), dtype=torch.int16)", None)], "a[:, :40].contiguous()", 4, ", 50, 128, 40", ("int16", "(50, 40)")),
    "negate_odd_lanes": ([("a", "fp16", (2048,))], "a * torch.tensor([1.0, -1.0]).repeat(1024).half()", 4, ""),
    "layer_norm_rows layer_norm": ([("a", "fp16", (7, 512)), ("g", "fp32", (512,)), ("b", "fp32", (512,))],
                                   "(F.layer_norm(a.float(), (512,), g, b, 1e-5).half(), a.float().mean(-1))", 3, ", 7, 512, 1e-5", ("a.dtype", "a.shape"), ("float32", "a.shape[:1]")),
    "layer_norm_rows softmax64": ([("a", "fp32", (70, 64))], "a.softmax(-1)", 2, LENGTH),
    "layer_norm_rows argmax_rows": ([("a", "fp32", (9, 1000))], "a.argmax(-1).int()", 2, ", 9, 1000", ("int32", "(9,)")),
    "mmad_bias mmad_bias": ([("a", "fp16", (32, 96)), ("b", "fp16", (96, 64)), ("c", "fp32", (64,))], "a.float() @ b.float() + c", 1, ", 32, 96, 64", ("float32", "(32, 64)")),
    "top_k": (BEST, "(a.topk(10, 1)[0], a.topk(10, 1)[1].int())", 2, ", 3, 10", ("float32", "(3, 10)"), ("int32", "(3, 10)")),
    "silu": ([("a", "fp16", (16384,))], "F.silu(a.float()).half()", 8, LENGTH),
}

PYPTO = {  # (inputs, reference, outputs, further arguments, how it is called if not by its name)
    "add": ([("a", "fp32", (50, 60)), ("b", "fp32", (50, 60))], "a + b", [("a.dtype", "a.shape")], ""),
    "gelu": ([("a", "positive fp16", (64, 100))], "F.gelu(a.float(), approximate='tanh').half()", [("a.dtype", "a.shape")], ""),
    "softmax": ([("a", "fp32", (40, 128))], "a.softmax(-1)", [("a.dtype", "a.shape")], ""),
    "layer_norm": ([("a", "fp32", (40, 200)), ("g", "fp32", (200,)), ("b", "fp32", (200,))], "F.layer_norm(a, (200,), g, b, 1e-5)", [("a.dtype", "a.shape")], ""),
    "matmul_bias": ([("a", "positive fp16", (64, 96)), ("b", "positive fp16", (96, 80)), ("c", "positive fp32", (1, 80))], "(a.float() @ b.float() + c).half()",
                    [("a.dtype", "(a.shape[0], b.shape[1])")], ""),
    "ffn": ([("x", "torch.rand(40, 64).bfloat16()", None), ("u", "(torch.rand(64, 256) / 8).bfloat16()", None), ("d", "(torch.rand(128, 64) / 11).bfloat16()", None)],
            "feed_forward(x, u, d)", [("x.dtype", "(x.shape[0], d.shape[1])")], ""),
    "attention": ([("q", "fp16", (3, 64, 64)), ("k", "fp16", (3, 64, 64)), ("v", "positive fp16", (3, 64, 64))], "attention(q, k, v, 0.125).half()",
                  [("q.dtype", "q.shape")], ", 0.125"),
    "flash_attention": ([("q", "fp16", (100, 64)), ("k", "fp16", (150, 64)), ("v", "positive fp16", (150, 64))], "attention(q, k, v, 0.125)",
                        [("float32", "q.shape")], ", 0.125"),
    "moe_gate": ([("x", "fp32", (21, 64)), ("b", "fp32", (1, 64))], "gates(x, b)", [("x.dtype", "(x.shape[0], 4)"), ("int32", "(x.shape[0], 4)")], ""),
    "paged_gather": ([("c", "fp16", (12, 16, 128)), ("t", "torch.randperm(12).reshape(3, 4).int()", None), ("n", "torch.tensor([64, 17, 40], dtype=torch.int32)", None)],
                     "pages(c, t, n)", [("zeros float16", "(t.shape[0], t.shape[1] * 16, c.shape[2])")], ""),
    "quantised_matmul": ([("x", "torch.rand(50, 128).bfloat16()", None), ("w", "torch.randint(0, 100, (128, 64), dtype=torch.int8)", None), ("s", "torch.rand(1, 64) / 50", None)],
                         "product_of_bytes(x, w, s)", [("x.dtype", "(x.shape[0], w.shape[1])")], ""),
    "rms_norm_rope": ([("x", "fp32", (7, 4, 64)), ("g", "fp32", (64,)), ("c", "torch.rand(7, 32).repeat(1, 2)", None), ("s", "torch.rand(7, 32).repeat(1, 2)", None)],
                      "turned(F.rms_norm(x, (64,), g, 1e-6), c[:, None, :32], s[:, None, :32])", [("x.dtype", "x.shape")], ""),
    "gated_delta_rule": ([(name, "torch.randn(6, 64) / 8", None) for name in "qkv"] + [("d", "-torch.rand(6, 1)", None), ("b", "torch.rand(6, 1)", None), ("s", "torch.randn(64, 64) / 8", None)],
                         "delta_rule(q, k, v, d, b, s)", [("copy", "s"), ("float32", "q.shape")], "",
                         "(lambda q, k, v, d, b, _, s, o: gated_delta_rule(q, k, v, d, b, s, o))"),
}

PRODUCT = [("a", "positive fp16", (100, 70)), ("b", "positive fp16", (70, 50))], "a.float() @ b.float()", [("float32", "(a.shape[0], b.shape[1])")]
LIKE = [("x.dtype", "x.shape")]
TRITON = {  # by file: (function, inputs, reference, outputs)
    "adam_fused": ("(lambda p, g, m, v, p1, m1, v1: adam_launch(p1, g, m1, v1, 3))", MOMENTS, "adam(p, g, m, v, 1e-3, 3)", [("copy", "p"), ("copy", "m"), ("copy", "v")]),
    "block_matmul": ("block_matmul_launch", *PRODUCT),
    "causal_attention": ("attention_launch", [("q", "fp16", (2, 100, 64)), ("k", "fp16", (2, 100, 64)), ("v", "positive fp16", (2, 100, 64))],
                         "attention(q, k, v, 0.125, causal=True).half()", [("q.dtype", "q.shape")]),
    "causal_conv1d": ("conv1d_launch", [("x", "fp32", (7, 1500)), ("w", "fp32", (7, 3))], "conv1d(x, w)", LIKE),
    "cross_entropy_rows": ("cross_entropy_launch", [("x", "fp32", (11, 100)), ("t", "ids 100", (11,))], "F.cross_entropy(x, t.long(), reduction='none')", [("float32", "x.shape[:1]")]),
    "embedding_rows": ("embedding_launch", [("i", "ids 100", (37,)), ("w", "fp32", (100, 64))], "w[i.long()]", [("w.dtype", "(i.shape[0], w.shape[1])")]),
    "gelu_loop": ("gelu_launch", [("x", "fp32", (5000,))], "F.gelu(x, approximate='tanh')", LIKE),
    "histogram_bins": ("histogram_launch", [("x", "ids 10", (300,))], "torch.bincount(x, minlength=10).int()", [("int32", "10")]),
    "quantise_rows": ("quantise_launch", [("x", "fp32", (9, 500))], "quantised(x, 0.0)", [("int8", "x.shape"), ("float32", "x.shape[:1]")]),
    "rms_norm_rows": ("rms_norm_launch", [("x", "fp32", (37, 100)), ("g", "fp32", (100,))], "F.rms_norm(x, (100,), g, 1e-6)", LIKE),
    "rotary": ("rotary_launch", [("x", "fp32", (37, 128)), ("c", "fp32", (37, 64)), ("s", "fp32", (37, 64))], "turned(x, c, s)", LIKE),
    "row_layer_norm": ("layer_norm_launch", [("x", "fp32", (33, 1151)), ("w", "fp32", (1151,)), ("b", "fp32", (1151,))], "F.layer_norm(x, (1151,), w, b, 1e-5)", LIKE),
    "row_softmax": ("softmax_launch", [("x", "fp32", (129, 781))], "x.softmax(-1)", LIKE),
    "split_k_matmul": ("split_k_launch", *PRODUCT),
    "swiglu_gate": ("swiglu_launch", [("x", "fp32", (9, 600))], "F.silu(x[:, :300]) * x[:, 300:]", [("x.dtype", "(x.shape[0], x.shape[1] // 2)")]),
    "tiled_matmul": ("matmul_launch", *PRODUCT),
    "transpose_tiles": ("transpose_launch", [("x", "fp32", (100, 70))], "x.T.contiguous()", [("x.dtype", "x.shape[::-1]")]),
    "vector_add": ("add_launch", [("x", "fp32", (3000,)), ("z", "fp32", (3000,))], "x + z", LIKE),
}
