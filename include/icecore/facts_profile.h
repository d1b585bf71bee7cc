/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts about profiles, tables, bank statements and rows of triage.  See facts.h.
 */
#ifndef ICECORE_FACTS_PROFILE_H
#define ICECORE_FACTS_PROFILE_H

#define FACTS_PROFILE(FACT) \
	/* Profiles. */ \
	FACT(LINES, "lines", COUNT, PROFILES, "lines with a stack") \
	FACT(COMMENT_LINES, "comment_lines", COUNT, PROFILES, "lines that begin with #") \
	FACT(TOTAL_BEFORE, "total_before", COUNT, PROFILES, "total weight before") \
	FACT(EVENTS, "events", COUNT, PROFILES, "events; 'events' lists them") \
	FACT(CHOSEN_BY, "chosen_by", TEXT, PROFILES, "why this event is the current one") \
	FACT(VERSIONS, "versions", TEXT, PROFILES, "versions of the file format") \
	FACT(RECORDER, "recorder", TEXT, PROFILES, "program that wrote the recording") \
	FACT(VM, "vm", TEXT, PROFILES, "virtual machine that was recorded") \
	FACT(ARGUMENTS, "arguments", TEXT, PROFILES, "options and arguments of the virtual machine") \
	FACT(PID, "pid", COUNT, PROFILES, "process id of the virtual machine") \
	FACT(CHUNKS, "chunks", COUNT, PROFILES, "chunks of the recording, each self-contained") \
	FACT(RECORDED_EVENTS, "recorded_events", COUNT, PROFILES, "events of all kinds in the recording") \
	FACT(THREAD_DUMPS, "thread_dumps", COUNT, PROFILES, "thread dumps in the recording; --as stacks shows them") \
	FACT(RECORDER_LOST_BYTES, "recorder_lost_bytes", BYTES, PROFILES, "of events lost by the recorder") \
	FACT(RECORDER_LOST_SAMPLES, "recorder_lost_samples", COUNT, PROFILES, \
	    "CPU time {:sample|samples} lost by the recorder") \
	FACT(RECORDED_AT, "recorded_at", TEXT, ALL, "start of the recording") \
	FACT(DURATION, "duration", TIME, PROFILES, "duration of the recording") \
	FACT(PERIOD, "period", COUNT, PROFILES, "sampling period") \
	FACT(PERIOD_OF, "period_of", TEXT, PROFILES, "what the sampling period measures") \
	FACT(LABELS, "labels", TEXT, PROFILES, "label keys, with the labels that use them") \
	FACT(COMMENTS, "comments", TEXT, PROFILES, "comments of the profiler") \
	FACT(PROFILE_SAMPLES, "profile_samples", COUNT, PROFILES, "samples in the file, of all events") \
	FACT(MAPPINGS, "mappings", COUNT, PROFILES, "mapped programs and libraries") \
	FACT(LOCATIONS, "locations", COUNT, PROFILES, "locations (code addresses) in the program") \
	FACT(FUNCTIONS, "functions", COUNT, PROFILES, "functions in the file") \
	FACT(INLINED_LINES, "inlined_lines", COUNT, PROFILES, "inlined calls at these locations") \
	FACT(DROP_FRAMES, "drop_frames", TEXT, PROFILES, "functions hidden by the profiler (regex)") \
	FACT(KEEP_FRAMES, "keep_frames", TEXT, PROFILES, \
	    "exceptions from drop_frames: functions to show (regex)") \
	FACT(DROPPED_SAMPLES, "dropped_samples", COUNT, PROFILES, "samples truncated at a hidden function") \
	FACT(SYMBOLS, "symbols", TEXT, PROFILES, "source of the function names") \
	FACT(PERF_SAID, "perf_said", TEXT, PROFILES, \
	    "other output of the program that read the file: perf script, trace-cmd report") \
	FACT(SWITCH_RECORDS, "switch_records", COUNT, PROFILES, \
	    "records of switches, as of perf and simpleperf") \
	FACT(OPEN_WAITS, "open_waits", COUNT, PROFILES, "waits still open at the end of the recording") \
	FACT(FIELDS, "fields", TEXT, PROFILES, "fields in the header of each sample") \
	FACT(PRINTED, "printed", TEXT, PROFILES, \
	    "maps that were printed several times; one that only grew counts once") \
	FACT(PEAK, "peak", TEXT, PROFILES, "snapshot with the largest heap, and its time") \
	FACT(AXIS, "axis", TEXT, PROFILES, \
	    "what a nanosecond of the tracks stands for: the file has no times") \
	FACT(PATHS, "paths", TEXT, PROFILES, "why the paths of a call graph are known") \
	FACT(VALUES, "values", TEXT, PROFILES, "what the values of the tracer mean") \
	FACT(OTHER_VALUES, "other_values", TEXT, PROFILES, "values without a stack, the first 20") \
	FACT(UNRESOLVED_FRAMES, "unresolved_frames", COUNT, PROFILES, \
	    "frames of which only the address is known") \
	FACT(FILE_FRAMES, "file_frames", COUNT, PROFILES, \
	    "frames of samples of which only the file is known") \
	FACT(BROKEN_STACKS, "broken_stacks", COUNT, PROFILES, \
	    "samples whose stack the recorder could not follow to its end") \
	FACT(ART_FRAMES, "art_frames", COUNT, PROFILES, \
	    "frames of samples in the runtime of Android, omitted beside Java frames") \
	FACT(UNREAD_HISTOGRAMS, "unread.histograms", COUNT, PROFILES, \
	    "{:histogram|histograms} without a stack") \
	FACT(UNREAD_STACK_HISTOGRAMS, "unread.stack_histograms", COUNT, PROFILES, \
	    "{:histogram|histograms} of a stack") \
	FACT(UNREAD_SINGLE, "unread.single", COUNT, PROFILES, "{:value|values} of maps without a key") \
	FACT(UNREAD_PLAIN, "unread.plain", COUNT, PROFILES, "{:value|values} whose key has no stack") \
	FACT(UNREAD_TEXTS, "unread.texts", COUNT, PROFILES, \
	    "{:value that is not a whole number|values that are not whole numbers}") \
	FACT(UNREAD_NEGATIVE, "unread.negative", COUNT, PROFILES, "{:value|values} below 0") \
	FACT(UNREAD_ALLOCATIONS, "unread.allocations", COUNT, PROFILES, \
	    "single {:allocation|allocations}, which the stacks include") \
	FACT(UNREAD_SNAPSHOTS, "unread.snapshots", COUNT, PROFILES, "earlier {:snapshot|snapshots}") \
	FACT(UNREAD_ROWS, "unread.rows", COUNT, PROFILES, "{:sample|samples} without a stack") \
	FACT(REPAIR_UNREAD_LINES, "repair.unread_lines", COUNT, PROFILES, \
	    "{:line|lines} of unknown form, dropped") \
	FACT(REPAIR_LARGE_VALUES, "repair.large_values", COUNT, PROFILES, \
	    "{:value|values} of more than 64 bits, dropped") \
	FACT(REPAIR_STACKLESS, "repair.stackless", COUNT, PROFILES, \
	    "{:value|values} without a stack, dropped") \
	FACT(REPAIR_CHILDREN, "repair.children", COUNT, PROFILES, \
	    "{:frame|frames} with less than their callees; their own part is 0") \
	FACT(REPAIR_LEVELS, "repair.levels", COUNT, PROFILES, \
	    "{:line|lines} indented too far, moved to the deepest possible level") \
	FACT(REPAIR_SUMS, "repair.sums", COUNT, PROFILES, \
	    "{:snapshot|snapshots} whose stacks do not add up to its total") \
	FACT(REPAIR_SAMPLE_COUNT, "repair.sample_count", COUNT, PROFILES, \
	    "1: the file claims another number of samples") \
	FACT(LOSS_BAD_RECORDS, "loss.bad_records", COUNT, PROFILES, "damaged {:record|records}, dropped") \
	FACT(LOSS_NAMES, "loss.names", COUNT, PROFILES, "1: the file is truncated before its names") \
	FACT(LOSS_NAME_TABLES, "loss.name_tables", COUNT, PROFILES, \
	    "damaged {:table|tables} of names and events") \
	FACT(LOSS_MAPS, "loss.maps", COUNT, PROFILES, \
	    "{:address|addresses} whose file is unknown, because too many maps hide one another") \
	FACT(LOSS_XML, "loss.xml", COUNT, PROFILES, "1: XML truncated or damaged") \
	FACT(PICTURE, "picture", TEXT, PROFILES, "places of the boxes of a drawn flame graph") \
	FACT(REPAIR_GUESSED_PLACES, "repair.guessed_places", COUNT, PROFILES, \
	    "{:box|boxes} of a flame graph that fit on several others; the best one taken") \
	FACT(REPAIR_COUNTS_BY_WIDTH, "repair.counts_by_width", COUNT, PROFILES, \
	    "{:box|boxes} of a flame graph without a count; their width used") \
	FACT(REPAIR_UNKNOWN_NAMES, "repair.unknown_names", COUNT, PROFILES, \
	    "{:box|boxes} of a flame graph whose name is not in its list") \
	FACT(LOSS_BOXES, "loss.boxes", COUNT, PROFILES, \
	    "{:box|boxes} of a flame graph outside the picture, or on no other box") \
	FACT(LOSS_KEYS, "loss.keys", COUNT, PROFILES, "incomplete {:key|keys}, dropped") \
	FACT(LOSS_VALUES, "loss.values", COUNT, PROFILES, "{:stack|stacks} without a value, dropped") \
	FACT(REPAIR_SAMPLED_SWITCHES, "repair.sampled_switches", COUNT, PROFILES, \
	    "sampled {:switch|switches}, not all recorded: waits are unknown; use perf record -c 1 to record all") \
	FACT(REPAIR_STRAY_LINES, "repair.stray_lines", COUNT, PROFILES, "stray {:line|lines}, dropped") \
	FACT(REPAIR_BAD_FRAMES, "repair.bad_frames", COUNT, PROFILES, "unreadable {:frame|frames}, dropped") \
	FACT(REPAIR_IGNORED_LINES, "repair.ignored_lines", COUNT, PROFILES, \
	    "{:line|lines} without a trailing count, dropped") \
	FACT(REPAIR_UNFINISHED, "repair.unfinished", COUNT, PROFILES, \
	    "{:chunk that was|chunks that were} still being written") \
	FACT(REPAIR_CLOCK, "repair.clock", COUNT, PROFILES, \
	    "{:chunk|chunks} without a clock frequency, read as 1 GHz") \
	FACT(REPAIR_TIMES, "repair.times", COUNT, PROFILES, \
	    "{:event|events} with a time far outside their chunk, in no time range") \
	FACT(REPAIR_ONE_COUNT, "repair.one_count", COUNT, PROFILES, \
	    "{:line|lines} with one weight instead of two; second = 0") \
	FACT(REPAIR_TWO_COUNTS, "repair.two_counts", COUNT, PROFILES, \
	    "{:line|lines} with two weights instead of one; first one read as part of the name") \
	FACT(REPAIR_VALUES, "repair.values", COUNT, PROFILES, \
	    "{:sample|samples} with too few or too many values, dropped") \
	FACT(REPAIR_LAYOUT, "repair.layout", COUNT, PROFILES, \
	    "OTLP {:object|objects} of version 1.8 or 1.10, which cannot be distinguished; read as 1.10") \
	FACT(REPAIR_UNPAIRED, "repair.unpaired", COUNT, PROFILES, \
	    "{:sample|samples} whose values and times do not match, without a time") \
	FACT(REPAIR_EQUAL_TYPES, "repair.equal_types", COUNT, PROFILES, \
	    "{:sample|samples} with their count again as time, which is dropped") \
	FACT(REPAIR_LOCATION, "repair.location", COUNT, PROFILES, \
	    "unknown {:location|locations} in stacks, dropped") \
	FACT(REPAIR_IDS, "repair.ids", COUNT, PROFILES, \
	    "{:mapping|mappings}, locations or functions without a unique id") \
	FACT(REPAIR_STRINGS, "repair.strings", COUNT, PROFILES, \
	    "{:string|strings} missing in the file: a function has the number of its name") \
	FACT(REPAIR_PATTERN, "repair.pattern", COUNT, PROFILES, \
	    "ignored {:pattern|patterns} to hide functions: invalid, or too slow") \
	FACT(LOSS_MESSAGES, "loss.messages", COUNT, PROFILES, \
	    "damaged {:message|messages} in the profile, dropped") \
	FACT(LOSS_PERF, "loss.perf", COUNT, PROFILES, "1: the program that read the file failed") \
	FACT(LOSS_CHUNKS, "loss.chunks", COUNT, PROFILES, "{:chunk|chunks} without their types, dropped") \
	FACT(LOSS_TYPES, "loss.types", COUNT, PROFILES, "damaged {:list|lists} of types, dropped") \
	FACT(LOSS_CHECKPOINTS, "loss.checkpoints", COUNT, PROFILES, \
	    "{:list|lists} of constants read only in part") \
	FACT(LOSS_UNKNOWN_EVENTS, "loss.unknown_events", COUNT, PROFILES, \
	    "{:event|events} of unknown type, dropped") \
	FACT(LOSS_BAD_EVENTS, "loss.bad_events", COUNT, PROFILES, "unreadable {:event|events}, dropped") \
	FACT(LOSS_STACKS, "loss.stacks", COUNT, PROFILES, \
	    "{:sample|samples} whose stack is missing in the file") \
	FACT(LOSS_GAP_BYTES, "loss.gap_bytes", BYTES, PROFILES, "unreadable between chunks") \
	FACT(LOSS_DEEP_STACKS, "loss.deep_stacks", COUNT, PROFILES, \
	    "{:stack|stacks} truncated: more than 2^24 frames, or 256 of one location") \
	/* Call graphs with costs. */ \
	FACT(ARCS, "arcs", COUNT, PROFILES, "pairs of caller and callee; 'arcs' lists them") \
	FACT(COST_LINES, "lines_with_costs", COUNT, PROFILES, \
	    "{:line of the source that has|lines of the source that have} costs; 'lines' lists them") \
	FACT(COST_THREADS, "cost_threads", COUNT, PROFILES, \
	    "{:thread|threads} of the profile; 'events' has the costs of each") \
	FACT(CYCLE_FUNCTIONS, "cycle_functions", COUNT, PROFILES, \
	    "{:function|functions} in cycles: their totals are upper limits") \
	FACT(COST_COMMAND, "cmd", TEXT, PROFILES, "command line of the program") \
	FACT(COST_PARTS, "profile_parts", COUNT, PROFILES, "{:part|parts} of the profile, added up") \
	FACT(JUMPS, "jumps", COUNT, PROFILES, "lines of jumps, not read") \
	FACT(REPAIR_EXTRA_EVENTS, "repair.extra_events", COUNT, PROFILES, \
	    "{:event|events} beyond the limit or named twice, dropped") \
	FACT(REPAIR_COST_SUMS, "repair.cost_sums", COUNT, PROFILES, \
	    "{:event|events} whose costs do not add up to what the file says") \
	FACT(REPAIR_LAST_LINE, "repair.last_line", COUNT, PROFILES, \
	    "1: the last line of costs has no end, read as whole") \
	FACT(LOSS_COST_SUMS, "loss.cost_sums", COUNT, PROFILES, \
	    "{:event|events} whose costs add up to less than the file says") \
	FACT(LOSS_COST_LINES, "loss.cost_lines", COUNT, PROFILES, \
	    "{:line|lines} of costs that cannot be read, dropped") \
	FACT(LOSS_ARCS, "loss.arcs", COUNT, PROFILES, \
	    "{:line|lines} of calls without a callee or a cost, dropped") \
	FACT(LOSS_CUT_LINE, "loss.cut_line", COUNT, PROFILES, "1: the last line is truncated, dropped") \
	/* Tables. */ \
	FACT(CHARSET, "charset", TEXT, TABLES, "character encoding") \
	FACT(SEPARATOR, "separator", TEXT, TABLES, "field separator") \
	FACT(HEADER, "header", TEXT, TABLES, "whether the first record names the columns") \
	FACT(COLUMNS, "columns", COUNT, TABLES, "columns; 'columns' lists them") \
	FACT(PROFILE_OPTIONS, "profile_options", TEXT, TABLES, "options that turn the table into a profile") \
	FACT(UNIT, "unit", TEXT, TABLES, "unit of the weight: currency, unit or column") \
	FACT(PREAMBLE, "preamble", COUNT, TABLES, "records before the header, dropped") \
	FACT(PATH, "path", TEXT, TABLES, "path columns of a record (--path)") \
	FACT(WEIGHT, "weight", TEXT, TABLES, "weight columns (--weight)") \
	FACT(TIME_COLUMN, "time", TEXT, TABLES, "time column (--time)") \
	FACT(REPAIR_STRAY_QUOTE, "repair.stray_quote", COUNT, TABLES, \
	    "{:field|fields} with text after the closing quote, kept") \
	FACT(REPAIR_NUL, "repair.nul", COUNT, TABLES, "NUL {:character|characters}, dropped") \
	FACT(REPAIR_NO_WEIGHT, "repair.no_weight", COUNT, TABLES, \
	    "{:record|records} without a numeric weight, in no stack") \
	FACT(REPAIR_TOO_LARGE, "repair.too_large", COUNT, TABLES, \
	    "{:record|records} whose weight is too large, in no stack") \
	FACT(REPAIR_UNTIMED, "repair.untimed", COUNT, TABLES, \
	    "{:record|records} without a time, in no time range") \
	FACT(REPAIR_DECIMALS, "repair.decimals", COUNT, TABLES, \
	    "{:weight|weights} with too many decimals (over 18), rounded") \
	FACT(REPAIR_CURRENCIES, "repair.currencies", COUNT, TABLES, \
	    "{:weight|weights} in several currencies, summed as numbers") \
	FACT(REPAIR_ROUNDED, "repair.rounded", COUNT, TABLES, "{:sum|sums} with too many decimals, rounded") \
	FACT(LOSS_UNCLOSED_QUOTE, "loss.unclosed_quote", COUNT, TABLES, \
	    "unclosed {:quote|quotes}, read as characters") \
	FACT(LOSS_BAD_JSON, "loss.bad_json", COUNT, TABLES, "{:line|lines} without a JSON object, dropped") \
	FACT(LOSS_SHORT_RECORDS, "loss.short_records", COUNT, TABLES, \
	    "{:record|records} with too few fields") \
	FACT(LOSS_LONG_RECORDS, "loss.long_records", COUNT, TABLES, \
	    "{:record|records} with too many fields; the excess is dropped") \
	FACT(LOSS_COLUMNS, "loss.columns", COUNT, TABLES, \
	    "JSON {:name|names} beyond 65,536 columns, dropped") \
	/* Bank statements. */ \
	FACT(VERSION, "version", COUNT, MONEY, "OFX version in the header") \
	FACT(STATEMENTS, "statements", COUNT, MONEY, "statements; several may belong to one account") \
	FACT(TRANSACTIONS, "transactions", COUNT, MONEY, "booked transactions") \
	FACT(PENDING, "pending", COUNT, MONEY, "pending transactions") \
	FACT(INVESTMENT_TRANSACTIONS, "investment_transactions", COUNT, MONEY, \
	    "transactions in securities, not listed") \
	FACT(POSITIONS, "positions", COUNT, MONEY, "securities held by accounts, not listed") \
	FACT(SECURITIES, "securities", COUNT, MONEY, "securities described in the file") \
	FACT(ACCOUNTS_LISTED, "accounts_listed", COUNT, MONEY, "accounts in a list, without a statement") \
	FACT(REQUEST, "request", TEXT, MONEY, "a request to a bank: what it asks for") \
	FACT(REFUSED_FIRST, "refused.first", TEXT, MONEY, "code and message of the first error") \
	FACT(ELEMENTS, "elements", COUNT, MONEY, "elements in the file") \
	FACT(ELEMENT_DEPTH, "element_depth", COUNT, MONEY, "nesting depth of the elements") \
	FACT(CURRENCIES, "currencies", TEXT, MONEY, "currencies of the transactions") \
	FACT(FIRST_DAY, "first_day", TEXT, MONEY, "date of the first transaction") \
	FACT(LAST_DAY, "last_day", TEXT, MONEY, "date of the last transaction") \
	FACT(MONEY_SINGLE_BYTES, "money.single_bytes", COUNT, MONEY, "1: the encoding is Windows-1252") \
	FACT(TOTAL, "total", COUNT, MONEY, "total of the current event") \
	FACT(EVENT, "event", COUNT, MONEY, \
	    "current event (--event): out or in with the currency, or transactions") \
	FACT(REPAIR_NO_AMOUNT, "repair.no_amount", COUNT, MONEY, \
	    "{:transaction|transactions} with an unreadable amount") \
	FACT(REPAIR_SATURATED, "repair.saturated", COUNT, MONEY, \
	    "{:amount|amounts} too large for sums; rows are exact") \
	FACT(REPAIR_NO_DAY, "repair.no_day", COUNT, MONEY, \
	    "{:transaction|transactions} without a date, in no time range") \
	FACT(REPAIR_REPEATED, "repair.repeated", COUNT, MONEY, \
	    "duplicate {:transaction|transactions}, counted again") \
	FACT(REPAIR_SLOW_RULES, "repair.slow_rules", COUNT, MONEY, \
	    "{:text|texts} for which a rule of --categories was too slow") \
	FACT(REPAIR_IMPLICIT_CLOSE, "repair.implicit_close", COUNT, MONEY, \
	    "{:element|elements} without an end tag, closed by the next one") \
	FACT(REPAIR_STRAY_CLOSE, "repair.stray_close", COUNT, MONEY, \
	    "end {:tag|tags} without a start tag, dropped") \
	FACT(REPAIR_HOISTED, "repair.hoisted", COUNT, MONEY, "empty {:element|elements} without an end tag") \
	FACT(REPAIR_STRAY_TEXT, "repair.stray_text", COUNT, MONEY, "text between elements, dropped") \
	FACT(REPAIR_OPEN_AT_END, "repair.open_at_end", COUNT, MONEY, \
	    "{:element|elements} still open at the end of the file") \
	FACT(LOSS_NOT_SHOWN, "loss.not_shown", COUNT, MONEY, \
	    "{:element|elements} that only 'elements' shows") \
	FACT(LOSS_REFUSED, "loss.refused", COUNT, MONEY, \
	    "{:request|requests} that the bank answered with an error") \
	FACT(LOSS_OUTSIDE, "loss.outside", COUNT, MONEY, \
	    "{:transaction|transactions} outside any statement") \
	FACT(LOSS_DEEP_ELEMENTS, "loss.deep_elements", COUNT, MONEY, \
	    "{:element|elements} nested over a million deep") \
	FACT(LOSS_CUT_ELEMENT, "loss.cut_element", COUNT, MONEY, "1: the file ends inside an element") \
	FACT(BY, "by", TEXT, MONEY, "") \
	/* Rows of triage. */ \
	FACT(BLOCKS, "blocks", COUNT, TRIAGE, "dumps with all their findings, counted at each reading") \
	FACT(FINDINGS, "findings", COUNT, TRIAGE, "leaks and warnings in these dumps") \
	FACT(SIGNATURES, "signatures", COUNT, TRIAGE, "different leaks in these dumps") \
	FACT(LOSS_ROWS, "loss.rows", COUNT, TRIAGE, "{:row|rows} of incomplete dumps, dropped")

#endif
