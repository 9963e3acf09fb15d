"""A mixture of experts: each token goes through the k experts its gate likes best, y = sum of weight_e * (x W_e).

Four kernels. The *gate* is a product with a softmax and top-k on the vector cores. The *routing* sorts (token, choice) pairs by expert.
The *grouped product* deals the tiles of all experts to the cores, whatever their sizes: vector cores gather the rows of a tile and
scatter its results, the cube core multiplies. At last the results of a token are *combined* with its weights. How many tokens an
expert gets is known on the device alone; nothing goes back to the host.
"""

import numpy as np

import asc
import asc2
import golden

TILE_M, TILE_N, TILE_K = 64, 128, 128
PAIRS = 2048  # that are sorted at a time


@asc2.jit
def gate_kernel(x_ptr, w_ptr, weights_ptr, experts_ptr, tokens, width, experts, k: asc.ConstExpr[int], slots: asc.ConstExpr[int], tile_m: asc.ConstExpr[int],
                tile_n: asc.ConstExpr[int], tile_k: asc.ConstExpr[int]):
    x_gm, w_gm = asc2.tensor(x_ptr, [tokens, width]), asc2.tensor(w_ptr, [width, experts])
    weights_gm, experts_gm = asc2.tensor(weights_ptr, [tokens, k]), asc2.tensor(experts_ptr, [tokens, k])
    # Rows of a tile are whole blocks of 32 bytes: there are `slots` columns, of which the first k count.
    # Columns beyond the last expert are never chosen.
    behind = asc2.minimum(experts.cast(asc.float32) - 0.5 - asc2.arange(0.0, tile_n), 0.0) * 1e20
    for i in asc2.range(asc2.block_idx(), asc.ceildiv(tokens, tile_m), asc2.block_num()):
        acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
        for j in asc2.range(asc.ceildiv(width, tile_k)):
            x = asc2.load(x_gm, [tile_m, tile_k], offsets=[i * tile_m, j * tile_k])
            asc2.matmul_acc(x, asc2.load(w_gm, [tile_k, tile_n], offsets=[j * tile_k, 0]), acc)
        best, chosen = asc2.topk(acc + behind, slots)
        best = best - asc2.maximum(asc2.arange(0.0, slots) - (k - 0.5), 0.0) * 1e20
        weights = asc2.softmax(best)  # of the chosen ones: what it is of all, made to sum to 1
        asc2.store(weights, weights_gm, offsets=[i * tile_m, 0])
        asc2.store(chosen, experts_gm, offsets=[i * tile_m, 0])


@asc2.jit
def route_kernel(experts_ptr, order_ptr, tokens_ptr, starts_ptr, pairs, experts, k: asc.ConstExpr[int], size: asc.ConstExpr[int]):
    """Pairs by their experts, the tokens they belong to, and where each expert begins. On one core."""
    chosen = asc2.load(asc2.tensor(experts_ptr, [pairs]), [size], offsets=[0], pad_value=30000).to(asc.float32)
    _, order = chosen.reshape(1, size).sort()
    order = order.reshape(size)
    asc2.store(order, asc2.tensor(order_ptr, [pairs]), offsets=[0])
    asc2.store(order // k, asc2.tensor(tokens_ptr, [pairs]), offsets=[0])
    starts = asc2.tensor(starts_ptr, [experts + 1])
    for e in asc2.range(experts + 1):
        before = asc2.where(chosen < e.cast(asc.float32), 1.0, 0.0)
        asc2.store(asc2.reduce_sum(before).cast(asc.int32), starts, offsets=[e])


@asc2.jit
def grouped_kernel(x_ptr, w_ptr, order_ptr, tokens_ptr, starts_ptr, y_ptr, tokens, pairs, experts, width, n, tile_m: asc.ConstExpr[int],
                   tile_n: asc.ConstExpr[int], tile_k: asc.ConstExpr[int]):
    x_gm, w_gm, y_gm = asc2.tensor(x_ptr, [tokens, width]), asc2.tensor(w_ptr, [experts, width, n]), asc2.tensor(y_ptr, [pairs, n])
    order_gm, tokens_gm, starts = asc2.tensor(order_ptr, [pairs]), asc2.tensor(tokens_ptr, [pairs]), asc2.tensor(starts_ptr, [experts + 1])
    columns = asc.ceildiv(n, tile_n)
    turn = asc2.block_idx()  # the first tile of this expert that is ours: tiles are dealt out one by one
    for e in asc2.range(experts):
        first, last = asc2.load(starts, offsets=[e]), asc2.load(starts, offsets=[e + 1])
        tiles = asc.ceildiv(last - first, tile_m) * columns
        for i in asc2.range(turn, tiles, asc2.block_num()):
            row, column = first + i // columns * tile_m, i % columns * tile_n
            inside = asc2.arange(tile_m) < last - row
            rows = asc2.where(inside, asc2.load(tokens_gm, [tile_m], offsets=[row]), -1)
            acc = asc2.zeros_acc([tile_m, tile_n], asc.float32)
            for j in asc2.range(asc.ceildiv(width, tile_k)):
                x = asc2.load_rows(x_gm, rows, tile_k, offset=j * tile_k)
                w = asc2.load(w_gm, [1, tile_k, tile_n], offsets=[e, j * tile_k, column]).reshape(tile_k, tile_n)
                asc2.matmul_acc(x, w, acc)
            places = asc2.where(inside, asc2.load(order_gm, [tile_m], offsets=[row]), -1)
            asc2.store_rows(acc.to(y_gm.dtype), y_gm, places, offset=column)
        turn = (turn + asc2.block_num() - tiles % asc2.block_num()) % asc2.block_num()


@asc2.jit
def combine_kernel(parts_ptr, weights_ptr, y_ptr, tokens, n, k: asc.ConstExpr[int], tile_n: asc.ConstExpr[int]):
    parts, weights = asc2.tensor(parts_ptr, [tokens, k, n]), asc2.tensor(weights_ptr, [tokens, k])
    y_gm = asc2.tensor(y_ptr, [tokens, n])
    columns = asc.ceildiv(n, tile_n)
    for i in asc2.range(asc2.block_idx(), tokens * columns, asc2.block_num()):
        token, column = i // columns, i % columns * tile_n
        part = asc2.load(parts, [1, k, tile_n], offsets=[token, 0, column]).to(asc.float32).reshape(k, tile_n)
        y = asc2.zeros([1, tile_n], asc.float32)
        for j in asc.static_range(k):
            y = y + asc2.copy(part, [1, tile_n], offsets=[j, 0]) * asc2.load(weights, offsets=[token, j])
        asc2.store(y.to(y_gm.dtype), y_gm, offsets=[token, column])


def moe_launch(x, gate, w, y, k=2):
    """x: [tokens, width]; gate: [width, experts]; w: [experts, width, n]; y: [tokens, n]."""
    for first in range(0, x.shape[0], PAIRS // k):
        part = slice(first, first + PAIRS // k)
        _launch(x[part], gate, w, y[part], k)


def _launch(x, gate, w, y, k):
    (tokens, width), (experts, _, n) = x.shape, w.shape
    cube, vector, pairs = golden.cube_cores(), golden.vector_cores(), tokens * k
    tile_m, tile_n, tile_k = TILE_M, min(TILE_N, golden.round_up(n, 16)), min(TILE_K, golden.round_up(width, 16))
    weights, chosen = np.empty((tokens, k), np.float32), np.empty((tokens, k), np.int32)
    tile_t = min(tile_m, golden.round_up(tokens, 16))
    gate_kernel[min(cube, asc.ceildiv(tokens, tile_t))](x, gate, weights, chosen, tokens, width, experts, k=k,
                                                        slots=golden.round_up(k, 8), tile_m=tile_t, tile_n=golden.round_up(experts, 16), tile_k=tile_k)
    order, rows, starts = np.empty(pairs, np.int32), np.empty(pairs, np.int32), np.empty(experts + 1, np.int32)
    route_kernel[1](chosen, order, rows, starts, pairs, experts, k=k, size=golden.round_up(pairs, 64))
    parts = np.empty((pairs, n), x.dtype)
    most = asc.ceildiv(n, tile_n) * (asc.ceildiv(pairs, tile_m) + experts)
    grouped_kernel[min(cube, most)](x, w, order, rows, starts, parts, tokens, pairs, experts, width, n, tile_m=tile_m, tile_n=tile_n,
                                    tile_k=tile_k)
    combine_kernel[min(vector, tokens * asc.ceildiv(n, tile_n))](parts, weights, y, tokens, n, k=k, tile_n=tile_n)


# Shapes are tokens x experts x width x n x chosen experts.
@golden.cases([(1, 2, 16, 16, 1), (70, 5, 65, 130, 2), (150, 8, 128, 64, 2), (33, 20, 48, 40, 4)], dtypes=["float16"])
def test_moe_matmul(platform, dtype, shape):
    golden.use(platform)
    tokens, experts, width, n, k = shape
    x, gate = golden.sample((tokens, width), dtype, low=0, high=1, seed=1), golden.sample((width, experts), dtype, low=-1, high=1, seed=2)
    w, y = golden.sample((experts, width, n), dtype, low=0, high=4 / width, seed=3), np.empty((tokens, n), dtype)
    moe_launch(x, gate, w, y, k)
    x, gate, w = (array.astype(np.float64) for array in (x, gate, w))
    logits = x @ gate
    chosen = np.argsort(-logits, axis=1, kind="stable")[:, :k]
    weights = np.exp(np.take_along_axis(logits, chosen, 1))
    weights /= weights.sum(1, keepdims=True)
    golden.check(y, sum(weights[:, j : j + 1] * np.einsum("td,tdn->tn", x, w[chosen[:, j]]) for j in range(k)))


if __name__ == "__main__":
    golden.main(test_moe_matmul, shape=(256, 8, 512, 512, 2))
