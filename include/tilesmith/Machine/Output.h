// What a kernel printed with device_print: one entry for each call, in program order, until the block's share is used
// up.
//
// The bits of a value say nothing about its type; the kernel's table of print sites does (host::PrintSite).
#ifndef TILESMITH_MACHINE_OUTPUT_H
#define TILESMITH_MACHINE_OUTPUT_H

#include <cstdint>
#include <vector>

namespace tilesmith::machine {

struct PrintedElement {
  int64_t site = 0, value = 0, element = 0, bits = 0;
  uint32_t loc = 0;

  bool startsLine() const { return value == 0 && element == 0; }
};

struct BlockOutput {
  int64_t block = 0;
  std::vector<PrintedElement> elements;
  int64_t droppedLines = 0; // did not fit any more

  bool empty() const { return elements.empty() && droppedLines == 0; }
};

} // namespace tilesmith::machine

#endif // TILESMITH_MACHINE_OUTPUT_H
