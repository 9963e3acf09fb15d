// The element functions' bitcode as bytes of this library.
#include "Codegen.h"

__asm__(".section .rodata.tilesmith_element,\"a\",@progbits\n"
        ".balign 16\n"
        ".globl tilesmith_element_bitcode_begin\n.hidden tilesmith_element_bitcode_begin\n"
        "tilesmith_element_bitcode_begin:\n"
        ".incbin \"" TILESMITH_ELEMENT_BITCODE "\"\n"
        ".globl tilesmith_element_bitcode_end\n.hidden tilesmith_element_bitcode_end\n"
        "tilesmith_element_bitcode_end:\n"
        ".text\n");

extern "C" const char tilesmith_element_bitcode_begin[], tilesmith_element_bitcode_end[];

llvm::StringRef tilesmith::host::elementBitcode() {
  return {tilesmith_element_bitcode_begin, size_t(tilesmith_element_bitcode_end - tilesmith_element_bitcode_begin)};
}
