/*
 * native: names for addresses of native code in a profile, from the ELF files that it names and from the .syms.json that samply
 * writes beside it.  load_symbols (icecore/load.h) opens these files before the sandbox; here they are read.  A file whose build id
 * is another one than that of the profile has no names for it.
 */
#ifndef LOAD_NATIVE_H
#define LOAD_NATIVE_H

#include "icecore/os.h"

struct work;

/* One function of an address; source file and line 0 where they are not known.  The texts stay until the next address is asked for. */
struct native_frame {
	struct str	name, file;
	uint64_t	line;
};

struct native_names;

/* load_symbols found a file with names for that profile. */
bool	native_has_names(const struct map *profile);
/* Names for a profile that load_symbols was called for; NULL: it was not, or memory ran out. */
struct native_names *native_names_open(const struct map *profile, struct work *);
void	native_names_close(struct native_names *);
/*
 * The functions at an address of a library, the outermost first; *n 0: it has no name.  lib: row of the profile's list of
 * libraries; address: from the lowest address of the library on.  False: failure.
 */
bool	native_names_at(struct native_names *, uint64_t lib, uint64_t address, const struct native_frame **, size_t *n, struct err *) MUST_USE;
/* How many different addresses were asked for, and how many have a name. */
void	native_names_count(const struct native_names *, uint64_t *asked, uint64_t *named);
/* "13 of 15 addresses (burn: .symtab 13; libc.so.6: no file)". */
void	native_names_tell(const struct native_names *, struct buf *);

#endif
