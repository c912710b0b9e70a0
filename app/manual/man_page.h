// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::manual {

// An option, a command, a variable or a file, and what is said of it.
struct Item {
    std::string term; // shown in bold
    std::string text;
};

// One section of a page: paragraphs, then items.
struct Part {
    std::string title; // "OPTIONS"
    std::vector<std::string> paragraphs{};
    std::vector<Item> items{};
    std::vector<std::string> examples{}; // shown as they are, a line each
};

// A manual page as values. All texts are UTF-8.
struct Page {
    std::string name; // "trainyardctl-run"
    int section = 1;
    std::string summary;                 // one line, without a full stop
    std::vector<std::string> synopsis{}; // a line each
    std::vector<Part> parts{};
    std::vector<std::string> seeAlso{}; // "trainyardctl(1)"
};

// "trainyardctl-run.1"
std::string fileName(const Page& page);
// The page for man(1): macros of man(7), UTF-8, warned of by neither groff nor mandoc. Has no date: the same program
// gives the same bytes.
std::string toRoff(const Page& page);
// Text as roff shows it unchanged: backslashes, hyphens, and what would be a request at the beginning of a line.
std::string roffText(std::string_view text);
// The first lines of every page.
std::string roffHead(const Page& page);
// The last ones.
std::string roffSeeAlso(const std::vector<std::string>& pages);

// What the three programs share: where they look for files and variables, and their exit codes.
Part exitCodes();
Part environment();
Part files();

} // namespace trainyard::manual
