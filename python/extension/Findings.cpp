#include "Findings.h"
#include "tilesmith/Machine/Finding.h"
#include <nanobind/stl/string.h>

namespace nb = nanobind;

namespace tilesmith::python {

void registerFindings(nb::module_ &module) {
  module.def(
      "finding_table",
      [] {
        nb::list rows;
        for (const machine::FindingInfo &info : machine::findingTable()) {
          nb::dict row;
          row["id"] = std::string(info.id);
          row["severity"] = info.severity == machine::Severity::Error ? "error" : "warning";
          row["what"] = std::string(info.what);
          row["why"] = std::string(info.why);
          row["unreached"] = std::string(info.unreached);
          rows.append(row);
        }
        return rows;
      },
      "Every finding there is: id, severity, what, why, and why no program reaches it, if none does.");
}

} // namespace tilesmith::python
