// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/protocol/infer_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <simdjson.h>

namespace trainyard::serve {

namespace {

constexpr int kMaxLists = 9;                // in one another: the dimensions of a signature, and one
constexpr std::size_t kReserved = 1u << 22; // bytes that a shape alone may claim

// Appends elements of one tensor; the first problem ends it.
class ElementReader {
public:
    ElementReader(TensorType type, std::size_t most, std::vector<std::byte>& memory)
        : m_type(type), m_most(most), m_memory(memory) {
        memory.resize(std::min(most * bytesOf(type), kReserved));
    }
    ~ElementReader() { m_memory.resize(m_at); }

    bool readList(const simdjson::dom::array& list, int depth) {
        for (const simdjson::dom::element each : list) {
            simdjson::dom::array inner;
            if (each.get(inner) == simdjson::SUCCESS) {
                if (depth >= kMaxLists) return fail("lists are nested more deeply than the shape");
                if (!readList(inner, depth + 1)) return false;
                continue;
            }
            if (m_read == m_most) return fail("there are more elements than the shape has");
            if (!readOne(each)) return false;
            ++m_read;
        }
        return true;
    }
    std::size_t read() const { return m_read; }
    const std::string& problem() const { return m_problem; }

private:
    bool fail(std::string problem) {
        m_problem = std::move(problem);
        return false;
    }
    bool readOne(const simdjson::dom::element& element) {
        switch (m_type) {
        case TensorType::Bool: return readBool(element);
        case TensorType::Uint8: return readWhole<std::uint8_t>(element);
        case TensorType::Int32: return readWhole<std::int32_t>(element);
        case TensorType::Int64: return readWhole<std::int64_t>(element);
        case TensorType::Fp32: return readReal<float>(element);
        case TensorType::Fp64: return readReal<double>(element);
        case TensorType::Bytes: return readText(element);
        }
        return false;
    }
    bool readBool(const simdjson::dom::element& element) {
        bool value = false;
        std::int64_t number = -1;
        if (element.get(value) == simdjson::SUCCESS) return append(std::uint8_t(value)), true;
        if (element.get(number) == simdjson::SUCCESS && (number == 0 || number == 1))
            return append(static_cast<std::uint8_t>(number)), true;
        return fail("a BOOL is true or false");
    }
    template <class Whole>
    bool readWhole(const simdjson::dom::element& element) {
        std::int64_t number = 0;
        if (element.get(number) != simdjson::SUCCESS || number < std::int64_t(std::numeric_limits<Whole>::min()) ||
            number > std::int64_t(std::numeric_limits<Whole>::max()))
            return fail(std::string("it is no whole number that ") + toString(m_type) + " holds");
        return append(static_cast<Whole>(number)), true;
    }
    template <class Real>
    bool readReal(const simdjson::dom::element& element) {
        double number = 0;
        if (element.get(number) != simdjson::SUCCESS) return fail("it is no number");
        const auto value = static_cast<Real>(number);
        if (!std::isfinite(value)) return fail(std::string("it is larger than ") + toString(m_type) + " holds");
        return append(value), true;
    }
    template <class Number>
    void append(Number number) {
        grow(sizeof number);
        std::memcpy(m_memory.data() + m_at, &number, sizeof number);
        m_at += sizeof number;
    }
    // What a shape claims is taken as it comes: a short body takes little memory.
    void grow(std::size_t bytes) {
        if (m_memory.size() - m_at < bytes) m_memory.resize(2 * m_memory.size() + bytes);
    }
    bool readText(const simdjson::dom::element& element) {
        std::string_view text;
        if (element.get(text) != simdjson::SUCCESS) return fail("it is no text");
        append(static_cast<std::uint32_t>(text.size()));
        grow(text.size());
        std::memcpy(m_memory.data() + m_at, text.data(), text.size());
        m_at += text.size();
        return true;
    }

    TensorType m_type;
    std::size_t m_most, m_read = 0, m_at = 0; // elements; bytes of them
    std::vector<std::byte>& m_memory;
    std::string m_problem;
};

} // namespace

Result<void> readElements(const simdjson::dom::element& data, TensorType type, std::size_t elements,
                          const std::string& where, std::vector<std::byte>& memory) {
    simdjson::dom::array list;
    if (data.get(list) != simdjson::SUCCESS) return inputError("it is no list", where, "send the elements as a list");
    ElementReader reader(type, elements, memory);
    if (!reader.readList(list, 1))
        return inputError(reader.problem(), where + "[" + std::to_string(reader.read()) + "]",
                          std::string("send ") + std::to_string(elements) + " elements of " + toString(type));
    if (reader.read() == elements) return {};
    return inputError("the shape has " + std::to_string(elements) + " elements, and there are " +
                          std::to_string(reader.read()),
                      where, "send as many as the dimensions of the shape multiply to");
}

} // namespace trainyard::serve
