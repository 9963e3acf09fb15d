"""Attention kernels beyond their cases: every head size, both half types, lengths that are no multiple of anything, groups of heads.

A few of them each time; TILESMITH_LONG=1 runs all.
"""

import itertools
import os
import random

import numpy as np
import pytest
import torch

import asc
import golden
from flash_attention import flash_attention_launch
from paged_attention import paged_attention_launch

WHOLE = bool(os.environ.get("TILESMITH_LONG"))


@pytest.fixture(autouse=True, params=golden.PLATFORMS)
def platform(request):
    golden.use(request.param)


def sample(*shape, dtype, low, seed):
    return torch.from_numpy(np.random.default_rng(seed).uniform(low, 1, shape)).to(dtype)


def check(actual, expected):
    verdict = golden.compare(actual, expected.to(actual.dtype))
    assert verdict.passed, str(verdict)


SIZES = [64, 80, 96, 128, 160, 192, 256]
CASES = list(itertools.product(SIZES, [torch.float16, torch.bfloat16], [False, True], [(33, 33), (100, 300), (64, 257)]))


@pytest.mark.parametrize("d, dtype, causal, lengths", CASES if WHOLE else random.Random("attention").sample(CASES, 5))
def test_flash_attention(d, dtype, causal, lengths):
    rows, length = lengths
    q = sample(4, rows, d, dtype=dtype, low=-1, seed=1)
    k, v = sample(2, d, length, dtype=dtype, low=-1, seed=2), sample(2, length, d, dtype=dtype, low=0, seed=3)
    o = torch.empty_like(q)
    with asc.check() as report:
        flash_attention_launch(q, k, v, o, causal)
    assert not report.findings
    scores = q.double() @ k.double().repeat_interleave(2, 0) / d**0.5
    if causal:
        scores = scores.masked_fill(torch.arange(length) > torch.arange(rows)[:, None] + length - rows, -torch.inf)
    check(o, torch.softmax(scores, -1) @ v.double().repeat_interleave(2, 0))


PAGED = list(itertools.product(SIZES, [torch.float16, torch.bfloat16], [(1, 16), (5, 32), (17, 64)]))


@pytest.mark.parametrize("d, dtype, shape", PAGED if WHOLE else random.Random("paged").sample(PAGED, 4))
def test_paged_attention(d, dtype, shape):
    """Sequences of all lengths around the end of a page, and an empty one."""
    group, page = shape
    lengths = torch.tensor([1, page - 1, page, page + 1, 0], dtype=torch.int32)
    table = torch.randperm(10, generator=torch.Generator().manual_seed(1)).reshape(5, 2).int()
    q = sample(5, 2 * group, d, dtype=dtype, low=-1, seed=1)
    k, v = sample(10, page, 2, d, dtype=dtype, low=-1, seed=2), sample(10, page, 2, d, dtype=dtype, low=0, seed=3)
    o = torch.full_like(q, 7)
    with asc.check() as report:
        paged_attention_launch(q, k, v, table, lengths, o)
    assert not report.findings
    for s, n in enumerate(lengths.tolist()):
        keys, values = (cache[table[s].long()].flatten(0, 1)[:n].transpose(0, 1).repeat_interleave(group, 0).double() for cache in (k, v))
        p = torch.softmax(torch.einsum("hd,hnd->hn", q[s].double(), keys) / d**0.5, -1)
        check(o[s], torch.einsum("hn,hnd->hd", p, values))
