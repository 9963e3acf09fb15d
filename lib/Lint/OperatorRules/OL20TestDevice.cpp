// OL20 test-device: a test does not choose its device: neither TILE_FWK_DEVICE_ID nor set_device.
#include "../Kernels/Pypto.h"
#include "tilesmith/Lint/KernelRule.h"

#include "llvm/ADT/STLExtras.h"

namespace tilesmith::lint {

using namespace ast;

static const KernelRuleInfo info{
    .id = "OL20",
    .name = "test-device",
    .level = Level::S1,
    .role = Role::Test,
    .stages = buildStages,
    .what = "A test does not choose its device: neither TILE_FWK_DEVICE_ID nor set_device.",
    .why = "On a machine with several chips it would meet another user's.",
    .use = "torch.npu.set_device with the number in the variable TILE_FWK_DEVICE_ID",
    .bad = R"py(
import torch

def test_gelu_l0():
    pass
)py",
    .good = R"py(
import os
import torch

def test_gelu_l0():
    variable = "TILE_FWK_DEVICE_ID"
    torch.npu.set_device(int(os.environ[variable]))
)py",
};

static void check(const KernelFile &file, KernelReport &report) {
  bool found = false;
  for (const auto &function : file.all()) {
    // The variable is read or set, not only named: os.environ[...], os.getenv(...), monkeypatch.setenv(...).
    auto isVariable = [&](const Expr *expr) { return isString(file.meaning(expr, *function), "TILE_FWK_DEVICE_ID"); };
    function->each<Subscript>([&](const Subscript &it, const Place &) { found |= isVariable(it.index); });
    function->each<Compare>([&](const Compare &it, const Place &) { found |= isVariable(it.operands[0]); });
    for (const CallFact &call : function->calls) {
      static constexpr llvm::StringLiteral readers[] = {"get", "getenv", "pop", "setdefault", "setenv", "putenv"};
      std::string name = pypto::calledName(call);
      found |= name == "set_device" && !file.functionOf(call.call->callee, *function);
      found |=
          llvm::is_contained(readers, name) && !call.call->arguments.empty() && isVariable(call.call->arguments[0]);
    }
  }
  if (report.isCompat()) // upstream looks for the words
    found |= llvm::StringRef(file.getSource().text).contains("TILE_FWK_DEVICE_ID") ||
             llvm::StringRef(file.getSource().text).contains("set_device");
  if (!found)
    report.add({1, 0, 1, 0}, "the test does not choose its device");
}

KernelRuleEntry ruleOL20TestDevice() { return {&info, check}; }

} // namespace tilesmith::lint
