// Pieces of Ascend C that a kernel's author wrote.
#include "Printer.h"
#include "Types.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

std::string Printer::written(asc::WriteOp op, StringRef result) {
  std::string piece;
  StringRef rest = op.getText();
  while (true) {
    auto [plain, behind] = rest.split('$');
    piece += plain;
    if (plain.size() == rest.size())
      return piece;
    rest = behind;
    unsigned number = 0;
    if (rest.consume_front("r")) {
      piece += result;
    } else if (!rest.consumeInteger(10, number)) {
      Value value = op.getArgs()[number];
      piece += mlir::isa<BufferType>(value.getType()) ? buffer(value) : values.text(value);
    } else {
      piece += '$';
    }
  }
}

// A view is written where it is used, if that is one place and it has no name.
bool Printer::isInlined(asc::WriteOp op) {
  Value result = op.getResult();
  return op.getPure() && mlir::isa<BufferType>(result.getType()) && result.hasOneUse() &&
         !mlir::isa<NameLoc>(op.getLoc()) && (*result.user_begin())->getBlock() == op->getBlock() &&
         mlir::isa<asc::WriteOp>(*result.user_begin());
}

LogicalResult Printer::printWritten(asc::WriteOp op) {
  Value result = op.getResult();
  if (op.getPure() && (op.use_empty() || isInlined(op)))
    return success();
  places.comment(text, op.getLoc());
  std::optional<StringRef> type = op.getType();
  bool declares = type || op.getText().contains("$r");
  if (!result || (op.use_empty() && !declares)) {
    text.line(written(op) + ";");
    return success(!values.failed);
  }
  auto tensor = dyn_cast<BufferType>(result.getType());
  std::string cpp = type ? type->str() : tensor ? tensorType(tensor) : cppType(result.getType()).str();
  std::string name = values.name(result, tensor ? "tensor" : "v");
  if (!declares) {
    text.line((tensor ? "" : "const ") + cpp + " " + name + " = " + written(op) + ";");
  } else {
    if (!cpp.empty())
      text.line(cpp + " " + name + ";");
    if (std::string piece = written(op, name); !piece.empty())
      text.line(piece + ";");
  }
  values.bind(result, name);
  return success(!values.failed);
}

} // namespace tilesmith::ascendc
