// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QAbstractButton>

#include <array>

namespace trainyard::ui {

// One block of the inspector: heading, note, and a body under a 1-px line.
class InspectorSection : public Surface {
    Q_OBJECT
public:
    explicit InspectorSection(const QString& title, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setNote(const QString& note);
    QVBoxLayout* body() const { return m_body; }
    QHBoxLayout* header() const { return m_header; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitHeading();

    QString m_heading;
    Label* m_title;
    Label* m_note;
    QHBoxLayout* m_header;
    QVBoxLayout* m_body;
};

// The ranks of a run: device, throughput, and the parts of a step's time.
class WorkerList : public QWidget {
    Q_OBJECT
public:
    explicit WorkerList(QWidget* parent = nullptr);
    void setWorkers(const std::vector<wire::WorkerState>& workers);
    // Whether their ranks report devices and the parts of their time: those of a program do not. On at first.
    void setMeasured(bool on);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int rowHeight() const;
    // The legend of the bars, with means over the ranks.
    void paintLegend(QPainter& painter, qreal y, const std::array<double, 3>& mean) const;
    std::vector<wire::WorkerState> m_workers;
    bool m_isMeasured = true;
    bool m_hasLegend = false; // a rank has reported the parts of its time
};

// One checkpoint as a row; a click opens its menu.
class CheckpointRowButton : public QAbstractButton {
    Q_OBJECT
public:
    CheckpointRowButton(const store::CheckpointRow& row, const QString& scoreSeries, QWidget* parent = nullptr);
    void setHome(const Residence& home); // home of its run: its file may be on another host
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    store::CheckpointRow m_row;
    QString m_score;
    bool m_fetched = false;
};

// The differences from another run: name, before, after.
class DifferenceList : public QWidget {
    Q_OBJECT
public:
    explicit DifferenceList(QWidget* parent = nullptr);
    // `titles`: the titles of the settings, one each.
    void setDifferences(const QList<Difference>& differences, const QStringList& titles);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static constexpr int kMost = 8;
    QList<Difference> m_differences;
    QStringList m_titles;
};

} // namespace trainyard::ui
