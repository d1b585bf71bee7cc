/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ident: identify a dump by its name, its size, its first and its last bytes.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fleet.h"

#define PIECE 65536u

void
hash_text(struct str s, char text[HASH_TEXT])
{
	unsigned char digest[SHA256_BYTES];

	sha256(s, digest);
	for (size_t i = 0; i < HASH_TEXT / 2; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
}

const char *
name_shown(const struct fleet_options *o, const char *path, char text[HASH_TEXT])
{
	if (!o->redact)
		return path;
	hash_text(str_of(path), text);
	return text;
}

static bool
read_at(int fd, unsigned char *to, size_t n, uint64_t at)
{
	ssize_t got;

	for (; n > 0; to += got, n -= (size_t)got, at += (uint64_t)got)
		if ((got = pread(fd, to, n, (off_t)at)) <= 0)
			return false;
	return true;
}

static bool
find_sum(struct ident *id)
{
	size_t head = id->bytes < PIECE ? (size_t)id->bytes : PIECE;
	size_t tail = id->bytes - head < PIECE ? (size_t)(id->bytes - head) : PIECE;
	unsigned char *all = mem_array(2 * PIECE + 8, 1);
	bool ok = all != NULL && read_at(id->fd, all, head, 0) &&
	    read_at(id->fd, all + head, tail, id->bytes - tail);

	for (unsigned i = 0; ok && i < 8; i++)
		all[head + tail + i] = (unsigned char)(id->bytes >> (56 - 8 * i));
	if (ok)
		hash_text((struct str){ (const char *)all, head + tail + 8 }, id->sum);
	else
		snprintf(id->why, sizeof id->why, "cannot read: %s", strerror(errno));
	free(all);
	return ok;
}

static void
find_key(struct ident *id, const char *name)
{
	struct buf b = BUF_INIT;

	buf_str(&b, str_of(name));
	buf_printf(&b, "\n%llu\n%s\n%s\n%d", (unsigned long long)id->bytes, id->sum, base_version,
	    TRIAGE_RULE);
	hash_text(buf_view(&b), id->key);
	buf_free(&b);
}

static void
drop_fd(struct ident *id)
{
	close(id->fd);
	id->fd = -1;
}

void
ident_fd(struct ident *id, int fd, const char *name)
{
	struct stat st;

	*id = (struct ident){ .fd = fd };
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		id->other = true;
		snprintf(id->why, sizeof id->why, "not a regular file");
		drop_fd(id);
	} else {
		id->bytes = (uint64_t)st.st_size;
		if (!find_sum(id))
			drop_fd(id);
	}
	find_key(id, name);
}

void
ident_open(struct ident *id, const struct fleet_options *o, const char *path, const char *name)
{
	int fd = below_open(o, path, O_RDONLY);
	char text[ERRNO_TEXT];

	if (fd >= 0) {
		ident_fd(id, fd, name);
		return;
	}
	*id = (struct ident){ .fd = -1, .other = errno == ELOOP || errno == ENXIO ||
	    errno == ENAMETOOLONG };
	snprintf(id->why, sizeof id->why, "%s", errno == ELOOP ? "a symbolic link" : errno_text(text, errno));
	find_key(id, name);
}

/* ---- rows -------------------------------------------------------------------------------- */

/* Make texts printable before they go into JSON: names with text_escape, which is reversible. */
static void
ident_put(struct triage_row *row, const char *field, struct str s, void (*fit)(struct buf *, struct str))
{
	struct buf b = BUF_INIT;

	fit(&b, s);
	if (s.n > 0)
		triage_put_text(row, field, buf_view(&b));
	else
		triage_put_null(row, field);
	row->bad |= b.bad;
	buf_free(&b);
}

void
row_put_names(struct triage_row *row, const struct fleet_options *o, const char *path)
{
	struct pattern_found found = pattern_find(o->pattern, path);

	for (size_t i = 0; i < PATTERN_PARTS; i++)
		if (found.part[i].n > 0)
			ident_put(row, pattern_parts[i], found.part[i], text_escape);
}

void
begin_row(struct triage_row *row, const char *kind)
{
	*row = (struct triage_row){ .n = 0 };
	triage_put_text(row, "row", str_of(kind));
	triage_put_count(row, "schema", TRIAGE_SCHEMA);
}

void
row_of_dump(struct triage_row *row, const struct ident *id, const char *name, enum triage_state state,
    struct str reason)
{
	begin_row(row, "dump");
	triage_put_text(row, "key", str_of(id->key));
	ident_put(row, "path", str_of(name), text_escape);
	if (id->sum[0] != '\0') {
		triage_put_count(row, "bytes", (int64_t)id->bytes);
		triage_put_text(row, "sum", str_of(id->sum));
	}
	triage_put_text(row, "state", str_of(triage_states[state]));
	ident_put(row, "reason", str_head(reason, 400), text_fit_buf);
	triage_put_text(row, "version", str_of(base_version));
	triage_put_count(row, "rule", TRIAGE_RULE);
}
