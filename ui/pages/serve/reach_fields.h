// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/values/service_spec.h"

#include <QList>
#include <QWidget>

class QGridLayout;

namespace trainyard::ui {

class Label;
class PathField;
class SegmentedControl;
class Switch;
class UnitField;

// Who can reach a service: this computer alone or, with TLS or a warning, others, too.
class ReachFields : public QWidget {
    Q_OBJECT
public:
    explicit ReachFields(QWidget* parent = nullptr);

    // Writes address, certificate, key and plaintext.
    void write(serve::ServiceSpec& spec) const;
    SegmentedControl* choice() const { return m_choice; }
    Switch* plaintext() const { return m_plain; }

Q_SIGNALS:
    void changed();

private:
    void build(QGridLayout& grid);
    void refresh();

    SegmentedControl* m_choice;
    UnitField* m_host;
    PathField *m_certificate, *m_key;
    Switch* m_plain;
    Label* m_warning;
    QList<QWidget*> m_beyond; // shown while others can reach it
};

// A field with its title at the left, as the next row.
Label* addFieldRow(QGridLayout& grid, const QString& title, QWidget* field);

} // namespace trainyard::ui
