"""Code nobody trusts, in processes of its own: how they are started, bounded, talked to and ended.

Knows nothing of verdicts and nothing of `asc`, whose worker for C++ kernels uses it, too.
"""
