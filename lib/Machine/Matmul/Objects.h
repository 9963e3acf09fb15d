// Matrix objects: Matmul of Ascend C, on every core of a launch.
//
// A core whose kernel has only cube cores computes the products itself. In a mixed kernel they are a service: vector
// cores send what they want to the cube core of their block, which computes nothing else until all of them are through.
// A message is a set of a flag that counts inside the block, on MTE3 of the vector core, so that what it moved to
// global memory before is there; the answer is another one, on FIX. Which message comes next does not depend on the
// host: the cube core goes on only when no other core can, and takes its vector cores in turn.
//
// Matrices that lie in UB travel through the workspace: a part of it belongs to each vector core, with the tile that is
// on its way to UB, and copies of factors.
#ifndef TILESMITH_LIB_MACHINE_MATMUL_OBJECTS_H
#define TILESMITH_LIB_MACHINE_MATMUL_OBJECTS_H

#include "Product.h"
#include "tilesmith/Machine/Matmul.h"
#include <deque>
#include <optional>

namespace tilesmith::machine {

class MatrixObjects {
public:
  // Of a core that begins.
  void reset() { *this = {}; }
  // Queues have ended, and with them the buffers of products.
  void forgetBuffers() { buffers.reset(); }

  int64_t make() {
    objects.emplace_back();
    return int64_t(objects.size());
  }
  void type(TsCore &core, int64_t loc, int64_t object, int64_t matrix, int64_t position, int64_t format, int64_t dtype,
            bool turned, int64_t layout);
  void config(TsCore &core, int64_t loc, int64_t object, int64_t member, int64_t value);
  void tiling(TsCore &core, int64_t loc, int64_t object, int64_t member, int64_t value);
  // The tiling is complete.
  void init(TsCore &core, int64_t loc, int64_t object);
  // Objects are told of; a cube core of a mixed kernel serves, and does nothing else afterwards.
  void serve(TsCore &core, int64_t loc, int64_t workspace, bool cubeOnly);

  void factor(TsCore &core, int64_t loc, int64_t object, int64_t matrix, int64_t address, bool turned);
  void shape(TsCore &core, int64_t loc, int64_t object, int64_t which, int64_t m, int64_t n, int64_t ka, int64_t kb,
             int64_t kc);
  void set(TsCore &core, int64_t loc, int64_t object, int64_t number, int64_t value);

  // Where a result goes, and how.
  struct Output {
    int64_t address, atomic;
    bool sequential, sync, waits;
  };
  // Whether there is another tile.
  int64_t iterate(TsCore &core, int64_t loc, int64_t object, bool partial, bool sync);
  void get(TsCore &core, int64_t loc, int64_t object, const Output &output);
  void all(TsCore &core, int64_t loc, int64_t object, const Output &output);
  void batch(TsCore &core, int64_t loc, int64_t object, const Output &output);
  void wait(TsCore &core, int64_t loc, int64_t object);
  void end(TsCore &core, int64_t loc, int64_t object);

private:
  struct Matrix {
    int64_t position = 0, format = 0, layout = 0, address = 0;
    DType dtype = DType::F16;
    bool turned = false;
  };
  struct Object {
    Matrix matrices[4];
    TsCubeTiling tiling = {};
    int64_t orgM = 0, orgN = 0, orgKa = 0, orgKb = 0, orgKc = 0, m = 0, n = 0, k = 0;
    int64_t numbers[TS_MATMUL_NUMBERS] = {};
    bool biasOfEach = true;                               // a bias for each product of a batch
    bool ready = false, iterating = false, ahead = false; // ahead: all tiles are computed, into the workspace
    int64_t tile = 0, factors = 0;
    int64_t pending = 0; // answers that have not been waited for
  };
  struct Message {
    Product product;
    int64_t loc;
    bool answers, answersEach;
  };

  Object *find(TsCore &core, int64_t loc, int64_t object, const char *call);
  Matrix *findMatrix(TsCore &core, int64_t loc, int64_t object, int64_t matrix);
  std::optional<Product> product(TsCore &core, int64_t loc, Object &object);
  bool place(TsCore &core, int64_t loc, Object &object, bool left, Product &product, int64_t &staged);
  bool convert(TsCore &core, int64_t loc, const Object &object, Product &product);
  std::optional<int64_t> ownWorkspace(TsCore &core, int64_t loc, int64_t bytes);
  void begin(TsCore &core, int64_t loc, Object &object);
  void send(TsCore &core, int64_t loc, Object &object, const Product &product, bool answers, bool answersEach = false);
  void order(TsCore &core, int64_t loc, Pipe from, Pipe to);
  void await(TsCore &core, int64_t loc, Object &object);
  void fetch(TsCore &core, int64_t loc, const Product &product, int64_t from, int64_t to, int64_t rows, int64_t columns,
             int64_t pitch);
  void run(TsCore &core, int64_t loc, const Product &product);
  Product batchOf(const Object &object, const Product &first, int64_t index) const;
  static TsCore *cubeCore(TsCore &core);
  static int64_t key(const TsCore &client, bool answer);

  std::vector<Object> objects;
  int64_t workspace = 0;
  int64_t sessions = 0;      // of factors
  bool reads = false;        // MTE2 has read the workspace since the last message
  std::deque<Message> inbox; // of this core, at its cube core: kept by the core that sends
  CubeBuffers buffers;
};

} // namespace tilesmith::machine

#endif // TILESMITH_LIB_MACHINE_MATMUL_OBJECTS_H
