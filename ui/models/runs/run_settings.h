// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <algorithm>
#include <utility>
#include <vector>

namespace trainyard::ui {

// The fields of a run file, sorted by path, in one piece of memory: filters scan those of thousands of runs, and the
// nodes of a map would make that three times slower.
class RunSettings {
public:
    using Setting = std::pair<QString, QString>; // "model.params.dropout", "0.1"

    RunSettings() = default;
    // Of settings in any order, each path once.
    explicit RunSettings(std::vector<Setting> settings) : m_settings(std::move(settings)) {
        std::sort(m_settings.begin(), m_settings.end());
    }

    bool contains(const QString& path) const { return find(path) != end(); }
    QString value(const QString& path, const QString& otherwise = {}) const {
        const auto at = find(path);
        return at != end() ? at->second : otherwise;
    }
    std::vector<Setting>::const_iterator begin() const { return m_settings.begin(); }
    std::vector<Setting>::const_iterator end() const { return m_settings.end(); }

private:
    std::vector<Setting>::const_iterator find(const QString& path) const {
        const auto at = std::lower_bound(
            begin(), end(), path, [](const Setting& setting, const QString& wanted) { return setting.first < wanted; });
        return at != end() && at->first == path ? at : end();
    }

    std::vector<Setting> m_settings;
};

} // namespace trainyard::ui
