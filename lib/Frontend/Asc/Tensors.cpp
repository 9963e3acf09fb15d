// LocalTensor and GlobalTensor: an address and a number of elements, as the classes of Ascend C are.
#include "Written.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

namespace tilesmith::frontend::asc {

static constexpr llvm::StringLiteral tensorNoun = "a tensor";

isa::Memory memoryOf(int64_t position) {
  switch (position) {
  case GM:
    return isa::Memory::GM;
  case A1:
  case B1:
  case C1:
  case TSCM:
    return isa::Memory::L1;
  case A2:
    return isa::Memory::L0A;
  case B2:
    return isa::Memory::L0B;
  case C2:
    return isa::Memory::BT;
  case CO1:
    return isa::Memory::L0C;
  default:
    return isa::Memory::UB;
  }
}

TensorParts &partsOf(const Value &tensor) { return static_cast<TensorParts &>(*tensor.parts); }

static Value ofTensor(const std::shared_ptr<TensorParts> &parts) {
  Value value;
  value.kind = parts->isLocal ? localTensor : globalTensor;
  value.parts = parts;
  return value;
}

Value Core::makeLocal(DType dtype, int64_t position, const Number &address, const Number &size, const Range &range) {
  auto parts = std::make_shared<TensorParts>();
  parts->dtype = dtype;
  parts->position = position;
  parts->address = makeCell(address, tensorNoun, range);
  parts->size = makeCell(size, tensorNoun, range);
  parts->tag = makeCell(0, tensorNoun, range);
  return ofTensor(parts);
}

Value Core::makeGlobal(DType dtype, const Number &address, const Number &size, const Range &range) {
  auto parts = std::make_shared<TensorParts>();
  parts->isLocal = false;
  parts->dtype = dtype;
  parts->address = makeCell(address, tensorNoun, range);
  parts->size = makeCell(size, tensorNoun, range);
  parts->tag = makeCell(0, tensorNoun, range);
  return ofTensor(parts);
}

Number Core::address(const Value &tensor) { return cell(partsOf(tensor).address); }
Number Core::size(const Value &tensor) { return cell(partsOf(tensor).size); }

mlir::Value Core::bufferAt(const Number &address, isa::Memory memory, DType dtype, const Range &range) {
  auto type = isa::BufferType::get(builder().getContext(), memory, l.ir.element(dtype));
  return tilesmith::asc::AtOp::create(builder(), loc(range), type, numbers.value(address, range));
}

mlir::Value Core::buffer(const Value &tensor, const Range &range) {
  TensorParts &parts = partsOf(tensor);
  return bufferAt(address(tensor), parts.isLocal ? memoryOf(parts.position) : isa::Memory::GM, parts.dtype, range);
}

Value Core::expectTensor(const Argument &argument, llvm::StringRef what) {
  Value tensor = values.read(argument.value);
  if (!isTensor(tensor))
    return fail(argument.range, "TypeError", what + " is a tensor, not " + describe(tensor));
  if (partsOf(tensor).dtype == DType::Void)
    return fail(argument.range, "RuntimeError", "the GlobalTensor has no buffer yet",
                "call its set_global_buffer(address) first");
  return tensor;
}

// `tensor[offset]`: the view from there on.
static Value viewFrom(Core &core, const Value &tensor, const Number &offset, const Range &range) {
  TensorParts &parts = partsOf(tensor);
  Numbers &n = core.numbers;
  Number address = core.writes() ? Number(writtenView(core, tensor, offset, range))
                                 : n.add(core.address(tensor), n.mul(offset, bytesOf(parts.dtype), range), range);
  Value view;
  if (parts.isLocal) {
    Number size = core.size(tensor);
    Number inside = n.binary("&&", n.binary(">=", offset, 0, range), n.binary("<", offset, size, range), range);
    view = core.makeLocal(parts.dtype, parts.position, address, n.choose(inside, n.sub(size, offset, range), 0, range),
                          range);
  } else {
    view = core.makeGlobal(parts.dtype, address, core.size(tensor), range);
  }
  partsOf(view).shape = parts.shape;
  view.ir = core.writes() ? address.ir : mlir::Value();
  return view;
}

static Number elementAddress(Core &core, const Value &tensor, const Number &index, const Range &range) {
  return core.numbers.add(core.address(tensor), core.numbers.mul(index, bytesOf(partsOf(tensor).dtype), range), range);
}

static Value readElement(Core &core, const Value &tensor, const Number &index, const Range &range) {
  if (core.writes())
    return readWritten(core, tensor, index, range);
  TensorParts &parts = partsOf(tensor);
  isa::Memory memory = parts.isLocal ? memoryOf(parts.position) : isa::Memory::GM;
  mlir::Value at = core.bufferAt(elementAddress(core, tensor, index, range), memory, parts.dtype, range);
  return Value::ofScalar(core.issue("get_value", {at}, {}, range, core.l.ir.type(parts.dtype)), parts.dtype);
}

static bool writeElement(Core &core, const Value &tensor, const Number &index, const Value &value, const Range &range) {
  if (core.writes())
    return writeWritten(core, tensor, index, value, range);
  TensorParts &parts = partsOf(tensor);
  isa::Memory memory = parts.isLocal ? memoryOf(parts.position) : isa::Memory::GM;
  mlir::Value scalar = core.toScalar(value, parts.dtype, range);
  if (!scalar)
    return false;
  mlir::Value at = core.bufferAt(elementAddress(core, tensor, index, range), memory, parts.dtype, range);
  core.issue("set_value", {at, scalar}, {}, range);
  return true;
}

namespace {

class TensorKind final : public Kind {
public:
  constexpr explicit TensorKind(bool isLocal) : isLocal(isLocal) {}

  std::string describe(Lowering &, const Value &value) const override {
    TensorParts &parts = partsOf(value);
    std::string kind = isLocal ? "a LocalTensor" : "a GlobalTensor";
    return parts.dtype == DType::Void ? kind : kind + " of " + name(parts.dtype).str();
  }
  llvm::StringRef plural() const override { return "tensors"; }
  llvm::StringRef className(const Value &) const override { return isLocal ? "asc.LocalTensor" : "asc.GlobalTensor"; }
  DType dtypeOf(Lowering &, const Value &value) const override { return partsOf(value).dtype; }

  void flatten(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &leaves) const override {
    TensorParts &parts = partsOf(value);
    for (unsigned cell : {parts.address, parts.size, parts.tag})
      leaves.push_back(l.cells.get(cell));
  }
  Value rebuild(Lowering &l, const Value &like, mlir::ValueRange &leaves) const override {
    auto parts = std::make_shared<TensorParts>(partsOf(like));
    for (unsigned *cell : {&parts->address, &parts->size, &parts->tag}) {
      *cell = l.cells.make(leaves.front(), tensorNoun);
      leaves = leaves.drop_front();
    }
    return ofTensor(parts);
  }
  bool isSame(Lowering &, const Value &a, const Value &b) const override { return a.parts == b.parts; }
  bool sameStructure(Lowering &, const Value &a, const Value &b) const override {
    TensorParts &x = partsOf(a), &y = partsOf(b);
    return x.dtype == y.dtype && x.position == y.position;
  }

  std::optional<Value> attribute(Lowering &l, const Value &value, llvm::StringRef name, const Range &) const override {
    if (name == "dtype")
      return Value::ofHost(l.host.makeDType(partsOf(value).dtype));
    return std::nullopt;
  }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override;
  std::vector<std::string> names(const Value &) const override;
  llvm::StringRef origin() const override { return "tensor"; }
  llvm::StringRef callee() const override { return "asc.tensor_view"; }

  // An index, or a slice that begins somewhere.
  std::optional<Value> item(Lowering &l, const Value &given, const Value &index, const Range &range) const override {
    Core &core = Core::of(l);
    Value tensor = core.expectTensor({given, range}, "what is indexed");
    Value from = index;
    if (tensor && index.is(kinds::slice)) {
      for (const Value &bound : index.items().drop_front())
        if (!l.values.isNone(bound))
          return core.fail(range, "TypeError", "a slice of a tensor has a beginning only",
                           "write tensor[start:]; how many elements are used is said by the call");
      from = l.values.isNone(index.items()[0]) ? Value::ofHost(l.host.makeInt(0)) : index.items()[0];
    } else if (tensor && index.isHost() && l.host.typeName(index.host) == "slice") {
      HostRef start = l.host.getAttr(index.host, "start"), stop = l.host.getAttr(index.host, "stop");
      if (!l.host.isNone(stop))
        return core.fail(range, "TypeError", "a slice of a tensor has a beginning only",
                         "write tensor[start:]; how many elements are used is said by the call");
      from = Value::ofHost(l.host.isNone(start) ? l.host.makeInt(0) : start);
    }
    Number offset = tensor ? core.numbers.of(from, "the index of a tensor", range) : Number();
    return offset ? viewFrom(core, tensor, offset, range) : Value();
  }
  bool hasItems() const override { return true; }
  bool setItem(Lowering &l, const Value &given, const Value &index, const Value &value,
               const Range &range) const override {
    Core &core = Core::of(l);
    Value tensor = core.expectTensor({given, range}, "what is assigned to");
    Number offset = tensor ? core.numbers.of(index, "the index of a tensor", range) : Number();
    return offset && writeElement(core, tensor, offset, value, range);
  }
  llvm::StringRef instead(llvm::StringRef what) const override {
    return llvm::StringSwitch<llvm::StringRef>(what).Case("len", "use .get_size()").Default("");
  }
  llvm::json::Value inspect(Lowering &l, const Value &value, llvm::SmallVectorImpl<mlir::Value> &) const override {
    return llvm::json::Object{{"text", describe(l, value)}};
  }

private:
  bool isLocal;
};

constexpr TensorKind localKind(true), globalKind(false);

} // namespace

const Kind *const localTensor = &localKind;
const Kind *const globalTensor = &globalKind;

// LocalTensor(dtype, pos, addr, tile_size)
static Value makeLocalTensor(Core &core, const Arguments &args) {
  std::optional<DType> dtype = core.l.expect.dtype(args[0], "dtype");
  std::optional<int64_t> position = dtype ? core.expectKnown(args[1], "pos", args[1] ? 0 : VECIN) : std::nullopt;
  Number address = position ? core.expectNumber(args[2], "addr") : Number();
  Number size = address ? core.expectNumber(args[3], "tile_size") : Number();
  if (!size)
    return {};
  Number place = core.numbers.add(addressIn(memoryOf(*position), 0), address, args.range);
  return core.makeLocal(*dtype, *position, place, size, args.range);
}

// LocalTensorAuto(dtype, shape): a buffer of UB that the planner places.
static Value makeAutoTensor(Core &core, const Arguments &args) {
  std::optional<DType> dtype = core.l.expect.dtype(args[0], "dtype");
  llvm::SmallVector<Value> dims;
  if (!dtype)
    return {};
  if (core.values.isInteger(args[1].value))
    dims.push_back(args[1].value);
  else if (!core.values.toSequence(args[1].value, dims, args[1].range, "the shape of a tensor"))
    return {};
  int64_t elements = 1;
  std::string shape;
  for (const Value &dim : dims) {
    std::optional<int64_t> size = core.expectKnown({dim, args[1].range}, "a dimension of a LocalTensorAuto");
    if (!size)
      return {};
    constexpr int64_t most = int64_t(1) << 32;
    if (*size <= 0 || *size > most / elements)
      return core.fail(args[1].range, "ValueError",
                       "a LocalTensorAuto cannot have a dimension of " + llvm::Twine(*size));
    elements *= *size;
    shape += (shape.empty() ? "" : ", ") + std::to_string(*size);
  }
  auto type = isa::BufferType::get(core.builder().getContext(), isa::Memory::UB, core.l.ir.element(*dtype));
  auto alloc = isa::AllocOp::create(
      core.builder(), core.loc(args.range), type, uint64_t((elements * bytesOf(*dtype) + 31) / 32 * 32), uint64_t(1),
      mlir::IntegerAttr(), mlir::StringAttr(), core.builder().getStringAttr("[" + shape + "] " + name(*dtype)));
  Number address{mlir::Value(tilesmith::asc::AddressOp::create(core.builder(), core.loc(args.range),
                                                               core.builder().getI64Type(), alloc.getResult()))};
  return core.makeLocal(*dtype, VECCALC, address, elements, args.range);
}

static Value makeGlobalTensor(Core &core, const Arguments &args) {
  DType dtype = DType::Void;
  if (args[0]) {
    std::optional<DType> given = core.l.expect.dtype(args[0], "dtype");
    if (!given)
      return {};
    dtype = *given;
  }
  return core.makeGlobal(dtype, 0, 0, args.range);
}

static Value setGlobalBuffer(Core &core, const Arguments &args) {
  Value tensor = core.values.read(args[0].value);
  const Value &buffer = args[1].value;
  if (!buffer.is(kinds::address))
    return core.fail(args[1].range, "TypeError",
                     "set_global_buffer takes the address of an array, not " + core.describe(buffer));
  Number size = core.expectNumber(args[2], "buffer_size");
  if (!size)
    return {};
  TensorParts &parts = partsOf(tensor);
  if (parts.dtype != DType::Void && parts.dtype != buffer.dtype && core.l.ir.region() != 0)
    return core.fail(args[1].range, "TypeError",
                     "the GlobalTensor holds " + name(parts.dtype) + " and cannot take an array of " +
                         name(buffer.dtype) + " inside a runtime loop or branch");
  parts.dtype = buffer.dtype;
  core.setCell(parts.address, core.addressOf(buffer, args.range), args.range);
  core.setCell(parts.size, size, args.range);
  return core.none();
}

static Value view(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[0], "what is indexed");
  Number offset = tensor ? core.expectNumber(args[1], "the offset of a tensor") : Number();
  return offset ? viewFrom(core, tensor, offset, args.range) : Value();
}

static Value getValue(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[0], "the receiver");
  Number index = tensor ? core.expectNumber(args[1], "the offset of an element") : Number();
  return index ? readElement(core, tensor, index, args.range) : Value();
}

static Value setValue(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[0], "the receiver");
  Number index = tensor ? core.expectNumber(args[1], "the offset of an element") : Number();
  return index && writeElement(core, tensor, index, args[2].value, args.range) ? core.none() : Value();
}

static Value getSize(Core &core, const Arguments &args) {
  bool isLocal = partsOf(args[0].value).isLocal;
  return core.numbers.toPython(core.size(args[0].value), isLocal ? DType::I32 : DType::I64, args.range);
}

static Value getLength(Core &core, const Arguments &args) {
  Number bytes = core.numbers.mul(core.size(args[0].value), bytesOf(partsOf(args[0].value).dtype), args.range);
  return core.numbers.toPython(bytes, DType::I32, args.range);
}

template <bool inBytes> static Value setSize(Core &core, const Arguments &args) {
  Number size = core.expectNumber(args[1], inBytes ? "the number of bytes" : "the size of a tensor");
  if (!size)
    return {};
  TensorParts &parts = partsOf(args[0].value);
  if (inBytes)
    size = core.numbers.binary("/", size, bytesOf(parts.dtype), args.range);
  core.setCell(parts.size, size, args.range);
  return core.none();
}

// In global memory an address as kernels get them; elsewhere the offset in the memory.
static Value getPhyAddr(Core &core, const Arguments &args) {
  Value tensor = core.expectTensor(args[0], "the receiver");
  Number offset = tensor ? core.expectNumber(args[1], "the offset of an element") : Number();
  if (!offset)
    return {};
  Number address = elementAddress(core, tensor, offset, args.range);
  TensorParts &parts = partsOf(tensor);
  if (!parts.isLocal)
    return Value::ofAddress(core.bufferAt(address, isa::Memory::GM, parts.dtype, args.range), parts.dtype);
  Number inside = core.numbers.binary("&", address, (int64_t(1) << 56) - 1, args.range);
  return core.numbers.toPython(inside, DType::I64, args.range);
}

static Value getPosition(Core &core, const Arguments &args) { return core.number(partsOf(args[0].value).position); }

static Value getTag(Core &core, const Arguments &args) {
  return core.numbers.toPython(core.cell(partsOf(args[0].value).tag), DType::I32, args.range);
}

static Value setTag(Core &core, const Arguments &args) {
  Number tag = core.expectNumber(args[1], "a tag");
  if (!tag)
    return {};
  core.setCell(partsOf(args[0].value).tag, tag, args.range);
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
  return parts.isLocal ? core.makeLocal(*dtype, parts.position, core.address(tensor), size, args.range)
                       : core.makeGlobal(*dtype, core.address(tensor), size, args.range);
}

static Value setAddrWithOffset(Core &core, const Arguments &args) {
  Value source = core.expectTensor(args[1], "src");
  Number offset = source ? core.expectNumber(args[2], "offset") : Number();
  if (!offset)
    return {};
  TensorParts &parts = partsOf(args[0].value);
  parts.position = partsOf(source).position;
  core.setCell(parts.address, elementAddress(core, source, offset, args.range), args.range);
  return core.none();
}

static Value setShapeInfo(Core &core, const Arguments &args) {
  partsOf(args[0].value).shape = args[1].value;
  return core.none();
}

static Value getShapeInfo(Core &core, const Arguments &args) {
  const Value &shape = partsOf(args[0].value).shape;
  if (shape)
    return shape;
  CallSite site;
  site.range = args.range;
  return core.l.calls.callBuiltin("asc.ShapeInfo", site);
}

// How copies use L2: a hint in the address, above the bits of the memory.
static Value setL2CacheHint(Core &core, const Arguments &args) {
  std::optional<int64_t> mode = core.expectKnown(args[1], "mode", 0), way = core.expectKnown(args[2], "rw_mode", 3);
  if (!mode || !way)
    return {};
  int64_t code = *mode == 1 ? 1 : *mode == 2 ? 2 : *mode == 4 ? 3 : 0;
  TensorParts &parts = partsOf(args[0].value);
  Number address = core.cell(parts.address);
  for (int64_t bit : {1, 2})
    if (*way & bit) {
      int shift = 60 + (bit == 2 ? 2 : 0);
      address = core.numbers.binary("&", address, int64_t(~(uint64_t(3) << shift)), args.range);
      address = core.numbers.binary("|", address, int64_t(uint64_t(code) << shift), args.range);
    }
  core.setCell(parts.address, address, args.range);
  return core.none();
}

static Value debugOnly(Core &core, const Arguments &) { return core.none(); }

llvm::ArrayRef<Builtin::Row> tensorBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.LocalTensor", on<makeLocalTensor>, "dtype, pos=None, addr=0, tile_size=0"},
      {"asc.LocalTensorAuto", on<makeAutoTensor>, "dtype, shape"},
      {"asc.GlobalTensor", on<makeGlobalTensor>, "dtype=None"},
      {"asc.tensor_view", on<view>, "tensor, offset"},
      {"asc.tensor.set_global_buffer", on<setGlobalBuffer>, "tensor, buffer, buffer_size=None"},
      {"asc.tensor.get_value", on<getValue>, "tensor, offset"},
      {"asc.tensor.set_value", on<setValue>, "tensor, offset, value"},
      {"asc.tensor.get_size", on<getSize>, "tensor"},
      {"asc.tensor.get_length", on<getLength>, "tensor"},
      {"asc.tensor.set_size", on<setSize<false>>, "tensor, size"},
      {"asc.tensor.set_buffer_len", on<setSize<true>>, "tensor, data_len"},
      {"asc.tensor.get_phy_addr", on<getPhyAddr>, "tensor, offset=0"},
      {"asc.tensor.get_position", on<getPosition>, "tensor"},
      {"asc.tensor.get_user_tag", on<getTag>, "tensor"},
      {"asc.tensor.set_user_tag", on<setTag>, "tensor, tag=0"},
      {"asc.tensor.reinterpret_cast", on<reinterpretCast>, "tensor, dtype"},
      {"asc.tensor.set_addr_with_offset", on<setAddrWithOffset>, "tensor, src, offset"},
      {"asc.tensor.set_shape_info", on<setShapeInfo>, "tensor, shape_info"},
      {"asc.tensor.get_shape_info", on<getShapeInfo>, "tensor"},
      {"asc.tensor.set_l2_cache_hint", on<setL2CacheHint>, "tensor, mode=0, rw_mode=3"},
      {"asc.tensor.print", on<debugOnly>, "tensor, data_len=0"},
      {"asc.tensor.to_file", on<debugOnly>, "tensor, file_name"},
  };
  return rows;
}

static constexpr llvm::StringLiteral methodPrefix = "asc.tensor.";

llvm::StringRef TensorKind::method(const Value &, llvm::StringRef name) const {
  for (const Builtin::Row &row : tensorBuiltins())
    if (row.name.starts_with(methodPrefix) && row.name.drop_front(methodPrefix.size()) == name)
      return row.name;
  return {};
}

std::vector<std::string> TensorKind::names(const Value &) const {
  std::vector<std::string> names = {"dtype"};
  for (const Builtin::Row &row : tensorBuiltins())
    if (row.name.starts_with(methodPrefix))
      names.push_back(row.name.drop_front(methodPrefix.size()).str());
  return names;
}

} // namespace tilesmith::frontend::asc
