// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/card.h"

class QVBoxLayout;

namespace trainyard::ui {

struct Action;

// The keys of every action, to be changed: press other ones in a field. Keys that belong to another action are refused
// with its name.
class KeysCard : public Card {
    Q_OBJECT
public:
    explicit KeysCard(QWidget* parent = nullptr);

private:
    QWidget* rowFor(const Action& action);
};

} // namespace trainyard::ui
