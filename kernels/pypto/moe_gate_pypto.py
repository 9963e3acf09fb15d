"""The gate of a mixture of experts: which experts a token goes to, and with what weight."""

import pypto

TOKENS, TOP = 8, 4


@pypto.frontend.jit
def moe_gate(logits: pypto.Tensor([pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP32), bias: pypto.Tensor([1, pypto.STATIC], pypto.DT_FP32),
             weights: pypto.Tensor([pypto.DYNAMIC, TOP], pypto.DT_FP32), experts: pypto.Tensor([pypto.DYNAMIC, TOP], pypto.DT_INT32),
             tile: tuple = (8, 64)):
    tokens, count = logits.shape
    pypto.set_vec_tile_shapes(*tile)
    for i in pypto.loop(pypto.ceildiv(tokens, TOKENS), name="tokens", idx_name="i"):
        valid = [(tokens - i * TOKENS).min(TOKENS), count]
        scores = pypto.sigmoid(pypto.view(logits, [TOKENS, count], [i * TOKENS, 0], valid_shape=valid))
        _, chosen = pypto.topk(scores + bias, TOP, -1, True)
        kept = pypto.gather(scores, 1, chosen)
        weights[i * TOKENS :, 0:] = kept / pypto.sum(kept, -1, keepdim=True)
        experts[i * TOKENS :, 0:] = chosen
