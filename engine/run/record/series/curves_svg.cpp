// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series/curves_svg.h"

#include "engine/base/text/quoted.h"
#include "engine/chart/reduce.h"
#include "engine/chart/svg.h"

#include <algorithm>
#include <array>

namespace trainyard::run {
namespace {

constexpr int kPanelWidth = 520, kPanelHeight = 324, kPanelTop = 56, kPanelLeft = 24;
constexpr std::size_t kMaxPoints = 300; // per line: the mean of its neighbours stands for each

constexpr const char* kStyle =
    "<style>text{font:11px 'Inter','Noto Sans','DejaVu Sans',sans-serif;fill:#5b6472}text.t{fill:#1b2027}"
    "text.h{font-size:13px;font-weight:600}.title{font-size:16px;font-weight:600;fill:#1b2027}"
    "path{fill:none;stroke-linejoin:round}path.g{stroke:#e6e9ee}path.a{stroke:#9aa3af}"
    "path.s0{stroke:#1f5fbf}path.s1{stroke:#e0a458}.s0.f{fill:#1f5fbf;stroke:none}.s1.f{fill:#e0a458;stroke:none}"
    "</style>\n<rect width='100%' height='100%' fill='#ffffff'/>\n";

chart::Chart panelOf(const std::string& measure, const std::map<std::string, std::vector<wire::Point>>& series) {
    constexpr std::array<std::pair<const char*, const char*>, 2> kKinds{
        {{"val/", "validation"}, {"train/", "training"}}};
    chart::Chart panel{.title = measure, .x = {"epoch"}};
    for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
        const auto found = series.find(kKinds[kind].first + measure);
        if (found == series.end()) continue;
        std::vector<chart::XY> points;
        for (const auto& point : found->second) points.push_back({point.epoch, point.value});
        chart::Line line = chart::lineOf(chart::reduce(points, kMaxPoints), false);
        line.label = kKinds[kind].second;
        line.color = static_cast<int>(kind);
        if (!line.points.empty()) panel.lines.push_back(std::move(line));
    }
    return panel;
}

} // namespace

std::string curvesSvg(const std::string& title, const std::map<std::string, std::vector<wire::Point>>& series) {
    std::vector<chart::Chart> panels;
    for (const char* measure : {"loss", "accuracy"})
        if (auto panel = panelOf(measure, series); !panel.lines.empty()) panels.push_back(std::move(panel));
    const int across =
        kPanelLeft + (kPanelWidth + kPanelLeft) * static_cast<int>(std::max<std::size_t>(1, panels.size()));
    const std::string width = std::to_string(across), height = std::to_string(kPanelTop + kPanelHeight);
    std::string svg = "<svg xmlns='http://www.w3.org/2000/svg' width='" + width + "' height='" + height +
                      "' viewBox='0 0 " + width + " " + height + "'>\n" + kStyle +
                      "<text class='title' x='24' y='34'>" + markupText(title) + "</text>\n";
    for (std::size_t at = 0; at < panels.size(); ++at) {
        const int left = kPanelLeft + (kPanelWidth + kPanelLeft) * static_cast<int>(at);
        svg += "<g transform='translate(" + std::to_string(left) + " " + std::to_string(kPanelTop) + ")'>\n" +
               chart::toSvg(chart::draw(panels[at], kPanelWidth, kPanelHeight), panels[at].title) + "</g>\n";
    }
    return svg + "</svg>\n";
}

} // namespace trainyard::run
