// Places in the user's source (Machine/SourceText.h), for kernels that a compiler described.
#ifndef TILESMITH_RUNTIME_SOURCETEXT_H
#define TILESMITH_RUNTIME_SOURCETEXT_H

#include "tilesmith/Machine/SourceText.h"
#include "tilesmith/Target/Host/Metadata.h"

namespace tilesmith::runtime {

using machine::Place;
using machine::rememberSource;
using machine::renderPlace;
using machine::sourceLine;

// A finding whose locations are those of the metadata. Ends without a newline.
std::string renderFinding(const machine::Finding &finding, const host::Metadata &metadata);

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_SOURCETEXT_H
