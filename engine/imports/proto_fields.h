// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol buffers on the wire: the fields of a message one after another.
#pragma once

#include <cstdint>
#include <string_view>

namespace trainyard::imports {

// A field; which member holds its value follows from `type`.
struct ProtoField {
    enum Type { Varint = 0, Fixed64 = 1, Length = 2, Fixed32 = 5 };
    std::uint64_t number = 0;
    Type type = Varint;
    std::uint64_t bits = 0;   // of Varint, Fixed64 and Fixed32
    std::string_view bytes{}; // of Length

    bool is(std::uint64_t wanted, Type as) const { return number == wanted && type == as; }
    double asDouble() const; // of Fixed64
    double asFloat() const;  // of Fixed32
};

// Reads any bytes: what is no message ends with broken().
class ProtoReader {
public:
    explicit ProtoReader(std::string_view message) : m_rest(message) {}
    bool next(ProtoField& field);      // false at the end, and where it is broken
    bool number(std::uint64_t& value); // without a key, as packed fields list them; false where there is none
    bool broken() const { return m_broken; }
    bool atEnd() const { return m_rest.empty(); }

private:
    bool fixed(std::size_t bytes, std::uint64_t& value);
    bool fail();

    std::string_view m_rest;
    bool m_broken = false;
};

} // namespace trainyard::imports
