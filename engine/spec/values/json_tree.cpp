// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/values/json_tree.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace trainyard::spec {
namespace {

constexpr const char* kPlainJson = "correct it there: JSON is UTF-8 text, has no comments and no comma before } or ]";

// Builds the tree value by value, so that a problem is reported with its path and nothing deep or doubled is built.
class TreeBuilder : public nlohmann::json_sax<Json> {
public:
    TreeBuilder(std::string_view text, Errors& errors) : m_text(text), m_errors(errors) {}
    Json root;

    bool null() override { return add(nullptr); }
    bool boolean(bool v) override { return add(v); }
    bool number_integer(number_integer_t v) override { return add(v); }
    bool number_unsigned(number_unsigned_t v) override { return add(v); }
    bool number_float(number_float_t v, const string_t&) override { return add(v); }
    bool string(string_t& v) override { return add(std::move(v)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override {
        Json& object = *m_open.back();
        m_key = name;
        if (object.contains(name)) m_errors.push_back({path(), "", "is there twice", "remove one of the two"});
        else if (object.size() >= kMaxKeys)
            return m_errors.push_back({path(), "", "is one key too many: an object may have 1000", "leave some out"}),
                   false;
        return true;
    }
    bool parse_error(std::size_t at, const std::string& token, const nlohmann::detail::exception& error) override {
        constexpr int kNumberOverflow = 406;
        if (error.id == kNumberOverflow)
            return m_errors.push_back(
                       {path(), printable(token, 40), "is a number too large to hold", "write one below 1.8e308"}),
                   false;
        // `at` counts the characters read, the wrong one among them.
        fail(at == 0 ? 0 : at - 1, at > m_text.size() ? ": the text ends too early" : "");
        return false;
    }
    // Reports the text at this place as malformed, with the whole word that the place is in.
    void fail(std::size_t start, const std::string& why) {
        start = std::min(start, m_text.size());
        std::size_t end = std::min(start + 1, m_text.size());
        const auto inWord = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '.';
        };
        if (start < end && inWord(m_text[start])) {
            while (start > 0 && inWord(m_text[start - 1])) --start;
            while (end < m_text.size() && inWord(m_text[end])) ++end;
        }
        const std::string_view word = m_text.substr(start, end - start);
        // Words that other languages write into JSON.
        static constexpr std::array kNotFinite = {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"};
        const bool notFinite = std::find(kNotFinite.begin(), kNotFinite.end(), word) != kNotFinite.end();
        m_errors.push_back(
            {path(), printable(word, 40),
             "is not valid JSON at " + lineAndColumn(start) + (notFinite ? ": NaN and infinity are not allowed" : why),
             notFinite ? "write a number" : kPlainJson});
    }

private:
    std::string path() const {
        std::string joined;
        for (std::size_t i = 1; i < m_open.size() && i <= m_path.size(); ++i) joined = joinPath(joined, m_path[i - 1]);
        return m_open.empty() || m_key.empty() ? joined : joinPath(joined, m_key);
    }
    std::string lineAndColumn(std::size_t at) const {
        const std::string_view before = m_text.substr(0, at);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const std::size_t newline = before.rfind('\n');
        const std::size_t column = newline == std::string_view::npos ? at + 1 : at - newline;
        return "line " + std::to_string(line) + ", column " + std::to_string(column);
    }
    Json* place(Json value) {
        if (m_open.empty()) {
            root = std::move(value);
            return &root;
        }
        Json& parent = *m_open.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        Json& slot = parent[m_key];
        slot = std::move(value);
        return &slot;
    }
    bool add(Json value) {
        place(std::move(value));
        if (!m_open.empty() && m_open.back()->is_object()) m_key.clear();
        return true;
    }
    bool open(Json value) {
        if (m_open.size() >= kMaxDepth)
            return m_errors.push_back(
                       {path().substr(0, 40), "", "is nested deeper than 64 levels", "leave the inner brackets out"}),
                   false;
        Json* opened = place(std::move(value));
        if (!m_open.empty()) m_path.push_back(m_open.back()->is_array() ? "[]" : m_key);
        m_open.push_back(opened);
        m_key.clear();
        return true;
    }
    bool close() {
        m_open.pop_back();
        if (!m_path.empty()) m_path.pop_back();
        m_key.clear();
        return true;
    }

    std::string_view m_text;
    Errors& m_errors;
    std::vector<Json*> m_open;       // parents stay where they are while a child is open
    std::vector<std::string> m_path; // key of each open value but the outermost
    std::string m_key;
};

} // namespace

Json parseTree(std::string_view text, Errors& errors) {
    if (text.size() > kMaxFileBytes) {
        errors.push_back({"", "", "the file is larger than 4 MiB", "name a run file or a sweep file"});
        return Json::object();
    }
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3); // some editors begin UTF-8 files with this mark
    TreeBuilder builder(text, errors);
    // The JSON reader takes a zero byte for the end of the text, and what follows would be ignored.
    if (const auto zero = text.find('\0'); zero != text.npos) builder.fail(zero, "");
    else Json::sax_parse(text.begin(), text.end(), &builder);
    if (errors.empty() && !builder.root.is_object())
        errors.push_back(
            {"", shown(builder.root), "the file must hold one object { … }", "put { and } around the fields"});
    if (!builder.root.is_object()) return Json::object();
    return std::move(builder.root);
}

std::string joinPath(const std::string& path, const std::string& key) {
    const std::string name = printable(key, 80);
    return path.empty() ? name : path + "." + name;
}

std::string shown(const Json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array() && value.size() > 16) return "a list of " + std::to_string(value.size()) + " values";
    return printable(jsonText(value), 80);
}

} // namespace trainyard::spec
