// What programs ask the host's library of tilings.
#pragma once
#include "tilesmith/library_host.h"
#include "tilesmith/library_host_more.h"
#include "tilesmith/matmul_host.h"
