#define KERNEL_TABLE elementKernelsBaseline
#include "ElementKernels.inc"
