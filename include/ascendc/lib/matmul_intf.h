// Where the vendor keeps Matmul objects.
#pragma once
#include "kernel_operator.h"
#include "tilesmith/matmul.h"
