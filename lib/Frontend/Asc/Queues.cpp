// TPipe, TQue, TQueBind, TBuf, TBufPool, LocalMemAllocator: handles of what the Machine keeps, as in Ascend C.
#include "Objects.h"
#include "Written.h"

#include "tilesmith/Machine/Entries.h"

namespace tilesmith::frontend::asc {

static constexpr llvm::StringLiteral objectNoun = "an object";

namespace {

constexpr ObjectKind pipeKind("asc.TPipe", "asc.TPipe.", queueBuiltins),
    queueKind("asc.TQue", "asc.TQue.", queueBuiltins), bindKind("asc.TQueBind", "asc.TQue.", queueBuiltins),
    bufferKind("asc.TBuf", "asc.TBuf.", queueBuiltins), poolKind("asc.TBufPool", "asc.TBufPool.", queueBuiltins),
    allocatorKind("asc.LocalMemAllocator", "asc.LocalMemAllocator.", queueBuiltins);

} // namespace

const Kind *const object::pipe = &pipeKind, *const object::queue = &queueKind, *const object::bind = &bindKind,
                  *const object::buffer = &bufferKind, *const object::pool = &poolKind,
                  *const object::allocator = &allocatorKind;

static Value make(Core &core, const ObjectKind &kind, ObjectParts given, const Range &range) {
  given.kind = &kind;
  Value value;
  value.kind = &kind;
  value.parts = std::make_shared<ObjectParts>(std::move(given));
  if (core.writes()) {
    writeObject(core, value, range);
    value.ir = objectOf(value).written; // it gets the name the object is assigned to
  }
  return value;
}

static bool isQueue(const Value &value) { return value.is(&queueKind) || value.is(&bindKind); }

// TPipe

static Value makePipe(Core &core, const Arguments &args) {
  if (core.pipe)
    return core.fail(args.range, "RuntimeError", "a kernel has one TPipe",
                     "pass the first one to where it is needed, or get it with asc.get_tpipe_ptr()");
  ObjectParts parts;
  parts.number = core.nextPipe++;
  if (!core.writes()) { // C++ makes and ends it by itself
    core.tell("pipe_init", {parts.number}, args.range);
    core.pipes.push_back(parts.number);
  }
  core.pipe = make(core, pipeKind, parts, args.range);
  return core.pipe;
}

static Value getPipe(Core &core, const Arguments &args) {
  if (!core.pipe)
    return core.fail(args.range, "RuntimeError", "the kernel has no TPipe", "make one first: pipe = asc.TPipe()");
  return core.pipe;
}

static Value initPipe(Core &core, const Arguments &args) {
  core.tell("pipe_init", {objectOf(args[0].value).number}, args.range);
  return core.none();
}

static Value destroyPipe(Core &core, const Arguments &args) {
  core.tell("pipe_destroy", {objectOf(args[0].value).number}, args.range);
  return core.none();
}

static Value resetPipe(Core &core, const Arguments &args) {
  destroyPipe(core, args);
  return initPipe(core, args);
}

static Value truthOf(Core &core, const Number &handle, const Range &range) {
  return core.numbers.toPython(core.numbers.binary("!=", handle, 0, range), DType::I1, range);
}

// What fits into the rest of a pool, which moves on.
static Number takeFromPool(Core &core, ObjectParts &pool, const Number &bytes, const Range &range) {
  Numbers &n = core.numbers;
  Number head = core.cell(pool.handle), rest = n.sub(core.cell(pool.end), head, range);
  Number fits = n.binary("<=", bytes, rest, range);
  if (!fits.known || !*fits.known)
    core.failUnless(fits, TS_FINDING_QueueCapacity, "a buffer of a TBufPool does not fit into what the pool has left",
                    range);
  core.setCell(pool.handle, n.add(head, n.roundUp(bytes, 32, range), range), range);
  return head;
}

// init_buffer(queue, num, len), init_buffer(buffer, bytes): of a pipe, or in a pool.
static Value initBuffer(Core &core, const Arguments &args) {
  const Argument &target = args[1] ? args[1] : args[4];
  const Argument &what = args[1] ? args[2] : args[2];
  if (!target)
    return core.fail(args.range, "TypeError",
                     "init_buffer takes a queue, a number of buffers and their bytes, or a "
                     "TBuf and its bytes");
  Value given = core.values.read(target.value);
  bool inPool = args[0].value.is(&poolKind);
  if (given.is(&bufferKind)) {
    const Argument &length = what ? what : args[3];
    if (!length)
      return core.fail(args.range, "TypeError", "init_buffer of a TBuf takes its bytes");
    Number bytes = core.expectNumber(length, "the bytes of a buffer");
    if (!bytes)
      return {};
    ObjectParts &buffer = objectOf(given);
    Number address = inPool ? takeFromPool(core, objectOf(args[0].value), bytes, args.range)
                            : core.ask("buffer_init", {buffer.src, bytes}, args.range);
    core.setCell(buffer.handle, address, args.range);
    core.setCell(buffer.bytes, bytes, args.range);
    return truthOf(core, address, args.range);
  }
  if (!isQueue(given))
    return core.fail(target.range, "TypeError",
                     "init_buffer takes a TQue, a TQueBind or a TBuf, not " + core.describe(given));
  if (!what || !args[3])
    return core.fail(args.range, "TypeError", "init_buffer of a queue takes the number of its buffers and their bytes");
  Number num = core.expectNumber(what, "the number of buffers");
  Number bytes = num ? core.expectNumber(args[3], "the bytes of a buffer") : Number();
  if (!bytes)
    return {};
  ObjectParts &queue = objectOf(given);
  Numbers &n = core.numbers;
  num = n.cut(num, 8, false, args.range); // as the parameter's type
  if (inPool) {
    ObjectParts &pool = objectOf(args[0].value);
    Number head = core.cell(pool.handle);
    core.setCell(queue.handle,
                 core.ask("queue_init_at", {queue.src, queue.dst, num, bytes, head, core.cell(pool.end)}, args.range),
                 args.range);
    core.setCell(pool.handle, n.add(head, n.mul(num, n.roundUp(bytes, 32, args.range), args.range), args.range),
                 args.range);
  } else {
    core.setCell(queue.handle, core.ask("queue_init", {queue.src, queue.dst, num, bytes}, args.range), args.range);
  }
  return truthOf(core, core.cell(queue.handle), args.range);
}

// init_buf_pool(pool, bytes), or in the place of another pool.
static Value initPool(Core &core, const Arguments &args) {
  Value given = core.values.read(args[1].value);
  if (!given.is(&poolKind))
    return core.fail(args[1].range, "TypeError", "init_buf_pool takes a TBufPool, not " + core.describe(given));
  Number bytes = core.expectNumber(args[2], "the bytes of a pool");
  if (!bytes)
    return {};
  ObjectParts &pool = objectOf(given);
  Number begin;
  if (args[3]) {
    Value shared = core.values.read(args[3].value);
    if (!shared.is(&poolKind))
      return core.fail(args[3].range, "TypeError", "share_buf is a TBufPool, not " + core.describe(shared));
    begin = core.cell(objectOf(shared).begin);
  } else if (args[0].value.is(&poolKind)) {
    begin = takeFromPool(core, objectOf(args[0].value), bytes, args.range);
  } else {
    begin = core.ask("buffer_init", {pool.src, bytes}, args.range);
  }
  core.setCell(pool.begin, begin, args.range);
  core.setCell(pool.handle, begin, args.range);
  core.setCell(pool.end, core.numbers.add(begin, bytes, args.range), args.range);
  return truthOf(core, begin, args.range);
}

static Value resetPool(Core &core, const Arguments &args) {
  ObjectParts &pool = objectOf(args[0].value);
  core.tell("queues_end", {core.cell(pool.begin), core.cell(pool.end)}, args.range);
  core.setCell(pool.handle, core.cell(pool.begin), args.range);
  return core.none();
}

template <bool fetches> static Value makeEvent(Core &core, const Arguments &args) {
  std::optional<int64_t> event = core.expectKnown(args[1], "event", 22);
  auto pipes = event ? pipesOfEvent(*event) : std::nullopt;
  if (!pipes)
    return event ? core.fail(args[1].range, "ValueError", "there is no HardEvent " + llvm::Twine(*event)) : Value();
  Number id = core.ask(fetches ? "event_fetch" : "event_alloc", {pipes->first, pipes->second}, args.range);
  return core.numbers.toPython(id, DType::I32, args.range);
}

static Value releaseEvent(Core &core, const Arguments &args) {
  Number id = core.expectNumber(args[1], "the id of an event");
  std::optional<int64_t> event = id ? core.expectKnown(args[2], "event", 22) : std::nullopt;
  auto pipes = event ? pipesOfEvent(*event) : std::nullopt;
  if (!pipes)
    return event ? core.fail(args[2].range, "ValueError", "there is no HardEvent " + llvm::Twine(*event)) : Value();
  core.tell("event_release", {pipes->first, pipes->second, id}, args.range);
  return core.none();
}

static Value baseAddress(Core &core, const Arguments &args) {
  std::optional<int64_t> position = core.expectKnown(args[1], "pos");
  return position ? core.number(0) : Value();
}

// TQue

static Value makeQueueOf(Core &core, const ObjectKind &kind, int64_t src, int64_t dst, int64_t depth,
                         const Range &range) {
  ObjectParts parts;
  parts.src = src;
  parts.dst = dst;
  parts.depth = depth;
  parts.handle = core.makeCell(0, objectNoun, range);
  return make(core, kind, parts, range);
}

static Value makeQueue(Core &core, const Arguments &args) {
  std::optional<int64_t> position = core.expectKnown(args[0], "pos", VECIN);
  std::optional<int64_t> depth = position ? core.expectKnown(args[1], "depth", 1) : std::nullopt;
  return depth ? makeQueueOf(core, queueKind, *position, *position, *depth, args.range) : Value();
}

static Value makeBind(Core &core, const Arguments &args) {
  std::optional<int64_t> src = core.expectKnown(args[0], "src", VECIN);
  std::optional<int64_t> dst = src ? core.expectKnown(args[1], "dst", VECIN) : std::nullopt;
  std::optional<int64_t> depth = dst ? core.expectKnown(args[2], "depth") : std::nullopt;
  return depth ? makeQueueOf(core, bindKind, *src, *dst, *depth, args.range) : Value();
}

// A dtype, or the tensor that takes the result.
static std::optional<DType> typeWanted(Core &core, const Arguments &args, unsigned dtype, llvm::StringRef what) {
  const Argument &argument = args[1] ? args[1] : args[dtype];
  if (!argument)
    return core.fail(args.range, "TypeError", what + " takes a dtype or a LocalTensor"), std::nullopt;
  Value given = core.values.read(argument.value);
  if (given.is(localTensor))
    return partsOf(given).dtype;
  if (given.isHost())
    if (std::optional<DType> dtype = core.host.asDType(given.host); dtype && *dtype != DType::Void)
      return dtype;
  core.fail(argument.range, "TypeError", what + " takes a dtype or a LocalTensor, not " + core.describe(given));
  return std::nullopt;
}

static Value received(Core &core, const Arguments &args, DType dtype, int64_t position, const Number &address) {
  ObjectParts &queue = objectOf(args[0].value);
  Number bytes = core.ask("queue_bytes", {core.cell(queue.handle)}, args.range);
  Number size = core.numbers.binary("/", bytes, bytesOf(dtype), args.range);
  Value given = args[1] ? core.values.read(args[1].value) : Value();
  if (!given || !given.is(localTensor))
    return core.makeLocal(dtype, position, address, size, args.range);
  TensorParts &tensor = partsOf(given);
  tensor.position = position;
  core.setCell(tensor.address, address, args.range);
  core.setCell(tensor.size, size, args.range);
  return core.none();
}

static Value allocTensor(Core &core, const Arguments &args) {
  std::optional<DType> dtype = typeWanted(core, args, 2, "alloc_tensor");
  if (!dtype)
    return {};
  ObjectParts &queue = objectOf(args[0].value);
  Number address = core.ask("queue_alloc", {core.cell(queue.handle)}, args.range);
  return received(core, args, *dtype, queue.src, address);
}

static bool positionsOf(Core &core, const Argument &src, const Argument &dst, Number &from, Number &to) {
  std::optional<int64_t> first = core.expectKnown(src, "src_user_pos", -1);
  std::optional<int64_t> second = first ? core.expectKnown(dst, "dst_user_pos", -1) : std::nullopt;
  if (!second)
    return false;
  from = *first;
  to = *second;
  return true;
}

static Value enqueue(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[1], "what is put into a queue");
  Number from, to;
  if (!tensor || !positionsOf(core, args[2], args[3], from, to))
    return {};
  core.tell("queue_push", {core.cell(objectOf(args[0].value).handle), core.address(tensor), from, to}, args.range);
  return Value::ofHost(core.host.makeBool(true));
}

static Value dequeue(Core &core, const Arguments &args) {
  std::optional<DType> dtype = typeWanted(core, args, 4, "deque");
  Number from, to;
  if (!dtype || !positionsOf(core, args[2], args[3], from, to))
    return {};
  ObjectParts &queue = objectOf(args[0].value);
  Number address = core.ask("queue_pop", {core.cell(queue.handle), from, to}, args.range);
  return received(core, args, *dtype, queue.dst, address);
}

static Value freeTensor(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[1], "what is freed");
  if (!tensor)
    return {};
  core.tell("queue_free", {core.cell(objectOf(args[0].value).handle), core.address(tensor)}, args.range);
  return core.none();
}

static Value nothing(Core &core, const Arguments &) { return core.none(); }

// Buffers that a kernel hands out by itself: the Machine's queues make their own.
static Value ownHandles(Core &core, const Arguments &args) {
  return core.unsupported("asc." + args.name.drop_front(4).str(), args.range) ? core.none() : Value();
}

static Value filled(Core &core, const Arguments &args) {
  Number count = core.ask("queue_filled", {core.cell(objectOf(args[0].value).handle)}, args.range);
  return core.numbers.toPython(count, DType::I32, args.range);
}

template <bool idle> static Value hasAny(Core &core, const Arguments &args) {
  Number count =
      core.ask(idle ? "queue_idle" : "queue_filled", {core.cell(objectOf(args[0].value).handle)}, args.range);
  return core.numbers.toPython(core.numbers.binary(">", count, 0, args.range), DType::I1, args.range);
}

// TBuf

static Value makeBuffer(Core &core, const Arguments &args) {
  std::optional<int64_t> position = core.expectKnown(args[0], "pos", VECCALC);
  if (!position)
    return {};
  ObjectParts parts;
  parts.src = parts.dst = *position;
  parts.handle = core.makeCell(addressIn(memoryOf(*position), 0), objectNoun, args.range);
  parts.bytes = core.makeCell(0, objectNoun, args.range);
  return make(core, bufferKind, parts, args.range);
}

static Value getBuffer(Core &core, const Arguments &args) {
  std::optional<DType> dtype = core.l.expect.dtype(args[1], "dtype");
  if (!dtype)
    return {};
  ObjectParts &buffer = objectOf(args[0].value);
  Number size = args[2] ? core.expectNumber(args[2], "the number of elements")
                        : core.numbers.binary("/", core.cell(buffer.bytes), bytesOf(*dtype), args.range);
  return size ? core.makeLocal(*dtype, buffer.src, core.cell(buffer.handle), size, args.range) : Value();
}

static Value getWithOffset(Core &core, const Arguments &args) {
  Number size = core.expectNumber(args[1], "the number of elements");
  Number offset = size ? core.expectNumber(args[2], "the offset in bytes") : Number();
  std::optional<DType> dtype = offset ? core.l.expect.dtype(args[3], "dtype") : std::nullopt;
  if (!dtype)
    return {};
  ObjectParts &buffer = objectOf(args[0].value);
  return core.makeLocal(*dtype, buffer.src, core.numbers.add(core.cell(buffer.handle), offset, args.range), size,
                        args.range);
}

static Value makePool(Core &core, const Arguments &args) {
  std::optional<int64_t> position = core.expectKnown(args[0], "pos", VECCALC);
  if (!position)
    return {};
  ObjectParts parts;
  parts.src = parts.dst = *position;
  for (unsigned *cell : {&parts.handle, &parts.begin, &parts.end})
    *cell = core.makeCell(0, objectNoun, args.range);
  return make(core, poolKind, parts, args.range);
}

// LocalMemAllocator: addresses one after another.

static Value makeAllocator(Core &core, const Arguments &args) {
  std::optional<int64_t> hardware = core.expectKnown(args[0], "hard", 1);
  if (!hardware)
    return {};
  ObjectParts parts;
  parts.handle = core.makeCell(0, objectNoun, args.range);
  return make(core, allocatorKind, parts, args.range);
}

static Value currentAddress(Core &core, const Arguments &args) {
  return core.numbers.toPython(core.cell(objectOf(args[0].value).handle), DType::I32, args.range);
}

static Value allocate(Core &core, const Arguments &args) {
  std::optional<int64_t> position = core.expectKnown(args[1], "pos", VECCALC);
  std::optional<DType> dtype = position ? core.l.expect.dtype(args[2], "data_type") : std::nullopt;
  Number size = dtype ? core.expectNumber(args[3], "tile_size") : Number();
  if (!size)
    return {};
  ObjectParts &allocator = objectOf(args[0].value);
  Numbers &n = core.numbers;
  Number head = core.cell(allocator.handle);
  Number next = n.roundUp(n.add(head, n.mul(size, bytesOf(*dtype), args.range), args.range), 32, args.range);
  core.setCell(allocator.handle, next, args.range);
  Number address = n.add(addressIn(memoryOf(*position), 0), head, args.range);
  return core.makeLocal(*dtype, *position, address, size, args.range);
}

llvm::ArrayRef<Builtin::Row> queueBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.TPipe", on<makePipe>, "*ignored"},
      {"asc.basic.get_tpipe_ptr", on<getPipe>, "*ignored"},
      {"asc.TPipe.init", on<initPipe>, "pipe"},
      {"asc.TPipe.destroy", on<destroyPipe>, "pipe"},
      {"asc.TPipe.reset", on<resetPipe>, "pipe"},
      {"asc.TPipe.init_buffer", on<initBuffer>, "pipe, que=None, num=None, len=None, buf=None"},
      {"asc.TPipe.init_buf_pool", on<initPool>, "pipe, buf_pool, len, share_buf=None"},
      {"asc.TPipe.alloc_event_id", on<makeEvent<false>>, "pipe, event=None"},
      {"asc.TPipe.fetch_event_id", on<makeEvent<true>>, "pipe, event=None"},
      {"asc.TPipe.release_event_id", on<releaseEvent>, "pipe, id, event=None"},
      {"asc.TPipe.get_base_addr", on<baseAddress>, "pipe, pos"},
      {"asc.TQue", on<makeQueue>, "pos=None, depth=None"},
      {"asc.TQueBind", on<makeBind>, "src=None, dst=None, depth=None, mask=None"},
      {"asc.TQue.alloc_tensor", on<allocTensor>, "queue, tensor=None, dtype=None"},
      {"asc.TQue.enque", on<enqueue>, "queue, tensor, src_user_pos=None, dst_user_pos=None"},
      {"asc.TQue.deque", on<dequeue>, "queue, tensor=None, src_user_pos=None, dst_user_pos=None, dtype=None"},
      {"asc.TQue.free_tensor", on<freeTensor>, "queue, tensor"},
      {"asc.TQue.free_all_event", on<nothing>, "queue"},
      {"asc.TQue.init_buf_handle", on<ownHandles>, "queue, buf_pool, index, buf_handle, cur_pool_addr, len"},
      {"asc.TQue.init_start_buf_handle", on<ownHandles>, "queue, start_buf_handle, num, len"},
      {"asc.TQue.get_tensor_count_in_que", on<filled>, "queue"},
      {"asc.TQue.has_tensor_in_que", on<hasAny<false>>, "queue"},
      {"asc.TQue.has_idle_buffer", on<hasAny<true>>, "queue"},
      {"asc.TQue.vacant_in_que", on<hasAny<true>>, "queue"},
      {"asc.TBuf", on<makeBuffer>, "pos=None"},
      {"asc.TBuf.get", on<getBuffer>, "buffer, dtype, len=None"},
      {"asc.TBuf.get_with_offset", on<getWithOffset>, "buffer, size, buf_offset, dtype"},
      {"asc.TBufPool", on<makePool>, "pos=None, buf_id_size=4"},
      {"asc.TBufPool.init_buffer", on<initBuffer>, "pool, que=None, num=None, len=None, buf=None"},
      {"asc.TBufPool.init_buf_pool", on<initPool>, "pool, buf_pool, len, share_buf=None"},
      {"asc.TBufPool.reset", on<resetPool>, "pool"},
      {"asc.LocalMemAllocator", on<makeAllocator>, "hard=None"},
      {"asc.LocalMemAllocator.get_cur_addr", on<currentAddress>, "allocator"},
      {"asc.LocalMemAllocator.alloc", on<allocate>, "allocator, pos, data_type, tile_size"},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc
