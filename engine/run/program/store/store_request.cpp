// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/store/store_request.h"

#include <array>
#include <cstring>
#include <optional>

namespace trainyard::run {
namespace {

using Kind = StoreRequest::Kind;

// By the first byte of a request. Missing: what listens to a key (1.x), queues and the list of keys (2.x).
constexpr std::array<std::optional<Kind>, 9> kOld{Kind::Set,  Kind::CompareSet, Kind::Get,    Kind::Add,   Kind::Check,
                                                  Kind::Wait, Kind::Count,      std::nullopt, Kind::Delete};
constexpr std::array<std::optional<Kind>, 14> kNew{
    std::nullopt, Kind::Set,    Kind::CompareSet, Kind::Get,      Kind::Add,      Kind::Check,      Kind::Wait,
    Kind::Count,  Kind::Delete, Kind::Append,     Kind::MultiGet, Kind::MultiSet, Kind::CancelWait, Kind::Ping};
constexpr std::uint32_t kGreeting = 0x3C85F7CE;

// Reads numbers of this computer's byte order, as PyTorch writes them, off the front.
class Front {
public:
    explicit Front(std::string_view bytes) : m_bytes(bytes) {}
    template <class Number>
    std::optional<Number> number() {
        if (m_bytes.size() < sizeof(Number)) return std::nullopt;
        Number value;
        std::memcpy(&value, m_bytes.data(), sizeof value);
        m_bytes.remove_prefix(sizeof value);
        return value;
    }
    std::string_view rest() const { return m_bytes; }
    void skip(std::size_t size) { m_bytes.remove_prefix(size); }

private:
    std::string_view m_bytes;
};

// How many texts a request of this kind has; nothing: as many as it says, each of them `perItem` texts.
struct Shape {
    std::optional<std::size_t> texts;
    std::size_t perItem = 1;
};

Shape shapeOf(Kind kind) {
    switch (kind) {
    case Kind::Set:
    case Kind::Append: return {2};
    case Kind::CompareSet: return {3};
    case Kind::Get:
    case Kind::Add:
    case Kind::Delete: return {1};
    case Kind::Check:
    case Kind::Wait:
    case Kind::MultiGet: return {std::nullopt};
    case Kind::MultiSet: return {std::nullopt, 2};
    case Kind::Greeting:
    case Kind::Count:
    case Kind::CancelWait:
    case Kind::Ping: break;
    }
    return {0};
}

using Outcome = StoreRequestReader::Outcome;

// The texts' places in the bytes; they are copied only once all are there.
Outcome readTexts(Front& front, Shape shape, std::vector<std::string_view>& texts) {
    std::size_t count = shape.texts.value_or(0);
    if (!shape.texts) {
        const auto items = front.number<std::uint64_t>();
        if (!items) return Outcome::Incomplete;
        if (*items > kMostStoreTexts) return Outcome::Bad;
        count = static_cast<std::size_t>(*items) * shape.perItem;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto size = front.number<std::uint64_t>();
        if (!size) return Outcome::Incomplete;
        if (*size > kMostStoreText) return Outcome::Bad;
        if (front.rest().size() < *size) return Outcome::Incomplete;
        texts.push_back(front.rest().substr(0, static_cast<std::size_t>(*size)));
        front.skip(static_cast<std::size_t>(*size));
    }
    return Outcome::Request;
}

} // namespace

Outcome StoreRequestReader::take(std::string_view& bytes, StoreRequest& request) {
    if (bytes.empty()) return Outcome::Incomplete;
    Front front(bytes.substr(1));
    const auto code = static_cast<unsigned char>(bytes.front());
    request = {};
    if (m_dialect == Dialect::Unknown && code == 0) {
        const auto word = front.number<std::uint32_t>(); // of 1.x: the size of a key, which is never that large
        if (!word) return Outcome::Incomplete;
        m_dialect = *word == kGreeting ? Dialect::New : Dialect::Old;
        if (m_dialect == Dialect::New) {
            bytes = front.rest();
            return Outcome::Request;
        }
        front = Front(bytes.substr(1));
    }
    if (m_dialect == Dialect::Unknown) m_dialect = Dialect::Old;
    const bool isNew = m_dialect == Dialect::New;
    if (code >= (isNew ? kNew.size() : kOld.size())) return Outcome::Bad;
    const auto kind = isNew ? kNew[code] : kOld[code];
    if (!kind) return Outcome::Bad;
    request.kind = *kind;
    std::vector<std::string_view> texts;
    auto outcome = readTexts(front, shapeOf(*kind), texts);
    if (outcome == Outcome::Request && *kind == Kind::Add) {
        if (const auto number = front.number<std::int64_t>()) request.number = *number;
        else outcome = Outcome::Incomplete;
    }
    if (outcome == Outcome::Request && *kind == Kind::Ping) {
        if (const auto number = front.number<std::uint32_t>()) request.number = *number;
        else outcome = Outcome::Incomplete;
    }
    if (outcome == Outcome::Incomplete && bytes.size() > kMostStoreRequest) return Outcome::Bad;
    if (outcome != Outcome::Request) return outcome;
    request.texts.assign(texts.begin(), texts.end());
    bytes = front.rest();
    return Outcome::Request;
}

} // namespace trainyard::run
