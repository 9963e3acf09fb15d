// The name older projects use.
#pragma once
#include "tikicpulib.h"
