// What asc keeps about a kernel, and what its builtins share: calls of the Machine's entries, instructions, tensors.
#ifndef TILESMITH_LIB_FRONTEND_ASC_CORE_H
#define TILESMITH_LIB_FRONTEND_ASC_CORE_H

#include "Numbers.h"

#include "tilesmith/Dialect/Asc/Asc.h"
#include "tilesmith/Isa/Isa.h"
#include <cmath>
#include <functional>
#include <variant>

namespace tilesmith::frontend::asc {

// A tensor's parts. Where it lies and how long it is may change, so they are cells; the rest is known while compiling.
struct TensorParts : Parts {
  bool isLocal = true;
  DType dtype = DType::Void; // of a GlobalTensor that has no buffer yet: none
  int64_t position = 0;      // as TPosition numbers it
  unsigned address = 0, size = 0, tag = 0;
  Value shape; // a ShapeInfo, or none
};

class Core final : public Session {
public:
  explicit Core(Lowering &lowering) : Session(lowering), numbers(lowering) {}
  // Whether the kernel is traced to be written as Ascend C. Nothing is called then; Written.h has what is done instead.
  bool writes() const { return l.written; }
  static Core &of(Lowering &lowering) { return static_cast<Core &>(lowering.session()); }
  bool finish(const Range &range) override;

  // Entries of the Machine that are no instructions (Isa/Services.td).
  Number ask(llvm::StringRef service, llvm::ArrayRef<Number> args, const Range &range);
  void tell(llvm::StringRef service, llvm::ArrayRef<Number> args, const Range &range);
  // A use the Machine does not model: a warning here, and a finding when it runs.
  bool unsupported(llvm::StringRef what, const Range &range, bool warns = true);
  // Ends the block with a finding of the table.
  void failAtRun(int64_t finding, llvm::StringRef text, const Range &range);
  void failUnless(const Number &condition, int64_t finding, llvm::StringRef text, const Range &range);
  bool warn(const llvm::Twine &text, const Range &range);

  // An instruction: its operands without enumerations in the record's order, and those by name. `result` null: none.
  mlir::Value issue(llvm::StringRef instruction, llvm::ArrayRef<mlir::Value> operands,
                    llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> choices, const Range &range,
                    mlir::Type result = {});
  // One whose operands are integers, buffers, and enumerations of integers.
  void issueNumbers(llvm::StringRef instruction, llvm::ArrayRef<std::variant<Number, mlir::Value>> operands,
                    const Range &range);

  // Tensors.
  Value makeLocal(DType dtype, int64_t position, const Number &address, const Number &size, const Range &range);
  Value makeGlobal(DType dtype, const Number &address, const Number &size, const Range &range);
  Number cell(unsigned index) { return Number(l.cells.get(index)); }
  unsigned makeCell(const Number &number, llvm::StringLiteral noun, const Range &range);
  void setCell(unsigned index, const Number &number, const Range &range);
  Number address(const Value &tensor);
  Number size(const Value &tensor);
  mlir::Value buffer(const Value &tensor, const Range &range);
  mlir::Value bufferAt(const Number &address, isa::Memory memory, DType dtype, const Range &range);
  // A kernel's array, as a number.
  Number addressOf(const Value &pointer, const Range &range);

  // Arguments of builtins. Each reports what is wrong and returns nothing then.
  Value expectTensor(const Argument &argument, llvm::StringRef what);
  std::optional<int64_t> expectKnown(const Argument &argument, llvm::StringRef what, int64_t otherwise = 0);
  Number expectNumber(const Argument &argument, llvm::StringRef what, int64_t otherwise = 0);
  // A field of a tiling struct.
  Number fieldOf(const Argument &tiling, llvm::StringRef name);
  // A number as a scalar of a type, as C++ converts it: integers wrap, fractions are cut off.
  mlir::Value toScalar(const Value &value, DType dtype, const Range &range);

  Numbers numbers;
  llvm::SmallVector<int64_t> pipes; // objects that live until the kernel ends
  int64_t nextPipe = 1;
  Value pipe;                                // the kernel's TPipe, if it has one
  Value workspace;                           // set_sys_workspace, if there was one
  bool waits = false;                        // cores wait for each other
  bool hasMatmul = false;                    // a matrix object is registered
  llvm::SmallVector<mlir::Attribute> prints; // lines of printf and dump_tensor, as isa.prints has them

private:
  // An error in a kernel that is written: what reaches the Machine has no text.
  bool mayCall(const Range &range);
  mlir::Value call(llvm::StringRef entry, llvm::ArrayRef<Number> args, bool gives, const Range &range);
};

// What a builtin is in a kernel that is written; nothing if it is what it is in one that runs.
std::optional<Value> writeBuiltin(Core &core, const Arguments &args);

// The builtin a function on the core is.
template <Value (*lower)(Core &, const Arguments &)> Value on(Lowering &l, const Arguments &args) {
  Core &core = Core::of(l);
  if (core.writes())
    if (std::optional<Value> written = writeBuiltin(core, args))
      return *written;
  return lower(core, args);
}

isa::Memory memoryOf(int64_t position);
inline int64_t addressIn(isa::Memory memory, int64_t offset) { return int64_t(uint64_t(memory) << 56) + offset; }
inline int64_t bytesOf(DType dtype) { return int64_t(isa::sizeOf(dtype)); }

extern const Kind *const localTensor, *const globalTensor;
inline bool isTensor(const Value &value) { return value.is(localTensor) || value.is(globalTensor); }
TensorParts &partsOf(const Value &tensor);

// The pipes of a HardEvent, as the table numbers both; nothing if there is no such event.
std::optional<std::pair<int64_t, int64_t>> pipesOfEvent(int64_t event);

// The pipe of a PipeID, as the table numbers it; nothing if the chips have no such pipe.
std::optional<int64_t> pipeOf(int64_t number);

// Positions that builtins name.
enum Position : int64_t { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, SPM, TSCM, PositionMax };

// The arguments of a call by name, in the order of a signature. Nothing where they do not fit it.
struct Named {
  llvm::SmallVector<Argument, 8> values;
  const Argument &operator[](unsigned i) const { return values[i]; }
};
std::optional<Named> match(const CallSite &site, llvm::ArrayRef<llvm::StringRef> names, unsigned required);

// A function with several forms of the instruction table; nothing if there is none of this name.
std::optional<Value> callForms(Core &core, llvm::StringRef name, CallSite &site);
// Forms of functions that are compositions of instructions.
std::optional<Value> callComposed(Core &core, llvm::StringRef name, CallSite &site);
// A form the chip has and the model does not; nothing if it is none of these.
std::optional<Value> callMissing(Core &core, llvm::StringRef name, CallSite &site);
// The library of functions above instructions (Machine/Library.def).
std::optional<Value> callLibrary(Core &core, llvm::StringRef name, CallSite &site);
// A constant argument: a struct of the host as a copy that the kernel may change.
Value structArgument(Core &core, const Value &value, const Range &range);
// A parameter struct; nothing if there is none of this name.
std::optional<Value> makeRecord(Core &core, llvm::StringRef name, CallSite &site);

llvm::ArrayRef<Builtin::Row> tensorBuiltins();
llvm::ArrayRef<Builtin::Row> queueBuiltins();
llvm::ArrayRef<Builtin::Row> systemBuiltins();
llvm::ArrayRef<Builtin::Row> registerBuiltins();
llvm::ArrayRef<Builtin::Row> orderBuiltins();
llvm::ArrayRef<Builtin::Row> sortBuiltins();
llvm::ArrayRef<Builtin::Row> printBuiltins();
llvm::ArrayRef<Builtin::Row> listBuiltins();
llvm::ArrayRef<Builtin::Row> matmulBuiltins();

} // namespace tilesmith::frontend::asc

#endif // TILESMITH_LIB_FRONTEND_ASC_CORE_H
