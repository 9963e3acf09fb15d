// RUN: tilesmith-opt %s --emit-ascendc --split-input-file -o /dev/null | FileCheck %s --match-full-lines
// Buffers are tensors at their planned addresses; offsets count elements.

func.func @tensors(%x: !isa.buffer<GM, f16>, %i: i64, %j: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c0 = arith.constant 0 : i64
  %c64 = arith.constant 64 : i64
  %c128 = arith.constant 128 : i64
  %pad = arith.constant 0.0 : f16
  %a = isa.alloc 256 {address = 512 : i64, source = "a", shape = "[128] float16"} : <UB, f16>
  %ring = isa.alloc 128 {address = 1024 : i64, slots = 2 : i64, source = "row", shape = "[32] float32"} : <UB, f32>
  // The number of bytes is twice something, or a number, or a sum of both.
  %twice = arith.muli %i, %c2 : i64
  %bytes = arith.addi %twice, %c64 : i64
  %from = isa.offset %x, %bytes : <GM, f16>
  isa.copy_gm_to_ub %a, %from, %c1, %c128, %c0, %c0, %c0, %c0, %c0, %pad : <UB, f16>, <GM, f16>, f16
  %slot = isa.slot %ring[%j] : <UB, f32>
  isa.cast %slot, %a, %c64 {round = #isa.round_mode<None>} : <UB, f32>, <UB, f16>
  %second = isa.offset %a, %c64 : <UB, f16>
  isa.muls %second, %second, %pad, %c64 : <UB, f16>, <UB, f16>, f16
  // A number of bytes of any kind is divided.
  %any = isa.offset %a, %j : <UB, f16>
  %v = isa.get_value %any : <UB, f16> -> f16
  isa.set_value %second, %v : !isa.buffer<UB, f16>, f16
  return
}
// CHECK:      __aicore__ inline int64_t WrapAdd64(int64_t a, int64_t b) {
// CHECK-NEXT:   return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void tensors(__gm__ half *p, int64_t p1, int64_t p2) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<half> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   AscendC::LocalTensor<half> a(AscendC::TPosition::VECCALC, 512, 128);  // [128] float16
// CHECK-NEXT:   // row: 2 slots of 128 bytes from 1024, [32] float32
// CHECK-NEXT:   // buffers.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::DataCopyPad(a, p_gm[WrapAdd64(p1, 32)], AscendC::DataCopyExtParams{1, 128, 0, 0, 0}, AscendC::DataCopyPadExtParams<half>{false, 0, 0, half(0x0p0f)});
// CHECK-NEXT:   AscendC::LocalTensor<float> row(AscendC::TPosition::VECCALC, 1024 + static_cast<uint64_t>(p2) % 2 * 128, 32);
// CHECK-NEXT:   // buffers.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Cast<float, half>(row, a, AscendC::RoundMode::CAST_NONE, 64);
// CHECK-NEXT:   AscendC::LocalTensor<half> a1 = a[32];
// CHECK-NEXT:   // buffers.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Muls(a1, a1, half(0x0p0f), 64);
// CHECK-NEXT:   // buffers.mlir:{{[0-9]+}}
// CHECK-NEXT:   const half v = a.GetValue(p2 / 2);
// CHECK-NEXT:   // buffers.mlir:{{[0-9]+}}
// CHECK-NEXT:   a1.SetValue(0, v);
// CHECK-NEXT: }

// -----

// The same bytes as another type; packed bits are bytes.
func.func @views(%x: !isa.buffer<GM, f16>) attributes {isa.kernel, isa.arch = "C220"} {
  %c64 = arith.constant 64 : i64
  %m = isa.alloc 32 {address = 0 : i64} : <UB, i1>
  %words = isa.view %m : <UB, i1> -> <UB, i16>
  isa.not %words, %words, %c64 : <UB, i16>, <UB, i16>
  %bytes = isa.view %x : <GM, f16> -> <GM, ui8>
  %v = isa.get_value %bytes : <GM, ui8> -> i8
  isa.set_value %bytes, %v : !isa.buffer<GM, ui8>, i8
  return
}
// CHECK:      extern "C" __global__ __aicore__ void views(__gm__ half *p) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<half> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   AscendC::LocalTensor<uint8_t> tile(AscendC::TPosition::VECCALC, 0, 32);
// CHECK-NEXT:   AscendC::LocalTensor<int16_t> tile1 = tile.ReinterpretCast<int16_t>();
// CHECK-NEXT:   // buffers.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Not(tile1, tile1, 64);
// CHECK-NEXT:   AscendC::GlobalTensor<uint8_t> p_gm1;
// CHECK-NEXT:   p_gm1.SetGlobalBuffer((__gm__ uint8_t *)p_gm.GetPhyAddr());
// CHECK-NEXT:   // buffers.mlir:{{[0-9]+}}
// CHECK-NEXT:   const int8_t v = p_gm1.GetValue(0);
// CHECK-NEXT:   // buffers.mlir:{{[0-9]+}}
// CHECK-NEXT:   p_gm1.SetValue(0, v);
// CHECK-NEXT: }
