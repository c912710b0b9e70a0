// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forms/program/argument_values.h"

#include <QWidget>

class QComboBox;
class QScrollArea;

namespace trainyard::ui {

class ArgumentField;
class ArgumentList;
class EmptyPage;
class Label;
class UnitEdit;
class UnitField;

// The arguments of a script as a searchable form. Reads them in the background.
class ArgumentPane : public QWidget {
    Q_OBJECT
public:
    explicit ArgumentPane(QWidget* parent = nullptr);

    // A Python file; empty: a program whose arguments are only typed. Of the same file again, what was given stays.
    void readScript(const QString& path);
    // Whether there is a program at all, which may be one whose arguments are not known.
    void setIsNamed(bool on);
    // Whether the arguments of the present script are known, or why not.
    bool isRead() const { return m_isRead; }
    const program::ScriptArguments& script() const { return m_script; }

    void setProgram(const spec::Program& program);
    // Sets the arguments of a program; of one whose arguments are still being read, as they were given.
    void apply(spec::Program& program, QList<ArgumentFault>& faults) const;
    QList<ArgumentFault> missing() const;
    // Whether the run file keeps them as a list of words, so that none can be varied.
    bool keepsWords() const;

    const program::ArgumentLine& line() const { return m_line; }
    void setWords(const std::vector<std::string>& words);
    const std::vector<ArgumentShape>& shapes() const { return m_shapes; }
    const ArgumentShape* shape(const std::string& name) const;

    void clearErrors();
    void setError(const std::string& name, const QString& message); // empty: at the free words
    QWidget* firstFault() const;
    // The search, if there is one, else the first argument.
    void focusFirst();
    UnitEdit* search() const { return m_search; }
    ArgumentList* list() const { return m_list; }
    UnitField* more() const { return m_more; }

Q_SIGNALS:
    void changed();      // by the user
    void ready();        // the arguments were read
    void rowsMade();     // with fields that can be varied
    void finished();     // Enter was pressed in a field
    void scriptWanted(); // one is to be chosen

private:
    void build();
    void take(Result<program::ScriptArguments> read);
    void probe(); // what only Python knows; in the background
    void correct(program::ScriptArguments probed);
    void showScript();
    void chooseSubcommand(const QString& name);
    void showLine();
    void showCount();

    QString m_path;
    int m_round = 0; // answers to an earlier question are dropped
    bool m_isRead = false;
    QString m_why; // it could not be read
    program::ScriptArguments m_script;
    std::vector<ArgumentShape> m_shapes;
    program::ArgumentLine m_line;
    spec::Program m_pending; // as given, until the script is read
    Label *m_title, *m_note, *m_unread;
    UnitEdit* m_search;
    QWidget* m_commandRow;
    QComboBox* m_command;
    QScrollArea* m_area;
    EmptyPage* m_nothing; // while there is no program
    bool m_isNamed = false;
    ArgumentList* m_list;
    UnitField* m_more;
};

} // namespace trainyard::ui
