// assert as the C library has it, except in sources with kernels: there it may have a message, and one of a kernel ends
// its block and not the process. Like the C library's, it is defined anew each time the file is included.
#include_next <assert.h>
#if defined(TILESMITH_ASCENDC_PRINT_H) && !defined(NDEBUG)
#undef assert
#define assert(CONDITION, ...)                                                                                         \
  ((CONDITION) ? void() : ::tilesmith::assertFailed(#CONDITION, ::tilesmith::Where{__FILE__, __LINE__}, ##__VA_ARGS__))
#endif
