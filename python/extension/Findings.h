// The table of findings (Machine/Findings.def), for pages and `tilesmith explain`.
#ifndef TILESMITH_PYTHON_FINDINGS_H
#define TILESMITH_PYTHON_FINDINGS_H

#include <nanobind/nanobind.h>

namespace tilesmith::python {

void registerFindings(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_FINDINGS_H
