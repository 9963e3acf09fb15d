#define KERNEL_TABLE elementKernelsAvx512
#include "ElementKernels.inc"
