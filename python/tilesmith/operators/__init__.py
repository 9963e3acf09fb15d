"""Operators of PyPTO, from an empty folder to an accepted one (docs/op.md).

`state` is the state machine of the seven stages, `gates` what a stage must show, `hooks` what an editor asks before and after it
writes, `scaffold` the folder to begin with, `recovery` the table of failures that are the machine's and not the kernel's.
"""
