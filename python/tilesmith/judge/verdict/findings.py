"""What findings of a verification mean; docs/verify.md lists them."""

ADVISORY = {"near-bound", "rare-values"}  # reported, and nothing more
# What a candidate that is right and fair does not do. Others tell about the task, or about habits.
WRONG = {
    *("dtype", "hazard", "inputs-modified", "integer", "launches-differ", "no-launch", "nondeterministic", "not-by-kernels"),
    *("perturbed-shape", "platform", "second-seed", "special-values", "subclass"),
}
# Kinds of special inputs, and the finding a wrong result on them is. The others are outside of what many tasks are meant for.
SPECIAL = {
    "zero": "special-values",
    "large": "special-values",
    "denormal": "rare-values",
    "infinite": "rare-values",
    "NaN": "rare-values",
}
