// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/book/shell_quote.h"

#include "engine/base/text/printable.h"

#include <algorithm>

namespace trainyard::remote {
namespace {

bool isPlain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./,:@+%").find(c) != std::string_view::npos;
}

bool isVariableName(const std::string& name) {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
    return std::ranges::all_of(
        name, [](char c) { return isPlain(c) && std::string_view("-./,:@+%").find(c) == std::string_view::npos; });
}

constexpr std::size_t kMaxCommand = 32000; // libssh2 sends a request as one packet

// Tells the marker and the process id on both streams, and becomes the program.
constexpr std::string_view kStart = "printf '\\n%s %s\\n' \"$0\" $$; printf '\\n%s %s\\n' \"$0\" $$ >&2; exec \"$@\"";
// Where the login shell does not lead a group (sshd sees to it, not every server does), setsid makes one and waits.
constexpr std::string_view kPrologue =
    "s=$1; shift; read -r _ _ _ _ g _ < /proc/$$/stat; "
    "if [ \"$g\" = $$ ]; then eval \"$s\"; else exec setsid -w /bin/sh -c \"$s\" \"$0\" \"$@\"; fi";

// csh takes no line break inside quotes. Where there is one, all arguments travel coded for `printf %b`, and so do
// the variables that hold one. The x keeps line breaks at the end, which $() drops. The long name is one that no
// host's environment has: what is assigned to an exported variable would reach the program.
constexpr std::string_view kDecodeArguments =
    "for TRAINYARD_WORD do shift; TRAINYARD_WORD=$(printf %bx \"$TRAINYARD_WORD\"); "
    "set -- \"$@\" \"${TRAINYARD_WORD%x}\"; done; ";

std::string decodeVariable(const std::string& name) {
    return name + "=$(printf %bx \"$" + name + "\"); " + name + "=${" + name + "%x}; ";
}

bool holdsLineBreak(const std::string& text) { return text.find('\n') != std::string::npos; }

std::string coded(const std::string& text) {
    std::string result;
    for (const char c : text)
        if (c == '\n') result += "\\n";
        else if (c == '\\') result += "\\\\";
        else result += c;
    return result;
}

} // namespace

Result<std::string> shellQuote(std::string_view word) {
    if (word.find('\0') != std::string_view::npos)
        return inputError("a command argument holds a NUL byte: \"" + printable(word) + "\"");
    if (!word.empty() && std::ranges::all_of(word, isPlain)) return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        // fish reads backslashes inside single quotes and csh reads '!': both stand outside, where all shells agree.
        if (c == '\'' || c == '\\' || c == '!') {
            quoted += "'\\";
            quoted += c;
            quoted += '\'';
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

Result<std::string> shellCommand(const std::vector<std::string>& arguments,
                                 const std::map<std::string, std::string>& environment, const std::string& marker) {
    if (arguments.empty()) return inputError("a remote command needs a program to run");
    std::string line = "exec ", start;
    if (!environment.empty()) line += "/usr/bin/env ";
    for (const auto& [name, value] : environment) {
        if (!isVariableName(name))
            return inputError("\"" + printable(name) + "\" is not the name of an environment variable");
        const bool code = holdsLineBreak(value);
        if (code) start += decodeVariable(name);
        TY_ASSIGN(const std::string assignment, shellQuote(name + "=" + (code ? coded(value) : value)));
        line += assignment + " ";
    }
    const bool code = std::ranges::any_of(arguments, holdsLineBreak);
    if (code) start += kDecodeArguments;
    start += kStart;
    line += "/bin/sh -c";
    std::vector<std::string> words{std::string(kPrologue), marker, start};
    for (const auto& each : arguments) words.push_back(code ? coded(each) : each);
    for (const auto& each : words) {
        TY_ASSIGN(const std::string word, shellQuote(each));
        line += " " + word;
    }
    if (line.size() > kMaxCommand)
        return inputError("a remote command of " + std::to_string(line.size()) + " bytes is too long", {},
                          "at most " + std::to_string(kMaxCommand) + " bytes fit into one request");
    return line;
}

} // namespace trainyard::remote
