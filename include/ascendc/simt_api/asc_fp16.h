// A part of asc_simt.h, which has everything.
#pragma once
#include "simt_api/math_functions.h"
#include "simt_api/vector_types.h"
