// Holds the precompiled header that the MLIR rooms share.
