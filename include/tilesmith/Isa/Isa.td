//===- Isa.td - The whole instruction table ---------------------------------------------------------------------------===//
include "Params.td"
include "Vector.td"
include "Move.td"
include "Cube.td"
include "Sync.td"
