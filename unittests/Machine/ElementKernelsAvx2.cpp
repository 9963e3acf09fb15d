#define KERNEL_TABLE elementKernelsAvx2
#include "ElementKernels.inc"
