# SPDX-License-Identifier: GPL-3.0-or-later
"""A module of the user's own with the name of one of Python's."""
