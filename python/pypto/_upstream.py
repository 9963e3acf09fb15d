"""Names of upstream that are not there yet, and what comes closest."""

_NEAREST = {
    "conv": "pypto.matmul",
    "dequantize": "pypto.cast and pypto.mul",
    "deinterleave": "pypto.view",
    "gcd": "pypto.remainder",
    "interleave": "pypto.concat",
    "mrgsort": "pypto.topk",
    "normal": "make random numbers on the host",
    "pack": "pypto.cast",
    "quant_mx": "pypto.cast",
    "quantize": "pypto.cast and pypto.mul",
    "scaled_mm": "pypto.matmul",
    "sort32": "pypto.topk",
    "uniform": "make random numbers on the host",
    "unpack": "pypto.cast",
}

NOT_HERE = {name: f"the nearest is {near}" if near.startswith("pypto.") else near for name, near in _NEAREST.items()}
