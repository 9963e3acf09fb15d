// RUN: tilesmith-opt %s --emit-ascendc | FileCheck %s

// Pieces of Ascend C with operands in their places. Nothing is added to what the author wrote; a view that is used once has
// no variable, a pure piece that nobody reads is left out, a call is not.
// CHECK: extern "C" __global__ __aicore__ void queues(__gm__ float *{{.*}}, int32_t [[N:.*]]) {
// CHECK-NOT: InitSocState
// CHECK: AscendC::TPipe [[PIPE:.*]];
// CHECK: AscendC::TQue<AscendC::TPosition::VECIN, 2> [[QUEUE:.*]];
// CHECK: [[PIPE]].InitBuffer([[QUEUE]], 2, 4096);
// CHECK: AscendC::GlobalTensor<float> [[ARRAY:.*]];
// CHECK-NEXT: [[ARRAY]].SetGlobalBuffer(
// CHECK: AscendC::LocalTensor<float> [[TENSOR:.*]] = [[QUEUE]].AllocTensor<float>();
// CHECK-NOT: GetSize
// CHECK: AscendC::DataCopy([[TENSOR]], [[ARRAY]][static_cast<int64_t>([[N]])], 64);
// CHECK: const uint64_t [[MASK:.*]][2] = {0xffull, 0};
// CHECK: AscendC::Adds([[TENSOR]], [[TENSOR]], 0x1p1f, [[MASK]], 1, AscendC::UnaryRepeatParams());
func.func @queues(%x: !isa.buffer<GM, f32>, %n: i32) attributes {isa.kernel, isa.arch = "C220", asc.kernel, asc.written} {
  %two = arith.constant 2.0 : f32
  %pipe = asc.write "" as "AscendC::TPipe" () : () -> i32
  %queue = asc.write "" as "AscendC::TQue<AscendC::TPosition::VECIN, 2>" () : () -> i32
  %made = asc.write "$0.InitBuffer($1, 2, 4096)" (%pipe, %queue) : (i32, i32) -> i1
  %array = asc.write "$r.SetGlobalBuffer($0)" (%x) : (!isa.buffer<GM, f32>) -> !isa.buffer<GM, f32>
  %tensor = asc.write "$0.AllocTensor<float>()" (%queue) : (i32) -> !isa.buffer<UB, f32>
  %size = asc.write "$0.GetSize()" pure (%tensor) : (!isa.buffer<UB, f32>) -> i64
  %wide = arith.extsi %n : i32 to i64
  %view = asc.write "$0[$1]" pure (%array, %wide) : (!isa.buffer<GM, f32>, i64) -> !isa.buffer<GM, f32>
  asc.write "AscendC::DataCopy($0, $1, 64)" (%tensor, %view) : (!isa.buffer<UB, f32>, !isa.buffer<GM, f32>) -> ()
  %mask = asc.write "const uint64_t $r[2] = {0xffull, 0}" as "" () : () -> i32
  asc.write "AscendC::Adds($0, $0, $1, $2, 1, AscendC::UnaryRepeatParams())" (%tensor, %two, %mask) : (!isa.buffer<UB, f32>, f32, i32) -> ()
  return
}

// A tensor that a branch chooses is a variable of its own.
// CHECK: void chosen(
// CHECK: AscendC::LocalTensor<half> [[T:[a-z]+]];
// CHECK: [[T]] = {{.*}};
// CHECK: } else {
// CHECK: [[T]] = {{.*}};
// CHECK: AscendC::Abs([[T]], [[T]], 16);
func.func @chosen(%n: i32) attributes {isa.kernel, isa.arch = "C220", asc.kernel, asc.written} {
  %zero = arith.constant 0 : i32
  %a = asc.write "AscendC::LocalTensor<half>(AscendC::TPosition::VECIN, 0, 64)" () : () -> !isa.buffer<UB, f16>
  %b = asc.write "AscendC::LocalTensor<half>(AscendC::TPosition::VECIN, 128, 64)" () : () -> !isa.buffer<UB, f16>
  %positive = arith.cmpi sgt, %n, %zero : i32
  %c = scf.if %positive -> !isa.buffer<UB, f16> {
    asc.write "AscendC::PipeBarrier<PIPE_V>()" () : () -> ()
    scf.yield %a : !isa.buffer<UB, f16>
  } else {
    scf.yield %b : !isa.buffer<UB, f16>
  }
  asc.write "AscendC::Abs($0, $0, 16)" (%c) : (!isa.buffer<UB, f16>) -> ()
  return
}
