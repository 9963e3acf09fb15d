#include "HostKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tilesmith/Dialect/Isa/IsaDialect.h"

namespace tilesmith::host {

HostKernel::HostKernel(const std::string &text, CompileOptions options, const std::string &name) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect, isa::IsaDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    error = "the text does not parse";
    return;
  }
  if (name.empty()) {
    llvm::Expected<CompiledKernel> result = compileKernel(*module, options);
    if (!result) {
      error = llvm::toString(result.takeError());
      return;
    }
    compiled = std::move(*result);
  } else {
    llvm::Expected<CompiledKernels> result = compileKernels(*module, options);
    if (!result) {
      error = llvm::toString(result.takeError());
      return;
    }
    for (Metadata &metadata : result->kernels)
      if (metadata.kernel == name)
        compiled = {std::move(result->object), std::move(metadata)};
  }
  llvm::StringRef object(compiled.object.data(), compiled.object.size());
  llvm::Expected<LoadedKernel> code = loadKernel(object, compiled.metadata.kernel);
  if (!code) {
    error = llvm::toString(code.takeError());
    return;
  }
  loaded = std::move(*code);
}

machine::LaunchResult HostKernel::run(const char *platform, std::vector<Argument> arguments, int64_t blocks,
                                      machine::Mode mode, int64_t maxTicks) {
  std::vector<machine::HostRange> inputs;
  for (const Argument &argument : arguments)
    if (argument.range.data)
      inputs.push_back(argument.range);
  std::vector<machine::GlobalRange> ranges;
  std::vector<int64_t> addresses = machine::assignDeviceAddresses(inputs, ranges), args;
  size_t next = 0;
  for (const Argument &argument : arguments)
    args.push_back(argument.range.data ? addresses[next++] : argument.bits);
  machine::Launch launch;
  launch.platform = machine::findPlatform(platform);
  launch.kernel = loaded.function();
  launch.blocks = blocks;
  launch.args = args;
  launch.global = ranges;
  launch.mode = mode;
  launch.maxTicks = maxTicks;
  launch.threads = 1;
  return machine::launch(launch);
}

std::string findingIds(const machine::LaunchResult &result) {
  std::string text;
  for (const machine::Finding &finding : result.findings)
    text += finding.id.str() + "\n";
  return text;
}

} // namespace tilesmith::host
