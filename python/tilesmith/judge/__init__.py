"""The judge: is a candidate right, how fast is it. Candidates and references run in processes of their own (process.py)."""
