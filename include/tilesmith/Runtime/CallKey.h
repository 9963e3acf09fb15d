// What of a call's arguments chooses its code: kinds, dtypes and constants, and which arrays overlap.
//
// Arguments are added in the order of the parameters. Two calls with equal bytes can share a compilation. This is on
// the way of every launch, so nothing here allocates for a kernel of ordinary size.
#ifndef TILESMITH_RUNTIME_CALLKEY_H
#define TILESMITH_RUNTIME_CALLKEY_H

#include "tilesmith/Isa/Isa.h"
#include "tilesmith/Runtime/Layout.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"

namespace tilesmith::machine {
struct Platform;
}

namespace tilesmith::runtime {

class CallKey {
public:
  // Arguments of the kernel.
  void addArray(isa::DType dtype, Extent extent) {
    bytes.push_back('A');
    bytes.push_back(char(dtype));
    arrays.push_back({parameters++, extent});
  }
  void addScalar(isa::DType dtype) {
    bytes.push_back('S');
    bytes.push_back(char(dtype));
    ++parameters;
  }

  // Constants. A fingerprint is equal for values that compile alike, in every process; an object that has none is known
  // by its address, as long as somebody keeps it alive.
  void addInt(int64_t value) { addConstant('i', value); }
  void addFloat(double value) { addConstant('f', value); }
  void addNone() { addConstant('n'); }
  void addBool(bool value) { addConstant(value ? 't' : 'u'); }
  void addFingerprint(llvm::StringRef text) {
    addConstant('o', text.size());
    bytes += text;
  }
  void addAddress(const void *object) {
    addConstant('p', object);
    persistent = false;
  }

  // After the last argument, for launches on this platform.
  void finish(const machine::Platform &platform);

  // The whole key, good in this process; and what is the same in every process if the key is persistent.
  llvm::StringRef text() const { return bytes; }
  llvm::StringRef kinds() const { return llvm::StringRef(bytes).drop_back(sizeof(const machine::Platform *)); }
  bool isPersistent() const { return persistent; }
  // By parameter: an array that overlaps no other argument.
  llvm::ArrayRef<bool> noalias() const { return alone; }

private:
  void append(const auto &value) {
    bytes.append(llvm::StringRef(reinterpret_cast<const char *>(&value), sizeof value));
  }
  void addConstant(char kind, const auto &...value) {
    bytes.push_back(kind);
    (append(value), ...);
    ++parameters;
  }

  struct Array {
    unsigned parameter;
    Extent extent;
  };
  llvm::SmallString<128> bytes;
  llvm::SmallVector<Array, 8> arrays;
  llvm::SmallVector<bool, 16> alone;
  unsigned parameters = 0;
  bool persistent = true;
};

} // namespace tilesmith::runtime

#endif // TILESMITH_RUNTIME_CALLKEY_H
