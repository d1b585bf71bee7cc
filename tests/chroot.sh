# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# For tests of a static program in a directory without anything else: there it shows and answers what the usual program
# does on this machine, which has libraries, terminals, locales and users.  Sourced with the program in $static, in
# $missing what keeps it from running, in $emulator what runs it, if it is not for this machine, and in $confined the
# sandbox of both, if it is another one than usual.
bin=$PWD/icecore

without() { # without WHAT: ends the test
	if [ "${REQUIRE_ALL:-0}" = 1 ] && [ "${SANITIZE:-no}" != yes ]; then
		echo "not ok 1 - needed: $1"
		echo 1..1
	else
		echo "1..0 # SKIP needed: $1"
	fi
	exit 0
}

[ -z "$missing" ] || without "$missing"
chroot=$(command -v chroot)
if "$chroot" / true 2>/dev/null; then
	:
elif unshare -r "$chroot" / true 2>/dev/null; then
	chroot="unshare -r $chroot"
else
	without "root, or unshare -r, for chroot"
fi
. "$srcdir/tests/terminal.sh"

world=$scratch/world
mkdir "$world" && cp "$static" ${emulator:+"$emulator"} "$world" || exit 99
inner="${emulator:+/${emulator##*/} }/icecore"
# In a folder: in the root itself the sandbox lets nothing be written.
for folder in "$scratch/w" "$world/w"; do
	mkdir "$folder" && cp "$srcdir/demo/phone.hprof.gz" "$folder" || exit 99
	printf 'main;é世界 30\nmain;☕ 10\n' >"$folder/wide.folded"
done
cd "$scratch" || exit 99

# ---- answers

inside() { # inside ENVIRONMENT WORD...
	environment=$1
	shift
	env -i ${confined:+"$confined"} "$environment" $chroot "$world" $inner "$@"
}

# same ENVIRONMENT INSIDE WORD...: the one out here and the other in there: equal output, errors and status
same() {
	environment=$1 other=$2
	shift 2
	env -i ${confined:+"$confined"} "$environment" "$bin" "$@" >here.out 2>here.err
	echo $? >>here.err
	inside "$other" "$@" >inside.out 2>inside.err
	echo $? >>inside.err
	[ -s here.out ] && cmp here.out inside.out && cmp here.err inside.err
}

answers() {
	ok "help" same A= A= --help
	ok "help of queries" same A= A= -e help
	ok "an answer" same A= A= -e 'classes | top 5 retained' w/phone.hprof.gz
	ok "its index is kept" test -s world/w/phone.hprof.gz.icx
	ok "a report" same A= A= --report w/phone.hprof.gz
	ok "a page" same A= A= -o html -e dominators w/phone.hprof.gz
	ok "pictures" same A= A= -e 'bitmaps | head 2 | png w/pictures' w/phone.hprof.gz
	ok "they are equal" diff -r w/pictures world/w/pictures
	ok "UTF-8" same LANG=C.UTF-8 LANG=C.UTF-8 -o table -e methods w/wide.folded
	ok "it is seen" grep -q '世界' inside.out
	for name in LC_ALL=sv_SE.UTF-8 LANG=en_US.utf8 LC_CTYPE=UTF-8; do
		ok "$name is UTF-8 as well" same LANG=C.UTF-8 $name -o table -e methods w/wide.folded
	done
	ok "other locales are not" same LANG=C LANG=de_DE.ISO-8859-1 -o table -e methods w/wide.folded
}

# ---- the explorer

# start TERM PROGRAM...
start() {
	type=$1
	shift
	run "env -i $confined TERM=$type LANG=sv_SE.UTF-8 HOME=/ $*"
}

# keep NAME I: the screen; the one in there is as out here, once all of it is drawn
keep() {
	kept=$1.$2 wanted=here.$2
	screen >"$kept"
	[ "$kept" = "$wanted" ] || until_ok eval 'screen >"$kept"; cmp -s "$wanted" "$kept"'
}

# walk NAME: keeps the screens on the way through a dump.  It waits for the sentence, which is computed last, as drawing may be slow.
walk() {
	shows "leaked: PhotoActivity" && hides "computing" && hides "working" && until_ok eval '! progress' && keep "$1" 1 &&
	    press "retained 1.19 MiB 100.0%" 4 && hides "working" && until_ok eval '! progress' && keep "$1" 2 &&
	    t send-keys : && shows ":" && t send-keys -l 'classes | count' && shows "classes | count" &&
	    t send-keys Home && t send-keys -l 'x' && shows "xclasses" && t send-keys BSpace && hides "xclasses" &&
	    t send-keys C-e BSpace && hides "classes | count" && t send-keys t && shows "count  number of rows" &&
	    t send-keys Left && hides "number of rows" && t send-keys Right && shows "count  number of rows" && keep "$1" 3 && press "91" Enter && keep "$1" 4 &&
	    t send-keys Q && ended 0
}

# screens TERM...: the same ones out here and in there; the first terminal that cannot show them is enough
screens() {
	for terminal in "$@"; do
		start $terminal "'$bin'" w/phone.hprof.gz
		ok "$terminal out here" walk here || break
		start $terminal "$chroot '$world' $inner" w/phone.hprof.gz
		ok "$terminal in there" walk inside
		for i in 1 2 3 4; do
			ok "$terminal: screen $i is the same" diff here.$i inside.$i
		done
		ok "lines are drawn" grep -q '│' inside.2
	done
}

# ends: a terminal that nobody knows, the prompt, and how the explorer ends
ends() {
	start nosuch "$chroot '$world' $inner" w/wide.folded
	ok "an unknown terminal is reported" shows "TERM=nosuch is unknown; using 'screen-256color'"
	ok "and serves" press "世界" 4
	ok "a word is completed" eval 'press ":" ":"; t send-keys -l meth; press ":methods" Tab'
	ok "UTF-8 is edited by characters" eval 't send-keys -l " | where name = 世é"; shows "世é" &&
	    t send-keys BSpace BSpace && hides "= 世" && has "where name ="'
	t send-keys C-c
	ok "it ends" eval 'hides ":methods" && t send-keys Q && ended 0'
	for signal in TERM:143 HUP:129 ABRT:134; do
		start xterm-256color "$chroot '$world' $inner" w/wide.folded
		shows "世界"
		kill -${signal%:*} "$(pid)"
		ok "SIG${signal%:*} leaves the terminal whole" ended ${signal#*:}
	done
}
