// What programs ask the host's library of tilings.
#pragma once
#include "tiling/platform/platform_ascendc.h"
#include "tilesmith/library_host.h"
