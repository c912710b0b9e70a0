// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/sweep/earlier_sweeps.h"

#include "ui/widgets/layout.h"

#include <QComboBox>
#include <QSpinBox>

namespace trainyard::ui {

namespace {

constexpr int kMostOfOne = 1000; // the sweep file's limit

} // namespace

EarlierSweeps::EarlierSweeps(QWidget* parent)
    : QWidget(parent), m_lines(column(nullptr, 4)),
      m_add(button(tr("Add an earlier sweep"), QStringLiteral("plus"), "flat")),
      m_error(new Label(QString(), TextRole::SmallError)) {
    auto* layout = column(this);
    m_error->setWordWrap(true);
    m_error->hide();
    layout->addLayout(m_lines);
    layout->addWidget(m_error);
    layout->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QPushButton::clicked, this, [this] {
        m_starts.push_back({.sweep = m_offered.first().toStdString()});
        showLines();
        Q_EMIT changed();
    });
    setOffered({});
}

void EarlierSweeps::setOffered(const QStringList& sweeps) {
    if (sweeps == m_offered && !sweeps.isEmpty()) return; // an open list stays open
    m_offered = sweeps;
    m_add->setEnabled(!sweeps.isEmpty());
    m_add->setToolTip(sweeps.isEmpty() ? tr("This workspace has no earlier sweep")
                                       : tr("Tries the best configurations of an earlier sweep first; a searcher that "
                                            "learns also uses its results"));
    showLines();
}

void EarlierSweeps::setStarts(std::vector<spec::WarmStart> starts) {
    m_starts = std::move(starts);
    showLines();
}

void EarlierSweeps::setError(const QString& message) {
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
}

void EarlierSweeps::showLines() {
    while (auto* item = m_lines->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (std::size_t i = 0; i < m_starts.size(); ++i) m_lines->addWidget(lineOf(i));
}

QWidget* EarlierSweeps::lineOf(std::size_t number) {
    const spec::WarmStart& start = m_starts[number];
    auto* holder = new QWidget;
    auto* line = row(holder, 8);
    auto* sweep = new QComboBox;
    sweep->setAccessibleName(tr("Earlier sweep %1").arg(number + 1));
    sweep->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    sweep->addItems(m_offered);
    const QString word = QString::fromStdString(start.sweep);
    if (!m_offered.contains(word)) sweep->addItem(word); // named by a file
    sweep->setCurrentText(word);
    auto* best = new QSpinBox;
    best->setRange(0, kMostOfOne);
    best->setPrefix(tr("best "));
    best->setValue(start.best);
    best->setAccessibleName(tr("Best configurations of earlier sweep %1").arg(number + 1));
    best->setToolTip(tr("How many of its best configurations to try first"));
    auto* drop = iconButton(QStringLiteral("close"), tr("Remove earlier sweep %1").arg(number + 1));
    line->addWidget(sweep, 1);
    line->addWidget(best);
    line->addWidget(drop);
    connect(sweep, &QComboBox::currentTextChanged, this, [this, number](const QString& text) {
        m_starts[number] = {.sweep = text.toStdString(), .best = m_starts[number].best}; // drops its results
        Q_EMIT changed();
    });
    connect(best, &QSpinBox::valueChanged, this, [this, number](int count) {
        m_starts[number].best = count;
        Q_EMIT changed();
    });
    connect(drop, &QToolButton::clicked, this, [this, number] {
        m_starts.erase(m_starts.begin() + static_cast<std::ptrdiff_t>(number));
        showLines();
        Q_EMIT changed();
    });
    return holder;
}

} // namespace trainyard::ui
