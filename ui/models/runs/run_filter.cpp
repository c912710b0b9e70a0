// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_filter.h"

#include "ui/models/text/format.h"

#include <cmath>
#include <limits>
#include <map>

namespace trainyard::ui {

namespace {

std::u16string_view view16(const QString& text) {
    const QStringView view(text);
    return {view.utf16(), static_cast<std::size_t>(view.size())};
}

// A run of the window, as a filter queries it.
class ItemFacts : public run::RunFacts {
public:
    explicit ItemFacts(const RunItem& item) : m_item(item) {}

    const store::RunRow& row() const override { return m_item.row; }
    int workers() const override { return m_item.workers; }
    void settings(const run::FilterName& name, const Visit& visit) const override {
        for (const auto& [path, value] : m_item.settings)
            if (run::isNamed(view16(path), name)) visit(value.toStdString());
    }
    void words(const Visit& visit) const override {
        visit(m_item.model.toStdString());
        visit(m_item.dataset.toStdString());
    }
    const store::SeriesSummary* series(std::string_view name) const override { return m_item.find(name); }
    run::Score score() const override { return m_item.score(); }

private:
    const RunItem& m_item;
};

QString told(const std::optional<run::FilterProblem>& problem) {
    if (!problem) return {};
    const QString message = QString::fromStdString(problem->message), remedy = QString::fromStdString(problem->remedy);
    return sentence(remedy.isEmpty() ? message : message + QStringLiteral("; ") + remedy);
}

// A setting as the filter finds it: a number of many digits rounded to four, all of them written.
QString filterText(const QString& setting) {
    constexpr qsizetype kMany = 8; // characters
    bool isNumber = false;
    const double number = setting.toDouble(&isNumber);
    const bool isWhole = !setting.contains(QLatin1Char('.'));
    if (!isNumber || isWhole || setting.size() <= kMany) return setting;
    const double size = std::abs(number);
    if (size < 1e-4 || size >= 1000) return QString::number(number, 'e', 3);
    return QString::number(number, 'f', 3 - static_cast<int>(std::floor(std::log10(size))));
}

} // namespace

QString RunFilter::error() const { return told(m_filter.problem()); }

QString RunFilter::unknownName(const run::FilterNames& names) const { return told(m_filter.unknownName(names)); }

bool RunFilter::matches(const RunItem& run) const { return m_filter.empty() || m_filter.matches(ItemFacts(run)); }

std::vector<std::string> settingValues(const QHash<QString, RunItemPtr>& runs, const run::FilterName& name) {
    constexpr std::size_t kMostValues = 12;
    std::map<std::pair<double, QString>, std::string> sorted;
    for (const RunItemPtr& run : runs) {
        for (const auto& [path, setting] : run->settings) {
            if (setting.isEmpty() || !run::isNamed(view16(path), name)) continue;
            const QString value = filterText(setting);
            bool isNumber = false;
            const double number = value.toDouble(&isNumber);
            const double place = isNumber ? number : std::numeric_limits<double>::infinity();
            if (!value.contains(QLatin1Char(' '))) sorted.try_emplace({place, value}, value.toStdString());
        }
    }
    std::vector<std::string> values;
    for (auto& [place, value] : sorted)
        if (values.size() < kMostValues) values.push_back(std::move(value));
    return values;
}

void RunNames::add(const RunItem& run) {
    for (const auto& [path, value] : run.settings) {
        const auto known = m_seen.size();
        m_seen.insert(path.constData());
        if (m_seen.size() != known) m_names.settings.insert(path.toStdString());
    }
    for (const auto& summary : run.series) m_names.series.insert(summary.series);
    for (const QString& tag : run.tags) m_names.tags.insert(tag.toStdString());
}

} // namespace trainyard::ui
