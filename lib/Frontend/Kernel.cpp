// The kernel as a whole: its function, parameters and body; and how errors are reported.
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

namespace tilesmith::frontend {

Lowering::Lowering(mlir::MLIRContext &context, HostEval &host, Diagnostic &diagnostic)
    : context(context), host(host), diagnostic(diagnostic), builder(&context) {
  context.loadDialect<mlir::func::FuncDialect, mlir::arith::ArithDialect, mlir::scf::SCFDialect, tile::TileDialect>();
}

mlir::Location Lowering::loc(const Range &range) {
  return mlir::FileLineColRange::get(frame->fileName, range.line, range.column + 1, range.endLine, range.endColumn + 1);
}

Value Lowering::fail(const Range &range, llvm::StringRef exception, const llvm::Twine &message,
                     const llvm::Twine &help) {
  if (diagnostic.isSet())
    return {};
  diagnostic.exception = exception.str();
  diagnostic.message = message.str();
  diagnostic.showException = exception == "NameError" || exception == "AssertionError";
  diagnostic.range = range;
  diagnostic.file = frame->file;
  diagnostic.help = help.str();
  for (Frame *f = frame; f->caller; f = f->caller)
    diagnostic.notes.push_back({"in " + f->function->name.str() + ", called here", f->callRange, f->caller->file});
  return {};
}

Value Lowering::failHost(const Range &range) {
  HostError error = host.takeError();
  if (diagnostic.isSet())
    return {};
  fail(range, error.type, error.message);
  diagnostic.showException = true;
  diagnostic.cause = error.exception;
  return {};
}

Value Lowering::failUnsupported(const Range &range, llvm::StringRef what, const llvm::Twine &help) {
  return fail(range, "UnsupportedSyntaxError", what + " syntax is not supported inside a kernel", help);
}

std::shared_ptr<const Diagnostic> Lowering::takeConflict() {
  return std::make_shared<const Diagnostic>(std::exchange(diagnostic, Diagnostic()));
}

void Lowering::addNote(const Range &range, const llvm::Twine &text) {
  diagnostic.notes.insert(diagnostic.notes.begin(), {text.str(), range, frame->file});
}

mlir::OwningOpRef<mlir::ModuleOp> Lowering::run(const KernelRequest &request) {
  const ast::FunctionDef &function = *request.function;
  Frame kernel;
  kernel.function = &function;
  kernel.file = request.file;
  kernel.fileName = mlir::StringAttr::get(&context, request.file->name);
  kernel.scope = request.scope;
  frame = &kernel;

  if (!function.variadic.empty()) {
    fail(function.nameRange, "UnsupportedSyntaxError", "a kernel cannot take " + function.variadic,
         "name each parameter");
    return {};
  }
  if (request.params.size() != function.parameters.size()) {
    fail(function.nameRange, "TypeError",
         function.name + " takes " + llvm::Twine(function.parameters.size()) + " arguments, " +
             llvm::Twine(request.params.size()) + " were given");
    return {};
  }

  llvm::SmallVector<mlir::Type> types;
  for (auto [spec, parameter] : llvm::zip_equal(request.params, function.parameters)) {
    if (spec.kind == ParamSpec::Pointer)
      types.push_back(tile::PtrType::get(&context, element(spec.dtype)));
    else if (spec.kind == ParamSpec::Scalar)
      types.push_back(type(spec.dtype));
    if (spec.kind != ParamSpec::ConstExpr && spec.dtype == DType::Void) {
      fail(parameter.range, "TypeError", "parameter " + parameter.name + " has no element type");
      return {};
    }
  }

  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc(function.nameRange));
  builder.setInsertionPointToEnd(module->getBody());
  auto func =
      mlir::func::FuncOp::create(builder, loc(function.nameRange), function.name, builder.getFunctionType(types, {}));
  func->setAttr(tile::kernelAttrName, builder.getUnitAttr());
  mlir::Block *entry = func.addEntryBlock();
  builder.setInsertionPointToStart(entry);

  unsigned index = 0;
  for (auto [spec, parameter] : llvm::zip_equal(request.params, function.parameters)) {
    if (spec.kind == ParamSpec::ConstExpr) {
      bind(parameter.name, Value::ofHost(spec.value), parameter.range);
      continue;
    }
    mlir::BlockArgument argument = entry->getArgument(index++);
    argument.setLoc(mlir::NameLoc::get(builder.getStringAttr(parameter.name), loc(parameter.range)));
    bind(parameter.name,
         spec.kind == ParamSpec::Pointer ? Value::ofAddress(argument, spec.dtype)
                                         : Value::ofScalar(argument, spec.dtype),
         parameter.range);
  }

  if (lowerBody(function.body) == Flow::Failed)
    return {};
  if (kernel.returned && !(kernel.returned.isHost() && host.isNone(kernel.returned.host))) {
    fail(function.nameRange, "RuntimeError", "kernel " + function.name + " returns a value",
         "store results into a tensor; only functions called from a kernel return values");
    return {};
  }
  mlir::func::ReturnOp::create(builder, loc(function.nameRange));

  // A failure here is a defect of the front end, but the user still gets an error and not a crash.
  std::string details;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
    details = d.str();
    return mlir::success();
  });
  if (mlir::failed(mlir::verify(*module))) {
    fail(function.nameRange, "RuntimeError", "the compiler built invalid IR for " + function.name + ": " + details,
         "this is a defect of the compiler, please report it");
    return {};
  }
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp> lowerKernel(mlir::MLIRContext &context, const KernelRequest &request, HostEval &host,
                                              Diagnostic &error) {
  return Lowering(context, host, error).run(request);
}

} // namespace tilesmith::frontend
