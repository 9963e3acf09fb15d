"""How much of what a candidate brings says something: tilesmith.judge.device.known and brought."""

import numpy as np
import pytest
import torch

from tilesmith.judge.device.known import Known, information, information_of, pattern

RANDOM = np.random.default_rng(0)


def said(tensor, how=information):
    return how(tensor.contiguous().reshape(-1).view(torch.uint8).numpy())


@pytest.mark.parametrize("says_nothing", [
    torch.zeros(4096), torch.full((1000,), -1e4).half(), torch.arange(5000), torch.arange(0, 1, 1 / 512), torch.arange(300, 0, -1).short(),
    torch.ones(512, 512).tril(), torch.full((512, 512), float("-inf")).triu(1).half(), torch.ones(64, 64, dtype=torch.bool).tril(),
    torch.eye(300), (torch.arange(4096) % 64 < 32).float(),
], ids=lambda each: f"{each.dtype} {tuple(each.shape)}")
def test_masks_and_progressions_say_next_to_nothing(says_nothing):
    assert said(says_nothing) <= 64


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_a_table_in_bits_says_as_much_as_its_bits(bits):
    """It was taken for a mask."""
    table = torch.from_numpy(RANDOM.integers(0, 2, 8192)).to({8: torch.int8, 16: torch.float16, 32: torch.float32, 64: torch.int64}[bits])
    assert 900 <= said(table) <= 1024


def test_tables_and_patterns():
    assert said(torch.tanh(torch.arange(-128, 128) / 64)) == 1024 == said(torch.tanh(torch.arange(-128, 128) / 64), pattern)
    distances = torch.arange(64)[None] - torch.arange(64)[:, None]
    slopes = torch.tensor([2.0 ** -(head + 1) for head in range(8)])[:, None, None] * distances
    assert said(slopes) == 8 * 64 * 64 * 4 and said(slopes, pattern) < 4096
    assert said(torch.randn(5000), pattern) > 12000


def test_numbers_say_what_is_no_pattern():
    def of(*sequences):
        return information_of(np.array(each, np.int64).tobytes() for each in sequences)

    assert of([1024] * 1000, list(range(0, 512000, 512)), [0, 1] * 500) < 100
    assert 150 < of(RANDOM.integers(0, 2, 1500).tolist()) < 800
    assert of(RANDOM.integers(0, 1 << 60, 500).tolist()) > 3500
    assert of() == 0


WEIGHTS = [torch.from_numpy(RANDOM.standard_normal(shape)).float() for shape in ((96, 32), (96, 32), (32,))]


@pytest.mark.parametrize("made, is_known", [
    (WEIGHTS[0], True),
    (WEIGHTS[1].t().contiguous().half(), True),
    (torch.cat([WEIGHTS[0], WEIGHTS[1]], 1), True),
    (torch.nn.functional.pad(WEIGHTS[0], (0, 16)).bfloat16(), True),
    (torch.cat([WEIGHTS[0].reshape(-1), WEIGHTS[2], torch.zeros(7)]), True),
    (WEIGHTS[0] * 2, False),
    (WEIGHTS[0][:50], False),
    (torch.nn.functional.pad(WEIGHTS[0], (0, 16), value=1) + torch.nn.functional.pad(torch.zeros(96, 47), (0, 1), value=3), False),
    (torch.cat([WEIGHTS[0], WEIGHTS[0]]), False),
    (torch.zeros(0), False),
], ids=["itself", "transposed in half", "joined", "padded and rounded", "joined and padded", "scaled", "a part", "something beside", "twice", "empty"])
def test_parameters_of_the_reference(made, is_known):
    known = Known(WEIGHTS)
    assert known.are_parameters(made.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()) == is_known


def test_ones_and_zeros_are_parameters_only_as_they_are():
    """A scale and a bias of a new layer could be put together to any bits."""
    known = Known([torch.ones(512), torch.zeros(512), torch.ones(4, 4).tril()])
    bits = torch.cat([torch.ones(512), torch.zeros(512)])[torch.randperm(1024, generator=torch.Generator().manual_seed(0))]
    assert not known.are_parameters(bits.view(torch.uint8).numpy().tobytes())
    assert known.are_parameters(torch.ones(4, 4).tril().view(-1).view(torch.uint8).numpy().tobytes())
