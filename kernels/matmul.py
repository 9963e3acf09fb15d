"""C = A B on the cube cores: float16, bfloat16 or float32 inputs, float32 result, any shape.

The kernel says what is multiplied, in tiles as large as L0C takes; that loads come in large pieces to L1, products in steps to
L0, and results leave while the next ones begin is the compiler's work. What is left to the launch is to choose the tiles, and to
divide k where there are few of them: then a second kernel adds the parts, always in the same order.
"""

import functools

import numpy as np

import asc
import asc2
import golden
from asc.runtime import config


@asc2.jit
def matmul_kernel(a_ptr, b_ptr, c_ptr, m, n, k, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
                  tile_k: asc.ConstExpr[int], high=0, large=0, group=4, low_m: asc.ConstExpr[int] = 0,
                  parts_m: asc.ConstExpr[int] = 1, parts_n: asc.ConstExpr[int] = 1):
    a_gm = asc2.tensor(a_ptr, [m, k])
    b_gm = asc2.tensor(b_ptr, [k, n])
    c_gm = asc2.tensor(c_ptr, [m, n])
    columns = asc.ceildiv(n, tile_n)
    if large == 0:  # nothing but whole tiles
        high = asc.ceildiv(m, tile_m)
        large = high * columns
    # Tails in k are padded with zeros and add nothing (without any k this is all there is); tails in m and n are dropped by
    # the store.
    steps = max(asc.ceildiv(k, tile_k), 1)
    for i in asc2.range(asc2.block_idx(), large, asc2.block_num()):
        row, column = place(i, high, columns, group)
        one_tile(a_gm, b_gm, c_gm, row * tile_m, column * tile_n, steps, tile_m, tile_n, tile_k)
    # The core whose turn is next begins with what is left.
    first = (asc2.block_idx() + asc.ceildiv(large, asc2.block_num()) * asc2.block_num() - large) % asc2.block_num()
    if low_m > 0:
        # Tiles a little lower, so that all cores have the same number of them.
        lower = asc.ceildiv(m - high * tile_m, low_m)
        for i in asc2.range(first, lower * columns, asc2.block_num()):
            row, column = place(i, lower, columns, group)
            one_tile(a_gm, b_gm, c_gm, high * tile_m + row * low_m, column * tile_n, steps, low_m, tile_n, tile_k)
    if parts_m * parts_n > 1:
        # What does not fill another round of the cores is cut into parts, so that all of them have something to do.
        part_m, part_n = tile_m // parts_m, tile_n // parts_n
        for i in asc2.range(first, (high * columns - large) * (parts_m * parts_n), asc2.block_num()):
            row, column = place(large + i // (parts_m * parts_n), high, columns, group)
            part = i % (parts_m * parts_n)
            top, left = row * tile_m + part // parts_n * part_m, column * tile_n + part % parts_n * part_n
            one_tile(a_gm, b_gm, c_gm, top, left, steps, part_m, part_n, tile_k)


@asc2.jit
def one_tile(a_gm, b_gm, c_gm, top, left, steps, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
             tile_k: asc.ConstExpr[int], first=0, c_top=0):
    acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
    for j in asc2.range(steps):
        a = asc2.load(a_gm, [tile_m, tile_k], offsets=[top, first + j * tile_k])
        b = asc2.load(b_gm, [tile_k, tile_n], offsets=[first + j * tile_k, left])
        asc2.matmul_acc(a, b, acc)
    asc2.store(acc, c_gm, offsets=[c_top + top, left])


@asc2.jit
def divided_kernel(a_ptr, b_ptr, parts_ptr, m, n, k, steps, divisions, tile_m: asc.ConstExpr[int], tile_n: asc.ConstExpr[int],
                   tile_k: asc.ConstExpr[int]):
    """The products by `steps` tiles of k each, one m x n matrix after the other."""
    a_gm = asc2.tensor(a_ptr, [m, k])
    b_gm = asc2.tensor(b_ptr, [k, n])
    rows, columns = asc.ceildiv(m, tile_m), asc.ceildiv(n, tile_n)
    for i in asc2.range(asc2.block_idx(), rows * columns * divisions, asc2.block_num()):
        part = i // (rows * columns)
        row, column = i // columns % rows, i % columns
        parts_gm = asc2.tensor(parts_ptr, [(part + 1) * m, n])  # ends where the part does
        one_tile(a_gm, b_gm, parts_gm, row * tile_m, column * tile_n, max(steps, 1), tile_m, tile_n, tile_k,
                 part * steps * tile_k, part * m)


@asc2.jit
def sum_kernel(parts_ptr, c_ptr, size, divisions, tile: asc.ConstExpr[int]):
    parts_gm = asc2.tensor(parts_ptr, [divisions, size])
    c_gm = asc2.tensor(c_ptr, [size])
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(size, tile), asc2.block_num()):
        total = asc2.load(parts_gm, [1, tile], tile_id=[0, i])
        for part in asc2.range(1, divisions):
            total += asc2.load(parts_gm, [1, tile], tile_id=[part, i])
        asc2.store(total.reshape(tile), c_gm, tile_id=[i])


@asc2.jit
def place(i, rows, columns, group):
    """Row and column of tile i. Groups of rows are done column by column: tiles done at the same time share what they read."""
    first = i // (group * columns) * group
    height = min(rows - first, group)
    return first + i % (group * columns) % height, i % (group * columns) // height


def matmul_launch(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    tiles = choose_tiles(m, n, k, a.itemsize, config.current_platform().value)
    blocks, divisions = tiles.pop("blocks"), tiles.pop("divisions")
    if divisions == 1:
        matmul_kernel[blocks](a, b, c, m, n, k, **tiles)
        return
    parts = np.empty((divisions, m, n), np.float32)
    divided_kernel[blocks](a, b, parts, m, n, k, divisions=divisions, **tiles)
    tile = max(64, min(golden.round_up(asc.ceildiv(m * n, golden.vector_cores()), 64), 8192))
    sum_kernel[min(golden.vector_cores(), asc.ceildiv(m * n, tile))](parts, c, m * n, divisions, tile=tile)


def choose_tiles(m, n, k, itemsize, platform):
    """How the results are dealt out: arguments of the kernel, and the number of blocks."""
    return dict(_best_tiles(m, n, k, itemsize, platform))


@functools.lru_cache
def _best_tiles(m, n, k, itemsize, platform):
    """Tiles whose rounds fill the cores with little padding, and large enough that loading them takes no longer than the products."""
    chip = config.platform_facts()
    cores, memories = chip["cube_cores"], chip["memories"]
    macs = chip["cube_macs"]["float32" if itemsize == 4 else "float16"]
    second = chip["launch_ns"][1] * chip["clock_mhz"] / 1000 + 2000  # cycles that another launch takes
    rate = min(chip["moves"]["gm_to_l1"][1], chip["l2_mbps"] / chip["clock_mhz"] / cores)  # bytes a cycle for each of them

    def cycles(tile_m, tile_n):
        return k * max(tile_m * tile_n / macs, (tile_m + tile_n) * itemsize / rate) + 2000

    def depth(tile_m, tile_n):
        most = memories["L1"] // (2 * (tile_m + tile_n) * itemsize)  # two of each tile
        return min(max(most // 128 * 128, 64), golden.round_up(max(k, 1), 16), 1024)

    def sizes(extent):
        most = min(golden.round_up(max(extent, 1), 16), 512)
        return range(16, most + 1, 16)

    def ways(tile_m, tile_n):
        """(cycles, tiles down, whole tiles, height of lower ones, parts)"""
        high, columns = asc.ceildiv(m, tile_m), asc.ceildiv(n, tile_n)
        tiles, each = high * columns, cycles(tile_m, tile_n)
        yield asc.ceildiv(tiles, cores) * each, high, tiles, 0, 1, 1
        # Rows that are dealt out to tiles of two heights leave nothing to pad.
        low_m = tile_m - 16
        taller = asc.ceildiv(m, 16) - high * (low_m // 16)
        if 0 < taller < high and low_m:
            share = taller / high
            yield (asc.ceildiv(tiles, cores) * (share * each + (1 - share) * cycles(low_m, tile_n)) + 2000, taller,
                   taller * columns, low_m, 1, 1)
        whole = tiles // cores * cores
        for parts_m, parts_n in ((1, 2), (2, 1), (2, 2), (2, 4), (4, 2), (4, 4)) if 0 < whole < tiles else ():
            if tile_m % (16 * parts_m) == 0 and tile_n % (16 * parts_n) == 0:
                rest = asc.ceildiv((tiles - whole) * parts_m * parts_n, cores)
                yield (tiles // cores * each + rest * cycles(tile_m // parts_m, tile_n // parts_n) + 2000, high, whole, 0,
                       parts_m, parts_n)

    def division(tile_m, tile_n):
        """(cycles, tiles of k in a part, parts) that fill the cores once."""
        tiles = asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n)
        tile_k = depth(tile_m, tile_n)
        steps = asc.ceildiv(asc.ceildiv(k, tile_k), max(cores // tiles, 1))
        divisions = asc.ceildiv(k, steps * tile_k)
        bytes_ = 4 * m * n * (divisions + 1)
        sums = second + bytes_ / rate / cores
        return cycles(tile_m, tile_n) * steps * tile_k / k + bytes_ / rate / cores + sums, steps, divisions

    best: tuple = ()
    divided: tuple = ()
    for tile_m in sizes(m):
        for tile_n in sizes(n):
            if tile_m * tile_n * 4 > memories["L0C"] or 2 * (tile_m + tile_n) * 64 * itemsize > memories["L1"]:
                continue
            # B and C are stored by rows: tiles that do not begin at 512 bytes of them load slowly.
            aligned = tile_n * itemsize % 512 == 0 or tile_n >= n
            if k and 2 * asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n) <= cores:
                time, *way = division(tile_m, tile_n)
                if way[1] > 1 and (not divided or time < divided[0]):
                    divided = time, tile_m, tile_n, *way
            for time, *way in ways(tile_m, tile_n):
                rank = (time * (1 if aligned else 1.05), -tile_m * tile_n, tile_m + tile_n)
                if not best or rank < best[0]:
                    best = rank, tile_m, tile_n, *way
    if divided and divided[0] < best[0][0]:
        _, tile_m, tile_n, steps, divisions = divided
        tiles = asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n) * divisions
        return {"blocks": min(cores, tiles), "divisions": divisions, "steps": steps, "tile_m": tile_m, "tile_n": tile_n,
                "tile_k": depth(tile_m, tile_n)}.items()
    _, tile_m, tile_n, high, large, low_m, parts_m, parts_n = best
    tile_k = depth(tile_m, tile_n)
    group = max(1, round((cores * tile_n / tile_m) ** 0.5))
    tiles = asc.ceildiv(m, tile_m) * asc.ceildiv(n, tile_n)
    return {"blocks": min(cores, tiles), "divisions": 1, "high": high, "large": large, "group": group, "tile_m": tile_m, "tile_n": tile_n,
            "tile_k": tile_k, "low_m": low_m, "parts_m": parts_m, "parts_n": parts_n}.items()


# Shapes are m x n x k.
@golden.cases([(1, 1, 1), (16, 16, 16), (127, 129, 65), (128, 128, 64), (7, 300, 31), (257, 17, 1000), (512, 512, 512),
               (640, 641, 129), (40, 24, 5000), (2048, 272, 32)], dtypes=["float16", "float32"])
def test_matmul(platform, dtype, shape):
    golden.use(platform)
    m, n, k = shape
    # Positive values: where products cancel, no float32 accumulation, BLAS included, can meet a relative bound.
    a, b = golden.sample((m, k), dtype, low=0, high=1, seed=1), golden.sample((k, n), dtype, low=0, high=1, seed=2)
    c = np.empty((m, n), np.float32)
    matmul_launch(a, b, c)
    golden.check(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    golden.main(test_matmul, shape=(512, 512, 512))
