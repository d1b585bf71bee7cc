# Made by completions/make.sh.
set -g __icecore_sources \
	'info'\t'file facts, repairs and losses' \
	'threads'\t'threads with wall, CPU and off-CPU time' \
	'methods'\t'methods with self and total time' \
	'calls'\t'call tree of each thread, top-down' \
	'merged'\t'call tree of all or the named threads, merged' \
	'process_calls'\t'call tree of each process, threads merged' \
	'inverted'\t'bottom-up tree: methods by self time, callers below' \
	'callers'\t'callers of a method up to the top, as a tree' \
	'callees'\t'callees of a method down to the bottom, as a tree' \
	'arcs'\t'calls from function to function, with their cost' \
	'lines'\t'lines of the source with their cost' \
	'events'\t'events of a call graph, one of which is current' \
	'spans'\t'single calls in time order, all or named threads' \
	'records'\t'raw records in file order, before repairs' \
	'tracks'\t'tracks: CPU use, counters, states' \
	'metrics'\t'points of counter and CPU tracks' \
	'states'\t'thread states over time, one row per interval' \
	'waits'\t'times when threads did not run, as far as recorded' \
	'blame'\t'critical path of a thread: who used the time while it waited' \
	'intervals'\t'events with a duration: waits, pauses, I/O' \
	'tasks'\t'tasks with CPU time, run-queue latency and waits' \
	'processes'\t'processes of a trace, with threads, CPU time and frames' \
	'thread_dumps'\t'stack dumps of the file, with threads and deadlocks' \
	'stack'\t'frames of a thread of a stack dump, innermost first' \
	'locks'\t'locks of stack dumps, with holders and waiters' \
	'blocked'\t'who waits for whom in stack dumps, holders first' \
	'deadlocks'\t'deadlocks of stack dumps, a row a thread' \
	'same_stacks'\t'threads with equal stacks, most threads first' \
	'pools'\t'pools of threads of stack dumps, most threads first' \
	'moves'\t'what threads did from one stack dump to the next' \
	'cpus'\t'CPUs with utilisation' \
	'switches'\t'context switches' \
	'wakeups'\t'wakeups of tasks, with the waker' \
	'async'\t'kinds of async slices, by total time' \
	'async_spans'\t'async slices, in time order' \
	'frames'\t'frames of Android: expected, actual, why they were late' \
	'categories'\t'categories of samples by thread (Firefox)' \
	'counters'\t'counters; their values over time are tracks' \
	'flows'\t'flows between calls, across threads' \
	'search'\t'processes by name; calls, slices, marks by name or args' \
	'marks'\t'instant events of Chrome traces' \
	'stacks'\t'folded stacks, named as stackcollapse-perf does' \
	'accounts'\t'accounts of the statements, with their balances' \
	'transactions'\t'transactions, in file order' \
	'balances'\t'balances of the accounts, as stated by the bank' \
	'elements'\t'all elements of a bank statement or request, in file order' \
	'balance_check'\t'ledger balance of each account against its transactions' \
	'histogram'\t'class histogram by shallow size (fast: no dominators)' \
	'classes'\t'classes with instance count, shallow and retained size' \
	'allocations'\t'allocations of a recording next to a dump, by class and site' \
	'objects'\t'objects: all, of classes, or by @ID or 0xADDR' \
	'instances'\t'instances of classes, by name or @ID' \
	'superclasses'\t'superclasses, nearest first' \
	'subclasses'\t'all subclasses, direct and indirect' \
	'strings'\t'strings with value, length and duplicates' \
	'bitmaps'\t'Android bitmaps; PIXELS overrides the guessed format' \
	'duplicates'\t'duplicate strings, arrays and bitmaps by wasted bytes' \
	'collections'\t'lists, maps and sets with size, fill ratio and owner' \
	'roots'\t'GC roots' \
	'locals'\t'locals: objects referenced by thread stacks' \
	'loaders'\t'class loaders with classes, objects and retained size' \
	'components'\t'packages, class loaders or classes, with retained size' \
	'findings'\t'leaks and memory waste, worst first' \
	'names'\t'heap by field path: dominator tree merged by field names' \
	'growth'\t'fields or classes that grow in every heap dump' \
	'dominators'\t'top of the dominator tree, or children of one object' \
	'dominator'\t'immediate dominator; all: every dominator' \
	'dominated'\t'immediately dominated objects' \
	'retained'\t'retained set of these objects' \
	'refs'\t'outgoing references of an object' \
	'referrers'\t'referrers (incoming references) of an object' \
	'entries'\t'elements of lists, sets, maps and arrays' \
	'fields'\t'fields, array elements or statics of an object' \
	'path'\t'shortest path from a GC root to an object' \
	'paths'\t'N shortest GC-root paths of an object (default 10)' \
	'chains'\t'shortest chains from static fields to an object, as text' \
	'leaktrace'\t'leak trace: path from a GC root, suspect references marked' \
	'raw'\t'hex dump of an object, field by field' \
	'bytecode'\t'instructions of methods, with the weight of their lines' \
	'bugs'\t'Cursors, streams and locks not released on all paths' \
	'dumps'\t'dumps of a triage, by path' \
	'groups'\t'findings of a triage by signature, most dumps first' \
	'changes'\t'methods in two builds of an app, surest change first' \
	'overview'\t'summary of the file in a few lines' \
	'presets'\t'named queries that answer a question, for --preset' \
	'help'\t'list commands, or describe one' \
	'columns'\t'columns of a table, or of a source' \

set -g __icecore_stages \
	'calls'\t'call trees of the threads' \
	'merged'\t'one merged call tree of the threads' \
	'inverted'\t'bottom-up tree of the threads' \
	'methods'\t'methods of the threads' \
	'bugs'\t'bugs of the methods, or that may have created the objects' \
	'bytecode'\t'instructions of the methods' \
	'threads'\t'threads that run these calls or methods' \
	'hide'\t'remove matching frames; self time goes to the caller' \
	'keep'\t'keep only stacks through a matching frame' \
	'drop'\t'keep only stacks without a matching frame' \
	'fold'\t'collapse chains of matching frames into one' \
	'by'\t'group frames by class, package, file or module' \
	'range'\t'limit to a time range; also 14:03:10 .. 14:03:20' \
	'event'\t'use another event, or an event instead of the calls' \
	'state'\t'keep only samples of threads in matching states' \
	'per'\t'one tree per thread state, stack dump or pool' \
	'dump'\t'keep only the threads of one stack dump' \
	'diff'\t'compare the second file with the first' \
	'file'\t'read another open file' \
	'callers'\t'callers of the methods, with time' \
	'callees'\t'callees of the methods, with time' \
	'parents'\t'parent calls' \
	'children'\t'child calls' \
	'instances'\t'instances of the classes' \
	'superclasses'\t'superclasses of the classes' \
	'subclasses'\t'subclasses of the classes' \
	'dominator'\t'immediate dominators of the rows; all: every dominator' \
	'dominated'\t'objects immediately dominated by the rows' \
	'retained'\t'retained set of the rows' \
	'refs'\t'outgoing references of the objects' \
	'referrers'\t'referrers of the objects' \
	'frames'\t'stacks of the threads, innermost frame first' \
	'locals'\t'objects held by the stacks of the threads' \
	'entries'\t'elements of the collections and arrays of the rows' \
	'fields'\t'fields, array elements or statics of the objects' \
	'path'\t'shortest path from a GC root to each object' \
	'paths'\t'N shortest GC-root paths of each object (default 10)' \
	'chains'\t'shortest chains from static fields to each object, as text' \
	'merge_paths'\t'shortest GC-root paths of all objects, merged into a tree' \
	'leaktrace'\t'leak traces of the objects' \
	'copies'\t'all duplicates of the strings, arrays or bitmaps' \
	'during'\t'states or values of tracks during each row' \
	'waits'\t'waits of the threads of the rows, as far as recorded' \
	'blame'\t'critical path of each row: who used its time' \
	'where'\t'keep rows that match a condition' \
	'sort'\t'sort by columns; -COLUMN is descending' \
	'top'\t'rows with the largest values (default 10), of all or per key' \
	'head'\t'the first rows (default 10), of all or per key' \
	'tail'\t'the last rows (default 10)' \
	'select'\t'choose, compute and order columns' \
	'distinct'\t'drop duplicate rows, by all or the given columns' \
	'count'\t'number of rows' \
	'group'\t'one row for all rows with equal keys, with aggregates' \
	'split'\t'split rows at multiples of a time, amounts in proportion' \
	'similar'\t'one row for all texts that are nearly equal' \
	'union'\t'add the rows of another query' \
	'sum'\t'sum of columns over all rows' \
	'min'\t'minimum of columns over all rows' \
	'max'\t'maximum of columns over all rows' \
	'avg'\t'mean of columns over all rows' \
	'p50'\t'medians over all rows' \
	'p90'\t'90th percentiles over all rows' \
	'p95'\t'95th percentiles over all rows' \
	'p99'\t'99th percentiles over all rows; p1 to p99' \
	'columns'\t'columns of the rows so far' \
	'format'\t'set the output format (overrides -o)' \
	'export'\t'write rows to a new file; suffix = format' \
	'export!'\t'write rows to a file, overwrite it' \
	'png'\t'write bitmaps as PNG to a directory, one to X.png' \

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
function __icecore_presets
	set -q XDG_CONFIG_HOME; and set -l folder $XDG_CONFIG_HOME; or set -l folder $HOME/.config
	sed -n 's/^[[] *\([^] ]*\).*/\1/p' $folder/icecore/presets 2>/dev/null
end
complete -c icecore -n __fish_is_first_token -a 'compare mcp page ps record redact slice triage watch'
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -s e -x -a "(__icecore_query)" -d "run QUERY, print the result and exit; repeatable"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -s f -r -F -d "run the queries of SCRIPT, one per line"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l preset -x -a "startup jank binder contention gc blocked cpu memory power anr io (__icecore_presets)" -d "run the queries of a preset; 'icecore -e presets' lists all"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l stop-on-error -d "stop at the first query that fails"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l fail-if-rows -d "exit with 6 if a query prints a row, with 0 if none does"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l repeat -x -d "run each query N more times and report its times"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l quiet -d "show no progress on standard error"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -s o -x -a "table tsv csv json md folded tree dot svg html sarif" -d "output format"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l raw-csv -d "do not put ' before CSV values that look like formulas"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l clock -x -a "wall cpu off" -d "clock for self and total (default: cpu if known)"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l refs -x -a "soft strong all unreachable" -d "references to follow; soft = all except weak"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l sizes -x -a "vm mat" -d "object sizes: as in the VM, or as in Eclipse MAT"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l rules -x -a "paths seed" -d "bug rules: all paths, or FindBugs detectors"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l dump -x -d "heap dump to open if the file contains several; from 1"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l as -x -a "trace hprof jfr classes nanoscope pprof perfetto json sched perf triage ofx stacks callgrind tracers folded table" -d "read all files as this format"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l path -x -d "read a table: path columns, e.g. owner,day:month,file:dir"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l weight -x -d "table column with the weight; repeatable; default: 1 per row"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l time -x -d "column of a table that has the times"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l sep -x -d "field separator of a table: tab or one character"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l decimal -x -a ". ," -d "decimal mark of a table"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l header -x -a "yes no" -d "whether the first record of a table contains column names"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l raw -d "tables: keep text after the last column (column 'cut')"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l by -x -d "levels of bank statements, e.g. month,payee"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l categories -r -F -d "rules for categories of transactions"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l full -d "show full account numbers, not only the last 4 characters"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l pending -d "include pending transactions"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l detail -d "add the args of trace events to their names"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l threads -r -F -d "thread names from a thread dump or a tid list; repeatable"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l mapping -r -F -d "deobfuscate with an R8/ProGuard mapping.txt; repeatable"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l classes -r -F -d "bytecode: jar, APK, dex file or class directory; repeatable"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l resources -r -F -d "bugs: more resources that must be released; repeatable"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l checks -r -F -d "bugs: rules about calls that must come together; repeatable"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l tracks -x -d "show the numbers of a table as tracks; repeatable"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l event -x -d "event of a profile, or a kind: cpu, wall, alloc, lock, ..."
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l file -x -d "file that queries read; default: 1, none if three or more"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l offset -x -d "shift the second file or tables in time, e.g. -20ms"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l text -d "print the largest calls or dominators as a tree and exit"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l report -d "print a one-page report for a ticket and exit"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l no-hash -d "omit SHA-256 from the header of --report and --text"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l stamp -d "show the file's modification time in the page header"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l index -x -a "(__fish_complete_directories)" -d "write the index to DIR, not next to the file"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l verify -d "use the index only if the whole file is unchanged"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l no-index -d "neither read nor write an index"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l read-only -d "write no files except an index in the cache directory"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l write-dir -x -a "(__fish_complete_directories)" -d "also let the explorer write to DIR; repeatable"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l inline -d "show inlined frames of perf.data (slow)"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l no-run -d "run no other programs (perf for perf.data)"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l no-symbols -d "do not look up function names for addresses in a profile"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l no-sandbox -d "run without the sandbox"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l memory -x -d "memory to use before spilling to disk"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l jobs -x -d "threads for large heap dumps; default: all cores, up to 8"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l unpacked -x -d "limit for decompressed files and pipes; default: 64g"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l reserve -x -d "disk space to keep free; default: 1g, at most 5%"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l timeout -x -d "stop queries after TIME; default: by file size"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l max-memory -x -d "memory limit; default: by file size"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l no-history -d "do not save the prompt history, marks and recent files"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l marks -r -F -d "save marks in FILE, not in the state directory"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l config -r -F -d "read the explorer configuration from FILE"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l no-mouse -d "start with the mouse off; M turns it on"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l graphics -x -a "auto kitty sixel cells" -d "protocol for bitmaps; auto asks the terminal"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l keys -x -a "for tests" -d "run the explorer from a key script"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l list-formats -d "list the supported input formats"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l list-config -d "print a configuration file with default values"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l show-policy -d "print what the policy of this machine allows"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l check-sandbox -d "test the sandbox and print what it refuses"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l version -d "print the version"
complete -c icecore -n "not __fish_seen_subcommand_from compare mcp page ps record redact slice triage watch" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l from -x -d "read paths from LIST, one per line; - is standard input"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l null -d "the paths of --from are separated by NUL"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l all -d "read the files of directories whatever their names"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l jobs -x -d "dumps read in parallel; default: by cores and memory"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l timeout -x -d "time limit per dump; default: by its size"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l memory -x -d "memory limit per dump; default: by its size"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l unpacked -x -d "limit for a decompressed dump; default: 64g"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l mapping -r -F -d "deobfuscate with an R8/ProGuard mapping.txt"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l mapping-dir -x -a "(__fish_complete_directories)" -d "like --mapping, with DIR/BUILD.txt; needs --name-pattern"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l name-pattern -x -d "find app, build, process and device in a path, e.g. {app}/{build}/{process}-{any}.hprof"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l sandbox -x -a "required" -d "do not read dumps if the sandbox is incomplete"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l by -x -a "app build process device" -d "what to compare, from the path"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l of -x -d "what to measure: 'span NAME', method, wait, fact, or query"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l strata -x -d "compare within each process, device ...; e.g. process,device"
complete -c icecore -n "__fish_seen_subcommand_from compare" -s o -x -a "table tsv csv json md folded tree dot svg html sarif" -d "output format"
complete -c icecore -n "__fish_seen_subcommand_from compare" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l refs -x -a "soft strong all unreachable" -d "references to follow; soft = all except weak"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l sizes -x -a "vm mat" -d "object sizes: as in the VM, or as in Eclipse MAT"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l rules -x -a "paths seed" -d "bug rules: all paths, or FindBugs detectors"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l threads -r -F -d "thread names from a thread dump or a tid list; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l mapping -r -F -d "deobfuscate with an R8/ProGuard mapping.txt; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l classes -r -F -d "bytecode: jar, APK, dex file or class directory; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l resources -r -F -d "bugs: more resources that must be released; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l checks -r -F -d "bugs: rules about calls that must come together; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l index -x -a "(__fish_complete_directories)" -d "write the index to DIR, not next to the file"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l verify -d "use the index only if the whole file is unchanged"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l no-index -d "neither read nor write an index"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l no-sandbox -d "run without the sandbox"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l memory -x -d "memory to use before spilling to disk"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l jobs -x -d "threads for large heap dumps; default: all cores, up to 8"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l unpacked -x -d "limit for decompressed files and pipes; default: 64g"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l reserve -x -d "disk space to keep free; default: 1g, at most 5%"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l timeout -x -d "stop queries after TIME; default: by file size"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l max-memory -x -d "memory limit; default: by file size"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l root -x -a "(__fish_complete_directories)" -d "directory of the files that clients may read"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l values -d "also show the contents of strings and arrays"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l follow -d "follow relative symbolic links that stay below the root"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l budget -x -d "maximum size of an answer, 4k to 256k; default: 16k"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l record -d "clients may record running processes, into the root"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l log-arguments -d "log the arguments of tool calls"
complete -c icecore -n "__fish_seen_subcommand_from mcp" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from page" -l quiet -d "show no progress on standard error"
complete -c icecore -n "__fish_seen_subcommand_from page" -l clock -x -a "wall cpu off" -d "clock for self and total (default: cpu if known)"
complete -c icecore -n "__fish_seen_subcommand_from page" -l refs -x -a "soft strong all unreachable" -d "references to follow; soft = all except weak"
complete -c icecore -n "__fish_seen_subcommand_from page" -l sizes -x -a "vm mat" -d "object sizes: as in the VM, or as in Eclipse MAT"
complete -c icecore -n "__fish_seen_subcommand_from page" -l rules -x -a "paths seed" -d "bug rules: all paths, or FindBugs detectors"
complete -c icecore -n "__fish_seen_subcommand_from page" -l dump -x -d "heap dump to open if the file contains several; from 1"
complete -c icecore -n "__fish_seen_subcommand_from page" -l as -x -a "trace hprof jfr classes nanoscope pprof perfetto json sched perf triage ofx stacks callgrind tracers folded table" -d "read all files as this format"
complete -c icecore -n "__fish_seen_subcommand_from page" -l path -x -d "read a table: path columns, e.g. owner,day:month,file:dir"
complete -c icecore -n "__fish_seen_subcommand_from page" -l weight -x -d "table column with the weight; repeatable; default: 1 per row"
complete -c icecore -n "__fish_seen_subcommand_from page" -l time -x -d "column of a table that has the times"
complete -c icecore -n "__fish_seen_subcommand_from page" -l sep -x -d "field separator of a table: tab or one character"
complete -c icecore -n "__fish_seen_subcommand_from page" -l decimal -x -a ". ," -d "decimal mark of a table"
complete -c icecore -n "__fish_seen_subcommand_from page" -l header -x -a "yes no" -d "whether the first record of a table contains column names"
complete -c icecore -n "__fish_seen_subcommand_from page" -l raw -d "tables: keep text after the last column (column 'cut')"
complete -c icecore -n "__fish_seen_subcommand_from page" -l by -x -d "levels of bank statements, e.g. month,payee"
complete -c icecore -n "__fish_seen_subcommand_from page" -l categories -r -F -d "rules for categories of transactions"
complete -c icecore -n "__fish_seen_subcommand_from page" -l full -d "show full account numbers, not only the last 4 characters"
complete -c icecore -n "__fish_seen_subcommand_from page" -l pending -d "include pending transactions"
complete -c icecore -n "__fish_seen_subcommand_from page" -l detail -d "add the args of trace events to their names"
complete -c icecore -n "__fish_seen_subcommand_from page" -l threads -r -F -d "thread names from a thread dump or a tid list; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from page" -l mapping -r -F -d "deobfuscate with an R8/ProGuard mapping.txt; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from page" -l classes -r -F -d "bytecode: jar, APK, dex file or class directory; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from page" -l resources -r -F -d "bugs: more resources that must be released; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from page" -l checks -r -F -d "bugs: rules about calls that must come together; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from page" -l tracks -x -d "show the numbers of a table as tracks; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from page" -l event -x -d "event of a profile, or a kind: cpu, wall, alloc, lock, ..."
complete -c icecore -n "__fish_seen_subcommand_from page" -l file -x -d "file that queries read; default: 1, none if three or more"
complete -c icecore -n "__fish_seen_subcommand_from page" -l offset -x -d "shift the second file or tables in time, e.g. -20ms"
complete -c icecore -n "__fish_seen_subcommand_from page" -l no-hash -d "omit SHA-256 from the header of --report and --text"
complete -c icecore -n "__fish_seen_subcommand_from page" -l stamp -d "show the file's modification time in the page header"
complete -c icecore -n "__fish_seen_subcommand_from page" -l index -x -a "(__fish_complete_directories)" -d "write the index to DIR, not next to the file"
complete -c icecore -n "__fish_seen_subcommand_from page" -l verify -d "use the index only if the whole file is unchanged"
complete -c icecore -n "__fish_seen_subcommand_from page" -l no-index -d "neither read nor write an index"
complete -c icecore -n "__fish_seen_subcommand_from page" -l inline -d "show inlined frames of perf.data (slow)"
complete -c icecore -n "__fish_seen_subcommand_from page" -l no-run -d "run no other programs (perf for perf.data)"
complete -c icecore -n "__fish_seen_subcommand_from page" -l no-symbols -d "do not look up function names for addresses in a profile"
complete -c icecore -n "__fish_seen_subcommand_from page" -l no-sandbox -d "run without the sandbox"
complete -c icecore -n "__fish_seen_subcommand_from page" -l memory -x -d "memory to use before spilling to disk"
complete -c icecore -n "__fish_seen_subcommand_from page" -l jobs -x -d "threads for large heap dumps; default: all cores, up to 8"
complete -c icecore -n "__fish_seen_subcommand_from page" -l unpacked -x -d "limit for decompressed files and pipes; default: 64g"
complete -c icecore -n "__fish_seen_subcommand_from page" -l reserve -x -d "disk space to keep free; default: 1g, at most 5%"
complete -c icecore -n "__fish_seen_subcommand_from page" -l timeout -x -d "stop queries after TIME; default: by file size"
complete -c icecore -n "__fish_seen_subcommand_from page" -l max-memory -x -d "memory limit; default: by file size"
complete -c icecore -n "__fish_seen_subcommand_from page" -s o -r -F -d "write the page to FILE; default: NAME.html in the current directory"
complete -c icecore -n "__fish_seen_subcommand_from page" -l force -d "overwrite an existing regular file"
complete -c icecore -n "__fish_seen_subcommand_from page" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from ps" -l all -d "also list idle processes"
complete -c icecore -n "__fish_seen_subcommand_from ps" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from record" -s o -r -F -d "name of the recording; an existing file is never replaced"
complete -c icecore -n "__fish_seen_subcommand_from record" -s e -x -a "(__icecore_query)" -d "run QUERY on the recording, and do not open the explorer; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from record" -l report -d "print a one-page report, and do not open the explorer"
complete -c icecore -n "__fish_seen_subcommand_from record" -l no-open -d "only record"
complete -c icecore -n "__fish_seen_subcommand_from record" -l dry-run -d "only print what would happen to the process"
complete -c icecore -n "__fish_seen_subcommand_from record" -l all -d "heap, histogram: also count unreachable objects; cpu: all processes"
complete -c icecore -n "__fish_seen_subcommand_from record" -l adb -x -d "record an app on an Android device, by adb"
complete -c icecore -n "__fish_seen_subcommand_from record" -s s -x -d "with --adb, which device"
complete -c icecore -n "__fish_seen_subcommand_from record" -l on-oom -x -a "android (__fish_complete_directories)" -d "print how to set up a JVM that leaves its dump in DIR if it runs out of memory, or a class for an app"
complete -c icecore -n "__fish_seen_subcommand_from record" -s F -x -d "samples a second for each busy CPU; default: 99"
complete -c icecore -n "__fish_seen_subcommand_from record" -l cpu -x -d "only this CPU, from 0"
complete -c icecore -n "__fish_seen_subcommand_from record" -s n -x -d "number of thread dumps or histograms; default: 1, or no limit with a histogram every TIME"
complete -c icecore -n "__fish_seen_subcommand_from record" -l every -x -d "time between two thread dumps, histograms or, for sched, lists of tasks, e.g. 2s"
complete -c icecore -n "__fish_seen_subcommand_from record" -l settings -x -d "settings of the flight recording; default: profile"
complete -c icecore -n "__fish_seen_subcommand_from record" -l timeout -x -d "give up if a JVM does not answer for TIME; default: 5min"
complete -c icecore -n "__fish_seen_subcommand_from record" -l reserve -x -d "disk space to keep free; default: 1g, at most 5%"
complete -c icecore -n "__fish_seen_subcommand_from record" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l mode -x -a "shape stable" -d "how values are replaced"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l names -x -a "keep hash hash-all" -d "names to keep or replace"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l key-file -r -F -d "key for stable values and names; default: random"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l keep-field -x -d "keep the numbers in CLASS.FIELD; repeatable"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l profile -r -F -d "read options from FILE, one per line"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l write-mapping -r -F -d "write a mapping file with old and new names, for --mapping"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l level -x -d "gzip level of an output named .gz, 1 to 9; default: 6"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l no-time -d "omit the time of the dump from the output"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l strict -d "write nothing if the input is damaged or truncated"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l force -d "overwrite existing regular files"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l check -d "compare a redacted OUT with IN; write nothing"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l words -r -F -d "with --check: words that OUT must not contain, one per line"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l list-kept -d "list the fields, strings and task names that are kept"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l list-text -d "list the texts in OUT, the rarest first, each with its field"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l jobs -x -d "threads for compression; default: all cores, up to 8"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l unpacked -x -d "limit for decompressed files and pipes; default: 64g"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l reserve -x -d "disk space to keep free; default: 1g, at most 5%"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l timeout -x -d "stop after TIME, e.g. 30s; default: by the size of the file"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l max-memory -x -d "limit of memory; default: by the size of the file"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l quiet -d "show no progress and no summary on standard error"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l no-sandbox -d "run without the sandbox"
complete -c icecore -n "__fish_seen_subcommand_from redact" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l level -x -d "gzip level of an output named .gz, 1 to 9; default: 6"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l force -d "overwrite an existing regular file"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l jobs -x -d "threads; default: all cores, up to 8"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l memory -x -d "memory limit before spilling to disk"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l unpacked -x -d "limit for decompressed files and pipes; default: 64g"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l reserve -x -d "disk space to keep free; default: 1g, at most 5%"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l timeout -x -d "stop after TIME, e.g. 30s; default: by the size of the file"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l max-memory -x -d "limit of memory; default: by the size of the file"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l quiet -d "show no progress and no summary on standard error"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l no-sandbox -d "run without the sandbox"
complete -c icecore -n "__fish_seen_subcommand_from slice" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from triage" -s o -x -d "output directory; with --table and --groups: output format"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l from -x -d "read paths from LIST, one per line; - is standard input"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l null -d "the paths of --from are separated by NUL"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l all -d "read the files of directories whatever their names"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l jobs -x -d "dumps read in parallel; default: by cores and memory"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l shard -x -d "process part I of N of the files; I starts at 0"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l timeout -x -d "time limit per dump; default: by its size"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l memory -x -d "memory limit per dump; default: by its size"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l unpacked -x -d "limit for a decompressed dump; default: 64g"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l mapping -r -F -d "deobfuscate with an R8/ProGuard mapping.txt"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l mapping-dir -x -a "(__fish_complete_directories)" -d "like --mapping, with DIR/BUILD.txt; needs --name-pattern"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l name-pattern -x -d "find app, build, process and device in a path, e.g. {app}/{build}/{process}-{any}.hprof"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l retry -x -d "states to retry; default: timeout,oom,crash,system"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l keep -x -d "keep the N largest dumps of each signature in OUT/keep"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l max-bad -x -d "exit with status 3 if more than PERCENT of the dumps fail"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l redact -d "replace paths with hashes; omit descriptions of findings"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l sandbox -x -a "required" -d "do not read dumps if the sandbox is incomplete"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l page -d "keep the data for the page that icecore watch writes"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l one -x -d "print the rows of one dump, with NAME as its path"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l groups -x -d "print the findings, grouped by signature"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l by -x -a "finding path build" -d "with --groups: by signature, by hottest path, or methods in two builds"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l table -x -d "print the dumps"
complete -c icecore -n "__fish_seen_subcommand_from triage" -l help -d "print this help"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l jobs -x -d "dumps read in parallel; default: by cores and memory"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l timeout -x -d "time limit per dump; default: by its size"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l memory -x -d "memory limit per dump; default: by its size"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l unpacked -x -d "limit for a decompressed dump; default: 64g"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l mapping -r -F -d "deobfuscate with an R8/ProGuard mapping.txt"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l mapping-dir -x -a "(__fish_complete_directories)" -d "like --mapping, with DIR/BUILD.txt; needs --name-pattern"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l name-pattern -x -d "find app, build, process and device in a path, e.g. {app}/{build}/{process}-{any}.hprof"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l retry -x -d "states to retry; default: timeout,oom,crash,system"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l keep -x -d "keep the N largest dumps of each signature in OUT/keep"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l max-bad -x -d "exit with status 3 if more than PERCENT of the dumps fail"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l redact -d "replace paths with hashes; omit descriptions of findings"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l sandbox -x -a "required" -d "do not read dumps if the sandbox is incomplete"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l done -x -a "(__fish_complete_directories)" -d "move dumps to DIR after their rows are written"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l retain -x -d "remove files from INBOX after TIME, e.g. 720h, with their rows and pages"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l retain-size -x -d "remove the oldest files from INBOX beyond SIZE, with their rows and pages"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l once -d "exit after processing the dumps already in INBOX"
complete -c icecore -n "__fish_seen_subcommand_from watch" -l help -d "print this help"
