// What a compiled kernel says about itself besides its code.
//
// Plain data: written beside the object in the disk cache and read back without MLIR. The byte form starts with a
// version; bytes of another version, or damaged ones, read back as nothing.
#ifndef TILESMITH_TARGET_HOST_METADATA_H
#define TILESMITH_TARGET_HOST_METADATA_H

#include "tilesmith/Isa/Isa.h"
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesmith::host {

// A place in the user's source. Entry 0 of a table is the unknown place. `caller` is the entry of the call this place
// was inlined through, 0: none.
struct SourceLocation {
  std::string file;
  uint32_t line = 0, column = 0;
  std::string name; // what the source calls the value made here; may be empty
  uint32_t caller = 0;

  bool operator==(const SourceLocation &) const = default;
};

struct Parameter {
  std::string name; // may be empty
  isa::DType dtype = isa::DType::F32;
  bool isBuffer = false;

  bool operator==(const Parameter &) const = default;
};

// A device_print of the kernel: text with `{}` fields, and one value for each: "int32", "float16[4, 64]".
struct PrintSite {
  std::string format;
  std::vector<std::string> values;

  bool operator==(const PrintSite &) const = default;
};

// A buffer of a core's own memory, as planned: `slots` pieces of `bytes`, one after another.
struct Buffer {
  isa::Memory memory = isa::Memory::UB;
  int64_t address = 0, bytes = 0, slots = 1;
  std::string name, shape; // as in the source; may be empty
  uint32_t line = 0;       // of the kernel's file; 0: unknown

  bool operator==(const Buffer &) const = default;
};

// What crosses between the cores of a block: `slots` pieces of `bytes` in the block's workspace, from the cube core to
// the vector cores or back.
struct Ring {
  int64_t offset = 0, bytes = 0, slots = 1;
  bool toCube = false;
  std::string name, shape;         // of the tile, as in the source; may be empty
  uint32_t sent = 0, received = 0; // lines of the kernel's file; 0: unknown

  bool operator==(const Ring &) const = default;
};

struct Metadata {
  std::string kernel; // as in the source; the symbol is symbolOf(kernel)
  isa::Arch arch = isa::Arch::C220;
  std::vector<Parameter> parameters;
  std::vector<SourceLocation> locations = {SourceLocation{}};
  std::vector<int32_t> arrayAt; // by location: the parameter whose array is accessed there; -1: none, or several
  std::vector<PrintSite> prints;
  std::vector<std::string> probes; // with debug information: what each probe shows, as JSON (Frontend/Python/Probes.h)
  bool breakpoints = false;        // the source has asc2.breakpoint()
  bool serial = false;             // blocks must run one after another (atomics)
  bool autoSync = false;           // its author wrote instructions: what the vendor's compiler orders is added
  isa::KernelType kernelType = isa::KernelType::AivOnly;
  bool saysType = false;  // the type is what the kernel says, not what its instructions need
  int64_t workspace = -1; // bytes of global memory for each block, given as the last parameter; -1: no such parameter
  int64_t sharedWorkspace = 0;                    // bytes before those of the blocks, which all blocks have in common
  std::vector<Ring> rings;                        // of a block's workspace
  std::array<int64_t, isa::numMemory> usage = {}; // bytes of each memory, up to the highest address
  std::vector<Buffer> buffers;                    // in the order the kernel makes them

  // As what it is launched. A kernel of instructions that does not say its type runs on cores of both kinds, as one of
  // Ascend C does, unless another one is wanted.
  std::optional<isa::KernelType> typeOfLaunch(std::optional<isa::KernelType> wanted) const {
    return autoSync && !saysType ? wanted : kernelType;
  }

  bool operator==(const Metadata &) const = default;
};

std::string symbolOf(std::string_view kernel);

std::string serialize(const Metadata &metadata);
std::optional<Metadata> deserialize(std::string_view bytes);

} // namespace tilesmith::host

#endif // TILESMITH_TARGET_HOST_METADATA_H
