// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report_html.h"

#include "engine/base/text/quoted.h"
#include "engine/chart/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace trainyard::report {
namespace {

constexpr double kChartWidth = 400, kChartHeight = 260, kLegendWidth = 820;
constexpr std::size_t kShortText = 12; // letters of a cell that are not broken into two lines

std::string classOf(Tone tone) {
    switch (tone) {
    case Tone::Good: return "good";
    case Tone::Warning: return "warn";
    case Tone::Bad: return "bad";
    case Tone::Plain: break;
    }
    return "plain";
}

std::string headingOf(const std::string& title) {
    return title.empty() ? std::string() : "<h3>" + markupText(title) + "</h3>\n";
}

std::string htmlOf(const Text& text) {
    const std::string box = text.tone == Tone::Plain ? "" : " class='box " + classOf(text.tone) + "'";
    return "<p" + box + ">" + markupLines(text.text) + "</p>\n";
}

std::string cellHtml(const Cell& cell, bool number) {
    std::string classes = number ? "n" : cell.text.size() <= kShortText ? "short" : "";
    if (cell.weight == Cell::Weight::Strong) classes += " strong";
    if (cell.weight == Cell::Weight::Muted) classes += " muted";
    std::array<char, 96> shade{};
    if (std::isfinite(cell.share))
        std::snprintf(shade.data(), shade.size(),
                      " style='background:color-mix(in srgb,var(--accent) %d%%,transparent)'",
                      static_cast<int>(std::lround(55 * std::clamp(cell.share, 0.0, 1.0))));
    return "<td" + (classes.empty() ? "" : " class='" + classes + "'") + shade.data() + ">" + markupText(cell.text) +
           "</td>";
}

std::string htmlOf(const Table& table) {
    std::string html =
        headingOf(table.title) + "<div class='wide'><table" + (table.matrix ? " class='matrix'" : "") + "><thead><tr>";
    for (const Column& column : table.columns)
        html +=
            std::string("<th scope='col'") + (column.number ? " class='n'>" : ">") + markupText(column.title) + "</th>";
    html += "</tr></thead><tbody>\n";
    for (const Row& row : table.rows) {
        html += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i)
            html += cellHtml(row[i], i < table.columns.size() && table.columns[i].number);
        html += "</tr>\n";
    }
    return html + "</tbody></table></div>\n";
}

std::string htmlOf(const Code& code) { return headingOf(code.title) + "<pre>" + markupLines(code.text) + "</pre>\n"; }

std::string htmlOf(const Charts& charts) {
    std::string html;
    if (!charts.legend.empty())
        html += "<div class='legend'>\n" + chart::toSvg(chart::drawLegend(charts.legend, kLegendWidth), "Legend") +
                "</div>\n";
    html += "<div class='charts'>\n";
    for (const auto& each : charts.charts)
        html += chart::toSvg(chart::draw(each, kChartWidth, kChartHeight), each.title);
    return html + "</div>\n";
}

} // namespace

std::string toHtml(const Report& report) {
    std::string html = "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
                       "<meta name='viewport' content='width=device-width,initial-scale=1'>\n"
                       "<meta http-equiv='Content-Security-Policy' "
                       "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>" +
                       markupText(report.title) + "</title>\n<style>\n" + kReportCss + "</style></head><body>\n";
    html += "<header><div class='kind'>" + markupText(report.kind) + "</div><h1>" + markupText(report.title);
    if (!report.status.empty())
        html += " <span class='chip " + classOf(report.tone) + "'>" + markupText(report.status) + "</span>";
    html += "</h1><div class='sub'>" + markupText(report.subtitle) + "</div>\n";
    if (!report.tiles.empty()) {
        html += "<div class='tiles'>";
        for (const Tile& tile : report.tiles)
            html += "<div class='tile'><b>" + markupText(tile.value) + "</b><span>" + markupText(tile.name) +
                    "</span></div>";
        html += "</div>";
    }
    html += "</header>\n";
    for (const Section& section : report.sections) {
        html += "<section><h2>" + markupText(section.title) + "</h2>\n";
        for (const Block& block : section.blocks)
            html += std::visit([](const auto& each) { return htmlOf(each); }, block);
        html += "</section>\n";
    }
    return html + "<footer>" + markupText(report.footer) + "</footer>\n</body></html>\n";
}

} // namespace trainyard::report
