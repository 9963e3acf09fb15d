// What makes kernel<<<...>>>(...) run on the CPU in the vendor's debug build: here host programs always do.
#pragma once
#include "tikicpulib.h"
