// The high-level Matmul of Ascend C.
#error "lib/matmul_intf.h: Matmul objects are not in the model yet; use LoadData, Mmad and Fixpipe"
