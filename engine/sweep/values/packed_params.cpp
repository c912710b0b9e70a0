// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/packed_params.h"

#include "engine/base/machine/mutex.h"

#include <cstring>
#include <unordered_map>

namespace trainyard::sweep {
namespace {

// Names that have been packed, by number; they are never taken out.
class PackedNames {
public:
    std::uint32_t numberOf(const std::string& name) {
        const MutexLock lock(m_mutex);
        const auto [place, isNew] = m_numbers.try_emplace(name, static_cast<std::uint32_t>(m_names.size()));
        if (isNew) m_names.push_back(&place->first);
        return place->second;
    }
    const std::string& nameOf(std::uint32_t number) {
        const MutexLock lock(m_mutex);
        return *m_names[number];
    }

private:
    Mutex m_mutex;
    std::unordered_map<std::string, std::uint32_t> m_numbers TY_GUARDED_BY(m_mutex);
    std::vector<const std::string*> m_names TY_GUARDED_BY(m_mutex);
};

PackedNames& packedNames() {
    static PackedNames names;
    return names;
}

void putBytes(std::vector<char>& bytes, const void* data, std::size_t size) {
    const auto* from = static_cast<const char*>(data);
    bytes.insert(bytes.end(), from, from + size);
}

template <class Plain>
void putPlain(std::vector<char>& bytes, const Plain& value) {
    putBytes(bytes, &value, sizeof value);
}

template <class Plain>
Plain takePlain(const char*& at) {
    Plain value{};
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
}

template <class List>
void putList(std::vector<char>& bytes, const List& list) {
    putPlain(bytes, static_cast<std::uint32_t>(list.size()));
    putBytes(bytes, list.data(), list.size() * sizeof list[0]);
}

template <class List>
List takeList(const char*& at) {
    List list;
    list.resize(takePlain<std::uint32_t>(at));
    if (!list.empty()) std::memcpy(list.data(), at, list.size() * sizeof list[0]);
    at += list.size() * sizeof list[0];
    return list;
}

template <class Type>
constexpr bool kIsList = std::is_same_v<Type, std::string> || std::is_same_v<Type, std::vector<double>>;

// Of the kind that stands at this place of the variant.
template <std::size_t kKind = 0>
spec::Value takeValue(std::uint8_t kind, const char*& at) {
    using Type = std::variant_alternative_t<kKind, spec::Value>;
    if constexpr (kKind + 1 < std::variant_size_v<spec::Value>)
        if (kind != kKind) return takeValue<kKind + 1>(kind, at);
    if constexpr (kIsList<Type>) return takeList<Type>(at);
    else return takePlain<Type>(at);
}

} // namespace

PackedParams::PackedParams(const spec::Params& params) {
    std::vector<char> bytes;
    for (const auto& [name, value] : params) {
        putPlain(bytes, packedNames().numberOf(name));
        putPlain(bytes, static_cast<std::uint8_t>(value.index()));
        std::visit(
            [&](const auto& held) {
                if constexpr (kIsList<std::decay_t<decltype(held)>>) putList(bytes, held);
                else putPlain(bytes, held);
            },
            value);
    }
    m_bytes.assign(bytes.begin(), bytes.end()); // and no byte more
}

PackedParams::operator spec::Params() const {
    spec::Params params;
    for (const char *at = m_bytes.data(), *end = at + m_bytes.size(); at < end;) {
        const std::string& name = packedNames().nameOf(takePlain<std::uint32_t>(at));
        const auto kind = takePlain<std::uint8_t>(at);
        params.emplace_hint(params.end(), name, takeValue(kind, at)); // they were in order
    }
    return params;
}

} // namespace trainyard::sweep
