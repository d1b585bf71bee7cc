/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for the results of icecore triage. For each path the newest block is used.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_triage.h"
#include "icecore/facts.h"
#include "triage.h"

#define FIRST "{\"row\":\"dump\","
#define BLOCKS_A_TICK 256
#define BUSIEST 3	/* methods in a column */

static bool
triage_sniff(const uint8_t *head, size_t n)
{
	return str_has_prefix((struct str){ (const char *)head, n }, STR(FIRST));
}

bool
load_leads(const char *path)
{
	char head[sizeof FIRST];
	struct stat st;
	int fd = os_open_regular(path, &st);
	ssize_t n = fd >= 0 ? pread(fd, head, sizeof head - 1, 0) : 0;

	if (fd >= 0)
		close(fd);
	return n > 0 && triage_sniff((const uint8_t *)head, (size_t)n);
}

/* ---- rows ----------------------------------------------------------------------------- */

/* A member of a row of JSON and where it goes; words are numbers of texts. */
struct taken {
	const char	*name;
	size_t		 at;
	enum triage_type type;	/* TEXT: uint32_t, COUNT: int64_t, REAL: double */
};

/* Columns with the same values. */
#define TAKE_DUMP(member, kind, col) { #member, offsetof(struct dump_row, member), TRIAGE_IS_##kind },
#define TAKE_FOUND(member, kind, col) { #member, offsetof(struct found_row, member), TRIAGE_IS_##kind },
#define COLUMN_TEXT(col, row, member) MAKE_FIT(col, row, member),
#define COLUMN_COUNT(col, row, member) MAKE_COLUMN(col, row, member, MAKE_SIGNED),
#define COLUMN_REAL(col, row, member) MAKE_COLUMN(col, row, member, MAKE_REAL),
#define MAKE_DUMP(member, kind, col) COLUMN_##kind(COL_DUMP_##col, dump_row, member)
#define MAKE_FOUND(member, kind, col) COLUMN_##kind(COL_FOUND_##col, found_row, member)

#define TAKE_ALL(t, row, table, to, err) take_all(t, row, table, NELEM(table), to, err)

static bool
take_all(struct triage *t, const struct triage_row *row, const struct taken *m, size_t n, void *to, struct err *err)
{
	for (size_t i = 0; i < n; i++, m++) {
		void *at = (char *)to + m->at;

		if (m->type == TRIAGE_IS_COUNT)
			*(int64_t *)at = triage_count(row, m->name);
		else if (m->type == TRIAGE_IS_REAL)
			*(double *)at = triage_real(row, m->name);
		else if (!triage_word(t, triage_text(row, m->name), at, err))
			return false;
	}
	return true;
}

#define DUMP_FIELDS(ROW) \
	ROW(path, TEXT, PATH) ROW(state, TEXT, STATE) ROW(reason, TEXT, REASON) \
	ROW(format, TEXT, FORMAT) ROW(dumped_at, TEXT, DUMPED_AT) ROW(app, TEXT, APP) \
	ROW(build, TEXT, BUILD) ROW(process, TEXT, PROCESS) ROW(version, TEXT, VERSION) \
	ROW(key, TEXT, KEY) ROW(sum, TEXT, SUM) ROW(bytes, COUNT, BYTES) ROW(unpacked, COUNT, UNPACKED) \
	ROW(lost_bytes, COUNT, LOST) ROW(objects, COUNT, OBJECTS) ROW(live_objects, COUNT, LIVE_OBJECTS) \
	ROW(live_bytes, COUNT, LIVE_BYTES) ROW(exit, COUNT, EXIT) ROW(signal, COUNT, SIGNAL) \
	ROW(findings, COUNT, FINDINGS) ROW(attempt, COUNT, ATTEMPT) ROW(rss, COUNT, RSS) \
	ROW(rule, COUNT, RULE) ROW(elapsed, COUNT, ELAPSED) ROW(wait, COUNT, WAIT) \
	ROW(main_blocks, COUNT, MAIN_BLOCKS) ROW(main_longest, COUNT, MAIN_LONGEST) \
	ROW(methods, COUNT, METHODS) ROW(weight, TEXT, WEIGHT) ROW(hot_path, TEXT, HOT_PATH) \
	ROW(wait_in, TEXT, WAIT_IN) ROW(story, TEXT, STORY) ROW(seconds, REAL, SECONDS) ROW(hot_share, REAL, HOT_SHARE)
#define FOUND_FIELDS(ROW) \
	ROW(rank, COUNT, RANK) ROW(severity, TEXT, SEVERITY) ROW(kind, TEXT, KIND) ROW(sig, TEXT, SIG) \
	ROW(rule, COUNT, RULE) ROW(holder, TEXT, HOLDER) ROW(content, TEXT, CONTENT) \
	ROW(retained, COUNT, RETAINED) ROW(percent, REAL, PERCENT) ROW(count, COUNT, COUNT) \
	ROW(signature, TEXT, SIGNATURE) ROW(why, TEXT, WHY) ROW(wall, COUNT, WALL)

static const struct taken of_dump[] = { DUMP_FIELDS(TAKE_DUMP) }, of_finding[] = { FOUND_FIELDS(TAKE_FOUND) };

static bool
triage_take_finding(struct triage *t, const struct triage_row *row, uint32_t path, struct err *err)
{
	struct found_row f = { .path = path };

	return TAKE_ALL(t, row, of_finding, &f, err) &&
	    make_add(&t->found, &t->nfound, &f, sizeof f, MAKE_MOST, "findings", err);
}

/* A percentage that can be added up. */
static double
triage_share_of(const struct triage_row *row, const char *field)
{
	double share = triage_real(row, field);

	return share >= 0 && share <= 100 ? share : 0;
}

static bool
take_busy(struct triage *t, const struct triage_row *row, uint32_t path, struct err *err)
{
	struct busy_row b = { .path = path, .rank = triage_count(row, "rank"), .self = triage_share_of(row, "self"),
	    .total = triage_share_of(row, "total") };

	return triage_word(t, triage_text(row, "method"), &b.method, err) &&
	    make_add(&t->busy, &t->nbusy, &b, sizeof b, MAKE_MOST, "methods", err);
}

/* d is later. */
static bool
counts_more(const struct triage *t, const struct dump_row *d, const struct dump_row *than)
{
	int order = triage_version_order(t, d->version, than->version);

	if (order == 0 && d->rule != than->rule)
		order = d->rule < than->rule ? -1 : 1;
	return order != 0 ? order > 0 : d->attempt >= than->attempt;
}

/* The word of a text, which is freed. */
static bool
take_text(struct triage *t, struct buf *b, uint32_t *word, struct err *err)
{
	bool ok = b->bad ? fail(err, E_SYSTEM, "out of memory (rows)") : triage_word(t, buf_view(b), word, err);

	buf_free(b);
	return ok;
}

static bool
take_sigs(struct triage *t, const struct triage_rows *findings, uint32_t *word, struct err *err)
{
	struct buf all = BUF_INIT;

	for (size_t i = 0; i < findings->n; i++) {
		if (i > 0)
			buf_chr(&all, ',');
		buf_str(&all, triage_text(&findings->row[i], "sig"));
	}
	return take_text(t, &all, word, err);
}

/* For example "a.B.draw 22.8 %, a.B.fill 14.3 %". */
static bool
take_busiest(struct triage *t, const struct triage_rows *methods, uint32_t *word, struct err *err)
{
	struct buf all = BUF_INIT;

	for (size_t i = 0; i < methods->n && i < BUSIEST; i++) {
		buf_str(&all, i > 0 ? STR(", ") : STR(""));
		buf_str(&all, triage_text(&methods->row[i], "method"));
		buf_printf(&all, " %.1f %%", triage_share_of(&methods->row[i], "self"));
	}
	return take_text(t, &all, word, err);
}

/* For example "jank, main blocked", or "deadlock". */
static bool
take_worst(struct triage *t, const struct triage_rows *findings, uint32_t *word, struct err *err)
{
	const struct triage_row *row = findings->n > 0 ? findings->row : NULL;
	struct buf b = BUF_INIT;

	buf_str(&b, triage_text(row, "severity"));
	if (!str_eq(triage_text(row, "kind"), buf_view(&b))) {
		buf_str(&b, b.n > 0 ? STR(", ") : STR(""));
		buf_str(&b, triage_text(row, "kind"));
	}
	return take_text(t, &b, word, err);
}

static bool
take_block(struct triage *t, const struct triage_block *b, struct err *err)
{
	struct dump_row d = { .first = t->nfound, .first_busy = t->nbusy }, *same;
	uint32_t at;

	if (!TAKE_ALL(t, &b->dump, of_dump, &d, err) || !take_sigs(t, &b->findings, &d.sigs, err) ||
	    !take_worst(t, &b->findings, &d.worst, err) || !take_busiest(t, &b->methods, &d.busiest, err))
		return false;
	at = idmap_get(&t->by_path, (uint64_t)d.path + 1);
	same = at == 0 ? NULL : &SCRATCH(t->dumps, struct dump_row)[at - 1];
	if (same != NULL && !counts_more(t, &d, same))
		return true;
	for (size_t i = 0; i < b->findings.n; i++)
		if (!triage_take_finding(t, &b->findings.row[i], d.path, err))
			return false;
	for (size_t i = 0; i < b->methods.n; i++)
		if (!take_busy(t, &b->methods.row[i], d.path, err))
			return false;
	d.n = t->nfound - d.first;
	d.nbusy = t->nbusy - d.first_busy;
	if (same != NULL) {
		*same = d;
		return true;
	}
	return make_add(&t->dumps, &t->ndumps, &d, sizeof d, MAKE_MOST, "dumps", err) &&
	    idmap_put(&t->by_path, (uint64_t)d.path + 1, (uint32_t)t->ndumps, err);
}

/* ---- writing columns -------------------------------------------------------------------- */

static int
triage_by_path(const void *x, const void *y)
{
	return strcmp(((const struct dump_row *)x)->name, ((const struct dump_row *)y)->name);
}

/* Sort by path, with findings and methods; remove superseded blocks. */
static bool
triage_order(struct triage *t, struct err *err)
{
	struct dump_row *d = SCRATCH(t->dumps, struct dump_row);
	struct scratch found = SCRATCH_INIT, busy = SCRATCH_INIT;
	uint64_t nfound = 0, nbusy = 0;

	for (uint64_t i = 0; i < t->ndumps; i++) {
		d[i].name = triage_word_text(t, d[i].path);
		nfound += d[i].n;
		nbusy += d[i].nbusy;
	}
	if (!scratch_array(&found, nfound, sizeof(struct found_row), err) ||
	    !scratch_array(&busy, nbusy, sizeof(struct busy_row), err)) {
		SCRATCH_FREE(&found, &busy);
		return false;
	}
	if (t->ndumps > 0)
		qsort(d, t->ndumps, sizeof *d, triage_by_path);
	nfound = nbusy = 0;
	for (uint64_t i = 0; i < t->ndumps; i++) {
		for (uint64_t k = 0; k < d[i].n; k++) {
			SCRATCH(found, struct found_row)[nfound] = SCRATCH(t->found, struct found_row)[d[i].first + k];
			SCRATCH(found, struct found_row)[nfound++].dump = (uint32_t)i + 1;
		}
		for (uint64_t k = 0; k < d[i].nbusy; k++) {
			SCRATCH(busy, struct busy_row)[nbusy] = SCRATCH(t->busy, struct busy_row)[d[i].first_busy + k];
			SCRATCH(busy, struct busy_row)[nbusy++].dump = (uint32_t)i + 1;
		}
		d[i].first = nfound - d[i].n;
		d[i].first_busy = nbusy - d[i].nbusy;
	}
	SCRATCH_FREE(&t->found, &t->busy);
	t->found = found;
	t->nfound = nfound;
	t->busy = busy;
	t->nbusy = nbusy;
	return true;
}

#define SIGNED(col, row, member) MAKE_COLUMN(col, row, member, MAKE_SIGNED)

static bool
triage_put_rows(const struct triage *t, struct err *err)
{
	static const struct make_column words[] = { MAKE_CONST(COL_WORD_REF, 8, MAKE_ZERO),
	    { COL_WORD_OWN, 0, 4, MAKE_AS_IS } },
	    dumps[] = {
		DUMP_FIELDS(MAKE_DUMP) MAKE_FIT(COL_DUMP_SIGS, dump_row, sigs),
		    MAKE_FIT(COL_DUMP_BUSIEST, dump_row, busiest),
		MAKE_FIT(COL_DUMP_WORST, dump_row, worst),
	}, found[] = {
		FOUND_FIELDS(MAKE_FOUND) MAKE_FIT(COL_FOUND_DUMP, found_row, dump),
		    MAKE_FIT(COL_FOUND_PATH, found_row, path),
	}, busy[] = {
		MAKE_FIT(COL_BUSY_DUMP, busy_row, dump), SIGNED(COL_BUSY_RANK, busy_row, rank),
		    MAKE_FIT(COL_BUSY_PATH, busy_row, path),
		MAKE_FIT(COL_BUSY_METHOD, busy_row, method), MAKE_COLUMN(COL_BUSY_SELF, busy_row, self, MAKE_REAL),
		MAKE_COLUMN(COL_BUSY_TOTAL, busy_row, total, MAKE_REAL),
	}, changes[] = {
		MAKE_FIT(COL_CHANGE_APP, change_row, app), MAKE_FIT(COL_CHANGE_WEIGHT, change_row, weight),
		MAKE_FIT(COL_CHANGE_BEFORE, change_row, before), MAKE_FIT(COL_CHANGE_AFTER, change_row, after),
		MAKE_FIT(COL_CHANGE_METHOD, change_row, method), MAKE_FIT(COL_CHANGE_VERDICT, change_row, verdict),
		MAKE_FIT(COL_CHANGE_WHAT, change_row, what),
		    MAKE_COLUMN(COL_CHANGE_SHARE_BEFORE, change_row, share_before, MAKE_REAL),
		MAKE_COLUMN(COL_CHANGE_SHARE_AFTER, change_row, share_after, MAKE_REAL),
		    MAKE_COLUMN(COL_CHANGE_P, change_row, p, MAKE_REAL),
		MAKE_COLUMN(COL_CHANGE_Q, change_row, q, MAKE_REAL),
		    MAKE_FIT(COL_CHANGE_FILES_BEFORE, change_row, files_before),
		MAKE_FIT(COL_CHANGE_FILES_AFTER, change_row, files_after),
	}, groups[] = {
		MAKE_FIT(COL_GROUP_FINDING, group_row, finding), MAKE_FIT(COL_GROUP_SIG, group_row, sig),
		    MAKE_FIT(COL_GROUP_KIND, group_row, kind),
		MAKE_FIT(COL_GROUP_HOLDER, group_row, holder), MAKE_FIT(COL_GROUP_CONTENT, group_row, content),
		MAKE_FIT(COL_GROUP_SIGNATURE, group_row, signature), MAKE_FIT(COL_GROUP_EXEMPLAR, group_row, exemplar),
		MAKE_FIT(COL_GROUP_FIRST, group_row, first), MAKE_FIT(COL_GROUP_LAST, group_row, last),
		    MAKE_FIT(COL_GROUP_DUMPS, group_row, dumps),
		MAKE_FIT(COL_GROUP_APPS, group_row, apps), MAKE_FIT(COL_GROUP_BUILDS, group_row, builds),
		    SIGNED(COL_GROUP_MOST, group_row, most),
		SIGNED(COL_GROUP_MEDIAN, group_row, median),
	};

	return make_columns(t->st, words, NELEM(words), MAKE_ROWS(SCRATCH(t->words, uint32_t), t->nwords), err) &&
	    make_copy(t->st, COL_WORD_TEXT, COL_BYTES, t->text.data, t->ntext, err) &&
	    make_columns(t->st, dumps, NELEM(dumps), MAKE_ROWS(SCRATCH(t->dumps, struct dump_row), t->ndumps), err) &&
	    make_columns(t->st, found, NELEM(found), MAKE_ROWS(SCRATCH(t->found, struct found_row), t->nfound), err) &&
	    make_columns(t->st, groups, NELEM(groups), MAKE_ROWS(SCRATCH(t->groups, struct group_row), t->ngroups),
	    err) &&
	    make_columns(t->st, busy, NELEM(busy), MAKE_ROWS(SCRATCH(t->busy, struct busy_row), t->nbusy), err) &&
	    make_columns(t->st, changes, NELEM(changes), MAKE_ROWS(SCRATCH(t->changes, struct change_row), t->nchanges),
	    err);
}

static bool
triage_put_facts(const struct triage *t, uint64_t lost, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("triage rows") }, { FACT_BLOCKS, t->blocks }, { FACT_DUMPS, t->ndumps },
		{ FACT_FINDINGS, t->nfound },
		{ FACT_SIGNATURES, t->ngroups }, { FACT_LOSS_ROWS, lost, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = lost > 0 ? STR("no dump has complete rows") : STR(""), .how = MAKE_ANY }
	};

	return make_facts(t->st, facts, NELEM(facts), err);
}

static bool
triage_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct triage t = { .st = st, .work = w, .by_text = IDMAP_INIT, .by_path = IDMAP_INIT };
	struct triage_reader r = { .rest = { (const char *)m->data, m->size } };
	struct triage_block b;
	bool ok = true;

	t.words = t.text = t.dumps = t.found = t.groups = t.busy = t.changes = SCRATCH_INIT;
	while (ok && triage_next(&r, &b)) {
		t.blocks++;
		ok = take_block(&t, &b, err);
		triage_drop(&b);
		if (ok && t.blocks % BLOCKS_A_TICK == 0) {
			map_forget(m, 0, m->size - r.rest.n);
			ok = work_go(w, m->size - r.rest.n, err);
		}
	}
	ok = ok && (t.blocks > 0 || fail(err, E_UNREADABLE, "no complete triage row in this file")) &&
	    triage_order(&t, err) &&
	    triage_groups(&t, err) && triage_changes(&t, err) && triage_put_rows(&t, err) &&
	    triage_put_facts(&t, r.lost, err);
	SCRATCH_FREE(&t.words, &t.text, &t.dumps, &t.found, &t.groups, &t.busy, &t.changes);
	idmap_free(&t.by_text);
	idmap_free(&t.by_path);
	return ok;
}

const struct loader load_triage = { "triage", "output of icecore triage", SHAPE_TRIAGE, triage_sniff, triage_load };
