//===- TritonOps.td - The triton dialect: access by tiles of offsets -------------------------------------------------===//
//
// What tile IR lacks for kernels that compute addresses: each element of an access says where it lies.
//
//===------------------------------------------------------------------------------------------------------------------===//
#ifndef TILESMITH_DIALECT_TRITON_OPS
#define TILESMITH_DIALECT_TRITON_OPS

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tilesmith/Dialect/Tile/TileOps.td"
include "tilesmith/Dialect/Triton/TritonEnums.td"

def Triton_Dialect : Dialect {
  let name = "triton";
  let cppNamespace = "::tilesmith::triton";
  let summary = "Access to global memory by tiles of offsets.";
  let description = [{
    A pointer tile is an array and a tile of i32 offsets, which count elements from where the array begins. Everything else of a kernel is
    ordinary tile IR. The passes of Transforms/Triton find out what the offsets describe and leave none of these operations.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::tilesmith::tile::TileDialect"];
}

class Triton_Op<string opMnemonic, list<Trait> traits = []> : Op<Triton_Dialect, opMnemonic, traits>;

def Triton_LoadOp : Triton_Op<"load", [MemoryEffects<[MemRead]>, AttrSizedOperandSegments]> {
  let summary = "the elements at `offsets` of an array; where the mask does not choose, `other`";
  let description = [{
    What the mask does not choose is not read. Without `other` it is 0. Shapes are equal; `other` may be a scalar.

    ```mlir
    %x = triton.load %p[%o] : !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
    %y = triton.load %p[%o] mask %m : !tile.tile<64xi1, UB> other %z : f32 : !tile.ptr<f32>, !tile.tile<64xi32, UB> -> !tile.tile<64xf32, UB>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Tile_TileType:$offsets, Optional<Tile_TileType>:$mask,
                       Optional<Tile_TileOrScalar>:$other);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$base `[` $offsets `]` (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))? attr-dict `:` type($base) `,` type($offsets) `->` type($result)";
  let hasVerifier = 1;
}

def Triton_StoreOp : Triton_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "writes the chosen elements of a tile to `offsets` of an array";
  let description = [{
    What the mask does not choose keeps its bytes. Of elements with one offset the last in row-major order is left.

    ```mlir
    triton.store %v, %p[%o] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
    triton.store %v, %p[%o] mask %m : !tile.tile<64xi1, UB> : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
    ```
  }];
  let arguments = (ins Tile_TileType:$value, Tile_PtrType:$base, Tile_TileType:$offsets, Optional<Tile_TileType>:$mask);
  let assemblyFormat = "$value `,` $base `[` $offsets `]` (`mask` $mask^ `:` type($mask))? attr-dict `:` type($value) `,` type($base) `,` type($offsets)";
  let hasVerifier = 1;
}

def Triton_AtomicOp : Triton_Op<"atomic", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "combines the chosen elements of a tile with those at `offsets` of an array, atomic across programs";
  let description = [{
    All elements with one offset take effect.

    ```mlir
    triton.atomic add %v, %p[%o] : !tile.tile<64xf32, UB>, !tile.ptr<f32>, !tile.tile<64xi32, UB>
    ```
  }];
  let arguments = (ins Tile_AtomicKind:$kind, Tile_TileType:$value, Tile_PtrType:$base, Tile_TileType:$offsets,
                       Optional<Tile_TileType>:$mask);
  let assemblyFormat = "$kind $value `,` $base `[` $offsets `]` (`mask` $mask^ `:` type($mask))? attr-dict `:` type($value) `,` type($base) `,` type($offsets)";
  let hasVerifier = 1;
}

def Triton_UpdateOp : Triton_Op<"update", [MemoryEffects<[MemRead, MemWrite]>, AttrSizedOperandSegments]> {
  let summary = "as `triton.atomic`, of any kind, and with what was there before";
  let description = [{
    Of elements with one offset each finds what the one before it left, in row-major order. `cas` writes where the bits of `expected` are
    found. Where the mask does not choose, the result is 0.

    ```mlir
    %a = triton.update add %v, %p[%o] : !tile.tile<64xi32, UB>, !tile.ptr<i32>, !tile.tile<64xi32, UB> -> !tile.tile<64xi32, UB>
    %b = triton.update cas %v, %p[%o] expected %e : !tile.tile<64xi32, UB> : !tile.tile<64xi32, UB>, !tile.ptr<i32>, !tile.tile<64xi32, UB> -> !tile.tile<64xi32, UB>
    ```
  }];
  let arguments = (ins Triton_UpdateKind:$kind, Tile_TileType:$value, Tile_PtrType:$base, Tile_TileType:$offsets,
                       Optional<Tile_TileType>:$mask, Optional<Tile_TileType>:$expected);
  let results = (outs Tile_TileType:$result);
  let assemblyFormat = "$kind $value `,` $base `[` $offsets `]` (`mask` $mask^ `:` type($mask))? (`expected` $expected^ `:` type($expected))? attr-dict `:` type($value) `,` type($base) `,` type($offsets) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TILESMITH_DIALECT_TRITON_OPS
