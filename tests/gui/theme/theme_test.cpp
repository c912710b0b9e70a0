// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gallery/component_sheet.h"
#include "ui/theme/icon.h"
#include "ui/theme/paint.h"
#include "ui/theme/theme.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/banner.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyle>
#include <QStyleOption>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>

using namespace trainyard::ui;

namespace {

using Member = QColor Theme::*;

const QHash<QString, Member>& members() {
    static const QHash<QString, Member> all{{"window", &Theme::window},
                                            {"panel", &Theme::panel},
                                            {"card", &Theme::card},
                                            {"raised", &Theme::raised},
                                            {"field", &Theme::field},
                                            {"control", &Theme::control},
                                            {"controlHover", &Theme::controlHover},
                                            {"controlPressed", &Theme::controlPressed},
                                            {"hover", &Theme::hover},
                                            {"border", &Theme::border},
                                            {"borderStrong", &Theme::borderStrong},
                                            {"grid", &Theme::grid},
                                            {"axis", &Theme::axis},
                                            {"text", &Theme::text},
                                            {"text2", &Theme::text2},
                                            {"text3", &Theme::text3},
                                            {"accent", &Theme::accent},
                                            {"accentHover", &Theme::accentHover},
                                            {"accentPressed", &Theme::accentPressed},
                                            {"onAccent", &Theme::onAccent},
                                            {"accentText", &Theme::accentText},
                                            {"selection", &Theme::selection},
                                            {"selectionInactive", &Theme::selectionInactive},
                                            {"focus", &Theme::focus},
                                            {"success", &Theme::success},
                                            {"successBg", &Theme::successBg},
                                            {"successBd", &Theme::successBd},
                                            {"warn", &Theme::warn},
                                            {"warnBg", &Theme::warnBg},
                                            {"warnBd", &Theme::warnBd},
                                            {"error", &Theme::error},
                                            {"errorBg", &Theme::errorBg},
                                            {"errorBd", &Theme::errorBd},
                                            {"info", &Theme::info},
                                            {"infoBg", &Theme::infoBg},
                                            {"infoBd", &Theme::infoBd},
                                            {"track", &Theme::track},
                                            {"segOn", &Theme::segOn},
                                            {"segBd", &Theme::segBd}};
    return all;
}

struct Lab {
    double l, a, b;
};

double linearChannel(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

Lab oklab(const QColor& color) {
    const double r = linearChannel(color.redF());
    const double g = linearChannel(color.greenF());
    const double b = linearChannel(color.blueF());
    const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

// The distance of two colours in Oklab (Ottosson 2020); some 0.02 is the least that the eye tells apart.
double colorDistance(const QColor& one, const QColor& other) {
    const Lab a = oklab(one), b = oklab(other);
    return std::hypot(a.l - b.l, a.a - b.a, a.b - b.b);
}

QJsonObject tokens() {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/resources/themes/tokens.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

Theme themeOf(bool dark) { return buildTheme({.dark = dark}); }

QImage drawn(const std::function<void(QPainter&)>& draw, const QSize& size = {120, 40}) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    draw(painter);
    return image;
}

QImage buttonIn(QStyle::State state, const char* kind) {
    QPushButton button(QStringLiteral("Start"));
    setKind(&button, kind);
    button.resize(100, 28);
    QStyleOptionButton option;
    option.initFrom(&button);
    option.state = state;
    option.text = button.text();
    return drawn(
        [&](QPainter& painter) { button.style()->drawControl(QStyle::CE_PushButton, &option, &painter, &button); });
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTokenReachesTheTheme_data();
    void everyTokenReachesTheTheme();
    void textPairsHaveEnoughContrast_data();
    void textPairsHaveEnoughContrast();
    void curvesStandOutFromTheCard();
    void namesThatAreCutStillDiffer() {
        const QFontMetrics metrics(Theme::current().body);
        const int room = metrics.horizontalAdvance(QStringLiteral("fashion-mnist-mlp"));
        const QString first = elidedName(metrics, QStringLiteral("fashion-mnist-mlp-wide-seed-1"), room);
        QVERIFY2(first.startsWith(QStringLiteral("fash")) && first.endsWith(QStringLiteral("-1")), qPrintable(first));
        QVERIFY(first != elidedName(metrics, QStringLiteral("fashion-mnist-mlp-wide-seed-2"), room));
        QCOMPARE(elidedName(metrics, QStringLiteral("short"), room), QStringLiteral("short"));
    }

    void aBannerIsAsHighAsItsWords();
    void fortyRunsHaveColoursThatDiffer_data();
    void fortyRunsHaveColoursThatDiffer();
    void aRunKeepsItsHueInEveryTheme();
    void everyIconRendersInTheAskedColor();
    void buttonStatesLookDifferent_data();
    void buttonStatesLookDifferent();
    void fieldsShowFocusAndError();
    void checkBoxStatesLookDifferent();
    void controlsAre28High();
    void modeSwitchChangesPaletteAndSignals();
    void environmentOverridesTheMode();
    void highContrastRaisesFieldFrames();
    void sizesScaleWithinTheirLimits();
    void tabularDigitsShareOneWidth();
    void componentSheetShowsEverythingInBothThemes();
};

void ThemeTest::everyTokenReachesTheTheme_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void ThemeTest::everyTokenReachesTheTheme() {
    QFETCH(bool, dark);
    const Theme theme = themeOf(dark);
    const QJsonObject colors = tokens().value(QLatin1String(dark ? "dark" : "light")).toObject();
    QCOMPARE(colors.size(), members().size() + 3); // and seq, scrim, curves
    for (auto it = members().begin(); it != members().end(); ++it) {
        QVERIFY2(colors.contains(it.key()), qPrintable(it.key()));
        QCOMPARE((theme.*it.value()).name().toUpper(), colors.value(it.key()).toString().toUpper());
    }
    const QJsonArray curves = colors.value(QLatin1String("curves")).toArray();
    QCOMPARE(curves.size(), static_cast<qsizetype>(kCurveColors));
    for (int i = 0; i < static_cast<int>(kCurveColors); ++i) {
        QCOMPARE(theme.curve(i).name().toUpper(), curves.at(i).toString().toUpper());
        QCOMPARE(theme.curve(i + static_cast<int>(kCurveColors)), theme.curve(i));
    }
    const QJsonArray seq = colors.value(QLatin1String("seq")).toArray();
    for (int i = 0; i < 5; ++i)
        QCOMPARE(theme.seq[static_cast<std::size_t>(i)].name().toUpper(), seq.at(i).toString().toUpper());
    QCOMPARE(theme.scrim.alpha(), dark ? 153 : 91);
}

void ThemeTest::textPairsHaveEnoughContrast_data() {
    QTest::addColumn<QString>("ink");
    QTest::addColumn<QString>("ground");
    const QList<QPair<QString, QStringList>> pairs{
        {"text", {"window", "panel", "card", "hover", "selection", "raised", "field", "control"}},
        {"text2",
         {"window", "panel", "card", "selection", "selectionInactive", "track", "successBg", "warnBg", "errorBg",
          "infoBg"}},
        {"text3", {"window", "panel", "card", "hover", "errorBg", "raised"}},
        {"onAccent", {"accent", "accentHover", "accentPressed"}},
        {"accentText", {"window", "selection"}},
        {"success", {"successBg", "card"}},
        {"warn", {"warnBg", "card"}},
        {"error", {"errorBg", "card", "selection"}},
        {"info", {"infoBg", "card"}}};
    for (const auto& [ink, grounds] : pairs)
        for (const QString& ground : grounds) QTest::newRow(qPrintable(ink + " on " + ground)) << ink << ground;
}

void ThemeTest::textPairsHaveEnoughContrast() {
    QFETCH(QString, ink);
    QFETCH(QString, ground);
    for (const bool dark : {false, true}) {
        const Theme theme = themeOf(dark);
        const qreal ratio = contrastRatio(theme.*members()[ink], theme.*members()[ground]);
        QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("%1: %2").arg(dark ? "dark" : "light").arg(ratio)));
    }
}

void ThemeTest::curvesStandOutFromTheCard() {
    for (const bool dark : {false, true}) {
        const Theme theme = themeOf(dark);
        for (int i = 0; i < 10; ++i)
            QVERIFY2(contrastRatio(theme.curve(i), theme.card) >= 3.0, qPrintable(QString::number(i)));
    }
    QVERIFY(std::abs(contrastRatio(Qt::black, Qt::white) - 21.0) < 0.01);
}

void ThemeTest::fortyRunsHaveColoursThatDiffer_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void ThemeTest::fortyRunsHaveColoursThatDiffer() {
    QFETCH(bool, dark);
    const Theme theme = themeOf(dark);
    const int count = static_cast<int>(kCurveColors);
    QCOMPARE(count, 40);
    for (int i = 0; i < count; ++i) {
        QVERIFY2(contrastRatio(theme.curve(i), theme.card) >= 3.0, qPrintable(theme.curve(i).name()));
        for (int j = 0; j < i; ++j)
            QVERIFY2(colorDistance(theme.curve(i), theme.curve(j)) > 0.07, qPrintable(QStringLiteral("%1: %2, %3: %4")
                                                                                          .arg(i)
                                                                                          .arg(theme.curve(i).name())
                                                                                          .arg(j)
                                                                                          .arg(theme.curve(j).name())));
    }
}

void ThemeTest::aRunKeepsItsHueInEveryTheme() {
    const auto hue = [](const QColor& color) { // in degrees
        const Lab lab = oklab(color);
        return std::atan2(lab.b, lab.a) * 180 / 3.14159265358979;
    };
    const Theme light = themeOf(false), dark = themeOf(true);
    for (int i = 0; i < static_cast<int>(kCurveColors); ++i) {
        const double turned = std::abs(hue(light.curve(i)) - hue(dark.curve(i)));
        QVERIFY2(std::min(turned, 360 - turned) < 15,
                 qPrintable(QStringLiteral("%1: %2 %3").arg(i).arg(light.curve(i).name(), dark.curve(i).name())));
    }
}

void ThemeTest::everyIconRendersInTheAskedColor() {
    const QStringList files = QDir(QStringLiteral(":/trainyard/icons")).entryList({"*.svg"}, QDir::Files);
    QVERIFY(files.size() >= 61);
    for (const QString& file : files) {
        const QString name = file.chopped(4);
        QVERIFY(hasIcon(name));
        for (const int side : {16, 20, 32}) {
            QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            paintIcon(painter, name, QRectF(0, 0, side, side), QColor(200, 0, 0));
            painter.end();
            int red = 0;
            for (int i = 0; i < side * side; ++i) {
                const QColor pixel = image.pixelColor(i % side, i / side);
                red += pixel.alpha() > 90 ? 1 : 0;
                if (pixel.alpha() > 200) QVERIFY2(pixel.red() > 150 && pixel.green() < 60, qPrintable(name));
            }
            QVERIFY2(red > 3, qPrintable(name));
        }
    }
    QVERIFY(!hasIcon(QStringLiteral("no-such-icon")));
}

void ThemeTest::buttonStatesLookDifferent_data() {
    QTest::addColumn<QByteArray>("kind");
    for (const char* kind : {"", "primary", "flat", "danger"})
        QTest::newRow(*kind != 0 ? kind : "secondary") << QByteArray(kind);
}

void ThemeTest::buttonStatesLookDifferent() {
    QFETCH(QByteArray, kind);
    const QStyle::State on = QStyle::State_Enabled;
    const QList<QImage> images{buttonIn(on, kind), buttonIn(on | QStyle::State_MouseOver, kind),
                               buttonIn(on | QStyle::State_Sunken, kind), buttonIn({}, kind)};
    for (int i = 0; i < images.size(); ++i)
        for (int j = i + 1; j < images.size(); ++j)
            QVERIFY2(images[i] != images[j], qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
    QVERIFY(kind.isEmpty() || buttonIn(on, kind) != buttonIn(on, ""));
}

void ThemeTest::fieldsShowFocusAndError() {
    const Theme& theme = Theme::current();
    const auto frameColor = [](QStyle::State state, const char* kind) {
        QLineEdit edit;
        setKind(&edit, kind);
        QStyleOptionFrame option;
        option.rect = QRect(0, 0, 100, 28);
        option.lineWidth = 1;
        option.state = state;
        const QImage image = drawn([&](QPainter& painter) {
            edit.style()->drawPrimitive(QStyle::PE_PanelLineEdit, &option, &painter, &edit);
        });
        return image.pixelColor(50, 0);
    };
    QCOMPARE(frameColor(QStyle::State_Enabled, ""), theme.borderStrong);
    QCOMPARE(frameColor(QStyle::State_Enabled | QStyle::State_HasFocus, ""), theme.focus);
    QCOMPARE(frameColor(QStyle::State_Enabled, "error"), theme.error);
    QCOMPARE(frameColor({}, ""), theme.border);
}

void ThemeTest::checkBoxStatesLookDifferent() {
    QCheckBox box;
    QList<QImage> images;
    for (const QStyle::State state :
         {QStyle::State_Enabled | QStyle::State_Off, QStyle::State_Enabled | QStyle::State_On,
          QStyle::State_Enabled | QStyle::State_NoChange, QStyle::State(QStyle::State_On)}) {
        QStyleOptionButton option;
        option.rect = QRect(0, 0, 14, 14);
        option.state = state;
        images << drawn([&](QPainter& painter) {
            box.style()->drawPrimitive(QStyle::PE_IndicatorCheckBox, &option, &painter, &box);
        });
    }
    for (int i = 0; i < images.size(); ++i)
        for (int j = i + 1; j < images.size(); ++j) QVERIFY(images[i] != images[j]);
}

void ThemeTest::controlsAre28High() {
    QPushButton push(QStringLiteral("Start"));
    QLineEdit edit;
    QComboBox combo;
    combo.addItem(QStringLiteral("one"));
    QToolButton tool;
    tool.setText(QStringLiteral("Stop"));
    QProgressBar bar;
    const int height = Theme::current().px(28);
    QCOMPARE(push.sizeHint().height(), height);
    QCOMPARE(edit.sizeHint().height(), height);
    QCOMPARE(combo.sizeHint().height(), height);
    QCOMPARE(tool.sizeHint().height(), height);
    QCOMPARE(bar.sizeHint().height(), Theme::current().px(6));
}

void ThemeTest::modeSwitchChangesPaletteAndSignals() {
    auto& controller = ThemeController::instance();
    controller.setMode(ThemeMode::Light);
    QSignalSpy changed(&controller, &ThemeController::changed);
    controller.setMode(ThemeMode::Dark);
    QCOMPARE(changed.count(), 1);
    QVERIFY(Theme::current().dark);
    QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::current().window);
    controller.setMode(ThemeMode::Dark);
    QCOMPARE(changed.count(), 1);
    controller.setMode(ThemeMode::Light);
    QCOMPARE(changed.count(), 2);
    QVERIFY(!Theme::current().dark);
    const QPalette palette = QApplication::palette();
    QCOMPARE(palette.color(QPalette::Base), Theme::current().field);
    QCOMPARE(palette.color(QPalette::Disabled, QPalette::Text), Theme::current().text3);
    QCOMPARE(palette.color(QPalette::Inactive, QPalette::Highlight), Theme::current().selectionInactive);
}

void ThemeTest::environmentOverridesTheMode() {
    auto& controller = ThemeController::instance();
    qputenv("TRAINYARD_THEME", "dark");
    controller.setMode(ThemeMode::System);
    QVERIFY(Theme::current().dark);
    qputenv("TRAINYARD_THEME", "light");
    controller.setMode(ThemeMode::Dark);
    QVERIFY(!Theme::current().dark);
    qunsetenv("TRAINYARD_THEME");
    controller.setMode(ThemeMode::Light);
}

void ThemeTest::highContrastRaisesFieldFrames() {
    for (const bool dark : {false, true}) {
        const Theme plain = themeOf(dark);
        const Theme strong = buildTheme({.dark = dark, .highContrast = true});
        QVERIFY(contrastRatio(plain.borderStrong, plain.field) < 3.0);
        QVERIFY(contrastRatio(strong.borderStrong, strong.field) >= 3.0);
        for (const QColor& surface : {strong.window, strong.panel, strong.card, strong.raised}) {
            for (const QColor& text : {strong.text2, strong.text3, strong.accentText, strong.error, strong.warn})
                QVERIFY2(contrastRatio(text, surface) >= 7.0, qPrintable(text.name() + " on " + surface.name()));
            QVERIFY(contrastRatio(strong.border, surface) >= 3.0);
        }
    }
    auto& controller = ThemeController::instance();
    QSignalSpy changed(&controller, &ThemeController::changed);
    controller.setHighContrast(true);
    QVERIFY(Theme::current().highContrast);
    controller.setHighContrast(false);
    QCOMPARE(changed.count(), 2);
}

void ThemeTest::sizesScaleWithinTheirLimits() {
    QCOMPARE(buildTheme({.scale = 1.25}).px(28), 35);
    QCOMPARE(buildTheme({.scale = 9}).px(28), 42);
    QCOMPARE(buildTheme({.scale = 0.1}).px(20), 18);
    const Theme theme = buildTheme({.scale = 1.5});
    QCOMPARE(theme.small.pixelSize(), 18);
    QCOMPARE(theme.title.pixelSize(), 24);
    QCOMPARE(theme.heading.weight(), QFont::DemiBold);
}

void ThemeTest::tabularDigitsShareOneWidth() {
    const QFont font = Theme::current().body;
    const qreal ones = tabularWidth(font, QStringLiteral("1111"));
    for (const char digit : {'0', '4', '7', '9'}) QCOMPARE(tabularWidth(font, QString(4, QLatin1Char(digit))), ones);
    QVERIFY(tabularWidth(font, QStringLiteral("1,111")) > ones);
}

// Also when the words come later than its place, or change, or the window does.
void ThemeTest::aBannerIsAsHighAsItsWords() {
    QWidget page;
    auto* layout = new QVBoxLayout(&page);
    auto* banner = new Banner(Status::Info, {});
    layout->addWidget(banner);
    layout->addWidget(new QWidget, 1);
    banner->hide();
    page.resize(660, 500);
    page.show();
    const QString brief =
        QStringLiteral("Rank 1 was killed by SIGKILL at step 222; the others keep their state, no step is lost");
    for (const auto& [cause, evidence] :
         {std::pair{brief, QString()}, {brief.repeated(3), brief.repeated(4)}, {brief, QString()}})
        for (const int width : {660, 480, 1200}) {
            page.resize(width, 500);
            banner->setMessage(Status::Warn, cause, evidence);
            banner->setClosable(true);
            banner->appear();
            QCoreApplication::processEvents();
            int words = 0;
            for (const QLabel* label : banner->findChildren<QLabel*>()) {
                if (label->isHidden()) continue;
                QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
                words += label->height();
            }
            QVERIFY2(banner->height() <= std::max(20, words) + 28, qPrintable(QString::number(banner->height())));
        }
}

void ThemeTest::componentSheetShowsEverythingInBothThemes() {
    auto& controller = ThemeController::instance();
    QList<QImage> images;
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
        controller.setMode(mode);
        ComponentSheet sheet;
        sheet.show();
        QCoreApplication::processEvents();
        images << sheet.grab().toImage();
        QCOMPARE(images.last().pixelColor(4, 4), Theme::current().window);
        int accent = 0;
        for (int x = 0; x < images.last().width(); x += 2)
            for (int y = 0; y < images.last().height(); y += 2)
                accent += images.last().pixelColor(x, y) == Theme::current().accent ? 1 : 0;
        QVERIFY(accent > 500);
    }
    QVERIFY(images[0] != images[1]);
    controller.setMode(ThemeMode::Light);
}

TRAINYARD_TEST_MAIN(int argc, char** argv) {
    qunsetenv("TRAINYARD_THEME");
    QApplication app(argc, argv);
    ThemeController::instance().install(app);
    ThemeController::instance().setMode(ThemeMode::Light);
    ThemeTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "theme_test.moc"
