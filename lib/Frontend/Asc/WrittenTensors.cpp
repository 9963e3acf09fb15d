// Tensors of a kernel that is written.
#include "Written.h"

namespace tilesmith::frontend::asc {

mlir::Type writtenType(Core &core, DType dtype, isa::Memory memory) {
  return isa::BufferType::get(core.builder().getContext(), memory, core.l.ir.element(dtype));
}

Value writtenLocal(Core &core, Text &text, DType dtype, int64_t position, const Number &size, const Range &range,
                   bool pure) {
  mlir::Value tensor = text.result(writtenType(core, dtype, memoryOf(position)), pure);
  Value value = core.makeLocal(dtype, position, Number(tensor), size, range);
  value.ir = tensor; // it gets the name it is assigned to
  return value;
}

mlir::Value writtenView(Core &core, const Value &tensor, const Number &offset, const Range &range) {
  TensorParts &parts = partsOf(tensor);
  Text text(core, range);
  text.variable(tensor) << "[";
  text.number(offset) << "]";
  return text.result(writtenType(core, parts.dtype, parts.isLocal ? memoryOf(parts.position) : isa::Memory::GM), true);
}

Value readWritten(Core &core, const Value &tensor, const Number &index, const Range &range) {
  DType dtype = partsOf(tensor).dtype;
  Text text(core, range);
  text.variable(tensor) << ".GetValue(";
  text.number(index) << ")";
  return Value::ofScalar(text.result(core.l.ir.type(dtype)), dtype);
}

bool writeWritten(Core &core, const Value &tensor, const Number &index, const Value &value, const Range &range) {
  Text text(core, range);
  text.variable(tensor) << ".SetValue(";
  text.number(index) << ", ";
  text.scalar(value, partsOf(tensor).dtype) << ")";
  if (!text.failed)
    text.statement();
  return !text.failed;
}

static Value makeLocalTensor(Core &core, const Arguments &args) {
  std::optional<DType> dtype = core.l.expect.dtype(args[0], "dtype");
  std::optional<int64_t> position = dtype ? core.expectKnown(args[1], "pos", args[1] ? 0 : VECIN) : std::nullopt;
  Number address = position ? core.expectNumber(args[2], "addr") : Number();
  Number size = address ? core.expectNumber(args[3], "tile_size") : Number();
  if (!size)
    return {};
  Text text(core, args.range);
  text << "AscendC::LocalTensor<" << cppName(*dtype) << ">(";
  if (args[1] || args[2] || args[3]) {
    text << positionName(*position) << ", ";
    text.number(address, "uint32_t") << ", ";
    text.number(size, "uint32_t");
  }
  text << ")";
  return writtenLocal(core, text, *dtype, *position, size, args.range);
}

bool writePointer(Core &core, Text &text, const Value &pointer, const Range &range) {
  text.value(pointer.ir);
  if (pointer.items().empty())
    return true;
  Number offset = core.numbers.of(pointer.items()[0], "an offset", range);
  if (offset) {
    text << " + ";
    text.number(offset);
  }
  return bool(offset);
}

// It has no type yet, and no text: what it is assigned to names the tensor that its buffer makes of it.
static Value makeGlobalTensor(Core &core, const Arguments &args) {
  Value tensor = core.makeGlobal(DType::Void, 0, 0, args.range);
  tensor.ir = Text(core, args.range).result(core.builder().getI32Type(), /*pure=*/true);
  return tensor;
}

static Value setGlobalBuffer(Core &core, const Arguments &args) {
  const Value &buffer = args[1].value;
  if (!buffer.is(kinds::address))
    return core.fail(args[1].range, "TypeError",
                     "set_global_buffer takes the address of an array, not " + core.describe(buffer));
  Value target = core.values.read(args[0].value);
  TensorParts &parts = partsOf(target);
  if (target.ir && parts.dtype == DType::Void && target.ir.getParentBlock() != core.builder().getInsertionBlock())
    return core.fail(args.range, "NotImplementedError",
                     "a GlobalTensor that gets its buffer inside a loop or branch only cannot be written as Ascend C",
                     "make the GlobalTensor there, too");
  Number size = core.expectNumber(args[2], "buffer_size");
  Text text(core, args.range);
  text << "$r.SetGlobalBuffer(";
  if (!size || !writePointer(core, text, buffer, args.range))
    return {};
  if (args[2]) {
    text << ", ";
    text.number(size);
  }
  text << ")";
  parts.dtype = buffer.dtype;
  mlir::Value tensor = text.result(writtenType(core, buffer.dtype, isa::Memory::GM));
  mlir::Operation *made = target.ir ? target.ir.getDefiningOp() : nullptr;
  if (auto named = made ? llvm::dyn_cast<mlir::NameLoc>(made->getLoc()) : mlir::NameLoc())
    tensor.getDefiningOp()->setLoc(mlir::NameLoc::get(named.getName(), core.loc(args.range)));
  core.setCell(parts.address, Number(tensor), args.range);
  core.setCell(parts.size, size, args.range);
  return core.none();
}

static Value reinterpretCast(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[0], "the receiver");
  std::optional<DType> dtype = tensor ? core.l.expect.dtype(args[1], "dtype") : std::nullopt;
  if (!dtype)
    return {};
  TensorParts &parts = partsOf(tensor);
  Numbers &n = core.numbers;
  Number size = n.binary("/", n.mul(core.size(tensor), bytesOf(parts.dtype), args.range), bytesOf(*dtype), args.range);
  Text text(core, args.range);
  text.variable(tensor) << ".ReinterpretCast<" << cppName(*dtype) << ">()";
  if (parts.isLocal)
    return writtenLocal(core, text, *dtype, parts.position, size, args.range, /*pure=*/true);
  mlir::Value view = text.result(writtenType(core, *dtype, isa::Memory::GM), true);
  return core.makeGlobal(*dtype, Number(view), size, args.range);
}

static Value setSize(Core &core, const Arguments &args, bool inBytes) {
  Number size = core.expectNumber(args[1], "the size of a tensor");
  if (!size)
    return {};
  Text text(core, args.range);
  text.variable(args[0].value) << (inBytes ? ".SetBufferLen(" : ".SetSize(");
  text.number(size, "uint32_t") << ")";
  text.statement();
  TensorParts &parts = partsOf(core.values.read(args[0].value));
  core.setCell(parts.size, inBytes ? core.numbers.binary("/", size, bytesOf(parts.dtype), args.range) : size,
               args.range);
  return core.none();
}

static Value getPhyAddr(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[0], "the receiver");
  Number offset = tensor ? core.expectNumber(args[1], "the offset of an element") : Number();
  if (!offset)
    return {};
  TensorParts &parts = partsOf(tensor);
  Text text(core, args.range);
  text.variable(tensor) << ".GetPhyAddr(";
  text.number(offset) << ")";
  if (parts.isLocal)
    return Value::ofScalar(text.result(core.builder().getI64Type(), true), DType::I64);
  return core.fail(args.range, "NotImplementedError", "the address of a GlobalTensor cannot be written as Ascend C yet",
                   "use the kernel's array itself");
}

// The tensor becomes the view of another one from there on.
static Value setAddrWithOffset(Core &core, const Arguments &args) {
  Value source = core.expectTensor(args[1], "src");
  Number offset = source ? core.expectNumber(args[2], "offset") : Number();
  if (!offset)
    return {};
  TensorParts &parts = partsOf(core.values.read(args[0].value)), &from = partsOf(source);
  if (!parts.isLocal || !from.isLocal || memoryOf(parts.position) != memoryOf(from.position))
    return core.fail(args.range, "NotImplementedError",
                     "a tensor that becomes one of another memory cannot be written as Ascend C");
  Text text(core, args.range);
  text.variable(source) << "[";
  text.number(offset) << "].ReinterpretCast<" << cppName(parts.dtype) << ">()";
  parts.position = from.position;
  core.setCell(parts.address, Number(text.result(writtenType(core, parts.dtype, memoryOf(from.position)), true)),
               args.range);
  return core.none();
}

static Value setL2CacheHint(Core &core, const Arguments &args) {
  std::optional<int64_t> mode = core.expectKnown(args[1], "mode", 0), way = core.expectKnown(args[2], "rw_mode", 3);
  if (!mode || !way)
    return {};
  Text text(core, args.range);
  text.variable(args[0].value) << ".SetL2CacheHint<static_cast<AscendC::CacheRwMode>(" << llvm::Twine(*way)
                               << ")>(static_cast<AscendC::CacheMode>(" << llvm::Twine(*mode) << "))";
  text.statement();
  return core.none();
}

std::optional<Value> writeOfTensors(Core &core, const Arguments &args) {
  llvm::StringRef name = args.name;
  if (name == "asc.LocalTensor")
    return makeLocalTensor(core, args);
  if (name == "asc.GlobalTensor")
    return makeGlobalTensor(core, args);
  if (!name.consume_front("asc.tensor."))
    return std::nullopt;
  if (name == "set_global_buffer")
    return setGlobalBuffer(core, args);
  if (name == "reinterpret_cast")
    return reinterpretCast(core, args);
  if (name == "set_size" || name == "set_buffer_len")
    return setSize(core, args, name == "set_buffer_len");
  if (name == "get_phy_addr")
    return getPhyAddr(core, args);
  if (name == "set_addr_with_offset")
    return setAddrWithOffset(core, args);
  if (name == "set_l2_cache_hint")
    return setL2CacheHint(core, args);
  return std::nullopt; // of numbers and views there is nothing else to say
}

} // namespace tilesmith::frontend::asc
