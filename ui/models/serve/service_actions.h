// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serve/control/service_folder.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>

namespace trainyard::serve {
class ServiceClient;
}

namespace trainyard::ui {

// How a service that runs takes another checkpoint.
enum class SwapMode {
    All,    // every request, once the new version is checked
    Canary, // a tenth of the requests
    Shadow, // copies of the requests: nobody gets its answers
};

// A user's actions on the services of the workspace. Every call returns at once and runs in the background; each ends
// in one of the signals. GUI thread.
class ServiceActions : public QObject {
    Q_OBJECT
public:
    explicit ServiceActions(store::Workspace workspace, QObject* parent = nullptr);
    ~ServiceActions() override;

    // Starts a service; `done` gets the result if `context` still exists, instead of failed().
    void start(const serve::ServiceSpec& spec, QObject* context, std::function<void(const Result<void>&)> done);
    // Gives a service another checkpoint, in the same way.
    void swap(const QString& service, const serve::ServedModel& model, SwapMode mode, QObject* context,
              std::function<void(const Result<void>&)> done);
    // Again what has stopped or failed.
    void resume(const QString& service);
    // Takes no new requests, lets the accepted ones finish, then ends it.
    void stop(const QString& service);
    // Of one of its models: the canary or shadow becomes the version of all; the former version becomes that again.
    void promote(const QString& service, const QString& model);
    void rollBack(const QString& service, const QString& model);
    // A share of 0 to 1 of the requests for the canary; 0 ends it.
    void setShare(const QString& service, const QString& model, double share);
    void scale(const QString& service, int least, int most);
    // Kills a replica as a crash would.
    void killReplica(const QString& service, int number);

Q_SIGNALS:
    void started(const QString& service);
    // Something about a service has changed: ask again.
    void changed();
    void done(const QString& text); // a line about the result
    void failed(const QString& what, const trainyard::Error& error);

private:
    using Call = std::function<Result<void>(const serve::ServiceClient&)>;
    void call(const QString& service, Call work, const QString& told, const QString& problem);

    store::Workspace m_workspace;
    QThreadPool m_pool;
};

} // namespace trainyard::ui
