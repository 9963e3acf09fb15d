#include "Lowering.h"

using namespace mlir;

namespace tilesmith::host {

LLVM::LLVMFuncOp Declarations::declare(StringRef name, Type result, ArrayRef<Type> params) {
  LLVM::LLVMFuncOp &function = functions[name];
  if (!function) {
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    if (!result)
      result = LLVM::LLVMVoidType::get(module.getContext());
    function = LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, params));
  }
  return function;
}

LLVM::CallOp Lowering::call(OpBuilder &builder, Location loc, StringRef name, Type result, ValueRange args) {
  return LLVM::CallOp::create(builder, loc, declared.declare(name, result, llvm::to_vector(args.getTypes())), args);
}

Value Lowering::core(Operation *op) { return op->getParentOfType<LLVM::LLVMFuncOp>().getArgument(0); }

// A name is the nearest one around the place; of a fused location the first known part counts.
uint32_t Lowering::index(Location loc) {
  if (auto known = locations.find(loc); known != locations.end())
    return known->second;
  SourceLocation place;
  Location inner = loc;
  while (true) {
    if (auto named = dyn_cast<NameLoc>(inner)) {
      place.name = named.getName().str();
      inner = named.getChildLoc();
    } else if (auto inlined = dyn_cast<CallSiteLoc>(inner)) {
      place.caller = index(inlined.getCaller());
      inner = inlined.getCallee();
    } else if (auto fused = dyn_cast<FusedLoc>(inner)) {
      Location first = UnknownLoc::get(loc.getContext());
      for (Location part : fused.getLocations())
        if (index(part)) {
          first = part;
          break;
        }
      inner = first;
    } else {
      break;
    }
  }
  uint32_t result = 0;
  if (auto file = dyn_cast<FileLineColRange>(inner)) {
    place.file = file.getFilename().str();
    place.line = file.getStartLine();
    place.column = file.getStartColumn();
    auto &table = metadata.locations;
    result = std::find(table.begin(), table.end(), place) - table.begin();
    if (result == table.size())
      table.push_back(place);
  }
  locations[loc] = result;
  return result;
}

Value Lowering::text(OpBuilder &builder, Location loc, StringRef text) {
  std::string name = "ts_text_" + std::to_string(declared.numTexts++);
  return LLVM::createGlobalString(loc, builder, name, (text + Twine('\0')).str(), LLVM::Linkage::Internal);
}

int64_t Lowering::site(StringRef text) {
  auto [known, isNew] = sites.try_emplace(text, int64_t(metadata.probes.size()));
  if (isNew)
    metadata.probes.push_back(text.str());
  return known->second;
}

Value Lowering::locationIndex(OpBuilder &builder, Location loc) { return constant(builder, loc, index(loc)); }

Value constant(OpBuilder &builder, Location loc, int64_t value, unsigned width) {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerAttr(builder.getIntegerType(width), value));
}

Value toBits(OpBuilder &builder, Location loc, Value value, bool isUnsigned) {
  Type type = value.getType();
  if (mlir::isa<FloatType>(type)) {
    Type bits = builder.getIntegerType(type.getIntOrFloatBitWidth());
    value = LLVM::BitcastOp::create(builder, loc, bits, value);
    isUnsigned = true;
  }
  unsigned width = value.getType().getIntOrFloatBitWidth();
  if (width == 64)
    return value;
  if (isUnsigned || width == 1)
    return LLVM::ZExtOp::create(builder, loc, builder.getI64Type(), value);
  return LLVM::SExtOp::create(builder, loc, builder.getI64Type(), value);
}

Value fromBits(OpBuilder &builder, Location loc, Value bits, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width < 64)
    bits = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(width), bits);
  if (mlir::isa<FloatType>(type))
    bits = LLVM::BitcastOp::create(builder, loc, type, bits);
  return bits;
}

} // namespace tilesmith::host
