// The kernel as a whole: its function, parameters and body.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace tilesmith::frontend {

Part::Part(Lowering &lowering) : l(lowering), host(l.host), values(l.values), scalars(l.scalars) {}

Value Part::fail(const Range &range, llvm::StringRef exception, const llvm::Twine &message, const llvm::Twine &help) {
  return l.errors.fail(range, exception, message, help);
}
Value Part::failHost(const Range &range) { return l.errors.failHost(range); }
std::string Part::describe(const Value &value) { return values.describe(value); }
mlir::Location Part::loc(const Range &range) { return l.ir.loc(range); }
mlir::OpBuilder &Part::builder() { return l.ir.builder(); }
Frame &Part::frame() { return l.names.frame(); }

Lowering::Lowering(mlir::MLIRContext &context, const Language &language, HostEval &host, Diagnostic &diagnostic)
    : language(language), host(host), errors(diagnostic, host, names), ir(*this, context), values(*this),
      scalars(*this), operators(*this), merge(*this), expect(*this), advice(*this), calls(*this), expressions(*this),
      statements(*this), branches(*this), loops(*this), probes(*this), own(language.begin(*this)) {
  context.loadDialect<mlir::func::FuncDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect>();
  language.loadDialects(context);
}

bool Lowering::checkParameters(const KernelRequest &request) {
  const ast::FunctionDef &function = *request.function;
  if (!function.variadic.empty())
    return bool(errors.fail(function.nameRange, "UnsupportedSyntaxError", "a kernel cannot take " + function.variadic,
                            "name each parameter"));
  size_t given = request.params.size(), own = function.parameters.size();
  if (language.addsParameters() ? given < own : given != own)
    return bool(errors.fail(function.nameRange, "TypeError",
                            function.name + " takes " + llvm::Twine(function.parameters.size()) + " arguments, " +
                                llvm::Twine(request.params.size()) + " were given"));
  for (auto [spec, parameter] : llvm::zip(request.params, function.parameters))
    if (spec.kind != ParamSpec::ConstExpr && spec.dtype == DType::Void)
      return bool(errors.fail(parameter.range, "TypeError", "parameter " + parameter.name + " has no element type"));
  return true;
}

// The function with its parameters bound; the builder stands in its body.
bool Lowering::makeFunction(const KernelRequest &request, mlir::ModuleOp module) {
  const ast::FunctionDef &function = *request.function;
  llvm::SmallVector<mlir::Type> types;
  for (const ParamSpec &spec : request.params) {
    if (spec.kind == ParamSpec::Pointer)
      types.push_back(language.pointerType(ir.context, spec.dtype));
    else if (spec.kind == ParamSpec::Scalar)
      types.push_back(ir.type(spec.dtype));
  }
  mlir::OpBuilder &builder = ir.builder();
  builder.setInsertionPointToEnd(module.getBody());
  auto func = mlir::func::FuncOp::create(builder, ir.loc(function.nameRange), function.name,
                                         builder.getFunctionType(types, {}));
  language.markKernel(func);
  mlir::Block *entry = func.addEntryBlock();
  builder.setInsertionPointToStart(entry);

  unsigned index = 0;
  llvm::SmallVector<Value> added;
  for (auto [i, spec] : llvm::enumerate(request.params)) {
    bool isOwn = i < function.parameters.size();
    const Range &range = isOwn ? function.parameters[i].range : function.nameRange;
    llvm::StringRef name = isOwn ? function.parameters[i].name : "";
    Value value;
    if (spec.kind == ParamSpec::ConstExpr) {
      value = Value::ofHost(spec.value);
      if (isOwn)
        value = language.argument(*this, value, range);
    } else {
      mlir::BlockArgument argument = entry->getArgument(index++);
      argument.setLoc(mlir::NameLoc::get(builder.getStringAttr(name), ir.loc(range)));
      value = spec.kind == ParamSpec::Pointer ? Value::ofAddress(argument, spec.dtype)
                                              : Value::ofScalar(argument, spec.dtype);
    }
    if (isOwn)
      names.bind(name, value, range);
    else
      added.push_back(value);
  }
  return own->start(request, added);
}

// A failure here is a defect of the front end, but the user still gets an error and not a crash.
bool Lowering::verify(mlir::ModuleOp module, const ast::FunctionDef &function) {
  std::string details;
  mlir::ScopedDiagnosticHandler handler(&ir.context, [&](mlir::Diagnostic &d) {
    details = d.str();
    return mlir::success();
  });
  if (mlir::succeeded(mlir::verify(module)))
    return true;
  return bool(errors.fail(function.nameRange, "RuntimeError",
                          "the compiler built invalid IR for " + function.name + ": " + details,
                          "this is a defect of the compiler, please report it"));
}

mlir::OwningOpRef<mlir::ModuleOp> Lowering::run(const KernelRequest &request) {
  const ast::FunctionDef &function = *request.function;
  Frame kernel;
  kernel.function = &function;
  kernel.file = request.file;
  kernel.fileName = mlir::StringAttr::get(&ir.context, request.file->name);
  kernel.scope = request.scope;
  names.enter(kernel);
  if (!checkParameters(request))
    return {};
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(ir.loc(function.nameRange));
  if (!makeFunction(request, *module))
    return {};
  probes.enabled = request.debugInfo;
  written = request.written;
  if (statements.lower(jumps.without(function)) == Flow::Failed)
    return {};
  if (kernel.returned && !values.isNone(kernel.returned)) {
    errors.fail(function.nameRange, "RuntimeError", "kernel " + function.name + " returns a value",
                language.words().results + "; only functions called from a kernel return values");
    return {};
  }
  if (!own->finish(function.body.empty() ? function.nameRange : function.body.back()->range))
    return {};
  probes.statement(function.body.empty() ? function.nameRange : function.body.back()->range, ProbeKind::End);
  mlir::func::ReturnOp::create(ir.builder(), ir.loc(function.nameRange));
  if (probes.anyBreakpoint)
    language.markBreakpoints(*module->getOps<mlir::func::FuncOp>().begin());
  if (!verify(*module, function))
    return {};
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp> lowerKernel(mlir::MLIRContext &context, const Language &language,
                                              const KernelRequest &request, HostEval &host, Diagnostic &error) {
  return Lowering(context, language, host, error).run(request);
}

} // namespace tilesmith::frontend
