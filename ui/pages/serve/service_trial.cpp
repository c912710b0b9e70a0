// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/service_trial.h"

#include "ui/models/serve/service_copy.h"
#include "ui/models/serve/service_words.h"
#include "ui/models/text/format.h"
#include "ui/theme/icon.h"
#include "ui/widgets/inputs/drop_zone.h"
#include "ui/widgets/inputs/unit_field.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/marks/prediction_bars.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QImageReader>
#include <QMenu>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kShownAnswers = 5;

const serve::ModelSignature* signatureOf(const serve::ServiceView& service, const QString& model) {
    const auto& all = service.status.signatures;
    const std::string name = model.toStdString();
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    return at == all.end() ? nullptr : &*at;
}

} // namespace

ServiceTrial::ServiceTrial(QWidget* parent)
    : SampleCard({.title = tr("Try it"),
                  .choose = tr("Choose a picture, a table or a text to send"),
                  .chooseName = tr("Choose a file to send"),
                  .filters = tr("Images, tables and texts (*.png *.jpg *.jpeg *.csv *.txt)"),
                  .typed = tr("File, row or text; Enter sends it"),
                  .typedName = tr("Sample to send")},
                 parent),
      m_model(new QComboBox) {
    buildHeader();
}

void ServiceTrial::buildHeader() {
    m_model->setAccessibleName(tr("Model to ask"));
    m_model->hide();
    connect(m_model, &QComboBox::activated, this, &ServiceTrial::askVersions);
    auto* copy = button(tr("Copy as"), QStringLiteral("copy"), "flat");
    copy->setToolTip(tr("The same question for a terminal or a script; the token stays in its file"));
    auto* menu = new QMenu(copy);
    const auto add = [this, menu](const QString& text, QString (ServiceTrial::*words)() const) {
        menu->addAction(text, this, [this, text, words] {
            QApplication::clipboard()->setText((this->*words)());
            Q_EMIT copied(tr("%1 copied").arg(text));
        });
    };
    add(QStringLiteral("curl"), &ServiceTrial::asCurl);
    add(QStringLiteral("Python"), &ServiceTrial::asPython);
    copy->setMenu(menu);
    for (QWidget* each : std::initializer_list<QWidget*>{m_model, copy, chooser()}) addAction(each);
}

QString ServiceTrial::model() const {
    if (m_model->count() > 0) return m_model->currentText();
    return m_service && !m_service->spec.models.empty() ? QString::fromStdString(m_service->spec.models.front().name)
                                                        : QString();
}

// A model that takes texts reads typed words as one, whatever it makes of them.
std::optional<spec::TaskKind> ServiceTrial::task() const {
    const auto* signature = m_service ? signatureOf(*m_service, model()) : nullptr;
    if (!signature) return std::nullopt;
    if (signature->kind == serve::InputKind::Text) return spec::TaskKind::Language;
    const auto task = spec::taskFromString(signature->task);
    return task && *task != spec::TaskKind::Language ? std::optional(*task) : std::nullopt;
}

// The current version and, where there is one, that which may take its place, or had it.
std::array<QString, 2> ServiceTrial::versions() const {
    std::array<QString, 2> found;
    if (!m_service) return found;
    using enum serve::VersionRole;
    const std::string wanted = model().toStdString();
    const auto nameOf = [&](serve::VersionRole role) {
        for (const auto& each : m_service->status.versions)
            if (each.model == wanted && each.role == role) return QString::fromStdString(each.name);
        return QString();
    };
    found[0] = nameOf(Current);
    for (const serve::VersionRole role : {Canary, Shadow, Former})
        if (found[1].isEmpty()) found[1] = nameOf(role);
    return found;
}

void ServiceTrial::setService(const serve::ServiceView& service) {
    const bool isOther = !m_service || m_service->spec.name != service.spec.name;
    m_service = service;
    QStringList names, before;
    for (const auto& each : service.spec.models) names << QString::fromStdString(each.name);
    for (int i = 0; i < m_model->count(); ++i) before << m_model->itemText(i);
    if (names != before) {
        m_model->clear();
        m_model->addItems(names);
    }
    m_model->setVisible(names.size() > 1);
    if (!isOther) return;
    m_sample.reset();
    clearSample();
    askVersions();
}

void ServiceTrial::takeSample(const Result<AskedSample>& sample) {
    m_sample = sample ? std::optional(*sample) : std::nullopt;
    zone()->setContent({});
    if (sample) {
        QImage picture = sample->image;
        if (picture.isNull() && QFileInfo(sample->input).isFile()) picture = QImageReader(sample->input).read();
        showSample(*sample, picture, picture.isNull() ? sample->title : QString());
    }
    askVersions();
    if (!sample) fail(QString::fromStdString(sample.error().text()));
}

void ServiceTrial::askVersions() {
    ++m_question;
    m_predictions = {};
    fail(QString());
    setNote(QString());
    m_asked = versions();
    showAnswers();
    if (!m_sample || !m_service) return;
    if (!m_service->isServed) return fail(tr("The service does not run. Start it again, then ask."));
    const auto sent = bodyOf(*m_sample);
    if (!sent) return fail(QString::fromStdString(sent.error().text()));
    setNote(tr("asking…"));
    for (std::size_t which = 0; which < m_asked.size(); ++which) {
        if (which > 0 && m_asked[which].isEmpty()) continue;
        const QString version = m_asked[1].isEmpty() ? QString() : m_asked[which];
        m_caller.ask(*m_service, model(), version, *sent,
                     [this, which, asked = m_question](Result<ServiceAnswer> told) {
                         if (asked == m_question) answered(which, std::move(told));
                     });
    }
}

void ServiceTrial::answered(std::size_t which, Result<ServiceAnswer> answer) {
    Result<Prediction> prediction = answer ? parsePrediction(answer->body) : Result<Prediction>(answer.error());
    if (!prediction) {
        setNote(QString());
        const QString why = QString::fromStdString(prediction.error().text());
        return fail(m_asked[1].isEmpty() ? why : m_asked[which] + QStringLiteral(": ") + why);
    }
    if (which == 0) {
        setNote(tr("answered in %1 ms").arg(fixedText(answer->milliseconds, 1)));
        if (!answer->version.isEmpty()) m_asked[0] = answer->version;
        if (!prediction->continuation.isEmpty()) zone()->setContent({}, m_sample->title + prediction->continuation);
    }
    m_predictions[which] = std::move(*prediction);
    showAnswers();
}

void ServiceTrial::showAnswers() {
    const auto of = [&](std::size_t which) { return m_predictions[which] ? &*m_predictions[which] : nullptr; };
    if (!m_service) return;
    QList<PredictionBar> drawn;
    for (const PredictionLine& line : sideBySide(of(0), of(1), kShownAnswers))
        drawn << PredictionBar{line.name, line.first, line.second, false};
    QStringList titles{titleOf(m_asked[0])};
    if (!m_asked[1].isEmpty()) titles << titleOf(m_asked[1]);
    bars()->setBars(drawn, titles, !of(0) || of(0)->outputs.isEmpty());
}

// Two versions of a run differ at their end: "@9380".
QString ServiceTrial::titleOf(const QString& version) {
    const auto step = version.lastIndexOf(QLatin1Char('@'));
    return step < 0 ? version : version.mid(step);
}

ServiceBody ServiceTrial::asked() const {
    const auto sent = m_sample ? bodyOf(*m_sample) : Result<ServiceBody>(inputError("nothing was tried"));
    return sent ? *sent : exampleBody(m_service->status, model());
}

QString ServiceTrial::asCurl() const { return m_service ? curlText(*m_service, model(), asked()) : QString(); }
QString ServiceTrial::asPython() const { return m_service ? pythonText(*m_service, model(), asked()) : QString(); }

} // namespace trainyard::ui
