#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# demo.sh BUILD-FOLDER: the demo without a terminal goes over the end of summer time.
out=$("$1/run_demo" --elf "$1/clock.elf" --no-chronyd --tz EST5EDT,M3.2.0,M11.1.0 --at 1793512785 \
    --speed 10 --seconds 4 </dev/null) || exit $?
echo "$out"
echo "$out" | grep -q '^01:59:59 ' && echo "$out" | grep -q '^01:00:00 '
