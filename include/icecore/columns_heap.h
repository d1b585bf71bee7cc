/*
 * columns of heap dumps.  Objects are numbered 1 .. heap.objects by rising address, classes by first
 * appearance in the file; 0 is none.  For include/icecore/columns.h.
 */
#ifndef ICECORE_COLUMNS_HEAP_H
#define ICECORE_COLUMNS_HEAP_H

#define COLUMNS_HEAP(ROW) \
	/* Loader: address to object, with the facts heap.id_base and heap.id_shift; read through ids.h only. */ \
	ROW(ID_SORTED, "id.sorted") \
	ROW(ID_PAGE, "id.page") \
	ROW(ID_PLACE, "id.place") \
	ROW(ID_BITS, "id.bits") \
	ROW(ID_RANK, "id.rank") \
	/* Runs of whole sub-records, file order. */ \
	ROW(EXTENT_FROM, "extent.from")			/* u64, offset in the source */ \
	ROW(EXTENT_TO, "extent.to")			/* u64 */ \
	/* Classes, also those that are only named or only used. */ \
	ROW(CLASS_OBJECT, "class.object")		/* u32: its Class object; 0: not dumped */ \
	ROW(CLASS_BY_OBJECT, "class.by_object")		/* u32: the classes that are objects, by rising object */ \
	ROW(CLASS_ADDR, "class.addr")			/* u64 */ \
	ROW(CLASS_NAME, "class.name")			/* ref, as in the file; 0: unknown */ \
	ROW(CLASS_SUPER, "class.super")			/* u32 class; 0: none */ \
	ROW(CLASS_LOADER, "class.loader")		/* u32 row of loader.* */ \
	ROW(CLASS_DUMP, "class.dump")			/* u64 offset of its CLASS_DUMP; 0: none */ \
	ROW(CLASS_SIZE, "class.size")			/* u32: the instance size that the dump says */ \
	ROW(CLASS_ELEMENT, "class.element")		/* u8: 0 no array, else enum heap_type */ \
	ROW(CLASS_STRENGTH, "class.strength")		/* u8, enum heap_strength of what its referent field does */ \
	ROW(CLASS_OBJECTS, "class.objects")		/* u32: instances; of java.lang.Class the classes too */ \
	ROW(CLASS_SHALLOW, "class.shallow")		/* u64: bytes of all its instances by SIZES_VM */ \
	ROW(CLASS_MAT_SHALLOW, "class.mat_shallow")	/* u64: the same by SIZES_MAT */ \
	ROW(CLASS_VM_SIZE, "class.vm_size")		/* u32: bytes of one instance */ \
	ROW(CLASS_MAT_SIZE, "class.mat_size")		/* u32 */ \
	ROW(CLASS_STATICS, "class.statics")		/* u32: bytes of statics that are no references */ \
	ROW(CLASS_STATIC_REFS, "class.static_refs")	/* u32: statics that are references */ \
	ROW(CLASS_STATIC_ADDED, "class.static_added")	/* u32: those of them that the VM keeps outside the Class object */ \
	ROW(CLASS_STATIC_WIDE, "class.static_wide")	/* u8: 1: some statics are of type long or double */ \
	ROW(CLASS_SERIAL, "class.serial")		/* u32 */ \
	ROW(CLASS_FIELD, "class.field")			/* u32: first row of field.* */ \
	ROW(CLASS_FIELDS, "class.fields")		/* u32: fields that it declares itself */ \
	ROW(FIELD_NAME, "field.name")			/* ref; instance fields in the order of their values */ \
	ROW(FIELD_TYPE, "field.type")			/* u8 */ \
	ROW(LOADER_OBJECT, "loader.object")		/* u32: row 1 is the boot loader with object 0 */ \
	/* Roots, file order; those of absent objects dropped. */ \
	ROW(ROOT_OBJECT, "root.object") \
	ROW(ROOT_KIND, "root.kind")			/* u8, enum heap_root */ \
	ROW(ROOT_THREAD, "root.thread")			/* u32 row of jthread.*; 0: none */ \
	ROW(ROOT_DEPTH, "root.depth")			/* u32: frame of the stack, 0 innermost; ROOT_NO_FRAME */ \
	/* Threads that lived when the dump was taken, as far as the file says. */ \
	ROW(JTHREAD_OBJECT, "jthread.object")		/* u32; 0: not dumped */ \
	ROW(JTHREAD_SERIAL, "jthread.serial")		/* u32 */ \
	ROW(JTHREAD_NAME, "jthread.name")		/* ref, of START_THREAD */ \
	ROW(JTHREAD_TRACE, "jthread.trace")		/* u32 serial */ \
	ROW(TRACE_SERIAL, "trace.serial")		/* u32; the STACK_TRACE records */ \
	ROW(TRACE_THREAD, "trace.thread")		/* u32 serial */ \
	ROW(TRACE_OFFSET, "trace.offset")		/* u64, of its frame ids */ \
	ROW(TRACE_FRAMES, "trace.frames")		/* u32 */ \
	ROW(SFRAME_ID, "sframe.id")			/* u64, rising; the STACK_FRAME records */ \
	ROW(SFRAME_OFFSET, "sframe.offset")		/* u64, of the body */ \
	ROW(NAME_ID, "name.id")				/* u64, rising; the STRING records */ \
	ROW(NAME_REF, "name.ref") \
	ROW(PART_FROM, "part.from")			/* u64 offset: heaps of Android; an object is of the last part from there on */ \
	ROW(PART_NAME, "part.name")			/* ref */ \
	/* Side files: original names of a mapping file, beside class.name and field.name over those of the file. */ \
	ROW(RAW_CLASS, "raw.class")			/* ref by class: its obfuscated name; 0: the same */ \
	ROW(STATIC_CLASS, "static.class")		/* u32, rising: static fields */ \
	ROW(STATIC_ID, "static.id")			/* u64, of the name in the file */ \
	ROW(STATIC_NAME, "static.name")			/* ref */ \
	ROW(SFRAME_METHOD, "sframe.method")		/* ref by row of sframe.*; 0: as in the file */ \
	ROW(SFRAME_FILE, "sframe.file")			/* ref */ \
	ROW(SFRAME_LINE, "sframe.line")			/* i64 */ \
	/* Pass objects. */ \
	ROW(OBJECT_OFFSET, "object.offset")		/* u32 */ \
	ROW(OBJECT_HIGH, "object.high")			/* u8, above 4 GiB */ \
	ROW(OBJECT_CLASS, "object.class") \
	ROW(OBJECT_LENGTH, "object.length")		/* u8: elements; 255: see long.* */ \
	ROW(LONG_OBJECT, "long.object") \
	ROW(LONG_LENGTH, "long.length") \
	ROW(OUT_DATA, "out.data")			/* outgoing references; read through heap_out */ \
	ROW(OUT_LEN, "out.len") \
	ROW(OUT_BLOCK, "out.block") \
	ROW(LOCAL_THREAD, "local.thread")		/* u32, rising: a Thread, for each object that its stack holds */ \
	ROW(LOCAL_ROOT, "local.root")			/* u32 row of root.*, rising for each of these */ \
	/* Pass referrers: incoming references; read through heap_in. */ \
	ROW(IN_DATA, "in.data") \
	ROW(IN_LEN, "in.len") \
	ROW(IN_BLOCK, "in.block") \
	/* Pass stacks: the frames of a thread stand together, innermost first. */ \
	ROW(JTHREAD_FRAME, "jthread.frame")		/* u32: first row of frame.* */ \
	ROW(JTHREAD_FRAMES, "jthread.frames")		/* u32 */ \
	ROW(FRAME_THREAD, "frame.thread")		/* u32 */ \
	ROW(FRAME_METHOD, "frame.method")		/* ref */ \
	ROW(FRAME_SIGNATURE, "frame.signature")		/* ref */ \
	ROW(FRAME_FILE, "frame.file")			/* ref */ \
	ROW(FRAME_CLASS, "frame.class")			/* u32 */ \
	ROW(FRAME_LINE, "frame.line")			/* i64: -1 unknown, -2 compiled, -3 native, 0 no line numbers */ \
	ROW(ROOT_FRAME, "root.frame")			/* u32 row of frame.*; 0: none */ \
	/* Pass fillers, which makes facts. */ \
	ROW(FILLER_BYTES, "filler.bytes")		/* u64, one */ \
	/* Pass machine, which makes facts: how many there are. */ \
	ROW(MACHINE_SAID, "machine.said")		/* u8 */ \
	/* Pass reach: objects that are reachable, but not strongly. */ \
	ROW(REACH_OBJECT, "reach.object")		/* u32, rising */ \
	ROW(REACH_LEVEL, "reach.level")			/* u8, enum heap_strength */ \
	ROW(REACH_NONE, "reach.none")			/* u64, a bit for each object: none reaches it */ \
	/* Pass allocations, in a store with a recording beside it: by class, of those of its name; 0: it saw none. */ \
	ROW(ALLOC_BYTES, "alloc.bytes")			/* u64 */ \
	ROW(ALLOC_SAMPLES, "alloc.samples")		/* u64 */ \
	ROW(ALLOC_OLD, "alloc.old")			/* u64: objects that stayed */ \
	ROW(ALLOC_ROW, "alloc.row")			/* u32: its first row of made.*, of the site that made most bytes */ \
	ROW(ALLOC_ROWS, "alloc.rows")			/* u32: so many */ \
	ROW(ALLOC_OLD_ROW, "alloc.old_row")		/* u32: the row of the site that made most of those that stayed */ \
	/* Names of classes and the sites that made their objects: by falling bytes of the class, then of the site. */ \
	ROW(MADE_NAME, "made.name")			/* u32, offset + 1 in made.text */ \
	ROW(MADE_SITE, "made.site")			/* the same; 0: not known */ \
	ROW(MADE_CLASS, "made.class")			/* u32: the first class of the dump that has the name; 0: none has */ \
	ROW(MADE_BYTES, "made.bytes")			/* u64 */ \
	ROW(MADE_SAMPLES, "made.samples")		/* u64 */ \
	ROW(MADE_OLD, "made.old")			/* u64 */ \
	ROW(MADE_TEXT, "made.text")			/* bytes, texts end with NUL */ \
	/* Pass natives: native memory that belongs to objects by NativeAllocationRegistry of Android. */ \
	ROW(NATIVE_OBJECT, "native.object")		/* u32, rising */ \
	ROW(NATIVE_BYTES, "native.bytes")		/* u64 */

/*
 * Columns that exist once for each choice of --refs and --sizes: see heap_col.  Beside them pass dominators sets the facts
 * R.S.unit, R.S.live_objects and R.S.live_bytes: see heap_fact.
 */
#define COLUMNS_CHOSEN(EACH) \
	/* Pass dominators. */ \
	EACH(PARENT, "parent")				/* u32: object that dominates it, HEAP_ROOT: nothing does, 0: unreachable */ \
	EACH(RETAINED, "retained")			/* in units of R.S.unit bytes */ \
	EACH(CLASS_LIVE, "class_live")			/* reachable instances */ \
	EACH(CLASS_RETAINED, "class_retained")		/* u64 bytes */ \
	EACH(LOADER_RETAINED, "loader_retained")	/* u64 bytes */ \
	/* Components of enum component_by: what is reachable of each class, its Class object too; and what all of one retain. */ \
	EACH(COMPONENT_OBJECTS, "component.objects")	/* u32 */ \
	EACH(COMPONENT_SHALLOW, "component.shallow")	/* u64 bytes */ \
	EACH(COMPONENT_PACKAGE, "component.package")	/* u64 bytes, at the first class of each */ \
	EACH(COMPONENT_LOADER, "component.loader") \
	EACH(COMPONENT_CLASS, "component.class") \
	/* Pass children. */ \
	EACH(CHILDREN, "children")			/* packed; read through heap_children */ \
	EACH(CHILDREN_AT, "children.at") \
	EACH(CHILDREN_MASK, "children.mask") \
	/* Pass duplicates: reachable arrays of one content and Strings of one text, by falling waste. */ \
	EACH(DUP_STRING, "dup.string")			/* u8: 1 Strings, 0 arrays, 2 arrays of nothing but zeros */ \
	EACH(DUP_OBJECT, "dup.object")			/* u32: the lowest of them */ \
	EACH(DUP_COPIES, "dup.copies")			/* u32 */ \
	EACH(DUP_ARRAYS, "dup.arrays")			/* u32: distinct backing arrays */ \
	EACH(DUP_WASTE, "dup.waste")			/* u64 bytes without one copy */ \
	EACH(DUP_FIRST, "dup.first")			/* u32 row of dup.member */ \
	EACH(DUP_MEMBER, "dup.member")			/* u32: the objects, rising */ \
	EACH(DUP_OWNS, "dup.owns")			/* u8, a row a member: 1: the array of this String would go with it */ \
	EACH(DUP_SHARED, "dup.shared")			/* u32, rising: arrays that several Strings have */ \
	EACH(DUP_SHARERS, "dup.sharers")		/* u32: so many */ \
	/* Pass direct: what has memory outside the heap, without views of it; behind them what zlib has. */ \
	EACH(DIRECT_OBJECT, "direct.object")		/* u32, by address of the memory */ \
	EACH(DIRECT_BYTES, "direct.bytes")		/* u64 */ \
	/* Pass collections: packed; read through collection_rows_next. */ \
	EACH(COLLECTIONS, "collections") \
	/* Pass names: the nodes in pre-order, from 1, the heaviest child first; struct name_node.  Texts by number. */ \
	EACH(NAMES_KIND, "names.kind")			/* u8, enum name_kind */ \
	EACH(NAMES_ROLE, "names.role")			/* u8, enum name_role */ \
	EACH(NAMES_WHOSE, "names.whose")		/* u8, enum class_kind */ \
	EACH(NAMES_HOLDER_WHOSE, "names.holder_whose")	/* u8 */ \
	EACH(NAMES_PARENT, "names.parent") \
	EACH(NAMES_SIZE, "names.size") \
	EACH(NAMES_DEPTH, "names.depth") \
	EACH(NAMES_LABEL, "names.label") \
	EACH(NAMES_HOLDER, "names.holder") \
	EACH(NAMES_CLASS, "names.class") \
	EACH(NAMES_COUNT, "names.count") \
	EACH(NAMES_FOLDED, "names.folded") \
	EACH(NAMES_OBJECT, "names.object") \
	EACH(NAMES_SELF, "names.self")			/* bytes, as the next four */ \
	EACH(NAMES_TOTAL, "names.total") \
	EACH(NAMES_NATIVE, "names.native") \
	EACH(NAMES_NATIVE_TOTAL, "names.native_total") \
	EACH(NAMES_MOST, "names.most") \
	EACH(NAMES_TEXT_AT, "names.text_at")		/* u64: where text number n + 1 begins in names.text; one more row */ \
	EACH(NAMES_TEXT, "names.text")			/* bytes */ \
	EACH(NAMES_OF, "names.of")			/* by object: its node; 0: unreachable */ \
	/* Pass findings: by falling severity, then weight, then kind and object; struct finding. */ \
	EACH(FINDING_KIND, "finding.kind")		/* u8, enum finding_kind */ \
	EACH(FINDING_OBJECT, "finding.object")		/* u32: its object; 0: no single one */ \
	EACH(FINDING_CLASS, "finding.class")		/* u32; 0: none */ \
	EACH(FINDING_OTHER, "finding.other")		/* u32: accumulation point, thread, loader or key of it; 0: none */ \
	EACH(FINDING_RETAINED, "finding.retained")	/* u64: retained or wasted bytes */ \
	EACH(FINDING_COUNT, "finding.count")		/* u32: objects that one row stands for */ \
	EACH(FINDING_NUMBER, "finding.number")		/* u64: a number of the kind */ \
	EACH(FINDING_GRADE, "finding.grade")		/* u8, 1 + enum severity */ \
	EACH(FINDING_NATIVE, "finding.native")		/* u64 bytes */ \
	EACH(FINDING_OWNER, "finding.owner")		/* u32 node of names.*; 0: none, as in the next two */ \
	EACH(FINDING_CONTENT, "finding.content")	/* u32 */ \
	EACH(FINDING_ONE, "finding.one")		/* u32 */ \
	EACH(FINDING_HOP, "finding.hop")		/* u32: first row of hop.*, from 0 */ \
	EACH(FINDING_HOPS, "finding.hops")		/* u32 */ \
	EACH(HOP_OBJECT, "hop.object")			/* u32: the path to .object, root first; of a suspect or a thread to .other */

/* Which references count for reachability, dominators and retained sizes (--refs). */
enum heap_refs { REFS_SOFT, REFS_STRONG, REFS_ALL,
	REFS_UNREACHABLE,	/* all, and what no root reaches has roots of its own */
	HEAP_REFS };
/* The rule of shallow sizes (--sizes): the layout vote, or MAT's formula. */
enum heap_sizes { SIZES_VM, SIZES_MAT, HEAP_SIZES };

/* The names of a column in the order of heap_col. */
#define CHOSEN_NAMES(name) \
	"soft.vm." name, "soft.mat." name, "strong.vm." name, "strong.mat." name, "all.vm." name, "all.mat." name, \
	"unreachable.vm." name, "unreachable.mat." name

/* Columns of passes names and findings; a mapping changes names of classes, and then both run again. */
#define NAMES_MAKES \
	COL_EACH_NAMES_KIND, COL_EACH_NAMES_ROLE, COL_EACH_NAMES_WHOSE, COL_EACH_NAMES_HOLDER_WHOSE, \
	COL_EACH_NAMES_PARENT, COL_EACH_NAMES_SIZE, COL_EACH_NAMES_DEPTH, COL_EACH_NAMES_LABEL, COL_EACH_NAMES_HOLDER, \
	COL_EACH_NAMES_CLASS, COL_EACH_NAMES_COUNT, COL_EACH_NAMES_FOLDED, COL_EACH_NAMES_OBJECT, COL_EACH_NAMES_SELF, \
	COL_EACH_NAMES_TOTAL, COL_EACH_NAMES_NATIVE, COL_EACH_NAMES_NATIVE_TOTAL, COL_EACH_NAMES_MOST, \
	COL_EACH_NAMES_TEXT_AT, COL_EACH_NAMES_TEXT, COL_EACH_NAMES_OF
#define FINDINGS_MAKES \
	COL_EACH_FINDING_KIND, COL_EACH_FINDING_OBJECT, COL_EACH_FINDING_CLASS, COL_EACH_FINDING_OTHER, \
	COL_EACH_FINDING_RETAINED, COL_EACH_FINDING_COUNT, COL_EACH_FINDING_NUMBER, COL_EACH_FINDING_GRADE, \
	COL_EACH_FINDING_NATIVE, COL_EACH_FINDING_OWNER, COL_EACH_FINDING_CONTENT, COL_EACH_FINDING_ONE, \
	COL_EACH_FINDING_HOP, COL_EACH_FINDING_HOPS, COL_EACH_HOP_OBJECT

/* What a recording beside a dump tells. */
#define MADE_MAKES \
	COL_ALLOC_BYTES, COL_ALLOC_SAMPLES, COL_ALLOC_OLD, COL_ALLOC_ROW, COL_ALLOC_ROWS, COL_ALLOC_OLD_ROW, \
	COL_MADE_NAME, COL_MADE_SITE, COL_MADE_CLASS, COL_MADE_BYTES, COL_MADE_SAMPLES, COL_MADE_OLD, COL_MADE_TEXT

#endif
