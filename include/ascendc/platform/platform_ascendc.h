// Another name of tiling/platform/platform_ascendc.h.
#pragma once
#include "tiling/platform/platform_ascendc.h"
