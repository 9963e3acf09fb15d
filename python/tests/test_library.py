"""What the cases of kernels/*.py do not show: bfloat16, and whether the random numbers of dropout are any good."""

import numpy as np
import pytest

import asc
import asc2
import golden
import torch
from adam import adam_launch
from cross_entropy import cross_entropy_launch
from dropout import dropout_launch, random_bits, random_bits_golden, uniform
from layer_norm import layer_norm_launch
from positions import positions
from quantise import quantise_launch
from rope import rope_launch
from swiglu import swiglu_launch

pytestmark = pytest.mark.parametrize("platform", golden.PLATFORMS)


@pytest.fixture(autouse=True)
def use(platform):
    golden.use(platform)


def sample(*shape, low=-4.0, high=4.0, seed=0):
    return torch.from_numpy(np.random.default_rng(seed).uniform(low, high, shape)).to(torch.bfloat16)


def check(actual, expected):
    """Against the result in float64, rounded once to the dtype."""
    verdict = golden.compare(actual, expected.to(actual.dtype))
    assert verdict.passed, str(verdict)


def test_layer_norm_in_bfloat16():
    x, gamma, beta = sample(5, 70), sample(70, seed=1), sample(70, low=14, high=16, seed=2)
    y = torch.empty_like(x)
    layer_norm_launch(x, gamma, beta, y)
    check(y, torch.nn.functional.layer_norm(x.double(), (70,), gamma.double(), beta.double(), 1e-5))


def test_swiglu_in_bfloat16():
    x, y = sample(5, 140), sample(5, 70)
    swiglu_launch(x, y)
    gate, up = x.double().chunk(2, 1)
    check(y, torch.nn.functional.silu(gate) * up)


def test_rope_in_bfloat16():
    x, cos, sin = sample(3, 5, 64), sample(3, 32, seed=1), sample(3, 32, seed=2)
    y = torch.empty_like(x)
    rope_launch(x, cos, sin, y)
    (a, b), c, s = x.double().chunk(2, 2), cos.double()[:, None], sin.double()[:, None]
    check(y, torch.cat([a * c - b * s, b * c + a * s], 2))


def test_cross_entropy_in_bfloat16_is_torchs():
    x, target = sample(9, 300), torch.arange(9, dtype=torch.int32) * 30
    target[4] = -100
    loss = torch.empty(9)
    cross_entropy_launch(x, target, loss)
    check(loss, torch.nn.functional.cross_entropy(x.double(), target.long(), reduction="none", ignore_index=-100))


def test_quantise_in_bfloat16_gives_back_what_it_took():
    x, q, scale = sample(9, 300), torch.empty(9, 300, dtype=torch.int8), torch.empty(9)
    quantise_launch(x, q, scale)
    assert (q.abs().amax(1) == 127).all()
    assert ((q * scale[:, None] - x.float()).abs() <= scale[:, None] * 0.50001).all()


def test_adam_in_bfloat16_is_torchs():
    p, g = sample(1000), sample(1000, seed=1)
    golden_p = torch.nn.Parameter(p.double())
    optimiser = torch.optim.AdamW([golden_p], lr=0.01, weight_decay=0.1)
    m, v, wide = torch.zeros(1000), torch.zeros(1000), p.double()
    for step in (1, 2, 3):
        golden_p.grad = g.double()
        optimiser.step()
        p32 = wide.float()  # parameters in float32: three roundings to bfloat16 would hide the step
        adam_launch(p32, g, m, v, step, rate=0.01, decay=0.1)
        wide = p32.double()
    check(p32, golden_p.detach())
    before = p.clone()
    adam_launch(p, g, torch.zeros(1000), torch.zeros(1000), 1, rate=1.0)
    check(p, (before.double() - g.double().sign()))


def test_dropout_in_bfloat16():
    x = torch.ones(10_000, dtype=torch.bfloat16)
    y = torch.empty_like(x)
    dropout_launch(x, y, p=0.5, seed=1)
    assert set(y.tolist()) == {0.0, 2.0}


@asc2.jit
def bits_kernel(y_ptr, u_ptr, size, seed, tile: asc.ConstExpr[int]):
    y, u = asc2.tensor(y_ptr, [size]), asc2.tensor(u_ptr, [size])
    ramp = positions(tile).to(asc.uint32)
    for i in asc2.range(asc2.block_idx(), asc2.num_tiles(y, 0, [tile]), asc2.block_num()):
        asc2.store(random_bits(ramp + i * tile, seed), y, tile_id=[i])
        asc2.store(uniform(ramp + i * tile, seed), u, tile_id=[i])


def random_words(count, seed, blocks=8):
    words, numbers = np.empty(count, np.uint32), np.empty(count, np.float32)
    bits_kernel[blocks](words, numbers, count, np.uint32(seed), tile=1024)
    return words, numbers


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32 - 1])
def test_random_bits_are_the_golden_ones_whatever_the_blocks(seed):
    words, numbers = random_words(10_000, seed)
    assert (words == random_bits_golden(np.arange(10_000), seed)).all()
    assert (numbers == (words >> 8) * 2.0**-24).all() and (numbers < 1).all()
    assert (random_words(10_000, seed, blocks=3)[0] == words).all()


def test_random_bits_look_random(platform):
    """Each statistic within six standard deviations of what independent bits would give. The counter itself would fail all."""
    count = 1 << 18
    if platform != golden.PLATFORMS[0]:
        pytest.skip("the same words on every platform: shown above")
    words = random_words(count, seed=7)[0]
    bits = np.unpackbits(words.view(np.uint8)).reshape(count, 32).astype(np.float32) - 0.5
    limit = 6 * 0.25 / np.sqrt(count)  # of a mean of products of two bits
    assert np.abs(bits.mean(0)).max() < 2 * limit, "a bit that prefers a value"
    pairs = bits.T @ bits / count
    assert np.abs(pairs - np.diag(np.diag(pairs))).max() < limit, "two bits of a word that know each other"
    for distance in (1, 2, 3, 64, 128, 1024, 2048, 4096):
        assert np.abs((bits[distance:].T @ bits[:-distance]) / (count - distance)).max() < limit, f"words {distance} apart"
    for other in (8, 6, 7 + 2**16, 7 + 2**31):
        neighbours = np.unpackbits(random_words(count, seed=other)[0].view(np.uint8)).reshape(count, 32) - np.float32(0.5)
        assert np.abs(bits.T @ neighbours / count).max() < limit, f"seeds 7 and {other}"
    for shift in (0, 8, 16, 24):
        observed = np.bincount(words >> shift & 255, minlength=256)
        expected = count / 256
        chi = ((observed - expected) ** 2 / expected).sum()
        assert abs(chi - 255) < 6 * np.sqrt(2 * 255), f"bytes at bit {shift} are not equally frequent"


@pytest.mark.parametrize("p", [0.0, 0.1, 0.5, 0.9])
def test_dropout_keeps_the_share_it_should(p):
    count = 1 << 18
    y = np.empty(count, np.float32)
    dropout_launch(np.ones(count, np.float32), y, p, seed=3)
    kept = (y != 0).mean()
    assert abs(kept - (1 - p)) <= 6 * np.sqrt(p * (1 - p) / count)
    assert np.unique(y[y != 0]).size == 1 and abs(y.max() * (1 - p) - 1) < 1e-6


@pytest.mark.parametrize("p", [1.0, -0.1, float("nan")])
def test_dropout_refuses_what_is_not_a_probability(p):
    with pytest.raises(ValueError, match="at least 0 and less than 1"):
        dropout_launch(np.ones(4, np.float32), np.ones(4, np.float32), p, seed=3)
