# Made by completions/make.sh.
set -g __icecore_sources \
	'info'\t'what is known about the file; repairs and losses' \
	'threads'\t'the threads, in order of their first record' \
	'methods'\t'the methods with their totals over all threads' \
	'calls'\t'the merged call tree of each thread, parents first' \
	'merged'\t'one call tree of several threads, all unless told' \
	'inverted'\t'methods with their self time, below each its callers' \
	'spans'\t'the calls of threads in order of time, of all unless told' \
	'records'\t'the records of the file, in its order' \
	'tracks'\t'what was measured over time: CPU use, counters, states' \
	'metrics'\t'what tracks measured, point after point' \
	'states'\t'what threads were doing over time, as far as the file tells' \
	'waits'\t'the times in which threads did not run, with their causes' \
	'tasks'\t'the tasks with their time on and off CPUs' \
	'cpus'\t'the CPUs with their busy and idle time' \
	'switches'\t'the switches from task to task' \
	'wakeups'\t'the wakeups of tasks, and who woke them' \
	'events'\t'the events of a profile; the one with most samples counts' \
	'async'\t'the kinds of asynchronous operations, which take the most time first' \
	'async_spans'\t'the asynchronous operations, in order of time' \
	'counters'\t'the counters, whose values over time are tracks' \
	'flows'\t'what leads from call to call, over threads' \
	'marks'\t'the events of a moment in a trace of Chrome\'s kind' \
	'stacks'\t'folded stacks of perf script, named as flame graph scripts do' \
	'accounts'\t'the statements in the file: accounts with their balances' \
	'transactions'\t'the transactions, in the order of the file' \
	'balances'\t'what the accounts hold, as the bank says' \
	'balance_check'\t'the ledger balance of each account against the sum of its transactions' \
	'histogram'\t'the classes that have instances, the largest first; needs no passes' \
	'classes'\t'the classes, all or these, with their instances' \
	'objects'\t'the objects, all or those of some classes; also @ID or 0xADDR' \
	'instances'\t'the objects of classes; also of a class by its @ID' \
	'superclasses'\t'the classes that these extend, the nearest first' \
	'subclasses'\t'the classes that extend these, at any distance' \
	'strings'\t'the objects of java.lang.String with their texts' \
	'bitmaps'\t'the bitmaps of Android; PIXELS (RGB_565, ...) instead of a guessed format' \
	'duplicates'\t'texts, arrays and bitmaps that are there several times, by what that wastes' \
	'collections'\t'lists, maps and sets, how full they are and whose they are' \
	'roots'\t'what is held from outside the heap, in order of the file' \
	'frames'\t'the stacks of the threads, innermost calls first' \
	'locals'\t'what the stacks of the threads hold, by thread and call' \
	'loaders'\t'the class loaders, with what they loaded' \
	'components'\t'packages, class loaders or classes, with what each retains' \
	'findings'\t'leaks, and what eats the heap, the worst first' \
	'names'\t'what fills the heap, by field path: the tree of dominators, folded by the names of fields' \
	'dominators'\t'the objects that nothing dominates, or that one dominates; the largest first' \
	'dominator'\t'the object that dominates each of these; all: those up to the top' \
	'dominated'\t'the objects that these dominate at once' \
	'retained'\t'all objects that would be freed with these, and these' \
	'refs'\t'what an object refers to' \
	'referrers'\t'what refers to an object' \
	'entries'\t'elements of lists, sets, maps and arrays' \
	'fields'\t'fields of an object, elements of an array, statics of a class' \
	'path'\t'why an object is alive: the shortest way from a root to it' \
	'paths'\t'the N (10) shortest ways from roots to an object, no part of one twice' \
	'chains'\t'ways from static fields to an object, the shortest first, as lines' \
	'leaktrace'\t'why objects are alive and which references are to blame, as lines' \
	'raw'\t'the bytes of an object as they stand in the file, field by field' \
	'bytecode'\t'the instructions of methods, with the share of their lines' \
	'bugs'\t'Cursors that bytecode does not close, or not on all paths' \
	'help'\t'all commands, or one with its columns' \
	'columns'\t'the columns of a table; of a source those of its rows' \

set -g __icecore_stages \
	'calls'\t'the call trees of the threads' \
	'merged'\t'one call tree of the threads' \
	'inverted'\t'methods of the threads, below each its callers' \
	'methods'\t'methods with their totals over the threads' \
	'bugs'\t'the bugs of the methods of the rows, or by which their objects may have been made' \
	'bytecode'\t'the instructions of the methods of the rows' \
	'threads'\t'the threads on which the calls or methods of the rows run' \
	'hide'\t'leaves frames out; their self time goes to the caller' \
	'keep'\t'only stacks that pass through a frame like that' \
	'drop'\t'only stacks that pass through no such frame' \
	'fold'\t'one frame of several that call each other and are like that' \
	'by'\t'frames put together by class, package, file or module' \
	'range'\t'only what happened in a piece of time' \
	'event'\t'the samples of another event, or of one instead of the calls' \
	'diff'\t'the second file compared with the first: after, before, delta' \
	'file'\t'the same of another one of the open files' \
	'callers'\t'what calls the methods of the rows, and with how much time' \
	'callees'\t'what the methods of the rows call, and with how much time' \
	'parents'\t'the calls that the calls of the rows were made from' \
	'children'\t'the calls that the calls of the rows made' \
	'instances'\t'the objects of the classes in the rows' \
	'superclasses'\t'the classes that those of the rows extend' \
	'subclasses'\t'the classes that extend those of the rows' \
	'dominator'\t'the objects that dominate those of the rows; all: up to the top' \
	'dominated'\t'the objects that those of the rows dominate at once' \
	'retained'\t'all objects that would be freed with those of the rows, and those' \
	'refs'\t'what the objects of the rows refer to' \
	'referrers'\t'what refers to the objects of the rows' \
	'frames'\t'the stacks of the threads of the rows, innermost calls first' \
	'locals'\t'what the stacks of the threads of the rows hold, by thread and call' \
	'entries'\t'elements of the collections and arrays of the rows' \
	'fields'\t'fields, elements and statics of the objects of the rows' \
	'path'\t'the shortest way from a root to each object of the rows' \
	'paths'\t'the N (10) shortest ways from roots to each object of the rows' \
	'leaktrace'\t'why the objects of the rows are alive and which references are to blame' \
	'copies'\t'all strings, arrays and bitmaps that are equal to those of the rows' \
	'during'\t'what happened on the thread in the time of each row' \
	'waits'\t'the times in which the threads did not run, with their causes' \
	'where'\t'the rows for which a condition holds' \
	'sort'\t'rows in the order of columns, -COLUMN from the greatest' \
	'top'\t'rows with the largest values (default 10), of all or per key' \
	'head'\t'the first rows (default 10), of all or per key' \
	'tail'\t'the last rows (default 10)' \
	'select'\t'these columns, or what is computed from them, in this order' \
	'distinct'\t'the first of rows that are equal, in all or some columns' \
	'count'\t'how many rows there are' \
	'group'\t'one row for all rows with equal keys, with aggregates' \
	'split'\t'rows cut at multiples of a time, amounts in proportion' \
	'sum'\t'sums over all rows' \
	'min'\t'the least values of all rows' \
	'max'\t'the greatest values of all rows' \
	'avg'\t'averages over all rows' \
	'p50'\t'medians over all rows' \
	'p90'\t'90th percentiles over all rows' \
	'p95'\t'95th percentiles over all rows' \
	'p99'\t'99th percentiles over all rows; p1 to p99' \
	'columns'\t'the columns of the rows instead of the rows' \
	'format'\t'print the rows so, whatever -o says' \
	'export'\t'write the rows to a new file; its suffix tells the format' \
	'export!'\t'the same, and replace a file that is there' \
	'png'\t'write the bitmaps of the rows as pictures to a folder, equal ones once' \

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
complete -c icecore -s o -x -a "table tsv csv json folded dot svg html" -d "format of answers"
complete -c icecore -l clock -x -a "wall cpu off" -d "clock of self and total; off is wall less cpu"
complete -c icecore -l refs -x -a "soft strong all" -d "references that count in a heap dump; soft leaves weak ones out"
complete -c icecore -l sizes -x -a "vm mat" -d "sizes of objects as the VM has them, or as MAT computes them"
complete -c icecore -l rules -x -a "paths seed" -d "rules for bugs: all paths of a method, or those of the FindBugs detectors"
complete -c icecore -l dump -x -d "which heap dump to open of a file that holds several; 1 is the first"
complete -c icecore -l as -x -a "trace hprof classes nanoscope sched perf json ofx folded table" -d "read all files as that format, whatever they look like"
complete -c icecore -l path -x -d "read a table: columns that make the path of a record, commas between; a:month, a:dir and a:split=X are parts of one"
complete -c icecore -l weight -x -d "of a table the column of the weight; may be given again; without it each record counts 1"
complete -c icecore -l time -x -d "of a table the column of the time, for the stage range"
complete -c icecore -l sep -x -d "what stands between the fields of a table, if it is not found: tab, or one character"
complete -c icecore -l decimal -x -a ". ," -d "decimal mark of the weights of a table, if it is not found: . or ,"
complete -c icecore -l header -x -a "yes no" -d "whether the first record of a table has names, if it is not found"
complete -c icecore -l raw -d "of a table also what stands behind the last column, as the column cut of records"
complete -c icecore -l by -x -d "what the paths of bank statements are made of, commas between: account, kind, currency, type, payee, month, year, day, memo, sic, check"
complete -c icecore -l full -d "whole numbers of bank accounts, not their last four characters alone"
complete -c icecore -l pending -d "count transactions of bank statements that are not booked yet, too"
complete -c icecore -l threads -r -F -d "names of threads: a thread dump or a list of tid and name; may be given again"
complete -c icecore -l mapping -r -F -d "names of classes and methods: a mapping.txt of R8 or ProGuard; may be given again"
complete -c icecore -l classes -r -F -d "bytecode of the program: a jar, an APK, a dex file or a folder of classes; may be given again"
complete -c icecore -l event -x -d "the event of a profile that counts; without it the one with the most samples"
complete -c icecore -l file -x -d "which of several files queries are about; 1 is the first"
complete -c icecore -l offset -x -d "what is added to times of the second file to have those of the first, as 1.5s or -20ms"
complete -c icecore -l text -d "print the biggest calls, or what retains most, as an indented tree"
complete -c icecore -l report -d "print a page about the file: leaks and what fills it; for tickets"
complete -c icecore -l index -x -a "(__fish_complete_directories)" -d "keep the index there, not beside the file"
complete -c icecore -l no-index -d "keep no index"
complete -c icecore -l memory -x -d "memory for work before it uses files"
complete -c icecore -l no-history -d "neither read nor write the history of the prompt"
complete -c icecore -l keys -r -F -d "run the explorer from a script of keys, for tests"
complete -c icecore -l list-formats -d "list the formats that can be opened"
complete -c icecore -l version -d "print the version"
complete -c icecore -l help -d "print this help"
