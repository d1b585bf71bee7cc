# Made by completions/make.sh.
set -g __icecore_sources \
	'info'\t'what is known about the file; repairs and losses' \
	'threads'\t'the threads, in order of their first record' \
	'methods'\t'the methods with their totals over all threads' \
	'calls'\t'the merged call tree of each thread, parents first' \
	'merged'\t'one call tree of several threads, all unless told' \
	'inverted'\t'methods with their self time, below each its callers' \
	'spans'\t'the calls of a thread in order of time' \
	'records'\t'the records of the file, in its order' \
	'help'\t'all commands, or one with its columns' \
	'columns'\t'the columns of a source' \

set -g __icecore_stages \
	'callers'\t'what calls the methods of the rows, and with how much time' \
	'callees'\t'what the methods of the rows call, and with how much time' \
	'parents'\t'the calls that the calls of the rows were made from' \
	'children'\t'the calls that the calls of the rows made' \
	'where'\t'the rows for which a condition holds' \
	'sort'\t'rows in the order of columns, -COLUMN from the greatest' \
	'top'\t'the rows with the greatest values, 10 unless told' \
	'head'\t'the first rows, 10 unless told' \
	'tail'\t'the last rows, 10 unless told' \
	'select'\t'these columns, or what is computed from them, in this order' \
	'distinct'\t'the first of rows that are equal, in all or some columns' \
	'count'\t'how many rows there are' \
	'group'\t'one row for all that are equal in columns, with aggregates' \
	'sum'\t'sums over all rows' \
	'min'\t'the least values of all rows' \
	'max'\t'the greatest values of all rows' \
	'avg'\t'averages over all rows' \
	'columns'\t'the columns of the rows instead of the rows' \
	'format'\t'print the rows so, whatever -o says' \
	'export'\t'write the rows to a new file; its suffix tells the format' \
	'export!'\t'the same, and replace a file that is there' \

function __icecore_query
	set -l query (commandline -ct | string replace -r '^[\'"]' '')
	set -l last (string replace -r '^(.*\\|)? *' '' -- "$query")
	set -l before (math (string length -- "$query") - (string length -- "$last"))
	set -l words $__icecore_sources
	string match -q '*|*' -- "$query"; and set words $__icecore_stages
	string match -q '* *' -- "$last"; and return
	for word in $words
		echo (string sub -l $before -- "$query")$word
	end
end
complete -c icecore -s e -x -a "(__icecore_query)" -d "print the answer; may be given again"
complete -c icecore -s f -r -F -d "print the answers to the queries in a file, one a line"
complete -c icecore -l stop-on-error -d "answer nothing more once a query failed"
complete -c icecore -s o -x -a "table tsv csv json folded" -d "format of answers"
complete -c icecore -l clock -x -a "wall cpu off" -d "clock of self and total; off is wall less cpu"
complete -c icecore -l text -d "print the biggest calls as an indented tree"
complete -c icecore -l index -x -a "(__fish_complete_directories)" -d "keep the index there, not beside the file"
complete -c icecore -l no-index -d "keep no index"
complete -c icecore -l memory -x -d "memory for work before it uses files"
complete -c icecore -l no-history -d "neither read nor write the history of the prompt"
complete -c icecore -l keys -r -F -d "run the explorer from a script of keys, for tests"
complete -c icecore -l list-formats -d "list the formats that can be opened"
complete -c icecore -l version -d "print the version"
complete -c icecore -l help -d "print this help"
