# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports the module beside it, not Python's."""
import decimal

print(decimal.__doc__)
