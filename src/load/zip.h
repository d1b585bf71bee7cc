/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zip: read the entries of an archive. Private to src/load.
 */
#ifndef LOAD_ZIP_H
#define LOAD_ZIP_H

#include "decode.h"
#include "icecore/inflate.h"

#define LOCAL_BYTES 30
#define ENTRY_MOST ((uint64_t)256 << 20)	/* maximum inflated size of one entry */

struct zip_entry {
	struct str	 name;
	uint32_t	 flags, method, crc;
	uint64_t	 packed, size, at;	/* at: offset of the local header, from the start of the archive */
};

struct zip {
	struct bundle	*b;
	const uint8_t	*data;
	uint64_t	 size, prefix;
	uint64_t	 dir, end, entries;	/* offset of the directory */
	struct str	 name;			/* offset of the archive */
	unsigned	 depth;
	unsigned	 version;		/* highest applicable version in META-INF/versions; 0: none */
	struct idmap	 seen;			/* hashes of names */
	unsigned	 dexes;			/* classes.dex to classesN.dex exist */
};

/* Find the directory; false: missing or invalid. */
bool	zip_read_end(struct zip *);
/* Read the entry at *at of the directory and advance *at; false: no more. */
bool	zip_read_central(const struct zip *, uint64_t *at, struct zip_entry *);
/* Find the data of an entry; false: outside of the archive. */
bool	zip_data_of(const struct zip *, const struct zip_entry *, const uint8_t **data);
/*
 * Return the data of an entry, in *own, which the caller frees, if it was compressed; false: it is lost and counted.
 */
bool	zip_unpack(struct zip *, const struct zip_entry *, const uint8_t *data, struct str *bytes, uint8_t **own);
/* Return whether an entry is bytecode or an archive of it, by the names. */
bool	zip_has_code(const struct zip *);
bool	zip_count(struct zip *, enum bundle_count);	/* returns false */

#endif
