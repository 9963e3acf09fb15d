// Ascend C for ordinary compilers: kernels written for the chip compile with any C++17 compiler and run on Tilesmith's
// Machine.
//
// Declarations of instructions come from the instruction table (tilesmith/instructions.inc); their meaning is the
// Machine's, which a library is bound to when it is loaded (tilesmith/Machine/Api.h). What the Machine does not have
// does not compile, with a text that says so, or is a finding.
#ifndef TILESMITH_ASCENDC_KERNEL_OPERATOR_H
#define TILESMITH_ASCENDC_KERNEL_OPERATOR_H

#include "tilesmith/cube.h"
#include "tilesmith/moves.h"
#include "tilesmith/permute.h"
#include "tilesmith/queues.h"

#include "tilesmith/bitwise.h"
#include "tilesmith/broadcast.h"
#include "tilesmith/forms.h"
#include "tilesmith/library_choices.h"
#include "tilesmith/library_configs.h"
#include "tilesmith/library_quantise.h"
#include "tilesmith/library_rows.h"
#include "tilesmith/library_shapes.h"
#include "tilesmith/missing.h"
#include "tilesmith/names.h"
#include "tilesmith/operators.h"
#include "tilesmith/print.h"
#include "tilesmith/register_integers.h"
#include "tilesmith/register_names.h"
#include "tilesmith/simt.h"
#include "tilesmith/sorting.h"
#include "tilesmith/special.h"
#include "tilesmith/tiling.h"
#include "tilesmith/topk.h"
#include "tilesmith/utilities.h"
#include "tilesmith/vector_functions.h"
#include "tilesmith/vectors_by_registers.h"

#endif
