/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * known: whether a file, packed or not, has a known format.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/inflate.h"
#include "icecore/policy.h"

#include "format.h"

enum { JSON_HEAD = 1024 };

/*
 * Return whether the first part may be JSON, whose format may only be recognisable later.  Binary data may begin with a
 * bracket; text has no control characters other than blanks and, of terminals, the escape.
 */
static bool
may_be_json(const struct map *m)
{
	uint64_t i, end = m->size < JSON_HEAD ? m->size : JSON_HEAD;

	for (i = 0; i < m->size && memchr(" \t\r\n", m->data[i], 4) != NULL; i++)
		;
	if (m->size >= INTAKE_LAST || i == m->size || (m->data[i] != '{' && m->data[i] != '['))
		return false;
	while (i < end && (m->data[i] >= 0x20 || (m->data[i] >= '\t' && m->data[i] <= '\r') || m->data[i] == 0x1b))
		i++;
	return i >= end;
}

bool
format_known(const struct map *m, const void *name, struct err *err)
{
	return format_loader(name, m) != NULL || may_be_json(m) || foreign_fail(m->data, m->size, err);
}

bool
load_knows(const struct map *m, const void *name, struct err *err)
{
	return decode_known(m, &(const struct intake_check){ format_known, name }, err);
}

bool
load_is_name(struct str name)
{
	return loader_named(name) != NULL;
}

struct format_of {
	const char		*path;
	const struct loader	*loader;
};

static bool
note_format(const struct map *m, const void *of, struct err *err)
{
	struct format_of *f = (struct format_of *)(uintptr_t)of;

	f->loader = format_loader(f->path, m);
	return f->loader != NULL || foreign_fail(m->data, m->size, err);
}

const struct loader *
load_format(const struct map *m, const char *path)
{
	struct format_of f = { .path = path };
	struct err err;

	/* The directory of an archive is at its end: a known file without a loader is an archive with bytecode. */
	if (!decode_known(m, &(const struct intake_check){ note_format, &f }, &err) || f.loader != NULL)
		return f.loader;
	for (size_t i = 0; f.loader == NULL && loaders[i] != NULL; i++)
		if (loaders[i]->shapes == SHAPE_CODE)
			f.loader = loaders[i];
	return f.loader;
}

bool
load_permits(const struct map *m, const char *path, struct err *err)
{
	const struct loader *l = load_format(m, path);

	return policy_format(l != NULL ? l->name : "unknown", err);
}

const struct loader *
load_format_fd(int fd, const char *path, bool confined)
{
	char *head = mem_array(INFLATE_ENOUGH, 1);
	ssize_t n = head != NULL ? pread(fd, head, SNIFF_MAX, 0) : 0;
	enum inflate_form form = n > 0 ? inflate_form((struct str){ head, (size_t)n }) : INFLATE_NONE;
	const struct loader *l = NULL;
	struct map m;
	struct err err;

	if (form != INFLATE_NONE)
		n = pread(fd, head, INFLATE_ENOUGH, 0);
	if (n > 0 && (confined || form <= INFLATE_LZ4) &&
	    map_of_memory(&m, (struct str){ head, (size_t)n }, &err)) {
		l = load_format(&m, path);
		map_close(&m);
	}
	free(head);
	return l;
}
