// A part of asc_simt.h, which has everything.
#pragma once
#include "simt_api/asc_simt.h"
