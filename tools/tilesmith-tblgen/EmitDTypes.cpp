// The element types (DTypes.td): a table for C++, the list of floats for the dialect, JSON for Python and docs.
#include "Emitters.h"
#include "Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Error.h"

using namespace llvm;

namespace tilesmith::tblgen {

static std::vector<const Record *> dtypesOf(const RecordKeeper &records) {
  return records.getDef("DType")->getValueAsListOfDefs("cases");
}

// Two parts of one file: TILESMITH_DTYPE_TABLE asks for the table, TILESMITH_FLOAT_TYPE(name, class) names each float
// that MLIR has.
void emitDTypes(const RecordKeeper &records, raw_ostream &os) {
  os << "#ifdef TILESMITH_DTYPE_TABLE\n#undef TILESMITH_DTYPE_TABLE\n"
        "inline constexpr DTypeInfo dtypeTable[numDType] = {\n";
  for (const auto &[i, type] : enumerate(dtypesOf(records))) {
    if (type->getValueAsInt("caseValue") != int64_t(i))
      PrintFatalError(type, "types stand in the order of their numbers");
    os << "  {\"" << type->getValueAsString("caseName") << "\", \"" << type->getValueAsString("pythonName") << "\", \""
       << type->getValueAsString("ascendName") << "\", DTypeKind::" << type->getValueAsString("kind")
       << ", DTypeUse::" << type->getValueAsString("use") << ", " << type->getValueAsInt("width") << ", "
       << type->getValueAsInt("exponent") << ", " << type->getValueAsInt("mantissa") << "},\n";
  }
  os << "};\n#endif\n\n#ifdef TILESMITH_FLOAT_TYPE\n";
  for (const Record *type : dtypesOf(records))
    if (!type->getValueAsString("mlirType").empty())
      os << "TILESMITH_FLOAT_TYPE(" << type->getValueAsString("caseName") << ", " << type->getValueAsString("mlirType")
         << ")\n";
  os << "#undef TILESMITH_FLOAT_TYPE\n#endif\n";
}

json::Array dtypesAsJson(const RecordKeeper &records) {
  json::Array result;
  for (const Record *type : dtypesOf(records)) {
    json::Array aliases;
    for (StringRef alias : type->getValueAsListOfStrings("pythonAliases"))
      aliases.push_back(alias);
    result.push_back(json::Object{{"name", type->getValueAsString("caseName")},
                                  {"python", type->getValueAsString("pythonName")},
                                  {"aliases", std::move(aliases)},
                                  {"cpp", type->getValueAsString("ascendName")},
                                  {"kind", type->getValueAsString("kind")},
                                  {"bits", type->getValueAsInt("width")},
                                  {"exponent", type->getValueAsInt("exponent")},
                                  {"mantissa", type->getValueAsInt("mantissa")},
                                  {"use", type->getValueAsString("use")}});
  }
  return result;
}

} // namespace tilesmith::tblgen
