// Parameter structs: their members by name. Numbers are kept as the member's C++ type holds them, and may be assigned.
#ifndef TILESMITH_LIB_FRONTEND_ASC_RECORDS_H
#define TILESMITH_LIB_FRONTEND_ASC_RECORDS_H

#include "Core.h"

namespace tilesmith::frontend::asc {

struct StructInfo {
  struct Member {
    std::string name, cpp, type, defaultValue;
    // Of a number: the bits of its type. 0: another thing.
    unsigned bits = 0;
    bool isSigned = false;
    bool isWritten = false; // in Ascend C its default is another
  };
  std::string name;
  std::vector<Member> members;
};

// Null if there is no such struct.
const StructInfo *findStruct(llvm::StringRef name);

struct RecordParts : Parts {
  const StructInfo *info = nullptr;
  DType dtype = DType::Void; // of a struct that is a template over an element type
  struct Field {
    unsigned cell = 0; // of a number
    Value value;       // of anything else
  };
  llvm::SmallVector<Field> fields;
};

extern const Kind *const record;
RecordParts &recordOf(const Value &value);

// Whether the value is this struct: made in the kernel, or an object of the host.
bool isStruct(Core &core, const Value &value, llvm::StringRef name);
// What a member is when nobody gave it: a number as C++ writes it.
int64_t defaultOf(const StructInfo::Member &member);
// A member that is not a number, of a struct made in the kernel; invalid if it was not given.
Value fieldOf(const Value &record, llvm::StringRef member);
// A member by its C++ name; invalid after an error. A number is as its type holds it.
Value memberOf(Core &core, const Value &record, llvm::StringRef cpp, const Range &range);

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_RECORDS_H
