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

} // namespace

GuiOptions readGuiOptions(const QCoreApplication& app) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Trainyard, a desktop workbench for distributed training."));
    parser.addPositionalArgument(QStringLiteral("FILE"),
                                 QStringLiteral("A run or sweep file to open in the New run sheet."),
                                 QStringLiteral("[FILE]"));
    const QCommandLineOption workspace(
        QStringLiteral("workspace"),
        QStringLiteral("Folder of the runs (default: $TRAINYARD_WORKSPACE, else ~/.local/share/trainyard)."),
        QStringLiteral("DIR"));
    const QCommandLineOption screenshot(
        {QStringLiteral("screenshot"), QStringLiteral("picture")},
        QStringLiteral("Save a screenshot of the window and exit (--picture is its old name)."),
        QStringLiteral("FILE"));
    const QStringList views = ui::viewNames();
    const QCommandLineOption page({QStringLiteral("page"), QStringLiteral("place")},
                                  QStringLiteral("Which page the screenshot shows: %1 (--place is its old name).")
                                      .arg(views.join(QStringLiteral(", "))),
                                  QStringLiteral("NAME"), QStringLiteral("home"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("Size of the screenshot."),
                                  QStringLiteral("WxH"), QStringLiteral("1440x900"));
    const QCommandLineOption timing(QStringLiteral("timing"),
                                    QStringLiteral("Print on stderr when the window was first painted."));
    const QCommandLineOption report(
        QStringLiteral("report"),
        QStringLiteral("Write the report of a run or a sweep and exit; several side by side when given again."),
        QStringLiteral("RUN"));
    const QCommandLineOption pdf(QStringLiteral("pdf"), QStringLiteral("The file that --report writes."),
                                 QStringLiteral("FILE"));
    const QCommandLineOption force(QStringLiteral("force"), QStringLiteral("Let --report replace the file."));
    parser.addOptions({workspace, screenshot, page, size, report, pdf, force, timing});
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
    options.workspace = parser.value(workspace);
    options.screenshot = parser.value(screenshot);
    options.page = parser.value(page);
    if (!views.contains(options.page))
        refuse(QStringLiteral("--page %1 is not a page: write one of %2")
                   .arg(options.page, views.join(QStringLiteral(", "))));
    options.size = readSize(parser.value(size));
    options.report = parser.values(report);
    options.pdf = parser.value(pdf);
    options.force = parser.isSet(force);
    if (options.report.isEmpty() != options.pdf.isEmpty())
        refuse(QStringLiteral("--report RUN and --pdf FILE go together"));
    if (!options.pdf.isEmpty() && !options.pdf.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive))
        refuse(QStringLiteral("--pdf %1: name a file that ends with .pdf").arg(options.pdf));
    options.timing = parser.isSet(timing);
    return options;
}

} // namespace trainyard
