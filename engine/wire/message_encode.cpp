// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/wire/message_fields.h"

#include <nlohmann/json.hpp>

namespace trainyard::wire {
namespace {

using nlohmann::json;

class Writer {
public:
    explicit Writer(json& object) : m_object(object) {}
    void operator()(const char* key, const auto& value) { m_object[key] = toCbor(value); }
    template <class T>
    void operator()(const char* key, const Added<T>& field) {
        (*this)(key, field.value);
    }

private:
    static json toCbor(bool value) { return value; }
    static json toCbor(int value) { return value; }
    static json toCbor(std::int64_t value) { return value; }
    static json toCbor(double value) { return value; }
    static json toCbor(const std::string& value) { return value; }
    static json toCbor(Phase value) { return toString(value); }
    static json toCbor(StopMode value) { return toString(value); }
    static json toCbor(CommandKind value) { return toString(value); }
    static json toCbor(RunStatus value) { return toString(value); }
    static json toCbor(Activity value) { return toString(value); }
    static json toCbor(RankStatus value) { return toString(value); }
    static json toCbor(ErrorKind value) { return trainyard::toString(value); }
    static json toCbor(ErrorCode value) { return trainyard::toString(value); }
    static json toCbor(const Bytes<const std::string>& value) {
        return json::binary({value.text.begin(), value.text.end()});
    }
    static json toCbor(const Point& p) { return json::array({p.step, p.epoch, p.seconds, p.value}); }
    template <class T>
    static json toCbor(const std::map<std::string, T>& values) {
        json object = json::object();
        for (const auto& [key, value] : values) object[key] = value;
        return object;
    }
    template <class T>
    static json toCbor(const std::vector<T>& values) {
        json array = json::array();
        array.get_ref<json::array_t&>().reserve(values.size());
        for (const T& value : values) array.push_back(toCbor(value));
        return array;
    }
    template <class T>
        requires requires(const T& value, Writer& writer) { fields(value, writer); }
    static json toCbor(const T& value) {
        json object = json::object();
        Writer writer(object);
        fields(value, writer);
        return object;
    }

    json& m_object;
};

} // namespace

std::vector<std::byte> encodeMessage(const Message& message) {
    return std::visit(
        [](const auto& m) {
            json object = json::object();
            Writer writer(object);
            fields(m, writer);
            const std::vector<std::uint8_t> payload = json::to_cbor(object);
            return encode(kType<std::remove_cvref_t<decltype(m)>>, std::as_bytes(std::span(payload)));
        },
        message);
}

} // namespace trainyard::wire
