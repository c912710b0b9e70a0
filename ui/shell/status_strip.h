// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/widgets/layout.h"

#include <QAbstractButton>
#include <QElapsedTimer>

#include <optional>

namespace trainyard::ui {

// A segment of the status bar: icon, text and perhaps a bar; a click opens its source.
class StatusSegment : public QAbstractButton {
    Q_OBJECT
public:
    StatusSegment(const QString& iconName, bool withBar, QWidget* parent = nullptr);
    void setContent(const QString& words, double share = -1, const QColor& barColor = {});
    void setIconName(const QString& iconName);
    void setChip(const QColor& color);               // a run's chip instead of the icon; an invalid colour: none
    void setAlarming(bool on);                       // in the colour of errors
    void setSeparated(bool on) { m_separated = on; } // a line at the left
    // Text wider than `width` pixels ends in "…", and the tooltip has all of it. 0: no limit.
    void setMostWidth(int width);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_icon, m_words;
    bool m_withBar;
    bool m_separated = false, m_alarming = false;
    int wordsWidth() const;

    int m_mostWidth = 0;
    double m_share = 0;
    QColor m_barColor, m_chip;
};

class BackgroundJob;
class LoadSegments;

// The status bar: runs, load of this computer, the running export, and the last event.
class StatusStrip : public Surface {
    Q_OBJECT
public:
    explicit StatusStrip(Workbench& bench, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    // A message, with its colour and time.
    struct Event {
        QString text{};
        QColor color{};
        std::optional<RunColor> run{}; // instead: the colour of its curve in the current theme
        bool passes = false;           // it is of use for a moment only, unlike the end of a run
        QString ended{};               // the run whose end it tells
        QElapsedTimer age{};
    };
    void say(Event event);
    void sayOfRun(const RunItem& run, const QString& word, const QString& ended);
    void showRuns();
    void fit();
    void showLoad();
    void showLastEvent();
    void follow(BackgroundJob* job);
    void showJob();

    Workbench& m_bench;
    StatusSegment *m_runs, *m_failed, *m_job, *m_said;
    LoadSegments* m_load;
    QList<BackgroundJob*> m_jobs; // running jobs; a click cancels the newest
    Event m_event, m_before;      // the one before a passing one comes back after it
};

} // namespace trainyard::ui
