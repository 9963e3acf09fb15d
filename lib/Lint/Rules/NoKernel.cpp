// DG101 no-kernel: The file has no kernel.
#include "tilesmith/Lint/Rule.h"

namespace tilesmith::lint {

static const RuleInfo info{
    .id = "DG101",
    .name = "no-kernel",
    .isAnywhere = true,
    .what = "The file has no kernel.",
    .why = "A candidate is there to show a kernel. Functions made by triton.jit (also under autotune and "
           "heuristics), asc2.jit or asc.jit count, whatever the names they were imported by, and kernels of "
           "asc.load_ascendc; other things called jit do not. Other languages that a file uses (TileLang, extensions "
           "in C++ and CUDA) are named.",
    .bad = R"(
import torch

class ModelNew(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)
)",
    .good = R"(
class ModelNew(nn.Module):
    def forward(self, x):
        return run(x)
)",
};

namespace {

// Languages that kernels are written in elsewhere, by the modules they come from.
struct Language {
  llvm::StringLiteral module, name;
};
constexpr Language others[] = {{"tilelang", "TileLang"},
                               {"torch.utils.cpp_extension", "C++ or CUDA through torch.utils.cpp_extension"},
                               {"pybind11", "C++ through pybind11"},
                               {"cupy", "CUDA through CuPy"},
                               {"pycuda", "CUDA through PyCUDA"},
                               {"cuda", "CUDA Python"},
                               {"numba", "Numba"},
                               {"cutlass", "CUTLASS or CuTe DSL"},
                               {"taichi", "Taichi"},
                               {"warp", "Warp"},
                               {"jax", "JAX or Pallas"},
                               {"helion", "Helion"},
                               {"tvm", "TVM"},
                               {"thunderkittens", "ThunderKittens"},
                               {"te", "TBE"},
                               {"tbe", "TBE"}};

struct NoKernel final : RuleOn<NoKernel, KernelsRead, Imported, ForeignCall> {
  void on(const Imported &imported, Findings &) {
    note(imported.module + "." + imported.name);
    llvm::StringRef last = llvm::StringRef(imported.module).rsplit('.').second;
    llvm::StringRef module = last.empty() ? llvm::StringRef(imported.module) : last;
    if (language.empty() && (module.ends_with("_ext") || module.ends_with("_ascendc") || module.ends_with("_C")))
      language = "a compiled extension, " + module.str();
  }
  void on(const ForeignCall &call, Findings &) { note(call.path); }

  void note(llvm::StringRef path) {
    for (const Language &other : others)
      if (llvm::StringRef rest = path; rest.consume_front(other.module) && (rest.empty() || rest.front() == '.'))
        language = other.name.str();
  }

  std::string language; // that is not known here

  void on(const KernelsRead &read, Findings &findings) {
    if (read.kernels.empty() && !language.empty())
      findings.add(
          read,
          "no kernel: the candidate is written in " + language +
              ", which is not known here; triton.jit, asc2.jit, asc.jit, pypto.frontend.jit and asc.load_ascendc are");
    else if (read.kernels.empty())
      findings.add(read, "no kernel: no function is decorated with triton.jit, asc2.jit or the like");
  }
};

} // namespace

RuleEntry ruleNoKernel() { return entryOf<NoKernel>(info); }

} // namespace tilesmith::lint
