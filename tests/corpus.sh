# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# Files with known answers against their expected facts: a part of the folder shared/data beside the sources, the same one each
# time, if it is there.  make check-corpus CORPUS=DIR: every file of DIR.
. "${srcdir:-$(dirname "$0")/..}/tests/python.sh"
if [ -z "${CORPUS:-}" ]; then
	CORPUS=$srcdir/../shared/data
	CORPUS_PART=80
	export CORPUS_PART
	if ! [ -d "$CORPUS/trace" ]; then
		echo "1..0 # SKIP the folder shared/data is not beside the sources"
		exit 0
	fi
fi
"$python" "$srcdir/tests/oracle/corpus.py" . "$(cd "$CORPUS" && pwd)"
