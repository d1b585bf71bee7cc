#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# cover.sh COMMAND... TEST: runs a test, and leaves in cover/TEST which blocks ran, and in cover/TEST/seconds its CPU time.
for test; do :; done
COVER_DIR=$PWD/cover/${test#"$(cd "${srcdir:-..}" && pwd)/"}
case $COVER_DIR in */tests/*) COVER_DIR=$PWD/cover/tests/${COVER_DIR##*/tests/} ;; esac
export COVER_DIR
mkdir -p "$COVER_DIR"
"$@"
status=$?
times >"$COVER_DIR/seconds"
exit $status
