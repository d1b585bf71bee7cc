/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * png_file: one bitmap as a picture in the folder of the sink "png".
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/named.h"
#include "icecore/sandbox.h"
#include "pictures.h"

#define LIST "duplicates.tsv"
#define PIECE (256u << 10)	/* bytes of a packed image that are written between two ticks */
#define HOPS_MAX 100u		/* references of a path in the metadata of a picture */

static const char *const note_keys[NOTES] = { "Class", "Size", "Format", "Source", "Path" };

/* ---- their names --------------------------------------------------------------------- */

void
picture_bitmap(const struct png_rows *s, const struct picture *p, struct bitmap *b)
{
	if (!bitmap_get(s->bitmaps.list, p->object, b))
		*b = (struct bitmap){ .object = p->object };
	if (p->format != BITMAP_UNKNOWN && p->format != b->format)
		bitmap_choose(b, (enum bitmap_format)p->format);
}

void
picture_name(const struct png_rows *s, const struct picture *p, struct buf *to)
{
	/* The name of a packed image contains its file type instead of the pixel format. */
	static const struct {
		const char	*form, *suffix;
	} packed[] = { [IMAGE_PNG] = { "PNG", "png" }, [IMAGE_JPEG] = { "JPEG", "jpg" },
	    [IMAGE_WEBP] = { "WEBP", "webp" } };
	bool is_packed;
	struct bitmap b;

	if (p->object == 0) {
		buf_str(to, STR(LIST));
		return;
	}
	picture_bitmap(s, p, &b);
	is_packed = b.image >= IMAGE_PNG;
	buf_printf(to, "0x%llx_%ux%u_%s.%s", (unsigned long long)heap_addr(&s->heap,
	    p->object), b.width, b.height, is_packed ? packed[b.image].form : bitmap_format_names[b.format],
	    is_packed ? packed[b.image].suffix : "png");
}

/* Build the path of a picture in s->path; NULL: no memory. */
const char *
picture_path(struct png_rows *s, const struct picture *p)
{
	size_t n = strlen(s->folder);

	buf_clear(&s->path);
	buf_add(&s->path, s->folder, n);
	if (s->single)
		return s->path.bad ? NULL : s->path.s;
	if (s->folder[n - 1] != '/')
		buf_chr(&s->path, '/');
	picture_name(s, p, &s->path);
	return s->path.bad ? NULL : s->path.s;
}

/* ---- metadata of a picture -------------------------------------------------------------- */

static void
png_file_add_path(struct png_rows *s, uint32_t object, struct buf *b)
{
	const struct heap *h = &s->heap;
	struct heap_path path;
	size_t i;

	if (!heap_routes_to(s->bitmaps.routes, object, &path)) {
		buf_str(b, STR("unreachable"));
		return;
	}
	root_name_add(h, path.root, b);
	i = path.n - 1;
	if (i > HOPS_MAX) {
		i = HOPS_MAX;
		buf_str(b, STR(" > ..."));
	}
	for (; i > 0; i--) {
		buf_str(b, STR(" > "));
		bitmap_link(h, path.object[i], path.object[i - 1], b);
	}
	buf_str(b, STR(" > "));
	heap_label(h, object, b);
}

static void
png_file_add_note(struct png_rows *s, const struct picture *p, const struct bitmap *b, enum note note,
    struct buf *to)
{
	const struct heap *h = &s->heap;
	struct bitmap own;

	switch (note) {
	case NOTE_CLASS:
		heap_label(h, p->object, to);
		break;
	case NOTE_SIZE:
		buf_printf(to, "%u x %u pixels, %llu bytes", b->width, b->height,
		    (unsigned long long)b->bytes);
		break;
	case NOTE_FORMAT:
		buf_printf(to, "%s%s", bitmap_format_names[b->format], b->premultiplied &&
		    b->format != BITMAP_RGB_565 ? ", premultiplied alpha" : "");
		if (bitmap_get(s->bitmaps.list, p->object, &own) && own.format != b->format)
			buf_str(to, STR(", as requested"));
		else if (b->sure < 100)
			buf_printf(to, ", guessed (%u %% confidence)", b->sure);
		break;
	case NOTE_SOURCE:
		buf_printf(to, "object @%u at 0x%llx", p->object,
		    (unsigned long long)heap_addr(h, p->object));
		break;
	case NOTE_PATH:
		png_file_add_path(s, p->object, to);
		break;
	case NOTES:
		break;
	}
}

/* Find the paths to all pictures at once, when the first one is written. */
static bool
find_paths(struct png_rows *s)
{
	uint32_t *object;
	bool ok;

	if (s->bitmaps.routes != NULL)
		return true;
	object = mem_array(s->pictures, sizeof *object);
	if (object == NULL)
		return fail(&s->rows.err, E_SYSTEM, "out of memory (paths to bitmaps)");
	for (uint32_t i = 0; i < s->pictures; i++)
		object[i] = picture_at(s, i)->object;
	ok = bitmap_view_routes(&s->bitmaps, object, s->pictures, s->rows.work, &s->rows.err);
	free(object);
	work_start(s->rows.work, PNG_LABEL, s->pictures);
	return ok;
}

static bool
make_notes(struct png_rows *s, const struct picture *p, const struct bitmap *b,
    struct png_note *note)
{
	if (!find_paths(s))
		return false;
	for (int i = 0; i < NOTES; i++) {
		buf_clear(&s->text);
		png_file_add_note(s, p, b, (enum note)i, &s->text);
		buf_clear(&s->note[i]);
		text_fit_buf(&s->note[i], buf_view(&s->text));
		buf_chr(&s->note[i], '\0');
		note[i] = (struct png_note){ note_keys[i], s->note[i].s };
		if (s->text.bad || s->note[i].bad)
			return fail(&s->rows.err, E_SYSTEM, "out of memory (texts of a picture)");
	}
	return true;
}

/* ---- writing one -------------------------------------------------------------------- */

/* Store a reason; return its offset, never 0. */
static size_t
add_reason(struct png_rows *s, const char *why)
{
	size_t at;

	if (s->reasons.n == 0)
		buf_chr(&s->reasons, '\0');
	at = s->reasons.n;
	buf_str(&s->reasons, str_of(why));
	buf_chr(&s->reasons, '\0');
	if (s->reasons.bad && s->rows.err.kind == E_NONE)
		fail(&s->rows.err, E_SYSTEM, "out of memory (reason)");
	return s->reasons.bad ? 0 : at;
}

void
picture_refuse(struct png_rows *s, struct picture *p, const char *why)
{
	p->fate = PICTURE_REFUSED;
	p->why = add_reason(s, why);
}

/* Links to the folder are followed: the user named it. */
static bool
make_folder(struct png_rows *s)
{
	struct err *err = &s->rows.err;
	struct stat st;

	if (s->folder_made || s->single)
		return true;
	if (!named_directory(s->folder) && errno != EEXIST)
		return sandbox_explains(s->folder, err) ? false :
		    fail_errno(err, "cannot create directory %s", s->folder);
	if (stat(s->folder, &st) != 0)
		return fail_errno(err, "cannot open directory %s", s->folder);
	if (!S_ISDIR(st.st_mode))
		return fail_at(err, E_USAGE, s->at, "%s exists and is not a directory", s->folder);
	file_sweep(s->folder);
	s->folder_made = true;
	return true;
}

static bool
write_packed(struct png_rows *s, struct file *file, const struct bitmap *b, struct err *err)
{
	uint64_t n;

	for (uint64_t at = 0; at < b->size; at += n) {
		n = b->size - at < PIECE ? b->size - at : PIECE;
		if (!work_tick(s->rows.work, s->n))
			return fail_cancel(err);
		if (!file_write(file, b->data + at, n, err))
			return false;
	}
	return true;
}

/* A PNG of the dump that cannot be decoded is written as it is, and reported. */
static bool
png_file_check_packed(struct png_rows *s, struct picture *p, const struct bitmap *b, struct err *err)
{
	struct err why = { .at = ERR_NOWHERE };
	struct bitmap_reader *reader = NULL;
	uint8_t *row = mem_array(b->width, 4);
	bool ok;

	if (row == NULL)
		return fail(err, E_SYSTEM, "out of memory (picture)");
	ok = bitmap_reader_open(&reader, b, &why);
	for (uint32_t y = 0; ok && y < b->height; y++)
		ok = work_tick(s->rows.work, s->n) ? bitmap_reader_next(reader, row, &why) :
		    fail_cancel(&why);
	bitmap_reader_close(reader);
	free(row);
	if (!ok && (why.kind == E_SYSTEM || why.kind == E_CANCEL)) {
		*err = why;
		return false;
	}
	p->why = ok ? 0 : add_reason(s, why.text);
	return true;
}

static bool
write_content(struct png_rows *s, struct picture *p, const struct bitmap *b, struct file *file,
    struct err *err)
{
	struct png_note note[NOTES];
	struct stat st;

	if (b->image != IMAGE_PIXELS) {
		if (!write_packed(s, file, b, err) ||
		    (b->image == IMAGE_PNG && !png_file_check_packed(s, p, b, err)))
			return false;
	} else if (!make_notes(s, p, b, note)) {
		*err = s->rows.err;
		return false;
	} else if (!png_write(file, b, note, NOTES, s->rows.work, s->n, err)) {
		return false;
	}
	if (fstat(file->fd, &st) < 0)
		return fail_errno(err, "cannot determine its size");
	p->size = (uint64_t)st.st_size;
	return true;
}

/* Return false if nothing more can be written.  A fault of this picture alone only refuses the picture. */
static bool
png_file_write_file(struct png_rows *s, struct picture *p, const struct bitmap *b, const char *path)
{
	struct err why = { .at = ERR_NOWHERE };
	struct file file = FILE_INIT;
	bool ok = file_begin(&file, path, &why) && write_content(s, p, b, &file, &why);

	if (ok)
		ok = file_place(&file, &why);
	else
		file_abandon(&file);
	if (!ok && (why.kind == E_SYSTEM || why.kind == E_CANCEL)) {
		s->rows.err = why;
		return false;
	}
	if (ok)
		p->fate = PICTURE_WRITTEN;
	else
		picture_refuse(s, p, why.text);
	return true;
}

/* Files are not synced: after a crash of the machine a written file may be empty, or zeros. */
static bool
png_file_is_whole(const char *path)
{
	static const unsigned char head[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
	static const unsigned char end[] = { 0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82 };
	int fd = named_open(path, O_NOFOLLOW | O_NONBLOCK);
	char first[sizeof head], last[sizeof end];
	bool ok;

	if (fd < 0)
		return false;
	ok = read(fd, first, sizeof first) == (ssize_t)sizeof first &&
	    memcmp(first, head, sizeof head) == 0 &&
	    lseek(fd, -(off_t)sizeof last, SEEK_END) >= 0 &&
	    read(fd, last, sizeof last) == (ssize_t)sizeof last &&
	    memcmp(last, end, sizeof end) == 0;
	close(fd);
	return ok;
}

bool
picture_write(struct png_rows *s, struct picture *p, const struct bitmap *b)
{
	const char *path = picture_path(s, p);
	struct stat st;

	if (path == NULL)
		return fail(&s->rows.err, E_SYSTEM, "out of memory (path)");
	if (!make_folder(s))
		return false;
	if (s->single && b->image > IMAGE_PNG) {
		picture_refuse(s, p, "the dump has it in another format; name a directory");
		return true;
	}
	if (lstat(path, &st) != 0)
		return png_file_write_file(s, p, b, path);
	if (!S_ISREG(st.st_mode)) {
		picture_refuse(s, p, S_ISLNK(st.st_mode) ?
		    "a symbolic link is in the way" : "another file type is in the way");
	} else if (b->image == IMAGE_PIXELS && !png_file_is_whole(path)) {
		picture_refuse(s, p, "a file that is not a whole PNG is in the way; remove it");
	} else {
		p->fate = PICTURE_THERE;
		p->size = (uint64_t)st.st_size;
	}
	return true;
}

