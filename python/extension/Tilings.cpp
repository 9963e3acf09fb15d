// Tilings of matrix products (Machine/CubeTiling.h) and facts of platforms, for asc.lib.host.
#include "Tilings.h"
#include "Settings.h"
#include "tilesmith/Machine/CubeTiling.h"
#include "tilesmith/Machine/Platform.h"
#include <cstring>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace tilesmith::python {
namespace {

TsCubeProblem problemOf(const nb::dict &given) {
  TsCubeProblem problem;
  tilesmith_cube_problem(&problem);
#define TILESMITH_CUBE_PROBLEM(NAME, VALUE)                                                                            \
  if (given.contains(#NAME))                                                                                           \
    problem.NAME = nb::cast<int32_t>(given[#NAME]);
#include "tilesmith/Machine/CubeTiling.def"
  return problem;
}

nb::object tilingOf(const nb::dict &given) {
  TsCubeProblem problem = problemOf(given);
  TsCubeTiling tiling;
  if (tilesmith_cube_tiling(&problem, &tiling) != 0)
    return nb::none();
  nb::dict members;
#define TILESMITH_CUBE_TILING(NAME, PYTHON) members[#PYTHON] = tiling.NAME;
#include "tilesmith/Machine/CubeTiling.def"
  return members;
}

nb::tuple partsOf(const nb::dict &given) {
  TsCubeProblem problem = problemOf(given);
  int32_t parts[4];
  tilesmith_cube_parts(&problem, parts);
  return nb::make_tuple(parts[0], parts[1], parts[2], parts[3]);
}

nb::list membersOfTiling() {
  nb::list names;
#define TILESMITH_CUBE_TILING(NAME, PYTHON) names.append(nb::make_tuple(#PYTHON, #NAME));
#include "tilesmith/Machine/CubeTiling.def"
  return names;
}

nb::dict factsOf(const std::string &name) {
  const machine::Platform *platform = machine::findPlatform(name);
  if (!platform)
    throw nb::value_error(("no platform is called '" + name + "'").c_str());
  nb::dict facts;
  facts["cube_cores"] = platform->cubeCores;
  facts["vector_cores"] = platform->vectorCores;
  for (isa::Memory memory : {isa::Memory::UB, isa::Memory::L1, isa::Memory::L0A, isa::Memory::L0B, isa::Memory::L0C,
                             isa::Memory::BT, isa::Memory::FB})
    facts[std::string(isa::stringify(memory)).c_str()] = platform->usableOf(memory);
  facts["L2"] = platform->l2Bytes;
  return facts;
}

nb::list membersOfConfig() {
  nb::list members;
#define TILESMITH_MATMUL_CONFIG(TYPE, NAME, PYTHON, VALUE, MODELLED)                                                   \
  members.append(nb::make_tuple(#PYTHON, #NAME, #TYPE, int64_t(VALUE)));
#include "tilesmith/Machine/MatmulConfig.def"
  return members;
}

} // namespace

void registerTilings(nb::module_ &module) {
  module.def("cube_tiling", &tilingOf, nb::arg("problem"), nb::sig("def cube_tiling(problem: dict) -> dict | None"),
             "The members of a TCubeTiling by name; None where nothing fits.");
  module.def("cube_parts", &partsOf, nb::arg("problem"), "How cores share a product: (cores, m, n, k of one).");
  module.def("cube_tiling_members", &membersOfTiling, "The members of TCubeTiling, in order: (name, name in C++).");
  module.def("matmul_config_members", &membersOfConfig,
             "The members of MatmulConfig, in order: (name, name in C++, type in C++, value where nothing is said).");
  module.def("platform_facts", &factsOf, nb::arg("name"), "Cores of a platform, and bytes of its memories.");
}

} // namespace tilesmith::python
