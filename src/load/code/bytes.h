/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/load/code: variable-length numbers of dex files, and declarations shared by the loader's
 * files.
 */
#ifndef LOAD_CODE_BYTES_H
#define LOAD_CODE_BYTES_H

#include "icecore/code.h"
#include "icecore/make.h"
#include "code.h"
#include "load/decode.h"

#define DEX_HEADER 112
#define TABLES_AT 56		/* in it: number of entries and offset of each table */

/* Read a number of at most five bytes at *at; false: it is longer, or truncated. */
static inline bool
leb_u32(const uint8_t *data, uint64_t size, uint64_t *at, uint64_t *value)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 5 && *at < size; i++) {
		uint8_t byte = data[(*at)++];

		v |= (uint64_t)(byte & 127) << 7 * i;
		if (byte < 128) {
			*value = v & UINT32_MAX;
			return true;
		}
	}
	return false;
}

static inline bool
leb_i32(const uint8_t *data, uint64_t size, uint64_t *at, int64_t *value)
{
	uint64_t from = *at, v = 0;

	for (unsigned i = 0; i < 5 && *at < size; i++) {
		uint8_t byte = data[(*at)++];

		v |= (uint64_t)(byte & 127) << 7 * i;
		if (byte < 128) {
			unsigned bits = 7 * (unsigned)(*at - from);

			*value = byte & 64 ? (int64_t)v - ((int64_t)1 << bits) : (int64_t)v;
			return true;
		}
	}
	return false;
}

/* ---- the loader --------------------------------------------------------------------------- */

struct code_piece_row {
	uint64_t	name, at, size;
	uint16_t	version;
	uint8_t		dex;
};

struct code_class_row {
	uint64_t	name, super, source, at;
	uint32_t	piece, access, first, methods;
};

struct code_method_row {
	uint64_t	name, desc, at;
	uint32_t	class, access, bytes, first_line, last_line;
	uint8_t		bad;
};

/* Tables being read. Offsets in rows count from data; refs are larger by base. */
struct code_tables {
	const uint8_t	*data;
	uint64_t	 size, base;
	struct scratch	 piece, class, method;
	uint64_t	 npieces, nclasses, nmethods;
	uint64_t	 code_bytes, bad_pieces, bad_classes, bad_methods, bad_checksum, cut, newer, doubles;
	struct code_pool pool;		/* pool of the current piece */
	struct unread	 unread;	/* attributes of class files */
	struct work	*work;
};

/* Return the offset in refs of a byte in data; 0: none. */
static inline uint64_t
rows_ref(const struct code_tables *r, struct str s)
{
	return s.n == 0 ? 0 : ref_make(r->base + (uint64_t)(s.s - (const char *)r->data), s.n);
}

/*
 * Always fails: no class in path (NULL: the only file). The message states why archive entries were
 * skipped.
 */
bool	code_fail_empty(const struct store *, const char *path, struct err *);

/* Read the classes of a piece, which is the last row of r->piece. Damage is counted; false: out of memory. */
bool	read_class_file(struct code_tables *, struct str piece, struct err *);
bool	read_dex_file(struct code_tables *, struct str piece, struct err *);

/*
 * Read the body of a method by its number: class.c, dex.c. b->code, b->pool and b->regs .. are set; false:
 * its code is invalid.
 */
bool	class_body(struct code_body *, const struct code_pool *, uint64_t at, struct err *);
bool	dex_body(struct code_body *, const struct code_pool *, uint64_t at, struct err *);
/* The access flags of a field of a class file, whose list of interfaces begins there; false: it has none. */
bool	class_field_access(const struct code_pool *, uint64_t at, struct str name, uint32_t *access);
/* Return whether the code consists of valid instructions up to its end. */
bool	body_sound(const struct code_body *);
bool	body_add_line(struct code_body *, uint32_t pc, uint32_t line, struct err *);
bool	body_add_try(struct code_body *, const struct code_try *, struct err *);
bool	body_add_local(struct code_body *, const struct code_local *, struct err *);
void	body_sort_locals(struct code_body *);	/* drops those that are nowhere */

/*
 * Local variables in the order of debug info; registers after the last one of the method are ignored.
 * False: out of memory.
 */
#define LOCAL_STAYS UINT32_MAX	/* end of a variable up to the end of the method, or until it ends */
bool	locals_start(struct code_body *, struct err *);
/* the one before in its register ends */
bool	local_begins(struct code_body *, const struct code_local *, struct err *);
void	local_ends(struct code_body *, uint32_t reg, uint32_t pc);
/* the last one in a register, if it has ended */
bool	local_again(struct code_body *, uint32_t reg, uint32_t pc, struct err *);
/* The type of parameter i of a method of a dex file, without L and ;. */
bool	pool_parameter(const struct code_pool *, uint32_t proto, uint32_t i, struct str *);

enum catch_what catch_of(struct str type);

/* Decode the first character of non-empty modified UTF-8 and its length; unpaired surrogates are kept. */
size_t	modified_decode(struct str, uint32_t *c);
/* Append c as UTF-8; bytes that have no such form stay. */
void	modified_put(struct str bytes, uint32_t c, struct buf *);

/* jvm.c, dex_insn.c. */
bool	jvm_insn(const struct code_body *, uint32_t pc, struct insn *);
bool	dex_insn(const struct code_body *, uint32_t pc, struct insn *);

#endif
