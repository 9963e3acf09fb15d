"""Names of upstream that are not there yet, and what comes closest."""

_NEAREST = {
    "acos": "erf, log and sqrt are there",
    "acosh": "erf, log and sqrt are there",
    "asin": "erf, log and sqrt are there",
    "asinh": "log and sqrt are there",
    "atan": "erf, log and sqrt are there",
    "atan2": "erf, log and sqrt are there",
    "atanh": "log and sqrt are there",
    "cbrt": "pypto.pow",
    "conv": "pypto.matmul",
    "dequantize": "pypto.cast and pypto.mul",
    "deinterleave": "pypto.view",
    "gathermask": "pypto.gather",
    "gcd": "pypto.remainder",
    "index_add__ub": "pypto.index_add_",
    "index_add_ub": "pypto.index_add",
    "interleave": "pypto.concat",
    "mrgsort": "pypto.topk",
    "normal": "make random numbers on the host",
    "pack": "pypto.cast",
    "pass_verify_print": "print the tensor after the launch",
    "pass_verify_save": "write the tensor out and save it after the launch",
    "quant_mx": "pypto.cast",
    "quantize": "pypto.cast and pypto.mul",
    "scaled_mm": "pypto.matmul",
    "set_verify_golden_data": "compare after the launch",
    "sort32": "pypto.topk",
    "uniform": "make random numbers on the host",
    "unpack": "pypto.cast",
}

NOT_HERE = {name: f"the nearest is {near}" if near.startswith("pypto.") else near for name, near in _NEAREST.items()}
