// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/forms/program/argument_pane.h"

#include "engine/program/arguments/script_arguments.h"
#include "engine/program/line/word_split.h"
#include "engine/program/probe/script_probe.h"
#include "ui/forms/fields/vary_toggle.h"
#include "ui/forms/program/argument_field.h"
#include "ui/forms/program/argument_list.h"
#include "ui/models/desktop/background.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"

#include <QComboBox>
#include <QFileInfo>
#include <QSignalBlocker>

namespace trainyard::ui {

namespace {

constexpr int kSearchWidth = 220, kFreeLabel = 176;

QString placeText(const program::Unread& unread) {
    return ArgumentPane::tr("%1, line %2: %3")
        .arg(QString::fromStdString(unread.place.file))
        .arg(unread.place.line)
        .arg(QString::fromStdString(unread.what));
}

} // namespace

ArgumentPane::ArgumentPane(QWidget* parent)
    : QWidget(parent), m_title(new Label(tr("Arguments"), TextRole::Heading)),
      m_note(new Label(QString(), TextRole::SmallSecondary)), m_unread(new Label(QString(), TextRole::SmallTertiary)),
      m_search(new UnitEdit), m_commandRow(new QWidget), m_command(new QComboBox), m_list(new ArgumentList),
      m_more(new UnitField) {
    build();
    m_title->setToolTip(
        tr("%1 goes to the first").arg(QKeySequence(Qt::ALT | Qt::Key_A).toString(QKeySequence::NativeText)));
    connect(m_list, &ArgumentList::edited, this, [this](const std::string& name, const auto& given) {
        if (given) m_line.given[name] = *given;
        else m_line.given.erase(name);
        Q_EMIT changed();
    });
    connect(m_list, &ArgumentList::rowsMade, this, &ArgumentPane::rowsMade);
    connect(m_list, &ArgumentList::finished, this, &ArgumentPane::finished);
    connect(m_more->edit(), &QLineEdit::returnPressed, this, &ArgumentPane::finished);
    connect(m_more, &UnitField::textEdited, this, [this](const QString& text) {
        const auto words = program::splitWords(text.toStdString());
        m_more->setError(words ? QString() : QString::fromStdString(words.error().text()));
        if (words) m_line.rest = *words;
        Q_EMIT changed();
    });
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& typed) {
        m_list->setSearch(typed);
        showCount();
    });
    connect(m_command, &QComboBox::activated, this, [this] {
        chooseSubcommand(m_command->currentText());
        Q_EMIT changed();
    });
}

void ArgumentPane::build() {
    const Theme& theme = Theme::current();
    auto* layout = column(this, 0);
    auto* head = row(nullptr, 8);
    setMargins(head, 20, 8, 20, 8);
    m_search->setLeadingIcon(QStringLiteral("search"));
    m_search->setPlaceholderText(tr("Search arguments"));
    m_search->setAccessibleName(tr("Search arguments"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(theme.px(kSearchWidth));
    m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    head->addWidget(m_title);
    head->addWidget(m_note, 2);
    head->addWidget(m_search, 1);
    layout->addLayout(head);
    auto* inner = new QWidget;
    auto* rows = column(inner, 4);
    setMargins(rows, 20, 0, 8, 12);
    auto* command = row(m_commandRow, 8);
    auto* title = new Label(tr("Command"), TextRole::Secondary);
    title->setFixedWidth(theme.px(kFreeLabel - 8));
    m_command->setAccessibleName(tr("Command of the script"));
    command->addWidget(title);
    command->addWidget(m_command);
    command->addStretch();
    rows->addWidget(m_commandRow);
    rows->addWidget(m_list);
    auto* more = row();
    auto* label = new Label(tr("More arguments"), TextRole::Secondary);
    label->setFixedWidth(theme.px(kFreeLabel));
    label->setMinimumHeight(theme.px(28));
    m_more->edit()->setAccessibleName(tr("More arguments"));
    m_more->edit()->setPlaceholderText(tr("any other words, as on a command line"));
    more->addWidget(label, 0, Qt::AlignTop);
    more->addWidget(m_more, 1);
    more->addSpacing(theme.px(12));
    rows->addSpacing(theme.px(8));
    rows->addLayout(more);
    m_unread->setWordWrap(true);
    m_unread->setContentsMargins(theme.px(kFreeLabel), 0, theme.px(12), 0);
    rows->addWidget(m_unread);
    rows->addStretch();
    m_area = scrolled(inner);
    m_area->setFocusPolicy(Qt::NoFocus);
    layout->addWidget(m_area, 1);
    auto* empty = new EmptyState(tr("No script yet"),
                                 tr("Drop a train.py on the window, or choose one: its arguments become fields here."),
                                 tr("Choose a script…"), QStringLiteral("folder"));
    connect(empty, &EmptyState::triggered, this, &ArgumentPane::scriptWanted);
    m_nothing = new EmptyPage(empty);
    layout->addWidget(m_nothing, 1);
    m_commandRow->hide();
    m_unread->hide();
}

void ArgumentPane::readScript(const QString& path) {
    const int round = ++m_round;
    if (m_isRead) m_pending = {};
    if (m_isRead && path == m_path) m_pending.words = program::wordsOf(m_line, m_script, "auto"); // it was edited
    m_path = path;
    if (path.isEmpty()) return take(program::ScriptArguments{});
    m_isRead = false;
    m_note->setText(tr("Reading %1…").arg(QFileInfo(path).fileName()));
    inBackground(
        this, [path] { return program::readArguments(path.toStdString()); },
        [this, round](Result<program::ScriptArguments> read) {
            if (round == m_round) take(std::move(read));
        });
}

void ArgumentPane::take(Result<program::ScriptArguments> read) {
    m_isRead = true;
    m_why = read ? QString() : QString::fromStdString(read.error().message);
    m_script = read ? std::move(*read) : program::ScriptArguments{};
    showScript();
    Q_EMIT ready();
    if (m_why.isEmpty() && !m_path.isEmpty() && !program::isCertain(m_script)) probe();
}

void ArgumentPane::probe() {
    constexpr double kNoParser = 2; // seconds: such a script is not likely to come to one
    program::ProbeOptions how;
    if (m_script.style == program::ArgumentStyle::None) how.seconds = kNoParser;
    inBackground(
        this, [path = m_path.toStdString(), how] { return program::probeArguments(path, how); },
        [this, round = m_round](Result<program::ProbedArguments> probed) {
            if (round == m_round && probed && !probed->problem) correct(std::move(probed->arguments));
        });
}

// What was typed meanwhile stays.
void ArgumentPane::correct(program::ScriptArguments probed) {
    if (program::areSame(probed, m_script)) return;
    m_pending = {};
    m_pending.words = program::wordsOf(m_line, m_script, "auto");
    m_script = std::move(probed);
    showScript();
    Q_EMIT ready();
}

void ArgumentPane::showScript() {
    const QStringList commands = subcommandsOf(m_script);
    m_line = lineOfProgram(m_pending, m_script, argumentShapes(m_script, {}));
    if (m_line.subcommand.empty() && !commands.isEmpty())
        m_line.subcommand =
            (commands.contains(QStringLiteral("train")) ? QStringLiteral("train") : commands.front()).toStdString();
    m_command->clear();
    m_command->addItems(commands);
    m_command->setCurrentText(QString::fromStdString(m_line.subcommand));
    m_commandRow->setVisible(!commands.isEmpty());
    m_shapes = argumentShapes(m_script, m_line.subcommand);
    m_list->setLine(m_line);
    m_list->setShapes(m_shapes);
    if (!m_search->text().isEmpty()) m_list->setSearch(m_search->text());
    m_search->setVisible(m_shapes.size() > 8);
    QStringList unread;
    if (!m_why.isEmpty()) unread << tr("Its arguments were not read: %1").arg(m_why);
    for (const auto& each : m_script.unread) unread << tr("Not read: %1").arg(placeText(each));
    if (!m_script.configFile.empty())
        unread << tr("Its settings are in %1").arg(QString::fromStdString(m_script.configFile));
    m_unread->setText(unread.mid(0, 8).join(QLatin1Char('\n')));
    m_unread->setVisible(!unread.isEmpty());
    showLine();
    showCount();
}

void ArgumentPane::chooseSubcommand(const QString& name) {
    m_line.subcommand = name.toStdString();
    m_shapes = argumentShapes(m_script, m_line.subcommand);
    m_list->setLine(m_line);
    m_list->setShapes(m_shapes);
    showCount();
}

void ArgumentPane::showLine() {
    const QSignalBlocker quiet(m_command);
    m_command->setCurrentText(QString::fromStdString(m_line.subcommand));
    m_list->setLine(m_line);
    const QString rest = QString::fromStdString(program::joinWords(m_line.rest));
    const auto shown = program::splitWords(m_more->text().toStdString());
    if (!shown || *shown != m_line.rest) {
        m_more->setText(rest);
        m_more->setError({});
    }
}

void ArgumentPane::setIsNamed(bool on) {
    m_isNamed = on;
    showCount();
}

void ArgumentPane::showCount() {
    m_nothing->setVisible(!m_isNamed);
    m_area->setVisible(m_isNamed);
    const QString name = m_path.isEmpty() ? QString() : QFileInfo(m_path).fileName();
    const int all = static_cast<int>(m_shapes.size());
    if (!m_search->text().trimmed().isEmpty()) m_note->setText(tr("%1 of %2").arg(m_list->found()).arg(all));
    else if (name.isEmpty()) m_note->setText({});
    else if (all == 0) m_note->setText(tr("%1 names none").arg(name));
    else m_note->setText(tr("%n of %1", nullptr, all).arg(name));
}

void ArgumentPane::setProgram(const spec::Program& program) {
    m_pending = program;
    if (!m_isRead) return;
    const std::string before = m_line.subcommand;
    m_line = lineOfProgram(m_pending, m_script, m_shapes);
    if (m_line.subcommand.empty()) m_line.subcommand = before;
    if (m_line.subcommand != before) chooseSubcommand(QString::fromStdString(m_line.subcommand));
    showLine();
}

void ArgumentPane::apply(spec::Program& program, QList<ArgumentFault>& faults) const {
    if (!m_isRead) {
        program.arguments = m_pending.arguments;
        program.words = m_pending.words;
        return;
    }
    setArguments(program, m_line, m_script, m_shapes, faults);
}

QList<ArgumentFault> ArgumentPane::missing() const {
    return m_isRead ? missingArguments(m_line, m_shapes) : QList<ArgumentFault>();
}

bool ArgumentPane::keepsWords() const {
    spec::Program program;
    QList<ArgumentFault> faults;
    apply(program, faults);
    return !program.words.empty();
}

void ArgumentPane::setWords(const std::vector<std::string>& words) {
    const std::string before = m_line.subcommand;
    m_line = program::lineOf(words, m_script);
    if (m_line.subcommand.empty()) m_line.subcommand = before;
    if (m_line.subcommand != before) chooseSubcommand(QString::fromStdString(m_line.subcommand));
    showLine();
}

const ArgumentShape* ArgumentPane::shape(const std::string& name) const { return m_list->shape(name); }

void ArgumentPane::clearErrors() { m_list->clearErrors(); }

void ArgumentPane::setError(const std::string& name, const QString& message) {
    if (m_list->shape(name)) m_list->setError(name, message);
    else m_more->setError(message);
}

void ArgumentPane::focusFirst() {
    auto* first = m_shapes.empty() ? nullptr : m_list->field(m_shapes.front().argument.name);
    QWidget* to = !m_search->isHidden() ? m_search : first ? first->editor() : m_more->edit();
    to->setFocus(Qt::ShortcutFocusReason);
}

QWidget* ArgumentPane::firstFault() const {
    for (auto* field : m_list->findChildren<ArgumentField*>())
        if (field->hasError()) return field->editor();
    return m_more->error().isEmpty() ? nullptr : m_more->edit();
}

} // namespace trainyard::ui
