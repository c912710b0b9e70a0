// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/files/tensor_values.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>

namespace trainyard::store {
namespace {

struct Half {
    std::uint16_t bits;
};
struct BrainHalf {
    std::uint16_t bits;
};

double widen(auto value) { return static_cast<double>(value); }
// bfloat16 is the upper half of a float.
double widen(BrainHalf value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16); }
// IEEE 754 binary16.
double widen(Half value) {
    const int exponent = value.bits >> 10 & 31;
    const int fraction = value.bits & 1023;
    const double size = exponent == 0    ? std::ldexp(fraction, -24)
                        : exponent == 31 ? (fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan(""))
                                         : std::ldexp(fraction + 1024, exponent - 25);
    return value.bits >> 15 != 0 ? -size : size;
}

// The eight-bit floats of OCP: four bits of exponent without an infinity, or five as in binary16.
struct Float8E4M3 {
    std::uint8_t bits;
};
struct Float8E5M2 {
    std::uint8_t bits;
};
double widen(Float8E5M2 value) { return widen(Half{static_cast<std::uint16_t>(value.bits << 8)}); }
double widen(Float8E4M3 value) {
    const int exponent = value.bits >> 3 & 15, fraction = value.bits & 7;
    const double size = exponent == 0                     ? std::ldexp(fraction, -9)
                        : exponent == 15 && fraction == 7 ? std::nan("")
                                                          : std::ldexp(fraction + 8, exponent - 10);
    return value.bits >> 7 != 0 ? -size : size;
}
// Of a complex number its size: how far two of them differ is seen there, too, but for their angle.
struct Complex {
    float real, imaginary;
};
double widen(Complex value) { return std::hypot(value.real, value.imaginary); }

template <class Stored>
void readAs(std::span<const std::byte> bytes, std::size_t first, std::span<double> out) {
    const std::byte* at = bytes.data() + first * sizeof(Stored);
    for (double& value : out) {
        Stored stored;
        std::memcpy(&stored, at, sizeof stored);
        value = widen(stored);
        at += sizeof stored;
    }
}

using Read = void (*)(std::span<const std::byte>, std::size_t, std::span<double>);

} // namespace

void readValues(const std::string& dtype, std::span<const std::byte> bytes, std::size_t first, std::span<double> out) {
    static const std::map<std::string, Read> readers = {
        {"F64", readAs<double>},        {"F32", readAs<float>},          {"F16", readAs<Half>},
        {"BF16", readAs<BrainHalf>},    {"F8_E4M3", readAs<Float8E4M3>}, {"F8_E5M2", readAs<Float8E5M2>},
        {"I64", readAs<std::int64_t>},  {"I32", readAs<std::int32_t>},   {"I16", readAs<std::int16_t>},
        {"I8", readAs<std::int8_t>},    {"U64", readAs<std::uint64_t>},  {"U32", readAs<std::uint32_t>},
        {"U16", readAs<std::uint16_t>}, {"U8", readAs<std::uint8_t>},    {"BOOL", readAs<std::uint8_t>},
        {"C64", readAs<Complex>}};
    readers.at(dtype)(bytes, first, out);
}

} // namespace trainyard::store
