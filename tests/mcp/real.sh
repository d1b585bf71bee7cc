# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# icecore mcp and a client of others, which pip installs into a folder of the build: make check-mcp.
. "${srcdir:-$(dirname "$0")/..}/tests/python.sh"
client=$PWD/mcp-client
if ! "$client/bin/python" -c 'import mcp' 2>/dev/null &&
    ! { "$python" -m venv "$client" && "$client/bin/pip" install -q 'mcp>=2,<3'; } >"$scratch/pip" 2>&1; then
	sed 's/^/# /' "$scratch/pip"
	if [ "${REQUIRE_ALL:-0}" = 1 ]; then
		echo "not ok 1 - the client is installed"
		echo 1..1
	else
		echo "1..0 # SKIP the client cannot be installed"
	fi
	exit 0
fi
"$client/bin/python" "$srcdir/tests/mcp/real.py" "$PWD/icecore" "$scratch/root" "$srcdir" 2>"$scratch/err" ||
    { tail -n 20 "$scratch/err" | sed 's/^/# /'; echo "not ok 0 - the check ended early"; }
