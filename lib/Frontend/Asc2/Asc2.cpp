#include "Asc2.h"
#include "Tiles.h"

namespace tilesmith::frontend::asc2 {

static Value inlineCode(Lowering &l, const Arguments &args) {
  return l.errors.fail(args.range, "NotImplementedError",
                       "asc.inline is raw C++ for the chip's compiler and cannot be run here",
                       "write it with asc2 operations");
}

static constexpr Builtin::Row otherBuiltins[] = {{"asc.inline", "*code", inlineCode}};

llvm::StringRef tileMethod(llvm::StringRef name) {
  struct Method {
    llvm::StringLiteral name, builtin;
  };
  static constexpr Method methods[] = {
      {"to", "Tile.to"},           {"sum", "asc2.reduce_sum"},   {"max", "asc2.reduce_max"},
      {"min", "asc2.reduce_min"},  {"prod", "asc2.reduce_prod"}, {"sin", "asc2.sin"},
      {"cos", "asc2.cos"},         {"tan", "asc2.tan"},          {"sinh", "asc2.sinh"},
      {"cosh", "asc2.cosh"},       {"tanh", "asc2.tanh"},        {"exp", "asc2.exp"},
      {"log", "asc2.log"},         {"log2", "asc2.log2"},        {"floor", "asc2.floor"},
      {"ceil", "asc2.ceil"},       {"abs", "asc2.abs"},          {"erf", "asc2.erf"},
      {"exp2", "asc2.exp2"},       {"sqrt", "asc2.sqrt"},        {"rsqrt", "asc2.rsqrt"},
      {"relu", "asc2.relu"},       {"softmax", "asc2.softmax"},  {"broadcast_to", "asc2.broadcast_to"},
      {"reshape", "asc2.reshape"}, {"ravel", "asc2.ravel"},      {"expand_dims", "asc2.expand_dims"},
      {"squeeze", "asc2.squeeze"}};
  for (const Method &method : methods)
    if (method.name == name)
      return method.builtin;
  return {};
}

namespace {

class Asc2 final : public Language {
public:
  const Words &words() const override {
    static constexpr Words words = {
        .jit = "@asc2.jit",
        .range = "asc2.range",
        .print = "asc2.device_print(\"n = {}\", n)",
        .context = "asc2.mask(...)",
        .results = "store results into a tensor",
        .writeItem = "use asc2.store to write into a tensor",
        .toFloat = "convert the other operand: .to(asc.float32) for a tile, .cast(asc.float32) for a scalar",
    };
    return words;
  }
  const Builtins &builtins() const override {
    static const Builtins table{memoryBuiltins(), elementwiseBuiltins(), reduceBuiltins(),
                                shapeBuiltins(),  matmulBuiltins(),      maskBuiltins(),
                                printBuiltins(),  rangeBuiltins(),       otherBuiltins};
    return table;
  }
  std::pair<std::string, std::string> missing(llvm::StringRef name) const override {
    if (!name.starts_with("asc.basic."))
      return Language::missing(name);
    return {("the instruction language of asc is not there yet: " + name + " cannot be used").str(),
            "write the kernel with asc2 tiles, or in Ascend C (asc.load_ascendc)"};
  }

  void loadDialects(mlir::MLIRContext &context) const override { context.loadDialect<tile::TileDialect>(); }
  mlir::Type pointerType(mlir::MLIRContext &context, DType dtype) const override {
    return tile::PtrType::get(&context, toElement(&context, dtype));
  }
  void markKernel(mlir::func::FuncOp kernel) const override {
    kernel->setAttr(tile::kernelAttrName, mlir::UnitAttr::get(kernel.getContext()));
  }
  std::unique_ptr<Session> begin(Lowering &lowering) const override { return std::make_unique<Tiles>(lowering); }
};

} // namespace

const Language &language() {
  static constexpr Asc2 instance;
  return instance;
}

} // namespace tilesmith::frontend::asc2
