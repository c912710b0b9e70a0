// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/known_code.h"

#include <algorithm>
#include <array>

namespace trainyard::program {
namespace {

constexpr std::array<std::string_view, 59> kKnown{
    "collections.OrderedDict",
    "collections.defaultdict",
    "collections.Counter",
    "collections.deque",
    "builtins.set",
    "builtins.frozenset",
    "builtins.list",
    "builtins.dict",
    "builtins.tuple",
    "builtins.int",
    "builtins.float",
    "builtins.complex",
    "builtins.bool",
    "builtins.str",
    "builtins.bytes",
    "builtins.bytearray",
    "builtins.slice",
    "builtins.range",
    "builtins.object",
    "_codecs.encode",
    "copy_reg._reconstructor",
    "copyreg._reconstructor",
    "numpy.dtype",
    "numpy.ndarray",
    "numpy.core.multiarray._reconstruct",
    "numpy.core.multiarray.scalar",
    "numpy.core.numeric._frombuffer",
    "numpy._core.multiarray._reconstruct",
    "numpy._core.multiarray.scalar",
    "numpy._core.numeric._frombuffer",
    "torch.Size",
    "torch.Tensor",
    "torch.device",
    "torch.nn.parameter.Parameter",
    "torch.nn.parameter.Buffer",
    "torch.per_tensor_affine",
    "torch.per_channel_affine",
    "torch._tensor._rebuild_from_type_v2",
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
    "torch._utils._rebuild_qtensor",
    "torch._utils._rebuild_sparse_tensor",
    "torch._utils._rebuild_sparse_csr_tensor",
    "torch._utils._rebuild_nested_tensor",
    "torch._utils._rebuild_meta_tensor_no_storage",
    "torch._utils._rebuild_device_tensor_from_numpy",
    "torch._utils._rebuild_device_tensor_from_cpu_tensor",
    "torch.serialization._get_layout",
    "torch.storage.UntypedStorage",
    "torch.storage.TypedStorage",
    "torch.jit._pickle.build_intlist",
    "torch.jit._pickle.build_tensorlist",
    "torch.jit._pickle.build_doublelist",
    "torch.jit._pickle.build_boollist",
    "torch.jit._pickle.build_tensor_from_id",
    "torch.jit._pickle.restore_type_tag",
};

struct Dtype {
    std::string_view storage, type, name;
};
constexpr std::array<Dtype, 23> kDtypes{{
    {"DoubleStorage", "float64", "F64"},
    {"FloatStorage", "float32", "F32"},
    {"HalfStorage", "float16", "F16"},
    {"BFloat16Storage", "bfloat16", "BF16"},
    {"", "float8_e4m3fn", "F8_E4M3"},
    {"", "float8_e5m2", "F8_E5M2"},
    {"", "float8_e4m3fnuz", "float8_e4m3fnuz"},
    {"", "float8_e5m2fnuz", "float8_e5m2fnuz"},
    {"LongStorage", "int64", "I64"},
    {"IntStorage", "int32", "I32"},
    {"ShortStorage", "int16", "I16"},
    {"CharStorage", "int8", "I8"},
    {"ByteStorage", "uint8", "U8"},
    {"", "uint16", "U16"},
    {"", "uint32", "U32"},
    {"", "uint64", "U64"},
    {"BoolStorage", "bool", "BOOL"},
    {"ComplexFloatStorage", "complex64", "C64"},
    {"ComplexDoubleStorage", "complex128", "complex128"},
    {"QUInt8Storage", "quint8", "quint8"},
    {"QInt8Storage", "qint8", "qint8"},
    {"QInt32Storage", "qint32", "qint32"},
    {"QUInt4x2Storage", "quint4x2", "quint4x2"},
}};

} // namespace

std::string_view dtypeNamed(std::string_view code) {
    if (!code.starts_with("torch.")) return {};
    code.remove_prefix(6);
    if (code.starts_with("cuda.")) code.remove_prefix(5);
    const auto found =
        std::ranges::find_if(kDtypes, [&](const Dtype& each) { return code == each.storage || code == each.type; });
    return found == kDtypes.end() ? std::string_view() : found->name;
}

bool isKnownCode(std::string_view name) {
    if (!dtypeNamed(name).empty()) return true;
    constexpr std::string_view python2 = "__builtin__.", python3 = "builtins.";
    if (name.starts_with(python2)) {
        name.remove_prefix(python2.size());
        return std::ranges::any_of(kKnown, [&](std::string_view each) {
            return each.starts_with(python3) && each.substr(python3.size()) == name;
        });
    }
    return std::ranges::find(kKnown, name) != kKnown.end();
}

} // namespace trainyard::program
