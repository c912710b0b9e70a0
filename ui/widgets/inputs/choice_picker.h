// SPDX-License-Identifier: GPL-3.0-or-later
// A popup for choosing among many: a search field over a list with headings, for the keyboard alone too.
#pragma once

#include <QStringList>
#include <QWidget>

class QListWidget;
class QListWidgetItem;

namespace trainyard::ui {

class UnitEdit;

// Something that a picker offers.
struct Choice {
    QString key;     // it is remembered and reported by this
    QString text;    // in plain words
    QString note;    // beside it in grey, such as the path of a setting; searched too
    QString section; // the heading above it; choices of one section follow one another
    bool isChecked = false;
};

// A row of a picker: a heading, or a choice by its place.
struct PickerRow {
    QString heading;
    int choice = -1;
    bool operator==(const PickerRow&) const = default;
};
// Rule: what a picker lists.
// Without a search the recent choices, then all by section; else the choices that contain every word, under their
// headings.
QList<PickerRow> pickerRows(const QList<Choice>& choices, const QStringList& recent, const QString& typed);

// Type to search, arrows to move, Enter to choose and close, Esc to close. Of several, Space or a click checks a choice
// and leaves the picker open. It deletes itself. GUI thread.
class ChoicePicker : public QWidget {
    Q_OBJECT
public:
    enum class Choose { One, Several };
    ChoicePicker(const QString& name, QList<Choice> choices, Choose choose, QWidget* parent);

    void setRecent(const QStringList& keys); // the latest first
    void openBelow(const QWidget* button);
    void openAt(const QPoint& position); // on the screen

Q_SIGNALS:
    void chosen(const QString& key, bool on);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void build(const QString& name);
    void fill();
    void move(int rows);
    int currentChoice() const;
    void take(bool close);
    bool handleKey(int key);

    QList<Choice> m_choices;
    QStringList m_recent;
    Choose m_choose;
    UnitEdit* m_search;
    QListWidget* m_list;
    bool m_moved = false; // since the last typed letter: Space checks instead of typing
};

} // namespace trainyard::ui
