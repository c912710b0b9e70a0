// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/check.h"

#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/base/text/names.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/host_ranks.h"
#include "engine/spec/run/known_series.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace trainyard::spec {
namespace {

bool isAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool only(std::string_view text, std::string_view others) {
    return std::all_of(text.begin(), text.end(), [&](char c) { return isAlnum(c) || others.find(c) != others.npos; });
}

// Alias, name, address or [address], with user@ before and :port after it. What cannot be in one of these cannot
// reach a shell or be taken for an option either.
std::string hostProblem(const std::string& value) {
    if (value.empty()) return "must not be empty";
    if (value.size() > 255) return "must be at most 255 characters";
    if (value.front() == '-') return "must not begin with -";
    if (isSlurmHost(value) && value != kSlurmHost) {
        const auto node = slurmNodeOf(value);
        return !node.empty() && node.front() != '-' && only(node, "._-") ? ""
                                                                         : "must be slurm:, then the name of a node";
    }
    std::string_view rest = value;
    if (const auto at = rest.find('@'); at != rest.npos) {
        const std::string_view user = rest.substr(0, at);
        if (user.empty() || user.front() == '-' || !only(user, "._-+"))
            return "has a user name with characters that are not allowed";
        rest.remove_prefix(at + 1);
    }
    std::string_view port;
    bool hasPort = false;
    if (rest.starts_with('[')) {
        const auto end = rest.find(']');
        if (end == rest.npos || !only(rest.substr(1, end - 1), ":.%_-") || end == 1)
            return "has an address that is not closed or not one";
        const std::string_view after = rest.substr(end + 1);
        if (!after.empty() && after.front() != ':') return "has something other than :port after its address";
        hasPort = !after.empty();
        if (hasPort) port = after.substr(1);
    } else if (isIpv6Address(std::string(rest))) {
        return {};
    } else {
        if (std::ranges::count(rest, ':') > 1) return "is not an IPv6 address, which has its port behind [ ]";
        if (const auto colon = rest.find(':'); colon != rest.npos) {
            hasPort = true;
            port = rest.substr(colon + 1);
            rest = rest.substr(0, colon);
        }
        if (rest.empty() || rest.front() == '-' || !only(rest, "._-"))
            return "must be a host's name: letters, digits, dots, - and _";
    }
    if (!hasPort) return {};
    const bool digits = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == port.npos;
    const int number = digits ? std::stoi(std::string(port)) : 0;
    return number >= 1 && number <= 65535 ? "" : "has a port that is not a number from 1 to 65535";
}

} // namespace

std::string inQuotes(const std::string& text) { return "\"" + printable(text, 80) + "\""; }

std::string numberText(double number) { return toText(Value(number)); }

std::string joined(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : ", ") + word;
    return line;
}

std::string insteadOfText(const std::string& text, ParamType wanted) {
    static const std::string kUnquoted = "write it without quotes";
    const Json value = text.size() < 64 ? parseJson(text) : Json();
    const bool number = value.is_number();
    if (wanted == ParamType::Flag) return value.is_boolean() ? kUnquoted : "write true or false";
    if (wanted == ParamType::Number) return number ? kUnquoted : "write a number, such as 0.5";
    if (wanted != ParamType::Integer) return {};
    return number && isWhole(value.get<double>()) ? kUnquoted : "write a number, such as 5";
}

void Checker::fail(const std::string& path, const std::string& value, std::string message, std::string remedy,
                   ErrorCode code) {
    m_errors.push_back({path, value, std::move(message), std::move(remedy), code});
}

bool Checker::failed(const std::string& path) const {
    return std::any_of(m_errors.begin(), m_errors.end(), [&](const FieldError& e) { return e.path == path; });
}

void Checker::range(const std::string& path, std::int64_t value, std::int64_t min, std::int64_t max) {
    if (value < min) fail(path, std::to_string(value), "must be at least " + std::to_string(min));
    if (value > max) fail(path, std::to_string(value), "must be at most " + std::to_string(max));
}

void Checker::range(const std::string& path, double value, double min, double max) {
    if (!(value >= min)) fail(path, numberText(value), "must be at least " + numberText(min));
    else if (value > max) fail(path, numberText(value), "must be at most " + numberText(max));
}

void Checker::word(const std::string& path, const std::string& value, const std::vector<std::string>& words) {
    if (std::find(words.begin(), words.end(), value) != words.end()) return;
    const bool isCuda = value == "gpu" && std::find(words.begin(), words.end(), "cuda") != words.end();
    const std::string near = isCuda ? "cuda" : nearestWord(value, words); // and not "cpu"
    fail(path, inQuotes(value), "must be one of " + joined(words),
         near.empty() ? "" : "did you mean \"" + near + "\"?");
}

void Checker::name(const std::string& path, const std::string& value) {
    if (auto problem = nameProblem(value); !problem.empty()) fail(path, inQuotes(value), std::move(problem));
}

void Checker::host(const std::string& path, const std::string& value) {
    if (const std::string problem = hostProblem(value); !problem.empty())
        fail(path, inQuotes(value), problem, "give an alias or user@host:port");
}

void Checker::series(const std::string& path, const std::string& value) {
    if (m_isProgram && !value.empty() && value.size() <= 200 && printable(value, 400) == value) return;
    if (std::find(knownSeries().begin(), knownSeries().end(), value) != knownSeries().end()) return;
    const std::string near = nearestWord(value, knownSeries());
    const bool slip = !near.empty() && editDistance(value, near) <= 2;
    // Programs on the library report series of their own, so a name that is merely unknown passes.
    if (!slip && !value.empty() && value.size() <= 100 && only(value, "/_-.")) return;
    fail(path, inQuotes(value), "is not the name of a series",
         slip ? "did you mean \"" + near + "\"?" : "for example val/accuracy");
}

} // namespace trainyard::spec
