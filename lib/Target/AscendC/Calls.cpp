// Instructions as calls. Ordinary ones come from the table; flags, barriers, modes, scalar accesses and the identity of
// the block are written here.
#include "CallTable.h"
#include "Printer.h"
#include "Types.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilesmith::isa;

namespace tilesmith::ascendc {

static StringRef ref(std::string_view text) { return StringRef(text.data(), text.size()); }

// The op's operand for an operand of the record; attributes have none.
static Value operandOf(InstructionOpInterface op, unsigned operand) {
  const InstructionInfo &info = op.getInfo();
  unsigned position = 0;
  for (unsigned i = 0; i < operand; ++i)
    position += info.operands[i].kind != OperandKind::Attribute;
  return op->getOperand(position);
}

std::string Printer::argument(InstructionOpInterface op, unsigned operand) {
  const OperandInfo &info = op.getInfo().operands[operand];
  if (info.kind == OperandKind::Attribute)
    return ref(enumeratorOf(info.enumeration, abiValueOf(op->getAttr(ref(info.name))))).str();
  Value value = operandOf(op, operand);
  if (info.kind == OperandKind::Buffer)
    return buffer(value);
  std::string text = values.text(value);
  int dtypeOperand = op.getInfo().dtypeOperand;
  if (info.kind != OperandKind::Scalar || dtypeOperand < 0)
    return text;
  // The call deduces its element type from all arguments: a scalar must have it. Literals are ints.
  StringRef element = elementType(mlir::cast<BufferType>(operandOf(op, dtypeOperand).getType()).getElementType());
  bool isInt = mlir::isa<IntegerType>(value.getType()) && values.ranges.of(value).isOne();
  StringRef type = isInt ? StringRef("int32_t") : cppType(value.getType());
  return type == element ? text : ("static_cast<" + element + ">(" + text + ")").str();
}

// A brace list takes no value that may not fit: literals that do stand as they are, everything else is cast. A cast
// that could cut something says so when it does: the Machine has the whole value from the JIT, and refuses it.
std::string Printer::member(InstructionOpInterface op, unsigned operand, StringRef type) {
  Value value = operandOf(op, operand);
  Range range = values.ranges.of(value);
  if (range.isOne() && type == "bool")
    return range.low ? "true" : "false";
  unsigned width = 0;
  bool isUnsigned = type.starts_with("uint");
  (void)type.drop_front(isUnsigned ? 4 : 3).take_while([](char c) { return llvm::isDigit(c); }).getAsInteger(10, width);
  __int128 low = isUnsigned || !width ? 0 : -(__int128(1) << (width - 1));
  __int128 high = !width ? 0 : (__int128(1) << (isUnsigned ? width : width - 1)) - 1;
  if (range.isOne() && width) {
    if (!range.within({low, high})) {
      op.emitOpError() << "needs " << int64_t(range.low) << " where Ascend C has a " << type;
      values.failed = true;
    }
    return values.text(value);
  }
  if (width && width < 64 && !range.within({low, high})) // 64 bits go through whole
    return unit.helpers.field(type, values.text(value));
  return ("static_cast<" + type + ">(" + values.text(value) + ")").str();
}

LogicalResult Printer::printTableCall(InstructionOpInterface op) {
  const InstructionInfo &info = op.getInfo();
  std::span<const CallToken> tokens = callOf(info.opcode);
  if (tokens.empty())
    return op.emitOpError() << "has no call in Ascend C";
  std::string call = ("AscendC::" + ref(info.ascendName)).str();
  auto arch = op->getParentOfType<func::FuncOp>()->getAttrOfType<StringAttr>(archAttrName);
  bool wide = arch && arch.getValue() == "C310";
  for (const CallToken &token : tokens) {
    switch (token.kind) {
    case CallToken::Text:
      call += token.text;
      break;
    case CallToken::Operand:
      call += argument(op, token.operand);
      break;
    case CallToken::Member:
      call += member(op, token.operand, ref(wide ? token.wideText : token.text));
      break;
    case CallToken::Type:
      call += elementType(mlir::cast<BufferType>(operandOf(op, token.operand).getType()).getElementType());
      break;
    }
  }
  text.line(call + ";");
  return success(!values.failed);
}

LogicalResult Printer::printFlag(InstructionOpInterface op) {
  auto pipe = [&](StringRef name) { return ref(stringify(op->getAttrOfType<PipeAttr>(name).getValue())); };
  std::string event = (pipe("from") + "_" + pipe("to")).str();
  if (!symbolize<HardEvent>(event)) // only some pairs of pipes have flags
    return op.emitOpError() << "names no event of the chip: " << event;
  text.line("AscendC::" + ref(op.getInfo().ascendName) + "<AscendC::HardEvent::" + event + ">(" +
            values.text(op->getOperand(0)) + ");");
  return success(!values.failed);
}

LogicalResult Printer::printCrossFlag(InstructionOpInterface op) {
  bool sets = op.getInfo().opcode == Opcode::CrossCoreSet;
  Pipe pipe = op->getAttrOfType<PipeAttr>(sets ? "from" : "on").getValue();
  Range mode = values.ranges.of(op->getOperand(0));
  if (!mode.isOne())
    return op.emitOpError() << "has a mode that is not a constant, which Ascend C cannot write";
  std::string how = "<" + std::to_string(int64_t(mode.low)) + ", " + enumeratorOf("Pipe", int64_t(pipe)).data() + ">";
  if (!sets && pipe == Pipe::S) // the 910B's way
    how = "";
  text.line("AscendC::" + ref(op.getInfo().ascendName) + how + "(" + values.text(op->getOperand(1)) + ");");
  return success(!values.failed);
}

// The mode is set for an element type: that of the stores it is for, the next ones.
LogicalResult Printer::printAtomic(SetAtomicOp op) {
  AtomicOp mode = op.getOp().getValue();
  if (mode == AtomicOp::None) {
    text.line("AscendC::SetAtomicNone();");
    return success();
  }
  Type element;
  for (Operation *next = op->getNextNode(); next && !element; next = next->getNextNode())
    next->walk([&](InstructionOpInterface store) {
      Family family = store.getInfo().family;
      if (family != Family::MoveOut && store.getInfo().opcode != Opcode::FixpipeToGm)
        return WalkResult::advance();
      element = mlir::cast<BufferType>(store->getOperand(0).getType()).getElementType();
      return WalkResult::interrupt();
    });
  if (!element)
    return op.emitOpError() << "has no store after it that says its element type";
  text.line("AscendC::SetAtomic" + ref(stringify(mode)) + "<" + elementType(element) + ">();");
  return success();
}

// The layout of a result in UB is a constant of the source: Ascend C has none for it.
LogicalResult Printer::printFixpipeToUb(FixpipeToUbOp op) {
  if (Range nz = values.ranges.of(op.getNz()); !nz.isOne() || nz.low)
    return op.emitOpError() << "writes another layout than rows";
  auto call = mlir::cast<InstructionOpInterface>(op.getOperation());
  auto element = [&](unsigned operand) {
    return elementType(mlir::cast<BufferType>(operandOf(call, operand).getType()).getElementType()).str();
  };
  text.line("AscendC::Fixpipe<" + element(0) + ", " + element(1) + ", " + unit.helpers.rowsToUb() + ">(" +
            argument(call, 0) + ", " + argument(call, 1) +
            ", AscendC::FixpipeParamsC310<AscendC::CO2Layout::ROW_MAJOR>{" + member(call, 2, "uint16_t") + ", " +
            member(call, 3, "uint16_t") + ", " + member(call, 4, "uint16_t") + ", " + member(call, 5, "uint32_t") +
            ", " + argument(call, 6) + ", 0, " + member(call, 7, "bool") + ", " + member(call, 8, "uint8_t") + ", " +
            member(call, 10, "uint8_t") + ", " + member(call, 9, "bool") + ", false, {}});");
  return success(!values.failed);
}

// A printed line comes as one op for each value, so the text of the line is divided among them: each prints what stands
// before its place in the format, the last one the rest. Elements of a tile are printed with their positions, one a
// line.
LogicalResult Printer::printDevicePrint(DevicePrintOp op) {
  auto sites = kernel->getAttrOfType<ArrayAttr>(printsAttrName);
  Range site = values.ranges.of(op.getSite()), field = values.ranges.of(op.getValue());
  if (!sites || !site.isOne() || !field.isOne() || site.low < 0 || site.low >= int64_t(sites.size()))
    return op.emitOpError() << "names no line of the kernel";
  auto line = mlir::cast<ArrayAttr>(sites[unsigned(site.low)]);
  StringRef rest = mlir::cast<StringAttr>(line[0]).getValue();
  int64_t count = line.size() - 1, index = int64_t(field.low);
  std::string piece;
  auto take = [&](bool toEnd) { // to the next field of the format, over it
    piece.clear();
    while (!rest.empty()) {
      char c = rest.front();
      rest = rest.drop_front();
      if ((c == '{' || c == '}') && rest.starts_with(StringRef(&c, 1))) {
        rest = rest.drop_front();
      } else if (c == '{' && !toEnd) {
        rest = rest.split('}').second;
        return;
      }
      if (c == '"' || c == '\\')
        piece += '\\';
      piece += c == '\n' ? std::string("\\n") : c == '%' ? std::string("%%") : std::string(1, c);
    }
  };
  for (int64_t i = 0; i < index; ++i)
    take(false);
  take(count == 0);
  std::string before = piece;
  if (count == 0) {
    text.line("AscendC::printf(\"" + before + "\\n\");");
    return success();
  }
  bool isTile = mlir::cast<StringAttr>(line[index + 1]).getValue().contains('[');
  std::string after;
  if (index == count - 1 && !isTile) {
    take(true);
    after = piece;
  }
  after += isTile || index == count - 1 ? "\\n" : "";
  Type type = op.getContent().getType();
  bool isFloat = mlir::isa<FloatType>(type);
  std::string content = values.text(op.getContent());
  content = isFloat ? (type.isF32() ? content : widenFloat(content, type)) : "static_cast<int64_t>(" + content + ")";
  std::string position = isTile ? "[%lld] " : "",
              element = isTile ? "static_cast<int64_t>(" + values.text(op.getElement()) + "), " : "";
  text.line("AscendC::printf(\"" + before + position + (isFloat ? "%f" : "%lld") + after + "\", " + element + content +
            ");");
  return success(!values.failed);
}

// The call that counts in steps of 1.
LogicalResult Printer::printArange(ArangeOp op) {
  Attribute step;
  matchPattern(op.getStep(), m_Constant(&step));
  auto integer = dyn_cast_if_present<IntegerAttr>(step);
  auto real = dyn_cast_if_present<FloatAttr>(step);
  if (!(integer && integer.getValue().isOne()) && !(real && real.getValue().isExactlyValue(1.0)))
    return op.emitOpError() << "counts in steps that CreateVecIndex does not have";
  StringRef element = elementType(mlir::cast<BufferType>(op.getDst().getType()).getElementType());
  text.line("AscendC::CreateVecIndex(" + buffer(op.getDst()) + ", static_cast<" + element + ">(" +
            values.text(op.getFirst()) + "), " + values.text(op.getCount()) + ");");
  return success(!values.failed);
}

// How far offsets may reach, the tensor says: a buffer is rounded up, so it may have to be made shorter first.
LogicalResult Printer::printByOffsets(InstructionOpInterface op) {
  bool gathers = op.getInfo().opcode == Opcode::Gather;
  Value reached = op->getOperand(gathers ? 1 : 0), storage = reached;
  while (auto view = storage.getDefiningOp<ViewOp>())
    storage = view.getBase();
  if (auto slot = storage.getDefiningOp<SlotOp>())
    storage = slot.getRing();
  auto alloc = storage.getDefiningOp<AllocOp>();
  Range bytes = values.ranges.of(op->getOperand(4));
  if (!bytes.isOne())
    return op.emitOpError() << "reaches as far as only the launch knows";
  std::string tensor = buffer(reached);
  if (!alloc || int64_t(alloc.getBytes()) != int64_t(bytes.low)) {
    auto type = mlir::cast<BufferType>(reached.getType());
    std::string name = names.unique("whole");
    text.line(tensorType(type) + " " + name + " = " + tensor + ";");
    text.line(name + ".SetSize(" + std::to_string(int64_t(bytes.low) / elementSize(type.getElementType())) + ");");
    tensor = name;
  }
  text.line("AscendC::" + ref(op.getInfo().ascendName) + "(" + (gathers ? buffer(op->getOperand(0)) : tensor) + ", " +
            (gathers ? tensor : buffer(op->getOperand(1))) + ", " + buffer(op->getOperand(2)) + ", " +
            values.text(op->getOperand(3)) + ", " + values.text(op->getOperand(5)) + ");");
  return success(!values.failed);
}

// The call counts what it keeps, which nobody asks for here.
LogicalResult Printer::printGatherMask(GatherMaskOp op) {
  std::string kept = names.unique("kept");
  text.line("uint64_t " + kept + " = 0;");
  text.line("AscendC::GatherMask(" + buffer(op.getDst()) + ", " + buffer(op.getSrc()) + ", static_cast<uint8_t>(" +
            values.text(op.getPattern()) + "), true, " + values.text(op.getElements()) + ", {" +
            values.text(op.getSrcBlk()) + ", " + values.text(op.getRepeat()) + ", " + values.text(op.getSrcRep()) +
            ", 0}, " + kept + ");");
  return success(!values.failed);
}

// Lists that are not there have no bit in the mask of valid ones.
LogicalResult Printer::printMrgSort(MrgSortOp op) {
  std::string lengths = names.unique("lengths");
  StringRef element = elementType(mlir::cast<BufferType>(op.getDst().getType()).getElementType());
  int64_t valid = 0;
  std::string counts;
  Value numbers[] = {op.getCount0(), op.getCount1(), op.getCount2(), op.getCount3()};
  for (auto [i, count] : llvm::enumerate(numbers)) {
    Range range = values.ranges.of(count);
    if (!range.isOne())
      return op.emitOpError() << "merges lists whose lengths are known only when the kernel runs";
    valid |= int64_t(range.low != 0) << i;
    counts += (i ? ", " : "") + values.text(count);
  }
  text.line("const uint16_t " + lengths + "[4] = {" + counts + "};");
  text.line("AscendC::MrgSort(" + buffer(op.getDst()) + ", AscendC::MrgSortSrcList<" + element + ">(" +
            buffer(op.getSrc0()) + ", " + buffer(op.getSrc1()) + ", " + buffer(op.getSrc2()) + ", " +
            buffer(op.getSrc3()) + "), AscendC::MrgSort4Info(" + lengths + ", " +
            (values.ranges.of(op.getStops()).low ? "true" : "false") + ", " + std::to_string(valid) + ", " +
            values.text(op.getRepeat()) + "));");
  return success(!values.failed);
}

LogicalResult Printer::printVectorFunction(VfOp vf) {
  SmallVector<std::string> parameterNames, arguments;
  for (Value arg : vf.getArgs()) {
    auto type = dyn_cast<BufferType>(arg.getType());
    std::string value = type ? buffer(arg) : values.text(arg);
    StringRef name = value;
    parameterNames.push_back(name.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; }).str());
    if (!type && !values.isBound(arg))
      parameterNames.back() = "scalar";
    arguments.push_back(
        type ? ("(__ubuf__ " + elementType(type.getElementType()) + " *)" + value + ".GetPhyAddr()").str() : value);
  }
  FailureOr<std::string> function = unit.functions.add(
      vf, kernel.getName().str() + "_vf" + std::to_string(numVectorFunctions++), places, parameterNames);
  if (failed(function))
    return failure();
  text.line("asc_vf_call<" + *function + ">(" + llvm::join(arguments, ", ") + ");");
  return success(!values.failed);
}

LogicalResult Printer::printInstruction(InstructionOpInterface op) {
  switch (op.getInfo().opcode) {
  case Opcode::SetFlag:
  case Opcode::WaitFlag:
    return printFlag(op);
  case Opcode::CrossCoreSet:
  case Opcode::CrossCoreWait:
    return printCrossFlag(op);
  case Opcode::PipeBarrier:
    text.line("AscendC::PipeBarrier<" + ref(enumeratorOf("Pipe", abiValueOf(op->getAttr("on")))) + ">();");
    return success();
  case Opcode::SetAtomic:
    return printAtomic(mlir::cast<SetAtomicOp>(op));
  case Opcode::FixpipeToUb:
    return printFixpipeToUb(mlir::cast<FixpipeToUbOp>(op));
  case Opcode::DevicePrint:
    return printDevicePrint(mlir::cast<DevicePrintOp>(op));
  case Opcode::BlockIdx:
  case Opcode::BlockNum: {
    std::string call = ("AscendC::" + ref(op.getInfo().ascendName) + "()").str();
    if (op->use_empty()) {
      text.line(call + ";");
      return success();
    }
    return declare(op->getResult(0), call);
  }
  case Opcode::GetValue: {
    auto [tensor, index] = bufferAndIndex(op->getOperand(0));
    std::string call = tensor + ".GetValue(" + index + ")";
    auto type = mlir::cast<BufferType>(op->getOperand(0).getType());
    if (type.getMemory() == Memory::GM && kernel->hasAttr(workspaceAttrName)) // what another core has stored meanwhile
      text.line(("AscendC::DataCacheCleanAndInvalid<" + elementType(type.getElementType()) +
                 ", AscendC::CacheLine::SINGLE_CACHE_LINE, AscendC::DcciDst::CACHELINE_OUT>(" + tensor + "[" + index +
                 "]);")
                    .str());
    if (op->use_empty()) {
      text.line(call + ";");
      return success(!values.failed);
    }
    return declare(op->getResult(0), call);
  }
  case Opcode::SetValue: {
    auto [tensor, index] = bufferAndIndex(op->getOperand(0));
    text.line(tensor + ".SetValue(" + index + ", " + values.text(op->getOperand(1)) + ");");
    return success(!values.failed);
  }
  case Opcode::Arange:
    return printArange(mlir::cast<ArangeOp>(op));
  case Opcode::Gather:
  case Opcode::Scatter:
    return printByOffsets(op);
  case Opcode::GatherMask:
    return printGatherMask(mlir::cast<GatherMaskOp>(op));
  case Opcode::MrgSort:
    return printMrgSort(mlir::cast<MrgSortOp>(op));
  case Opcode::Copy: // whole blocks inside UB
    text.line("AscendC::DataCopy(" + buffer(op->getOperand(0)) + ", " + buffer(op->getOperand(1)) + ", " +
              values.text(op->getOperand(2)) + ");");
    return success(!values.failed);
  default:
    return printTableCall(op);
  }
}

} // namespace tilesmith::ascendc
