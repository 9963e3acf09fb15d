#include "Objects.h"
#include "Core/CoreImpl.h"
#include "Core/CrossBlocks.h"
#include "Late/Late.h"
#include "tilesmith/Isa/Chip.h"
#include <algorithm>
#include <cstring>

namespace tilesmith::machine {

namespace {

int64_t up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }
int64_t bytesOf(DType dtype) { return int64_t(isa::sizeOf(dtype)); }

constexpr int64_t libraryWorkspace = int64_t(16) << 20; // what the host gives (PlatformAscendC::GetLibApiWorkSpaceSize)

bool isInUb(int64_t address) { return Address(address).memory() == Memory::UB; }

void unsupported(TsCore &core, int64_t loc, const std::string &what) {
  if (!core.ended)
    core.report(uint32_t(loc), FindingKind::OperandUnsupported, what);
}

template <typename View, typename... Operands>
void issue(TsCore &core, int64_t loc, DType dtype, Operands... operands) {
  Instr instr = makeCall<View>(uint32_t(loc), operands...);
  instr.dtype = instr.dtype2 = dtype;
  core.issue(instr);
}

std::string nameOf(DType dtype) { return std::string(isa::stringify(dtype)); }

} // namespace

MatrixObjects::Object *MatrixObjects::find(TsCore &core, int64_t loc, int64_t object, const char *call) {
  if (core.ended)
    return nullptr;
  if (object >= 1 && object <= int64_t(objects.size()) && (!call || objects[size_t(object - 1)].ready))
    return &objects[size_t(object - 1)];
  core.report(uint32_t(loc), FindingKind::QueueUninitialised,
              std::string(call ? call : "Matmul") + " of a matrix object without a tiling: it is registered with one "
                                                    "(REGIST_MATMUL_OBJ), or given one by Init");
  core.ended = true;
  return nullptr;
}

MatrixObjects::Matrix *MatrixObjects::findMatrix(TsCore &core, int64_t loc, int64_t object, int64_t matrix) {
  Object *found = find(core, loc, object, nullptr);
  return found && matrix >= 0 && matrix < 4 ? &found->matrices[matrix] : nullptr;
}

void MatrixObjects::type(TsCore &core, int64_t loc, int64_t object, int64_t matrix, int64_t position, int64_t format,
                         int64_t dtype, bool turned, int64_t layout) {
  if (Matrix *found = findMatrix(core, loc, object, matrix)) {
    found->position = position;
    found->format = format;
    found->dtype = DType(dtype);
    found->turned = turned;
    found->layout = layout;
  }
}

void MatrixObjects::config(TsCore &core, int64_t loc, int64_t object, int64_t member, int64_t value) {
  struct Member {
    const char *name;
    int64_t value;
    bool modelled;
  };
  static constexpr Member members[] = {
#define TILESMITH_MATMUL_CONFIG(TYPE, NAME, PYTHON, VALUE, MODELLED) {#NAME, VALUE, MODELLED},
#include "tilesmith/Machine/MatmulConfig.def"
  };
  Object *found = find(core, loc, object, nullptr);
  if (found && member == TS_MATMUL_CONFIG_isBiasBatch)
    found->biasOfEach = value != 0;
  if (found && member >= 0 && member < TS_MATMUL_CONFIG_COUNT && !members[member].modelled &&
      value != members[member].value)
    unsupported(core, loc, std::string("a matrix object with MatmulConfig::") + members[member].name);
}

void MatrixObjects::tiling(TsCore &core, int64_t loc, int64_t object, int64_t member, int64_t value) {
  Object *found = find(core, loc, object, nullptr);
  if (!found || member < 0 || member >= int64_t(sizeof(TsCubeTiling) / sizeof(int32_t)))
    return;
  std::memcpy(reinterpret_cast<char *>(&found->tiling) + size_t(member) * sizeof(int32_t), &value, sizeof(int32_t));
}

void MatrixObjects::init(TsCore &core, int64_t loc, int64_t object) {
  Object *found = find(core, loc, object, nullptr);
  if (!found)
    return;
  const TsCubeTiling &tiling = found->tiling;
  if (tiling.baseM <= 0 || tiling.baseN <= 0 || tiling.baseK <= 0) {
    core.report(uint32_t(loc), FindingKind::OperandUnsupported,
                "a tiling with tiles of " + std::to_string(tiling.baseM) + " x " + std::to_string(tiling.baseN) +
                    " in steps of " + std::to_string(tiling.baseK) + ": nothing has filled it");
    core.ended = true;
    return;
  }
  found->orgM = tiling.M;
  found->orgN = found->orgKc = tiling.N;
  found->orgKa = tiling.Ka;
  found->orgKb = tiling.Kb;
  found->m = tiling.singleCoreM;
  found->n = tiling.singleCoreN;
  found->k = tiling.singleCoreK;
  found->ready = true;
  found->iterating = false;
}

// The service

TsCore *MatrixObjects::cubeCore(TsCore &core) {
  for (TsCore *other : core.group)
    if (core.cores.kindOf(other->index) == isa::CoreKind::AIC)
      return other;
  return nullptr;
}

int64_t MatrixObjects::key(const TsCore &client, bool answer) {
  return countedInBlock | client.block << 8 | int64_t(client.cores.subOf(client.index)) << 1 | int64_t(answer);
}

void MatrixObjects::serve(TsCore &core, int64_t loc, int64_t given, bool cubeOnly) {
  if (core.ended)
    return;
  workspace = given;
  bool mixed = core.cores.block.mixed();
  if (!mixed && !core.kinds.empty() && !core.kinds.has(isa::CoreKind::AIC)) {
    unsupported(core, loc, "a matrix object in a kernel without cube cores");
    core.ended = true;
    return;
  }
  if (!mixed || cubeOnly || core.cores.kindOf(core.index) != isa::CoreKind::AIC)
    return;
  auto isOver = [](const TsCore *client) { return client->over; };
  std::vector<TsCore *> clients;
  for (TsCore *other : core.group)
    if (other != &core)
      clients.push_back(other);
  size_t turn = 0;
  std::function<bool()> somethingToDo = [&] {
    return std::all_of(clients.begin(), clients.end(), isOver) ||
           std::any_of(clients.begin(), clients.end(), [](TsCore *client) { return !client->matrices.inbox.empty(); });
  };
  while (!core.ended && core.waitForOthers(somethingToDo, /*last=*/true)) {
    size_t next = clients.size();
    for (size_t i = 0; i < clients.size() && next == clients.size(); ++i)
      if (!clients[(turn + i) % clients.size()]->matrices.inbox.empty())
        next = (turn + i) % clients.size();
    if (next == clients.size())
      break; // all are through
    turn = next + 1;
    Message message = clients[next]->matrices.inbox.front();
    clients[next]->matrices.inbox.pop_front();
    issue<isa::CrossWait>(core, message.loc, DType::F32, key(*clients[next], false), 1);
    auto answer = [&] {
      core.issue(makeCall<isa::CrossSet>(uint32_t(message.loc), Pipe::FIX, key(*clients[next], true)));
    };
    buffers.run(core, message.loc, message.product, [&](int64_t) {
      if (message.answersEach)
        answer();
    });
    if (message.answers)
      answer();
  }
  buffers.end(core, loc);
  core.queues.destroy(core, loc);
  if (!core.ended)
    core.leaveServed();
}

// What is asked for

void MatrixObjects::factor(TsCore &core, int64_t loc, int64_t object, int64_t matrix, int64_t address, bool turned) {
  Matrix *found = findMatrix(core, loc, object, matrix);
  if (!found)
    return;
  found->address = address;
  found->turned = turned;
  objects[size_t(object - 1)].iterating = false;
}

void MatrixObjects::shape(TsCore &core, int64_t loc, int64_t object, int64_t which, int64_t m, int64_t n, int64_t ka,
                          int64_t kb, int64_t kc) {
  Object *found = find(core, loc, object, "SetSingleShape");
  if (!found)
    return;
  if (which == TS_MATMUL_ORG) {
    found->orgM = m;
    found->orgN = n;
    found->orgKa = ka;
    found->orgKb = kb > 0 ? kb : ka;
    found->orgKc = kc > 0 ? kc : n;
    return;
  }
  auto take = [](int64_t &size, int64_t value) { size = value >= 0 ? value : size; };
  take(found->m, m);
  take(found->n, n);
  take(found->k, ka);
}

void MatrixObjects::set(TsCore &core, int64_t loc, int64_t object, int64_t number, int64_t value) {
  Object *found = find(core, loc, object, nullptr);
  if (!found || number < 0 || number >= TS_MATMUL_NUMBERS)
    return;
  found->numbers[number] = value;
}

bool MatrixObjects::convert(TsCore &core, int64_t loc, const Object &object, Product &product) {
  DType from = product.a.dtype, to = product.c.dtype;
  bool floats = isa::isFloat(from);
  using isa::QuantMode;
  product.scale = object.numbers[TS_MATMUL_QUANT_SCALAR];
  product.scales = 0;
  product.hf32 = from == DType::F32 && object.numbers[TS_MATMUL_HF32] != 0;
  if (to == (floats ? DType::F32 : DType::I32)) {
    product.quant = QuantMode::NoQuant;
    product.scale = 0;
    return true;
  }
  if (floats && (to == DType::F16 || to == DType::BF16)) {
    product.quant = to == DType::F16 ? QuantMode::F322F16 : QuantMode::F322BF16;
    product.scale = 0;
    return true;
  }
  bool toBytes = to == DType::I8 || to == DType::U8;
  if (floats ? toBytes : toBytes || to == DType::F16) {
    product.quant = floats ? QuantMode::QF322B8_PRE : toBytes ? QuantMode::REQ8 : QuantMode::DEQF16;
    if (object.numbers[TS_MATMUL_QUANT_VECTOR]) {
      product.scales = object.numbers[TS_MATMUL_QUANT_VECTOR];
      product.scale = 0;
      product.quant = floats ? QuantMode::VQF322B8_PRE : toBytes ? QuantMode::VREQ8 : QuantMode::VDEQF16;
      return true;
    }
    if (product.scale)
      return true;
    unsupported(core, loc, "a result of " + nameOf(to) + " without a scale: SetQuantScalar or SetQuantVector gives it");
    return false;
  }
  unsupported(core, loc, "a product of " + nameOf(from) + " with a result of " + nameOf(to));
  return false;
}

// Bytes of the workspace that belong to this core.
std::optional<int64_t> MatrixObjects::ownWorkspace(TsCore &core, int64_t loc, int64_t bytes) {
  int64_t share = libraryWorkspace / std::max<int64_t>(core.platform->vectorCores, 1) / 512 * 512;
  if (!workspace) {
    core.report(
        uint32_t(loc), FindingKind::OperandUnsupported,
        "a matrix object moves tensors in UB through its workspace, and has none: REGIST_MATMUL_OBJ is given it");
  } else if (bytes > share) {
    core.report(uint32_t(loc), FindingKind::OperandUnsupported,
                "a matrix object moves " + std::to_string(bytes) +
                    " bytes at once through its workspace, of which a core has " + std::to_string(share));
  } else {
    return workspace + core.blockIdx % std::max<int64_t>(core.platform->vectorCores, 1) * share;
  }
  core.ended = true;
  return std::nullopt;
}

// Where a factor lies. What is in UB goes to the workspace, `staged` bytes after its beginning.
bool MatrixObjects::place(TsCore &core, int64_t loc, Object &object, bool left, Product &product, int64_t &staged) {
  const Matrix &matrix = object.matrices[left ? TS_MATMUL_A : TS_MATMUL_B];
  MatrixPlace &place = left ? product.a : product.b;
  place.address = matrix.address;
  place.dtype = matrix.dtype;
  place.turned = matrix.turned;
  place.fractals = matrix.format == TS_MATMUL_NZ;
  if (matrix.format != TS_MATMUL_ND && matrix.format != TS_MATMUL_NZ && matrix.format != TS_MATMUL_VECTOR) {
    unsupported(core, loc, "a matrix object with a factor in format " + std::to_string(matrix.format));
    return false;
  }
  int64_t across = left ? product.m : product.n;
  int64_t rows = left != matrix.turned ? across : product.k, columns = left != matrix.turned ? product.k : across;
  int64_t orgRows = left ? (matrix.turned ? object.orgKa : object.orgM) : (matrix.turned ? object.orgN : object.orgKb);
  int64_t orgColumns =
      left ? (matrix.turned ? object.orgM : object.orgKa) : (matrix.turned ? object.orgKb : object.orgN);
  int64_t size = bytesOf(matrix.dtype), fractal = isa::fractalRows;
  if (!isInUb(matrix.address)) {
    if (place.inL1() && !place.fractals) {
      unsupported(core, loc, "a factor in L1 that is not in format NZ");
      return false;
    }
    place.pitch = place.inL1() ? up(rows, fractal) : place.fractals ? up(orgRows, fractal) : orgColumns;
    return true;
  }
  place.pitch = place.fractals ? up(rows, fractal) : columns;
  int64_t bytes = place.fractals ? up(columns * size, isa::blockBytes) * place.pitch : rows * columns * size;
  std::optional<int64_t> to = ownWorkspace(core, loc, staged + up(bytes, 512));
  if (!to)
    return false;
  place.address = *to + staged;
  issue<isa::CopyUbToGm>(core, loc, matrix.dtype, Address(place.address), Address(matrix.address), 1, bytes, 0, 0);
  staged += up(bytes, 512);
  return true;
}

std::optional<Product> MatrixObjects::product(TsCore &core, int64_t loc, Object &object) {
  Product product;
  product.m = object.m;
  product.n = object.n;
  product.k = object.k;
  product.tiling = object.tiling;
  product.factors = object.factors;
  const Matrix &a = object.matrices[TS_MATMUL_A], &b = object.matrices[TS_MATMUL_B], &c = object.matrices[TS_MATMUL_C];
  if (product.m <= 0 || product.n <= 0 || product.k <= 0)
    return std::nullopt; // nothing to do
  if (a.dtype != b.dtype) {
    unsupported(core, loc, "a product of " + nameOf(a.dtype) + " and " + nameOf(b.dtype));
    return std::nullopt;
  }
  product.c.dtype = c.dtype;
  product.c.fractals = c.format == TS_MATMUL_NZ;
  int64_t perBlock = isa::blockBytes / bytesOf(c.dtype);
  product.c.pitch = product.c.fractals               ? up(object.orgM, isa::fractalRows)
                    : c.format == TS_MATMUL_ND_ALIGN ? up(object.orgKc, perBlock)
                                                     : object.orgKc;
  if (!product.c.fractals && c.format != TS_MATMUL_ND && c.format != TS_MATMUL_ND_ALIGN &&
      c.format != TS_MATMUL_VECTOR) {
    unsupported(core, loc, "a matrix object with a result in format " + std::to_string(c.format));
    return std::nullopt;
  }
  const Matrix &bias = object.matrices[TS_MATMUL_BIAS];
  // The tile on its way to UB comes first in the workspace.
  int64_t staged = 0;
  if (isInUb(a.address) || isInUb(b.address) || isInUb(bias.address)) {
    staged = up(product.tileBytes(), 512);
    await(core, loc, object); // earlier products have read what is there
    order(core, loc, Pipe::V, Pipe::MTE3);
  }
  product.a.dtype = a.dtype;
  if (!convert(core, loc, object, product) || !place(core, loc, object, true, product, staged) ||
      !place(core, loc, object, false, product, staged))
    return std::nullopt;
  product.bias.address = bias.address;
  product.bias.dtype = bias.dtype;
  if (isInUb(bias.address)) {
    int64_t bytes = product.n * bytesOf(bias.dtype);
    std::optional<int64_t> to = ownWorkspace(core, loc, staged + up(bytes, 512));
    if (!to)
      return std::nullopt;
    product.bias.address = *to + staged;
    issue<isa::CopyUbToGm>(core, loc, bias.dtype, Address(product.bias.address), Address(bias.address), 1, bytes, 0, 0);
  }
  return product;
}

// How things get there

void MatrixObjects::order(TsCore &core, int64_t loc, Pipe from, Pipe to) {
  int64_t id = core.queues.allocEvent(core, loc, int64_t(from), int64_t(to), /*keep=*/false);
  if (core.ended)
    return;
  core.issue(makeCall<isa::SetFlag>(uint32_t(loc), from, to, id));
  core.issue(makeCall<isa::WaitFlag>(uint32_t(loc), from, to, id));
}

void MatrixObjects::send(TsCore &core, int64_t loc, Object &object, const Product &product, bool answers,
                         bool answersEach) {
  if (core.ended)
    return;
  if (!cubeCore(core) || cubeCore(core) == &core) {
    buffers.run(core, loc, product, [](int64_t) {});
    if (answers && core.kinds.empty()) // a core of both kinds may read it
      order(core, loc, Pipe::FIX, Pipe::MTE2);
    return;
  }
  if (reads)
    order(core, loc, Pipe::MTE2, Pipe::MTE3);
  reads = false;
  inbox.push_back({product, loc, answers, answersEach});
  object.pending += answersEach ? product.count : answers;
  core.issue(makeCall<isa::CrossSet>(uint32_t(loc), Pipe::MTE3, key(core, false)));
}

// All answers of the object are there.
void MatrixObjects::await(TsCore &core, int64_t loc, Object &object) {
  for (; object.pending > 0 && !core.ended; --object.pending)
    issue<isa::CrossWait>(core, loc, DType::F32, key(core, true), 1);
}

// A tile of the workspace to UB, rows `pitch` bytes apart there and here, and back to V.
void MatrixObjects::fetch(TsCore &core, int64_t loc, const Product &product, int64_t from, int64_t to, int64_t rows,
                          int64_t columns, int64_t pitch) {
  DType dtype = product.c.dtype;
  order(core, loc, Pipe::V, Pipe::MTE2);
  int64_t bytes = columns * bytesOf(dtype), there = up(bytes, isa::blockBytes);
  issue<isa::CopyGmToUb>(core, loc, dtype, Address(to), Address(from), rows, bytes, pitch - bytes,
                         (pitch - there) / isa::blockBytes, 0, 0, 0, 0);
  order(core, loc, Pipe::MTE2, Pipe::V);
  reads = true;
}

void MatrixObjects::begin(TsCore &core, int64_t loc, Object &object) {
  object.iterating = true;
  object.ahead = false;
  object.tile = 0;
  object.factors = ++sessions << 16 | int64_t(core.index & 0xffff);
}

int64_t MatrixObjects::iterate(TsCore &core, int64_t loc, int64_t handle, bool partial, bool sync) {
  Object *object = find(core, loc, handle, "Iterate");
  if (!object)
    return 0;
  if (partial) {
    unsupported(core, loc, "Iterate(true): tiles that are added to those of an earlier call");
    core.ended = true;
    return 0;
  }
  if (object->iterating) {
    ++object->tile;
  } else {
    begin(core, loc, *object);
    if (!sync) {
      std::optional<Product> product = this->product(core, loc, *object);
      if (product) {
        product->count = product->tiles();
        product->sequential = true;
        product->c.address = object->numbers[TS_MATMUL_WORKSPACE];
        if (!product->c.address) {
          unsupported(core, loc, "Iterate<false> without SetWorkspace: where the tiles go");
          core.ended = true;
          return 0;
        }
        object->ahead = true;
        send(core, loc, *object, *product, true, true);
      }
    }
  }
  bool more = object->m > 0 && object->n > 0 && object->k > 0;
  if (more) {
    Product sizes;
    sizes.m = object->m;
    sizes.n = object->n;
    sizes.tiling = object->tiling;
    more = object->tile < sizes.tiles();
  }
  object->iterating = more && !core.ended;
  return object->iterating;
}

void MatrixObjects::get(TsCore &core, int64_t loc, int64_t handle, const Output &output) {
  Object *object = find(core, loc, handle, "GetTensorC");
  if (!object)
    return;
  if (!object->iterating) {
    core.report(uint32_t(loc), FindingKind::OperandUnsupported,
                "GetTensorC without a tile: Iterate has not returned true");
    core.ended = true;
    return;
  }
  bool toUb = isInUb(output.address);
  std::optional<Product> product;
  int64_t from = 0;
  if (object->ahead) {
    if (!toUb)
      return unsupported(core, loc, "GetTensorC to global memory of tiles that are computed ahead");
    Product known;
    known.m = object->m;
    known.n = object->n;
    known.tiling = object->tiling;
    known.c.dtype = object->matrices[TS_MATMUL_C].dtype;
    known.c.fractals = object->matrices[TS_MATMUL_C].format == TS_MATMUL_NZ;
    product = known;
    from = object->numbers[TS_MATMUL_WORKSPACE] + object->tile * known.tileBytes();
    if (object->pending > 0) {
      --object->pending;
      issue<isa::CrossWait>(core, loc, DType::F32, key(core, true), 1);
    }
  } else {
    product = this->product(core, loc, *object);
    if (!product)
      return;
    product->first = object->tile;
    product->count = 1;
    product->atomic = isa::AtomicOp(output.atomic);
    product->sequential = toUb || output.sequential;
    product->c.address = output.address;
    if (toUb) {
      std::optional<int64_t> own = ownWorkspace(core, loc, product->tileBytes());
      if (!own)
        return;
      product->c.address = from = *own;
    }
    send(core, loc, *object, *product, true);
    if (toUb || output.sync)
      await(core, loc, *object);
  }
  if (!toUb)
    return;
  auto [i, j] = product->tileAt(object->tile);
  int64_t size = bytesOf(product->c.dtype), baseN = object->tiling.baseN;
  int64_t rows = std::min<int64_t>(object->tiling.baseM, product->m - i * object->tiling.baseM);
  int64_t columns = std::min<int64_t>(baseN, product->n - j * baseN);
  if (product->c.fractals) {
    int64_t bytes = up(columns * size, isa::blockBytes) * up(rows, isa::fractalRows);
    return fetch(core, loc, *product, from, output.address, 1, bytes / size, bytes);
  }
  // Tiles that do not follow each other lie at their places in the core's part.
  if (output.sequential || product->tiles() == 1)
    return fetch(core, loc, *product, from, output.address, rows, columns, baseN * size);
  unsupported(core, loc, "GetTensorC to UB of several tiles that do not follow each other (enSequentialWrite)");
}

void MatrixObjects::all(TsCore &core, int64_t loc, int64_t handle, const Output &output) {
  Object *object = find(core, loc, handle, "IterateAll");
  if (!object)
    return;
  begin(core, loc, *object);
  object->iterating = false;
  std::optional<Product> product = this->product(core, loc, *object);
  if (!product)
    return;
  product->count = product->tiles();
  product->atomic = isa::AtomicOp(output.atomic);
  product->sequential = output.sequential;
  product->c.address = output.address;
  if (!isInUb(output.address)) {
    send(core, loc, *object, *product,
         output.sync || output.waits || object->matrices[TS_MATMUL_A].address != product->a.address ||
             object->matrices[TS_MATMUL_B].address != product->b.address);
    if (output.sync)
      await(core, loc, *object);
    return;
  }
  int64_t size = bytesOf(product->c.dtype), perBlock = isa::blockBytes / size;
  int64_t pitch = product->c.fractals ? up(product->m, isa::fractalRows) : up(product->n, perBlock);
  int64_t bytes = product->c.fractals ? pitch * up(product->n * size, isa::blockBytes) : product->m * pitch * size;
  std::optional<int64_t> own = ownWorkspace(core, loc, bytes);
  if (!own)
    return;
  product->sequential = false;
  product->c.address = *own;
  product->c.pitch = pitch;
  send(core, loc, *object, *product, true);
  await(core, loc, *object);
  if (product->c.fractals)
    fetch(core, loc, *product, *own, output.address, 1, bytes / size, bytes);
  else
    fetch(core, loc, *product, *own, output.address, product->m, product->n, pitch * size);
}

// The product of one index of a batch.
Product MatrixObjects::batchOf(const Object &object, const Product &whole, int64_t index) const {
  Product product = whole;
  const TsCubeTiling &tiling = object.tiling;
  int64_t batches[] = {std::max<int64_t>(object.numbers[TS_MATMUL_BATCHES_A], 1),
                       std::max<int64_t>(object.numbers[TS_MATMUL_BATCHES_B], 1), 0};
  int64_t total = batches[2] = std::max(batches[0], batches[1]);
  struct Dims {
    int64_t b, s, n, g, d;
  };
  const Dims dims[] = {
      {tiling.ALayoutInfoB, tiling.ALayoutInfoS, tiling.ALayoutInfoN, tiling.ALayoutInfoG, tiling.ALayoutInfoD},
      {tiling.BLayoutInfoB, tiling.BLayoutInfoS, tiling.BLayoutInfoN, tiling.BLayoutInfoG, tiling.BLayoutInfoD},
      {tiling.CLayoutInfoB, tiling.CLayoutInfoS1, tiling.CLayoutInfoN, tiling.CLayoutInfoG, tiling.CLayoutInfoS2}};
  const int64_t sizes[][2] = {{whole.m, whole.k}, {whole.k, whole.n}, {whole.m, whole.n}};
  MatrixPlace *places[] = {&product.a, &product.b, &product.c};
  for (int i = 0; i < 3; ++i) {
    MatrixPlace &place = *places[i];
    int64_t at = index / (total / batches[i]), stride = object.numbers[TS_MATMUL_STRIDE_A + i];
    int64_t offset = 0, layout = object.matrices[i].layout, pitch = place.turned ? sizes[i][0] : sizes[i][1];
    Dims dim = dims[i];
    int64_t heads = std::max<int64_t>(dim.n * dim.g, 1), head = at % heads, batch = at / heads;
    if (layout == TS_MATMUL_BSNGD) {
      pitch = heads * dim.d;
      offset = batch * dim.s * pitch + head * dim.d;
    } else if (layout == TS_MATMUL_SBNGD) {
      pitch = dim.b * heads * dim.d;
      offset = (batch * heads + head) * dim.d;
    } else {
      offset = at * sizes[i][0] * sizes[i][1];
    }
    place.address += (stride ? at * stride : offset) * bytesOf(place.dtype);
    place.pitch = place.fractals ? up(place.turned ? sizes[i][1] : sizes[i][0], isa::fractalRows) : pitch;
  }
  if (product.bias.address && object.biasOfEach)
    product.bias.address += index * whole.n * bytesOf(product.bias.dtype);
  return product;
}

void MatrixObjects::batch(TsCore &core, int64_t loc, int64_t handle, const Output &output) {
  Object *object = find(core, loc, handle, "IterateBatch");
  if (!object)
    return;
  if (isInUb(output.address) || isInUb(object->matrices[TS_MATMUL_A].address) ||
      isInUb(object->matrices[TS_MATMUL_B].address))
    return unsupported(core, loc, "IterateBatch of matrices in UB");
  int64_t a = object->numbers[TS_MATMUL_BATCHES_A], b = object->numbers[TS_MATMUL_BATCHES_B];
  int64_t total = std::max<int64_t>(std::max(a, b), 1);
  if (a < 0 || b < 0 || total % std::max<int64_t>(a, 1) || total % std::max<int64_t>(b, 1))
    return unsupported(core, loc,
                       "IterateBatch of " + std::to_string(a) + " and " + std::to_string(b) +
                           " matrices: one number divides the other");
  begin(core, loc, *object);
  object->iterating = false;
  std::optional<Product> whole = product(core, loc, *object);
  if (!whole)
    return;
  whole->count = whole->tiles();
  whole->atomic = isa::AtomicOp(output.atomic);
  whole->c.address = output.address;
  sessions += total;
  for (int64_t i = 0; i < total; ++i) {
    Product one = batchOf(*object, *whole, i);
    one.factors = (sessions - i) << 16 | int64_t(core.index & 0xffff);
    send(core, loc, *object, one, i + 1 == total && (output.sync || output.waits));
  }
  if (output.sync)
    await(core, loc, *object);
}

void MatrixObjects::wait(TsCore &core, int64_t loc, int64_t handle) {
  if (Object *object = find(core, loc, handle, "WaitIterateAll"))
    await(core, loc, *object);
}

void MatrixObjects::end(TsCore &core, int64_t loc, int64_t handle) {
  Object *object = find(core, loc, handle, nullptr);
  if (!object)
    return;
  await(core, loc, *object);
  object->iterating = false;
  if (!cubeCore(core))
    buffers.end(core, loc);
}

} // namespace tilesmith::machine
