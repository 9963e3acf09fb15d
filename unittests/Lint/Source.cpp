#include "Source.h"
#include "Ast.h"

#include "llvm/ADT/Twine.h"

#include <gtest/gtest.h>

// nanobind works once a module of it is imported.
NB_MODULE(lint_tests, module) {}

namespace tilesmith::lint {

static void startPython() {
  PyImport_AppendInittab("lint_tests", PyInit_lint_tests);
  Py_Initialize();
  ASSERT_TRUE(PyImport_ImportModule("lint_tests"));
}

Source::Source(std::string text) : file{"candidate.py", 1, std::move(text)} {
  if (!Py_IsInitialized())
    startPython();
  tree = python::parseModule(file);
}

std::string candidate(llvm::StringRef forward, llvm::StringRef before) {
  static constexpr llvm::StringLiteral head = R"(import torch
import torch.nn as nn
import triton
import triton.language as tl
@triton.jit
def double(x_ptr, out_ptr, n):
    tl.store(out_ptr, tl.load(x_ptr) * 2)
def run(x):
    out = torch.empty_like(x)
    double[(1,)](x, out, x.numel())
    return out
)";
  return (head + before + "class ModelNew(nn.Module):\n    def forward(self, x, y):\n" + forward).str();
}

// A copy of an event as what it is.
template <typename... Events> static std::shared_ptr<const Event> copyOf(const Event &event) {
  std::shared_ptr<const Event> copy;
  ((event.kind == Events::ofKind ? void(copy = std::make_shared<Events>(static_cast<const Events &>(event))) : void()),
   ...);
  return copy;
}

void Recorder::hear(const Event &event) {
  events.push_back(copyOf<KernelsRead, ModelRead, ForwardFollowed, Launch, HostCompute, HostValue, LayerUse,
                          ForeignCall, UnresolvedCall, TensorKept, ObjectMade, Returned, Replaced, Imported,
                          ModuleReached, AttributeRead, HandlerRead, Loop, Append, GaveUp>(event));
  ASSERT_TRUE(events.back());
}

std::vector<std::string> Recorder::spelled(EventKind kind) const {
  std::vector<std::string> result;
  for (const auto &event : events)
    if (event->kind == kind && event->phase == Phase::Forward &&
        std::find(result.begin(), result.end(), event->spelled) == result.end())
      result.push_back(event->spelled);
  return result;
}

} // namespace tilesmith::lint
