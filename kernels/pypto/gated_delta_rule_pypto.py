"""The gated delta rule, token by token: a state that fades, forgets what it held of a key, and learns its value."""

import pypto

WIDTH = 64


@pypto.frontend.jit
def gated_delta_rule(q: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32), k: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32),
                     v: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32), decay: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32),
                     beta: pypto.Tensor([pypto.DYNAMIC, 1], pypto.DT_FP32), state: pypto.Tensor([WIDTH, WIDTH], pypto.DT_FP32),
                     o: pypto.Tensor([pypto.DYNAMIC, WIDTH], pypto.DT_FP32), tile: tuple = (64, 64)):
    pypto.set_vec_tile_shapes(*tile)
    held = state + 0.0
    for t in pypto.loop(q.shape[0], name="tokens", idx_name="t"):
        key, query = pypto.transpose(k[t : t + 1, :], 0, 1), pypto.transpose(q[t : t + 1, :], 0, 1)
        held = held * pypto.exp(decay[t : t + 1, :])
        error = v[t : t + 1, :] - pypto.sum(held * key, 0, keepdim=True)
        held = held + key * (error * beta[t : t + 1, :])
        o[t : t + 1, :] = pypto.sum(held * query, 0, keepdim=True)
    state[:] = held
