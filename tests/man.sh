# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# The manual is well formed, names everything that the tables of the program hold, and its examples run.
. "${srcdir:-$(dirname "$0")/..}/tests/python.sh"
"$python" "$srcdir/tests/oracle/mancheck.py" . "$srcdir" "$scratch"
