/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts about heap dumps and bytecode.  See facts.h.
 */
#ifndef ICECORE_FACTS_HEAP_H
#define ICECORE_FACTS_HEAP_H

#define FACTS_HEAP(FACT) \
	/* Heap dumps. */ \
	FACT(ID_SIZE, "id_size", BYTES, HEAPS, "size of an address") \
	FACT(DUMPED_AT, "dumped_at", TEXT, HEAPS, "dump time in the header") \
	FACT(PARTS, "parts", COUNT, HEAPS, "parts found next to an unfinished dump and read with it") \
	FACT(DUMPS, "dumps", COUNT, HEAPS, "heap dumps in the file; --dump opens another") \
	FACT(DUMP, "dump", COUNT, HEAPS, "this heap dump, from 1") \
	FACT(HEAP_GRAPHS, "graphs", TEXT, HEAPS, \
	    "heap graphs in the trace, with their processes; --dump opens another") \
	FACT(PROCESS, "process", TEXT, HEAPS, "process whose heap it is") \
	FACT(PACKAGE, "package", TEXT, HEAPS, "its package") \
	FACT(UID, "uid", COUNT, HEAPS, "its user id") \
	FACT(TAKEN_AT, "taken_at", TIME, HEAPS, "time of the heap graph on the clock of the trace") \
	FACT(HEAP_PACKETS, "heap_packets", COUNT, HEAPS, "packets of the heap graph") \
	FACT(HEAP_ALLOCATED, "heap_allocated", BYTES, HEAPS, "size of the heap as the runtime counts it") \
	FACT(PART_APP, "part.app", BYTES, HEAPS, "objects of the app") \
	FACT(PART_APP_OBJECTS, "part.app_objects", COUNT, HEAPS, "number of these objects") \
	FACT(PART_ZYGOTE, "part.zygote", BYTES, HEAPS, "objects of the zygote, which are roots") \
	FACT(PART_ZYGOTE_OBJECTS, "part.zygote_objects", COUNT, HEAPS, "number of these objects") \
	FACT(PART_IMAGE, "part.image", BYTES, HEAPS, "objects of the boot image, which are roots") \
	FACT(PART_IMAGE_OBJECTS, "part.image_objects", COUNT, HEAPS, "number of these objects") \
	FACT(OOM_SCORE, "oom_score_adj", TEXT, HEAPS, \
	    "priority of the process for the killer of processes; 1000: killed first") \
	FACT(RSS_ANON, "rss_anon", BYTES, HEAPS, "anonymous memory of the process, from the nearest scan") \
	FACT(SWAP, "swap", BYTES, HEAPS, "its swapped memory") \
	FACT(DMABUF, "dmabuf", BYTES, HEAPS, "its memory shared with devices") \
	FACT(OOM_ALLOCATION, "oom.allocation", BYTES, HEAPS, \
	    "size of the allocation that failed with an OutOfMemoryError") \
	FACT(OOM_FREE, "oom.free", BYTES, HEAPS, "free memory of the heap then") \
	FACT(OOM_UNTIL_LIMIT, "oom.until_limit", BYTES, HEAPS, "memory up to the limit of the heap then") \
	FACT(OOM_MESSAGE, "oom.message", TEXT, HEAPS, "message of the OutOfMemoryError") \
	FACT(REPAIR_NAMELESS, "repair.nameless", COUNT, HEAPS, "{:reference|references} of unknown fields") \
	FACT(LOSS_BAD_OBJECTS, "loss.bad_objects", COUNT, HEAPS, "damaged {:object|objects}, dropped") \
	FACT(LAYOUT, "layout", TEXT, HEAPS, "object layout and share of addresses that fit it") \
	FACT(LAYOUT_RUNNER_UP, "layout_runner_up", TEXT, HEAPS, "second-best layout") \
	FACT(LAYOUT_LARGER, "layout_larger", COUNT, HEAPS, \
	    "classes whose objects are larger than their fields") \
	FACT(OBJECTS, "objects", COUNT, HEAPS, \
	    "objects, reachable and unreachable, including Class objects") \
	FACT(CLASSES, "classes", COUNT, HEAPS, "classes with a record") \
	FACT(LOADERS, "loaders", COUNT, HEAPS, "class loaders, including the bootstrap loader") \
	FACT(ROOTS, "roots", COUNT, HEAPS, "GC roots") \
	FACT(NAMES, "names", COUNT, HEAPS, "strings in the file") \
	FACT(JVM, "jvm", TEXT, HEAPS, "VM that wrote the dump") \
	FACT(COMMAND, "command", TEXT, HEAPS, "main class and arguments of the program") \
	FACT(JVM_OPTIONS, "jvm_options", TEXT, HEAPS, "VM options, from its management bean or environment") \
	FACT(OS, "os", TEXT, HEAPS, "operating system it ran on") \
	FACT(COLLECTORS, "collectors", TEXT, HEAPS, "garbage collectors of the VM") \
	FACT(DIRECT_LIMIT, "direct_limit", BYTES, HEAPS, \
	    "limit for direct buffers: -XX:MaxDirectMemorySize, otherwise -Xmx") \
	FACT(DEVICE, "device", TEXT, HEAPS, "Android device") \
	FACT(FILLER_OBJECTS, "filler_objects", COUNT, HEAPS, \
	    "unreachable int[] that probably fill gaps in the heap") \
	FACT(FILLER_BYTES, "filler_bytes", BYTES, HEAPS, "shallow size of these int[]") \
	FACT(MISSING, "missing", COUNT, HEAPS, "references to missing objects") \
	FACT(STACKLESS_THREADS, "stackless_threads", COUNT, HEAPS, \
	    "virtual threads without a stack in the file; objects held only by their local variables count as " \
	    "unreachable") \
	FACT(HEAP_LINES, "heap_lines", COUNT, HEAPS, "lines of the file that are not empty") \
	FACT(REFERENCES, "references", COUNT, HEAPS, "references in the file; those to classes are not listed there") \
	FACT(MISSING_CLASSES, "missing_classes", COUNT, HEAPS, "objects whose class is missing") \
	FACT(FREE_SLOTS, "free_slots", COUNT, HEAPS, "free slots of the heap") \
	FACT(ZOMBIES, "zombies", COUNT, HEAPS, "dead objects that wait for their finalizer") \
	FACT(OBJECT_SHAPES, "object_shapes", COUNT, HEAPS, "shapes: lists of instance variables") \
	FACT(OBJECT_SHAPE_BYTES, "object_shape_bytes", BYTES, HEAPS, "memory of the shapes, which no object has") \
	FACT(TRACED_OBJECTS, "traced_objects", COUNT, HEAPS, "objects whose allocation was traced") \
	FACT(GENERATION_FIRST, "generation_first", COUNT, HEAPS, "collections before the oldest traced object") \
	FACT(GENERATION_LAST, "generation_last", COUNT, HEAPS, "collections before the newest traced object") \
	FACT(SINGLETON_CLASSES, "singleton_classes", COUNT, HEAPS, "classes of a single object, and of classes") \
	FACT(ANONYMOUS_CLASSES, "anonymous_classes", COUNT, HEAPS, "other classes and modules without a name") \
	FACT(ROOTS_FOUND, "roots_found", COUNT, HEAPS, \
	    "live objects that no root in the file reaches: finalizers or C extensions keep them") \
	FACT(UNREAD_OBJECT_LINES, "unread.object_lines", COUNT, HEAPS, "{:line|lines} without an object") \
	FACT(REPAIR_NO_SIZE, "repair.no_size", COUNT, HEAPS, \
	    "{:object|objects} without a size; that of the slot used") \
	FACT(REPAIR_LINE_DOUBLES, "repair.line_doubles", COUNT, HEAPS, \
	    "duplicate {:line|lines} of an address; last one used") \
	FACT(REPAIR_LINE_ENCODING, "repair.line_encoding", COUNT, HEAPS, "{:line|lines} that are not UTF-8") \
	FACT(REPAIR_LINE_CONTROLS, "repair.line_controls", COUNT, HEAPS, \
	    "{:line|lines} with control characters in strings") \
	FACT(REPAIR_LINE_JSON, "repair.line_json", COUNT, HEAPS, \
	    "{:line that is|lines that are} not JSON: members found by their names") \
	FACT(LOSS_OBJECT_LINES, "loss.object_lines", COUNT, HEAPS, "unreadable {:line|lines}") \
	FACT(WRITER, "writer", TEXT, HEAPS, "program that wrote the snapshot, by its content") \
	FACT(EDGES, "edges", COUNT, HEAPS, "references in the file") \
	FACT(PLACES, "places", COUNT, HEAPS, "objects whose constructor or function has a place in a script") \
	FACT(USER_ROOTS, "user_roots", COUNT, HEAPS, "roots of the program, not of the runtime") \
	FACT(NATIVE_OBJECTS, "native_bytes", BYTES, HEAPS, \
	    "objects outside the heap of the runtime, such as buffers and DOM nodes") \
	FACT(BUFFER_BYTES, "buffer_bytes", BYTES, HEAPS, "data of ArrayBuffers") \
	FACT(EXTRA_NATIVE_BYTES, "extra_native_bytes", BYTES, HEAPS, "native memory that belongs to no object") \
	FACT(CODE_OBJECTS, "compiled_code_bytes", BYTES, HEAPS, "compiled code") \
	FACT(TEXT_BYTES, "text_bytes", BYTES, HEAPS, "strings") \
	FACT(DETACHED, "detached", COUNT, HEAPS, \
	    "objects detached from their document, or from their owner in Node.js") \
	FACT(CUT_STRINGS, "cut_strings", COUNT, HEAPS, "strings that the writer cut at 1024 characters") \
	FACT(REPAIR_VERSION, "repair.version", COUNT, HEAPS, "1: unknown version in the header") \
	FACT(REPAIR_DOUBLES, "repair.doubles", COUNT, HEAPS, \
	    "duplicate object {:record|records}; first one used") \
	FACT(REPAIR_BAD_RECORDS, "repair.bad_records", COUNT, HEAPS, "invalid {:record|records}, dropped") \
	FACT(REPAIR_LENGTHS, "repair.lengths", COUNT, HEAPS, "{:record|records} with a wrong length") \
	FACT(REPAIR_ZEROS, "repair.zeros", COUNT, HEAPS, "zero-filled gaps") \
	FACT(REPAIR_SUPER_CYCLES, "repair.super_cycles", COUNT, HEAPS, "superclass {:cycle|cycles}, cut") \
	FACT(REPAIR_NO_SUPER, "repair.no_super", COUNT, HEAPS, "{:class|classes} with a missing superclass") \
	FACT(REPAIR_NO_CLASS, "repair.no_class", COUNT, HEAPS, "{:class|classes} without a class record") \
	FACT(REPAIR_ABSENT_ROOTS, "repair.absent_roots", COUNT, HEAPS, \
	    "{:root|roots} of missing objects, dropped") \
	FACT(REPAIR_NO_ROOTS, "repair.no_roots", COUNT, HEAPS, \
	    "1: no GC roots; unreferenced objects used instead") \
	FACT(REPAIR_FIELD_LENGTHS, "repair.field_lengths", COUNT, HEAPS, \
	    "{:object|objects} shorter than their class layout") \
	FACT(LOSS_CUT_BYTES, "loss.cut_bytes", BYTES, HEAPS, "missing at the end of the last record") \
	FACT(LOSS_SKIPPED_BYTES, "loss.skipped_bytes", BYTES, HEAPS, "unreadable, skipped") \
	FACT(LOSS_NO_END, "loss.no_end", COUNT, HEAPS, "1: no end record") \
	FACT(LOSS_NO_HEAP, "loss.no_heap", COUNT, HEAPS, "1: no objects") \
	FACT(LOSS_PART_BYTES, "loss.part_bytes", BYTES, HEAPS, \
	    "in incomplete records at the ends of the parts") \
	FACT(LOSS_PARTS, "loss.parts", COUNT, HEAPS, "{:part|parts} missing in the sequence") \
	FACT(LOSS_BAD_EDGES, "loss.bad_edges", COUNT, HEAPS, "{:reference|references} to missing objects, dropped") \
	FACT(LOSS_BAD_NAMES, "loss.bad_names", COUNT, HEAPS, "{:name|names} missing in the file") \
	FACT(LOSS_MISSING_EDGES, "loss.missing_edges", COUNT, HEAPS, "{:reference|references} missing") \
	FACT(LOSS_MISSING_NODES, "loss.missing_nodes", COUNT, HEAPS, "{:object|objects} missing") \
	FACT(REFS, "refs", TEXT, HEAPS, \
	    "references that keep objects alive: soft, strong, all, unreachable") \
	FACT(SIZES, "sizes", TEXT, HEAPS, "size rule: vm or mat") \
	FACT(LIVE_OBJECTS, "live_objects", COUNT, HEAPS, "reachable objects") \
	FACT(LIVE_BYTES, "live_bytes", BYTES, HEAPS, "shallow size of the instances") \
	FACT(DIRECT_BYTES, "direct_bytes", BYTES, HEAPS, \
	    "native memory of live direct buffers and memory segments") \
	FACT(ZLIB_BYTES, "zlib_bytes", BYTES, HEAPS, \
	    "estimate: native memory of live Inflaters and Deflaters") \
	FACT(REGISTERED_BYTES, "registered_bytes", BYTES, HEAPS, \
	    "native memory registered by live objects (Android)") \
	FACT(MAPPED_BYTES, "mapped_bytes", BYTES, HEAPS, "mapped files of live buffers") \
	FACT(FINALIZABLE_BYTES, "finalizable_bytes", BYTES, HEAPS, \
	    "objects waiting for finalize(), with everything they hold") \
	FACT(PERCENT_OF, "percent_of", BYTES, HEAPS, \
	    "what percentages are of: reachable heap and its native memory") \
	FACT(UNREACHABLE_OBJECTS, "unreachable_objects", COUNT, HEAPS, "unreachable objects (garbage)") \
	FACT(UNREACHABLE_BYTES, "unreachable_bytes", BYTES, HEAPS, "shallow size of the instances") \
	/* Bytecode. */ \
	FACT(FORMAT, "format", TEXT, CODE, "file format variant") \
	FACT(CODE_FILES, "code.files", COUNT, CODE, "class files and dex files") \
	FACT(CODE_DEX, "code.dex", COUNT, CODE, "dex files") \
	FACT(CODE_CLASSES, "code.classes", COUNT, CODE, "classes in the bytecode") \
	FACT(CODE_METHODS, "code.methods", COUNT, CODE, "methods of the classes") \
	FACT(CODE_BYTES, "code.bytes", BYTES, CODE, "code size") \
	FACT(CODE_NEWER, "code.newer", COUNT, CODE, "files of a newer, unknown version") \
	FACT(ARCHIVE_ENTRIES, "archive.entries", COUNT, CODE, "entries of archives") \
	FACT(UNREAD_ARCHIVE, "unread.archive_entries", COUNT, CODE, \
	    "archive {:entry|entries} without bytecode") \
	FACT(ARCHIVE_NESTED, "archive.nested", COUNT, CODE, "nested archives") \
	FACT(ARCHIVE_VERSIONS, "archive.versions", COUNT, CODE, \
	    "copies of classes for Java versions other than the newest") \
	FACT(ARCHIVE_UNREACHED, "archive.unreached", COUNT, CODE, \
	    "dex files that never run: after a gap in the numbers, or in another place") \
	FACT(ARCHIVE_PREFIX, "archive.prefix", BYTES, CODE, "data before the archive") \
	FACT(BUGS_THROW_LEAK, "bugs.throw_leak", COUNT, CODE, \
	    "Cursors leaked only when a call throws; see 'bugs all'") \
	FACT(CODE_JOINED, "code.joined", COUNT, CODE, \
	    "methods of the trace or profile found in the bytecode") \
	FACT(CODE_AMBIGUOUS, "code.ambiguous", COUNT, CODE, "ambiguous methods: several have the same name") \
	FACT(BUGS_GAVE_UP, "bugs.gave_up", COUNT, CODE, "Cursors not analysed: too many paths") \
	FACT(REPAIR_ARCHIVE_DOUBLES, "repair.archive_doubles", COUNT, CODE, \
	    "archive {:entry|entries} with a duplicate name, dropped") \
	FACT(REPAIR_CODE_DOUBLES, "repair.code_doubles", COUNT, CODE, \
	    "{:class|classes} with a duplicate name, dropped") \
	FACT(REPAIR_DEX_CHECKSUM, "repair.dex_checksum", COUNT, CODE, \
	    "dex {:file|files} with a wrong checksum") \
	FACT(LOSS_ARCHIVE_ENCRYPTED, "loss.archive_encrypted", COUNT, CODE, "encrypted entries") \
	FACT(LOSS_ARCHIVE_METHOD, "loss.archive_method", COUNT, CODE, \
	    "{:entry|entries} with an unsupported compression method") \
	FACT(LOSS_ARCHIVE_ENTRIES, "loss.archive_entries", COUNT, CODE, \
	    "damaged {:entry|entries} (wrong checksum)") \
	FACT(LOSS_ARCHIVE_BOUNDS, "loss.archive_bounds", COUNT, CODE, \
	    "{:entry|entries} outside the file, or too large") \
	FACT(LOSS_ARCHIVE_DEEP, "loss.archive_deep", COUNT, CODE, "{:archive|archives} nested too deep") \
	FACT(LOSS_ARCHIVE_CUT, "loss.archive_cut", COUNT, CODE, \
	    "{:archive|archives} with a truncated or missing directory") \
	FACT(LOSS_CODE_FILES, "loss.code_files", COUNT, CODE, \
	    "unreadable class {:file|files} and dex files") \
	FACT(LOSS_CODE_CUT, "loss.code_cut", COUNT, CODE, "truncated class {:file|files} and dex files") \
	FACT(LOSS_CODE_CLASSES, "loss.code_classes", COUNT, CODE, "{:class|classes} with missing methods") \
	FACT(LOSS_CODE_METHODS, "loss.code_methods", COUNT, CODE, "{:method|methods} with invalid code") \
	FACT(LOSS_BUGS_INVALID, "loss.bugs_invalid", COUNT, CODE, \
	    "{:method|methods} with Cursors but inconsistent code: not analysed") \
	FACT(LOSS_BUGS_METHODS, "loss.bugs_methods", COUNT, CODE, \
	    "{:method|methods} too large for 'bugs': analysed in part")

#endif
