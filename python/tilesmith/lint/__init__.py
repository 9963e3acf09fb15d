"""`tilesmith lint`: rules about how kernels and operators are written.

`rules` has them all as people read them, `files` finds what is checked and says what a file is, `engine` checks one, `operator` has
the rules about a whole folder, `formats` says it, `fixes` repairs it. Rules about one file are in lib/Lint/KernelRules and
lib/Lint/OperatorRules.
"""
