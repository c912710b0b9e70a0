// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/serve/serve_sheet.h"

#include "ui/models/desktop/background.h"
#include "ui/models/text/format.h"
#include "ui/pages/serve/reach_fields.h"
#include "ui/pages/serve/service_sheets.h"
#include "ui/widgets/inputs/path_field.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/sheets/ask_sheet.h"

#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QPointer>
#include <QSpinBox>

#include <algorithm>

namespace trainyard::ui {

namespace {

constexpr int kLargestBatch = 1024, kHighestPort = 65535;
constexpr int kFile = -1; // in place of a checkpoint's number: a file of one's own

// As high as its content where the window has room, so that the sheet fits it.
class FittedArea : public QScrollArea {
public:
    explicit FittedArea(QWidget* content) {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
        viewport()->setAutoFillBackground(false);
        setWidget(content);
        content->setAutoFillBackground(false);
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override {
        QLayout* layout = widget()->layout();
        layout->invalidate();
        return layout->hasHeightForWidth() ? layout->totalHeightForWidth(width) : layout->totalSizeHint().height();
    }
};

} // namespace

ServeSheet::ServeSheet(Workbench& bench, QWidget* parent, const ServeRequest& request)
    : Sheet(coveredBy(parent), QSize(560, 680)), m_bench(bench), m_checkpoint(new QComboBox), m_service(new QComboBox),
      m_takes(new QComboBox), m_name(new UnitField), m_port(new UnitField), m_file(new PathField(PathField::File)),
      m_least(new QSpinBox), m_most(new QSpinBox), m_batch(new QSpinBox), m_reach(new ReachFields),
      m_problem(new Label(QString(), TextRole::SmallError)) {
    setFitsContent();
    build();
    listServices(request.service);
    if (request.checkpoint) listCheckpoints({*request.checkpoint});
    else listCheckpoints({});
    inBackground(
        this, [workspace = bench.feed.workspace()] { return servedCheckpoints(workspace); },
        [this](Result<std::vector<ServedCheckpoint>> found) {
            if (found) listCheckpoints(std::move(*found));
        });
    connect(this, &Sheet::closed, this, &QObject::deleteLater);
    setFirst(request.checkpoint ? static_cast<QWidget*>(m_name->edit()) : m_checkpoint);
}

void ServeSheet::build() {
    panel()->setAccessibleName(tr("Serve a checkpoint"));
    auto* content = new QWidget;
    auto* rows = column(content, 12);
    setMargins(rows, 20, 16, 20, 16);
    rows->addWidget(new Label(tr("Serve a checkpoint"), TextRole::Title));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Theme::current().px(12));
    grid->setVerticalSpacing(Theme::current().px(8));
    grid->setColumnStretch(1, 1);
    buildFields(*grid);
    rows->addLayout(grid);
    rows->addWidget(m_reach);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    rows->addWidget(m_problem);
    connect(m_reach, &ReachFields::changed, this, &ServeSheet::judge);
    rows->addStretch();
    m_area = new FittedArea(content);
    body()->addWidget(m_area, 1);
    body()->addWidget(buildFooter());
}

void ServeSheet::addRow(QGridLayout& grid, const QString& title, QWidget* field, bool ofNew) {
    Label* label = addFieldRow(grid, title, field);
    if (ofNew) m_ofNew << label << field;
}

void ServeSheet::buildFields(QGridLayout& grid) {
    const auto changed = [this] { judge(); };
    addRow(grid, tr("Checkpoint"), m_checkpoint, false);
    m_checkpoint->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_checkpoint->setMinimumContentsLength(20);
    m_file->setTitle(tr("TorchScript or checkpoint file"));
    m_file->setPatterns({QStringLiteral("*.pt"), QStringLiteral("*.safetensors")});
    grid.addWidget(m_file, grid.rowCount(), 1);
    m_file->hide();
    addRow(grid, tr("As"), m_service, false);
    addRow(grid, tr("Takes"), m_takes, false);
    m_ofVersion << grid.itemAtPosition(grid.rowCount() - 1, 0)->widget() << m_takes;
    m_takes->addItems({tr("All requests, once it is checked"), tr("A tenth of the requests, as a canary"),
                       tr("Copies of the requests, as a shadow")});
    addRow(grid, tr("Name"), m_name);
    m_name->edit()->setAccessibleName(tr("Name"));
    auto* replicas = new QWidget;
    auto* line = row(replicas, 8);
    m_least->setRange(0, kMostReplicas);
    m_most->setRange(1, kMostReplicas);
    m_least->setValue(1);
    for (QSpinBox* each : {m_least, m_most}) each->setMinimumWidth(Theme::current().px(kCountWidth));
    m_least->setAccessibleName(tr("Replicas at rest"));
    m_most->setAccessibleName(tr("Replicas under load"));
    line->addWidget(m_least);
    line->addWidget(new Label(tr("at rest, up to"), TextRole::Secondary));
    line->addWidget(m_most);
    line->addWidget(new Label(tr("under load"), TextRole::Secondary));
    line->addStretch();
    addRow(grid, tr("Replicas"), replicas);
    m_batch->setRange(1, kLargestBatch);
    m_batch->setValue(serve::ServiceSpec{}.batchMax);
    m_batch->setSuffix(tr(" samples at most"));
    m_batch->setToolTip(tr("A free replica takes what waits, up to as many; it waits for no more"));
    addRow(grid, tr("Batch"), m_batch);
    m_port->edit()->setPlaceholderText(tr("automatic"));
    m_port->edit()->setAccessibleName(tr("Port"));
    m_port->setToolTip(tr("A free one is chosen, and kept when the service is started again"));
    addRow(grid, tr("Port"), m_port);
    connect(m_checkpoint, &QComboBox::activated, this, [this] {
        m_file->setVisible(m_checkpoint->currentData().toInt() == kFile);
        suggestName();
        judge();
    });
    connect(m_file, &UnitField::textEdited, this, [this] {
        suggestName();
        judge();
    });
    connect(m_service, &QComboBox::activated, this, changed);
    connect(m_name, &UnitField::textEdited, this, changed);
    connect(m_port, &UnitField::textEdited, this, changed);
    connect(m_least, &QSpinBox::valueChanged, this, [this](int least) { m_most->setMinimum(std::max(1, least)); });
}

QWidget* ServeSheet::buildFooter() {
    auto* footer = new Surface(SurfaceColor::Panel, TopEdge);
    auto* line = row(footer, 8);
    setMargins(line, 20, 11, 20, 10);
    auto* cancel = button(tr("Cancel"));
    m_go = button(tr("Start"), QStringLiteral("play"), "primary");
    line->addStretch();
    line->addWidget(cancel);
    line->addWidget(m_go);
    connect(cancel, &QPushButton::clicked, this, &Sheet::close);
    connect(m_go, &QPushButton::clicked, this, &ServeSheet::go);
    return footer;
}

// The chosen one stays, also while it is not in the list.
void ServeSheet::listCheckpoints(std::vector<ServedCheckpoint> found) {
    const bool isFirst = m_checkpoint->count() == 0;
    const serve::ServedModel chosen = isFirst ? serve::ServedModel{} : model();
    const bool isFile = !isFirst && m_checkpoint->currentData().toInt() == kFile && !m_found.empty();
    for (const ServedCheckpoint& each : m_found)
        if (std::none_of(found.begin(), found.end(),
                         [&](const ServedCheckpoint& other) { return other.model.file == each.model.file; }))
            found.insert(found.begin(), each);
    m_found = std::move(found);
    m_checkpoint->clear();
    int current = 0;
    for (std::size_t i = 0; i < m_found.size(); ++i) {
        m_checkpoint->addItem(m_found[i].title, static_cast<int>(i));
        if (m_found[i].model.file == chosen.file) current = static_cast<int>(i);
    }
    m_checkpoint->addItem(tr("A file…"), kFile);
    m_checkpoint->setCurrentIndex(isFile ? m_checkpoint->count() - 1 : current);
    m_file->setVisible(m_checkpoint->currentData().toInt() == kFile);
    suggestName();
    judge();
}

void ServeSheet::listServices(const QString& chosen) {
    m_service->addItem(tr("A new service"), QString());
    for (const auto& each : m_bench.services.services()) {
        if (!isLive(each)) continue;
        const QString name = QString::fromStdString(each.spec.name);
        m_service->addItem(tr("A new version of %1").arg(name), name);
    }
    m_service->setCurrentIndex(std::max(0, m_service->findData(chosen)));
}

bool ServeSheet::isNew() const { return m_service->currentData().toString().isEmpty(); }

serve::ServedModel ServeSheet::model() const {
    const int number = m_checkpoint->currentData().toInt();
    serve::ServedModel chosen;
    if (number != kFile && number < static_cast<int>(m_found.size()))
        chosen = m_found[static_cast<std::size_t>(number)].model;
    else {
        chosen.file = m_file->path().toStdString();
        chosen.name = serve::serviceNameOf(QFileInfo(m_file->path()).completeBaseName().toStdString());
    }
    // The address of a model stays as its versions change.
    if (const auto* service = m_bench.services.service(m_service->currentData().toString()))
        if (!service->spec.models.empty()) chosen.name = service->spec.models.front().name;
    return chosen;
}

void ServeSheet::suggestName() {
    if (m_name->edit()->isModified()) return; // the user's own
    QStringList taken;
    for (const auto& each : m_bench.services.services()) taken << QString::fromStdString(each.spec.name);
    m_name->setText(freeServiceName(model().name, taken));
}

serve::ServiceSpec ServeSheet::spec() const {
    serve::ServiceSpec spec;
    spec.name = m_name->text().trimmed().toStdString();
    spec.models = {model()};
    spec.minReplicas = m_least->value();
    spec.maxReplicas = m_most->value();
    spec.batchMax = m_batch->value();
    spec.port = plainWhole(m_port->text().trimmed()).toInt();
    m_reach->write(spec);
    return spec;
}

QString ServeSheet::problem() const { return m_problem->text(); }

void ServeSheet::judge() {
    const bool fresh = isNew();
    for (QWidget* each : std::as_const(m_ofNew)) each->setVisible(fresh);
    for (QWidget* each : std::as_const(m_ofVersion)) each->setVisible(!fresh);
    m_reach->setVisible(fresh);
    QString why;
    const QString name = m_name->text().trimmed();
    const serve::ServiceView* same = m_bench.services.service(name);
    const QString port = plainWhole(m_port->text().trimmed());
    bool isNumber = true;
    const int number = port.isEmpty() ? 0 : port.toInt(&isNumber);
    m_name->setError(!fresh || serve::isServiceName(name.toStdString())
                         ? fresh && same && same->isServed ? tr("A service with this name runs already") : QString()
                         : tr("Letters, digits, “-”, “_” and “.” only"));
    m_port->setError(fresh && (!isNumber || number < 0 || number > kHighestPort)
                         ? tr("A port is a number from 1 to %1").arg(kHighestPort)
                         : QString());
    const serve::ServedModel chosen = model();
    if (chosen.file.empty()) why = tr("Choose a checkpoint, or a TorchScript file.");
    else if (!QFileInfo::exists(QString::fromStdString(chosen.file)))
        why = tr("%1 does not exist").arg(QString::fromStdString(chosen.file));
    else if (fresh && m_name->error().isEmpty() && m_port->error().isEmpty()) {
        if (const auto judged = serve::checkService(spec()); !judged)
            why = sentence(QString::fromStdString(judged.error().text()));
    }
    m_problem->setText(why);
    m_problem->setVisible(!why.isEmpty());
    m_go->setText(fresh ? tr("Start") : tr("Serve it"));
    m_go->setEnabled(why.isEmpty() && m_name->error().isEmpty() && m_port->error().isEmpty());
    fit();
}

void ServeSheet::fit() {
    m_area->updateGeometry(); // rows were shown or hidden in it
    if (isVisible()) reposition();
}

void ServeSheet::go() {
    judge();
    if (!m_go->isEnabled()) return;
    m_go->setEnabled(false);
    m_go->setText(isNew() ? tr("Starting…") : tr("Loading and checking…"));
    const auto then = [self = QPointer(this)](const Result<void>& result) {
        if (self) self->ended(result);
    };
    if (isNew()) return m_bench.serving.start(spec(), this, then);
    m_bench.serving.swap(m_service->currentData().toString(), model(), static_cast<SwapMode>(m_takes->currentIndex()),
                         this, then);
}

void ServeSheet::ended(const Result<void>& result) {
    if (result) return close();
    judge();
    m_problem->setText(sentence(QString::fromStdString(result.error().text())));
    m_problem->show();
    fit();
}

} // namespace trainyard::ui
