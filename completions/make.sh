# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# make.sh ICECORE FOLDER: writes the completions of the shells from what the
# program says of itself by --help all.  They ask for words of queries, formats
# and processes when these are needed.  "make completions" runs it; a test
# compares the files that are kept with what it writes.
icecore=$1
folder=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
tab=$(printf '\t')

options() { # options [COMMAND]: lines of option, argument, the words it may be, meaning, between tabs
	"$icecore" "$@" --help all | sed -f "${0%/*}/options.sed" | sed -n 's/^  \(-[^ ]*\) \([A-Z/]*\)  *\(.*\)$/\1	\2	\3/p' |
	    awk -F '\t' -v OFS='\t' '{
		words = ""
		if ($2 != "" && match($3, / \([^(]*\)$/)) {
			words = $1 == "--as" ? "" : substr($3, RSTART + 2, RLENGTH - 3)
			gsub(/, | or /, " ", words)
			$3 = substr($3, 1, RSTART - 1)
		}
		print $1, $2, words, $3
	    }'
}

options >"$scratch/options"
# The programs that a first argument names, each with options of its own.
programs=$("$icecore" --help all | sed -n 's/^ *\(usage:\|\) *icecore \([a-z][a-z]*\) .*/\2/p' | sort -u | tr '\n' ' ' | sed 's/ $//')
for p in $programs; do
	case $p in
	help) : >"$scratch/help" ;;
	*) options "$p" >"$scratch/$p" ;;
	esac
done

[ -s "$scratch/options" ] || { echo "no options" >&2; exit 1; }
# Kinds of icecore record, and a list of processes.
kinds=$("$icecore" record --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' | tr '\n' ' ' | sed 's/ $//')
ps="ps 2>/dev/null | awk 'NR > 1 { print \$1 \"\\t\" \$NF }'"

formats="--list-formats 2>/dev/null | cut -d ' ' -f 1"

# Names of the presets that the user has added to those of the program.
own="sed -n 's/^[[] *\([^] ]*\).*/\1/p'"

quoted() { # standard input in single quotes
	sed "s/'/'\\\\''/g; s/^/'/; s/\$/'/"
}

words() { # words LIST: the words of a list in one line
	cut -f 1 "$scratch/$1" | tr '\n' ' ' | sed 's/ $//'
}

# ---- bash

bash_arguments() { # bash_arguments LIST: what its options take, as branches of a case
	awk -F '\t' -v q="'" '{
		action["QUERY"] = "_icecore_query \"$2\""
		action["SCRIPT"] = "compopt -o default"
		action["DIR"] = "COMPREPLY=($(compgen -d -- \"$2\"))"
		action["FILE"] = "compopt -o default"
		if ($1 == "--preset")
			$3 = $3 q"\" $(_icecore_presets)\""q
		if ($1 == "--as")
			$3 = q"\"$(_icecore_formats)\""q
		if ($2 != "")
			print "\t" $1 ") " ($3 != "" ? "COMPREPLY=($(compgen " ($2 == "DIR" ? "-d " : "") "-W " q $3 q " -- \"$2\"))" : \
			    $2 in action ? action[$2] : ":") " ;;"
	}' "$scratch/$1"
}

make_bash() {
	cat <<END
# bash completion for icecore, made by completions/make.sh
_icecore_options='$(words options)'
_icecore_programs='$programs'
_icecore_kinds='$kinds'
$(for p in $programs; do echo "_icecore_$p='$(words "$p")'"; done)

_icecore_presets() # names of the user's own
{
	$own "\${XDG_CONFIG_HOME:-\$HOME/.config}/icecore/presets" 2>/dev/null
}

_icecore_formats()
{
	"\${COMP_WORDS[0]}" $formats
}

_icecore_processes()
{
	"\${COMP_WORDS[0]}" $ps | cut -f 1
}

_icecore_argument() # OPTION WORD
{
	case \${COMP_WORDS[1]} in
$(for p in $programs; do
	echo "	$p) case \$1 in"
	bash_arguments "$p"
	printf '\t*) return 1 ;;\n\tesac ;;\n'
done)
	*) case \$1 in
$(bash_arguments options)
	*) return 1 ;;
	esac ;;
	esac
}
END
	cat <<'END'

_icecore_query() # the query so far
{
	compopt +o filenames -o nospace
	mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" --complete "$1" 2>/dev/null | cut -f 1)
}

_icecore_operand() # of the programs that take words in place of files
{
	case ${COMP_WORDS[1]}:$COMP_CWORD in
	record:2) COMPREPLY=($(compgen -W "$_icecore_kinds" -- "$1")) ;;
	record:*) COMPREPLY=($(compgen -W "$(_icecore_processes)" -- "$1")) ;;
	help:2)
		_icecore_query "$1"
		COMPREPLY+=($(compgen -W "$_icecore_programs" -- "$1")) ;;
	*) return 1 ;;
	esac
}

_icecore()
{
	local before=$3 words p

	COMPREPLY=()
	[ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
	_icecore_argument "$before" "$2" && return
	case $2 in
	-*)
		words=$_icecore_options
		for p in $_icecore_programs; do
			[ "${COMP_WORDS[1]}" != "$p" ] || words=_icecore_$p words=${!words}
		done
		COMPREPLY=($(compgen -W "$words" -- "$2")) ;;
	*) _icecore_operand "$2" && return
		[ "$COMP_CWORD" != 1 ] || COMPREPLY=($(compgen -W "$_icecore_programs" -- "$2"))
		compopt -o default ;;
	esac
}
complete -o filenames -F _icecore icecore
END
}

# ---- zsh

zsh_options() { # zsh_options LIST: as _arguments takes them
	sed -e 's/[]\\:[]/\\&/g' "$scratch/$1" | awk -F '\t' '{
		action["QUERY"] = "_icecore_query"
		action["SCRIPT"] = "_files"
		action["FILE"] = "_files"
		action["DIR"] = "_directories"
		line = ($2 == "QUERY" || $2 == "SCRIPT" ? "*" : "") \
		    ($1 ~ /^--/ && $2 != "" ? $1 "=" : $1) "[" $4 "]"
		if ($1 == "--preset")
			line = line ":name:_icecore_presets " $3
		else if ($1 == "--as")
			line = line ":name:_icecore_formats"
		else if ($2 != "")
			line = line ":" tolower($2) ":" ($3 != "" && $2 == "DIR" ? "{_directories; compadd " $3 "}" : $3 != "" ? "(" $3 ")" : $2 in action ? action[$2] : " ")
		print line
	}' | quoted | sed 's/^/	/'
}

make_zsh() {
	cat <<END
#compdef icecore
# Made by completions/make.sh.
local -a icecore_options$(printf ' icecore_%s' $programs)

icecore_options=(
$(zsh_options options)
)
$(for p in $programs; do
	echo "icecore_$p=("
	zsh_options "$p"
	echo ")"
done)

_icecore_presets() # the presets of the program, and those of the user
{
	local -a presets=(\${(f)"\$($own "\${XDG_CONFIG_HOME:-\$HOME/.config}/icecore/presets" 2>/dev/null)"})

	compadd "\$@" \$presets
}

_icecore_formats()
{
	local -a formats=(\${(f)"\$(\$words[1] $formats)"})

	compadd "\$@" \$formats
}

_icecore_processes()
{
	local -a found=(\${(f)"\$(\$words[1] $ps)"})

	found=(\${found/\$'\\t'/:})
	_describe -t processes process found
}

_icecore_record() # a kind, then a process
{
	(( CURRENT > 3 )) && _icecore_processes || compadd $kinds
}
END
	cat <<'END'

_icecore_query()
{
	local -a found=(${(f)"$($words[1] --complete "$PREFIX" 2>/dev/null)"})

	found=(${${found//:/\\:}/$'\t'/:})
	_describe -t queries query found -S ''
}

case $words[2] in
END
	for p in $programs; do
		case $p in
		help) echo "help) _alternative 'programs:program:($programs)' 'words:word:_icecore_query' ;;" ;;
		record) echo "record) _arguments \$icecore_record '*:process:_icecore_record' ;;" ;;
		*) echo "$p) _arguments \$icecore_$p '*:file:_files' ;;" ;;
		esac
	done
	cat <<END
*) _arguments \$icecore_options '1:file:_alternative "programs:program:($programs)" "files:file:_files"' '*:file:_files' ;;
esac
END
}

# ---- fish

fish_options() { # fish_options LIST CONDITION
	awk -v when="$2" -v formats="$formats" -F '\t' '{
		action["QUERY"] = " -x -a \"(__icecore_query)\""
		action["SCRIPT"] = " -r -F"
		action["FILE"] = " -r -F"
		action["DIR"] = " -x -a \"(__fish_complete_directories)\""
		gsub(/["\\$]/, "\\\\&", $4)
		if ($1 == "--preset")
			$3 = $3 " (__icecore_presets)"
		if ($1 == "--as")
			$3 = "(icecore " formats ")"
		name = $1 ~ /^--/ ? "-l " substr($1, 3) : "-s " substr($1, 2)
		print "complete -c icecore -n \"" when "\" " name \
		    ($3 != "" ? " -x -a \"" $3 ($2 == "DIR" ? " (__fish_complete_directories)" : "") "\"" : $2 in action ? action[$2] : $2 != "" ? " -x" : "") " -d \"" $4 "\""
	}' "$scratch/$1"
}

make_fish() {
	cat <<END
# Made by completions/make.sh.

END
	cat <<'END'
function __icecore_query
	icecore --complete (commandline -ct | string replace -r '^[\'"]' '') 2>/dev/null
end
END
	cat <<END
function __icecore_presets
	set -q XDG_CONFIG_HOME; and set -l folder \$XDG_CONFIG_HOME; or set -l folder \$HOME/.config
	$own \$folder/icecore/presets 2>/dev/null
end

function __icecore_record # a kind, then a process
	if test (count (commandline -opc)) -lt 3
		string split ' ' '$kinds'
	else
		icecore $ps
	end
end
END
	echo "complete -c icecore -n __fish_is_first_token -a '$programs'"
	fish_options options "not __fish_seen_subcommand_from $programs"
	echo "complete -c icecore -n '__fish_seen_subcommand_from record' -x -a '(__icecore_record)'"
	echo "complete -c icecore -n '__fish_seen_subcommand_from help' -x -a '$programs (__icecore_query)'"
	for p in $programs; do
		fish_options "$p" "__fish_seen_subcommand_from $p"
	done
}

make_bash >"$folder/icecore" && make_zsh >"$folder/_icecore" &&
    make_fish >"$folder/icecore.fish"
