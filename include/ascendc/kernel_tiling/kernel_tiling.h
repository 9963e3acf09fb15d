// Where the vendor keeps the tiling structs of its library of kernels. The library is not modelled, its structs are not
// here; programs include this file for tiling structs of their own, too.
#pragma once
#include "kernel_operator.h"
