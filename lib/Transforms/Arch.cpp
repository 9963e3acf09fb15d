#include "tilesmith/Transforms/Passes.h"

using namespace mlir;

FailureOr<tilesmith::isa::Arch> tilesmith::getArch(func::FuncOp kernel, StringRef option) {
  StringRef name = option;
  if (name.empty())
    if (auto attribute = kernel->getAttrOfType<StringAttr>(isa::archAttrName))
      name = attribute.getValue();
  if (auto arch = isa::symbolize<isa::Arch>(std::string_view(name.data(), name.size())))
    return *arch;
  return kernel.emitError() << "unknown architecture '" << name << "'; known: C220, C310";
}
