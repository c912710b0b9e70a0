// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a value: what it says, without how it looks. report_html.h writes it.
#pragma once

#include "engine/chart/chart.h"

#include <functional>
#include <limits>
#include <variant>

namespace trainyard::report {

// How good a piece of news is.
enum class Tone { Plain, Good, Warning, Bad };

// A paragraph; a tone other than Plain gives it a box.
struct Text {
    std::string text;
    Tone tone = Tone::Plain;
};

// A column and how its cells are set.
struct Column {
    std::string title;
    bool number = false;
};

// One cell. `share` (0 to 1; NaN: none) shades a cell of a matrix.
struct Cell {
    enum class Weight { Plain, Strong, Muted } weight = Weight::Plain;
    std::string text{};
    double share = std::numeric_limits<double>::quiet_NaN();
};
using Row = std::vector<Cell>;

// A table with its heading; a matrix has narrow, shaded cells.
struct Table {
    std::string title{};
    std::vector<Column> columns{};
    std::vector<Row> rows{};
    bool matrix = false;
};

// Text that is read by a program, with its heading.
struct Code {
    std::string title, text;
};

// Charts side by side. Where all have the same lines, one legend above them names these, and no chart does.
struct Charts {
    std::vector<chart::Chart> charts;
    std::vector<chart::Line> legend{}; // without points
};

using Block = std::variant<Text, Table, Code, Charts>;

// A heading and what stands below it.
struct Section {
    std::string title;
    std::vector<Block> blocks{};
};

// A figure of the head.
struct Tile {
    std::string value, name;
};

// A report of a run or a comparison. It holds no time but those of the runs, so equal runs give equal bytes.
struct Report {
    std::string kind, title, subtitle; // "Run report"
    std::string status{};
    Tone tone = Tone::Plain; // of the status
    std::vector<Tile> tiles{};
    std::vector<Section> sections{};
    std::string footer{};
};

// Told how much of a report is made, 0 to 1, on the thread that makes it. False stops that.
using Progress = std::function<bool(double share)>;

} // namespace trainyard::report
