// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/card.h"

class QVBoxLayout;

namespace trainyard::ui {

struct Action;

// The keys of every action. Press new keys in a field to change them; keys of another action are refused with its name.
class KeysCard : public Card {
    Q_OBJECT
public:
    explicit KeysCard(QWidget* parent = nullptr);

private:
    QWidget* rowFor(const Action& action);
};

} // namespace trainyard::ui
