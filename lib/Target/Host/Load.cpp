// Loading objects: one linker per process, one library per kernel.
#include "tilesmith/Machine/Element/Lanes.h"
#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Target/Host/Jit.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include <atomic>
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace llvm::orc;

namespace tilesmith::host {

namespace {

// Unoptimised code carries a bf16 from block to block as an f32 and narrows it by this call. Subnormals stay; NaNs stay
// NaN.
__bf16 roundToBF16(float x) {
  uint32_t bits = llvm::bit_cast<uint32_t>(x);
  uint32_t rounded = x != x ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1);
  return llvm::bit_cast<__bf16>(uint16_t(rounded >> 16));
}

// Conversions of f16 on a CPU that has no instruction for them: those of the Machine's loops, one lane wide.
using Float1 = float __attribute__((ext_vector_type(1)));
using Half1 = _Float16 __attribute__((ext_vector_type(1)));
_Float16 roundToHalf(float x) { return element::toHalves<Half1>(Float1(x))[0]; }
float widenHalf(_Float16 x) { return element::fromHalves<Float1>(Half1(x))[0]; }

// What generated code may call: the Machine, and the few functions a compiler takes for granted.
class Linker {
public:
  static Expected<Linker *> get() {
    // Never destroyed: kernels may outlive every static object.
    static Expected<Linker *> *linker = new Expected<Linker *>(create());
    if (!*linker)
      return createStringError("the JIT linker could not start");
    return **linker;
  }

  Expected<JITDylib *> load(StringRef object, StringRef symbol, TsKernelFn &entry) {
    JITDylib &library = session.createBareJITDylib("kernel" + std::to_string(next++));
    library.addToLinkOrder(*machine, JITDylibLookupFlags::MatchExportedSymbolsOnly);
    if (Error error = layer.add(library, MemoryBuffer::getMemBufferCopy(object, library.getName())))
      return unload(library, std::move(error));
    auto found = session.lookup({&library}, session.intern(symbol));
    if (!found)
      return unload(library, found.takeError());
    entry = found->getAddress().toPtr<TsKernelFn>();
    return &library;
  }

  Error unload(JITDylib &library, Error before = Error::success()) {
    return joinErrors(std::move(before), session.removeJITDylib(library));
  }

private:
  explicit Linker(std::unique_ptr<ExecutorProcessControl> process)
      : session(std::move(process)), layer(session, session.getExecutorProcessControl().getMemMgr()) {}

  static Expected<Linker *> create() {
    auto process = SelfExecutorProcessControl::Create();
    if (!process)
      return process.takeError();
    auto *linker = new Linker(std::move(*process));
    linker->session.setErrorReporter([](Error error) { consumeError(std::move(error)); });
    linker->machine = &linker->session.createBareJITDylib("machine");
    SymbolMap symbols;
    auto add = [&](StringRef name, auto *address) {
      symbols[linker->session.intern(name)] = {ExecutorAddr::fromPtr(address),
                                               JITSymbolFlags::Exported | JITSymbolFlags::Callable};
    };
    for (const machine::AbiSymbol &symbol : machine::abiSymbols())
      add(symbol.name, symbol.address);
    add("memcpy", &std::memcpy);
    add("memmove", &std::memmove);
    add("memset", &std::memset);
    add("fmod", static_cast<double (*)(double, double)>(&std::fmod));
    add("fmodf", static_cast<float (*)(float, float)>(&std::fmod));
    add("__truncsfbf2", &roundToBF16);
    add("__truncsfhf2", &roundToHalf);
    add("__extendhfsf2", &widenHalf);
    // Exactly rounded wherever they come from; instructions from AVX2 on.
    add("fmaf", static_cast<float (*)(float, float, float)>(&std::fma));
    add("floorf", static_cast<float (*)(float)>(&std::floor));
    add("ceilf", static_cast<float (*)(float)>(&std::ceil));
    add("truncf", static_cast<float (*)(float)>(&std::trunc));
    add("roundevenf", &::roundevenf);
    if (Error error = linker->machine->define(absoluteSymbols(std::move(symbols))))
      return std::move(error);
    return linker;
  }

  ExecutionSession session;
  ObjectLinkingLayer layer;
  JITDylib *machine = nullptr;
  std::atomic<uint64_t> next = 0;
};

} // namespace

LoadedKernel::LoadedKernel(LoadedKernel &&other)
    : entry(std::exchange(other.entry, nullptr)), library(std::exchange(other.library, nullptr)) {}

LoadedKernel &LoadedKernel::operator=(LoadedKernel &&other) {
  std::swap(entry, other.entry);
  std::swap(library, other.library);
  return *this;
}

LoadedKernel::~LoadedKernel() {
  if (library)
    consumeError((*Linker::get())->unload(*static_cast<JITDylib *>(library)));
}

Expected<LoadedKernel> loadKernel(StringRef object, StringRef kernel) {
  auto linker = Linker::get();
  if (!linker)
    return linker.takeError();
  LoadedKernel loaded;
  auto library = (*linker)->load(object, symbolOf(std::string_view(kernel)), loaded.entry);
  if (!library)
    return library.takeError();
  loaded.library = *library;
  return loaded;
}

} // namespace tilesmith::host
