"""A kernel from an empty folder to an accepted one (docs/workflow.md).

`project` is the folder and what it begins with, `design` scores the design, `review` computes the acceptance review, `checkpoints` are the
conditions CP-0 to CP-3, `gate` keeps the record of what passed.
"""
