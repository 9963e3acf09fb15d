// TensorDesc and ListTensorDesc: lists of tensors behind one argument, which the model's launches cannot give. Each use
// is a finding when it runs.
#include "Core.h"

namespace tilesmith::frontend::asc {

namespace {

struct ListParts : Parts {
  DType dtype = DType::F32;
};

class ListKind final : public Kind {
public:
  constexpr explicit ListKind(llvm::StringLiteral cls) : cls(cls) {}
  std::string describe(Lowering &, const Value &) const override {
    return ("a " + llvm::StringRef(cls).rsplit('.').second).str();
  }
  llvm::StringRef className(const Value &) const override { return cls; }
  bool isSame(Lowering &, const Value &a, const Value &b) const override { return a.parts == b.parts; }
  llvm::StringRef method(const Value &, llvm::StringRef name) const override {
    for (const Builtin::Row &row : listBuiltins()) {
      llvm::StringRef rest = row.name;
      if (rest.consume_front(cls) && rest.consume_front(".") && rest == name)
        return row.name;
    }
    return {};
  }

private:
  llvm::StringLiteral cls;
};

constexpr ListKind descKind("asc.TensorDesc"), listKind("asc.ListTensorDesc");

bool missing(Core &core, const Arguments &args) {
  llvm::StringRef name = args.name;
  name.consume_front("asc.");
  return core.unsupported(name, args.range);
}

Value make(const Kind &kind, DType dtype) {
  auto parts = std::make_shared<ListParts>();
  parts->dtype = dtype;
  Value value;
  value.kind = &kind;
  value.parts = parts;
  return value;
}

} // namespace

static Value makeDesc(Core &core, const Arguments &args) {
  DType dtype = DType::F32;
  if (args[0]) {
    std::optional<DType> given = core.l.expect.dtype(args[0], "dtype");
    if (!given)
      return {};
    dtype = *given;
  }
  return make(descKind, dtype);
}

static Value makeList(Core &core, const Arguments &args) {
  return missing(core, args) ? make(listKind, DType::F32) : Value();
}

static Value nothing(Core &core, const Arguments &args) { return missing(core, args) ? core.none() : Value(); }

template <DType dtype> static Value number(Core &core, const Arguments &args) {
  if (!missing(core, args))
    return {};
  return Value::ofScalar(core.l.ir.constant(dtype, 0, args.range), dtype);
}

static Value pointer(Core &core, const Arguments &args) {
  if (!missing(core, args))
    return {};
  DType dtype = static_cast<ListParts &>(*args[0].value.parts).dtype;
  if (args.named.size() > 2 && args[2]) {
    std::optional<DType> given = core.l.expect.dtype(args[2], "dtype");
    if (!given)
      return {};
    dtype = *given;
  }
  return Value::ofAddress(core.bufferAt(0, isa::Memory::GM, dtype, args.range), dtype);
}

static Value tensor(Core &core, const Arguments &args) {
  DType dtype = static_cast<ListParts &>(*args[0].value.parts).dtype;
  return missing(core, args) ? core.makeGlobal(dtype, 0, 0, args.range) : Value();
}

llvm::ArrayRef<Builtin::Row> listBuiltins() {
  static constexpr Builtin::Row rows[] = {
      {"asc.TensorDesc", on<makeDesc>, "dtype=None"},
      {"asc.TensorDesc.set_shape_addr", on<nothing>, "desc, shape_ptr"},
      {"asc.TensorDesc.get_dim", on<number<DType::U64>>, "desc"},
      {"asc.TensorDesc.get_index", on<number<DType::U64>>, "desc"},
      {"asc.TensorDesc.get_shape", on<number<DType::U64>>, "desc, offset"},
      {"asc.TensorDesc.get_data_ptr", on<pointer>, "desc"},
      {"asc.TensorDesc.get_data_obj", on<tensor>, "desc"},
      {"asc.ListTensorDesc", on<makeList>, "data=None, length=None, shape_size=None"},
      {"asc.ListTensorDesc.init", on<nothing>, "list, data, length=None, shape_size=None"},
      {"asc.ListTensorDesc.get_desc", on<nothing>, "list, desc, index"},
      {"asc.ListTensorDesc.get_data_ptr", on<pointer>, "list, index, dtype=None"},
      {"asc.ListTensorDesc.get_size", on<number<DType::U32>>, "list"},
  };
  return rows;
}

} // namespace tilesmith::frontend::asc
