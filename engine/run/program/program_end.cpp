// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/program_end.h"

#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <optional>
#include <vector>

namespace trainyard::run {
namespace {

constexpr std::size_t kLongestMessage = 600;

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = text.substr(0, end);
        if (const auto back = line.rfind('\r'); back != line.npos && back + 1 < line.size())
            line = line.substr(back + 1);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// "[rank1]: " before each line of a traceback, as PyTorch 2 puts it.
std::string_view withoutRank(std::string_view line) {
    if (!line.starts_with("[rank")) return line;
    const auto end = line.find("]:");
    if (end == line.npos || end > 12) return line;
    line.remove_prefix(std::min(end + 3, line.size()));
    return line;
}

// `  File "train.py", line 12, in main`.
struct Frame {
    std::string_view file, function;
    std::int64_t line = 0;
};

std::optional<Frame> frameOf(std::string_view line) {
    constexpr std::string_view kBegin = "  File \"", kLine = "\", line ";
    if (!line.starts_with(kBegin)) return std::nullopt;
    line.remove_prefix(kBegin.size());
    const auto nameEnd = line.find(kLine);
    if (nameEnd == line.npos) return std::nullopt;
    Frame frame{line.substr(0, nameEnd), {}};
    line.remove_prefix(nameEnd + kLine.size());
    const auto [end, problem] = std::from_chars(line.data(), line.data() + line.size(), frame.line);
    if (problem != std::errc()) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    // faulthandler writes no comma.
    if (line.starts_with(", in ")) frame.function = line.substr(5);
    else if (line.starts_with(" in ")) frame.function = line.substr(4);
    return frame;
}

bool isUsers(std::string_view file, const std::filesystem::path& project) {
    for (const std::string_view library : {"/site-packages/", "/dist-packages/", "/lib/python", "/lib64/python"})
        if (file.find(library) != file.npos) return false;
    if (file.starts_with("<")) return false; // <frozen importlib>, <string>
    return !file.starts_with('/') || project.empty() || file.starts_with(project.string());
}

// "torch.cuda.OutOfMemoryError: CUDA out of memory." and "KeyboardInterrupt".
bool isException(std::string_view line) {
    const auto name = line.substr(0, std::min(line.find(':'), line.size()));
    if (name.empty() || !(std::isalpha(static_cast<unsigned char>(name.front())) || name.front() == '_')) return false;
    return std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '.'; });
}

// The exception that a Python program has ended with.
struct Exception {
    std::string_view text;      // its first line
    std::optional<Frame> place; // the deepest one in the user's files
    std::string_view name() const { return text.substr(0, std::min(text.find(':'), text.size())); }
};

std::optional<Exception> lastException(const std::vector<std::string_view>& lines, const ProgramEnd& end) {
    std::optional<Exception> last;
    std::optional<Frame> place, any;
    bool inFrames = false;
    for (const auto raw : lines) {
        const auto line = withoutRank(raw);
        if (line.starts_with("Traceback (most recent call last):")) {
            place.reset();
            any.reset();
            inFrames = true;
        } else if (const auto frame = frameOf(line)) {
            if (isUsers(frame->file, end.project)) place = frame;
            any = frame;
            inFrames = true; // a syntax error of the script itself has no header
        } else if (inFrames && isException(line)) {
            last = Exception{line, place ? place : any};
            inFrames = false;
        }
    }
    return last;
}

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
    const auto short_ = name.substr(name.rfind('.') + 1); // npos + 1 is 0
    return std::ranges::find(names, short_) != names.end();
}

bool holds(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != text.npos; });
}

// Of Gloo, NCCL and the store of c10d, when another rank has gone.
bool tellsOfPeer(std::string_view text) {
    return holds(text, {"Connection closed by peer", "Connection reset by peer", "remote process exited",
                        "ncclRemoteError", "Socket Timeout", "recvValue failed", "Broken pipe",
                        "Did the remote server shutdown", "Connection was likely closed", "failed to connect to",
                        "Timed out waiting", "wait timeout after", "store->get(", "DistNetworkError"});
}

std::string_view lastOf(const std::vector<std::string_view>& lines) {
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        if (!line->empty()) return *line;
    return {};
}

// argparse, click and their like end with 2 and one line that says what is wrong.
std::optional<std::string_view> usageError(const std::vector<std::string_view>& lines, int exitCode) {
    if (exitCode != 2) return std::nullopt;
    const auto line = lastOf(lines);
    for (const std::string_view mark : {": error: ", "Error: "})
        if (const auto at = line.find(mark); at != line.npos) return line.substr(at + mark.size());
    return std::nullopt;
}

std::string moduleRemedy(const ProgramEnd& end, std::string_view text) {
    const auto from = text.find('\''), to = text.find('\'', from == text.npos ? from : from + 1);
    const auto module = to == text.npos ? std::string("MODULE") : std::string(text.substr(from + 1, to - from - 1));
    const auto package = module.substr(0, module.find('.'));
    if (end.interpreter.empty()) return "install it where the program runs";
    return "install it: " + shellArgument(end.interpreter) + " -m pip install " + shellArgument(package) +
           "; or choose another Python as program.interpreter";
}

std::string placeOf(const Frame& frame) {
    auto text = std::string(frame.file) + ", line " + std::to_string(frame.line);
    if (!frame.function.empty() && frame.function != "<module>") text += ", in " + std::string(frame.function);
    return printable(text, kLongestMessage);
}

// The limit of the computer that it has met, as an error number; 0: none. Reading, too, may be told to come again.
int limitOf(const Exception& exception, std::string_view printed) {
    const bool isAgain = exception.name() == "BlockingIOError" && holds(printed, {"fork"});
    if (isAgain || holds(exception.text, {"can't start new thread", "Cannot fork"})) return EAGAIN;
    return holds(exception.text, {"Too many open files"}) ? EMFILE : 0;
}

Error ofException(const Exception& exception, const ProgramEnd& end, std::string_view tail) {
    Error error = runError(printable(std::string(exception.text), kLongestMessage),
                           exception.place ? placeOf(*exception.place) : std::string());
    const auto name = exception.name();
    if (isOneOf(name, {"ModuleNotFoundError", "ImportError"})) {
        error.kind = ErrorKind::Input;
        error.remedy = moduleRemedy(end, exception.text);
    } else if (isOneOf(name, {"SyntaxError", "IndentationError", "TabError"})) {
        error.kind = ErrorKind::Input;
        error.remedy = "mend the script at this line";
    } else if (isOneOf(name, {"MemoryError", "OutOfMemoryError"}) ||
               holds(exception.text, {"CUDA out of memory", "can't allocate memory", "std::bad_alloc"})) {
        error.code = ErrorCode::OutOfMemory;
        error.remedy = "use a smaller batch or model, or fewer ranks on this host";
    } else if (holds(exception.text, {"No space left on device", "Disk quota exceeded"})) {
        error.kind = ErrorKind::Environment;
        error.code = ErrorCode::DiskFull;
        error.remedy = "free space, or set storage in the run file to a folder on another disk";
    } else if (const int limit = limitOf(exception, end.printed); limit != 0) {
        error.kind = ErrorKind::Environment;
        error.remedy = limitRemedy(limit);
    } else if (end.hasPeers && (tellsOfPeer(exception.text) || tellsOfPeer(tail))) {
        error.code = ErrorCode::PeerLost;
    }
    return error;
}

} // namespace

Error hangOf(const ProgramEnd& end, double seconds) {
    Error error = runError("has printed, reported and computed nothing for " + durationText(seconds), {},
                           "its log has the stack of each rank; failure.heartbeatSeconds sets the limit")
                      .withCode(ErrorCode::WorkerSilent);
    std::optional<Frame> place;
    bool inThread = false;
    for (const auto line : linesOf(end.printed)) {
        if (line.starts_with("Current thread ")) {
            place.reset();
            inThread = true;
        } else if (const auto frame = frameOf(line); !frame) {
            inThread = false;
        } else if (inThread && !place && isUsers(frame->file, end.project)) {
            place = frame; // the newest call comes first
        }
    }
    if (place) error.where = placeOf(*place);
    return error;
}

Error errorOf(const ProgramEnd& end) {
    const auto lines = linesOf(end.printed);
    const auto code = "the program exited with " + std::to_string(end.exitCode);
    if (const auto usage = usageError(lines, end.exitCode))
        return inputError(printable(std::string(*usage), kLongestMessage), {},
                          "trainyardctl arguments SCRIPT lists what it takes");
    if (const auto exception = lastException(lines, end)) {
        const auto from = static_cast<std::size_t>(exception->text.data() - end.printed.data());
        return ofException(*exception, end, end.printed.substr(from));
    }
    const auto line = lastOf(lines);
    if (end.exitCode == 127 && line.empty())
        return inputError(code + " and printed nothing: a program that it starts is missing");
    return runError(code + (line.empty()
                                ? ", and printed nothing"
                                : "; the last line it printed: " + printable(std::string(line), kLongestMessage)));
}

} // namespace trainyard::run
