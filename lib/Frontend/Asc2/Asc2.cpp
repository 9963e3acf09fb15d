#include "Asc2.h"
#include "Tiles.h"
#include "tilesmith/Frontend/Elsewhere.h"

namespace tilesmith::frontend::asc2 {

static Value inlineCode(Lowering &l, const Arguments &args) {
  return l.errors.fail(args.range, "NotImplementedError",
                       "asc.inline is raw C++ for the chip's compiler and cannot be run here",
                       "write it with asc2 operations");
}

static Value breakpoint(Lowering &l, const Arguments &args) {
  l.probes.breakpoint(args.range);
  return Value::ofHost(l.host.makeNone());
}

static constexpr Builtin::Row otherBuiltins[] = {{"asc.inline", inlineCode}, {"asc2.breakpoint", breakpoint}};

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
        .describe = "describe the array first: asc2.tensor(pointer, [size])",
    };
    return words;
  }
  const Builtins &builtins() const override {
    static const Builtins table(declarations(), {tensorBuiltins(), memoryBuiltins(), elementwiseBuiltins(),
                                                 reduceBuiltins(), shapeBuiltins(), indexBuiltins(), matmulBuiltins(),
                                                 maskBuiltins(), printBuiltins(), rangeBuiltins(), otherBuiltins});
    return table;
  }
  std::pair<std::string, std::string> missing(llvm::StringRef name) const override {
    if (!name.starts_with("asc.basic."))
      return Language::missing(name);
    return {("the instruction language of asc is not there yet: " + name + " cannot be used").str(),
            "write the kernel with asc2 tiles, or in Ascend C (asc.load_ascendc)"};
  }
  std::string instead(llvm::StringRef origin, llvm::StringRef name, bool ofNumber) const override;
  void keepLoop(mlir::OpBuilder &builder, mlir::Location at) const override { tile::KeepOp::create(builder, at); }

  void loadDialects(mlir::MLIRContext &context) const override { context.loadDialect<tile::TileDialect>(); }
  mlir::Type pointerType(mlir::MLIRContext &context, DType dtype) const override {
    return tile::PtrType::get(&context, toElement(&context, dtype));
  }
  void markKernel(mlir::func::FuncOp kernel) const override {
    kernel->setAttr(tile::kernelAttrName, mlir::UnitAttr::get(kernel.getContext()));
  }
  void probe(mlir::OpBuilder &builder, mlir::Location loc, const ProbeSite &site) const override {
    tile::ProbeOp::create(builder, loc, site.text, site.depth, int64_t(site.kind), site.values);
  }
  void markBreakpoints(mlir::func::FuncOp kernel) const override {
    kernel->setAttr(tile::breakpointsAttrName, mlir::UnitAttr::get(kernel.getContext()));
  }
  std::unique_ptr<Session> begin(Lowering &lowering) const override { return std::make_unique<Tiles>(lowering); }
};

// Rows first: a name may mean another thing there.
std::string Asc2::instead(llvm::StringRef origin, llvm::StringRef name, bool ofNumber) const {
  for (const Elsewhere &row : elsewhere())
    if (row.isCalled(name) && (origin.empty() || row.isFrom(origin)))
      return row.ours.str();
  std::string same = ("asc2." + name).str();
  bool isFunction = origin.empty() || isPackage(origin);
  if (!isFunction || !builtins().find(same))
    return "";
  return ofNumber ? same + "(asc2.full([1], x, asc.float32)).sum(), as only tiles have it" : same;
}

} // namespace

const Language &language() {
  static constexpr Asc2 instance;
  return instance;
}

} // namespace tilesmith::frontend::asc2
