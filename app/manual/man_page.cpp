// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/man_page.h"

namespace trainyard::manual {
namespace {

std::string upper(std::string text) {
    for (char& each : text)
        if (each >= 'a' && each <= 'z') each = static_cast<char>(each - 'a' + 'A');
    return text;
}

std::string partRoff(const Part& part) {
    std::string out = ".SH " + roffText(upper(part.title)) + '\n';
    bool first = true;
    for (const auto& paragraph : part.paragraphs) {
        if (!first) out += ".PP\n";
        out += roffText(paragraph) + '\n';
        first = false;
    }
    for (const auto& item : part.items)
        out += ".TP\n\\fB" + roffText(item.term) + "\\fR\n" + roffText(item.text) + '\n';
    if (!part.examples.empty()) {
        out += ".PP\n.nf\n";
        for (const auto& line : part.examples) out += roffText(line) + '\n';
        out += ".fi\n";
    }
    return out;
}

} // namespace

std::string fileName(const Page& page) { return page.name + '.' + std::to_string(page.section); }

std::string roffText(std::string_view text) {
    std::string out;
    bool lineBegins = true;
    for (const char each : text) {
        if (lineBegins && (each == '.' || each == '\'')) out += "\\&";
        lineBegins = each == '\n';
        if (each == '\\') out += "\\e";
        else if (each == '-') out += "\\-";
        else if (each == '^') out += "\\(ha";
        else if (each == '~') out += "\\(ti";
        else if (each == '\'') out += "\\(aq";
        else if (each == '`') out += "\\(ga";
        else out += each;
    }
    return out;
}

std::string roffHead(const Page& page) {
    std::string out = ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n";
    out += ".TH " + roffText(upper(page.name)) + ' ' + std::to_string(page.section) + " \"\" \"Trainyard " +
           TRAINYARD_VERSION + "\" \"Trainyard\"\n";
    return out + ".SH NAME\n" + roffText(page.name) + " \\- " + roffText(page.summary) + '\n';
}

std::string roffSeeAlso(const std::vector<std::string>& pages) {
    if (pages.empty()) return {};
    std::string out = ".SH SEE ALSO\n";
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const auto open = pages[i].find('(');
        out += ".BR " + roffText(pages[i].substr(0, open)) + ' ' + pages[i].substr(open) +
               (i + 1 < pages.size() ? ",\n" : "\n");
    }
    return out;
}

std::string toRoff(const Page& page) {
    std::string out = roffHead(page);
    if (!page.synopsis.empty()) {
        out += ".SH SYNOPSIS\n.nf\n";
        for (const auto& line : page.synopsis) {
            const auto word = line.find(' ');
            out += "\\fB" + roffText(line.substr(0, word)) + "\\fR" +
                   (word == std::string::npos ? "" : roffText(line.substr(word))) + '\n';
        }
        out += ".fi\n";
    }
    for (const auto& part : page.parts)
        if (!part.paragraphs.empty() || !part.items.empty() || !part.examples.empty()) out += partRoff(part);
    return out + roffSeeAlso(page.seeAlso);
}

Part exitCodes() {
    return {.title = "Exit status",
            .items = {{"0", "done"},
                      {"1", "the run failed"},
                      {"2", "the input is wrong: an argument, a run file, data"},
                      {"3", "host, device or disk: this computer, another one, or the network"},
                      {"130", "stopped by the user"}}};
}

Part environment() {
    return {
        .title = "Environment",
        .items = {{"TRAINYARD_WORKSPACE", "folder of the runs where no --workspace is given"},
                  {"TRAINYARD_BIN", "folder of the other programs of Trainyard, instead of that of the running one"},
                  {"TRAINYARD_PLUGINS", "folder in which plug-ins are looked for by their names"},
                  {"TRAINYARD_POOL", "\"off\" starts each worker as its own program instead of from a pool"},
                  {"TRAINYARD_HOST_POOL", "\"off\" does the same on hosts alone"},
                  {"TRAINYARD_SWEEP_RESTARTS",
                   "how often in an hour a sweep whose supervisor has died continues by itself (3; 0: never)"},
                  {"XDG_DATA_HOME, XDG_CONFIG_HOME, XDG_CACHE_HOME",
                   "replace ~/.local/share, ~/.config and ~/.cache in the names below"}}};
}

Part files() {
    return {.title = "Files",
            .items = {{"~/.local/share/trainyard", "the workspace: runs, checkpoints and their database"},
                      {"~/.local/share/trainyard/datasets, /usr/share/datasets", "datasets"},
                      {"~/.local/share/trainyard/plugins", "plug-ins"},
                      {"~/.config/trainyard/hosts.json", "the hosts; known_hosts beside it holds accepted host keys"},
                      {"~/.cache/trainyard", "the list of models and datasets, kernel timings"}}};
}

} // namespace trainyard::manual
