#include "Issue.h"
#include "Exec/Scalars.h"

namespace tilesmith::machine::library {

int64_t bitsOf(double value, DType dtype) {
  switch (dtype) {
  case DType::F32:
    return int64_t(__builtin_bit_cast(uint32_t, float(value)));
  case DType::F16:
    return int64_t(__builtin_bit_cast(uint16_t, _Float16(value)));
  default:
    return int64_t(value);
  }
}

bool Request::refuse(const std::string &why) const {
  if (!core.ended)
    core.report(uint32_t(loc), FindingKind::LibraryOperand, std::string(name) + " " + why);
  return false;
}

bool Request::takes(DType dtype, isa::DTypeSet types) const {
  if (unsigned(dtype) < isa::numDType && types & isa::dtypeBit(dtype))
    return true;
  std::string text = "takes";
  for (unsigned i = 0; i < isa::numDType; ++i)
    if (types & isa::dtypeBit(DType(i)))
      text += (text.size() > 5 ? ", " : " ") + std::string(isa::stringify(DType(i)));
  return refuse(text + ", not " +
                (unsigned(dtype) < isa::numDType ? std::string(isa::stringify(dtype)) : "this element type"));
}

std::optional<Work> Request::work(int64_t address, int64_t bytes, int64_t least) const {
  std::string which = "the temporary buffer has";
  if (address == 0) { // UB the pipe has not given out; without a pipe, where addresses given by hand seldom reach
    constexpr int64_t withoutPipe = 16384;
    int64_t end = core.platform->usableOf(Memory::UB) / isa::blockBytes * isa::blockBytes;
    int64_t begin = core.queues.used() ? core.queues.givenOut(Memory::UB) : end - withoutPipe;
    bytes = std::max<int64_t>(end - begin, 0);
    address = Address(Memory::UB, begin).bits;
    which = core.queues.used() ? "the pipe has left" : "without a pipe there are";
  }
  if (bytes >= least)
    return Work{address, bytes};
  if (!core.ended)
    core.report(uint32_t(loc), FindingKind::LibraryWork,
                std::string(name) + " needs " + std::to_string(least) + " bytes for intermediate results; " + which +
                    " " + std::to_string(bytes));
  return std::nullopt;
}

} // namespace tilesmith::machine::library
