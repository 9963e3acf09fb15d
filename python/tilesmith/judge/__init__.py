"""The judge: whether a candidate is right, and how fast it is (docs/verify.md, docs/bench.md, docs/sweep.md)."""
