#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# The list of terminals in carry.c: names of those that the machine knows, each with a space and what TERMINFO may hold, and a NUL.
set -eu
for name in alacritty ansi eterm-color foot ghostty konsole-256color linux mlterm-256color putty putty-256color rxvt \
    rxvt-unicode rxvt-unicode-256color screen screen-256color screen.xterm-256color st-256color tmux tmux-256color \
    vt100 vt102 vt220 wezterm xterm xterm-256color xterm-color xterm-ghostty xterm-kitty; do
	! entry=$("$1" -x -q -Q2 "$name" 2>/dev/null) ||
	    printf '%s %s\0' "$name" "$(printf %s "$entry" | tr -d '\n')"
done
