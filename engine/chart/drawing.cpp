// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chart/drawing.h"

#include "engine/base/math/axis_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>

namespace trainyard::chart {
namespace {

constexpr double kLeft = 52, kRight = 14, kBottom = 42, kTitleLine = 26, kLegendLine = 17, kGap = 10;
constexpr double kMark = 18; // mark and gap before a name of the legend
constexpr std::size_t kMostLegendLines = 4, kLongestName = 34, kLongestTitle = 44;
constexpr int kTicks = 5;
constexpr std::size_t kMostMarked = 40; // points of a line that are marked: more would hide it

// An axis from its data: what it covers, and where a value stands on it, 0 to 1.
struct Scale {
    bool log = false;
    double from = 0, to = 1;
    std::vector<double> ticks{};

    bool has(double value) const { return std::isfinite(value) && (!log || value > 0); }
    double place(double value) const {
        return log ? std::log(value / from) / std::log(to / from) : (value - from) / (to - from);
    }
};

Scale scaleOf(double low, double high, bool log, bool toTicks) {
    Scale scale{.log = log && high > low, .from = low, .to = high};
    if (scale.log) {
        scale.ticks = logTickPositions(low, high, kTicks);
        if (scale.ticks.empty()) scale.ticks = linearTickPositions(low, high, kTicks);
        return scale;
    }
    const double size = std::max(std::abs(low), std::abs(high));
    if (!(high - low > size * 1e-9)) { // a constant, or its rounding
        const double pad = size > 0 ? size * 0.1 : 0.1;
        scale.from = low - pad;
        scale.to = high + pad;
    }
    const double step = niceStep((scale.to - scale.from) / kTicks);
    if (toTicks) {
        scale.from = std::floor(scale.from / step + 1e-9) * step;
        scale.to = std::ceil(scale.to / step - 1e-9) * step;
    }
    scale.ticks = multiplesIn(scale.from, scale.to, step);
    return scale;
}

struct Extent {
    double low = HUGE_VAL, high = -HUGE_VAL;
    void add(double value, bool log) {
        if (!std::isfinite(value) || (log && !(value > 0))) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return low > high; }
};

// As many digits as tell neighbouring ticks apart, and no fewer than four significant ones.
std::string tickText(double value, const std::vector<double>& ticks) {
    const double size = std::abs(value), step = ticks.size() > 1 ? std::abs(ticks[1] - ticks[0]) : size;
    int digits = 4;
    if (size > 0 && step > 0)
        digits = std::clamp(static_cast<int>(std::floor(std::log10(size)) - std::floor(std::log10(step))) + 2, 4, 15);
    const bool thousands = size >= 1e4 && size < 1e7, millions = size >= 1e7 && size < 1e10;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*g%s", digits,
                  value / (thousands  ? 1e3
                           : millions ? 1e6
                                      : 1),
                  thousands  ? "k"
                  : millions ? "M"
                             : "");
    return text.data();
}

// What stands before a name in a legend.
Shape markOf(const Line& line, const XY& at) {
    if (line.joined)
        return {
            .color = line.color, .rgb = line.rgb, .width = 2, .dashed = line.dashed, .points = {at, {at.x + 13, at.y}}};
    return {.kind = Shape::Kind::Dots, .color = line.color, .rgb = line.rgb, .width = 3, .points = {{at.x + 7, at.y}}};
}

class Plot {
public:
    Plot(const Chart& chart, double width, double height) : m_chart(chart), m_drawing{width, height, {}, {}} {}

    Drawing drawn() {
        head();
        if (!measure()) {
            words({.anchor = Words::Anchor::Middle,
                   .at = {m_drawing.width / 2, m_drawing.height / 2},
                   .text = "no finite value"});
            return std::move(m_drawing);
        }
        axes();
        for (const Line& line : m_chart.lines) area(line);
        for (const Line& line : m_chart.lines) curve(line);
        return std::move(m_drawing);
    }

private:
    void words(Words words) { m_drawing.words.push_back(std::move(words)); }
    void shape(Shape shape) {
        if (!shape.points.empty()) m_drawing.shapes.push_back(std::move(shape));
    }
    double right() const { return m_drawing.width - kRight; }
    double bottom() const { return m_drawing.height - kBottom; }
    XY at(double x, double y) const {
        return {kLeft + m_x.place(x) * (right() - kLeft), bottom() - m_y.place(y) * (bottom() - m_top)};
    }

    void head() {
        words({.face = Words::Face::Title,
               .ink = Ink::Text,
               .at = {0, kTitleSize},
               .text = elided(m_chart.title, kLongestTitle)});
        if (!m_chart.note.empty())
            words({.anchor = Words::Anchor::End, .at = {right(), kTitleSize}, .text = m_chart.note});
        double x = 0, y = kTitleLine;
        std::size_t lines = 0, left = 0;
        for (const Line& line : m_chart.lines) {
            if (line.label.empty()) continue;
            const std::string name = elided(line.label, kLongestName);
            const double advance = kMark + widthOf(name, Words::Face::Small) + kGap;
            if (lines == 0) lines = 1;
            if (x > 0 && x + advance > right()) {
                if (++lines > kMostLegendLines) {
                    ++left;
                    continue;
                }
                x = 0;
                y += kLegendLine;
            }
            if (lines > kMostLegendLines) {
                ++left;
                continue;
            }
            mark(line, {x, y + kSmallSize - 4});
            words({.ink = Ink::Text, .at = {x + kMark, y + kSmallSize}, .text = name});
            x += advance;
        }
        m_top = kTitleLine + kLegendLine * static_cast<double>(std::min(lines, kMostLegendLines)) + kGap;
        if (left > 0) {
            words({.at = {0, m_top}, .text = "and " + std::to_string(left) + " more"});
            m_top += kLegendLine;
        }
    }

    void mark(const Line& line, const XY& at) { shape(markOf(line, at)); }

    bool measure() {
        Extent x, y;
        for (const Line& line : m_chart.lines) {
            for (const XY& point : line.points) {
                if (!std::isfinite(point.y)) continue;
                x.add(point.x, m_chart.x.log);
                y.add(point.y, m_chart.y.log);
            }
            for (const Range& range : line.band) {
                y.add(range.low, m_chart.y.log);
                y.add(range.high, m_chart.y.log);
            }
        }
        if (x.empty() || y.empty()) return false;
        m_x = scaleOf(x.low, x.high, m_chart.x.log, false);
        m_y = scaleOf(y.low, y.high, m_chart.y.log, true);
        return true;
    }

    void axes() {
        for (const double tick : m_y.ticks) {
            const double y = at(m_x.from, tick).y;
            shape({.ink = Ink::Grid, .points = {{kLeft, y}, {right(), y}}});
            words({.anchor = Words::Anchor::End, .at = {kLeft - 7, y + 4}, .text = tickText(tick, m_y.ticks)});
        }
        shape({.ink = Ink::Axis, .points = {{kLeft, bottom()}, {right(), bottom()}}});
        for (const double tick : m_x.ticks) {
            const double x = at(tick, m_y.from).x;
            shape({.ink = Ink::Axis, .points = {{x, bottom()}, {x, bottom() + 4}}});
            words({.anchor = Words::Anchor::Middle, .at = {x, bottom() + 17}, .text = tickText(tick, m_x.ticks)});
        }
        words({.anchor = Words::Anchor::Middle,
               .at = {(kLeft + right()) / 2, m_drawing.height - 8},
               .text = m_chart.x.title});
    }

    void area(const Line& line) {
        Shape band{.kind = Shape::Kind::Area, .color = line.color, .rgb = line.rgb, .opacity = 0.2};
        for (const Range& range : line.band)
            if (m_x.has(range.x) && m_y.has(range.high)) band.points.push_back(at(range.x, range.high));
        for (auto range = line.band.rbegin(); range != line.band.rend(); ++range)
            if (m_x.has(range->x) && m_y.has(range->low)) band.points.push_back(at(range->x, range->low));
        shape(std::move(band));
    }

    void curve(const Line& line) {
        const double opacity = line.faint ? 0.4 : 1;
        const bool marked = line.joined && !line.faint && line.points.size() <= kMostMarked;
        Shape part{.color = line.color,
                   .rgb = line.rgb,
                   .width = line.faint ? 1 : 1.8,
                   .opacity = opacity,
                   .dashed = line.dashed};
        Shape dots{.kind = Shape::Kind::Dots,
                   .color = line.color,
                   .rgb = line.rgb,
                   .width = marked ? 2.5 : 3,
                   .opacity = opacity};
        const auto end = [&] {
            if (marked || part.points.size() == 1)
                dots.points.insert(dots.points.end(), part.points.begin(), part.points.end());
            if (part.points.size() > 1) shape(part);
            part.points.clear();
        };
        for (const XY& point : line.points) {
            const bool has = m_x.has(point.x) && m_y.has(point.y);
            if (has && line.joined) part.points.push_back(at(point.x, point.y));
            else if (has) dots.points.push_back(at(point.x, point.y));
            else end();
        }
        if (line.joined) end();
        shape(std::move(dots));
    }

    const Chart& m_chart;
    Drawing m_drawing;
    Scale m_x{}, m_y{};
    double m_top = kTitleLine;
};

bool startsLetter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

} // namespace

double widthOf(std::string_view text, Words::Face face) {
    const auto letters = static_cast<double>(std::count_if(text.begin(), text.end(), startsLetter));
    return letters * (face == Words::Face::Title ? kTitleSize : kSmallSize) * 0.58;
}

std::string elided(std::string_view text, std::size_t most) {
    std::size_t letters = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
        if (startsLetter(text[at]) && ++letters > most) {
            // One fewer, for the sign in its place.
            std::size_t cut = at;
            while (cut > 0 && !startsLetter(text[--cut])) {}
            return std::string(text.substr(0, cut)) + "…";
        }
    return std::string(text);
}

Drawing drawLegend(std::span<const Line> lines, double width) {
    Drawing drawing{width, lines.empty() ? 0 : kLegendLine, {}, {}};
    double x = 0, y = 0;
    for (const Line& line : lines) {
        const std::string name = elided(line.label, kLongestName);
        const double advance = kMark + widthOf(name, Words::Face::Small) + kGap;
        if (x > 0 && x + advance > width) {
            x = 0;
            y += kLegendLine;
            drawing.height += kLegendLine;
        }
        drawing.shapes.push_back(markOf(line, {x, y + kSmallSize - 4}));
        drawing.words.push_back({.ink = Ink::Text, .at = {x + kMark, y + kSmallSize}, .text = name});
        x += advance;
    }
    return drawing;
}

Drawing draw(const Chart& chart, double width, double height) { return Plot(chart, width, height).drawn(); }

} // namespace trainyard::chart
