// Where the vendor keeps the tiling structs of its library: those of functions of rows are here (library_tilings.h);
// programs include this file for tiling structs of their own, too.
#pragma once
#include "kernel_operator.h"
