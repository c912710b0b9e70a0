// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/manual/man_page.h"

namespace trainyard::manual {

// A document of the project as a manual page: headings, paragraphs, lists, tables (a row is an item under its first
// cell), code and inline marks. The document's title gives way to that of the page; links keep their text.
std::string markdownToRoff(const Page& page, std::string_view document);

} // namespace trainyard::manual
