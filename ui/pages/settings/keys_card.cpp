// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings/keys_card.h"

#include "ui/actions/key_bindings.h"
#include "ui/widgets/layout.h"

#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSizePolicy>

namespace trainyard::ui {

KeysCard::KeysCard(QWidget* parent) : Card(QString(), parent) {
    setTitle(tr("Keyboard shortcuts"));
    setNote(tr("press new keys in a field to change a shortcut"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    trainyard::ui::setMargins(body(), 12, 0, 12, 12);
    body()->setSpacing(Theme::current().px(4));
    for (const bool withKeys : {true, false}) // actions with keys first
        for (const Action& each : ui::actions())
            if (KeyBindings::instance().keys(each).isEmpty() != withKeys) body()->addWidget(rowFor(each));
}

QWidget* KeysCard::rowFor(const Action& action) {
    const Theme& theme = Theme::current();
    auto* holder = new QWidget;
    auto* stack = column(holder);
    auto* line = row(nullptr, 8);
    stack->addLayout(line);
    auto* name = new Label(actionName(action), TextRole::Secondary);
    auto* edit = new QKeySequenceEdit;
    edit->setFixedWidth(theme.px(180));
    edit->setAccessibleName(tr("Keys of %1").arg(actionName(action)));
    if (auto* inner = edit->findChild<QLineEdit*>())
        inner->setAccessibleName(edit->accessibleName()); // Tab stops at the inner field
    auto* clear = iconButton(QStringLiteral("close"), tr("Remove the keys of %1").arg(actionName(action)));
    auto* reset = iconButton(QStringLiteral("refresh"), tr("Reset the keys of %1").arg(actionName(action)));
    auto* why = new Label(QString(), TextRole::SmallError);
    why->setAlignment(Qt::AlignRight);
    why->hide();
    auto policy = reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    reset->setSizePolicy(policy);
    line->addWidget(name, 1);
    line->addWidget(edit);
    line->addWidget(clear);
    line->addWidget(reset);
    stack->addWidget(why);
    const auto show = [&action, edit, clear, reset] {
        const QSignalBlocker quiet(edit);
        edit->setKeySequence(KeyBindings::instance().keys(action));
        if (auto* inner = edit->findChild<QLineEdit*>())
            inner->setPlaceholderText(tr("none")); // else Qt's own placeholder shows
        clear->setEnabled(!edit->keySequence().isEmpty());
        reset->setVisible(KeyBindings::instance().isChanged(action));
    };
    show();
    connect(&KeyBindings::instance(), &KeyBindings::changed, edit, show);
    const auto set = [&action, edit, why, show](const QKeySequence& keys) {
        const auto done = KeyBindings::instance().set(action, keys);
        why->setText(done ? QString() : QString::fromStdString(done.error().message));
        why->setVisible(!done);
        edit->setAccessibleDescription(why->text());
        show();
    };
    // Not while keys are pressed: the field is empty then.
    connect(edit, &QKeySequenceEdit::editingFinished, edit, [edit, set, show] {
        const QKeySequence pressed = edit->keySequence();
        if (pressed.isEmpty()) show();
        else set(QKeySequence(pressed[0])); // only the first combination
    });
    connect(clear, &QToolButton::clicked, edit, [set] { set({}); });
    connect(reset, &QToolButton::clicked, edit, [&action, why] {
        why->hide();
        KeyBindings::instance().reset(action);
    });
    return holder;
}

} // namespace trainyard::ui
