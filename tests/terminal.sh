# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# For tests in a real terminal: tmux on a private socket.  Sourced with nothing printed yet; leaves the scratch
# folder in $scratch, or ends the test: as a skip, or as a failure where every test must run (REQUIRE_ALL=1).
count=0

if ! command -v tmux >/dev/null; then
	if [ "${REQUIRE_ALL:-0}" = 1 ]; then
		echo "not ok 1 - tmux is installed"
	else
		echo "ok 1 - tmux is installed # SKIP install it to test a real terminal"
	fi
	echo 1..1
	exit 0
fi

scratch=$(mktemp -d) || exit 99
# The path of a socket has at most 107 bytes.
socket=$scratch/tmux room=
[ ${#socket} -le 100 ] || { room=$(mktemp -d /tmp/tmux.XXXXXX) && socket=$room/s; } || exit 99
export LC_ALL=C.UTF-8 XDG_STATE_HOME="$scratch/state" XDG_CACHE_HOME="$scratch/cache"
export XDG_CONFIG_HOME="$scratch/config" INPUTRC="$(cd "$srcdir" && pwd)/tests/inputrc"
unset NO_COLOR LINES COLUMNS TMUX
trap 't kill-server 2>/dev/null; rm -rf "$scratch" ${room:+"$room"}' EXIT

t() {
	TERM=xterm-256color tmux -S "$socket" -f /dev/null -u "$@"
}

screen() {
	t capture-pane -p 2>/dev/null
}

ok() { # ok NAME COMMAND...
	name=$1
	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		screen | sed 's/^/# /'
		false
	fi
}

# Polls for two minutes or longer, as a busy machine may be slow, while tmux runs.  An expired wait ends the script:
# the checks behind it would all wait as long.
until_ok() { # until_ok COMMAND...
	tries=0
	while [ $tries -lt 1200 ]; do
		"$@" && return 0
		tries=$((tries + 1))
		[ $((tries % 50)) -ne 0 ] || t has-session 2>/dev/null || break
		sleep 0.1
	done
	echo "not ok $((count + 1)) - ${name:-}"
	screen | sed 's/^/# /'
	echo "Bail out! not reached: $*"
	exit 99
}

has() { screen | grep -qF -- "$1"; }
hasnt() { ! has "$1"; }
shows() { until_ok has "$1"; }
hides() { until_ok hasnt "$1"; }

press() { # press TEXT KEY...: sends the keys, then waits for the text
	text=$1
	shift
	t send-keys "$@"
	shows "$text"
}

# The shell's prompt shows how the program before ended.
run() { # run COMMAND: in the shell of the pane
	t send-keys "clear; $1; echo \"ended \$?\"; stty -a | grep -c ' icanon' " Enter
}

restored() {
	[ "$(t display -p '#{alternate_on}#{cursor_flag}')" = 01 ] && screen | grep -qx 1
}
ended() { # the status, and a terminal as it was before
	until_ok has "ended $1" && until_ok restored
}

pid() { pgrep -P "$(t display -p '#{pane_pid}')" '^(icecore|qemu-)'; }
cursor() { [ "$(t display -p '#{cursor_x}')" = "$1" ]; }
progress() { screen | grep -qE '\[ *[0-9]+% \]'; }
coded() { t capture-pane -e -p 2>/dev/null | grep -qE "$(printf '\033')\[$1"; }
uncoded() { ! coded "$1"; }
clipboard() { t show-buffer 2>/dev/null | grep -qF -- "$1"; }

t new-session -d -c "$scratch" -x 80 -y 24 "PS1='$ ' sh"
t set -g status off
t set -s set-clipboard on
t set -s escape-time 0
t set -g default-terminal screen-256color
ok "a terminal" until_ok has '$'
