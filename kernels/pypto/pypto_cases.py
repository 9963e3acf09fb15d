"""The operators of this folder with data to run them on: what tests, benchmarks and `./dev equality` share."""

from dataclasses import dataclass
from collections.abc import Callable

import torch

import add_pypto
import attention_pypto
import ffn_pypto
import flash_attention_pypto
import gated_delta_rule_pypto
import gelu_pypto
import layer_norm_pypto
import matmul_bias_pypto
import moe_gate_pypto
import paged_gather_pypto
import quantised_matmul_pypto
import rms_norm_rope_pypto
import softmax_pypto


@dataclass
class Case:
    """An operator, its arguments (results last but for `more`), what they should be, and tile shapes it can be cut by."""

    kernel: object
    make: Callable  # tensors, other arguments, {number of a tensor: what it should be}
    tiles: list
    bound: float = 1e-4


def nan(*shape, dtype=torch.float32):
    return torch.full(shape, float("nan"), dtype=dtype)


def random(*shape, dtype=torch.float32):
    return torch.randn(*shape).to(dtype)


def make_add():
    x, z = random(37, 300), random(37, 300)
    return [x, z, nan(37, 300)], [], {2: x + z}


def make_gelu():
    x = random(29, 512, dtype=torch.float16)
    return [x, nan(29, 512, dtype=torch.float16)], [], {1: torch.nn.functional.gelu(x.float(), approximate="tanh")}


def make_layer_norm():
    x, weight, bias = random(45, 256), random(256), random(256)
    return [x, weight, bias, nan(45, 256)], [], {3: torch.nn.functional.layer_norm(x, [256], weight, bias)}


def make_softmax():
    x = random(77, 256)
    return [x, nan(77, 256)], [], {1: torch.softmax(x, -1)}


def make_matmul_bias():
    a, b, bias = random(70, 128, dtype=torch.float16), random(128, 96, dtype=torch.float16), random(1, 96)
    return [a, b, bias, nan(70, 96, dtype=torch.float16)], [], {3: a.float() @ b.float() + bias}


def make_ffn():
    x, up, down = random(40, 64), random(64, 256) / 8, random(128, 64) / 11
    x, up, down = (one.bfloat16() for one in (x, up, down))
    hidden = x.float() @ up.float()
    hidden = (torch.nn.functional.silu(hidden[:, :128]) * hidden[:, 128:]).bfloat16()
    return [x, up, down, nan(40, 64, dtype=torch.bfloat16)], [], {3: hidden.float() @ down.float()}


def make_attention():
    q, k, v = (random(3, 64, 64, dtype=torch.float16) for _ in range(3))
    weights = torch.softmax(q.float() @ k.float().transpose(1, 2) * 0.125, -1)
    return [q, k, v, nan(3, 64, 64, dtype=torch.float16)], [0.125], {3: weights @ v.float()}


def make_flash_attention():
    q, k, v = random(100, 64), random(150, 64), random(150, 64)
    q, k, v = (one.half() for one in (q, k, v))
    weights = torch.softmax(q.float() @ k.float().T * 0.125, -1)
    return [q, k, v, nan(100, 64)], [0.125], {3: weights @ v.float()}


def make_moe_gate():
    logits, bias = random(21, 64), random(1, 64)
    scores = torch.sigmoid(logits)
    chosen = torch.topk(scores + bias, 4).indices
    kept = scores.gather(1, chosen)
    experts = torch.zeros(21, 4, dtype=torch.int32)
    return [logits, bias, nan(21, 4), experts], [], {2: kept / kept.sum(-1, keepdim=True), 3: chosen.int()}


def make_paged_gather():
    cache = random(12, 16, 128, dtype=torch.float16)
    table, lengths = torch.randperm(12).reshape(3, 4).int(), torch.tensor([64, 17, 40], dtype=torch.int32)
    expected = torch.zeros(3, 64, 128, dtype=torch.float16)
    for b, length in enumerate(lengths.tolist()):
        expected[b, :length] = cache[table[b].long()].reshape(-1, 128)[:length]
    return [cache, table, lengths, torch.zeros(3, 64, 128, dtype=torch.float16)], [], {3: expected}


def make_gated_delta_rule():
    q, k, v = (random(6, 64) / 8 for _ in range(3))
    decay, beta, state = -torch.rand(6, 1), torch.rand(6, 1), random(64, 64) / 8
    held, out = state.clone(), []
    for t in range(6):
        held = held * decay[t].exp()
        error = (v[t] - (held * k[t][:, None]).sum(0)) * beta[t]
        held = held + k[t][:, None] * error[None]
        out.append((held * q[t][:, None]).sum(0))
    return [q, k, v, decay, beta, state, nan(6, 64)], [], {5: held, 6: torch.stack(out)}


def make_quantised_matmul():
    x, scales = random(50, 128, dtype=torch.bfloat16), torch.rand(1, 64) / 50
    w = torch.randint(-100, 100, (128, 64), dtype=torch.int8)
    step = x.float().abs().amax(-1, keepdim=True).clamp(min=1e-6) / 127
    whole = torch.round(x.float() / step)
    return [x, w, scales, nan(50, 64, dtype=torch.bfloat16)], [], {3: whole @ w.float() * step * scales}


def make_rms_norm_rope():
    x, gamma, cos, sin = random(7, 4, 64), random(64), random(7, 64), random(7, 64)
    head = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * gamma
    turned = torch.cat([-head[..., 32:], head[..., :32]], -1)
    return [x, gamma, cos, sin, nan(7, 4, 64)], [], {4: head * cos[:, None] + turned * sin[:, None]}


ROWS = [(8, 256), (16, 64), (1, 256), (7, 100), (32, 256)]
PRODUCTS = [(64, 64, 64), (32, 64, 32), (16, 32, 96), (64, 128, 32), (32, 16, 64)]
CASES = {
    "add": Case(add_pypto.add, make_add, ROWS),
    "gelu": Case(gelu_pypto.gelu, make_gelu, ROWS, 2e-3),
    "layer_norm": Case(layer_norm_pypto.layer_norm, make_layer_norm, ROWS),
    "softmax": Case(softmax_pypto.softmax, make_softmax, ROWS),
    "matmul_bias": Case(matmul_bias_pypto.matmul_bias, make_matmul_bias, PRODUCTS, 2e-3),
    "ffn": Case(ffn_pypto.ffn, make_ffn, [(16, 64, 128), (16, 32, 64), (16, 16, 32), (32, 64, 64), (16, 64, 256)], 2e-2),
    "attention": Case(attention_pypto.attention, make_attention, [(32, 64, 64), (64, 64, 64), (16, 32, 64), (16, 16, 16), (64, 16, 32)], 5e-3),
    "flash_attention": Case(
        flash_attention_pypto.flash_attention, make_flash_attention, [(64, 64), (32, 64), (16, 32), (8, 64), (64, 16)], 5e-3
    ),
    "moe_gate": Case(moe_gate_pypto.moe_gate, make_moe_gate, [(8, 64), (4, 64), (1, 64), (16, 16), (8, 32)]),
    "paged_gather": Case(
        paged_gather_pypto.paged_gather, make_paged_gather, [(1, 16, 128), (1, 8, 128), (1, 16, 32), (1, 3, 64), (4, 16, 256)]
    ),
    "gated_delta_rule": Case(
        gated_delta_rule_pypto.gated_delta_rule, make_gated_delta_rule, [(64, 64), (32, 64), (16, 16), (8, 64), (64, 8)]
    ),
    "quantised_matmul": Case(
        quantised_matmul_pypto.quantised_matmul, make_quantised_matmul, [(32, 64, 64), (16, 32, 32), (32, 128, 64), (16, 64, 16), (32, 32, 32)], 3e-2
    ),
    "rms_norm_rope": Case(
        rms_norm_rope_pypto.rms_norm_rope, make_rms_norm_rope, [(1, 4, 64), (1, 2, 64), (1, 1, 32), (1, 4, 16), (2, 4, 64)], 1e-3
    ),
}
