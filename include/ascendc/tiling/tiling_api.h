// What programs ask the host's library of tilings.
#pragma once
#include "tilesmith/library_host.h"
#include "tiling/platform/platform_ascendc.h"
