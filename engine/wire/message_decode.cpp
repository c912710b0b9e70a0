// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/message_fields.h"
#include "engine/wire/messages_words.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace trainyard::wire {
namespace {

using nlohmann::json;

// No message nests deeper than RunState.workers[].beat; no 16 MiB payload of real points has more values than this.
constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxValues = 4'000'000;

// Walks the CBOR before anything is built from it: nlohmann's reader recurses once per level, so the depth has to be
// bounded while it reads, and 16 MiB of one-byte values would become a tree of many times that size.
class Bounds : public nlohmann::json_sax<json> {
public:
    bool null() override { return count(); }
    bool boolean(bool) override { return count(); }
    bool number_integer(number_integer_t) override { return count(); }
    bool number_unsigned(number_unsigned_t) override { return count(); }
    bool number_float(number_float_t, const string_t&) override { return count(); }
    bool string(string_t&) override { return count(); }
    bool binary(binary_t&) override { return count(); }
    bool start_object(std::size_t) override { return count() && ++m_depth <= kMaxDepth; }
    bool key(string_t&) override { return count(); }
    bool end_object() override { return --m_depth >= 0; }
    bool start_array(std::size_t) override { return count() && ++m_depth <= kMaxDepth; }
    bool end_array() override { return --m_depth >= 0; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

private:
    bool count() { return ++m_values <= kMaxValues; }
    int m_depth = 0;
    std::size_t m_values = 0;
};

class Reader {
public:
    Reader(const json& object, std::string path, std::string& problem)
        : m_object(object), m_path(std::move(path)), m_problem(problem) {}

    // Reads one field; the first problem is kept and later fields are skipped.
    template <class T>
    void operator()(const char* key, T&& value) {
        if (!m_problem.empty()) return;
        const std::string path = m_path + "." + key;
        const auto found = m_object.find(key);
        if (found == m_object.end()) m_problem = path + " is missing";
        else if (!read(*found, value, path) && m_problem.empty()) m_problem = path + " has the wrong type or range";
    }

    template <class T>
    void operator()(const char* key, Added<T> field) {
        if (m_object.contains(key)) (*this)(key, field.value);
    }

private:
    bool read(const json& in, bool& out, const std::string&) {
        if (!in.is_boolean()) return false;
        out = in.get<bool>();
        return true;
    }
    bool read(const json& in, std::int64_t& out, const std::string&) {
        if (!in.is_number_integer()) return false;
        if (in.is_number_unsigned() &&
            in.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return false;
        out = in.get<std::int64_t>();
        return true;
    }
    bool read(const json& in, int& out, const std::string& path) {
        std::int64_t wide = 0;
        if (!read(in, wide, path) || wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max())
            return false;
        out = static_cast<int>(wide);
        return true;
    }
    bool read(const json& in, double& out, const std::string&) {
        if (!in.is_number()) return false;
        out = in.get<double>();
        return true;
    }
    bool read(const json& in, std::string& out, const std::string&) {
        if (!in.is_string()) return false;
        out = in.get_ref<const std::string&>();
        return true;
    }
    bool read(const json& in, Bytes<std::string>& out, const std::string&) {
        if (!in.is_binary()) return false;
        out.text.assign(in.get_binary().begin(), in.get_binary().end());
        return true;
    }
    template <class Enum>
        requires std::is_enum_v<Enum>
    bool read(const json& in, Enum& out, const std::string&) {
        return in.is_string() && fromWord(in.get_ref<const std::string&>(), out);
    }
    bool read(const json& in, Point& out, const std::string& path) {
        return in.is_array() && in.size() == 4 && read(in[0], out.step, path) && read(in[1], out.epoch, path) &&
               read(in[2], out.seconds, path) && read(in[3], out.value, path);
    }
    template <class T>
    bool read(const json& in, std::map<std::string, T>& out, const std::string& path) {
        if (!in.is_object()) return false;
        for (const auto& [key, value] : in.items())
            if (!read(value, out[key], path)) return false;
        return true;
    }
    template <class T>
    bool read(const json& in, std::vector<T>& out, const std::string& path) {
        if (!in.is_array()) return false;
        out.resize(in.size());
        for (std::size_t i = 0; i < out.size(); ++i)
            if (!read(in[i], out[i], path)) return false;
        return true;
    }
    template <class T>
        requires requires(T& value, Reader& reader) { fields(value, reader); }
    bool read(const json& in, T& out, const std::string& path) {
        if (!in.is_object()) return false;
        Reader inner(in, path, m_problem);
        fields(out, inner);
        return m_problem.empty();
    }

    const json& m_object;
    std::string m_path;
    std::string& m_problem;
};

template <class M>
Result<Message> decodeAs(const json& object) {
    M message;
    std::string problem;
    Reader reader(object, "message " + std::to_string(kType<M>), problem);
    fields(message, reader);
    if (!problem.empty()) return inputError(problem, {}, "both programs must have the same version");
    return Message(std::move(message));
}

template <std::size_t... I>
Result<Message> dispatch(std::uint8_t type, const json& object, std::index_sequence<I...>) {
    std::optional<Result<Message>> result;
    (void)((kType<std::variant_alternative_t<I, Message>> == type &&
            (result.emplace(decodeAs<std::variant_alternative_t<I, Message>>(object)), true)) ||
           ...);
    if (result) return *std::move(result);
    return inputError("message type " + std::to_string(type) + " is not known", {},
                      "both programs must have the same version");
}

} // namespace

Result<Message> decodeMessage(const Frame& frame) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(frame.payload.data());
    const std::span<const std::uint8_t> payload(bytes, frame.payload.size());
    const Error malformed = inputError("the payload of a frame of type " + std::to_string(frame.type) +
                                       " is not valid CBOR within the limits");
    try { // nlohmann throws for some lengths even when told not to
        Bounds bounds;
        if (!json::sax_parse(payload.begin(), payload.end(), &bounds, json::input_format_t::cbor)) return malformed;
        const json object = json::from_cbor(payload.begin(), payload.end(), true, false);
        if (!object.is_object()) return malformed;
        return dispatch(frame.type, object, std::make_index_sequence<std::variant_size_v<Message>>());
    } catch (const std::exception&) { return malformed; }
}

} // namespace trainyard::wire
