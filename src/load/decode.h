/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode: decode files before loaders read them; name unsupported files; recognise folded stacks.
 */
#ifndef LOAD_DECODE_H
#define LOAD_DECODE_H

#include "icecore/bytes.h"
#include "icecore/chunk.h"
#include "icecore/facts.h"
#include "icecore/limits.h"
#include "icecore/load.h"

/* The first are those of enum inflate_form. */
enum decode_kind {
	DECODE_NONE,
	DECODE_GZIP, DECODE_LZ4, DECODE_ZSTD, DECODE_XZ, DECODE_BZIP2,
	DECODE_ZLIB,		/* "TRACE:" and zlib data: atrace -z */
	DECODE_HTML,		/* systrace: text within scripts */
	DECODE_UTF8,		/* UTF-16 with a byte order mark */
	DECODE_UTF16_LE, DECODE_UTF16_BE,
	DECODE_ZIP,		/* jar, apk: the bytecode in it, as a bundle; otherwise files in it */
	DECODE_TAR,		/* files in it */
	DECODE_LOG,		/* a log of JSON objects or an export of the journal: the text in it */
	DECODE_KINDS
};

/* The layers that were decoded, and the damage found in them. */
struct decoded {
	/*
	 * Set before: logs are decoded, too, not only read as tables; the file of an archive that is wanted, or NULL.
	 */
	bool		 log;
	const char	*member, *path;	/* path: of the file, for a list of its files; NULL: no list is made */
	char		 how[64];	/* "gzip, UTF-16": outermost first */
	uint64_t	 replaced;	/* number of invalid UTF-16 units */
	bool		 cut[DECODE_KINDS];	/* damaged or truncated */
	char		 parts[512];	/* the files of an archive that were read: "boot.pftrace, app.pftrace" */
	bool		 full;		/* limited by --unpacked */
	bool		 listed;	/* the files of an archive, instead of one of them: folder_table.h */
};

/* State of decoding one layer from in to the file. */
struct decode {
	const struct map	*in;
	struct work		*work;
	struct decoded		*done;
	enum decode_kind	 kind;
	struct intake		*to;
	uint8_t			*out;		/* DECODE_CHUNK bytes, n of them filled */
	size_t			 n;
};

#define DECODE_CHUNK CHUNK_OF(256u * 1024)

/* Name of each kind; for kinds that can be truncated also the start of the message, and the fact that records it. */
extern const struct decode_word {
	const char	*name, *what;
	enum fact_id	 lost;
} decode_words[DECODE_KINDS];

enum decode_kind decode_kind(const struct map *, bool log);
bool	decode_is_packed(enum decode_kind);
/*
 * Decode all layers of in, outermost first, into a new file at path, which is replaced, or without a name if path is
 * NULL. *out maps it. known, or NULL, decides whether the last layer is wanted. Too many layers and too high
 * compression are errors.
 */
bool	decode_file(struct map *out, const struct map *in, const char *path, const struct intake_check *known,
	    struct decoded *, struct work *, struct err *);
/* Return whether a layer was damaged or truncated. */
bool	decode_is_cut(const struct store *);
/* Return whether the first part of an input, compressed or not, has a known format. */
bool	decode_known(const struct map *, const struct intake_check *, struct err *);

/* Return whether a file is an oat file written by dex2oat; p: the whole file. */
bool	elf_is_oat(const uint8_t *p, uint64_t n);

/* ---- foreign.c: formats that no loader reads ------------------------------------------------ */

bool	foreign_is(const uint8_t *, uint64_t size);	/* false: binary data of an unknown format */
/* Always fails: names the format, and says what to do instead. */
bool	foreign_fail(const uint8_t *, uint64_t size, struct err *);
/* A text whose lines can look like folded stacks has such a format.  Call it before folded_door. */
bool	foreign_text(struct str head);

/* ---- banners.c: lines that tools write around their data ------------------------------------- */

/*
 * "Attaching 2 probes...": readers ask about lines that they would otherwise count as not read.  line: without
 * blanks at its ends.
 */
bool	banner_is(struct str line);		/* of tracers */
bool	banner_of_dump(struct str line);	/* of stack dumps and what wrote them */

/* ---- door.c: recognise folded stacks among texts ----------------------------------------- */

enum folded_door {
	FOLDED_YES,
	FOLDED_NOT,
	FOLDED_FLAT,	/* lines end in numbers, but no stack has two frames */
	FOLDED_FEW,	/* half of the lines may be stacks */
	FOLDED_TABLE	/* semicolons separate the columns of a table */
};

enum folded_door folded_door(const uint8_t *head, size_t n);
/* Trim trailing blanks and line ends. */
struct str folded_trim(struct str);
/* Take the number at the end of a line and the blanks around it; false: no number, or no blank before it. */
bool	folded_count(struct str *line, struct str *count);

/* ---- archives: concatenated files of bytecode ---------------------------------------------- */

#define BUNDLE_MAGIC "ICODE\0\0\1"
/* Entry: u32 length of the name, u32 0, u64 length of the file; then both, each padded to a multiple of 8. */
#define BUNDLE_HEAD 16
#define BUNDLE_PAD(n) (((n) + 7) & ~(uint64_t)7)

/* Counts of archive entries by outcome. A bundle ends with a nameless file: these as u64, in this order. */
enum bundle_count {
	BUNDLE_ENTRIES,		/* all entries */
	BUNDLE_OTHERS,		/* neither a class nor a dex file */
	BUNDLE_DOUBLES,		/* duplicate name */
	BUNDLE_VERSIONS,	/* in META-INF/versions, for another version */
	BUNDLE_UNREACHED,	/* dex files where Android does not load them */
	BUNDLE_NESTED,		/* nested archives */
	BUNDLE_PREFIX,		/* bytes before the archive */
	BUNDLE_ENCRYPTED, BUNDLE_METHOD, BUNDLE_CHECKSUM, BUNDLE_BOUNDS, BUNDLE_DEEP, BUNDLE_CUT, BUNDLE_COUNTS
};

struct bundle {
	struct intake	*to;
	uint64_t	 count[BUNDLE_COUNTS];
	uint64_t	 inflated, budget;	/* total bytes of all entries */
	struct work	*work;
	size_t		 nout;		/* bytes to write */
	uint8_t		 out[32768];
};

/* Write a bundle. bundle_add: a file that is not an archive, or a class file of a directory. */
bool	bundle_begin(struct bundle *, struct intake *to, struct work *, struct err *);
bool	bundle_add(struct bundle *, struct str name, const uint8_t *, uint64_t size, struct err *);
bool	bundle_end(struct bundle *, struct err *);
/* Add all classes of an archive. Damaged entries are counted; false: no space. */
bool	bundle_zip(struct bundle *, struct str name, const uint8_t *, uint64_t size, struct err *);
bool	zip_is(const uint8_t *, uint64_t size);		/* begins or ends like an archive */

/* ---- dumpparts.c: unfinished heap dumps of JDK 22 or later ----------------------------------- */

/*
 * JVM threads write objects to NAME.p0, NAME.p1 and so on; at the end one of them appends these files to NAME. If the
 * JVM is killed before that, the files remain. DUMP_PARTS: maximum number of parts.
 */
#define DUMP_PARTS 256u
bool	dumpparts_is_one(const uint8_t *head, size_t n);
/* Open a part of the dump at path; -1 and errno: no such part, or too many open files. */
int	dumpparts_file(const char *path, unsigned number);
/* Call each for every part next to path. */
void	dumpparts_each(const char *path, void (*each)(void *to, const char *file), void *to);

/* For decoders. */
static inline bool
decode_flush(struct decode *d, struct err *err)
{
	size_t n = d->n;

	assert(n <= DECODE_CHUNK);
	d->n = 0;
	return n == 0 || intake_put(d->to, d->out, n, err);
}

static inline bool
decode_put(struct decode *d, const void *data, size_t n, struct err *err)
{
	const uint8_t *from = data;

	assert(d->n < DECODE_CHUNK);
	while (n > 0) {
		size_t room = DECODE_CHUNK - d->n, some = n < room ? n : room;

		memcpy(d->out + d->n, from, some);
		d->n += some;
		from += some;
		n -= some;
		if (d->n == DECODE_CHUNK && !decode_flush(d, err))
			return false;
	}
	return true;
}

/* log_lines.c: a log with a stack dump, and its text. */
bool	decode_is_log(const struct map *);
bool	decode_log(struct decode *, struct err *);
/* archive.c: the files of an archive that are opened.  *is: false of an archive of bytecode. */
bool	decode_zip_files(struct decode *, bool *is, struct err *);
bool	decode_is_tar(const struct map *);
bool	decode_tar(struct decode *, struct err *);
/* ---- member.c: a file of an archive, opened by its name ----------------------------------------- */

/*
 * The archive in "ARCHIVE!NAME", which the caller frees, and the name in path; NULL: it names no file of an archive,
 * or a file has that name.
 */
char	*member_archive(const char *path, const char **name);
/* Write the unpacked file to fd. */
bool	member_unpack_to(int fd, const char *archive, const char *name, struct work *, struct err *);

/* loader.c; NULL: none */
const struct loader *loader_named(struct str);

#endif
