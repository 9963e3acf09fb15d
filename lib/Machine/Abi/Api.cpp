// One list of all entries: as the table C++ kernels are given (Api.h), and as symbols for the JIT.
#include "tilesmith/Machine/Api.h"
#include "Core/CoreImpl.h"

extern "C" const TsApi *tilesmith_api(void) {
  static const TsApi api = {
      TS_API_VERSION,
      int64_t(sizeof(TsApi)),
#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args, issue) &tsm_##mnemonic,
#define TILESMITH_SERVICE(result, mnemonic, params) &tsm_##mnemonic,
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_SERVICE
#undef TILESMITH_ABI_ENTRY
  };
  return &api;
}

namespace tilesmith::machine {

std::span<const AbiSymbol> abiSymbols() {
  static const AbiSymbol symbols[] = {
#define TILESMITH_SERVICE(result, mnemonic, params) {"tsm_" #mnemonic, reinterpret_cast<void *>(&tsm_##mnemonic)},
#define TILESMITH_ABI_ENTRY(result, mnemonic, params, opcode, dt, dt2, args, issue)                                    \
  TILESMITH_SERVICE(result, mnemonic, params)
#include "tilesmith/Machine/Abi.inc"
#undef TILESMITH_ABI_ENTRY
#undef TILESMITH_SERVICE
  };
  return symbols;
}

} // namespace tilesmith::machine
