/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * triage: declarations shared by the files of this directory.
 */
#ifndef LOAD_TRIAGE_H
#define LOAD_TRIAGE_H

#include "icecore/make.h"
#include "icecore/triage.h"

struct dump_row {
	uint32_t	path, state, reason, format, dumped_at, app, build, process, version, key, sum, sigs,
	    weight, hot_path,
			wait_in, story, busiest, worst;	/* words */
	int64_t		bytes, unpacked, lost_bytes, objects, live_objects, live_bytes, exit, signal,
	    findings, attempt, rss, rule, elapsed,
			wait, main_blocks, main_longest, methods;
	double		seconds, hot_share;
	uint64_t	first, n;	/* first row of the findings, and their number */
	uint64_t	first_busy, nbusy;	/* first row of the methods, and their number */
	const char	*name;		/* the text of path, when all rows were read */
};

struct found_row {
	uint32_t	dump, path, severity, kind, sig, holder, content, signature, why;
	int64_t		rank, rule, retained, count, wall;
	double		percent;
};

struct busy_row {
	uint32_t	dump, path, method;
	int64_t		rank;
	double		self, total;
};

struct change_row {
	uint32_t	app, weight, before, after, method, verdict, what, files_before, files_after;
	double		share_before, share_after, p, q, shift;	/* shift: > 0: ranks of after are higher */
};

struct group_row {
	uint32_t	finding, sig, kind, holder, content, signature, exemplar, first, last, dumps, apps,
	    builds;
	int64_t		most, median;
	const char	*name;		/* the text of sig */
};

struct triage {
	struct store	*st;
	struct work	*work;
	/* A word, or a path among words, to its number or that of its dump */
	struct idmap	 by_text, by_path;
	struct scratch	 words, text;		/* u32: offset in text, from 1; texts end with NUL */
	struct scratch	 dumps, found, groups, busy, changes;
	uint64_t	 nwords, ntext, ndumps, nfound, ngroups, nbusy, nchanges;
	uint64_t	 blocks;		/* number of complete blocks */
};

/* words.c */
bool	triage_word(struct triage *, struct str, uint32_t *word, struct err *);
const char *triage_word_text(const struct triage *, uint32_t word);
/* Compare versions by their numbers: 0.10 is newer than 0.9. */
int	triage_version_order(const struct triage *, uint32_t, uint32_t);
/* groups.c: group findings by signature. */
bool	triage_groups(struct triage *, struct err *);
/* changes.c: compare the shares of methods in files of one build with those of the build before. */
bool	triage_changes(struct triage *, struct err *);

#endif
