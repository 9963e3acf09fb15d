// RUN: tilesmith-opt %s --lower-isa-to-llvm --split-input-file --verify-diagnostics

func.func @unplanned() attributes {isa.kernel, isa.arch = "C220"} {
  // expected-error @+1 {{'isa.alloc' op has no address; plan memory before lowering}}
  %a = isa.alloc 256 : !isa.buffer<UB, f32>
  return
}

// -----

// expected-error @+1 {{parameter 0 has type 'f64', which a kernel cannot take}}
func.func @wide(%x: f64) attributes {isa.kernel, isa.arch = "C220"} {
  return
}

// -----

// expected-error @+1 {{there is no kernel to lower: no function has the attribute isa.kernel}}
module attributes {} {
  func.func @helper() {
    return
  }
}
