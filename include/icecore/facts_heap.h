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
	FACT(LAYOUT, "layout", TEXT, HEAPS, "object layout and share of addresses that fit it") \
	FACT(LAYOUT_RUNNER_UP, "layout_runner_up", TEXT, HEAPS, "second-best layout") \
	FACT(LAYOUT_LARGER, "layout_larger", COUNT, HEAPS, "classes whose objects are larger than their fields") \
	FACT(OBJECTS, "objects", COUNT, HEAPS, "objects, reachable and unreachable, including Class objects") \
	FACT(CLASSES, "classes", COUNT, HEAPS, "classes with a record") \
	FACT(LOADERS, "loaders", COUNT, HEAPS, "class loaders, including the bootstrap loader") \
	FACT(ROOTS, "roots", COUNT, HEAPS, "GC roots") \
	FACT(NAMES, "names", COUNT, HEAPS, "strings in the file") \
	FACT(JVM, "jvm", TEXT, HEAPS, "VM that wrote the dump") \
	FACT(COMMAND, "command", TEXT, HEAPS, "main class and arguments of the program") \
	FACT(JVM_OPTIONS, "jvm_options", TEXT, HEAPS, "VM options, from its management bean or environment") \
	FACT(OS, "os", TEXT, HEAPS, "operating system it ran on") \
	FACT(COLLECTORS, "collectors", TEXT, HEAPS, "garbage collectors of the VM") \
	FACT(DIRECT_LIMIT, "direct_limit", BYTES, HEAPS, "limit for direct buffers: -XX:MaxDirectMemorySize, otherwise -Xmx") \
	FACT(DEVICE, "device", TEXT, HEAPS, "Android device") \
	FACT(FILLER_OBJECTS, "filler_objects", COUNT, HEAPS, "unreachable int[] that probably fill gaps in the heap") \
	FACT(FILLER_BYTES, "filler_bytes", BYTES, HEAPS, "shallow size of these int[]") \
	FACT(MISSING, "missing", COUNT, HEAPS, "references to missing objects") \
	FACT(STACKLESS_THREADS, "stackless_threads", COUNT, HEAPS, "virtual threads without a stack in the file; objects held only by their local variables count as unreachable") \
	FACT(REPAIR_VERSION, "repair.version", COUNT, HEAPS, "1: unknown version in the header") \
	FACT(REPAIR_DOUBLES, "repair.doubles", COUNT, HEAPS, "duplicate object {:record|records}; first one used") \
	FACT(REPAIR_BAD_RECORDS, "repair.bad_records", COUNT, HEAPS, "invalid {:record|records}, dropped") \
	FACT(REPAIR_LENGTHS, "repair.lengths", COUNT, HEAPS, "{:record|records} with a wrong length") \
	FACT(REPAIR_ZEROS, "repair.zeros", COUNT, HEAPS, "zero-filled gaps") \
	FACT(REPAIR_SUPER_CYCLES, "repair.super_cycles", COUNT, HEAPS, "superclass {:cycle|cycles}, cut") \
	FACT(REPAIR_NO_SUPER, "repair.no_super", COUNT, HEAPS, "{:class|classes} with a missing superclass") \
	FACT(REPAIR_NO_CLASS, "repair.no_class", COUNT, HEAPS, "{:class|classes} without a class record") \
	FACT(REPAIR_ABSENT_ROOTS, "repair.absent_roots", COUNT, HEAPS, "{:root|roots} of missing objects, dropped") \
	FACT(REPAIR_NO_ROOTS, "repair.no_roots", COUNT, HEAPS, "1: no GC roots; unreferenced objects used instead") \
	FACT(REPAIR_FIELD_LENGTHS, "repair.field_lengths", COUNT, HEAPS, "{:object|objects} shorter than their class layout") \
	FACT(LOSS_CUT_BYTES, "loss.cut_bytes", BYTES, HEAPS, "missing at the end of the last record") \
	FACT(LOSS_SKIPPED_BYTES, "loss.skipped_bytes", BYTES, HEAPS, "unreadable, skipped") \
	FACT(LOSS_NO_END, "loss.no_end", COUNT, HEAPS, "1: no end record") \
	FACT(LOSS_NO_HEAP, "loss.no_heap", COUNT, HEAPS, "1: no objects") \
	FACT(LOSS_PART_BYTES, "loss.part_bytes", BYTES, HEAPS, "in incomplete records at the ends of the parts") \
	FACT(LOSS_PARTS, "loss.parts", COUNT, HEAPS, "{:part|parts} missing in the sequence") \
	FACT(REFS, "refs", TEXT, HEAPS, "references that keep objects alive: soft, strong, all, unreachable") \
	FACT(SIZES, "sizes", TEXT, HEAPS, "size rule: vm or mat") \
	FACT(LIVE_OBJECTS, "live_objects", COUNT, HEAPS, "reachable objects") \
	FACT(LIVE_BYTES, "live_bytes", BYTES, HEAPS, "shallow size of the instances") \
	FACT(DIRECT_BYTES, "direct_bytes", BYTES, HEAPS, "native memory of live direct buffers and memory segments") \
	FACT(ZLIB_BYTES, "zlib_bytes", BYTES, HEAPS, "estimate: native memory of live Inflaters and Deflaters") \
	FACT(REGISTERED_BYTES, "registered_bytes", BYTES, HEAPS, "native memory registered by live objects (Android)") \
	FACT(MAPPED_BYTES, "mapped_bytes", BYTES, HEAPS, "mapped files of live buffers") \
	FACT(FINALIZABLE_BYTES, "finalizable_bytes", BYTES, HEAPS, "objects waiting for finalize(), with everything they hold") \
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
	FACT(UNREAD_ARCHIVE, "unread.archive_entries", COUNT, CODE, "archive {:entry|entries} without bytecode") \
	FACT(ARCHIVE_NESTED, "archive.nested", COUNT, CODE, "nested archives") \
	FACT(ARCHIVE_VERSIONS, "archive.versions", COUNT, CODE, "copies of classes for Java versions other than the newest") \
	FACT(ARCHIVE_UNREACHED, "archive.unreached", COUNT, CODE, "dex files that never run: after a gap in the numbers, or in another place") \
	FACT(ARCHIVE_PREFIX, "archive.prefix", BYTES, CODE, "data before the archive") \
	FACT(BUGS_THROW_LEAK, "bugs.throw_leak", COUNT, CODE, "Cursors leaked only when a call throws; see 'bugs all'") \
	FACT(CODE_JOINED, "code.joined", COUNT, CODE, "methods of the trace or profile found in the bytecode") \
	FACT(CODE_AMBIGUOUS, "code.ambiguous", COUNT, CODE, "ambiguous methods: several have the same name") \
	FACT(BUGS_GAVE_UP, "bugs.gave_up", COUNT, CODE, "Cursors not analysed: too many paths") \
	FACT(REPAIR_ARCHIVE_DOUBLES, "repair.archive_doubles", COUNT, CODE, "archive {:entry|entries} with a duplicate name, dropped") \
	FACT(REPAIR_CODE_DOUBLES, "repair.code_doubles", COUNT, CODE, "{:class|classes} with a duplicate name, dropped") \
	FACT(REPAIR_DEX_CHECKSUM, "repair.dex_checksum", COUNT, CODE, "dex {:file|files} with a wrong checksum") \
	FACT(LOSS_ARCHIVE_ENCRYPTED, "loss.archive_encrypted", COUNT, CODE, "encrypted entries") \
	FACT(LOSS_ARCHIVE_METHOD, "loss.archive_method", COUNT, CODE, "{:entry|entries} with an unsupported compression method") \
	FACT(LOSS_ARCHIVE_ENTRIES, "loss.archive_entries", COUNT, CODE, "damaged {:entry|entries} (wrong checksum)") \
	FACT(LOSS_ARCHIVE_BOUNDS, "loss.archive_bounds", COUNT, CODE, "{:entry|entries} outside the file, or too large") \
	FACT(LOSS_ARCHIVE_DEEP, "loss.archive_deep", COUNT, CODE, "{:archive|archives} nested too deep") \
	FACT(LOSS_ARCHIVE_CUT, "loss.archive_cut", COUNT, CODE, "{:archive|archives} with a truncated or missing directory") \
	FACT(LOSS_CODE_FILES, "loss.code_files", COUNT, CODE, "unreadable class {:file|files} and dex files") \
	FACT(LOSS_CODE_CUT, "loss.code_cut", COUNT, CODE, "truncated class {:file|files} and dex files") \
	FACT(LOSS_CODE_CLASSES, "loss.code_classes", COUNT, CODE, "{:class|classes} with missing methods") \
	FACT(LOSS_CODE_METHODS, "loss.code_methods", COUNT, CODE, "{:method|methods} with invalid code") \
	FACT(LOSS_BUGS_INVALID, "loss.bugs_invalid", COUNT, CODE, "{:method|methods} with Cursors but inconsistent code: not analysed") \
	FACT(LOSS_BUGS_METHODS, "loss.bugs_methods", COUNT, CODE, "{:method|methods} too large for 'bugs': analysed in part")

#endif
