// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui_options.h"

#include "ui/shell/screenshot.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QFileInfo>

#include <cstdio>
#include <cstdlib>

namespace trainyard {

namespace {

[[noreturn]] void refuse(const QString& why) {
    std::fprintf(stderr, "trainyard: %s\n", qPrintable(why));
    std::exit(2);
}

QSize readSize(const QString& text) {
    const QStringList parts = text.split(QLatin1Char('x'));
    const QSize size(parts.value(0).toInt(), parts.value(1).toInt());
    if (parts.size() != 2 || size.width() < 320 || size.height() < 240 || size.width() > 8192 || size.height() > 8192)
        refuse(QStringLiteral("--size %1: write WIDTHxHEIGHT, such as 1440x900").arg(text));
    return size;
}

// All options of the window: what is parsed with, and what the manual page is made of.
struct Options {
    QCommandLineOption workspace{
        QStringLiteral("workspace"),
        QStringLiteral("Folder of the runs (default: $TRAINYARD_WORKSPACE, else ~/.local/share/trainyard)."),
        QStringLiteral("DIR")};
    QCommandLineOption screenshot{QStringLiteral("screenshot"),
                                  QStringLiteral("Save a screenshot of the window and exit."), QStringLiteral("FILE")};
    QCommandLineOption page{
        QStringLiteral("page"),
        QStringLiteral("Which page the screenshot shows: %1.").arg(ui::viewNames().join(QStringLiteral(", "))),
        QStringLiteral("NAME"), QStringLiteral("home")};
    QCommandLineOption size{QStringLiteral("size"), QStringLiteral("Size of the screenshot."), QStringLiteral("WxH"),
                            QStringLiteral("1440x900")};
    QCommandLineOption timing{QStringLiteral("timing"),
                              QStringLiteral("Print on stderr when the window was first painted.")};
    QCommandLineOption report{
        QStringLiteral("report"),
        QStringLiteral("Write the report of a run or a sweep and exit; several side by side when given again."),
        QStringLiteral("RUN")};
    QCommandLineOption pdf{QStringLiteral("pdf"), QStringLiteral("The file that --report writes."),
                           QStringLiteral("FILE")};
    QCommandLineOption force{QStringLiteral("force"), QStringLiteral("Let --report replace the file.")};

    QList<QCommandLineOption> all() const { return {workspace, screenshot, page, size, report, pdf, force, timing}; }
};

manual::Item manualItem(const QCommandLineOption& option) {
    QStringList names;
    for (const QString& name : option.names())
        names << (name.size() == 1 ? QLatin1String("-") : QLatin1String("--")) + name;
    manual::Item item{names.join(QStringLiteral(", ")).toStdString(), option.description().toStdString()};
    if (!option.valueName().isEmpty()) item.term += ' ' + option.valueName().toStdString();
    if (const QString value = option.defaultValues().value(0); !value.isEmpty())
        item.text += " Default: " + value.toStdString() + '.';
    return item;
}

} // namespace

GuiOptions readGuiOptions(const QCoreApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Trainyard, a desktop workbench for distributed training."));
    parser.addPositionalArgument(
        QStringLiteral("FILE"),
        QStringLiteral("What the New run sheet opens: a run or sweep file, a Python script, data or weights."),
        QStringLiteral("[FILE]"));
    const Options known;
    parser.addOptions(known.all());
    parser.addHelpOption();
    parser.addVersionOption();
    if (!parser.parse(app.arguments())) refuse(parser.errorText());
    if (parser.isSet(QStringLiteral("help"))) parser.showHelp();
    if (parser.isSet(QStringLiteral("version"))) parser.showVersion();
    if (parser.positionalArguments().size() > 1)
        refuse(QStringLiteral("one file at a time, and %1 were given").arg(parser.positionalArguments().size()));
    GuiOptions options;
    if (const QString file = parser.positionalArguments().value(0); !file.isEmpty())
        options.file = QFileInfo(file).absoluteFilePath();
    options.workspace = parser.value(known.workspace);
    options.screenshot = parser.value(known.screenshot);
    options.page = parser.value(known.page);
    const QStringList views = ui::viewNames();
    if (!views.contains(options.page))
        refuse(QStringLiteral("--page %1 is not a page: write one of %2")
                   .arg(options.page, views.join(QStringLiteral(", "))));
    options.size = readSize(parser.value(known.size));
    options.report = parser.values(known.report);
    options.pdf = parser.value(known.pdf);
    options.force = parser.isSet(known.force);
    if (options.report.isEmpty() != options.pdf.isEmpty())
        refuse(QStringLiteral("--report RUN and --pdf FILE go together"));
    if (!options.pdf.isEmpty() && !options.pdf.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        refuse(QStringLiteral("--pdf %1: name a file that ends with .pdf").arg(options.pdf));
    options.timing = parser.isSet(known.timing);
    return options;
}

manual::Page guiManual() {
    manual::Page page{.name = "trainyard", .summary = "workbench for distributed training of neural networks"};
    page.synopsis = {"trainyard [OPTION]... [FILE]"};
    page.parts.push_back(
        {.title = "Description",
         .paragraphs = {
             "Opens the window: start runs and sweeps on this computer or on hosts over SSH, watch their "
             "curves, compare them, and browse their checkpoints. Runs go on when the window is closed. A "
             "run or sweep file or a Python script is opened in the New run sheet; an open window takes it over."}});
    manual::Part options{.title = "Options"};
    const Options known;
    for (const auto& option : known.all()) options.items.push_back(manualItem(option));
    options.items.push_back({"-h, --help", "Display help and exit."});
    options.items.push_back({"-v, --version", "Display the version and exit."});
    page.parts.push_back(std::move(options));
    for (auto* part : {manual::exitCodes, manual::environment, manual::files}) page.parts.push_back(part());
    page.seeAlso = {"trainyardctl(1)", "trainyard-worker(1)", "trainyard-run-file(5)"};
    return page;
}

} // namespace trainyard
