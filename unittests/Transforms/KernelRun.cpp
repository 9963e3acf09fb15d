#include "KernelRun.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Target/Host/Jit.h"
#include "tilesmith/Transforms/Passes.h"
#include "tilesmith/Transforms/Pipeline.h"
#include <gtest/gtest.h>

using namespace tilesmith;

static mlir::OwningOpRef<mlir::ModuleOp> lower(mlir::MLIRContext &context, const std::string &ir, isa::Arch arch,
                                               std::string &messages, bool fuse = true) {
  context.loadDialect<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect, tile::TileDialect,
                      isa::IsaDialect>();
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    messages += diagnostic.str() + "\n";
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      messages += "note: " + note.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(ir, &context);
  if (!module)
    return {};
  mlir::PassManager passes(&context);
  PipelineOptions options;
  options.arch = arch;
  options.kernel.vfFusion = fuse;
  buildTileToIsaPipeline(passes, options);
  if (mlir::failed(passes.run(*module)))
    return {};
  return module;
}

void tilesmith::testing::run(const std::string &ir, isa::Arch arch, std::vector<Argument> &arguments, int64_t blocks,
                             bool fuse) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::string messages;
  auto module = lower(context, ir, arch, messages, fuse);
  ASSERT_TRUE(module) << messages << ir;
  auto compiled = host::compileKernel(*module);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  auto loaded =
      host::loadKernel(llvm::StringRef(compiled->object.data(), compiled->object.size()), compiled->metadata.kernel);
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());

  std::vector<Argument> original = arguments;
  for (machine::Late late : {machine::Late::None, machine::Late::Consumers, machine::Late::Producers}) {
    std::vector<Argument> current = original;
    std::vector<machine::HostRange> arrays;
    for (Argument &argument : current)
      if (argument.isArray)
        arrays.push_back({argument.bytes.data(), int64_t(argument.bytes.size())});
    std::vector<machine::GlobalRange> ranges;
    std::vector<int64_t> addresses = machine::assignDeviceAddresses(arrays, ranges), args;
    size_t next = 0;
    for (Argument &argument : current)
      args.push_back(argument.isArray ? addresses[next++] : argument.bits);

    machine::Launch launch;
    launch.platform = machine::findPlatform(arch == isa::Arch::C220 ? "Ascend910B1" : "Ascend950PR_9599");
    launch.kernel = loaded->function();
    launch.blocks = blocks;
    launch.args = args;
    launch.global = ranges;
    launch.mode = late == machine::Late::None ? machine::Mode::Checked : machine::Mode::Fast;
    launch.late = late;
    launch.serial = compiled->metadata.serial;
    machine::LaunchResult result = machine::launch(launch);
    for (const machine::Finding &finding : result.findings) {
      std::string place;
      if (finding.loc < compiled->metadata.locations.size()) {
        const host::SourceLocation &location = compiled->metadata.locations[finding.loc];
        place = std::to_string(location.line) + ":" + std::to_string(location.column);
      }
      ADD_FAILURE() << "finding " << finding.id << ": " << finding.text << " at " << place;
    }
    if (late == machine::Late::None)
      arguments = current;
    else
      for (size_t i = 0; i < current.size(); ++i)
        EXPECT_EQ(current[i].bytes, arguments[i].bytes) << "argument " << i << " depends on how late instructions run";
  }
}
