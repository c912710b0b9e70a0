// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/store/store_values.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace trainyard::run {
namespace {

constexpr std::size_t kKeyCost = 128; // of a node of the map, about
constexpr char kReady = 0, kNotReady = 1, kGoOn = 0, kCancelled = 1;

template <class Number>
std::string bytesOf(Number number) {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

std::string sized(const std::string& text) { return bytesOf(std::uint64_t{text.size()}) + text; }

std::optional<std::int64_t> numberIn(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

} // namespace

bool StoreValues::hasAll(const std::vector<std::string>& keys) const {
    return std::all_of(keys.begin(), keys.end(), [this](const auto& key) { return m_values.contains(key); });
}

bool StoreValues::set(const std::string& key, std::string value) {
    const auto found = m_values.find(key);
    const std::size_t before = found == m_values.end() ? 0 : found->second.size();
    const std::size_t added = value.size() + (found == m_values.end() ? key.size() + kKeyCost : 0);
    if (m_bytes - before + added > kMostStoreBytes) return false;
    m_bytes = m_bytes - before + added;
    m_values.insert_or_assign(key, std::move(value));
    return true;
}

void StoreValues::wake(std::vector<Answer>& answers) {
    std::erase_if(m_waiting, [&](const Waiting& each) {
        if (!hasAll(each.keys)) return false;
        answers.push_back({each.connection, std::string(1, kGoOn)});
        return true;
    });
}

std::optional<std::vector<StoreValues::Answer>> StoreValues::apply(int from, const StoreRequest& request) {
    using Kind = StoreRequest::Kind;
    std::vector<Answer> answers;
    const auto answer = [&](std::string bytes) { answers.push_back({from, std::move(bytes)}); };
    const auto& texts = request.texts;
    const auto valueOf = [this](const std::string& key) {
        const auto found = m_values.find(key);
        return found == m_values.end() ? nullptr : &found->second;
    };
    switch (request.kind) {
    case Kind::Greeting: break;
    case Kind::Set:
        if (!set(texts[0], texts[1])) return std::nullopt;
        break;
    case Kind::CompareSet: {
        const auto* is = valueOf(texts[0]);
        const bool change = is ? *is == texts[1] : texts[1].empty();
        if (!is && !change) answer(sized(texts[1]));
        else if (!change) answer(sized(*is));
        else if (set(texts[0], texts[2])) answer(sized(texts[2]));
        else return std::nullopt;
        break;
    }
    case Kind::Get: {
        const auto* is = valueOf(texts[0]);
        if (!is) return std::nullopt;
        answer(sized(*is));
        break;
    }
    case Kind::Add: {
        const auto* is = valueOf(texts[0]);
        const auto before = is ? numberIn(*is) : std::optional<std::int64_t>(0);
        std::int64_t sum = 0;
        if (!before || __builtin_add_overflow(*before, request.number, &sum) || !set(texts[0], std::to_string(sum)))
            return std::nullopt;
        answer(bytesOf(sum));
        break;
    }
    case Kind::Check: answer(std::string(1, hasAll(texts) ? kReady : kNotReady)); break;
    case Kind::Wait:
        if (hasAll(texts)) answer(std::string(1, kGoOn));
        else if (waits(from)) return std::nullopt; // it is to wait for its answer
        else m_waiting.push_back({from, texts});
        break;
    case Kind::Count: answer(bytesOf(static_cast<std::int64_t>(m_values.size()))); break;
    case Kind::Delete: {
        const auto found = m_values.find(texts[0]);
        const bool isThere = found != m_values.end();
        if (isThere) {
            m_bytes -= found->first.size() + found->second.size() + kKeyCost;
            m_values.erase(found);
        }
        answer(bytesOf(std::int64_t{isThere ? 1 : 0}));
        break;
    }
    case Kind::Append: {
        const auto* is = valueOf(texts[0]);
        if (!set(texts[0], is ? *is + texts[1] : texts[1])) return std::nullopt;
        break;
    }
    case Kind::MultiGet: {
        std::string bytes;
        for (const auto& key : texts) {
            const auto* is = valueOf(key);
            if (!is || bytes.size() + is->size() > kMostStoreBytes) return std::nullopt;
            bytes += sized(*is);
        }
        answer(std::move(bytes));
        break;
    }
    case Kind::MultiSet:
        for (std::size_t i = 0; i + 1 < texts.size(); i += 2)
            if (!set(texts[i], texts[i + 1])) return std::nullopt;
        break;
    case Kind::CancelWait:
        forget(from);
        answer(std::string(1, kCancelled));
        break;
    case Kind::Ping: answer(bytesOf(static_cast<std::uint32_t>(request.number))); break;
    }
    wake(answers);
    return answers;
}

void StoreValues::forget(int connection) {
    std::erase_if(m_waiting, [connection](const Waiting& each) { return each.connection == connection; });
}

bool StoreValues::waits(int connection) const {
    return std::any_of(m_waiting.begin(), m_waiting.end(),
                       [connection](const Waiting& each) { return each.connection == connection; });
}

} // namespace trainyard::run
