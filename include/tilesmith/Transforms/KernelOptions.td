// What users say about compiling (Options/Options.def), as an option that each of our passes on kernels has: a pass reads the
// field of a row and needs no declaration of its own.
#ifndef TILESMITH_TRANSFORMS_KERNELOPTIONS
#define TILESMITH_TRANSFORMS_KERNELOPTIONS

include "mlir/Pass/PassBase.td"

defvar KernelOptions = Option<"kernelOptions", "options", "::tilesmith::KernelOptions", /*default=*/"::tilesmith::KernelOptions()",
                              "options of kernels by the names of docs/options.md">;

#endif // TILESMITH_TRANSFORMS_KERNELOPTIONS
