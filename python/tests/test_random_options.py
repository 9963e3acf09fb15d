"""Results do not depend on how a kernel is compiled: opt_level, the depth of rings, the banks of UB.

Random bodies run in a loop over tiles that is pipelined. What changes with these settings is where tiles lie, how many of them there
are and what waits for what; a pass that is wrong only with three slots, or only where buffers keep out of each other's banks, would
give other bytes here, or findings. The bytes must also be those of NumPy.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sheets import PLATFORMS, define
from test_programs import I32, Block, WrappingTile, as_kernel, in_python, operand, programs

import asc
from asc.runtime import config

COUNT, BLOCKS = 7, 2  # tiles, dealt out to blocks

SOURCE = """
import asc
import asc2


{part}
@asc2.jit
def kernel(s_ptr, t_ptr, x_ptr, out_ptr, n, m, tile: asc.ConstExpr[int]):
    shape = [{count} * tile]
    out = asc2.tensor(out_ptr, [2 * {count} * tile])
    for i in asc2.range(asc2.block_idx(), {count}, asc2.block_num()):
        s = asc2.load(asc2.tensor(s_ptr, shape), [tile], tile_id=[i])
        t = asc2.load(asc2.tensor(t_ptr, shape), [tile], tile_id=[i])
        x = asc2.load(asc2.tensor(x_ptr, shape), [tile], tile_id=[i])
        p, q, a, b, c = part0(s, t, x, 1, 2, 3, n, m, K=2)
        asc2.store(p + a, out, tile_id=[2 * i])
        asc2.store(q - b * c, out, tile_id=[2 * i + 1])
"""

# (opt_level, ring_depth, banks); all three change from row to row, and each value meets several of the others.
SETTINGS = [(3, None, None), (1, None, "ManyBanks"), (2, 1, "NoBanks"), (3, 3, "FewBanks"), (2, 4, None), (3, 4, "NoBanks"),
            (3, 2, "ManyBanks"), (2, 3, "NoBanks"), (1, 4, "FewBanks")]  # fmt: skip


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """The name of a part, by the platform it is based on and the banks it has."""
    folder, names = tmp_path_factory.mktemp("banks"), {}
    for platform in PLATFORMS:
        names[platform, None] = platform
        for banks, groups, size in (("NoBanks", 0, 65536), ("FewBanks", 4, 16384), ("ManyBanks", 32, 32768)):
            name = names[platform, banks] = f"{platform}{banks}"
            lines = f"bankGroups = {groups}  # made up\nbankBytes = {size}  # made up\n"
            (folder / f"{name}.platform").write_text(f"platform {name}\nbase {platform}\n\n{lines}")
            with pytest.MonkeyPatch.context() as patch:  # programs of other tests do not know these parts
                patch.setenv("TILESMITH_PLATFORM_PATH", "")
                config.add_platform(str(folder / f"{name}.platform"))
    return names


@programs(60)
@given(st.data(), st.integers(0, 4), st.integers(-1, 4), st.sampled_from(PLATFORMS), st.sampled_from([40, 1024, 3000]))
def test_bytes_do_not_depend_on_settings(parts, data, n, m, platform, tile):
    body = Block(data.draw).body(2, 1)
    kernel = define(SOURCE.format(part=as_kernel(0, body, 1), count=COUNT)).kernel
    arrays = [operand(seed, COUNT * tile, I32) for seed in range(3)]
    expected = []
    for i in range(COUNT):
        (p, q), (a, b, c) = in_python(body, *(WrappingTile(x[i * tile : (i + 1) * tile]) for x in arrays), n, m, 2)
        expected += [(WrappingTile(p) + a).values, (WrappingTile(q) - b * c).values]
    for opt_level, depth, banks in SETTINGS:
        config.set_platform("Model", parts[platform, banks])
        out = np.zeros(2 * COUNT * tile, I32)
        with asc.check() as report:
            kernel._with_options(dict(opt_level=opt_level, ring_depth=depth))[BLOCKS](*arrays, out, n, m, tile=tile)
        assert not report.findings, "\n".join(map(str, report.findings))
        assert np.array_equal(out, np.concatenate(expected)), f"opt_level {opt_level}, ring_depth {depth}, {banks}:\n{body}"


@pytest.mark.parametrize("platform", PLATFORMS)
def test_rings_are_as_deep_as_they_are_told(platform):
    """Or the sweep above compares one kernel with itself."""
    config.set_platform("Model", platform)
    kernel = define(SOURCE.format(part=as_kernel(0, "    s = s + t * x\n", 1), count=COUNT)).kernel
    tile = 2048
    arrays, cycles = [np.zeros(COUNT * tile, I32) for _ in range(3)] + [np.zeros(2 * COUNT * tile, I32)], {}
    for depth in (1, 2, 3, 4):
        with asc.profile() as report:
            kernel._with_options(dict(ring_depth=depth))[1](*arrays, 1, 1, tile=tile)
        assert {slots for _, _, _, slots, *_ in report.launches[0].buffers if slots > 1} == {depth} - {1}
        cycles[depth] = report.cycles
    assert cycles[1] > cycles[2], cycles
