// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/command/command_line.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/program/command/launcher_options.h"
#include "engine/program/command/secret_words.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

namespace trainyard::program {
namespace {

constexpr int kMostProcesses = 100'000;
constexpr std::size_t kMostWords = 100'000, kMostBytes = 2u << 20; // Linux gives a program 2 MiB

std::string baseName(const std::string& word) { return word.substr(word.rfind('/') + 1); }

// NAME=value, as a shell takes it in front of a command.
bool isAssignment(std::string_view word) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto equals = word.find('=');
    if (equals == word.npos || equals == 0 || !isLetter(word[0])) return false;
    return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                       [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

// "python", "python3", "python3.11".
bool isPython(const std::string& word) {
    const std::string name = baseName(word);
    if (!name.starts_with("python")) return false;
    return name.find_first_not_of("0123456789.", std::string_view("python").size()) == name.npos;
}

std::optional<int> countIn(const std::string& text) {
    int count = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || count < 1 || count > kMostProcesses)
        return std::nullopt;
    return count;
}

// What the options of a launcher said.
struct Said {
    std::optional<int> perHost, workers, hosts;
    bool module = false, anyProgram = false, allDevices = false, localRank = false;
};

// An option that was given, and the value in the same word.
struct FoundOption {
    const LauncherOption* option = nullptr;
    std::optional<std::string> value{};
};

// Reads the words from the first to the last.
class CommandReader {
public:
    CommandReader(const std::vector<std::string>& words, const Machine& machine) : m_words(words), m_machine(machine) {}

    Result<CommandLine> read() {
        if (!m_words.empty() && word() == "--") ++m_at;
        assignments();
        for (int count = 0; count < 3 && isCondaRun(); ++count) { // conda run … conda run …
            m_at += 2;
            Said ignored;
            TY_TRY(options(condaRunTable(), ignored));
        }
        assignments();
        m_begin = m_at;
        if (m_at == m_words.size())
            return inputError("there is no program to run", {}, "for example: trainyardctl run train.py --lr 0.1");
        TY_TRY(program());
        TY_TRY(checkNoSecrets(m_line.program));
        return std::move(m_line);
    }

private:
    const std::string& word() const { return m_words[m_at]; }
    bool isNext(std::size_t ahead, std::string_view text) const {
        return m_at + ahead < m_words.size() && m_words[m_at + ahead] == text;
    }

    void assignments() {
        if (m_at + 1 < m_words.size() && word() == "env" && isAssignment(m_words[m_at + 1])) ++m_at;
        for (; m_at < m_words.size() && isAssignment(word()); ++m_at) {
            const auto equals = word().find('=');
            m_line.program.environment[word().substr(0, equals)] = word().substr(equals + 1);
        }
    }

    bool isCondaRun() const {
        if (m_at >= m_words.size() || !isNext(1, "run")) return false;
        const std::string name = baseName(word());
        return name == "conda" || name == "mamba" || name == "micromamba";
    }

    Result<void> program() {
        const std::string name = baseName(word());
        if (name == "torchrun") return launcher(torchrunTable(), 1, true, false);
        if (name == "accelerate" && isNext(1, "launch")) return launcher(accelerateTable(), 2, true, false);
        if (name == "accelerate-launch") return launcher(accelerateTable(), 1, true, false);
        if (name == "deepspeed") return launcher(deepspeedTable(), 1, true, true);
        if (isPython(word())) return python();
        if (word() == "-m") return module();
        if (word().starts_with('-'))
            return inputError("\"" + printable(word(), 60) + "\" stands where a script or a command is expected", {},
                              "options of trainyardctl come first, then the script, then its own words");
        if (!isPythonScript(word())) return whole();
        m_line.program.script = word();
        return rest(m_at + 1);
    }

    Result<void> whole() {
        if (m_at == m_words.size()) return nothingBehind("--");
        m_line.program.command.assign(m_words.begin() + static_cast<std::ptrdiff_t>(m_at), m_words.end());
        return {};
    }

    // The command as it was given, of which nothing is understood.
    Result<void> asGiven() {
        m_at = m_begin;
        m_line.program.interpreter.clear();
        return whole();
    }

    Result<void> rest(std::size_t from) {
        m_line.program.words.assign(m_words.begin() + static_cast<std::ptrdiff_t>(from), m_words.end());
        return {};
    }

    Error nothingBehind(std::string_view what) const {
        return inputError("there is no program behind " + printable(what, 60), {},
                          "for example: trainyardctl run train.py --lr 0.1");
    }

    Result<void> module() {
        if (++m_at == m_words.size()) return nothingBehind("-m");
        m_line.program.module = word();
        return rest(m_at + 1);
    }

    // Its options as variables of the environment, since ranks are started without options.
    Result<void> python() {
        const std::string first = word();
        if (first.find('/') != first.npos || (first != "python" && first != "python3"))
            m_line.program.interpreter = first;
        const auto before = m_line.program.environment;
        for (++m_at; m_at < m_words.size() && word().starts_with('-'); ++m_at) {
            if (word() == "-m") return pythonModule();
            if (pythonOptions()) continue;
            m_line.program.environment = before;
            return asGiven();
        }
        if (m_at == m_words.size()) return nothingBehind(first);
        m_line.program.script = word();
        return rest(m_at + 1);
    }

    Result<void> pythonModule() {
        if (isNext(1, "torch.distributed.run")) return launcher(torchrunTable(), 2, false, false);
        if (isNext(1, "torch.distributed.launch")) return launcher(torchrunTable(), 2, false, true);
        if (isNext(1, "accelerate.commands.launch")) return launcher(accelerateTable(), 2, false, false);
        if (isNext(1, "deepspeed.launcher.runner")) return launcher(deepspeedTable(), 2, false, true);
        return module();
    }

    // One word of options: "-u", "-uB", "-W error". False: there is one that no variable stands for.
    bool pythonOptions() {
        static constexpr std::pair<char, std::string_view> kFlags[] = {{'B', "PYTHONDONTWRITEBYTECODE"},
                                                                       {'s', "PYTHONNOUSERSITE"},
                                                                       {'P', "PYTHONSAFEPATH"},
                                                                       {'v', "PYTHONVERBOSE"},
                                                                       {'d', "PYTHONDEBUG"},
                                                                       {'u', ""}, // is set for every rank
                                                                       {'q', ""}};
        auto& environment = m_line.program.environment;
        const std::string options = word().substr(1);
        if (options.empty() || options.front() == '-') return false;
        for (std::size_t at = 0; at < options.size(); ++at) {
            const char letter = options[at];
            if (letter == 'O') {
                auto& level = environment["PYTHONOPTIMIZE"];
                level = level == "1" ? "2" : "1";
            } else if (letter == 'W' || letter == 'X') {
                std::string value = options.substr(at + 1);
                if (value.empty()) {
                    if (m_at + 1 == m_words.size()) return false;
                    value = m_words[++m_at];
                }
                return letter == 'W' ? warnings(value) : extension(value);
            } else {
                const auto* found = std::find_if(std::begin(kFlags), std::end(kFlags),
                                                 [&](const auto& each) { return each.first == letter; });
                if (found == std::end(kFlags)) return false;
                if (!found->second.empty()) environment[std::string(found->second)] = "1";
            }
        }
        return true;
    }

    bool warnings(const std::string& value) {
        auto& all = m_line.program.environment["PYTHONWARNINGS"];
        all += (all.empty() ? "" : ",") + value;
        return true;
    }

    bool extension(const std::string& value) {
        if (value == "dev") m_line.program.environment["PYTHONDEVMODE"] = "1";
        else if (value == "utf8") m_line.program.environment["PYTHONUTF8"] = "1";
        else return value == "faulthandler"; // which every rank has
        return true;
    }

    Result<void> launcher(const LauncherTable& table, std::size_t words, bool byItself, bool givesLocalRank) {
        // .venv/bin/torchrun is that of .venv/bin/python.
        if (const auto slash = word().rfind('/'); byItself && slash != std::string::npos)
            m_line.program.interpreter = word().substr(0, slash) + "/python";
        m_at += words;
        Said said;
        said.localRank = givesLocalRank;
        TY_TRY(options(table, said));
        if (m_at == m_words.size()) return nothingBehind(table.name);
        m_line.passLocalRank = said.localRank;
        m_line.hosts = said.hosts;
        if (table.name == "deepspeed" && !said.perHost) said.allDevices = true;
        const int devices = std::max(1, m_machine.devices);
        if (said.workers) m_line.workers = *said.workers;
        else m_line.workers = said.perHost.value_or(said.allDevices ? devices : 1) * said.hosts.value_or(1);
        if (said.anyProgram) return whole();
        (said.module ? m_line.program.module : m_line.program.script) = word();
        return rest(m_at + 1);
    }

    Result<void> options(const LauncherTable& table, Said& said) {
        for (; m_at < m_words.size() && word().size() > 1 && word().starts_with('-'); ++m_at) {
            if (word() == "--") {
                ++m_at;
                break;
            }
            TY_ASSIGN(const auto found, optionOf(table));
            const auto& [option, attached] = found;
            std::string value = attached.value_or("");
            const std::string shown = printable(word(), 60);
            if (!option->takesValue && attached)
                return inputError(shown + ": this option of " + std::string(table.name) + " takes no value", shown,
                                  "leave \"=" + printable(value, 40) + "\" out");
            if (option->means == OptionMeans::Refused)
                return inputError(std::string(table.name) + "'s option means nothing here", shown,
                                  std::string(option->text));
            if (option->takesValue && !attached) {
                if (m_at + 1 == m_words.size())
                    return inputError("has no value", shown, "write it behind the option, then the script");
                value = m_words[++m_at];
            }
            TY_TRY(obey(*option, shown, value, said));
        }
        return {};
    }

    Result<FoundOption> optionOf(const LauncherTable& table) const {
        const std::string& given = word();
        std::optional<std::string> value;
        if (!given.starts_with("--")) {
            for (const auto& each : table.options) {
                if (each.letter == 0 || each.letter != given[1]) continue;
                if (given.size() > 2) value = given.substr(given[2] == '=' ? 3 : 2);
                return FoundOption{&each, value};
            }
        }
        const auto equals = given.find('=');
        if (equals != given.npos) value = given.substr(equals + 1);
        std::string name = given.substr(0, equals);
        name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
        std::replace(name.begin(), name.end(), '-', '_');
        const LauncherOption* only = nullptr;
        int count = 0;
        std::vector<std::string> known;
        for (const auto& each : table.options) {
            known.emplace_back(each.name);
            if (each.name == name) return FoundOption{&each, value};
            if (name.size() < 3 || !each.name.starts_with(name)) continue; // argparse takes beginnings of names
            only = &each;
            ++count;
        }
        if (count == 1) return FoundOption{only, value};
        const auto near = nearestWord(name, known);
        return inputError("is no known option of " + std::string(table.name), printable(given, 60),
                          near.empty() ? "leave it out; words of the script come behind the script"
                                       : "did you mean --" + near + "? Words of the script come behind the script");
    }

    Result<void> obey(const LauncherOption& option, const std::string& shown, const std::string& value, Said& said) {
        using enum OptionMeans;
        const auto count = [&](std::optional<int>& into) -> Result<void> {
            into = countIn(value);
            if (into) return {};
            return inputError("\"" + printable(value, 40) + "\" is no number from 1 to 100000", shown,
                              "for example: " + shown.substr(0, shown.find('=')) + " 4");
        };
        auto& program = m_line.program;
        switch (option.means) {
        case PerHost: return perHost(shown, value, said);
        case Workers: return count(said.workers);
        case Threads: return count(m_line.threadsPerWorker);
        case Restarts:
            if (value == "0") m_line.maxRestarts = 0;
            else return count(m_line.maxRestarts);
            return {};
        case Hosts: return hosts(shown, value, said);
        case AllDevices: said.allDevices = true; return {};
        case OnCpu: m_line.onCpu = true; return {};
        case Devices:
            if (value == "all") said.allDevices = true;
            else program.environment["CUDA_VISIBLE_DEVICES"] = value;
            if (value != "all") said.perHost = static_cast<int>(std::count(value.begin(), value.end(), ',')) + 1;
            return {};
        case Module: said.module = true; return {};
        case AnyProgram: said.anyProgram = true; return {};
        case NoLocalRank: said.localRank = false; return {};
        case CondaName: program.interpreter = "conda:" + value; return {};
        case CondaFolder: program.interpreter = value; return {};
        case Variable: program.environment[std::string(option.text)] = value; return {};
        case Fulfilled:
        case Refused: break; // before
        }
        return {};
    }

    // A number, or "gpu", "cpu", "auto".
    Result<void> perHost(const std::string& shown, const std::string& value, Said& said) const {
        if (value == "gpu" && m_machine.devices == 0)
            return inputError("there is no CUDA device on this computer", shown, "give the number of processes");
        if (value == "gpu" || (value == "auto" && m_machine.devices > 0)) said.perHost = m_machine.devices;
        else if (value == "cpu" || value == "auto") said.perHost = std::max(1, m_machine.cores);
        else said.perHost = countIn(value);
        if (said.perHost) return {};
        return inputError("\"" + printable(value, 40) + "\" is no number of processes", shown,
                          "a number from 1 to 100000, gpu, cpu or auto");
    }

    Result<void> hosts(const std::string& shown, const std::string& value, Said& said) const {
        const auto colon = value.find(':');
        const auto least = countIn(value.substr(0, colon));
        const auto most = colon == value.npos ? least : countIn(value.substr(colon + 1));
        if (!least || !most)
            return inputError("\"" + printable(value, 40) + "\" is no number of hosts", shown, "for example: 2");
        if (*least != *most)
            return inputError("\"" + printable(value, 40) +
                                  "\": a number of hosts that may change is given in another "
                                  "way here",
                              shown,
                              "write the number of processes that there may be at least and at most: --set "
                              "scaling.elastic.min=2 --set scaling.elastic.max=4");
        if (*most > 1) said.hosts = most;
        return {};
    }

    const std::vector<std::string>& m_words;
    const Machine& m_machine;
    CommandLine m_line{};
    std::size_t m_at = 0, m_begin = 0;
};

} // namespace

bool isPythonScript(const std::string& word) {
    return word.size() > 3 && (word.ends_with(".py") || word.ends_with(".pyw")) && !word.starts_with('-');
}

Result<CommandLine> commandLineOf(const std::vector<std::string>& words, const Machine& machine) {
    std::size_t bytes = 0;
    for (const auto& word : words) {
        if (word.find('\0') != word.npos)
            return inputError("\"" + printable(word, 60) + "\" has a zero byte, which no command line can hold", {},
                              "leave it out");
        bytes += word.size() + 1;
    }
    if (words.size() > kMostWords || bytes > kMostBytes)
        return inputError("the command line is too long: " + std::to_string(words.size()) + " words, " +
                              std::to_string(bytes) + " bytes",
                          {}, "put what is long into a file: Linux gives a program 2 MiB");
    return CommandReader(words, machine).read();
}

} // namespace trainyard::program
