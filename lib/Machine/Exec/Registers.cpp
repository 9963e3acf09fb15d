// Register operations of C++ vector functions: the arithmetic of the instruction of the same name on the lanes of a
// register.
#include "Registers.h"
#include "Exec.h"

namespace tilesmith::machine {

bool computeRegister(Opcode op, DType dtype, DType dtype2, int64_t mode, void *dst, const void *a, const void *b,
                     int64_t scalar, int64_t lanes) {
  bool wide = dtype == DType::I64 || dtype == DType::U64;
  if (wide && isa::getInstruction(op).family != Family::Cast)
    return computeWideRegister(op, dtype == DType::I64, mode, dst, a, b, scalar, lanes);
  const Kernels &kernels = hostKernels();
  RowsFn kernel = nullptr;
  switch (isa::getInstruction(op).family) {
  case Family::VectorUnary:
    kernel = kernels.unary(op, dtype);
    break;
  case Family::VectorBinary:
    kernel = kernels.binary(op, dtype);
    break;
  case Family::VectorScalar:
    kernel = kernels.scalar(op, dtype);
    break;
  case Family::Cast:
    kernel = kernels.cast(dtype, dtype2, isa::RoundMode(mode));
    break;
  case Family::Compare:
    kernel = kernels.compare(dtype, isa::CmpMode(mode));
    break;
  case Family::CompareScalar:
    kernel = kernels.compareScalar(dtype, isa::CmpMode(mode));
    break;
  case Family::WholeReduce:
    kernel = kernels.reduce(op, dtype);
    break;
  default:
    return false;
  }
  if (!kernel)
    return false;
  Rows rows;
  rows.dst = static_cast<uint8_t *>(dst);
  rows.src[0] = static_cast<const uint8_t *>(a);
  rows.src[1] = static_cast<const uint8_t *>(b);
  rows.scalar = scalar;
  rows.mode = mode;
  rows.cols = lanes;
  kernel(rows);
  return true;
}

} // namespace tilesmith::machine
