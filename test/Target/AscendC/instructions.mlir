// RUN: tilesmith-opt %s --emit-ascendc --split-input-file -o /dev/null | FileCheck %s --match-full-lines
// Calls from the instruction table, and those written by hand.

func.func @vector(%y: !isa.buffer<GM, f32>, %n: i64, %s: f32) attributes {isa.kernel, isa.arch = "C220"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c64 = arith.constant 64 : i64
  %c255 = arith.constant 255 : i64
  %a = isa.alloc 1024 {address = 0 : i64, source = "a"} : <UB, f32>
  %b = isa.alloc 1024 {address = 1024 : i64, source = "b"} : <UB, f32>
  %h = isa.alloc 512 {address = 2048 : i64, source = "h"} : <UB, f16>
  %m = isa.alloc 32 {address = 2560 : i64, source = "m"} : <UB, i1>
  %i = isa.alloc 128 {address = 2592 : i64, source = "i"} : <UB, i16>
  %w = isa.alloc 128 {address = 2720 : i64, source = "w"} : <UB, ui16>
  %c5 = arith.constant -5 : i16
  isa.add %a, %a, %b, %n : <UB, f32>, <UB, f32>, <UB, f32>
  isa.add_r %a, %a, %b, %c64, %n, %c1, %c1, %c0, %c8, %c255, %c8 : <UB, f32>, <UB, f32>, <UB, f32>
  isa.adds %a, %b, %s, %c64 : <UB, f32>, <UB, f32>, f32
  isa.cast_r %h, %a, %c64, %c1, %c1, %c1, %c8, %c8 {round = #isa.round_mode<Rint>} : <UB, f16>, <UB, f32>
  isa.compare_scalar %m, %a, %s, %c64 {mode = #isa.cmp_mode<LT>} : <UB, i1>, <UB, f32>, f32
  isa.select %a, %m, %a, %b, %c64 : <UB, f32>, <UB, i1>, <UB, f32>, <UB, f32>
  isa.duplicate_r %a, %s, %c64, %c1, %c1, %c8 : <UB, f32>, f32
  // Scalars have the type of the elements.
  isa.adds %i, %i, %c5, %c64 : <UB, i16>, <UB, i16>, i16
  isa.duplicate %w, %c5, %c64 : <UB, ui16>, i16
  isa.copy %a, %b, %c64 : <UB, f32>, <UB, f32>
  isa.copy_r %a, %b, %c64, %c1, %c1, %c1, %c8, %c8 : <UB, f32>, <UB, f32>
  isa.brcb %a, %b, %c1, %c1, %c8 : <UB, f32>, <UB, f32>
  isa.whole_reduce_max %a, %b, %c64, %c1, %c1, %c1, %c8 : <UB, f32>, <UB, f32>
  isa.whole_reduce_max_index %a, %b, %c64, %c1, %c1, %c1, %c8 {order = #isa.reduce_order<OnlyIndex>} : <UB, f32>, <UB, f32>
  isa.set_atomic {op = #isa.atomic_op<Add>}
  isa.copy_ub_to_gm %y, %a, %c1, %n, %c0, %c0 : <GM, f32>, <UB, f32>
  isa.set_atomic {op = #isa.atomic_op<None>}
  return
}
// A number that may not fit into its field is cut on the chip, and reported on the model.
// CHECK:      template <typename T> __aicore__ inline T Field(int64_t value, uint32_t line = __builtin_LINE()) {
// CHECK-NEXT: #ifdef TILESMITH_ASCENDC
// CHECK-NEXT:   tilesmith::checkField<T>(value, {__FILE__, line});
// CHECK-NEXT: #endif
// CHECK-NEXT:   return static_cast<T>(value);
// CHECK-NEXT: }
// CHECK:      extern "C" __global__ __aicore__ void vector(__gm__ float *p, int64_t p1, float p2) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<float> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   AscendC::LocalTensor<float> a(AscendC::TPosition::VECCALC, 0, 256);
// CHECK-NEXT:   AscendC::LocalTensor<float> b(AscendC::TPosition::VECCALC, 1024, 256);
// CHECK-NEXT:   AscendC::LocalTensor<half> h(AscendC::TPosition::VECCALC, 2048, 256);
// CHECK-NEXT:   AscendC::LocalTensor<uint8_t> m(AscendC::TPosition::VECCALC, 2560, 32);
// CHECK-NEXT:   AscendC::LocalTensor<int16_t> i(AscendC::TPosition::VECCALC, 2592, 64);
// CHECK-NEXT:   AscendC::LocalTensor<uint16_t> w(AscendC::TPosition::VECCALC, 2720, 64);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Add(a, a, b, p1);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Add(a, a, b, 64, p1, AscendC::BinaryRepeatParams{1, 1, 0, 8, 255, 8});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Adds(a, b, p2, 64);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Cast<half, float>(h, a, AscendC::RoundMode::CAST_RINT, 64, 1, AscendC::UnaryRepeatParams{1, 1, 8, 8});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::CompareScalar(m, a, p2, AscendC::CMPMODE::LT, 64);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Select(a, m, a, b, AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE, 64);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Duplicate(a, p2, 64, 1, 1, 8);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Adds(i, i, static_cast<int16_t>((-5)), 64);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Duplicate(w, static_cast<uint16_t>((-5)), 64);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::DataCopy(a, b, 64);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Copy(a, b, 64, 1, AscendC::CopyRepeatParams{1, 1, 8, 8});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Brcb(a, b, 1, AscendC::BrcbRepeatParams{1, 8});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::WholeReduceMax(a, b, 64, 1, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_VALUE);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::WholeReduceMax(a, b, 64, 1, 1, 1, 8, AscendC::ReduceOrder::ORDER_ONLY_INDEX);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::SetAtomicAdd<float>();
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::DataCopyPad(p_gm, a, AscendC::DataCopyExtParams{1, Field<uint32_t>(p1), 0, 0, 0});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::SetAtomicNone();
// CHECK-NEXT: }

// -----

func.func @order(%id: i64) attributes {isa.kernel, isa.arch = "C220"} {
  %c3 = arith.constant 3 : i64
  isa.set_flag %c3 {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  isa.wait_flag %id {from = #isa.pipe<MTE2>, to = #isa.pipe<V>}
  isa.pipe_barrier {on = #isa.pipe<V>}
  isa.pipe_barrier {on = #isa.pipe<ALL>}
  return
}
// CHECK:      extern "C" __global__ __aicore__ void order(int64_t p) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(3);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(p);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::PipeBarrier<PIPE_V>();
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::PipeBarrier<PIPE_ALL>();
// CHECK-NEXT: }

// -----

func.func @cube(%a: !isa.buffer<GM, f16>, %c: !isa.buffer<GM, f16>, %m: i64, %k: i64)
    attributes {isa.kernel, isa.arch = "C310"} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  %c128 = arith.constant 128 : i64
  %zero = arith.constant 0.0 : f16
  %l1 = isa.alloc 32768 {address = 0 : i64, source = "a"} : <L1, f16>
  %l0a = isa.alloc 32768 {address = 0 : i64, source = "a"} : <L0A, f16>
  %l0b = isa.alloc 32768 {address = 0 : i64, source = "b"} : <L0B, f16>
  %l0c = isa.alloc 65536 {address = 0 : i64, source = "acc"} : <L0C, f32>
  isa.fill_l1 %l1, %c1, %c128, %c0, %zero : <L1, f16>, f16
  isa.copy_gm_to_l1_nz %l1, %a, %c1, %m, %k, %c0, %k, %c128, %c1, %c0 : <L1, f16>, <GM, f16>
  isa.load_data_2d_v2 %l0a, %l1, %c0, %c0, %c8, %c8, %c8, %c8, %c0 : <L0A, f16>, <L1, f16>
  isa.load_data_2d_v2 %l0b, %l1, %c0, %c0, %c8, %c8, %c8, %c8, %c1 : <L0B, f16>, <L1, f16>
  isa.mmad %l0c, %l0a, %l0b, %m, %c128, %k, %c0, %c1 : <L0C, f32>, <L0A, f16>, <L0B, f16>
  isa.fixpipe_to_gm %c, %l0c, %c128, %m, %c128, %c128, %c0, %c0 {quant = #isa.quant_mode<F322F16>} : <GM, f16>, <L0C, f32>
  return
}
// CHECK:      extern "C" __global__ __aicore__ void cube(__gm__ half *p, __gm__ half *p1, int64_t p2, int64_t p3) {
// CHECK-NEXT:   KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
// CHECK-NEXT:   AscendC::InitSocState();
// CHECK-NEXT:   AscendC::GlobalTensor<half> p_gm;
// CHECK-NEXT:   p_gm.SetGlobalBuffer(p);
// CHECK-NEXT:   AscendC::GlobalTensor<half> p1_gm;
// CHECK-NEXT:   p1_gm.SetGlobalBuffer(p1);
// CHECK-NEXT:   AscendC::LocalTensor<half> a(AscendC::TPosition::A1, 0, 16384);
// CHECK-NEXT:   AscendC::LocalTensor<half> a1(AscendC::TPosition::A2, 0, 16384);
// CHECK-NEXT:   AscendC::LocalTensor<half> b(AscendC::TPosition::B2, 0, 16384);
// CHECK-NEXT:   AscendC::LocalTensor<float> acc(AscendC::TPosition::CO1, 0, 16384);
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::InitConstValue(a, AscendC::InitConstValueParams<half>{1, 128, 0, half(0x0p0f)});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::DataCopy(a, p_gm, AscendC::Nd2NzParams{1, Field<uint16_t>(p2), Field<uint32_t>(p3), 0, static_cast<uint64_t>(p3), 128, 1, 0});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::LoadData(a1, a, AscendC::LoadData2DParamsV2{0, 0, 8, 8, 8, 8, false, 0});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::LoadData(b, a, AscendC::LoadData2DParamsV2{0, 0, 8, 8, 8, 8, true, 0});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Mmad(acc, a1, b, AscendC::MmadParams{Field<uint16_t>(p2), 128, Field<uint16_t>(p3), 0, false, true});
// CHECK-NEXT:   // instructions.mlir:{{[0-9]+}}
// CHECK-NEXT:   AscendC::Fixpipe<half, float, AscendC::CFG_ROW_MAJOR>(p1_gm, acc, AscendC::FixpipeParamsV220{128, Field<uint16_t>(p2), 128, 128, false, QuantMode_t::F322F16, 0, 1, 0, 0, 0, false});
// CHECK-NEXT: }
