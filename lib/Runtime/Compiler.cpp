#include "tilesmith/Runtime/Compiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "tilesmith/Dialect/Asc/Asc.h"
#include "tilesmith/Dialect/Graph/Graph.h"
#include "tilesmith/Dialect/Isa/Functions.h"
#include "tilesmith/Dialect/Isa/Workspace.h"
#include "tilesmith/Dialect/Tile/Tile.h"
#include "tilesmith/Runtime/SourceText.h"
#include "tilesmith/Target/AscendC/Emit.h"
#include "tilesmith/Target/Host/Jit.h"
#include "tilesmith/Transforms/Graph/GraphPasses.h"
#include "tilesmith/Transforms/Pipeline.h"
#include "tilesmith/Transforms/Triton/TritonPasses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <link.h>
#include <set>

namespace tilesmith::runtime {
namespace {

mlir::MLIRContext &context() {
  static mlir::MLIRContext *instance = [] {
    mlir::DialectRegistry registry;
    registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                    tile::TileDialect, graph::GraphDialect, triton::TritonDialect, isa::IsaDialect, asc::AscDialect>();
    // A kernel is one function: threads would only cost their start.
    auto *made = new mlir::MLIRContext(registry, mlir::MLIRContext::Threading::DISABLED);
    made->loadAllAvailableDialects();
    return made;
  }();
  return *instance;
}

Place placeOf(mlir::Location location) {
  Place place;
  location->walk([&](mlir::Location inner) {
    auto range = mlir::dyn_cast<mlir::FileLineColRange>(inner);
    if (!range)
      return mlir::WalkResult::advance();
    place.file = range.getFilename().str();
    place.line = range.getStartLine();
    place.column = range.getStartColumn();
    if (range.getEndLine() == range.getStartLine() && range.getEndColumn() > range.getStartColumn())
      place.endColumn = range.getEndColumn();
    return mlir::WalkResult::interrupt();
  });
  return place;
}

// Collects the errors of a compilation as text.
class Collector {
public:
  explicit Collector(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) { return take(diagnostic); }) {}
  std::string text;
  std::vector<std::pair<Place, std::string>> warnings;

  void forget() {
    text.clear();
    warnings.clear();
  }

private:
  mlir::LogicalResult take(mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Warning)
      warnings.push_back({placeOf(diagnostic.getLocation()), diagnostic.str()});
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
      return mlir::success();
    Place place = placeOf(diagnostic.getLocation());
    append(renderPlace(place, "error", diagnostic.str()));
    for (mlir::Diagnostic &note : diagnostic.getNotes()) {
      std::string words = note.str();
      if (llvm::StringRef(words).starts_with("see current operation")) // IR is for us, not for the kernel's author
        continue;
      if (llvm::StringRef(words).starts_with("help: ")) {
        append(words);
        continue;
      }
      // A table names its places itself, and the error's own place needs no repeating.
      Place other = placeOf(note.getLocation());
      bool bare = other == place || llvm::StringRef(words).contains('\n');
      append(renderPlace(bare ? Place() : other, "note", words));
    }
    return mlir::success();
  }
  void append(const std::string &part) { text += text.empty() ? part : "\n" + part; }

  mlir::ScopedDiagnosticHandler handler;
};

// The kernel that was asked for: the front end marks one function of the module as a kernel, of tiles or of
// instructions.
mlir::func::FuncOp entryOf(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::func::FuncOp> kernels = isa::kernelsOf(module, tile::kernelAttrName);
  if (kernels.empty())
    kernels = isa::kernelsOf(module, isa::kernelAttrName);
  assert(kernels.size() == 1 && "a compilation is of one kernel");
  return kernels.front();
}

// Whether an instruction has the value as nothing but a buffer it reads.
bool onlyReads(mlir::Operation *user, mlir::Value value) {
  auto issue = mlir::dyn_cast<asc::IssueOp>(user);
  if (!issue)
    return false;
  const isa::InstructionInfo &info = *isa::findInstruction(std::string_view(issue.getInstruction()));
  for (unsigned i = 0, next = 0; i < info.numOperands; ++i)
    if (info.operands[i].kind != isa::OperandKind::Attribute)
      if (issue.getOperands()[next++] == value && info.operands[i].access != isa::Access::Read)
        return false;
  return true;
}

// Whether anything reached from an array parameter is written. What flows into regions or calls counts as written.
bool isWritten(mlir::Value parameter) {
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  llvm::SmallVector<mlir::Value> work{parameter};
  while (!work.empty()) {
    mlir::Value value = work.pop_back_val();
    for (mlir::Operation *user : value.getUsers()) {
      if (!seen.insert(user).second)
        continue;
      if (mlir::isa<tile::LoadOp, tile::GetOp, graph::ViewOp, triton::LoadOp, tile::ProbeOp, isa::ProbeOp>(user) ||
          onlyReads(user, value))
        continue;
      if (!mlir::isa<tile::TensorOp, asc::AtOp, asc::AddressOp, mlir::arith::AddIOp, mlir::arith::SubIOp>(user))
        return true;
      llvm::append_range(work, user->getResults());
    }
  }
  return false;
}

std::string textOf(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

void dump(const std::string &folder, const char *name, const std::string &text) {
  if (folder.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream(std::filesystem::path(folder) / name) << text;
}

// Whether the kernel runs on the kind of core it is meant for. What decides is the first instruction that does not.
mlir::LogicalResult checkCore(mlir::ModuleOp module, const KernelOptions &options) {
  if (!options.kernelType || isa::coresOf(*options.kernelType).mixed())
    return mlir::success();
  isa::CoreKinds wanted = isa::coresOf(*options.kernelType).kinds();
  auto name = [](isa::CoreKinds kinds) { return kinds.has(isa::CoreKind::AIV) ? "vector" : "cube"; };
  mlir::WalkResult result = module.walk([&](isa::AllocOp alloc) {
    isa::Memory memory = alloc.getResult().getType().getMemory();
    isa::CoreKinds needed = isa::coresWith(memory);
    if (!(needed & wanted).empty())
      return mlir::WalkResult::advance();
    alloc.emitError() << "kernel_type " << shownName(isa::stringify(*options.kernelType)) << " asks for a "
                      << name(wanted) << " core, but this needs a " << name(needed)
                      << " core: " << isa::stringify(memory) << " is there only";
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(result.wasInterrupted());
}

constexpr char descriptionMark = 'k';

} // namespace

std::string CompiledKernel::describe() const {
  std::string text(1, descriptionMark);
  for (bool flag : written)
    text += flag ? 'w' : 'r';
  return text + '\n' + host::serialize(metadata);
}

std::optional<CompiledKernel> CompiledKernel::fromCache(std::string_view description, std::string object) {
  size_t end = description.find('\n');
  if (end == std::string_view::npos || description.front() != descriptionMark)
    return std::nullopt;
  CompiledKernel kernel;
  for (char flag : description.substr(1, end - 1))
    kernel.written.push_back(flag == 'w');
  std::optional<host::Metadata> metadata = host::deserialize(description.substr(end + 1));
  if (!metadata)
    return std::nullopt;
  kernel.metadata = std::move(*metadata);
  kernel.object = std::move(object);
  return kernel;
}

std::optional<std::string> trace(const CompileRequest &request, CompileError &error) {
  mlir::MLIRContext &ctx = context();
  Collector collector(&ctx);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      frontend::lowerKernel(ctx, request.kernel, *request.host, error.diagnostic);
  return module ? std::optional(textOf(*module)) : std::nullopt;
}

namespace {

// The text of a failed compilation.
void explain(const Collector &collector, const char *stage, CompileError &error) {
  error.text = collector.text.empty() ? std::string("error: ") + stage + " failed without saying why" : collector.text;
}

// The front end: tile IR that says which arrays may overlap. Null with `error` set. `written` is as in CompiledKernel.
mlir::OwningOpRef<mlir::ModuleOp> trace(const CompileRequest &request, const Collector &collector,
                                        std::vector<bool> &written, CompileError &error) {
  mlir::MLIRContext &ctx = context();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      frontend::lowerKernel(ctx, request.kernel, *request.host, error.diagnostic);
  if (!module) {
    if (!error.diagnostic.isSet())
      explain(collector, "the front end", error);
    return {};
  }
  if (request.tileIr)
    *request.tileIr = textOf(*module);

  // Constants are no parameters of the function.
  std::vector<bool> noalias;
  for (auto [index, parameter] : llvm::enumerate(request.kernel.params))
    if (parameter.kind != frontend::ParamSpec::ConstExpr)
      noalias.push_back(index < request.noalias.size() && request.noalias[index]);
  mlir::func::FuncOp function = entryOf(*module);
  for (auto [index, argument] : llvm::enumerate(function.getArguments())) {
    bool isArray = mlir::isa<tile::PtrType, isa::BufferType>(argument.getType());
    written.push_back(isArray && isWritten(argument));
    if (isArray) // without a word for it, arrays that overlap would be ordered as if they did not
      function.setArgAttr(index,
                          index < noalias.size() && noalias[index] ? isa::noaliasAttrName : isa::mayAliasAttrName,
                          mlir::UnitAttr::get(&ctx));
  }
  dump(request.dumpFolder, "codegen.mlir", textOf(*module) + '\n');
  return module;
}

// The passes: isa IR. What they say goes to whoever collects it.
mlir::LogicalResult runPasses(const CompileRequest &request, mlir::ModuleOp module, bool direct, bool sparing) {
  mlir::PassManager passes(&context());
  PipelineOptions options;
  options.direct = direct;
  options.arch = request.platform->arch;
  options.platform = std::string(request.platform->name);
  for (unsigned i = 0; i < isa::numMemory; ++i)
    options.capacity[i] = request.platform->usableOf(isa::Memory(i));
  options.bankGroups = request.platform->bankGroups;
  options.bankBytes = request.platform->bankWriteDelay % 2 ? request.platform->bankBytes : 0;
  options.kernel = request.options;
  entryOf(module).walk([&](isa::AllocOp alloc) { options.placesBuffers |= !alloc.getAddress(); });
  if (entryOf(module)->hasAttr(asc::kernelAttrName)) {
    buildAscToIsaPipeline(passes, options);
  } else {
    if (request.kernel.language == "pypto")
      buildGraphToTilePipeline(passes, sparing);
    if (request.kernel.language == "triton")
      buildTritonToTilePipeline(passes);
    buildTileToIsaPipeline(passes, options);
  }
  if (request.options.printIrBeforeAll)
    passes.enableIRPrinting([](mlir::Pass *, mlir::Operation *) { return true; },
                            [](mlir::Pass *, mlir::Operation *) { return false; }, /*printModuleScope=*/false);
  return passes.run(module);
}

bool lower(const CompileRequest &request, Collector &collector, mlir::ModuleOp module, CompileError &error) {
  bool hasTensors = request.kernel.language == "pypto";
  mlir::OwningOpRef<mlir::ModuleOp> before;
  if (hasTensors || request.platform->arch == isa::Arch::C310)
    before = module.clone();
  mlir::LogicalResult result = runPasses(request, module, /*direct=*/true, /*sparing=*/false);
  auto again = [&](bool sparing) {
    collector.forget();
    module->removeAttr(isa::directAttrName);
    mlir::OwningOpRef<mlir::ModuleOp> copy = before->clone();
    module.getBodyRegion().takeBody(copy->getBodyRegion());
    result = runPasses(request, module, /*direct=*/false, sparing);
  };
  // Slots that lie in a core's memory may leave too little of it: then these tiles go through the workspace. What whole
  // tensors hand to products may be too much for it: then that does. Other errors come again.
  if (mlir::failed(result) && module->hasAttr(isa::directAttrName))
    again(/*sparing=*/false);
  if (mlir::failed(result) && hasTensors)
    again(/*sparing=*/true);
  module->removeAttr(isa::directAttrName);
  if (mlir::failed(result)) {
    explain(collector, "the pass pipeline", error);
    return false;
  }
  for (const auto &[place, words] : collector.warnings)
    if (!request.host->warn(words, place.file, place.line)) {
      error.text = "error: " + words;
      return false;
    }
  dump(request.dumpFolder, "ascir.mlir", textOf(module) + '\n');
  if (mlir::failed(checkCore(module, request.options))) {
    explain(collector, "the check of the core", error);
    return false;
  }
  if (request.options.stripLoc)
    module->walk([&](mlir::Operation *op) { op->setLoc(mlir::UnknownLoc::get(&context())); });
  return true;
}

mlir::LogicalResult emitSource(mlir::ModuleOp module, std::string &text) {
  ascendc::EmitOptions options;
  options.sourceLine = [](llvm::StringRef file, unsigned line) { return sourceLine(file.str(), line); };
  return ascendc::emitAscendC(module, text, options);
}

} // namespace

namespace {

// Machine code and metadata. False with `error` set.
bool generate(mlir::ModuleOp module, int level, CompiledKernel &result, CompileError &error) {
  host::CompileOptions options;
  options.level = level;
  llvm::Expected<host::CompiledKernel> compiled = host::compileKernel(module, options);
  if (!compiled) {
    error.text = llvm::toString(compiled.takeError());
    return false;
  }
  result.object.assign(compiled->object.begin(), compiled->object.end());
  result.metadata = std::move(compiled->metadata);
  return true;
}

// One kernel of the platform's architecture, made of what a chip does and of arithmetic: nothing that names code of
// this process.
mlir::LogicalResult checkForeign(mlir::ModuleOp module, const machine::Platform &platform) {
  mlir::WalkResult walked = module.walk([&](mlir::Operation *op) {
    llvm::StringRef dialect = op->getName().getDialectNamespace();
    bool isFunction = mlir::isa<mlir::func::FuncOp, mlir::func::ReturnOp>(op);
    static constexpr std::string_view known[] = {"builtin", "arith", "math", "scf", "isa", "asc"};
    if (isFunction || llvm::is_contained(known, std::string_view(dialect)))
      return mlir::WalkResult::advance();
    op->emitError() << "'" << op->getName().getStringRef() << "' is not an operation of kernels";
    return mlir::WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return mlir::failure();
  auto functions = llvm::to_vector(module.getOps<mlir::func::FuncOp>());
  if (functions.size() != 1 || functions.front().isExternal() || !functions.front()->hasAttr(isa::kernelAttrName))
    return module.emitError() << "a module of one kernel is expected, this one has " << functions.size()
                              << " functions";
  auto arch = functions.front()->getAttrOfType<mlir::StringAttr>(isa::archAttrName);
  if (!arch || arch.getValue() != llvm::StringRef(isa::stringify(platform.arch)))
    return functions.front().emitError() << "the kernel is not for the architecture of " << platform.name;
  return mlir::success();
}

// The bits of each number in a kernel's text, once. Words of tables are numbers.
std::vector<int64_t> constantsOf(mlir::ModuleOp module) {
  std::set<int64_t> found;
  module.walk([&](mlir::Operation *op) {
    op->getAttrDictionary().walk([&](mlir::Attribute attribute) {
      if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute))
        found.insert(int64_t(number.getValue().zextOrTrunc(64).getZExtValue()));
      else if (auto real = mlir::dyn_cast<mlir::FloatAttr>(attribute))
        found.insert(int64_t(real.getValue().bitcastToAPInt().zextOrTrunc(64).getZExtValue()));
      else if (auto table = mlir::dyn_cast<mlir::DenseElementsAttr>(attribute))
        for (size_t at = 0, size = table.getRawData().size(); at < size; at += sizeof(int64_t)) {
          int64_t word = 0;
          std::memcpy(&word, table.getRawData().data() + at, std::min(sizeof word, size - at));
          found.insert(word);
        }
    });
  });
  return {found.begin(), found.end()};
}

} // namespace

static std::string notWritten(const std::string &why) {
  return "#error this kernel cannot be written as Ascend C\n/*\n" + why + "\n*/\n";
}

// The source of a kernel that is traced once more for it.
static std::string emitAgain(CompileRequest request) {
  request.dumpFolder.clear();
  request.tileIr = nullptr;
  CompileError error;
  std::optional<EmittedKernel> emitted = emit(request, error);
  return emitted ? emitted->source : notWritten(error.diagnostic.isSet() ? error.diagnostic.message : error.text);
}

std::optional<CompiledKernel> compile(const CompileRequest &request, CompileError &error) {
  Collector collector(&context());
  CompiledKernel result;
  mlir::OwningOpRef<mlir::ModuleOp> module = trace(request, collector, result.written, error);
  if (!module)
    return std::nullopt;
  if (!request.options.runPasses) {
    result.metadata.kernel = entryOf(*module).getName().str();
    return result;
  }
  if (!lower(request, collector, *module, error))
    return std::nullopt;
  if (!request.dumpFolder.empty()) {
    // A kernel that cannot be written still runs: the file says why.
    std::string text;
    if (entryOf(*module)->hasAttr(asc::kernelAttrName))
      text = emitAgain(request);
    else if (mlir::failed(emitSource(*module, text)))
      text = notWritten(collector.text);
    dump(request.dumpFolder, "ascendc.cpp", text);
  }

  if (request.onlyIr) {
    llvm::raw_string_ostream stream(result.isaIr);
    module->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
    result.metadata.kernel = entryOf(*module).getName().str();
    return result;
  }
  if (!generate(*module, int(request.options.optLevel), result, error))
    return std::nullopt;
  return result;
}

std::optional<CompiledKernel> compileIr(std::string_view isaIr, const machine::Platform &platform, int level,
                                        CompileError &error) {
  Collector collector(&context());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(isaIr, &context());
  CompiledKernel result;
  if (!module || mlir::failed(checkForeign(*module, platform))) {
    explain(collector, "reading isa IR", error);
    return std::nullopt;
  }
  result.constants = constantsOf(*module);
  if (!generate(*module, level, result, error))
    return std::nullopt;
  return result;
}

// Whether its author placed its tensors and ordered its instructions. Such a kernel is written call by call.
static bool isWrittenByHand(mlir::ModuleOp module) {
  if (!entryOf(module)->hasAttr(asc::kernelAttrName))
    return false;
  return !module.walk([](isa::AllocOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
}

static bool simplify(mlir::ModuleOp module) {
  mlir::PassManager passes(&context());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  return mlir::succeeded(passes.run(module));
}

std::optional<EmittedKernel> emit(const CompileRequest &given, CompileError &error) {
  Collector collector(&context());
  EmittedKernel result;
  CompileRequest request = given;
  request.kernel.debugInfo = false; // the chip has no debugger that would read it
  mlir::OwningOpRef<mlir::ModuleOp> module = trace(request, collector, result.written, error);
  if (!module)
    return std::nullopt;
  if (isWrittenByHand(*module) && !request.options.insertSync.value_or(false)) {
    request.kernel.written = true;
    request.dumpFolder.clear();
    std::vector<bool> again;
    module = trace(request, collector, again, error);
    if (!module)
      return std::nullopt;
    if (!simplify(*module)) {
      explain(collector, "emitting Ascend C", error);
      return std::nullopt;
    }
    auto say = [&](llvm::StringRef name, std::string_view value) {
      entryOf(*module)->setAttr(name, mlir::StringAttr::get(module->getContext(), llvm::StringRef(value)));
    };
    say(isa::archAttrName, isa::stringify(request.platform->arch));
    std::optional<isa::KernelType> type = request.options.kernelType;
    if (entryOf(*module)->hasAttr(asc::matmulAttrName))
      type = asc::typeWithMatmul(type, request.options.matmulCubeOnly);
    if (type)
      say(isa::kernelTypeAttrName, isa::stringify(*type));
  } else if (!lower(request, collector, *module, error)) {
    return std::nullopt;
  }
  mlir::func::FuncOp kernel = entryOf(*module);
  result.name = kernel.getName().str();
  result.symbol = ascendc::kernelSymbol(kernel.getName());
  result.type = isa::kernelTypeOf(kernel);
  if (auto bytes = kernel->getAttrOfType<mlir::IntegerAttr>(isa::workspaceAttrName))
    result.workspace = bytes.getInt();
  if (auto bytes = kernel->getAttrOfType<mlir::IntegerAttr>(isa::sharedWorkspaceAttrName))
    result.sharedWorkspace = bytes.getInt();
  if (mlir::failed(emitSource(*module, result.source))) {
    explain(collector, "emitting Ascend C", error);
    return std::nullopt;
  }
  return result;
}

// The linker's hash of the binary this code is in.
const std::string &buildId() {
  static const std::string id = [] {
    std::string found = TILESMITH_VERSION;
    dl_iterate_phdr(
        [](dl_phdr_info *info, size_t, void *data) {
          auto self = reinterpret_cast<uintptr_t>(&buildId);
          std::string notes;
          bool mine = false;
          for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
            const ElfW(Phdr) &header = info->dlpi_phdr[i];
            uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            if (header.p_type == PT_LOAD && self >= begin && self < begin + header.p_memsz)
              mine = true;
            if (header.p_type == PT_NOTE)
              notes.append(reinterpret_cast<const char *>(begin), header.p_memsz);
          }
          if (mine)
            *static_cast<std::string *>(data) += notes;
          return mine ? 1 : 0;
        },
        &found);
    return found;
  }();
  return id;
}

} // namespace tilesmith::runtime
