/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfmap: names of compiled code, from the file perf-PID.map of a JVM in a container.
 *
 * perf finds such a file only in its own /tmp and by its own number of the process. The file is hostile like
 * all of the container: its lines are "START SIZE NAME", with numbers in base 16.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfmap.h"

#define MAP_MOST ((size_t)256 << 20)
#define WRITE_MOST ((size_t)1 << 20)

static bool
perf_map_number(struct str *line, uint64_t *n)
{
	struct str word;

	return str_split(line, ' ', &word) && (str_take(&word, STR("0x")) || true) && num_u64(word, 16, n);
}

static int
code_by_start(const void *a, const void *b)
{
	const struct perf_code *x = a, *y = b;

	return num_order(x->start, y->start, 0);
}

bool
perf_map_parse(struct perf_map *m, struct err *err)
{
	struct str text = buf_view(&m->text), line;
	struct perf_code row;

	while (str_split(&text, '\n', &line)) {
		if (!perf_map_number(&line, &row.start) || !perf_map_number(&line, &row.size) || line.n == 0)
			continue;
		if (!mem_grow(&m->row, &m->cap, m->n + 1, sizeof *m->row))
			return fail(err, E_SYSTEM, "out of memory (compiled code)");
		row.name = line;
		m->row[m->n++] = row;
	}
	if (m->n > 0)
		qsort(m->row, m->n, sizeof *m->row, code_by_start);
	return true;
}

bool
perf_map_read(struct perf_map *m, const struct process *t, struct err *err)
{
	char name[32];
	struct stat st;
	int fd;

	snprintf(name, sizeof name, "perf-%u.map", t->nspid);
	fd = openat(t->tmp, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return fail_errno(err, "/tmp/%s of process %ld", name, (long)t->pid);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != t->uid) {
		close(fd);
		return fail(err, E_SYSTEM, "/tmp/%s does not belong to process %ld", name, (long)t->pid);
	}
	return (read_most(fd, MAP_MOST, &m->text) || fail(err, E_SYSTEM, "cannot read /tmp/%s", name)) &&
	    perf_map_parse(m, err);
}

/* Return the name of the code at an address; "": unknown. */
static struct str
perf_map_find(const struct perf_map *m, uint64_t address)
{
	size_t low = 0, high = m->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (m->row[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && address - m->row[low - 1].start < m->row[low - 1].size ? m->row[low - 1].name :
	    STR("");
}

void
perf_map_line(const struct perf_map *m, struct str line, struct buf *b)
{
	struct str rest = str_after(line, line.n > 0 && line.s[0] == '\t'), word, name = STR("");
	uint64_t address;

	rest = str_skip_blanks(rest);
	if (str_split(&rest, ' ', &word) && str_has_prefix(rest, STR("[unknown] (/tmp/perf-")) &&
	    num_u64(word, 16, &address))
		name = perf_map_find(m, address);
	if (name.n == 0) {
		buf_str(b, line);
		return;
	}
	buf_str(b, str_head(line, line.n - rest.n));
	/* Nothing in a name may look like another line. */
	for (size_t i = 0; i < name.n; i++)
		buf_chr(b, (unsigned char)name.s[i] < ' ' ? '?' : name.s[i]);
	buf_str(b, str_after(rest, 9));
}

bool
perf_map_fill(const struct perf_map *m, int from, int to, struct err *err)
{
	FILE *in = lseek(from, 0, SEEK_SET) == 0 ? fdopen(fcntl(from, F_DUPFD_CLOEXEC, 3), "r") : NULL;
	struct buf b = BUF_INIT;
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	bool ok = in != NULL || fail_errno(err, "cannot read the samples");

	while (ok && (n = getline(&line, &cap, in)) > 0) {
		perf_map_line(m, (struct str){ line, (size_t)n }, &b);
		if (b.n >= WRITE_MOST) {
			ok = (!b.bad || fail(err, E_SYSTEM, "out of memory")) &&
			    fd_write_all(to, b.s, b.n, err);
			buf_clear(&b);
		}
		if (record_stop != 0)
			ok = fail_cancel(err);
	}
	ok = ok && (!ferror(in) || fail_errno(err, "cannot read the samples")) &&
	    (!b.bad || fail(err, E_SYSTEM, "out of memory")) && fd_write_all(to, b.s, b.n, err);
	if (in != NULL)
		(void)fclose(in);
	free(line);
	buf_free(&b);
	return ok;
}

void
perf_map_free(struct perf_map *m)
{
	free(m->row);
	buf_free(&m->text);
	*m = PERF_MAP_NONE;
}
