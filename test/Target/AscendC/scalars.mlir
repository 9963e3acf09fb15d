// RUN: tilesmith-opt %s --emit-ascendc --split-input-file -o /dev/null | FileCheck %s --match-full-lines
// Scalar code means what it means on the host: integers wrap, what has no value is 0, casts saturate.

func.func @wraps(%x: !isa.buffer<GM, i32>, %a: i32, %b: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %sum = arith.addi %a, %b : i32
  isa.set_value %x, %sum : !isa.buffer<GM, i32>, i32
  return
}
// CHECK:      __aicore__ inline int32_t WrapAdd32(int32_t a, int32_t b) {
// CHECK-NEXT:   return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void wraps(__gm__ int32_t *p, int32_t p1, int32_t p2) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, WrapAdd32(p1, p2));
// CHECK-NEXT: }

// -----

// Nothing can wrap: plain operators.
func.func @plain(%x: !isa.buffer<GM, i64>, %a: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c15 = arith.constant 15 : i64
  %c16 = arith.constant 16 : i64
  %wide = arith.extsi %a : i32 to i64
  %more = arith.addi %wide, %c15 : i64
  %blocks = arith.divsi %more, %c16 : i64
  %product = arith.muli %blocks, %wide : i64
  isa.set_value %x, %product : !isa.buffer<GM, i64>, i64
  return
}
// CHECK:      __aicore__ inline int64_t WrapMul64(int64_t a, int64_t b) {
// CHECK-NEXT:   return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void plain(__gm__ int64_t *p, int32_t p1) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int64_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   const int64_t p1_64 = static_cast<int64_t>(p1);
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, WrapMul64((p1_64 + 15) / 16, p1_64));
// CHECK-NEXT: }

// -----

func.func @divisions(%x: !isa.buffer<GM, i32>, %a: i32, %b: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c4 = arith.constant 4 : i32
  %q = arith.divsi %a, %b : i32
  %r = arith.remui %a, %c4 : i32
  %f = arith.floordivsi %q, %r : i32
  %c = arith.ceildivsi %f, %c4 : i32
  %plain = arith.divsi %c, %c4 : i32
  isa.set_value %x, %plain : !isa.buffer<GM, i32>, i32
  return
}
// CHECK:      __aicore__ inline int32_t CeilDiv32(int32_t a, int32_t b) {
// CHECK-NEXT:   if (b == 0 || (b == -1 && a == (-2147483647 - 1))) return 0;
// CHECK-NEXT:   return a / b + (a % b != 0 && (a % b < 0) == (b < 0) ? 1 : 0);
// CHECK-NEXT: }
// CHECK-NEXT: __aicore__ inline int32_t Div32(int32_t a, int32_t b) {
// CHECK-NEXT:   return b == 0 || (b == -1 && a == (-2147483647 - 1)) ? 0 : a / b;
// CHECK-NEXT: }
// CHECK-NEXT: __aicore__ inline int32_t FloorDiv32(int32_t a, int32_t b) {
// CHECK-NEXT:   if (b == 0 || (b == -1 && a == (-2147483647 - 1))) return 0;
// CHECK-NEXT:   return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
// CHECK-NEXT: }
// CHECK-NEXT: __aicore__ inline int32_t RemUnsigned32(uint32_t a, uint32_t b) {
// CHECK-NEXT:   return b == 0 ? 0 : static_cast<int32_t>(a % b);
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void divisions(__gm__ int32_t *p, int32_t p1, int32_t p2) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   const int32_t v = CeilDiv32(FloorDiv32(Div32(p1, p2), RemUnsigned32(p1, 4)), 4);
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, v / 4);
// CHECK-NEXT: }

// -----

func.func @shifts(%x: !isa.buffer<GM, i32>, %a: i32, %n: i32) attributes {isa.kernel, isa.arch = "C220"} {
  %c3 = arith.constant 3 : i32
  %left = arith.shli %a, %n : i32
  %right = arith.shrsi %left, %c3 : i32
  %logical = arith.shrui %right, %c3 : i32
  isa.set_value %x, %logical : !isa.buffer<GM, i32>, i32
  return
}
// CHECK:      __aicore__ inline int32_t ShiftLeft32(int32_t a, uint32_t n) {
// CHECK-NEXT:   return n < 32 ? static_cast<int32_t>(static_cast<uint32_t>(a) << n) : 0;
// CHECK-NEXT: }
// CHECK-NEXT: __aicore__ inline int32_t ShiftRightUnsigned32(uint32_t a, uint32_t n) {
// CHECK-NEXT:   return n < 32 ? static_cast<int32_t>(a >> n) : 0;
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void shifts(__gm__ int32_t *p, int32_t p1, int32_t p2) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   const int32_t v = ShiftRightUnsigned32(ShiftLeft32(p1, static_cast<uint32_t>(p2)) >> 3, 3);
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, v);
// CHECK-NEXT: }

// -----

// Floats are hexadecimal; narrow ones are computed in float.
func.func @floats(%x: !isa.buffer<GM, f32>, %y: !isa.buffer<GM, f16>, %z: !isa.buffer<GM, bf16>, %a: f32, %h: f16, %n: i32)
    attributes {isa.kernel, isa.arch = "C220"} {
  %c = arith.constant 1.100000e+00 : f32
  %inf = arith.constant 0xFF800000 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %odd = arith.constant 0x7FC00001 : f32
  %ch = arith.constant -1.500000e+00 : f16
  %cb = arith.constant 2.500000e-01 : bf16
  %s = arith.mulf %a, %c : f32
  %less = arith.cmpf olt, %s, %inf : f32
  %t = arith.select %less, %s, %inf : f32
  isa.set_value %x, %t : !isa.buffer<GM, f32>, f32
  isa.set_value %x, %nan : !isa.buffer<GM, f32>, f32
  isa.set_value %x, %odd : !isa.buffer<GM, f32>, f32
  %hs = arith.addf %h, %ch : f16
  isa.set_value %y, %hs : !isa.buffer<GM, f16>, f16
  isa.set_value %z, %cb : !isa.buffer<GM, bf16>, bf16
  %f = arith.sitofp %n : i32 to f32
  %u = arith.remf %f, %a : f32
  isa.set_value %x, %u : !isa.buffer<GM, f32>, f32
  %i = arith.fptosi %u : f32 to i32
  %g = arith.sitofp %i : i32 to f32
  isa.set_value %x, %g : !isa.buffer<GM, f32>, f32
  return
}
// CHECK:      __aicore__ inline float FloatOf(uint32_t bits) {
// CHECK-NEXT:   union { uint32_t bits; float value; } u = {bits};
// CHECK-NEXT:   return u.value;
// CHECK-NEXT: }
// CHECK-NEXT: __aicore__ inline float RemFloat(float a, float b) {
// CHECK-NEXT:   const float infinity = __builtin_inff();
// CHECK-NEXT:   float x = a < 0.0f ? -a : a, y = b < 0.0f ? -b : b;
// CHECK-NEXT:   if (a != a || b != b || x == infinity || y == 0.0f) return infinity - infinity;
// CHECK-NEXT:   while (x >= y && y != infinity) {
// CHECK-NEXT:     float part = y;
// CHECK-NEXT:     while (part <= x * 0.5f) part += part;
// CHECK-NEXT:     x -= part <= x ? part : part * 0.5f;
// CHECK-NEXT:   }
// CHECK-NEXT:   return a < 0.0f || (a == 0.0f && 1.0f / a < 0.0f) ? -x : x;
// CHECK-NEXT: }
// CHECK-NEXT: __aicore__ inline int32_t ToInt32(float x) {
// CHECK-NEXT:   return x != x ? 0 : x >= 0x1p+31f ? 2147483647 : x < -0x1p+31f ? (-2147483647 - 1) : static_cast<int32_t>(x);
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void floats(__gm__ float *p, __gm__ half *p1, __gm__ bfloat16_t *p2, float p3, half p4, int32_t p5) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<float> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   AscendC::GlobalTensor<half> p1_gm;
// CHECK-NEXT:   p1_gm.SetGlobalBuffer(p1);
// CHECK-NEXT:   AscendC::GlobalTensor<bfloat16_t> p2_gm;
// CHECK-NEXT:   p2_gm.SetGlobalBuffer(p2);
// CHECK-NEXT:   const float v = p3 * 0x1.19999ap0f;
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, (v < (-__builtin_inff())) ? v : (-__builtin_inff()));
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, __builtin_nanf(""));
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, FloatOf(2143289345u));
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p1_gm.SetValue(0, half(float(p4) + float(half(-0x1.8p0f))));
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p2_gm.SetValue(0, AscendC::ToBfloat16(0x1p-2f));
// CHECK-NEXT:   const float v1 = RemFloat(static_cast<float>(p5), p3);
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, v1);
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, static_cast<float>(ToInt32(v1)));
// CHECK-NEXT: }

// -----

func.func @choices(%x: !isa.buffer<GM, i32>, %a: i32, %b: i32, %f: i1) attributes {isa.kernel, isa.arch = "C220"} {
  %true = arith.constant true
  %c0 = arith.constant 0 : i32
  %least = arith.minsi %a, %b : i32
  %most = arith.maxsi %least, %c0 : i32
  %below = arith.cmpi ult, %a, %b : i32
  %not = arith.xori %f, %true : i1
  %both = arith.andi %below, %not : i1
  %v = arith.select %both, %most, %a : i32
  isa.set_value %x, %v : !isa.buffer<GM, i32>, i32
  return
}
// CHECK:      __aicore__ inline int32_t Max32(int32_t a, int32_t b) {
// CHECK-NEXT:   return a > b ? a : b;
// CHECK-NEXT: }
// CHECK-NEXT: __aicore__ inline int32_t Min32(int32_t a, int32_t b) {
// CHECK-NEXT:   return a < b ? a : b;
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void choices(__gm__ int32_t *p, int32_t p1, int32_t p2, bool p3) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<int32_t> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   const bool v = (static_cast<uint32_t>(p1) < static_cast<uint32_t>(p2)) && (!p3);
// CHECK-NEXT:   // scalars.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm.SetValue(0, v ? Max32(Min32(p1, p2), 0) : p1);
// CHECK-NEXT: }
