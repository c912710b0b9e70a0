// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_spec.h"

#include <QPushButton>
#include <QStringList>

class QVBoxLayout;

namespace trainyard::ui {

class Label;

// The earlier sweeps of a warm start ("warmStart" of the sweep file): a line for each, with the number of its best
// configurations to try first.
class EarlierSweeps : public QWidget {
    Q_OBJECT
public:
    explicit EarlierSweeps(QWidget* parent = nullptr);

    // The sweeps of the workspace, by their names in a sweep file.
    void setOffered(const QStringList& sweeps);
    void setStarts(std::vector<spec::WarmStart> starts);
    const std::vector<spec::WarmStart>& starts() const { return m_starts; }
    void setError(const QString& message); // empty: none

Q_SIGNALS:
    void changed();

private:
    void showLines();
    QWidget* lineOf(std::size_t number);

    QStringList m_offered;
    std::vector<spec::WarmStart> m_starts;
    QVBoxLayout* m_lines;
    QPushButton* m_add;
    Label* m_error;
};

} // namespace trainyard::ui
