// Where the vendor keeps the tiling structs of its library: TCubeTiling, and those of functions of rows. Programs
// include this file for tiling structs of their own, too.
#pragma once
#include "kernel_operator.h"
#include "tilesmith/matmul_tilings.h"
