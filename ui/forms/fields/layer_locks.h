// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/new_run/preview.h"

#include <QWidget>

class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace trainyard::ui {

class Label;

// The parts of a model in their order, each with a padlock: closed ones are not trained.
class LayerLocks : public QWidget {
    Q_OBJECT
public:
    explicit LayerLocks(QWidget* parent = nullptr);

    void setBlocks(const QList<Preview::Block>& blocks);
    const QList<Preview::Block>& blocks() const { return m_blocks; }
    QList<QToolButton*> locks() const { return m_locks; }

Q_SIGNALS:
    void toggled(const QString& block, bool frozen);

private:
    void build();
    void press(qsizetype index);
    void showStates();

    QList<Preview::Block> m_blocks;
    QList<QToolButton*> m_locks;
    Label* m_summary;
    QScrollArea* m_area;
    QWidget* m_list;
};

} // namespace trainyard::ui
