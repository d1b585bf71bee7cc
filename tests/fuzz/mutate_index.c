/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of the directory of an index and their numbers; the target makes the sums right again. */
#include "config.h"

#include <string.h>

#include "mutate.h"
#include "store/inside.h"

static size_t
pieces(const struct mutant *m, unsigned level, struct piece *p)
{
	struct index_header h;
	size_t n = 0;

	(void)level;
	if (m->n < sizeof h)
		return 0;
	memcpy(&h, m->data, sizeof h);
	for (uint64_t at = h.dir_offset; at <= m->n && m->n - at >= sizeof(struct index_dir) && n < h.columns && n < PIECES; n++) {
		p[n] = (struct piece){ (size_t)at, sizeof(struct index_dir) };
		at += sizeof(struct index_dir);
	}
	return n;
}

/* A number of an entry or of the header, or bytes of a column. */
static void
change(struct mutant *m)
{
	struct piece p[PIECES];
	size_t n = pieces(m, 0, p);
	struct index_dir dir, other;
	struct index_header h;

	if (n == 0)
		return;
	memcpy(&h, m->data, sizeof h);
	memcpy(&dir, m->data + p[mutant_below(m, n)].at, sizeof dir);
	n = p[mutant_below(m, n)].at;
	memcpy(&other, m->data + n, sizeof other);
	switch (mutant_below(m, 9)) {
	case 0: other.rows = dir.rows; break;
	case 1: other.offset = dir.offset; break;
	case 2: other.rows += mutant_below(m, 3) - 1; break;
	case 3: other.rows = UINT64_MAX >> mutant_below(m, 64); break;
	case 4: other.offset += 8 * (mutant_below(m, 3) - 1); break;
	case 5: other.type = (uint32_t)mutant_below(m, 9); break;
	case 6: memcpy(other.name, dir.name, sizeof other.name); break;
	case 7: h.file_size += mutant_below(m, 3) - 1; break;
	default:
		if (dir.offset < m->n)
			m->data[dir.offset + mutant_below(m, m->n - (size_t)dir.offset)] = (uint8_t)mutant_below(m, 256);
	}
	memcpy(m->data + n, &other, sizeof other);
	memcpy(m->data, &h, sizeof h);
}

const struct mutator mutate_index = { .levels = 1, .pieces = pieces, .change = change };
