#include "Asc.h"
#include "Core.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilesmith::frontend::asc {

namespace {

class Asc final : public Language {
public:
  const Words &words() const override {
    static constexpr Words words = {
        .jit = "@asc.jit",
        .range = "asc.range",
        .print = "asc.printf(\"n = %d\\n\", n)",
        .context = "nothing",
        .results = "copy results into an array",
        .writeItem = "use tensor.set_value(index, value)",
        .toFloat = "convert the other operand: .cast(asc.float32)",
        .describe = "make a tensor of it: x_gm = asc.GlobalTensor(); x_gm.set_global_buffer(pointer)",
    };
    return words;
  }
  const Builtins &builtins() const override {
    static const Builtins table(ascDeclarations(),
                                {tensorBuiltins(), queueBuiltins(), systemBuiltins(), registerBuiltins(),
                                 orderBuiltins(), sortBuiltins(), printBuiltins(), listBuiltins(), matmulBuiltins()});
    return table;
  }
  std::optional<Value> call(Lowering &l, llvm::StringRef name, CallSite &site) const override {
    Core &core = Core::of(l);
    if (name.consume_front("asc.basic.")) {
      if (name == "mrg_sort" && site.positional.size() + site.keywords.size() > 3) {
        for (auto &[keyword, argument] : site.keywords)
          if (keyword == "sort_list")
            keyword = "src";
        return l.calls.callBuiltin("asc.basic.merge_sort_lists", site);
      }
      if (std::optional<Value> result = callComposed(core, name, site))
        return result;
      return callForms(core, name, site);
    }
    if (name.starts_with("asc.adv.") && builtins().find(name))
      return std::nullopt;
    if (name.consume_front("asc.adv."))
      return callLibrary(core, name, site);
    if (name.consume_front("asc."))
      return makeRecord(core, name, site);
    return std::nullopt;
  }
  std::pair<std::string, std::string> missing(llvm::StringRef name) const override {
    if (name.starts_with("asc2."))
      return {(name + " works on tiles and cannot be used in a kernel of asc instructions").str(),
              "write the whole kernel with asc2, or the whole kernel with asc"};
    return {(name + " is not there yet").str(), ""};
  }
  void keepLoop(mlir::OpBuilder &builder, mlir::Location at) const override { isa::KeepOp::create(builder, at); }

  void loadDialects(mlir::MLIRContext &context) const override {
    context.loadDialect<isa::IsaDialect, tilesmith::asc::AscDialect>();
  }
  mlir::Type pointerType(mlir::MLIRContext &context, DType dtype) const override {
    return isa::BufferType::get(&context, isa::Memory::GM, toElement(&context, dtype));
  }
  void markKernel(mlir::func::FuncOp kernel) const override {
    auto unit = mlir::UnitAttr::get(kernel.getContext());
    kernel->setAttr(isa::kernelAttrName, unit);
    kernel->setAttr(tilesmith::asc::kernelAttrName, unit);
  }
  void probe(mlir::OpBuilder &builder, mlir::Location loc, const ProbeSite &site) const override {
    isa::ProbeOp::create(builder, loc, site.text, site.depth, int64_t(site.kind), site.values);
  }
  void markBreakpoints(mlir::func::FuncOp kernel) const override {
    kernel->setAttr(isa::breakpointsAttrName, mlir::UnitAttr::get(kernel.getContext()));
  }
  Value argument(Lowering &l, const Value &value, const Range &range) const override {
    return structArgument(Core::of(l), value, range);
  }
  std::unique_ptr<Session> begin(Lowering &lowering) const override { return std::make_unique<Core>(lowering); }
};

} // namespace

std::optional<std::pair<int64_t, int64_t>> pipesOfEvent(int64_t event) {
  if (event < 0 || event >= int64_t(isa::numHardEvent))
    return std::nullopt;
  auto [from, to] = llvm::StringRef(isa::stringify(isa::HardEvent(event))).split('_');
  auto first = isa::symbolize<isa::Pipe>(std::string_view(from)),
       second = isa::symbolize<isa::Pipe>(std::string_view(to));
  if (!first || !second)
    return std::nullopt;
  return std::pair(int64_t(*first), int64_t(*second));
}

const Language &language() {
  static constexpr Asc instance;
  return instance;
}

bool isOurs(llvm::StringRef builtin) { return builtin.starts_with("asc.") && builtin != "asc.inline"; }

} // namespace tilesmith::frontend::asc
