// Where the vendor keeps Matmul objects. They are not modelled (tilesmith/missing.def); many programs include this file
// for kernel_operator.h alone.
#pragma once
#include "kernel_operator.h"
