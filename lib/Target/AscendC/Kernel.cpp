// The frame of a kernel: signature, kernel type, the tensors of its parameters and buffers.
#include "CallTable.h"
#include "Printer.h"
#include "Types.h"
#include "tilesmith/Dialect/Asc/SyncAll.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

LogicalResult Printer::printSignature() {
  std::string parameters;
  for (BlockArgument arg : kernel.getArguments()) {
    auto named = dyn_cast<NameLoc>(arg.getLoc());
    std::string name = names.unique(named ? named.getName().strref() : "p");
    auto array = dyn_cast<BufferType>(arg.getType());
    StringRef type = array ? elementType(array.getElementType()) : cppType(arg.getType());
    if (type.empty())
      return kernel.emitError() << "parameter '" << name << "' has type " << arg.getType()
                                << ", which Ascend C has no name for";
    parameters +=
        (parameters.empty() ? "" : ", ") + (array ? ("__gm__ " + type + " *").str() : (type + " ").str()) + name;
    values.bind(arg, name);
  }
  text.open("extern \"C\" __global__ __aicore__ void " + symbol + "(" + parameters + ")");
  return success();
}

// One GlobalTensor for each array in use.
LogicalResult Printer::printArrays() {
  for (BlockArgument arg : kernel.getArguments()) {
    auto array = dyn_cast<BufferType>(arg.getType());
    if (!array || arg.use_empty())
      continue;
    std::string pointer = values.variable(arg).str();
    StringRef base = pointer;
    base.consume_back("_ptr");
    std::string tensor = names.unique((base + "_gm").str());
    text.line(tensorType(array) + " " + tensor + ";");
    text.line(tensor + ".SetGlobalBuffer(" + pointer + ");");
    values.bind(arg, tensor);
  }
  return success();
}

// One LocalTensor for each buffer; slots of rings are declared where they are taken.
LogicalResult Printer::printAllocs(Region &region) {
  WalkResult walk = region.walk([&](AllocOp alloc) -> WalkResult {
    BufferType type = alloc.getResult().getType();
    if (!alloc.getAddress())
      return alloc.emitOpError() << "has no address; plan memory before emitting";
    if (elementType(type.getElementType()).empty())
      return alloc.emitOpError() << "holds elements of type " << type.getElementType()
                                 << ", which Ascend C has no name for";
    std::string name = alloc.getSource().value_or("").str();
    if (name.empty())
      name = "tile";
    auto isSlot = [](Operation *user) { return mlir::isa<SlotOp>(user); };
    if (alloc.getSlots() > 1 && llvm::all_of(alloc->getUsers(), isSlot)) {
      text.line("// " + name + ": " + Twine(alloc.getSlots()) + " slots of " + Twine(alloc.getBytes()) +
                " bytes from " + Twine(*alloc.getAddress()) + (alloc.getShape() ? ", " + alloc.getShape()->str() : ""));
      values.bind(alloc.getResult(), name); // what its slots are called
      return WalkResult::advance();
    }
    name = names.unique(name);
    values.bind(alloc.getResult(), name);
    std::string comment = alloc.getShape() ? "  // " + alloc.getShape()->str() : "";
    text.line(tensorType(type) + " " + name + "(" + positionOf(type.getMemory()) + ", " + Twine(*alloc.getAddress()) +
              ", " + Twine(alloc.getBytes() / elementSize(type.getElementType())) + ");" + comment);
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

// What is called besides instructions has a text where its author wrote the kernel; where the compiler places tensors
// it is a call of the Machine.
static LogicalResult hasNoCalls(func::FuncOp kernel) {
  WalkResult walk =
      kernel.walk([](asc::CallOp call) -> WalkResult {
        if (asc::isSyncAll(call))
          return WalkResult::advance();
        InFlightDiagnostic error =
            mlir::emitError(call.getLoc())
            << "this call cannot be written as Ascend C in a kernel whose tensors the compiler places";
        error.attachNote() << "help: give its tensors places with TQue, TBuf or LocalTensor";
        return WalkResult::interrupt();
      });
  return failure(walk.wasInterrupted());
}

LogicalResult Printer::print() {
  if (failed(hasNoCalls(kernel)))
    return failure();
  auto arch = kernel->getAttrOfType<StringAttr>(archAttrName);
  KernelType type = kernelTypeOf(kernel);
  bool mixed = isa::coresOf(type).mixed(); // each half has its own buffers
  Helpers::reserve(names);
  if (kernel->hasAttr(asc::matmulAttrName)) {
    bool cubeOnly = type == KernelType::AicOnly;
    if (unit.cubeOnly.value_or(cubeOnly) != cubeOnly)
      return kernel.emitError() << "a kernel whose matrix objects are on cube cores alone, and one where vector cores "
                                   "ask, cannot be in one file";
    unit.cubeOnly = cubeOnly;
  }
  if (failed(printSignature()))
    return failure();
  bool written = kernel->hasAttr(asc::writtenAttrName); // by its author: nothing is added
  if (!written || kernel->hasAttr(kernelTypeAttrName)) {
    std::string_view named = enumeratorOf("KernelType", int64_t(type));
    text.line("KERNEL_TASK_TYPE_DEFAULT(" + StringRef(named.data(), named.size()).split("::").second + ");");
  }
  if (!written)
    text.line("AscendC::InitSocState();");
  if ((!written && failed(printArrays())) || (!mixed && failed(printAllocs(kernel.getBody()))) ||
      failed(printBlock(kernel.getBody().front())))
    return failure();
  if (values.failed)
    return failure();
  text.close();

  std::string place = Places::place(kernel.getLoc());
  unit.title += "// Kernel " + kernel.getName().str() + " for " +
                (arch ? arch.getValue().str() : "an unnamed architecture") + ", written by Tilesmith" +
                (place.empty() ? "" : " from " + place) + ".\n";
  unit.kernels += "\n" + text.lines;
  return success();
}

std::string SourceFile::text() const {
  std::string text = title + (cubeOnly.value_or(false) ? "#define ASCENDC_CUBE_ONLY\n" : "") +
                     "#include \"kernel_operator.h\"\n" + (cubeOnly ? "#include \"lib/matmul_intf.h\"\n" : "");
  if (!helpers.empty())
    text += "\n// Scalar arithmetic as the kernel's source means it: integers wrap, what has no value is 0.\n" +
            helpers.definitions();
  return text + functions.definitions() + kernels;
}

} // namespace tilesmith::ascendc
