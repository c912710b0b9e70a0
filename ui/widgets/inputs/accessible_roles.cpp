// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/accessible_roles.h"

#include "ui/widgets/inputs/segmented_control.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <map>

namespace trainyard::ui {

namespace {

// One choice of a SegmentedControl, which is not a widget.
class SegmentAccess : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    SegmentAccess(SegmentedControl* control, int index) : m_control(control), m_index(index) {}

    bool isValid() const override { return m_index < m_control->items().size(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_control); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name ? m_control->items().value(m_index) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        const QRect inside = m_control->itemArea(m_index).toRect();
        return {m_control->mapToGlobal(inside.topLeft()), inside.size()};
    }
    QAccessible::Role role() const override { return QAccessible::RadioButton; }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.checkable = true;
        state.checked = m_control->currentIndex() == m_index;
        state.disabled = !m_control->isEnabled();
        state.invisible = !m_control->isVisible();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        if (name == pressAction() && m_control->isEnabled()) m_control->setCurrentIndex(m_index);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    SegmentedControl* m_control;
    int m_index;
};

class SegmentedAccess : public QAccessibleWidget {
public:
    explicit SegmentedAccess(SegmentedControl* control)
        : QAccessibleWidget(control, QAccessible::Grouping), m_control(control) {}
    ~SegmentedAccess() override {
        for (const auto& [index, id] : m_ids) QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return static_cast<int>(m_control->items().size()); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        auto& id = m_ids[index];
        if (id == 0) id = QAccessible::registerAccessibleInterface(new SegmentAccess(m_control, index));
        return QAccessible::accessibleInterface(id);
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        for (const auto& [index, id] : m_ids)
            if (QAccessible::accessibleInterface(id) == child) return index;
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < childCount(); ++i)
            if (child(i)->rect().contains(x, y)) return child(i);
        return nullptr;
    }
    QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Value) return m_control->items().value(m_control->currentIndex());
        return QAccessibleWidget::text(kind);
    }

private:
    SegmentedControl* m_control;
    mutable std::map<int, QAccessible::Id> m_ids;
};

class ChartAccess : public QAccessibleWidget {
public:
    explicit ChartAccess(QWidget* chart) : QAccessibleWidget(chart, QAccessible::Chart) {}
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? widget()->property("spokenValue").toString()
                                          : QAccessibleWidget::text(kind);
    }
};

QAccessibleInterface* roleOf(const QString& className, QObject* object) {
    if (className == QLatin1String("trainyard::ui::SegmentedControl"))
        return new SegmentedAccess(static_cast<SegmentedControl*>(object));
    if (className == QLatin1String("trainyard::ui::ChartWidget")) return new ChartAccess(static_cast<QWidget*>(object));
    return nullptr;
}

} // namespace

void installAccessibleRoles() {
    static const bool once = (QAccessible::installFactory(&roleOf), true);
    std::ignore = once;
}

} // namespace trainyard::ui
