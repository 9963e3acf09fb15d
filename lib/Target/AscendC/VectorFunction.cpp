// The loop nest of a vector function: what never changes, then rows, then 64 columns per trip under the mask of the
// columns that are left.
#include "VectorBody.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

std::string VectorFunctions::castTrait(StringRef layout, StringRef saturation, StringRef round) {
  std::string name = ("cast_" + layout + "_" + saturation + "_" + round).str();
  name = StringRef(name).lower();
  traits[name] =
      ("constexpr Reg::CastTrait " + name + " = {Reg::RegLayout::" + layout + ", Reg::SatMode::" + saturation +
       ", Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::" + round + "};\n")
          .str();
  return name;
}

std::string VectorFunctions::definitions() const {
  if (functions.empty())
    return {};
  std::string text = "\nnamespace Reg = AscendC::Reg;\n";
  for (auto &[name, definition] : traits)
    text += definition;
  return text + functions;
}

FailureOr<std::string> VectorFunctions::add(VfOp vf, StringRef wanted, const Places &places,
                                            ArrayRef<std::string> parameterNames) {
  std::string name = names.unique(wanted);
  Text text;
  Places inside = places; // the kernel's comments go on where they were
  inside.forget();
  inside.comment(text, vf.getLoc());
  if (failed(VectorBody(vf, *this, inside, text).print(name, parameterNames)))
    return failure();
  functions += "\n" + text.lines;
  return name;
}

VectorBody::VectorBody(VfOp vf, VectorFunctions &functions, Places &places, Text &text)
    : vf(vf), functions(functions), places(places), text(text), rows(vf.getRows()), cols(vf.getCols()), levels(vf) {}

LogicalResult VectorBody::print(StringRef name, ArrayRef<std::string> parameterNames) {
  for (const char *word : {"r", "i", "k", "left", "m", "all", "n"})
    names.unique(word);
  std::string parameters;
  for (auto [arg, wanted] : llvm::zip_equal(vf.getBody().getArguments(), parameterNames)) {
    std::string parameter = names.unique(wanted);
    auto buffer = dyn_cast<BufferType>(arg.getType());
    StringRef type = buffer ? elementType(buffer.getElementType()) : cppType(arg.getType());
    if (type.empty())
      return vf.emitOpError() << "takes an argument of type " << arg.getType() << ", which Ascend C has no name for";
    parameters += (parameters.empty() ? "" : ", ") + (buffer ? ("__ubuf__ " + type + " *").str() : (type + " ").str()) +
                  parameter;
    registers[arg] = parameter;
  }
  text.open("__simd_vf__ inline void " + name + "(" + parameters + ")");
  if (failed(declareRegisters()) || failed(printLevel(VfLevel::Call)))
    return failure();
  if (rows > 1)
    openLoop("r", rows);
  if (failed(printLevel(VfLevel::Row)) || failed(printColumns()))
    return failure();
  if (rows > 1)
    text.close();
  text.close();
  return success();
}

// The hardware loops count with 16 bits; a longer one is slower, not wrong.
void VectorBody::openLoop(StringRef counter, int64_t trips) {
  StringRef type = trips > UINT16_MAX ? "uint32_t" : "uint16_t";
  text.open("for (" + type + " " + counter + " = 0; " + counter + " < " + Twine(trips) + "; ++" + counter + ")");
}

LogicalResult VectorBody::declareRegisters() {
  bool anyMask = false;
  for (Operation &op : vf.getBody().front()) {
    for (Value result : op.getResults()) {
      Type element = mlir::cast<RegType>(result.getType()).getElementType();
      auto named = dyn_cast<NameLoc>(op.getLoc());
      std::string name = names.unique(named ? named.getName().strref() : element.isInteger(1) ? "mask" : "v");
      registers[result] = name;
      if (element.isInteger(1)) {
        text.line("Reg::MaskReg " + name + ";");
        continue;
      }
      if (cppType(element).empty() || elementSize(element) > 4)
        return op.emitOpError() << "elements of type " << element << " do not fit into the lanes of a vector function";
      text.line("Reg::RegTensor<" + cppType(element) + "> " + name + ";");
    }
    if (auto reduce = dyn_cast<VfReduceOp>(op)) {
      accumulators[&op] = names.unique(stringifyVfReduction(reduce.getKind()));
      text.line("Reg::RegTensor<" + cppType(accumulatorType(reduce)) + "> " + accumulators[&op] + ";");
    }
    anyMask |= mlir::isa<VfReduceOp>(op) || (mlir::isa<VfComputeOp, VfStoreOp>(op) && levels.of(&op) != VfLevel::Chunk);
  }
  if (anyMask)
    text.line("Reg::MaskReg all = Reg::CreateMask<uint32_t>();");
  text.line("Reg::MaskReg m;");
  return success();
}

LogicalResult VectorBody::printLevel(VfLevel level) {
  mask = level == VfLevel::Chunk ? "m" : "all";
  for (Operation &op : vf.getBody().front()) {
    if (levels.of(&op) != level)
      continue;
    if (!mlir::isa<VfConstantOp, VfScalarOp>(op))
      places.comment(text, op.getLoc());
    if (failed(printOp(op)))
      return failure();
  }
  return success();
}

LogicalResult VectorBody::printColumns() {
  int64_t trips = (cols + 63) / 64;
  text.line("uint32_t left = " + Twine(cols) + ";");
  for (Operation &op : vf.getBody().front())
    if (auto reduce = dyn_cast<VfReduceOp>(op); reduce && !reduce.getWidth())
      text.line("Reg::Duplicate(" + accumulators[&op] + ", " + neutralOf(reduce) + ");");
  if (trips > 1)
    openLoop("i", trips);
  bool countsTail =
      trips > 1 && cols % 64 && llvm::any_of(vf.getBody().front(), [&](Operation &op) {
        auto store = dyn_cast<VfStoreOp>(op);
        auto reduce = dyn_cast<VfReduceOp>(op);
        if (reduce && reduce.getWidth())
          return true;
        return store && levels.of(&op) == VfLevel::Chunk && !isAligned(store.getBuffer(), store.getWalk());
      });
  if (countsTail)
    text.line("const uint32_t n = left < 64 ? left : 64;");
  text.line("m = Reg::UpdateMask<uint32_t>(left);");
  if (failed(printLevel(VfLevel::Chunk)))
    return failure();
  if (trips > 1)
    text.close();
  mask = "all";
  for (Operation &op : vf.getBody().front())
    if (auto reduce = dyn_cast<VfReduceOp>(op); reduce && !reduce.getWidth())
      if (failed(finishReduction(reduce)))
        return failure();
  return success();
}

} // namespace tilesmith::ascendc
