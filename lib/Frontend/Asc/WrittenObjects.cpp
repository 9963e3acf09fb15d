// Pipes, queues, buffers of a kernel that is written.
#include "Objects.h"
#include "Written.h"

#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend::asc {

void writeObject(Core &core, const Value &value, const Range &range) {
  ObjectParts &parts = objectOf(value);
  std::string type;
  if (parts.kind == object::pipe)
    type = "AscendC::TPipe";
  else if (parts.kind == object::queue)
    type = "AscendC::TQue<" + positionName(parts.src) + ", " + std::to_string(parts.depth) + ">";
  else if (parts.kind == object::bind)
    type = "AscendC::TQueBind<" + positionName(parts.src) + ", " + positionName(parts.dst) + ", " +
           std::to_string(parts.depth) + ">";
  else if (parts.kind == object::buffer)
    type = "AscendC::TBuf<" + positionName(parts.src) + ">";
  else if (parts.kind == object::pool)
    type = "AscendC::TBufPool<" + positionName(parts.src) + ">";
  else
    type = "AscendC::LocalMemAllocator<>";
  parts.written = Text(core, range).declare(type);
}

static Value truth(Core &core, Text &text) {
  return Value::ofScalar(text.result(core.builder().getI1Type()), DType::I1);
}

static Value initBuffer(Core &core, const Arguments &args) {
  const Argument &target = args[1] ? args[1] : args[4];
  Value given = target ? core.values.read(target.value) : Value();
  if (!given || (!given.is(object::buffer) && !given.is(object::queue) && !given.is(object::bind)))
    return core.fail(args.range, "TypeError", "init_buffer takes a TQue, a TQueBind or a TBuf");
  bool isBuffer = given.is(object::buffer);
  const Argument &bytes = isBuffer ? (args[2] ? args[2] : args[3]) : args[3];
  Number num = isBuffer ? Number(1) : core.expectNumber(args[2], "the number of buffers");
  Number length = num ? core.expectNumber(bytes, "the bytes of a buffer") : Number();
  if (!length)
    return {};
  Text text(core, args.range);
  text.variable(args[0].value) << ".InitBuffer(";
  text.variable(given) << ", ";
  if (!isBuffer)
    text.number(num, "uint8_t") << ", ";
  text.number(length, "uint32_t") << ")";
  if (isBuffer)
    core.setCell(objectOf(given).bytes, length, args.range);
  return truth(core, text);
}

static Value initPool(Core &core, const Arguments &args) {
  Number bytes = core.expectNumber(args[2], "the bytes of a pool");
  if (!bytes)
    return {};
  for (unsigned i : {1, 3})
    if (args[i] && !core.values.read(args[i].value).is(object::pool))
      return core.fail(args[i].range, "TypeError", "init_buf_pool takes a TBufPool");
  Text text(core, args.range);
  text.variable(args[0].value) << ".InitBufPool(";
  text.variable(args[1].value) << ", ";
  text.number(bytes, "uint32_t");
  if (args[3]) {
    text << ", ";
    text.variable(args[3].value);
  }
  text << ")";
  return truth(core, text);
}

static Value eventOf(Core &core, const Arguments &args, llvm::StringRef call) {
  bool releases = call == "ReleaseEventID";
  std::optional<int64_t> event = core.expectKnown(args[releases ? 2 : 1], "event", 22);
  std::string name = event ? eventName(core, *event, args.range) : "";
  Number id = releases && !name.empty() ? core.expectNumber(args[1], "the id of an event") : Number(0);
  if (name.empty() || !id)
    return {};
  Text text(core, args.range);
  text.variable(args[0].value) << "." << call << "<" << name << ">(";
  if (releases) {
    text.number(id) << ")";
    text.statement();
    return core.none();
  }
  text << ")";
  return Value::ofScalar(text.result(core.builder().getI32Type()), DType::I32);
}

// Positions named by enque and deque: "<from, to" of the call's template arguments.
static std::optional<std::string> positionsOf(Core &core, const Argument &src, const Argument &dst) {
  if (!src && !dst)
    return "";
  std::optional<int64_t> from = core.expectKnown(src, "src_user_pos", -1);
  std::optional<int64_t> to = from ? core.expectKnown(dst, "dst_user_pos", -1) : std::nullopt;
  if (!to)
    return std::nullopt;
  return positionName(*from) + ", " + positionName(*to);
}

static Value received(Core &core, const Arguments &args, bool pops) {
  const Argument &wanted = args[1] ? args[1] : args[pops ? 4 : 2];
  if (!wanted)
    return core.fail(args.range, "TypeError", (pops ? "deque" : "alloc_tensor") + llvm::Twine(" takes a dtype"));
  Value given = core.values.read(wanted.value);
  std::optional<DType> dtype =
      given.is(localTensor) ? std::optional(partsOf(given).dtype) : core.l.expect.dtype(wanted, "dtype");
  std::optional<std::string> positions = dtype && pops ? positionsOf(core, args[2], args[3]) : std::string();
  if (!dtype || !positions)
    return {};
  ObjectParts &queue = objectOf(args[0].value);
  int64_t position = pops ? queue.dst : queue.src;
  Text text(core, args.range);
  text.variable(args[0].value) << (pops ? ".DeQue<" : ".AllocTensor<") << *positions << (positions->empty() ? "" : ", ")
                               << cppName(*dtype) << ">()";
  mlir::Value tensor = text.result(writtenType(core, *dtype, memoryOf(position)));
  Text sizeText(core, args.range);
  sizeText.value(tensor) << ".GetSize()";
  Number size(sizeText.result(core.builder().getI64Type(), true));
  if (given.is(localTensor)) {
    TensorParts &parts = partsOf(given);
    if (core.address(given).ir.getType() != tensor.getType())
      return core.fail(args.range, "NotImplementedError",
                       "a LocalTensor of one memory that becomes one of another cannot be written as Ascend C",
                       "give alloc_tensor and deque a dtype");
    parts.position = position;
    core.setCell(parts.address, Number(tensor), args.range);
    core.setCell(parts.size, size, args.range);
    return core.none();
  }
  Value value = core.makeLocal(*dtype, position, Number(tensor), size, args.range);
  value.ir = tensor;
  return value;
}

static Value handOver(Core &core, const Arguments &args, bool frees) {
  Value tensor = core.expectTensor(args[1], frees ? "what is freed" : "what is put into a queue");
  std::optional<std::string> positions = tensor && !frees ? positionsOf(core, args[2], args[3]) : std::string();
  if (!tensor || !positions)
    return {};
  Text text(core, args.range);
  text.variable(args[0].value) << (frees ? ".FreeTensor" : ".EnQue");
  if (!positions->empty())
    text << "<" << *positions << ">";
  text << "(";
  text.variable(tensor) << ")";
  text.statement();
  return frees ? core.none() : Value::ofHost(core.host.makeBool(true));
}

static Value asked(Core &core, const Arguments &args, llvm::StringRef call, DType dtype) {
  Text text(core, args.range);
  text.variable(args[0].value) << "." << call << "()";
  return Value::ofScalar(text.result(core.l.ir.type(dtype)), dtype);
}

static Value getBuffer(Core &core, const Arguments &args, bool withOffset) {
  std::optional<DType> dtype = core.l.expect.dtype(args[withOffset ? 3 : 1], "dtype");
  const Argument &length = args[withOffset ? 1 : 2];
  Number offset = dtype && withOffset ? core.expectNumber(args[2], "the offset in bytes") : Number(0);
  if (!dtype || !offset)
    return {};
  ObjectParts &buffer = objectOf(args[0].value);
  Number size = length ? core.expectNumber(length, "the number of elements")
                       : core.numbers.binary("/", core.cell(buffer.bytes), bytesOf(*dtype), args.range);
  if (!size)
    return {};
  Text text(core, args.range);
  text.variable(args[0].value) << (withOffset ? ".GetWithOffset<" : ".Get<") << cppName(*dtype) << ">(";
  if (length)
    text.number(size, "uint32_t");
  if (withOffset) {
    text << ", ";
    text.number(offset, "uint32_t");
  }
  text << ")";
  return writtenLocal(core, text, *dtype, buffer.src, size, args.range);
}

static Value allocate(Core &core, const Arguments &args) {
  std::optional<int64_t> position = core.expectKnown(args[1], "pos", VECCALC);
  std::optional<DType> dtype = position ? core.l.expect.dtype(args[2], "data_type") : std::nullopt;
  Number size = dtype ? core.expectNumber(args[3], "tile_size") : Number();
  if (!size)
    return {};
  ObjectParts &allocator = objectOf(args[0].value);
  Numbers &n = core.numbers;
  Number end = n.add(core.cell(allocator.handle), n.mul(size, bytesOf(*dtype), args.range), args.range);
  core.setCell(allocator.handle, n.roundUp(end, 32, args.range), args.range);
  Text text(core, args.range);
  text.variable(args[0].value) << ".Alloc<" << positionName(*position) << ", " << cppName(*dtype) << ">(";
  text.number(size, "uint32_t") << ")";
  return writtenLocal(core, text, *dtype, *position, size, args.range);
}

std::optional<Value> writeOfObjects(Core &core, const Arguments &args) {
  llvm::StringRef name = args.name;
  auto call = [&](llvm::StringRef text) {
    Text statement(core, args.range);
    statement.variable(args[0].value) << "." << text;
    statement.statement();
    return core.none();
  };
  if (name.consume_front("asc.TPipe.") || name.consume_front("asc.TBufPool.")) {
    if (name == "init_buffer")
      return initBuffer(core, args);
    if (name == "init_buf_pool")
      return initPool(core, args);
    if (name == "init" || name == "destroy" || name == "reset")
      return call(name == "init" ? "Init()" : name == "destroy" ? "Destroy()" : "Reset()");
    llvm::StringRef event = llvm::StringSwitch<llvm::StringRef>(name)
                                .Case("alloc_event_id", "AllocEventID")
                                .Case("fetch_event_id", "FetchEventID")
                                .Case("release_event_id", "ReleaseEventID")
                                .Default("");
    return event.empty() ? std::nullopt : std::optional(eventOf(core, args, event));
  }
  if (name.consume_front("asc.TQue.")) {
    if (name == "alloc_tensor" || name == "deque")
      return received(core, args, name == "deque");
    if (name == "enque" || name == "free_tensor")
      return handOver(core, args, name == "free_tensor");
    if (name == "free_all_event")
      return call("FreeAllEvent()");
    if (name == "get_tensor_count_in_que")
      return asked(core, args, "GetTensorCountInQue", DType::I32);
    llvm::StringRef question = llvm::StringSwitch<llvm::StringRef>(name)
                                   .Case("has_tensor_in_que", "HasTensorInQue")
                                   .Case("has_idle_buffer", "HasIdleBuffer")
                                   .Case("vacant_in_que", "VacantInQue")
                                   .Default("");
    return question.empty() ? std::nullopt : std::optional(asked(core, args, question, DType::I1));
  }
  if (name == "asc.TBuf.get" || name == "asc.TBuf.get_with_offset")
    return getBuffer(core, args, name == "asc.TBuf.get_with_offset");
  if (name == "asc.LocalMemAllocator.alloc")
    return allocate(core, args);
  return std::nullopt;
}

} // namespace tilesmith::frontend::asc
