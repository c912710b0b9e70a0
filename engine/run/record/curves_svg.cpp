// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/curves_svg.h"

#include "engine/base/axis_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace trainyard::run {
namespace {

constexpr double kPanelWidth = 520, kPanelHeight = 380;
constexpr double kLeft = 64, kRight = 20, kTop = 84, kBottom = 52;
constexpr std::size_t kMaxPoints = 300; // per line: the mean of its neighbours stands for each

struct Line {
    std::string label, color;
    bool dots = false; // few points: each is marked
    std::vector<wire::Point> points;
};

struct Panel {
    std::string axis;
    std::vector<Line> lines;
};

struct Range {
    double from = 0, to = 1;
    std::vector<double> ticks;
};

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* pattern, ...) {
    std::array<char, 512> text{};
    va_list values;
    va_start(values, pattern);
    std::vsnprintf(text.data(), text.size(), pattern, values);
    va_end(values);
    return text.data();
}

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char each : text)
        if (each == '<') safe += "&lt;";
        else if (each == '&') safe += "&amp;";
        else if (each == '"') safe += "&quot;";
        else safe += each;
    return safe;
}

// A range that begins and ends on a tick.
Range niceRange(double low, double high) {
    if (!(high > low)) {
        const double pad = std::max(std::abs(low) * 0.1, 0.1);
        low -= pad;
        high += pad;
    }
    const double step = niceStep((high - low) / 5);
    Range range{std::floor(low / step) * step, std::ceil(high / step) * step, {}};
    range.ticks = multiplesIn(range.from, range.to, step);
    return range;
}

// Evenly thinned means, so that noise does not turn the line into a band.
std::vector<wire::Point> thinned(const std::vector<wire::Point>& points) {
    std::vector<wire::Point> kept;
    const std::size_t group = std::max<std::size_t>(1, (points.size() + kMaxPoints - 1) / kMaxPoints);
    for (std::size_t first = 0; first < points.size(); first += group) {
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t index = first; index < std::min(points.size(), first + group); ++index)
            if (std::isfinite(points[index].value)) sum += points[index].value, ++count;
        if (count == 0) continue;
        kept.push_back(points[std::min(points.size(), first + group) - 1]);
        kept.back().value = sum / static_cast<double>(count);
    }
    return kept;
}

Panel makePanel(const std::string& measure, const std::string& axis,
                const std::map<std::string, std::vector<wire::Point>>& series) {
    Panel panel{axis, {}};
    const std::array<std::array<const char*, 3>, 2> kinds{
        {{"train/", "training", "#e0a458"}, {"val/", "validation", "#1f5fbf"}}};
    for (const auto& [prefix, label, color] : kinds) {
        const auto found = series.find(prefix + measure);
        if (found == series.end()) continue;
        Line line{label, color, found->second.size() <= 60, thinned(found->second)};
        if (!line.points.empty()) panel.lines.push_back(std::move(line));
    }
    return panel;
}

std::string drawAxes(const Panel& panel, const Range& x, const Range& y, double width, double height) {
    std::string svg;
    for (const double tick : y.ticks) {
        const double place = height * (1 - (tick - y.from) / (y.to - y.from));
        svg += format("<line x1='0' x2='%.1f' y1='%.1f' y2='%.1f' stroke='#e6e9ee'/>"
                      "<text x='-10' y='%.1f' text-anchor='end'>%.4g</text>\n",
                      width, place, place, place + 4, tick);
    }
    for (const double tick : x.ticks) {
        const double place = width * (tick - x.from) / (x.to - x.from);
        svg += format("<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='#9aa3af'/>"
                      "<text x='%.1f' y='%.1f' text-anchor='middle'>%.4g</text>\n",
                      place, place, height, height + 5, place, height + 20, tick);
    }
    svg += format("<line x1='0' x2='%.1f' y1='%.1f' y2='%.1f' stroke='#9aa3af'/>\n", width, height, height);
    svg += format("<text class='axis' x='%.1f' y='%.1f' text-anchor='middle'>epoch</text>\n", width / 2, height + 42);
    svg += format("<text class='axis' x='0' y='-14' text-anchor='start'>%s</text>\n", panel.axis.c_str());
    return svg;
}

std::string drawLine(const Line& line, const Range& x, const Range& y, double width, double height) {
    std::string path, dots;
    for (const auto& point : line.points) {
        const double px = width * (point.epoch - x.from) / (x.to - x.from);
        const double py = height * (1 - (point.value - y.from) / (y.to - y.from));
        path += format("%s%.1f %.1f", path.empty() ? "M" : "L", px, py);
        if (line.dots) dots += format("<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", px, py, line.color.c_str());
    }
    return "<path d='" + path + "' fill='none' stroke='" + line.color + "' stroke-width='2' stroke-linejoin='round'/>" +
           dots + "\n";
}

std::string drawPanel(const Panel& panel, double left) {
    const double width = kPanelWidth - kLeft - kRight, height = kPanelHeight - kTop - kBottom;
    double low = INFINITY, high = -INFINITY, last = 0;
    for (const auto& line : panel.lines)
        for (const auto& point : line.points) {
            low = std::min(low, point.value);
            high = std::max(high, point.value);
            last = std::max(last, point.epoch);
        }
    Range x = niceRange(0, last > 0 ? last : 1);
    x.to = last > 0 ? last : 1; // the time axis ends where the run does
    std::erase_if(x.ticks, [&](double tick) { return tick > x.to * 1.0001; });
    const Range y = niceRange(low, high);
    std::string svg = format("<g transform='translate(%.1f %.1f)'>\n", left + kLeft, kTop);
    svg += drawAxes(panel, x, y, width, height);
    for (const auto& line : panel.lines) svg += drawLine(line, x, y, width, height);
    double at = width;
    for (auto line = panel.lines.rbegin(); line != panel.lines.rend(); ++line) {
        at -= 24 + 6.6 * static_cast<double>(line->label.size());
        svg += format("<line x1='%.1f' x2='%.1f' y1='-18' y2='-18' stroke='%s' stroke-width='3'/>"
                      "<text x='%.1f' y='-14'>%s</text>\n",
                      at, at + 14, line->color.c_str(), at + 19, line->label.c_str());
    }
    return svg + "</g>\n";
}

} // namespace

std::string curvesSvg(const std::string& title, const std::map<std::string, std::vector<wire::Point>>& series) {
    std::vector<Panel> panels;
    for (const auto& [measure, axis] : {std::pair{"loss", "loss"}, std::pair{"accuracy", "accuracy"}}) {
        Panel panel = makePanel(measure, axis, series);
        if (!panel.lines.empty()) panels.push_back(std::move(panel));
    }
    const double width = kPanelWidth * static_cast<double>(std::max<std::size_t>(1, panels.size()));
    std::string svg = format("<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' "
                             "viewBox='0 0 %.0f %.0f'>\n",
                             width, kPanelHeight, width, kPanelHeight);
    svg += "<style>text{font:12px 'Inter','Noto Sans','DejaVu Sans',sans-serif;fill:#5b6472}"
           ".axis{font-weight:600;fill:#2b323c}.title{font-size:16px;font-weight:600;fill:#1b2027}</style>\n"
           "<rect width='100%' height='100%' fill='#ffffff'/>\n";
    svg += "<text class='title' x='24' y='34'>" + escaped(title) + "</text>\n";
    for (std::size_t index = 0; index < panels.size(); ++index)
        svg += drawPanel(panels[index], kPanelWidth * static_cast<double>(index));
    return svg + "</svg>\n";
}

} // namespace trainyard::run
