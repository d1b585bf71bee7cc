/*
 * decode: what has to be done to the bytes of a file before loaders see them; and what a file is that no loader takes; and which
 * texts are folded stacks.
 */
#ifndef LOAD_DECODE_H
#define LOAD_DECODE_H

#include "icecore/bytes.h"
#include "icecore/limits.h"
#include "icecore/load.h"

enum decode_kind {
	DECODE_NONE,
	DECODE_GZIP,
	DECODE_LZ4,
	DECODE_ZLIB,		/* "TRACE:" and zlib data: atrace -z */
	DECODE_HTML,		/* systrace: text within scripts */
	DECODE_UTF8,		/* with a mark */
	DECODE_UTF16_LE, DECODE_UTF16_BE,
	DECODE_ZIP,		/* jar, apk: the bytecode in it, as a bundle */
	DECODE_KINDS
};

/* What was done, and what was found wrong. */
struct decoded {
	char		 how[64];	/* "gzip, UTF-16": from the outside in */
	uint64_t	 replaced;	/* units of UTF-16 that are no character */
	bool		 cut[DECODE_KINDS];	/* damaged, or ended too early */
	bool		 full;		/* there was more than --unpacked allows */
};

/* One layer on its way from in to the file; decoders put bytes out and say how far they read. */
struct decode {
	const struct map	*in;
	struct work		*work;
	struct decoded		*done;
	enum decode_kind	 kind;
	struct intake		*to;
	uint8_t			*out;		/* DECODE_CHUNK bytes, n of them to be written */
	size_t			 n;
};

#define DECODE_CHUNK (256u * 1024)

/* The name of each kind and, for those that can be truncated, the fact that says so and the start of the message. */
extern const struct decode_word {
	const char	*name, *fact, *what;
} decode_words[DECODE_KINDS];

enum decode_kind decode_kind(const struct map *);
/*
 * All layers of in, from the outside, as one new file at path, which is replaced, or NULL: without a name.  *out maps it.
 * known, or NULL, is asked of what the last layer gives.  What is packed too often or too well is refused.
 */
bool	decode_file(struct map *out, const struct map *in, const char *path, const struct intake_check *known,
	    struct decoded *, struct work *, struct err *);
/* Is there something known in the first part of an input, packed or not? */
bool	decode_known(const struct map *, const struct intake_check *, struct err *);

/* What dex2oat makes; p: the whole file. */
bool	elf_is_oat(const uint8_t *p, uint64_t n);

#define OR_AS "; see icecore --list-formats, or open with --as NAME"
/* What a file is that no loader takes, and perhaps what to do; NULL when that is not known. */
const char *foreign_name(const uint8_t *head, size_t n);
/* The same of texts whose lines can look like folded stacks, so that it is asked before. */
const char *foreign_text(struct str head);

/* ---- door.c: folded stacks, among all texts ---------------------------------------------- */

enum folded_door {
	FOLDED_YES,
	FOLDED_NOT,
	FOLDED_FLAT,	/* lines end in numbers, none is a stack of two frames */
	FOLDED_FEW,	/* some lines may be stacks */
	FOLDED_TABLE	/* semicolons stand between the columns of a table */
};

enum folded_door folded_door(const uint8_t *head, size_t n);
/* Without the blanks and ends of lines behind it. */
struct str folded_trim(struct str);
/* Takes the number at the end of a line, with the blanks around it; false: there is none, or nothing blank in front of it. */
bool	folded_count(struct str *line, struct str *count);

/* ---- archives: all files of bytecode in them, one behind the other ------------------------- */

#define BUNDLE_MAGIC "ICODE\0\0\1"
#define BUNDLE_HEAD 16		/* u32 bytes of the name, u32 0, u64 bytes of the file; then both, each up to a multiple of 8 */
#define BUNDLE_PAD(n) (((n) + 7) & ~(uint64_t)7)

/* What became of the entries of archives; a file without a name has them, in this order as u64, at the end of a bundle. */
enum bundle_count {
	BUNDLE_ENTRIES,		/* all there are */
	BUNDLE_OTHERS,		/* neither a class nor a dex file */
	BUNDLE_DOUBLES,		/* of a name that was there */
	BUNDLE_VERSIONS,	/* in META-INF/versions, other than those that count */
	BUNDLE_UNREACHED,	/* dex files where no program looks for them */
	BUNDLE_NESTED,		/* archives in the archive */
	BUNDLE_PREFIX,		/* bytes in front */
	BUNDLE_ENCRYPTED, BUNDLE_METHOD, BUNDLE_CHECKSUM, BUNDLE_BOUNDS, BUNDLE_DEEP, BUNDLE_CUT, BUNDLE_COUNTS
};

struct bundle {
	struct intake	*to;
	uint64_t	 count[BUNDLE_COUNTS];
	uint64_t	 inflated, budget;	/* bytes, of all entries together */
	struct work	*work;
	size_t		 nout;		/* bytes that are still to be written */
	uint8_t		 out[32768];
};

/* A file that is no archive, or a class file of a directory, becomes one of the bundle; the magic comes first. */
bool	bundle_begin(struct bundle *, struct intake *to, struct work *, struct err *);
bool	bundle_add(struct bundle *, struct str name, const uint8_t *, uint64_t size, struct err *);
bool	bundle_end(struct bundle *, struct err *);
/* All classes of an archive of that name; what is damaged is counted.  false: no space. */
bool	bundle_zip(struct bundle *, struct str name, const uint8_t *, uint64_t size, struct err *);
bool	zip_is(const uint8_t *, uint64_t size);		/* it begins as an archive, or ends as one */

/* ---- dumpparts.c: heap dumps that JDK 22 or later did not finish ----------------------------- */

/*
 * Its threads write the objects to NAME.p0, NAME.p1 and so on, and one of them puts these behind NAME in the end; a JVM that is killed
 * before leaves them.  So many numbers are looked for.
 */
#define DUMP_PARTS 256u
bool	dumpparts_is_one(const uint8_t *head, size_t n);
/* An open part of the dump at path; -1 and errno: it has none of that number, or too many files are open. */
int	dumpparts_file(const char *path, unsigned number);
/* Each part that lies beside path. */
void	dumpparts_each(const char *path, void (*each)(void *to, const char *file), void *to);

/* For decoders. */
bool	decode_flush(struct decode *, struct err *);
uint64_t decode_zlib_at(const struct map *);	/* where the zlib data of an atrace capture begins; 0: it is none */
bool	decode_inflate(struct decode *, struct err *);
bool	decode_is_lz4(const struct map *);
bool	decode_lz4(struct decode *, struct err *);

#endif
