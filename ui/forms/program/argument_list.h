// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/program/argument_shape.h"

#include <QTimer>
#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace trainyard::ui {

class ArgumentField;
class Label;
class VaryToggle;

// A row for each argument, below the headings of the groups. Rows are made while the window is idle, those that a
// search finds first: the first ones are there at once, however many there are. Of more than kMostRows only those that
// are searched, given, varied or wrong.
class ArgumentList : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kMostRows = 600;
    explicit ArgumentList(QWidget* parent = nullptr);

    void setShapes(std::vector<ArgumentShape> shapes);
    const ArgumentShape* shape(const std::string& name) const; // null: there is none
    void setLine(const program::ArgumentLine& line);
    // Shows only what the words find; empty: all.
    void setSearch(const QString& typed);
    int found() const;
    // Makes the row if there is none yet; null: no argument is called that.
    ArgumentField* field(const std::string& name);
    void clearErrors();
    // Brings the row of an argument into being and marks it.
    void setError(const std::string& name, const QString& message);

Q_SIGNALS:
    // The user has changed an argument; nothing: it is as the script has it.
    void edited(const std::string& name, const std::optional<trainyard::program::Given>& given);
    void rowsMade(); // with fields that can be varied
    void finished(); // Enter was pressed in a field

private:
    struct Row {
        ArgumentShape shape;
        bool isFound = true;
        QWidget* holder = nullptr;
        ArgumentField* field = nullptr;
        QPushButton* offer = nullptr; // fills in what keeps runs apart; null: nothing
    };
    struct Group {
        QString title;
        Label* heading;
        QVBoxLayout* rows;
        std::size_t first = 0; // of its rows
    };
    void clear();
    void makeSome();
    Row* next();
    void make(Row& row);
    QWidget* helpOf(Row& row);
    static void showOffer(const Row& row);
    VaryToggle* addAxis(const Row& row, QVBoxLayout* below);
    bool needsHeading() const;
    void showHeadings();
    Row* rowOf(const std::string& name);

    std::vector<Row> m_rows;
    std::vector<Group> m_groups;
    program::ArgumentLine m_line;
    QVBoxLayout* m_layout;
    QTimer m_timer;
};

} // namespace trainyard::ui
