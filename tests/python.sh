# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# For tests that need python3: sourced with the plan still to print.  Leaves
# the scratch folder in $scratch and the interpreter in $python, or ends the
# test: as a skip, or as a failure where every test must run (REQUIRE_ALL=1).
# HURT_STEP and TEST_DAY: see tests/oracle/sampled.py.
LC_ALL=C.UTF-8
export LC_ALL
srcdir=${srcdir:-$(dirname "$0")/..}
python=${PYTHON:-python3}
if ! "$python" -I -S -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
	if [ "${REQUIRE_ALL:-0}" = 1 ]; then
		echo "not ok 1 - python3 (3.9 or later) is needed"
		echo 1..1
	else
		echo "1..0 # SKIP no python3 (3.9 or later)"
	fi
	exit 0
fi
# Modules are compiled once, and nothing is written beside the sources.
unset PYTHONDONTWRITEBYTECODE
PYTHONPYCACHEPREFIX=$PWD/tests/pyc
# The sanitized build is the one that sees what damage does.
if [ "${SANITIZE:-no}" = yes ]; then
	HURT_STEP=${HURT_STEP:-13}
else
	HURT_STEP=${HURT_STEP:-53}
	HURT_ROUNDS=${HURT_ROUNDS:-15}
	export HURT_ROUNDS
fi
TEST_DAY=${TEST_DAY:-0}
export PYTHONPYCACHEPREFIX HURT_STEP TEST_DAY
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM
