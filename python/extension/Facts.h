// The time of a launch as Python's profile reads it: plain values, and the timeline as the bytes of its entries.
#ifndef TILESMITH_PYTHON_FACTS_H
#define TILESMITH_PYTHON_FACTS_H

#include <nanobind/nanobind.h>

#include "tilesmith/Machine/Launch.h"
#include "tilesmith/Target/Host/Metadata.h"

namespace tilesmith::python {

void describeTiming(nanobind::dict &facts, const machine::LaunchResult &result, const host::Metadata &metadata,
                    const machine::Platform &platform);
// With the names that the numbers in it stand for.
void describeTimeline(nanobind::dict &facts, const machine::LaunchResult &result, const host::Metadata &metadata);

void registerFacts(nanobind::module_ &module);

} // namespace tilesmith::python

#endif // TILESMITH_PYTHON_FACTS_H
