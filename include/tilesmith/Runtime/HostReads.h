// The host values (module constants, closures) a compilation read: they tell compilations of equal arguments apart.
#ifndef TILESMITH_RUNTIME_HOSTREADS_H
#define TILESMITH_RUNTIME_HOSTREADS_H

#include <string>
#include <vector>

namespace tilesmith::runtime {

// A host value a compilation used, and what it was.
struct HostRead {
  std::string path;        // from a root the front end names, such as a global, through attributes
  std::string fingerprint; // equal for values that compile alike
  bool operator==(const HostRead &) const = default;
};

// All that a compilation read. Incomplete if one of them cannot be found or compared again.
struct RecordedReads {
  std::vector<HostRead> reads;
  bool complete = true;
  bool warned = false; // the user was told something about the source
};

// The same as the host remembers them, to compare quickly.
struct RememberedReads {
  virtual ~RememberedReads() = default;
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_HOSTREADS_H
