"""The process that has a candidate's device: memory, kernels, the clock. Of the judge it knows isolation only, and it runs kernels, so that
it is the one package that uses `asc`."""
