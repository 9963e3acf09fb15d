// Code generation: LLVM IR with the element functions linked in, a short pipeline, an object.
//
// The kernel itself only calls the Machine, so it is translated as it stands, quickly. Vector functions are optimised:
// their vectorisation and unrolling are in the IR already, so only what makes registers out of the element functions'
// memory operands is run: inlining, SROA, common subexpressions, loop-invariant motion. No pass here may change a
// floating-point result: nothing carries fast-math or contraction flags.
#include "Codegen.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "tilesmith/Support/CpuLevel.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include <array>
#include <mutex>

using namespace llvm;

namespace tilesmith::host {

namespace {

struct Cpu {
  std::string name, features;
};

const Cpu &hostCpu() {
  static const Cpu cpu = [] {
    if (isCpuLimited())
      return Cpu{cpuLevel() == CpuLevel::Avx2 ? "x86-64-v3" : "x86-64", ""};
    SubtargetFeatures features;
    // The host's conversions to bf16 lose subnormals; see the one Load.cpp defines.
    for (auto &[feature, on] : sys::getHostCPUFeatures())
      features.AddFeature(feature, on && feature != "avx512bf16" && feature != "avxneconvert");
    return Cpu{sys::getHostCPUName().str(), features.getString()};
  }();
  return cpu;
}

Expected<std::unique_ptr<TargetMachine>> createTargetMachine(const Cpu &cpu, CodeGenOptLevel level) {
  static std::once_flag initialised;
  std::call_once(initialised, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  Triple triple(sys::getProcessTriple());
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError(error);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Strict;
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, cpu.name, cpu.features, options, Reloc::PIC_, CodeModel::Small, level));
}

// Making a target machine costs a millisecond, so those for this host are kept. They are not thread-safe: whoever
// compiles holds the mutex.
struct HostTargets {
  std::mutex mutex;
  std::array<std::unique_ptr<TargetMachine>, 3> machines; // by CodeGenOptLevel: None, Less, Default
};

HostTargets &hostTargets() {
  static HostTargets *targets = new HostTargets;
  return *targets;
}

bool isKernel(const Function &function) { return function.getName().starts_with(symbolOf("")); }
bool isElement(const Function &function) { return function.getName().starts_with("ts_el_"); }

// Only the functions named in the module are read from the bitcode.
Error linkElementFunctions(Module &module) {
  auto element = getLazyBitcodeModule(MemoryBufferRef(elementBitcode(), "element.bc"), module.getContext(),
                                      /*ShouldLazyLoadMetadata=*/true);
  if (!element)
    return element.takeError();
  (*element)->setTargetTriple(module.getTargetTriple());
  (*element)->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(*element), Linker::LinkOnlyNeeded))
    return createStringError("the element functions could not be linked");
  for (Function &function : module) {
    if (!isElement(function))
      continue;
    if (function.isDeclaration())
      return createStringError("no element function '" + function.getName().drop_front(6) + "'");
    function.setLinkage(GlobalValue::InternalLinkage);
  }
  return Error::success();
}

void setAttributes(Module &module, const Cpu &cpu) {
  for (Function &function : module) {
    function.addFnAttr(Attribute::NoUnwind);
    if (function.isDeclaration())
      continue;
    if (isKernel(function)) {
      function.addFnAttr(Attribute::OptimizeNone);
      function.addFnAttr(Attribute::NoInline);
    }
    function.addFnAttr("target-cpu", cpu.name);
    function.addFnAttr("tune-cpu", cpu.name);
    function.addFnAttr("target-features", cpu.features);
    function.addFnAttr("prefer-vector-width", "512");
  }
}

void optimize(Module &module, TargetMachine &machine, bool quickly) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  FunctionPassManager perFunction;
  perFunction.addPass(SROAPass(SROAOptions::ModifyCFG));
  if (!quickly) {
    perFunction.addPass(EarlyCSEPass(/*UseMemorySSA=*/false));
    perFunction.addPass(SimplifyCFGPass());
    perFunction.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  }
  ModulePassManager pipeline;
  pipeline.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(perFunction)));
  pipeline.run(module, modules);
}

void registerTranslations(mlir::MLIRContext &context) {
  auto *llvm = context.getLoadedDialect<mlir::LLVM::LLVMDialect>();
  if (llvm->getRegisteredInterface<mlir::LLVMTranslationDialectInterface>())
    return;
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
}

} // namespace

const std::string &hostFingerprint() {
  static const std::string fingerprint = hostCpu().name + " " + hostCpu().features;
  return fingerprint;
}

Expected<std::vector<char>> generateObject(mlir::ModuleOp lowered, const CompileOptions &options) {
  registerTranslations(*lowered.getContext());
  LLVMContext context;
  std::unique_ptr<Module> module = mlir::translateModuleToLLVMIR(lowered, context, "kernel");
  if (!module)
    return createStringError("the llvm dialect could not be translated");

  HostTargets &targets = hostTargets();
  std::lock_guard<std::mutex> lock(targets.mutex);
  const Cpu forced = {options.cpu, ""};
  const Cpu &cpu = options.cpu.empty() ? hostCpu() : forced;
  bool hasVectorCode = any_of(*module, isElement);
  CodeGenOptLevel level = !hasVectorCode || options.level <= 1 ? CodeGenOptLevel::None
                          : options.level == 2                 ? CodeGenOptLevel::Less
                                                               : CodeGenOptLevel::Default;
  std::unique_ptr<TargetMachine> other, &kept = targets.machines[size_t(level)];
  if (!options.cpu.empty() || !kept) {
    auto created = createTargetMachine(cpu, level);
    if (!created)
      return created.takeError();
    (options.cpu.empty() ? kept : other) = std::move(*created);
  }
  TargetMachine &machine = other ? *other : *kept;
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());

  if (hasVectorCode)
    if (Error error = linkElementFunctions(*module))
      return std::move(error);
  setAttributes(*module, cpu);
  if (hasVectorCode)
    optimize(*module, machine, options.level <= 1);
  if (options.llvmIR)
    raw_string_ostream(*options.llvmIR) << *module;

  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, stream, nullptr, CodeGenFileType::ObjectFile))
    return createStringError("this host's backend cannot write objects");
  codegen.run(*module);
  return std::vector<char>(bytes.begin(), bytes.end());
}

} // namespace tilesmith::host
