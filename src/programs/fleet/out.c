/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out: append rows block by block. If the program is killed, the file contains complete blocks and at most
 * one torn one.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "retain.h"
#include "icecore/directory.h"

#define ATTEMPTS 3u
#define DONE UINT32_MAX
#define SYNC_BLOCKS 64u
#define SYNC_NS 2000000000u
#define LOCK_WAIT 20		/* ms */
#define LOCK_TRIES 100

/* ---- existing rows -------------------------------------------------------------------------- */

/* Keys and paths in a file are untrusted texts. */
static uint64_t
key_hash(struct str key)
{
	return idmap_hash_text(key, 0) | 1;
}

uint64_t
rows_path_id(struct str path)
{
	return key_hash(path);
}

static bool
out_note(struct row_file *out, const struct fleet_options *o, const struct triage_row *dump, struct err *err)
{
	uint64_t key = key_hash(triage_text(dump, "key"));
	uint32_t tried = idmap_get(&out->tried, key);
	int64_t attempt = triage_count(dump, "attempt");
	enum triage_state state;
	bool again = triage_state_of(triage_text(dump, "state"), &state) && (o->retry >> state & 1) != 0 &&
	    attempt < ATTEMPTS;
	uint32_t now = again ? (attempt < 1 ? 1u : (uint32_t)attempt) : DONE;

	return now <= tried || idmap_put(&out->tried, key, now, err);
}

unsigned
out_attempt(const struct row_file *out, const char *key)
{
	uint32_t tried = idmap_get(&out->tried, key_hash(str_of(key)));

	return tried == DONE ? 0 : tried + 1;
}

static bool
map_rows(struct map *m, int fd, const struct out_dir *d, const char *name, struct err *err)
{
	struct err why;

	return map_open_fd(m, fd, NULL, NULL, &why) || fail(err, why.kind, "%s/%s: %s", d->path, name, why.text);
}

/* torn: number of bytes at the end that are not a complete block. */
static bool
out_read_known(struct row_file *out, const struct fleet_options *o, int fd, const char *name, size_t *torn,
    struct err *err)
{
	struct triage_reader r;
	struct triage_block b;
	struct map m;
	bool ok = true;

	if (!map_rows(&m, fd, &out->dir, name, err))
		return false;
	r = (struct triage_reader){ .rest = { (const char *)m.data, m.size } };
	while (ok && triage_next(&r, &b)) {
		ok = out_note(out, o, &b.dump, err);
		triage_drop(&b);
		map_forget(&m, 0, m.size - r.rest.n);
	}
	*torn = r.torn;
	map_close(&m);
	return ok;
}

static bool
is_rows(struct str s)
{
	return str_take(&s, STR("rows-")) && str_has_suffix(s, STR(".jsonl"));
}

static int
rows_by_name(const void *a, const void *b, void *text)
{
	return strcmp((const char *)text + *(const uint64_t *)a, (const char *)text + *(const uint64_t *)b);
}

/* The names of all row files, in order. */
static bool
rows_list(const struct out_dir *d, struct path_list *names, struct err *err)
{
	int fd = openat(d->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
	bool ok = list != NULL || fail_path(err, d->path);
	struct dirent *e;

	while (ok && (e = readdir(list)) != NULL)
		if (is_rows(str_of(e->d_name)))
			ok = names_add(names, str_of(e->d_name), err);
	if (list != NULL)
		closedir(list);
	else if (fd >= 0)
		close(fd);
	if (ok && names->n > 0)
		qsort_r(names->at.data, names->n, sizeof(uint64_t), rows_by_name, names->text.data);
	return ok;
}

/* Call each for all row files, in the order of their names. */
static bool
each_file(const struct out_dir *d, bool (*each)(void *to, int fd, const struct out_dir *, const char *name,
    struct err *), void *to, struct err *err)
{
	struct path_list names = NAMES_INIT;
	bool ok = rows_list(d, &names, err);

	for (uint64_t i = 0; ok && i < names.n; i++) {
		int fd = outdir_file(d, names_get(&names, i), O_RDONLY, err);

		ok = fd >= 0 && each(to, fd, d, names_get(&names, i), err);
		if (fd >= 0)
			close(fd);
	}
	names_free(&names);
	return ok;
}

struct knowing {
	struct row_file			*out;
	const struct fleet_options	*o;
};

static bool
out_know(void *to, int fd, const struct out_dir *d, const char *name, struct err *err)
{
	struct knowing *k = to;
	size_t torn;

	(void)d;
	/* The row file of this run was already read. */
	return strcmp(name, shown_name(k->out->path).s) == 0 ||
	    out_read_known(k->out, k->o, fd, name, &torn, err);
}

static bool
out_append(void *to, int fd, const struct out_dir *d, const char *name, struct err *err)
{
	struct buf *b = to;
	struct map m;

	if (!map_rows(&m, fd, d, name, err))
		return false;
	buf_add(b, m.data, m.size);
	map_close(&m);
	return !b->bad || fail(err, E_SYSTEM, "out of memory (rows)");
}

bool
out_read(const struct out_dir *d, struct buf *b, struct err *err)
{
	return each_file(d, out_append, b, err);
}

/* ---- the row file of this run ---------------------------------------------------------------- */

/* Truncate the incomplete block that an interrupted run left at the end. */
static bool
cut_torn(struct row_file *out, size_t torn, struct err *err)
{
	struct stat st;

	if (fstat(out->fd, &st) != 0)
		return fail_path(err, out->path);
	out->size = (uint64_t)st.st_size - torn;
	return torn == 0 || ftruncate(out->fd, (off_t)out->size) == 0 || fail_path(err, out->path);
}

/* A child of a killed run may hold the lock a little longer. */
static bool
out_lock(const struct row_file *out, struct err *err)
{
	struct stat st;

	for (int i = 0; flock(out->fd, LOCK_EX | LOCK_NB) != 0; i++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return fail_path(err, out->path);
		if (i == LOCK_TRIES)
			return fail_file(err, E_SYSTEM, out->path,
			    "another icecore triage is writing here; wait for it or use another directory");
		(void)poll(NULL, 0, LOCK_WAIT);
	}
	/* Another process has just replaced the file. */
	return (fstat(out->fd, &st) == 0 && st.st_nlink > 0) ||
	    fail_file(err, E_SYSTEM, out->path, "another icecore watch is writing here");
}

bool
out_open(struct row_file *out, const struct fleet_options *o, struct err *err)
{
	struct knowing k = { out, o };
	struct buf path = BUF_INIT;
	char name[80];
	size_t torn = 0;

	*out = OUT_INIT;
	snprintf(name, sizeof name, "rows-%lluof%llu.jsonl", (unsigned long long)o->shard,
	    (unsigned long long)o->shards);
	buf_printf(&path, "%s/%s", o->out, name);
	out->path = path.s;
	if (path.bad)
		return fail(err, E_SYSTEM, "out of memory (rows)");
	if (!outdir_open(&out->dir, o->out, err))
		return false;
	out->fd = outdir_file(&out->dir, name, O_RDWR | O_CREAT | O_APPEND, err);
	if (out->fd < 0)
		return false;
	out->synced = os_now();
	return out_lock(out, err) && out_read_known(out, o, out->fd, name, &torn, err) &&
	    cut_torn(out, torn, err) && each_file(&out->dir, out_know, &k, err);
}

bool
out_sync(struct row_file *out, struct err *err)
{
	out->synced = os_now();
	if (out->unsynced == 0)
		return true;
	out->unsynced = 0;
	return fdatasync(out->fd) == 0 || fail_path(err, out->path);
}

bool
out_sync_due(struct row_file *out, struct err *err)
{
	return (out->unsynced < SYNC_BLOCKS && os_now() - out->synced < SYNC_NS) || out_sync(out, err);
}

static bool
print_block(const struct triage_block *b, struct buf *text)
{
	bool ok = triage_print(&b->dump, text);

	for (size_t i = 0; i < b->findings.n; i++)
		ok = triage_print(&b->findings.row[i], text) && ok;
	for (size_t i = 0; i < b->methods.n; i++)
		ok = triage_print(&b->methods.row[i], text) && ok;
	return ok;
}

bool
out_put(struct row_file *out, const struct fleet_options *o, const struct triage_block *b, struct err *err)
{
	struct buf text = BUF_INIT;
	struct err ignored;
	bool ok = print_block(b, &text) || fail(err, E_SYSTEM, "out of memory (rows)");

	if (ok && !fd_write_all(out->fd, text.s, text.n, err)) {
		ok = fail_path(err, out->path);
		/* Remove the partial block. */
		if (ftruncate(out->fd, (off_t)out->size) != 0)
			fail_path(&ignored, out->path);
	}
	if (ok)
		out->size += text.n;
	buf_free(&text);
	out->unsynced++;
	return ok && out_note(out, o, &b->dump, err) && out_sync_due(out, err);
}

/* Copy the blocks that stay.  Lines outside of blocks are dropped. */
static bool
out_copy(const struct row_file *out, const struct idmap *paths, struct str rows, struct file *to,
    struct err *err)
{
	struct triage_reader r = { .rest = rows };
	struct triage_block b;
	struct str from = rows;
	bool ok = true;

	for (; ok && triage_next(&r, &b); from = r.rest) {
		if (idmap_get(paths, rows_path_id(triage_text(&b.dump, "path"))) != 0)
			piece_forget(&out->dir, triage_text(&b.dump, "key"));
		else
			ok = file_write(to, from.s, from.n - r.rest.n, err);
		triage_drop(&b);
	}
	return ok;
}

bool
out_forget(struct row_file *out, const struct fleet_options *o, const struct idmap *paths, struct err *err)
{
	const char *name = shown_name(out->path).s;
	struct file f = FILE_INIT;
	struct buf path = BUF_INIT;
	struct map m;
	bool ok = map_rows(&m, out->fd, &out->dir, name, err);

	if (!ok)
		return false;
	outdir_path(&out->dir, name, &path);
	ok = !path.bad ? file_begin(&f, path.s, err) && out_copy(out, paths,
	    (struct str){ (const char *)m.data, m.size }, &f, err) :
	    fail(err, E_SYSTEM, "out of memory (rows)");
	map_close(&m);
	if (!ok)
		file_abandon(&f);
	ok = ok && file_commit(&f, true, err);
	if (!ok)
		(void)outdir_fail(&out->dir, name, err);
	buf_free(&path);
	/* The new file has another lock. */
	if (ok) {
		out_close(out);
		ok = out_open(out, o, err);
	}
	return ok;
}

void
out_close(struct row_file *out)
{
	if (out->fd >= 0)
		close(out->fd);
	outdir_close(&out->dir);
	free(out->path);
	idmap_free(&out->tried);
	*out = OUT_INIT;
}
