# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# make check-peers CORPUS=DIR: texts of perf and JSON files of DIR against what other programs read in them.
. "${srcdir:-$(dirname "$0")/..}/tests/python.sh"
"$python" "$srcdir/tests/peers/peers.py" . "${CORPUS:?a folder with trace/}"
