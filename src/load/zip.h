/*
 * zip: an archive while its entries are taken.  Private to src/load.
 */
#ifndef LOAD_ZIP_H
#define LOAD_ZIP_H

#include "decode.h"

#define LOCAL_BYTES 30
#define ENTRY_MOST ((uint64_t)256 << 20)	/* of one entry, inflated */

struct zip_entry {
	struct str	 name;
	uint32_t	 flags, method, crc;
	uint64_t	 packed, size, at;	/* at: local header, from the start of the archive */
};

struct zip {
	struct bundle	*b;
	const uint8_t	*data;
	uint64_t	 size, prefix;
	uint64_t	 dir, end, entries;	/* of the directory */
	struct str	 name;			/* of the archive */
	unsigned	 depth;
	unsigned	 version;		/* highest of META-INF/versions that counts; 0: none */
	struct idmap	 seen;			/* hashes of names */
	unsigned	 dexes;			/* classes.dex up to classesN.dex are there */
};

/* Finds the directory; false: there is none, or it cannot be right. */
bool	zip_read_end(struct zip *);
/* The entry at *at of the directory, which moves on; false: none is there. */
bool	zip_read_central(const struct zip *, uint64_t *at, struct zip_entry *);
/* Where the bytes of an entry begin; false: not in the archive. */
bool	zip_data_of(const struct zip *, const struct zip_entry *, const uint8_t **data);
/*
 * *used: bytes of in that were taken, *n of *out, the caller's, that were made.  False: they make no sense, or are more than most,
 * or there was no memory (mem_refused).
 */
bool	zip_inflate(const uint8_t *in, uint64_t size, uint8_t **out, uint64_t guess, uint64_t most, uint64_t *used,
	    uint64_t *n);
/* The bytes of an entry, in *own, the caller's, where they were packed; false: they are lost and counted. */
bool	zip_unpack(struct zip *, const struct zip_entry *, const uint8_t *data, struct str *bytes, uint8_t **own);
bool	zip_count(struct zip *, enum bundle_count);	/* false always */

#endif
