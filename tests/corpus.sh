# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# make check-corpus CORPUS=DIR: every file of DIR against its expected facts.
. "${srcdir:-$(dirname "$0")/..}/tests/python.sh"
"$python" "$srcdir/tests/oracle/corpus.py" . "${CORPUS:?a folder with trace/MANIFEST.tsv}"
