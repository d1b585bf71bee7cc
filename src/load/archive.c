/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * archive: the files in a zip or tar archive that icecore opens.
 *
 * Perfetto traces are concatenated, as recorders put them next to their logs; stack dumps are a series. Of other
 * files one is opened: the only one that has a known format, or the one that the archive or the user names. If there
 * are several, the archive becomes a list of its files.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/dumped.h"
#include "icecore/inflate.h"
#include "icecore/make.h"
#include "icecore/mem.h"
#include "icecore/scan.h"
#include "folder_table.h"
#include "format.h"
#include "zip.h"

enum {
	ARCHIVE_LOOKED = 100000,	/* files that are looked at; others count as lost */
	ARCHIVE_BOTH = 64,	/* no recorder that puts bytecode next to traces writes more files */
	ARCHIVE_HEAD = 65536,	/* bytes of a file that show its format */
	ARCHIVE_TOLD = 3,	/* files that a message names */
	TAR_BLOCK = 512
};

/* Add a name to the list of parts, or dots if it is too long for the list. */
static void
note_part(struct decoded *done, struct str name)
{
	static const struct str more = STR(", ...");
	size_t n = strlen(done->parts);

	if (n + name.n + 2 + more.n < sizeof done->parts && memchr(name.s, '\0', name.n) == NULL)
		snprintf(done->parts + n, sizeof done->parts - n, "%s%.*s", n > 0 ? ", " : "", (int)name.n, name.s);
	else if (!str_ends(str_of(done->parts), ", ..."))
		snprintf(done->parts + n, sizeof done->parts - n, "%s", more.s);
}

/* A file of an archive, as it is unpacked. */
struct unpacking {
	struct inflating *s;		/* NULL: it is stored */
	struct inflate_step io;
	enum inflate_end end;
};

/* False: encrypted, packed by a method that is not read, out of bounds, or no memory (end). */
static bool
unpacking_open(struct unpacking *u, const struct zip *z, const struct zip_entry *e)
{
	enum inflate_form form = e->method == 8 ? INFLATE_RAW : e->method == 12 ? INFLATE_BZIP2 :
	    e->method == 93 ? INFLATE_ZSTD : e->method == 95 ? INFLATE_XZ : INFLATE_NONE;

	*u = (struct unpacking){ .io.left = (size_t)e->packed };
	if ((e->flags & 1) != 0 || !(e->method == 0 || form != INFLATE_NONE) || inflate_lacks(form) != NULL ||
	    !zip_data_of(z, e, &u->io.in))
		return false;
	if (form != INFLATE_NONE && (u->s = inflate_open(form)) == NULL)
		u->end = INFLATE_STARVED;
	return u->end == INFLATE_MORE;
}

/* Unpack at most n bytes; 0: no bytes are left, or this failed (end). */
static size_t
unpacking_some(struct unpacking *u, uint8_t *to, size_t n)
{
	size_t some = n < u->io.left ? n : u->io.left;

	u->io.to = to;
	u->io.room = n;
	if (u->s == NULL) {
		memcpy(to, u->io.in, some);
		u->io.in += some;
		u->io.left -= some;
		return some;
	}
	while (u->end == INFLATE_MORE && u->io.room > 0)
		u->end = inflate_some(u->s, &u->io);
	return n - u->io.room;
}

/* Unpack a file to its end, and close it. */
static bool
unpacking_all(struct unpacking *u, struct decode *d, struct err *err)
{
	bool ok = true, more = true;

	while (ok && more) {
		d->n = unpacking_some(u, d->out, DECODE_CHUNK);
		more = d->n > 0;
		d->done->cut[d->kind] |= u->end > INFLATE_END;
		ok = (u->end != INFLATE_STARVED || fail_memory(err, "decompression")) &&
		    work_go(d->work, (uint64_t)(u->io.in - d->in->data), err) && decode_flush(d, err);
	}
	inflate_close(u->s);
	return ok;
}

/* ---- tar --------------------------------------------------------------------------------- */

/* Files of an archive. */
struct tar {
	const uint8_t	*data;
	uint64_t	 size, at;
	/* Name and contents of the file that was read last; a cut archive has only a part of the contents. */
	struct str	 name, bytes;
	bool		 cut;
	char		 joined[257];	/* a name with its directory, at most 155 + 1 + 100 bytes */
};

/* Read an octal number, or a binary number after a bit that is set. */
static uint64_t
tar_number(const uint8_t *p, size_t n)
{
	bool binary = (p[0] & 128) != 0;
	uint64_t v = 0;

	for (size_t i = binary ? 1 : 0; i < n; i++) {
		if (!binary && (p[i] < '0' || p[i] > '7')) {
			if (p[i] != ' ' || v != 0)
				break;
			continue;
		}
		if (v >> 55 != 0)
			return UINT64_MAX;
		v = binary ? v << 8 | p[i] : v << 3 | (uint64_t)(p[i] - '0');
	}
	return v;
}

/* Return whether a block is a header.  Its checksum is the sum of its bytes, with blanks for the checksum. */
static bool
tar_header(const uint8_t *p)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < TAR_BLOCK; i++)
		sum += i >= 148 && i < 156 ? ' ' : p[i];
	return memcmp(p + 257, "ustar", 5) == 0 && tar_number(p + 148, 8) == sum;
}

/* The name of a file, which may have its directory in another field. */
static struct str
tar_name(struct tar *t, const uint8_t *p)
{
	struct str name = str_until((struct str){ (const char *)p, 100 }, '\0'), directory;

	directory = str_until((struct str){ (const char *)p + 345, 155 }, '\0');
	if (directory.n == 0 || memcmp(p + 257, "ustar", 6) != 0)
		return name;
	return (struct str){ t->joined, (size_t)snprintf(t->joined, sizeof t->joined, "%.*s/%.*s", (int)directory.n,
	    directory.s, (int)name.n, name.s) };
}

/* The name in a header of type x, a line "27 path=NAME", or L: the name. */
static struct str
tar_long_name(char type, struct str bytes)
{
	struct str line;

	if (type == 'L')
		return str_until(bytes, '\0');
	while (type == 'x' && str_split(&bytes, '\n', &line))
		if (scan(&line, "%*d path="))
			return line;
	return STR("");
}

/* Move to the next file; false: no more files. */
static bool
tar_next(struct tar *t)
{
	struct str name = STR("");

	while (t->size - t->at >= TAR_BLOCK && tar_header(t->data + t->at)) {
		const uint8_t *p = t->data + t->at;
		uint64_t n = tar_number(p + 124, 12), left = t->size - t->at - TAR_BLOCK, whole;

		t->cut = n > left;
		whole = t->cut ? left : n;
		t->name = name.n > 0 ? name : tar_name(t, p);
		t->bytes = (struct str){ (const char *)p + TAR_BLOCK, (size_t)whole };
		whole = t->cut ? whole : (n + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
		t->at += TAR_BLOCK + (whole < left ? whole : left);
		assert(t->at <= t->size);
		if (p[156] == '0' || p[156] == '\0')
			return true;
		name = tar_long_name((char)p[156], t->bytes);
	}
	return false;
}

/* ---- files of both -------------------------------------------------------------------------- */

struct archive_file {
	struct str	 name;
	uint64_t	 size;
	struct str	 stored;	/* in a tar archive */
	struct zip_entry entry;		/* in a zip archive */
	bool		 cut;
};

struct archive_files {
	struct zip	 zip;
	struct tar	 tar;
	bool		 is_zip;
	uint64_t	 at;		/* next place in the directory of a zip archive */
	uint64_t	 n;		/* number of files so far */
};

/* False: the directory of a zip archive is missing. */
static bool
archive_files_open(struct archive_files *a, const struct map *m, bool zip)
{
	*a = (struct archive_files){ .zip = { .data = m->data, .size = m->size },
	    .tar = { .data = m->data, .size = m->size }, .is_zip = zip };
	if (zip && !zip_read_end(&a->zip))
		return false;
	a->at = a->zip.dir;
	return true;
}

/* Leave out directories, and the attributes that macOS puts next to each file. */
static bool
is_file_name(struct str name)
{
	struct str before, file = name;

	(void)str_divide_last(name, '/', &before, &file);
	return file.n > 0 && !str_begins(name, "__MACOSX/") && !str_begins(file, "._");
}

static bool
archive_files_next(struct archive_files *a, struct archive_file *m)
{
	do {
		*m = (struct archive_file){ .size = 0 };
		if (a->n >= ARCHIVE_LOOKED ||
		    !(a->is_zip ? zip_read_central(&a->zip, &a->at, &m->entry) : tar_next(&a->tar)))
			return false;
		m->name = a->is_zip ? m->entry.name : a->tar.name;
		m->size = a->is_zip ? m->entry.size : a->tar.bytes.n;
		m->stored = a->is_zip ? STR("") : a->tar.bytes;
		m->cut = !a->is_zip && a->tar.cut;
	} while (!is_file_name(m->name));
	a->n++;
	return true;
}

/* Return whether all entries were read.  A tar archive ends with a block of zeros, or with its last file. */
static bool
archive_files_ended(const struct archive_files *a)
{
	const struct tar *t = &a->tar;

	return a->is_zip ? a->at == a->zip.end : !t->cut && (t->at == t->size || t->data[t->at] == 0);
}

static bool
archive_file_open(const struct archive_files *a, const struct archive_file *m, struct unpacking *u)
{
	if (a->is_zip)
		return unpacking_open(u, &a->zip, &m->entry);
	*u = (struct unpacking){ .io = { .in = (const uint8_t *)m->stored.s, .left = m->stored.n } };
	return true;
}

static bool
archive_file_unpack(const struct archive_files *a, const struct archive_file *m, struct decode *d, struct err *err)
{
	struct unpacking u;

	d->done->cut[d->kind] |= m->cut;
	if (archive_file_open(a, m, &u))
		return unpacking_all(&u, d, err);
	return u.end == INFLATE_STARVED ? fail_memory(err, "decompression") :
	    fail(err, E_UNREADABLE, "no file %.*s that can be unpacked", (int)str_head(m->name, 200).n, m->name.s);
}

/* ---- what is opened --------------------------------------------------------------------------- */

/* The format of a file of an archive, by its first part. */
struct archive_looked {
	const struct loader	*l;		/* or NULL */
	bool			 plain;		/* not packed once more */
	char			 what[64];	/* its format, or why it is not read */
};

struct archive {
	struct decode	*d;
	const char	*kind;
	struct archive_files	 all;		/* before the first file */
	struct archive_looked	*file;
	uint8_t		*head;
	uint64_t	 n, known, traces, dumps;
	bool		 lost;		/* entries behind damage, or too many */
	char		 main[256];	/* the file that the archive names, if it has a known format */
};

/* Files that archive_take selects */
enum take { TAKE_NAMED, TAKE_TRACES, TAKE_KNOWN };

/* The head of a file, unpacked once more if it is packed. */
static void
archive_see(struct archive_looked *f, struct str name, struct str head)
{
	enum inflate_form form = inflate_form(head);
	struct inflated more = { .n = 0 };
	struct map m;
	struct err err;
	char path[256];
	const char *what;

	f->plain = form == INFLATE_NONE;
	if (!f->plain) {
		(void)inflate_all(head, form, ARCHIVE_HEAD, ARCHIVE_HEAD, &more);
		head = (struct str){ (const char *)more.data, more.n };
	}
	head = str_head(head, ARCHIVE_HEAD);
	snprintf(path, sizeof path, "%.*s", (int)str_head(name, sizeof path - 1).n, name.s);
	if (head.n > 0 && map_of_memory(&m, head, &err)) {
		f->l = format_loader(path, &m);
		map_close(&m);
	}
	if (inflate_lacks(form) != NULL)
		(void)fail(&err, E_UNREADABLE, "compressed, needs %s", inflate_lacks(form));
	else if (f->l == NULL)
		(void)foreign_fail((const uint8_t *)head.s, head.n, &err);
	what = f->l != NULL ? f->l->what : err.text;
	snprintf(f->what, sizeof f->what, "%.*s", (int)strcspn(what, f->l != NULL ? "(:;" : ";"), what);
	free(more.data);
}

static bool
archive_look_at(struct archive *a, const struct archive_file *m, struct archive_looked *f)
{
	struct unpacking u;
	struct str head = { (const char *)a->head, 0 };

	*f = (struct archive_looked){ .what = "encrypted, or packed by another method" };
	if (!archive_file_open(&a->all, m, &u))
		return u.end != INFLATE_STARVED;
	head.n = unpacking_some(&u, a->head, ARCHIVE_HEAD);
	if (inflate_form(head) != INFLATE_NONE)
		head.n += unpacking_some(&u, a->head + head.n, INFLATE_ENOUGH - ARCHIVE_HEAD);
	inflate_close(u.s);
	archive_see(f, m->name, head);
	/* A bugreport of Android names its report. */
	if (str_is(m->name, "main_entry.txt") && memchr(head.s, '\0', head.n) == NULL)
		snprintf(a->main, sizeof a->main, "%.*s", (int)str_trim(str_until(head, '\n')).n, str_trim(head).s);
	return u.end != INFLATE_STARVED;
}

static bool
archive_look(struct archive *a, struct err *err)
{
	const struct loader *trace = loader_named(STR("perfetto"));
	struct archive_files all = a->all;
	struct archive_file m;
	size_t cap = 0;

	for (; archive_files_next(&all, &m); a->n++) {
		const struct archive_looked *f;

		if (!work_go(a->d->work, 0, err))
			return false;
		if (!MEM_ROOM(a->file, cap, (size_t)a->n) || !archive_look_at(a, &m, &a->file[a->n]))
			return fail_memory(err, "decompression");
		f = &a->file[a->n];
		a->known += f->l != NULL;
		a->traces += f->l == trace && f->plain;
		a->dumps += f->l != NULL && f->plain && (f->l->shapes & SHAPE_DUMPS) != 0;
	}
	a->lost = !archive_files_ended(&all);
	return true;
}

/* Unpack one file, or all of a kind; *n: how many there were. */
static bool
archive_take(struct archive *a, enum take take, const char *name, uint64_t *n, struct err *err)
{
	const struct loader *trace = loader_named(STR("perfetto"));
	struct archive_files all = a->all;
	struct archive_file m;
	bool ok = true;

	*n = 0;
	for (uint64_t i = 0; ok && archive_files_next(&all, &m); i++) {
		const struct archive_looked *f = a->file != NULL ? &a->file[i] : NULL;

		if ((f != NULL && f->l == NULL) || (take == TAKE_TRACES && (f->l != trace || !f->plain)) ||
		    (take == TAKE_NAMED && (!str_eq(m.name, str_of(name)) || *n > 0)))
			continue;
		ok = (*n == 0 || take != TAKE_KNOWN ||
		    intake_put(a->d->to, SERIES_MARK, strlen(SERIES_MARK), err)) &&
		    archive_file_unpack(&all, &m, a->d, err);
		/* The names matter if there are others. */
		if (a->n > 1)
			note_part(a->d->done, m.name);
		++*n;
	}
	return ok;
}

/* A list of the files instead of one of them. */
static bool
archive_list(struct archive *a, struct err *err)
{
	struct decode *d = a->d;
	struct archive_files all = a->all;
	struct buf table = BUF_INIT, path = BUF_INIT;
	struct archive_file m;
	bool ok;

	folder_head(&table);
	for (uint64_t i = 0; archive_files_next(&all, &m); i++) {
		buf_clear(&path);
		buf_printf(&path, "%s!", d->done->path);
		buf_str(&path, m.name);
		folder_row(&table, &(struct folder_row){ .name = m.name,
		    .kind = str_trim(str_of(a->file[i].what)), .size = m.size, .sized = true,
		    .path = buf_view(&path) });
	}
	/* The list has no format of its own. */
	d->to->known = NULL;
	d->done->listed = true;
	ok = (!table.bad && !path.bad) || fail_memory(err, "decompression");
	ok = ok && intake_put(d->to, table.s, table.n, err);
	buf_free(&table);
	buf_free(&path);
	return ok;
}

static bool
archive_refuse(const struct archive *a, struct err *err)
{
	struct archive_files all = a->all;
	struct buf told = BUF_INIT;
	struct archive_file m;

	for (uint64_t i = 0; i < ARCHIVE_TOLD && archive_files_next(&all, &m); i++) {
		buf_str(&told, i > 0 ? STR(", ") : STR(": "));
		buf_str(&told, str_head(m.name, 60));
		buf_printf(&told, " (%s)", a->file[i].what);
	}
	if (a->n > ARCHIVE_TOLD)
		buf_printf(&told, " and %ju more", (uintmax_t)(a->n - ARCHIVE_TOLD));
	(void)fail(err, E_UNREADABLE, "a %s archive without a file that icecore opens%s; "
	    "see icecore --list-formats", a->kind, told.bad || told.n == 0 ? "" : told.s);
	buf_free(&told);
	return false;
}

/* Decode the files that are opened together, or say which there are. */
static bool
archive_open(struct archive *a, struct err *err)
{
	const char *name = a->d->done->member;
	uint64_t n;

	if (name != NULL)
		return archive_take(a, TAKE_NAMED, name, &n, err) &&
		    (n > 0 || fail(err, E_UNREADABLE, "no file %s in the archive", name));
	if (a->traces > 0)
		return archive_take(a, TAKE_TRACES, NULL, &n, err);
	if (a->main[0] != '\0') {
		if (!archive_take(a, TAKE_NAMED, a->main, &n, err))
			return false;
		if (n > 0)
			return true;
	}
	if (a->known == 1 || (a->dumps > 0 && a->dumps == a->known))
		return archive_take(a, TAKE_KNOWN, NULL, &n, err);
	if (a->known == 0)
		return archive_refuse(a, err);
	return a->d->done->path != NULL ? archive_list(a, err) :
	    fail(err, E_UNREADABLE, "the archive has several files; unpack one of them first");
}

static bool
archive_decode(struct archive *a, bool code, bool *is, struct err *err)
{
	bool named = a->d->done->member != NULL, ok = true;

	if ((a->head = mem_array(INFLATE_ENOUGH, 1)) == NULL)
		return fail_memory(err, "decompression");
	if (!named)
		ok = archive_look(a, err);
	*is = named || !code || a->traces > 0;
	a->d->done->cut[a->d->kind] |= *is && a->lost;
	ok = ok && (!*is || archive_open(a, err));
	free(a->head);
	free(a->file);
	return ok;
}

bool
decode_zip_files(struct decode *d, bool *is, struct err *err)
{
	struct archive a = { .d = d, .kind = "zip" };
	bool code;

	*is = false;
	if (!archive_files_open(&a.all, d->in, true))
		return true;
	code = zip_has_code(&a.all.zip);
	if (code && a.all.zip.entries > ARCHIVE_BOTH && d->done->member == NULL)
		return true;
	return archive_decode(&a, code, is, err);
}

bool
decode_is_tar(const struct map *m)
{
	return m->size >= TAR_BLOCK && tar_header(m->data);
}

bool
decode_tar(struct decode *d, struct err *err)
{
	struct archive a = { .d = d, .kind = "tar" };
	bool is;

	(void)archive_files_open(&a.all, d->in, false);
	return archive_decode(&a, false, &is, err);
}
