// The specialisations of one kernel: found in memory, on disk, or compiled.
//
// A specialisation is chosen by the key of a call. Under one key there may be several, told apart by the host values
// (module constants, closures) their compilation read. What the host language must answer for that is HostCall.
//
// Invariants
//  - calls come under the host's lock; only HostCall::wait releases it
//  - compilations of a process run one after another: they share the MLIR context and the record of host reads
//  - a compilation that read a value nothing leads to is used once and not kept
#ifndef TILESMITH_RUNTIME_SPECIALISER_H
#define TILESMITH_RUNTIME_SPECIALISER_H

#include "tilesmith/Runtime/Cache.h"
#include "tilesmith/Runtime/CallKey.h"
#include "tilesmith/Runtime/Compiler.h"
#include "tilesmith/Target/Host/Jit.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace tilesmith::runtime {

// One call of the kernel, as the host language sees it.
class HostCall {
public:
  virtual ~HostCall() = default;

  // Fills in what is to be compiled: tree, scope, parameters, the host. False with an error pending in the host.
  virtual bool describe(CompileRequest &request) = 0;
  // Between the two the host records what the front end reads.
  virtual void beginRecording() = 0;
  virtual RecordedReads endRecording() = 0;

  // Whether every read still has its fingerprint.
  virtual bool holds(const std::vector<HostRead> &reads) = 0;
  virtual std::unique_ptr<RememberedReads> remember(std::vector<HostRead> reads) = 0;
  virtual bool unchanged(const RememberedReads &reads) = 0;
  // Objects that the key knows by their addresses.
  virtual std::vector<frontend::HostRef> keptAlive() = 0;

  // Does something that waits for other threads, which may need the host's lock.
  virtual void wait(llvm::function_ref<void()> blocking) = 0;
};

struct Specialisation {
  host::LoadedKernel code; // none if passes were not asked for, or only IR
  std::string isaIr;       // of a process that has no device of its own
  int64_t number = -1;     // by which that device knows the kernel, once it has it
  host::Metadata metadata;
  std::vector<bool> written; // as in CompiledKernel
  std::unique_ptr<RememberedReads> reads;
  std::vector<frontend::HostRef> keptAlive;
};

// Why there is none.
struct SpecialiseError {
  enum class Kind : uint8_t {
    Host,    // the host has the error
    Compile, // `compile` says what is wrong with the kernel
    Launch,  // `text`: the kernel may be right, but cannot be had
  } kind = Kind::Host;
  CompileError compile;
  std::string text;
};

class Specialiser {
public:
  struct Kernel {
    std::string name;
    std::string source; // text, file and line: kernels that differ here are different
    KernelOptions options;
    std::string dumpFolder;
  };
  using Compile = std::optional<CompiledKernel> (*)(const CompileRequest &, CompileError &);

  Specialiser(Kernel kernel, DiskCache &disk, Compile compile = runtime::compile)
      : kernel(std::move(kernel)), optionsKey(this->kernel.options.key()), disk(disk), compileKernel(compile) {}

  const KernelOptions &options() const { return kernel.options; }

  // The one in memory, or null. Checking a candidate may run code of the host.
  std::shared_ptr<Specialisation> find(HostCall &call, const CallKey &key) const;

  // The one in memory or on disk, or a new one; null with `error` set.
  std::shared_ptr<Specialisation> specialise(HostCall &call, const CallKey &key, const machine::Platform &platform,
                                             SpecialiseError &error);

  // One step of the compiler on its own; nothing is kept.
  std::optional<EmittedKernel> emit(HostCall &call, const CallKey &key, const machine::Platform &platform,
                                    SpecialiseError &error);
  std::optional<std::string> trace(HostCall &call, const CallKey &key, const machine::Platform &platform,
                                   SpecialiseError &error);

  // Forgets what is in memory.
  void clear() { specialisations.clear(); }

  // From now on kernels of this process become isa IR and no code. Before the first of them.
  static void onlyIr();

  // Kernels compiled by this process; those found in memory or on disk do not count.
  static int64_t compilations();

private:
  using Variants = std::vector<std::shared_ptr<Specialisation>>;

  bool describe(HostCall &call, const CallKey &key, const machine::Platform &platform, CompileRequest &request) const;
  std::string diskKey(const CallKey &key, const machine::Platform &platform) const;
  std::shared_ptr<Specialisation> load(HostCall &call, CompiledKernel compiled, std::vector<HostRead> reads,
                                       SpecialiseError &error) const;
  std::shared_ptr<Specialisation> loadFromDisk(HostCall &call, const std::string &key) const;
  std::shared_ptr<Specialisation> compile(HostCall &call, const CallKey &key, const machine::Platform &platform,
                                          const std::string *keepUnder, bool &complete, SpecialiseError &error) const;
  template <typename Result>
  std::optional<Result> step(std::optional<Result> (*run)(const CompileRequest &, CompileError &), HostCall &call,
                             const CallKey &key, const machine::Platform &platform, SpecialiseError &error) const;

  Kernel kernel;
  std::string optionsKey;
  DiskCache &disk;
  Compile compileKernel;
  llvm::StringMap<Variants> specialisations;
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_SPECIALISER_H
