/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * one: print the rows of one dump from standard input to standard output.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fleet.h"
#include "icecore/directory.h"
#include "icecore/facts.h"
#include "icecore/limits.h"
#include "icecore/overview.h"

struct judgement {
	enum triage_state	 state;
	int			 exit;		/* exit status as of icecore -e; -1: not run */
	struct buf		 reason, unread;	/* unread: "7 packets heap_graph" */
	struct triage_block	 b;		/* dump: what the file says */
	const char		*of;		/* what to measure; NULL: judge */
};

/* ---- the file ---------------------------------------------------------------------------- */

/* Copy a pipe to a temporary file first, because reading a dump needs its size and its end. */
static bool
drain(struct work *w, struct err *err)
{
	struct intake in = { .most = intake_allowed() };
	bool ok = fd_temporary(&in.fd, NULL, err);

	if (!ok)
		return false;
	ok = intake_drain(&in, STDIN_FILENO, w, err) && (dup2(in.fd, STDIN_FILENO) >= 0 ||
	    fail_errno(err, "standard input"));
	close(in.fd);
	return ok;
}

static bool
one_confine(const struct fleet_options *o, struct err *err)
{
	struct sandbox s;

	sandbox_begin(&s, o->sandbox);
	sandbox_let(&s, SANDBOX_TEMPORARY, directory_temporary());
	if (o->mapping != NULL)
		sandbox_let(&s, SANDBOX_READ, o->mapping);
	return sandbox_enter(&s, err) && (!o->sandbox_required ||
	    (s.whole && o->sandbox == sandbox_usual()) ||
	    fail(err, E_SYSTEM, "the sandbox is incomplete: %s", sandbox_text()));
}

/* ---- type of file -------------------------------------------------------------------------- */

static void
judge_error(struct judgement *v, const struct err *err)
{
	buf_clear(&v->reason);
	buf_str(&v->reason, str_of(err->text + (err_names(err, "standard input") ||
	    err_names(err, "-") ? err->named : 0)));
	v->exit = (int)err->kind;
	v->state = err->reason == REASON_LIMIT ? TRIAGE_TOOBIG : err->reason == REASON_TIME ? TRIAGE_TIMEOUT :
	    err->reason == REASON_UNREAD ? TRIAGE_UNREAD :
	    err->kind != E_SYSTEM && err->kind != E_CANCEL ? TRIAGE_UNREADABLE :
	    mem_refused() > 0 ? TRIAGE_OOM : TRIAGE_SYSTEM;
	if (v->state == TRIAGE_OOM)
		limits_put_advice(&v->reason);
}

/* Times become ISO 8601. */
static void
put_iso_time(struct triage_row *row, const char *field, struct str s)
{
	char text[] = "YYYY-MM-DDThh:mm:ssZ";

	if (s.n < 19)
		return;
	memcpy(text, s.s, 10);
	memcpy(text + 11, s.s + 11, 8);
	triage_put_text(row, field, str_of(text));
}

/* Append what a fact counts that is not shown. */
static void
add_unread(struct judgement *v, struct rows *r, uint64_t row, const struct cell *n)
{
	struct cell meaning;

	buf_str(&v->unread, v->unread.n > 0 ? STR(", ") : STR("not read: "));
	cell_show(n, &v->unread);
	if (cell_named(r, row, "meaning", &meaning)) {
		buf_chr(&v->unread, ' ');
		text_fit_buf(&v->unread, meaning.text);
	}
}

static bool
take_fact(void *to, struct rows *r, uint64_t row, struct err *err)
{
	static const char *const kept[] = { "format", "unpacked", "objects", "live_objects", "live_bytes",
	    "elapsed" };
	struct judgement *v = to;
	struct triage_row *facts = &v->b.dump;
	struct cell name, c;

	(void)err;
	if (!cell_named(r, row, "field", &name) || !cell_named(r, row, "value", &c))
		return true;
	if (str_has_prefix(name.text, STR("loss.")) && str_has_suffix(name.text, STR("_bytes")) &&
	    c.type != CELL_TEXT)
		triage_put_count(facts, "lost_bytes", triage_count(facts, "lost_bytes") + (int64_t)c.u);
	else if (str_has_prefix(name.text, STR("unread.")))
		add_unread(v, r, row, &c);
	else if (str_eq(name.text, STR("dumped_at")) && c.type == CELL_TEXT)
		put_iso_time(facts, "dumped_at", c.text);
	else
		for (size_t i = 0; i < NELEM(kept); i++)
			if (str_eq(name.text, str_of(kept[i])))
				row_put(facts, kept[i], &c);
	return true;
}

static bool
take_finding(void *to, struct rows *r, uint64_t at, struct err *err)
{
	/* Columns and their names in rows. */
	static const char *const kept[][2] = { { "severity", "severity" }, { "kind", "kind" },
	    { "hash", "sig" }, { "holder", "holder" },
	    { "content", "content" }, { "retained", "retained" }, { "percent", "percent" },
	    { "count", "count" }, { "signature", "signature" }, { "why", "why" } };
	struct judgement *v = to;
	struct triage_row *row = triage_add(&v->b.findings);
	struct cell c;

	if (row == NULL)
		return fail(err, E_SYSTEM, "out of memory (rows)");
	begin_row(row, "finding");
	triage_put_count(row, "rank", (int64_t)at + 1);
	/* "v2" */
	if (cell_named(r, at, "rule", &c) && c.type == CELL_TEXT && c.text.n == 2)
		triage_put_count(row, "rule", c.text.s[1] - '0');
	for (size_t i = 0; i < NELEM(kept); i++)
		if (cell_named(r, at, kept[i][0], &c))
			row_put(row, kept[i][1], &c);
	return true;
}

/* The sentence of the overview. */
static bool
one_story(struct session *session, struct triage_row *row, struct work *w, struct err *err)
{
	struct overview_answer a = { .n = 0 };
	struct cell words = { .type = CELL_TEXT };

	if (!overview_answer(overview_story(false), session, &a, w, err))
		return false;
	if (a.n > 0) {
		words.text = buf_view(&a.item[0].words);
		row_put(row, "story", &words);
	}
	overview_free(&a);
	return true;
}

/* A file is clean only if something in it was judged: objects, methods or a wait. */
static void
judge_state(struct judgement *v, bool damaged, bool heap)
{
	bool judged = heap ? triage_count(&v->b.dump, "objects") > 0 : v->b.methods.n > 0 ||
	    triage_count(&v->b.dump, "wait") >= 0;

	v->state = damaged ? TRIAGE_SALVAGED : v->b.findings.n > 0 ? TRIAGE_OK :
	    v->unread.n > 0 && !judged ? TRIAGE_UNREAD : TRIAGE_CLEAN;
	v->exit = v->state == TRIAGE_UNREAD ? E_UNREADABLE : v->exit;
	if (v->reason.n == 0)
		buf_str(&v->reason, buf_view(&v->unread));
}

static bool
judge_store(struct judgement *v, struct session *session, struct work *w, struct err *err)
{
	struct store *st = session_store(session);
	unsigned shapes = load_shapes(st);
	bool damaged, heap = (shapes & SHAPE_GRAPH) != 0;
	struct str reason;

	if (fact_value(st, FACT_LOSS_UNPACKED) > 0) {
		reason = fact_text(st, FACT_LOSS_REASON);
		return fail_for(err, REASON_LIMIT, E_UNREADABLE, ERR_NOWHERE, "%.*s", (int)reason.n,
		    reason.s);
	}
	triage_put_count(&v->b.dump, "lost_bytes", 0);
	if (!rows_each(session, "info", w, take_fact, v, err))
		return false;
	damaged = store_damaged(st);
	if (damaged) {
		reason = fact_text(st, FACT_LOSS_REASON);
		buf_str(&v->reason, reason.n > 0 ? reason : STR("file is damaged"));
	}
	v->exit = damaged ? E_INPUT : E_NONE;
	if (damaged && heap && triage_count(&v->b.dump, "objects") <= 0) {
		v->state = TRIAGE_UNREADABLE;
		triage_row_free(&v->b.dump);
		return true;
	}
	if (v->of != NULL) {
		v->state = damaged ? TRIAGE_SALVAGED : TRIAGE_CLEAN;
		return damaged || measure_make(session, v->of, &v->b.page, w, err);
	}
	session_choose_clock(session, st);
	if (!one_story(session, &v->b.dump, w, err))
		return false;
	if (heap ? !rows_each(session, "findings | where severity != note", w, take_finding, v, err) :
	    !time_judge(session, shapes, &v->b, w, err))
		return false;
	judge_state(v, damaged, heap);
	return true;
}

static void
one_judge(struct judgement *v, const struct fleet_options *o, const char *key, struct work *w)
{
	const struct store_options options = { .memory_only = true };
	const char *mapping[] = { o->mapping, NULL };
	const struct side_options sides = { .mappings = o->mapping != NULL ? mapping : NULL };
	struct session session = { .nstores = 0 };
	struct err err = { .at = ERR_NOWHERE };
	bool ok = load_open(&session.store[0], "-", &options, w, &err);

	session.nstores = ok;
	ok = ok && load_sides(&session.store[0], session.store[0], &sides, w, &err) &&
	    judge_store(v, &session, w, &err) && mem_whole(0, &err);
	if (!ok) {
		judge_error(v, &err);
		triage_rows_free(&v->b.findings);
		triage_rows_free(&v->b.methods);
		triage_row_free(&v->b.page);
		if (v->b.dump.bad)
			triage_row_free(&v->b.dump);
		triage_put_null(&v->b.dump, "methods");
	} else if (o->of == NULL && o->page && !o->redact && v->state >= TRIAGE_SALVAGED)
		piece_make(&session, key, &v->b.page, w);
	session_close(&session);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool
print_row(const struct triage_field *fields, const struct triage_row *own, const struct triage_row *from,
    struct buf *text)
{
	struct triage_row row;
	bool ok;

	triage_fill(&row, fields, own, from);
	ok = triage_print(&row, text);
	triage_row_free(&row);
	return ok;
}

static bool
one_print_rows(const struct judgement *v, const struct ident *id, const struct fleet_options *o,
    struct buf *text)
{
	char hash[HASH_TEXT];
	struct triage_row own, key = { .n = 0 };
	bool ok;

	row_of_dump(&own, id, name_shown(o, o->one, hash), v->state, buf_view(&v->reason));
	triage_put_count(&own, "findings", (int64_t)v->b.findings.n);
	if (v->exit >= 0)
		triage_put_count(&own, "exit", v->exit);
	row_put_names(&own, o, o->one);
	triage_put_text(&key, "key", str_of(id->key));
	if (o->redact) {
		triage_put_null(&own, "wait_in");
		triage_put_null(&own, "story");
		triage_put_null(&key, "why");
	}
	ok = print_row(triage_dump, &own, &v->b.dump, text);
	for (size_t i = 0; i < v->b.findings.n; i++)
		ok = print_row(triage_finding, &key, &v->b.findings.row[i], text) && ok;
	for (size_t i = 0; i < v->b.methods.n; i++)
		ok = print_row(triage_method, &key, &v->b.methods.row[i], text) && ok;
	if (v->b.page.n > 0)
		ok = print_row(o->of != NULL ? triage_measure : triage_page, &key, &v->b.page, text) && ok;
	triage_row_free(&own);
	triage_row_free(&key);
	return ok;
}

static bool
one_show(const struct buf *text, struct err *err)
{
	const struct fleet_options table = { .format = FORMAT_TABLE };
	struct session session;
	uint64_t n;
	bool ok;

	if (!isatty(STDOUT_FILENO))
		return fwrite(text->s, 1, text->n, stdout) == text->n || fail_errno(err, "cannot write");
	ok = rows_session(&session, text, err) && rows_answer(&session, "dumps", &table, &n, err) &&
	    rows_answer(&session, "findings", &table, &n, err);
	session_close(&session);
	return ok;
}

static bool
take_input(struct ident *id, const struct fleet_options *o, const char *name, struct work *w,
    struct err *err)
{
	if (strcmp(o->paths[0], "-") != 0) {
		ident_open(id, o, o->paths[0], name);
		return id->fd < 0 || dup2(id->fd, STDIN_FILENO) >= 0 || fail_path(err, o->paths[0]);
	}
	if (lseek(STDIN_FILENO, 0, SEEK_CUR) < 0 && !drain(w, err))
		return false;
	ident_fd(id, fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), name);
	return true;
}

/* False: no result at all. */
static bool
judge_input(struct judgement *v, struct ident *id, const struct fleet_options *o, struct work *w,
    struct err *err)
{
	char hash[HASH_TEXT];
	const char *name = name_shown(o, o->one, hash);

	if (!take_input(id, o, name, w, err)) {
		if (err->reason != REASON_LIMIT && err->reason != REASON_TIME)
			return false;
		judge_error(v, err);
		ident_fd(id, -1, name);
	} else if (id->fd < 0) {
		v->state = id->other ? TRIAGE_UNREADABLE : TRIAGE_SYSTEM;
		buf_str(&v->reason, str_of(id->why));
	} else if (id->bytes == 0) {
		v->state = TRIAGE_EMPTY;
		buf_str(&v->reason, STR("the file is empty"));
	} else if (one_confine(o, err))
		one_judge(v, o, id->key, w);
	else
		judge_error(v, err);
	return true;
}

bool
fleet_one(const struct fleet_options *options, int *status, struct err *err)
{
	struct judgement v = { .exit = -1, .of = options->of, .reason = BUF_INIT, .unread = BUF_INIT };
	struct buf text = BUF_INIT, mapping = BUF_INIT;
	struct fleet_options o = *options;
	struct ident id;
	struct work w;
	bool ok;

	*status = E_NONE;
	work_init(&w, NULL);
	work_of_thread(&w);
	work_deadline(o.timeout);
	if (o.memory > 0)
		limit_memory(o.memory, "--memory");
	intake_allow(o.unpacked);
	pool_jobs(1);
	o.mapping = mapping_of(&o, o.one, &mapping);
	ok = judge_input(&v, &id, &o, &w, err) &&
	    (one_print_rows(&v, &id, &o, &text) || fail(err, E_SYSTEM, "out of memory (rows)")) &&
	    one_show(&text, err);
	*status = ok && (v.state == TRIAGE_OOM || v.state == TRIAGE_SYSTEM) ? E_SYSTEM : E_NONE;
	buf_free(&text);
	buf_free(&mapping);
	buf_free(&v.reason);
	buf_free(&v.unread);
	triage_drop(&v.b);
	work_of_thread(NULL);
	return ok;
}
