"""What findings of a verification mean; docs/verify.md lists them."""

ADVISORY = {"near-bound", "rare-values"}  # reported, and nothing more
# What a candidate that is right and fair does not do. Others tell about the task, or about habits.
WRONG = {
    *("dtype", "hazard", "inputs-modified", "integer", "launches-differ", "no-launch", "nondeterministic", "not-by-kernels"),
    *("perturbed-shape", "platform", "second-seed", "special-values", "subclass"),
    *("block-order", "kept-results", "not-from-inputs", "own-data", "plain-pointers"),
}
# Kinds of special inputs, and the finding a wrong result on them is. The others are outside of what many tasks are meant for.
SPECIAL = {
    "zero": "special-values",
    "large": "special-values",
    "denormal": "rare-values",
    "infinite": "rare-values",
    "NaN": "rare-values",
}


def fail_strictly(cases, findings):
    """Makes findings that are more than advice failures of their cases. Returns the cases that passed before."""
    failed = []
    for case in cases:
        mine = [finding for finding in findings if finding.case_idx in (case.index, 0) and finding.id not in ADVISORY]
        if case.passed and mine:
            case.error_type, case.error_msg = "StrictFinding", "\n".join(str(finding) for finding in mine)
            failed.append(case)
    return failed
