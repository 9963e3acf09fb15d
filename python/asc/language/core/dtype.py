"""Element types. Made by tools/isa.py from the instruction table (include/tilesmith/Isa)."""

from asc.language.core.data_type import DataType

__all__ = [
    "DataType", "bfloat16", "bit", "bool_", "double", "float16", "float32", "float4_e1m2", "float4_e2m1", "float64",
    "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float_", "half", "hifloat8", "int1", "int16", "int32", "int4",
    "int64", "int8", "int_", "uint16", "uint32", "uint64", "uint8", "void",
]

DataType.known.update({
    "float16": ("float", 16, "half"),
    "bfloat16": ("float", 16, "bfloat16_t"),
    "float32": ("float", 32, "float"),
    "int8": ("int", 8, "int8_t"),
    "int16": ("int", 16, "int16_t"),
    "int32": ("int", 32, "int32_t"),
    "int64": ("int", 64, "int64_t"),
    "uint8": ("uint", 8, "uint8_t"),
    "uint16": ("uint", 16, "uint16_t"),
    "uint32": ("uint", 32, "uint32_t"),
    "uint64": ("uint", 64, "uint64_t"),
    "int1": ("int", 1, "bool"),
    "float64": ("float", 64, ""),
    "void": ("void", 0, "void"),
    "float8_e4m3fn": ("float", 8, "fp8_e4m3fn_t"),
    "float8_e5m2": ("float", 8, "fp8_e5m2_t"),
    "hifloat8": ("float", 8, "hifloat8_t"),
    "float4_e2m1": ("float", 4, "fp4x2_e2m1_t"),
    "float4_e1m2": ("float", 4, "fp4x2_e1m2_t"),
    "int4": ("int", 4, "int4b_t"),
    "float8_e8m0fnu": ("float", 8, "fp8_e8m0_t"),
})


class KnownTypes:
    """The element types by their names."""

    float16 = DataType("float16")
    half = DataType("float16")
    bfloat16 = DataType("bfloat16")
    float32 = DataType("float32")
    float_ = DataType("float32")
    int8 = DataType("int8")
    bool_ = DataType("int8")
    int16 = DataType("int16")
    int32 = DataType("int32")
    int_ = DataType("int32")
    int64 = DataType("int64")
    uint8 = DataType("uint8")
    uint16 = DataType("uint16")
    uint32 = DataType("uint32")
    uint64 = DataType("uint64")
    int1 = DataType("int1")
    bit = DataType("int1")
    float64 = DataType("float64")
    double = DataType("float64")
    void = DataType("void")
    float8_e4m3fn = DataType("float8_e4m3fn")
    float8_e5m2 = DataType("float8_e5m2")
    hifloat8 = DataType("hifloat8")
    float4_e2m1 = DataType("float4_e2m1")
    float4_e1m2 = DataType("float4_e1m2")
    int4 = DataType("int4")
    float8_e8m0fnu = DataType("float8_e8m0fnu")


float16 = half = DataType("float16")
bfloat16 = DataType("bfloat16")
float32 = float_ = DataType("float32")
int8 = bool_ = DataType("int8")
int16 = DataType("int16")
int32 = int_ = DataType("int32")
int64 = DataType("int64")
uint8 = DataType("uint8")
uint16 = DataType("uint16")
uint32 = DataType("uint32")
uint64 = DataType("uint64")
int1 = bit = DataType("int1")
float64 = double = DataType("float64")
void = DataType("void")
float8_e4m3fn = DataType("float8_e4m3fn")
float8_e5m2 = DataType("float8_e5m2")
hifloat8 = DataType("hifloat8")
float4_e2m1 = DataType("float4_e2m1")
float4_e1m2 = DataType("float4_e1m2")
int4 = DataType("int4")
float8_e8m0fnu = DataType("float8_e8m0fnu")
