"""The keys of each sequence, gathered from the pages of a cache by its table of pages."""

import pypto

PAGE = 16


@pypto.frontend.jit
def paged_gather(cache: pypto.Tensor([pypto.DYNAMIC, PAGE, pypto.STATIC], pypto.DT_FP16),
                 table: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC], pypto.DT_INT32),
                 lengths: pypto.Tensor([pypto.DYNAMIC], pypto.DT_INT32),
                 keys: pypto.Tensor([pypto.DYNAMIC, pypto.DYNAMIC, pypto.STATIC], pypto.DT_FP16), tile: tuple = (1, 16, 128)):
    pypto.set_vec_tile_shapes(*tile)
    width = cache.shape[2]
    for b in pypto.loop(keys.shape[0], name="sequences", idx_name="b"):
        length = lengths[b]
        for p in pypto.loop(pypto.ceildiv(length, PAGE), name="pages", idx_name="p"):
            rows = pypto.min(length - p * PAGE, PAGE)
            page = pypto.view(cache, [1, PAGE, width], [table[b, p], 0, 0], valid_shape=[1, rows, width])
            pypto.assemble(page, [b, p * PAGE, 0], keys)
