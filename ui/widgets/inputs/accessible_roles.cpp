// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/inputs/accessible_roles.h"

#include "ui/widgets/inputs/segmented_control.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QKeySequenceEdit>
#include <QSlider>
#include <QTabBar>

#include <functional>
#include <map>
#include <numeric>

namespace trainyard::ui {

namespace {

// The choices of a widget that paints them itself.
struct Choices {
    QWidget* widget;
    QAccessible::Role role; // of each: a radio button or a tab
    std::function<int()> count;
    std::function<QString(int)> text;
    std::function<QRect(int)> area;
    std::function<int()> current;
    std::function<void(int)> choose;
};

Choices choicesOf(SegmentedControl* control) {
    return {control,
            QAccessible::RadioButton,
            [control] { return static_cast<int>(control->items().size()); },
            [control](int index) { return control->items().value(index); },
            [control](int index) { return control->itemArea(index).toRect(); },
            [control] { return control->currentIndex(); },
            [control](int index) { control->setCurrentIndex(index); }};
}

// Qt's own says of every tab that it has the focus, and of none that it is the chosen one.
Choices choicesOf(QTabBar* tabs) {
    return {tabs,
            QAccessible::PageTab,
            [tabs] { return tabs->count(); },
            [tabs](int index) { return tabs->tabText(index).remove(QLatin1Char('&')); },
            [tabs](int index) { return tabs->tabRect(index); },
            [tabs] { return tabs->currentIndex(); },
            [tabs](int index) { tabs->setCurrentIndex(index); }};
}

// One of them, which is not a widget.
class ChoiceAccess : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    ChoiceAccess(const Choices& choices, int index) : m_choices(choices), m_index(index) {}

    bool isValid() const override { return m_index < m_choices.count(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_choices.widget); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Name ? m_choices.text(m_index) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override {
        const QRect inside = m_choices.area(m_index);
        return {m_choices.widget->mapToGlobal(inside.topLeft()), inside.size()};
    }
    QAccessible::Role role() const override { return m_choices.role; }
    QAccessible::State state() const override {
        const bool isCurrent = m_choices.current() == m_index, isTab = m_choices.role == QAccessible::PageTab;
        QAccessible::State state;
        state.checkable = !isTab;
        state.checked = !isTab && isCurrent;
        state.selectable = isTab;
        state.selected = isTab && isCurrent;
        state.focusable = isTab;
        state.focused = isTab && isCurrent && m_choices.widget->hasFocus();
        state.disabled = !m_choices.widget->isEnabled();
        state.invisible = !m_choices.widget->isVisible();
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString& name) override {
        if (name == pressAction() && m_choices.widget->isEnabled()) m_choices.choose(m_index);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    const Choices& m_choices; // its parent's
    int m_index;
};

class ChoicesAccess : public QAccessibleWidget {
public:
    ChoicesAccess(Choices choices, QAccessible::Role role)
        : QAccessibleWidget(choices.widget, role), m_choices(std::move(choices)) {}
    ~ChoicesAccess() override {
        for (const auto& [index, id] : m_ids) QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return m_choices.count(); }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        auto& id = m_ids[index];
        if (id == 0) id = QAccessible::registerAccessibleInterface(new ChoiceAccess(m_choices, index));
        return QAccessible::accessibleInterface(id);
    }
    QAccessibleInterface* focusChild() const override {
        return m_choices.role == QAccessible::PageTab && m_choices.widget->hasFocus() ? child(m_choices.current())
                                                                                      : nullptr;
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
        if (kind == QAccessible::Value) return m_choices.text(m_choices.current());
        return QAccessibleWidget::text(kind);
    }

private:
    Choices m_choices;
    mutable std::map<int, QAccessible::Id> m_ids;
};

// A slider whose positions stand for other numbers: its properties "number", "largest" and, as the window writes it,
// "shown".
class SliderAccess : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit SliderAccess(QSlider* slider) : QAccessibleWidget(slider, QAccessible::Slider), m_slider(slider) {}
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? property("shown", m_slider->value()).toString()
                                          : QAccessibleWidget::text(kind);
    }
    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QVariant currentValue() const override { return property("number", m_slider->value()); }
    void setCurrentValue(const QVariant& value) override { // the first position that stands for no less
        int low = m_slider->minimum(), high = m_slider->maximum();
        while (low < high) {
            const int middle = std::midpoint(low, high);
            m_slider->setValue(middle);
            if (currentValue().toDouble() < value.toDouble()) low = middle + 1;
            else high = middle;
        }
        m_slider->setValue(low);
    }
    QVariant maximumValue() const override { return property("largest", m_slider->maximum()); }
    QVariant minimumValue() const override { return m_slider->minimum(); }
    QVariant minimumStepSize() const override { return 0; } // differs from place to place

private:
    QVariant property(const char* name, int otherwise) const {
        const QVariant known = m_slider->property(name);
        return known.isValid() ? known : QVariant(otherwise);
    }

    QSlider* m_slider;
};

class ChartAccess : public QAccessibleWidget {
public:
    explicit ChartAccess(QWidget* chart) : QAccessibleWidget(chart, QAccessible::Chart) {}
    QString text(QAccessible::Text kind) const override {
        if (kind == QAccessible::Value) return widget()->property("spokenValue").toString();
        if (kind == QAccessible::Description) return widget()->property("spokenSummary").toString();
        return QAccessibleWidget::text(kind);
    }
};

class KeysAccess : public QAccessibleWidget {
public:
    explicit KeysAccess(QKeySequenceEdit* edit) : QAccessibleWidget(edit, QAccessible::EditableText), m_edit(edit) {}
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? m_edit->keySequence().toString(QKeySequence::NativeText)
                                          : QAccessibleWidget::text(kind);
    }

private:
    QKeySequenceEdit* m_edit;
};

QAccessibleInterface* roleOf(const QString& className, QObject* object) {
    if (className == QLatin1String("trainyard::ui::SegmentedControl"))
        return new ChoicesAccess(choicesOf(static_cast<SegmentedControl*>(object)), QAccessible::Grouping);
    if (className == QLatin1String("QTabBar"))
        return new ChoicesAccess(choicesOf(static_cast<QTabBar*>(object)), QAccessible::PageTabList);
    if (className == QLatin1String("QSlider")) return new SliderAccess(static_cast<QSlider*>(object));
    if (className == QLatin1String("QKeySequenceEdit")) return new KeysAccess(static_cast<QKeySequenceEdit*>(object));
    if (className == QLatin1String("trainyard::ui::ChartWidget") ||
        className == QLatin1String("trainyard::ui::OverviewStrip"))
        return new ChartAccess(static_cast<QWidget*>(object));
    // Qt calls what scrolls, and any other widget without a kind of its own, a client: nothing that a reader could say.
    const bool isPlain = className == QLatin1String("QScrollArea") || className == QLatin1String("QWidget");
    if (auto* widget = isPlain ? qobject_cast<QWidget*>(object) : nullptr;
        widget && (widget->focusPolicy() & Qt::TabFocus))
        return new QAccessibleWidget(widget, QAccessible::Pane);
    return nullptr;
}

} // namespace

void installAccessibleRoles() {
    static const bool once = (QAccessible::installFactory(&roleOf), true);
    std::ignore = once;
}

} // namespace trainyard::ui
