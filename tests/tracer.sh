# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# make check-peers CORPUS=DIR: traces and profiles of DIR against Perfetto's trace processor.
. "${srcdir:-$(dirname "$0")/..}/tests/python.sh"
"$python" "$srcdir/tests/peers/tracer.py" . "${CORPUS:?a folder with trace/}"
