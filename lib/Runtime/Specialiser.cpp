#include "tilesmith/Runtime/Specialiser.h"
#include <atomic>
#include <mutex>

namespace tilesmith::runtime {
namespace {

// Of host values, under one key: a constant that changes with every launch must not fill memory.
constexpr size_t mostVariants = 64;

std::atomic<int64_t> numCompilations = 0;
std::atomic<bool> withoutCode = false;

// The turn of a thread to compile. Evaluating host values may let another thread of the host run.
class CompileTurn {
public:
  explicit CompileTurn(HostCall &call) {
    if (!nested && !mutex().try_lock())
      call.wait([] { mutex().lock(); });
  }
  CompileTurn(const CompileTurn &) = delete;
  ~CompileTurn() {
    if (!nested)
      mutex().unlock();
    mine = nested;
  }
  // A host value whose evaluation launches a kernel: the thread would wait for itself.
  bool isNested(const std::string &kernel, SpecialiseError &error) const {
    if (!nested)
      return false;
    error.kind = SpecialiseError::Kind::Launch;
    error.text = "kernel '" + kernel + "' cannot be compiled while this thread compiles another one";
    return true;
  }

private:
  static std::mutex &mutex() {
    static auto *instance = new std::mutex;
    return *instance;
  }
  static thread_local bool mine;
  bool nested = std::exchange(mine, true);
};
thread_local bool CompileTurn::mine = false;

} // namespace

int64_t Specialiser::compilations() { return numCompilations; }

void Specialiser::onlyIr() { withoutCode = true; }

// Nothing is held across a check: another thread may add to the map meanwhile.
std::shared_ptr<Specialisation> Specialiser::find(HostCall &call, const CallKey &key) const {
  for (size_t i = 0;; ++i) {
    auto found = specialisations.find(key.text());
    if (found == specialisations.end() || i >= found->second.size())
      return nullptr;
    std::shared_ptr<Specialisation> candidate = found->second[i];
    if (call.unchanged(*candidate->reads))
      return candidate;
  }
}

std::shared_ptr<Specialisation> Specialiser::specialise(HostCall &call, const CallKey &key,
                                                        const machine::Platform &platform, SpecialiseError &error) {
  CompileTurn turn(call);
  if (turn.isNested(kernel.name, error))
    return nullptr;
  const KernelOptions &options = kernel.options;
  bool complete = true;
  if (options.alwaysCompile)
    return compile(call, key, platform, nullptr, complete, error);
  if (auto known = find(call, key)) // another thread was faster
    return known;

  bool onDisk =
      !withoutCode && key.isPersistent() && !options.printIrBeforeAll && options.runPasses && kernel.dumpFolder.empty();
  std::string name = onDisk ? diskKey(key, platform) : std::string();
  std::shared_ptr<Specialisation> result = onDisk ? loadFromDisk(call, name) : nullptr;
  if (!result)
    result = compile(call, key, platform, onDisk ? &name : nullptr, complete, error);
  if (result && complete) {
    Variants &variants = specialisations[key.text()];
    if (variants.size() == mostVariants)
      variants.erase(variants.begin());
    variants.push_back(result);
  }
  return result;
}

std::string Specialiser::diskKey(const CallKey &key, const machine::Platform &platform) const {
  return digest({buildId(), host::hostFingerprint(), std::string(platform.name), std::to_string(platform.digest),
                 std::to_string(platform.capacityOf(isa::Memory::UB)), // a copy may have more
                 kernel.source, optionsKey, key.kinds().str()});
}

std::shared_ptr<Specialisation> Specialiser::load(HostCall &call, CompiledKernel compiled, std::vector<HostRead> reads,
                                                  SpecialiseError &error) const {
  llvm::Expected<host::LoadedKernel> code =
      compiled.object.empty() ? host::LoadedKernel() : host::loadKernel(compiled.object, compiled.metadata.kernel);
  if (!code) {
    error.kind = SpecialiseError::Kind::Launch;
    error.text = "the compiled kernel '" + kernel.name + "' cannot be loaded: " + llvm::toString(code.takeError());
    return nullptr;
  }
  auto result = std::make_shared<Specialisation>();
  result->code = std::move(*code);
  result->metadata = std::move(compiled.metadata);
  result->written = std::move(compiled.written);
  result->isaIr = std::move(compiled.isaIr);
  result->reads = call.remember(std::move(reads));
  result->keptAlive = call.keptAlive();
  return result;
}

std::shared_ptr<Specialisation> Specialiser::loadFromDisk(HostCall &call, const std::string &key) const {
  auto entry = disk.find(key, [&](const std::vector<HostRead> &reads) { return call.holds(reads); });
  if (!entry)
    return nullptr;
  std::optional<CompiledKernel> compiled = CompiledKernel::fromCache(entry->metadata, std::move(entry->object));
  SpecialiseError unused; // an object that does not load is compiled again
  return compiled ? load(call, std::move(*compiled), std::move(entry->reads), unused) : nullptr;
}

bool Specialiser::describe(HostCall &call, const CallKey &key, const machine::Platform &platform,
                           CompileRequest &request) const {
  request.platform = &platform;
  request.options = kernel.options;
  request.dumpFolder = kernel.dumpFolder;
  request.noalias.assign(key.noalias().begin(), key.noalias().end());
  if (!call.describe(request))
    return false;
  request.kernel.debugInfo = kernel.options.debugInfo;
  request.onlyIr = withoutCode;
  return true;
}

std::shared_ptr<Specialisation> Specialiser::compile(HostCall &call, const CallKey &key,
                                                     const machine::Platform &platform, const std::string *keepUnder,
                                                     bool &complete, SpecialiseError &error) const {
  CompileRequest request;
  if (!describe(call, key, platform, request))
    return nullptr;
  ++numCompilations;
  call.beginRecording();
  std::optional<CompiledKernel> compiled = compileKernel(request, error.compile);
  RecordedReads recorded = call.endRecording();
  if (!compiled) {
    error.kind = SpecialiseError::Kind::Compile;
    return nullptr;
  }
  complete = recorded.complete;
  if (keepUnder && complete && !recorded.warned) // a warning comes again in the next process
    disk.store(*keepUnder, kernel.name, {recorded.reads, compiled->describe(), compiled->object});
  return load(call, std::move(*compiled), std::move(recorded.reads), error);
}

template <typename Result>
std::optional<Result> Specialiser::step(std::optional<Result> (*run)(const CompileRequest &, CompileError &),
                                        HostCall &call, const CallKey &key, const machine::Platform &platform,
                                        SpecialiseError &error) const {
  CompileTurn turn(call);
  CompileRequest request;
  if (turn.isNested(kernel.name, error) || !describe(call, key, platform, request))
    return std::nullopt;
  call.beginRecording(); // what is read need not be remembered
  std::optional<Result> result = run(request, error.compile);
  call.endRecording();
  if (!result)
    error.kind = SpecialiseError::Kind::Compile;
  return result;
}

std::optional<EmittedKernel> Specialiser::emit(HostCall &call, const CallKey &key, const machine::Platform &platform,
                                               SpecialiseError &error) {
  return step(runtime::emit, call, key, platform, error);
}

std::optional<std::string> Specialiser::trace(HostCall &call, const CallKey &key, const machine::Platform &platform,
                                              SpecialiseError &error) {
  return step(runtime::trace, call, key, platform, error);
}

} // namespace tilesmith::runtime
