#include "Observe.h"
#include "Errors.h"
#include "Library.h"
#include "llvm/ADT/STLExtras.h"
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace tilesmith::python {

void ArrayFacts::add(const std::string &name, const Argument &array) {
  int64_t count = array.size / std::max(1u, isa::sizeOf(array.dtype));
  arrays.append(nb::make_tuple(name, dtypeName(array.dtype), count));
  if (count > elements) {
    elements = count;
    dtype = dtypeName(array.dtype);
  }
}

void ArrayFacts::write(nb::dict &facts) const {
  facts["arrays"] = arrays;
  facts["elements"] = elements;
  facts["dtype"] = dtype;
}

bool observe(machine::LaunchResult &result, const Launched &launch, llvm::function_ref<void(ArrayFacts &)> arrays) {
  if (launch.clock.is_valid() && launch.how.mode >= machine::Mode::Timed && result.timing.cycles)
    launch.clock(launch.stream.is_valid() ? launch.stream : nb::none(),
                 double(result.timing.cycles) / double(launch.platform.clockMHz));
  if (!launch.recorder.is_valid() && result.findings.empty())
    return true;
  bool failed = llvm::any_of(result.findings, [](const machine::Finding &f) { return f.isError(); });
  std::vector<machine::Finding> findings = failed && launch.raises ? result.findings : std::vector<machine::Finding>();
  if (launch.recorder.is_valid()) {
    const machine::Platform &platform = launch.platform;
    nb::dict facts = describeLaunch(result, launch.metadata, platform, launch.how.mode);
    facts["blocks"] = launch.blocks;
    int64_t cores = platform.blocksAtOnce(result.type.value_or(launch.metadata.kernelType));
    facts["waves"] = (launch.blocks + cores - 1) / cores;
    if (launch.how.dry) {
      facts["dry"] = !result.needsData;
      facts["is_part"] = result.isPart;
      facts["reads_data"] = result.readsData || result.needsData;
      if (result.needsData)
        facts["needs_data"] = describePlace(*result.needsData, launch.metadata);
    }
    ArrayFacts described;
    arrays(described);
    described.write(facts);
    if (launch.how.keepTraces)
      facts["call_trace"] = makeCallTrace(std::move(result), launch.metadata, platform.arch, launch.owner);
    launch.recorder.attr("append")(facts);
  }
  if (!findings.empty())
    raiseFindings(findings, launch.metadata);
  return findings.empty();
}

} // namespace tilesmith::python
