// What host programs link against (libtilesmith_cpu). A library of kernels has no use for the host code beside them,
// and does without.
#ifndef TILESMITH_ASCENDC_HOST_H
#define TILESMITH_ASCENDC_HOST_H

#include "tilesmith/Machine/HostProgram.h"
#ifdef TILESMITH_KERNELS_ONLY
#pragma weak tilesmith_gm_alloc
#pragma weak tilesmith_gm_free
#pragma weak tilesmith_library_bytes
#pragma weak tilesmith_platform
#pragma weak tilesmith_run
#pragma weak tilesmith_api
#endif

#endif
