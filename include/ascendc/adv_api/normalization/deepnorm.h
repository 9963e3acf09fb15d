// A companion of kernel_operator.h, which has everything.
#pragma once
#include "kernel_operator.h"
