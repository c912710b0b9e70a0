// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chart/svg.h"

#include "engine/base/text/quoted.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace trainyard::chart {
namespace {

// A tenth of a pixel is as exact as an eye; without a tail of zeros.
std::string pixels(double value) {
    std::array<char, 32> text{};
    const double tenths = std::round(value * 10) / 10 + 0.0; // no "-0"
    const int length = std::snprintf(text.data(), text.size(), tenths == std::floor(tenths) ? "%.0f" : "%.1f", tenths);
    return {text.data(), static_cast<std::size_t>(length)};
}

std::string classOf(Ink ink, int color) {
    switch (ink) {
    case Ink::Text: return "t";
    case Ink::Muted: return "m";
    case Ink::Grid: return "g";
    case Ink::Axis: return "a";
    case Ink::Curve: return "s" + std::to_string(color % kCurveInks);
    }
    return {};
}

std::string pathOf(const Shape& shape) {
    std::string path;
    for (const XY& point : shape.points) path += (path.empty() ? "M" : "L") + pixels(point.x) + " " + pixels(point.y);
    return shape.kind == Shape::Kind::Area ? path + "Z" : path;
}

std::string svgOf(const Shape& shape) {
    std::string inks = " class='" + classOf(shape.ink, shape.color) + (shape.kind == Shape::Kind::Line ? "'" : " f'");
    if (!shape.rgb.empty())
        inks += std::string(" style='") + (shape.kind == Shape::Kind::Line ? "stroke:" : "fill:") + shape.rgb + "'";
    if (shape.opacity < 1) inks += " opacity='" + pixels(shape.opacity) + "'";
    if (shape.kind == Shape::Kind::Dots) {
        std::string dots = "<g" + inks + ">";
        for (const XY& point : shape.points)
            dots +=
                "<circle cx='" + pixels(point.x) + "' cy='" + pixels(point.y) + "' r='" + pixels(shape.width) + "'/>";
        return dots + "</g>\n";
    }
    if (shape.kind == Shape::Kind::Line) inks += " stroke-width='" + pixels(shape.width) + "'";
    if (shape.dashed) inks += " stroke-dasharray='5 3'";
    return "<path" + inks + " d='" + pathOf(shape) + "'/>\n";
}

std::string svgOf(const Words& words) {
    const char* anchor = words.anchor == Words::Anchor::Middle ? " text-anchor='middle'"
                         : words.anchor == Words::Anchor::End  ? " text-anchor='end'"
                                                               : "";
    return "<text class='" + classOf(words.ink, 0) + (words.face == Words::Face::Title ? " h" : "") + "' x='" +
           pixels(words.at.x) + "' y='" + pixels(words.at.y) + "'" + anchor + ">" + markupText(words.text) +
           "</text>\n";
}

} // namespace

std::string toSvg(const Drawing& drawing, const std::string& label) {
    const std::string width = pixels(drawing.width), height = pixels(drawing.height);
    std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' width='" + width + "' height='" + height +
                      "' viewBox='0 0 " + width + " " + height + "' role='img' aria-label='" + markupText(label) +
                      "'>\n";
    for (const Shape& shape : drawing.shapes) svg += svgOf(shape);
    for (const Words& words : drawing.words) svg += svgOf(words);
    return svg + "</svg>\n";
}

} // namespace trainyard::chart
