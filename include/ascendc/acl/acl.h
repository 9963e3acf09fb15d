// Host programs include it beside tikicpulib.h, for the branches that launch on a chip.
#pragma once
#include <stddef.h>
#include <stdint.h>
