// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/fields/layer_locks.h"

#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/widgets/layout.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kRow = 24;          // design pixels
constexpr int kRowsInView = 7;    // the last is cut, to show that there are more
constexpr qsizetype kMost = 1000; // parts of a model

} // namespace

LayerLocks::LayerLocks(QWidget* parent) : QWidget(parent), m_summary(new Label(QString(), TextRole::SmallTertiary)) {
    auto* layout = column(this, 2);
    m_list = new QWidget;
    m_list->setAutoFillBackground(false);
    column(m_list);
    m_area = scrolled(m_list, tr("Layers"));
    m_area->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_area);
    m_summary->setWordWrap(true);
    layout->addWidget(m_summary);
}

void LayerLocks::setBlocks(const QList<Preview::Block>& blocks) {
    const auto some = blocks.mid(0, kMost);
    const bool isSame =
        std::equal(some.begin(), some.end(), m_blocks.begin(), m_blocks.end(),
                   [](const auto& a, const auto& b) { return a.name == b.name && a.parameters == b.parameters; });
    m_blocks = some;
    if (!isSame) build();
    showStates();
}

void LayerLocks::build() {
    const Theme& theme = Theme::current();
    m_locks.clear();
    while (auto* item = m_list->layout()->takeAt(0)) {
        if (auto* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    for (qsizetype i = 0; i < m_blocks.size(); ++i) {
        auto* holder = new QWidget;
        holder->setFixedHeight(theme.px(kRow));
        auto* line = row(holder, 6);
        auto* lock = new QToolButton;
        lock->setAutoRaise(true);
        lock->setCheckable(true);
        lock->setFixedSize(theme.px(22), theme.px(22));
        connect(lock, &QToolButton::clicked, this, [this, i] { press(i); });
        auto* name = new NumberLabel(TextRole::Mono); // elided, so that no name widens the form
        name->setAlignment(Qt::AlignLeft);
        name->setText(m_blocks[i].name);
        name->setToolTip(m_blocks[i].name);
        auto* count = new NumberLabel(TextRole::SmallSecondary);
        count->setText(countText(static_cast<double>(m_blocks[i].parameters)));
        line->addWidget(lock);
        line->addWidget(name, 1);
        line->addWidget(count);
        line->addSpacing(theme.px(12)); // the scroll bar's
        m_list->layout()->addWidget(holder);
        m_locks << lock;
    }
    const double rows = m_blocks.size() < kRowsInView ? static_cast<double>(m_blocks.size()) : kRowsInView - 0.5;
    m_area->setFixedHeight(theme.px(static_cast<int>(rows * kRow)));
}

// Shown at once; the worker's answer follows.
void LayerLocks::press(qsizetype index) {
    auto& block = m_blocks[index];
    const bool frozen = !block.isFrozen();
    block.frozen = frozen ? block.parameters : 0;
    showStates();
    Q_EMIT toggled(block.name, frozen);
}

void LayerLocks::showStates() {
    std::int64_t all = 0, frozen = 0;
    for (qsizetype i = 0; i < m_blocks.size(); ++i) {
        const auto& block = m_blocks[i];
        all += block.parameters;
        frozen += block.frozen;
        auto* lock = m_locks[i];
        lock->setChecked(block.isFrozen());
        lock->setIcon(icon(block.isFrozen() ? QStringLiteral("lock") : QStringLiteral("lock-open")));
        const QString state = block.isFrozen()   ? tr("%1 is frozen; train it").arg(block.name)
                              : block.isPartly() ? tr("%1 is frozen in part; freeze it").arg(block.name)
                                                 : tr("%1 is trained; freeze it").arg(block.name);
        lock->setToolTip(state);
        lock->setAccessibleName(state);
    }
    m_summary->setText(tr("%1 of %2 parameters are trained")
                           .arg(countText(static_cast<double>(all - frozen)), countText(static_cast<double>(all))));
}

} // namespace trainyard::ui
