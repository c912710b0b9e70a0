// SPDX-License-Identifier: GPL-3.0-or-later
// A question to a service as text for other programs. The token stays in its file.
#pragma once

#include "ui/models/serve/service_caller.h"

#include <QString>

namespace trainyard::ui {

// One command for a shell.
QString curlText(const serve::ServiceView& service, const QString& model, const ServiceBody& body);
// A script for Python 3, without other packages.
QString pythonText(const serve::ServiceView& service, const QString& model, const ServiceBody& body);
// A body to begin with, while none was tried: by what the model takes.
ServiceBody exampleBody(const serve::ServiceStatus& status, const QString& model);

} // namespace trainyard::ui
