// A kernel that is written: what it calls, as Ascend C.
//
// A kernel that is traced to be written has one asc.write for each call of its author, and the scalar code between
// them. A tensor's address is then the variable of the tensor, and an object has a variable, too. Numbers that are
// known while compiling stand in the text.
#ifndef TILESMITH_LIB_FRONTEND_ASC_WRITTEN_H
#define TILESMITH_LIB_FRONTEND_ASC_WRITTEN_H

#include "Core.h"

namespace tilesmith::frontend::asc {

// The text of one asc.write, with its operands.
class Text {
public:
  Text(Core &core, const Range &range) : core(core), range(range) {}

  Text &operator<<(const llvm::Twine &more) {
    text += more.str();
    return *this;
  }
  // A number; as a C++ type, if one is named.
  Text &number(const Number &number, llvm::StringRef type = "");
  Text &value(mlir::Value value);
  // A tensor, an object, an array.
  Text &variable(const Value &value);
  // A scalar of Python as one of an element type. Nothing is added after an error.
  Text &scalar(const Value &value, DType dtype);

  void statement();
  // The variable that has the text's value, of a type of the IR. What is `pure` is left out when nobody reads it.
  mlir::Value result(mlir::Type type, bool pure = false);
  // A variable of a C++ type; with a text, `$r` stands for it there. Without a type the text declares it.
  mlir::Value declare(llvm::StringRef type);

  bool failed = false;

private:
  mlir::Value make(mlir::Type result, std::optional<llvm::StringRef> type, bool pure);

  Core &core;
  Range range;
  std::string text;
  llvm::SmallVector<mlir::Value> operands;
};

// "half", "int32_t"
llvm::StringRef cppName(DType dtype);
// "AscendC::TPosition::VECIN"
std::string positionName(int64_t position);
// "AscendC::HardEvent::MTE2_V"; an error if there is no such event.
std::string eventName(Core &core, int64_t event, const Range &range);
// "AscendC::RoundMode::CAST_RINT" of ("RoundMode", 1); the number as this type where it has no name.
std::string enumeratorName(llvm::StringRef type, int64_t value);

// The variable of an object that was just made.
void writeObject(Core &core, const Value &object, const Range &range);
// A parameter struct as an expression or the variable that has been declared for it; `type` is its C++ type.
bool writeRecord(Core &core, Text &text, const Value &record, llvm::StringRef type, DType element, const Range &range);

// A mask: a number of first lanes, or the variable of an array with the words of bits.
bool writeMask(Core &core, Text &text, const Argument &mask, const Range &range);

std::optional<Value> writeOfTensors(Core &core, const Arguments &args);
std::optional<Value> writeOfObjects(Core &core, const Arguments &args);
std::optional<Value> writeOfSystem(Core &core, const Arguments &args);
std::optional<Value> writeOfSorting(Core &core, const Arguments &args);
std::optional<Value> writeOfMatmul(Core &core, const Arguments &args);

// The address of an array, moved on by elements.
bool writePointer(Core &core, Text &text, const Value &pointer, const Range &range);

mlir::Type writtenType(Core &core, DType dtype, isa::Memory memory);
// The tensor a text is, at a position.
Value writtenLocal(Core &core, Text &text, DType dtype, int64_t position, const Number &size, const Range &range,
                   bool pure = false);
// `tensor[offset]`, and an element of it.
mlir::Value writtenView(Core &core, const Value &tensor, const Number &offset, const Range &range);
Value readWritten(Core &core, const Value &tensor, const Number &index, const Range &range);
bool writeWritten(Core &core, const Value &tensor, const Number &index, const Value &value, const Range &range);

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_WRITTEN_H
