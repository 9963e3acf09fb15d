// The C API: functions asc_* on pointers and registers. Each is a thin function over an instruction of the table.
#ifndef TILESMITH_ASCENDC_ASC_SIMD_H
#define TILESMITH_ASCENDC_ASC_SIMD_H

#include "kernel_operator.h"
#include "tilesmith/capi_cube.h"
#include "tilesmith/capi_moves.h"
#include "tilesmith/capi_reduce.h"
#include "tilesmith/capi_registers.h"
#include "tilesmith/capi_registers_more.h"
#include "tilesmith/capi_vector.h"

#endif
