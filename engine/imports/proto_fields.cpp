// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/proto_fields.h"

#include <bit>
#include <cstring>

namespace trainyard::imports {

double ProtoField::asDouble() const { return std::bit_cast<double>(bits); }
double ProtoField::asFloat() const {
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

bool ProtoReader::fail() {
    m_broken = true;
    m_rest = {};
    return false;
}

bool ProtoReader::number(std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7Fu) << shift;
        if (byte < 0x80) return true;
    }
    return fail();
}

bool ProtoReader::fixed(std::size_t bytes, std::uint64_t& value) {
    if (m_rest.size() < bytes) return fail();
    value = 0;
    std::memcpy(&value, m_rest.data(), bytes); // little-endian, as every processor that this runs on
    m_rest.remove_prefix(bytes);
    return true;
}

bool ProtoReader::next(ProtoField& field) {
    static_assert(std::endian::native == std::endian::little);
    if (m_rest.empty()) return false;
    std::uint64_t key = 0, length = 0;
    if (!number(key)) return false;
    field = {.number = key >> 3, .type = static_cast<ProtoField::Type>(key & 7)};
    switch (key & 7) {
    case ProtoField::Varint: return number(field.bits);
    case ProtoField::Fixed64: return fixed(8, field.bits);
    case ProtoField::Fixed32: return fixed(4, field.bits);
    case ProtoField::Length:
        if (!number(length)) return false;
        if (length > m_rest.size()) return fail();
        field.bytes = m_rest.substr(0, static_cast<std::size_t>(length));
        m_rest.remove_prefix(static_cast<std::size_t>(length));
        return true;
    default: return fail(); // groups, which these messages do not have
    }
}

} // namespace trainyard::imports
