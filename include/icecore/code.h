/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * code: bytecode of class files and dex files, by numbers of classes and methods.  Belongs to layer load.
 *
 * Names and numbers of a file are in columns (columns_code.h); the code of a method is read from the bytes
 * of the file on demand.  Numbers of classes and methods begin at 1.  The input is untrusted: invalid code
 * has no body, and names outside the file are empty.
 */
#ifndef ICECORE_CODE_H
#define ICECORE_CODE_H

#include "icecore/columns_code.h"
#include "icecore/load.h"
#include "icecore/unread.h"

/* ---- files ------------------------------------------------------------------------------- */

struct code {
	const struct store *st;
	const uint8_t	*data;		/* bytes that contain all files */
	uint64_t	 size, base;	/* base: offset of data in refs */
	uint32_t	 nclasses, nmethods;
};

/* False: the store has no code. */
bool	code_open(struct code *, const struct store *);

/* Number of methods that a class declares, and the first of them. */
static inline uint64_t
code_class_methods(const struct store *st, uint64_t class, uint64_t *first)
{
	return column_rows_of(store_column(st, COL_CODE_CLASS_FIRST),
	    store_column(st, COL_CODE_CLASS_METHODS), store_column(st, COL_CODE_METHOD_NAME), class, first);
}

struct str code_class_name(const struct code *, uint32_t class);	/* "a/b/C" */
struct str code_method_name(const struct code *, uint32_t method);
void	code_method_desc(const struct code *, uint32_t method, struct buf *);	/* "(ILa/B;)V"; appends */
/* Modified UTF-8 as UTF-8, with dots for slashes; appends. */
void	code_text(struct str modified, struct buf *);
void	code_method_told(const struct code *, uint32_t method, struct buf *);	/* "a.b.C.run"; appends */

/* ---- constants that instructions refer to ---------------------------------------------- */

#define CODE_NONE UINT32_MAX

/* Constants of one class file or one dex file. */
struct code_pool {
	const uint8_t	*data;
	uint64_t	 size;
	bool		 dex;
	/* Class files: offset of the tag of each constant, 0: it is none. */
	uint32_t	*at;
	size_t		 cap;
	uint32_t	 n;
	uint64_t	 end;		/* end of the constants */
	/* Dex files: offset of each table, and how many of its entries are inside the file. */
	struct code_table {
		uint32_t at, n;
	} table[6];
};

enum code_table_kind { DEX_STRINGS, DEX_TYPES, DEX_PROTOS, DEX_FIELDS, DEX_METHODS, DEX_CLASSES };

struct code_ref {
	struct str	owner, name, desc;	/* desc: of a class file, and of fields */
	uint32_t	proto;			/* only methods of a dex file; otherwise CODE_NONE */
};

/*
 * Start from zeros; may be opened again for other files. False: the file is truncated before the classes
 * begin.
 */
bool	code_pool_open(struct code_pool *, const uint8_t *data, uint64_t size);
void	code_pool_free(struct code_pool *);
/*
 * All return false for a constant of another kind. Types of a dex file are given without L and ;, as in
 * class files.
 */
bool	code_pool_text(const struct code_pool *, uint32_t i, struct str *);
bool	code_pool_class(const struct code_pool *, uint32_t i, struct str *);
bool	code_pool_field(const struct code_pool *, uint32_t i, struct code_ref *);
bool	code_pool_method(const struct code_pool *, uint32_t i, struct code_ref *);
/* Append the descriptor of a method. */
bool	code_pool_desc(const struct code_pool *, const struct code_ref *, struct buf *);
bool	code_pool_proto(const struct code_pool *, uint32_t proto, struct buf *);
struct str code_type_name(struct str descriptor);	/* "a/B" for "La/B;"; other types unchanged */

/* ---- instructions ------------------------------------------------------------------------ */

/* Layout of the operands after the opcode: letters of class files, then the formats of dex files. */
enum insn_form {
	FORM_NONE, FORM_BYTE, FORM_SHORT, FORM_CONST1, FORM_CONST2, FORM_SLOT, FORM_INC, FORM_BRANCH,
	    FORM_BRANCH4,
	FORM_TABLE, FORM_LOOKUP, FORM_INTERFACE, FORM_DYNAMIC, FORM_ARRAY, FORM_WIDE, FORM_MULTI,
	FORM_10X, FORM_12X, FORM_11N, FORM_11X, FORM_10T, FORM_20T, FORM_30T, FORM_22X, FORM_32X, FORM_21T,
	    FORM_21S,
	FORM_21H, FORM_21C, FORM_23X, FORM_22B, FORM_22T, FORM_22S, FORM_22C, FORM_31T, FORM_31I, FORM_31C,
	    FORM_51L,
	FORM_35C, FORM_3RC, FORM_45CC, FORM_4RCC
};

struct insn_op {
	const char	*name;		/* NULL: not an opcode */
	uint8_t		 form;
	uint8_t		 pop, push;	/* class files: words; 255: it depends on the constant */
	/* Dex files, registers written: m moved, W two words, r result, y not null, c constant, d any. */
	char		 effect;
};

extern const struct insn_op jvm_ops[256], dex_ops[256];

struct insn {
	const struct insn_op *op;
	uint32_t	 pc, size;	/* class files: in bytes; dex files: in units of two bytes */
	uint8_t		 code;		/* op of iload in "wide iload" */
	bool		 wide;
	uint32_t	 index;		/* constant; or CODE_NONE */
	uint32_t	 reg[5];	/* slot, or registers; of a range the first */
	uint32_t	 nregs;
	bool		 range;		/* nregs registers from reg[0] on */
	int64_t		 value;		/* literal */
	int64_t		 target;	/* branches: pc; switches: pc of the default; CODE_NONE: dex */
	/* Switches: number of cases, pc of the keys (0: they rise from value), pc of the targets. */
	uint32_t	 cases, keys, targets;
};

/* ---- methods ----------------------------------------------------------------------------- */

/* CATCH_EXCEPTION: Exception or RuntimeException. */
enum catch_what { CATCH_SOME, CATCH_EXCEPTION, CATCH_ALL };

struct code_try {
	uint32_t	 start, end, handler;
	enum catch_what	 what;
	struct str	 type;		/* empty: any */
};

struct code_line {
	uint32_t	 pc, line;
	uint32_t	 place;		/* number in the tables of the file */
};

/* A local variable, while pc is at least start and less than end. */
struct code_local {
	uint32_t	 start, end, slot;	/* slot of a class file, or register */
	struct str	 name, type;		/* type: a descriptor without L and ; */
};

/* Types at one place of a method, as its StackMapTable says. */
struct code_frame {
	const uint8_t	*at, *end;	/* the rest of the table; at is NULL before the first frame */
	uint32_t	 left, pc;	/* entries that follow; where this frame is */
	/* uint32_t for each local, and for each word of the stack: a tag, and above 8 bits a number. */
	struct scratch	 types[2];
	uint32_t	 n[2];
	bool		 invalid;	/* the rest of the table is invalid */
};

struct code_body {
	const struct code *code;
	uint32_t	 method, class;
	struct code_pool pool;
	uint32_t	 piece;		/* file of pool; 0: none */
	const uint8_t	*insns;
	uint32_t	 size;		/* length in bytes; of dex files in units */
	uint32_t	 regs, stack, ins;	/* locals or registers; the last ins of them are arguments */
	/* Rows of struct code_try, in the order they are tried, and of struct code_line, by pc and place. */
	struct scratch	 tries, lines;
	uint64_t	 ntries, nlines;
	bool		 has_cursor;	/* a local variable is declared as a Cursor */
	bool		 named;		/* set by the caller: read locals and frames too */
	/* Rows of struct code_local, by slot and start; the last one with equal slot and place counts. */
	struct scratch	 locals;
	uint64_t	 nlocals;
	struct scratch	 last_in;	/* while a dex file is read */
	struct str	 map;		/* StackMapTable of a class file; empty: none */
	struct code_frame frame;	/* the frame of map that was read last */
	struct unread	*unread;	/* set by the caller: unknown attributes are counted there; or NULL */
};

/*
 * Start from zeros; may be opened again and again, consecutive methods of one file are cheap.  False: the
 * method has no code, or invalid code, or out of memory: err->kind is E_SYSTEM then.
 */
bool	code_body_open(struct code_body *, const struct code *, uint32_t method, struct err *);
void	code_body_free(struct code_body *);
bool	code_body_piece(struct code_body *, const struct code *, uint32_t piece);	/* only the pool */
/*
 * The name of interface i, from 0, of a class; b is the body of any method. False: no such interface, or it
 * has no name.
 */
bool	code_interface(struct code_body *b, const struct code *, uint32_t class, uint32_t i,
    struct str *name);
#define CODE_FINAL 0x10u	/* access flag */
/*
 * The access flags of a field that a class declares; b as for code_interface. False: there is no such field,
 * or the class is of a dex file.
 */
bool	code_field_access(struct code_body *b, const struct code *, uint32_t class, struct str name,
    uint32_t *access);
/* The instruction at pc; false: none is there.  Payloads of dex files have size but no op. */
bool	code_insn(const struct code_body *, uint32_t pc, struct insn *);
/* Pc of case i of a switch. */
int64_t	code_case(const struct code_body *, const struct insn *, uint32_t i, int64_t *key);
/* For people; appends.  If there is no instruction (no op, no size): the byte at its pc. */
void	code_operands(const struct code_body *, const struct insn *, struct buf *);
uint32_t code_line_of(const struct code_body *, uint32_t pc);	/* 0: unknown */
/* The local variable in a slot or register of an instruction, by its place in reg; NULL: no name is known. */
const struct code_local *code_local(const struct code_body *, const struct insn *, uint32_t reg);
/*
 * Append the stack-map frame at pc: types of the locals, then of the stack.  The first frame is that of the
 * arguments.  Nothing: no frame is there, or an invalid one precedes it.  Asking for rising pcs is fast.
 * False: out of memory.
 */
bool	 code_frame_at(struct code_body *, uint32_t pc, struct buf *, struct err *);

#endif
