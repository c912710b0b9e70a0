// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

namespace trainyard::ui {

// One line of PredictionBars: a name with the value of one model or of two; NaN: none.
struct PredictionBar {
    QString name;
    double first = 0, second = 0;
    bool marked = false; // the true class
};

// Names with their probabilities as bars, the first one emphasised; for two models, one bar below the other.
class PredictionBars : public QWidget {
    Q_OBJECT
public:
    explicit PredictionBars(QWidget* parent = nullptr);

    // `models`: one title or two. Values from 0 to 1 are `shares`; others have no bars.
    void setBars(const QList<PredictionBar>& bars, const QStringList& models, bool shares);
    const QList<PredictionBar>& bars() const { return m_bars; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool two() const { return m_models.size() > 1; }
    int head() const; // height of the titles of two models
    int lineHeight() const;
    QString valueText(double value) const;
    void paintHead(QPainter& painter) const;
    void paintLine(QPainter& painter, int line) const;

    QList<PredictionBar> m_bars;
    QStringList m_models;
    bool m_shares = true;
};

} // namespace trainyard::ui
