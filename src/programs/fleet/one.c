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

struct judgement {
	enum triage_state	 state;
	int			 exit;		/* exit status as of icecore -e; -1: not run */
	struct buf		 reason, unread;	/* unread: "7 packets heap_graph" */
	json_t			*facts;		/* members of the dump's row */
	json_t			*findings, *methods;	/* rows */
	json_t			*page;		/* of triage_page or triage_measure, or NULL */
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
	ok = intake_drain(&in, STDIN_FILENO, w, err) && (dup2(in.fd, STDIN_FILENO) >= 0 || fail_errno(err, "standard input"));
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
	return sandbox_enter(&s, err) && (!o->sandbox_required || (s.whole && o->sandbox == sandbox_usual()) ||
	    fail(err, E_SYSTEM, "the sandbox is incomplete: %s", sandbox_text()));
}

/* ---- type of file -------------------------------------------------------------------------- */

static void
judge_error(struct judgement *v, const struct err *err)
{
	buf_clear(&v->reason);
	buf_str(&v->reason, str_of(err->text + (err_names(err, "standard input") || err_names(err, "-") ? err->named : 0)));
	v->exit = (int)err->kind;
	v->state = err->reason == REASON_LIMIT ? TRIAGE_TOOBIG : err->reason == REASON_TIME ? TRIAGE_TIMEOUT :
	    err->reason == REASON_UNREAD ? TRIAGE_UNREAD :
	    err->kind != E_SYSTEM && err->kind != E_CANCEL ? TRIAGE_UNREADABLE : mem_refused() > 0 ? TRIAGE_OOM : TRIAGE_SYSTEM;
	if (v->state == TRIAGE_OOM)
		limits_put_advice(&v->reason);
}

bool
cell_named(struct rows *r, uint64_t row, const char *column, struct cell *c)
{
	int col = rows_column(r, str_of(column));

	c->type = CELL_NONE;
	if (col >= 0)
		rows_cell(r, row, (size_t)col, c);
	return c->type != CELL_NONE;
}

/* Texts are sanitized; times become ISO 8601. */
json_t *
row_value(const struct cell *c)
{
	struct buf b = BUF_INIT;
	json_t *v;

	if (c->type == CELL_PERCENT || c->type == CELL_REAL)
		return json_real((double)(int64_t)(c->f * 1000 + 0.5) / 1000);
	if (c->type != CELL_TEXT)
		return json_integer(c->u > INT64_MAX ? INT64_MAX : (json_int_t)c->u);
	text_fit_buf(&b, c->text);
	v = b.bad ? NULL : json_stringn(b.n == 0 ? "" : b.s, b.n);
	buf_free(&b);
	return v;
}

static json_t *
one_time_of(struct str s)
{
	char text[] = "YYYY-MM-DDThh:mm:ssZ";

	if (s.n < 19)
		return json_null();
	memcpy(text, s.s, 10);
	memcpy(text + 11, s.s + 11, 8);
	return json_string(text);
}

/* Append what a fact counts that is not shown. */
static bool
one_add_unread(struct judgement *v, struct rows *r, uint64_t row, const struct cell *n)
{
	struct cell meaning;

	buf_str(&v->unread, v->unread.n > 0 ? STR(", ") : STR("not read: "));
	cell_show(n, &v->unread);
	if (cell_named(r, row, "meaning", &meaning)) {
		buf_chr(&v->unread, ' ');
		text_fit_buf(&v->unread, meaning.text);
	}
	return !v->unread.bad;
}

static bool
put_fact(struct judgement *v, struct rows *r, uint64_t row)
{
	static const char *const kept[] = { "format", "unpacked", "objects", "live_objects", "live_bytes", "elapsed" };
	char name[FACT_NAME_SIZE];
	struct cell c;

	if (!cell_named(r, row, "field", &c) || c.text.n >= sizeof name)
		return true;
	memcpy(name, c.text.s, c.text.n);
	name[c.text.n] = '\0';
	if (!cell_named(r, row, "value", &c))
		return true;
	if (strncmp(name, "loss.", 5) == 0 && str_has_suffix(str_of(name), STR("_bytes")) && c.type != CELL_TEXT)
		return row_put(v->facts, "lost_bytes", json_integer(triage_count(v->facts, "lost_bytes") + (json_int_t)c.u));
	if (strncmp(name, "unread.", 7) == 0)
		return one_add_unread(v, r, row, &c);
	if (strcmp(name, "dumped_at") == 0 && c.type == CELL_TEXT)
		return row_put(v->facts, name, one_time_of(c.text));
	for (size_t i = 0; i < NELEM(kept); i++)
		if (strcmp(name, kept[i]) == 0)
			return row_put(v->facts, name, row_value(&c));
	return true;
}

static bool
put_finding(struct judgement *v, struct rows *r, uint64_t at)
{
	/* Columns and their names in rows. */
	static const char *const kept[][2] = { { "severity", "severity" }, { "kind", "kind" }, { "hash", "sig" }, { "holder", "holder" },
	    { "content", "content" }, { "retained", "retained" }, { "percent", "percent" }, { "count", "count" },
	    { "signature", "signature" }, { "why", "why" } };
	json_t *row = json_object();
	struct cell c;
	bool ok = row_put(row, "row", json_string("finding")) && row_put(row, "schema", json_integer(TRIAGE_SCHEMA)) &&
	    row_put(row, "rank", json_integer((json_int_t)at + 1));

	/* "v2" */
	if (ok && cell_named(r, at, "rule", &c) && c.type == CELL_TEXT && c.text.n == 2)
		ok = row_put(row, "rule", json_integer(c.text.s[1] - '0'));
	for (size_t i = 0; ok && i < NELEM(kept); i++)
		if (cell_named(r, at, kept[i][0], &c))
			ok = row_put(row, kept[i][1], row_value(&c));
	if (ok)
		return json_array_append_new(v->findings, row) == 0;
	json_decref(row);
	return false;
}

static bool
take_fact(void *v, struct rows *r, uint64_t row, struct err *err)
{
	return put_fact(v, r, row) || fail(err, E_SYSTEM, "out of memory (rows)");
}

static bool
one_take_finding(void *v, struct rows *r, uint64_t row, struct err *err)
{
	return put_finding(v, r, row) || fail(err, E_SYSTEM, "out of memory (rows)");
}

/* A file is clean only if something in it was judged: objects, methods or a wait. */
static void
judge_state(struct judgement *v, bool damaged, bool heap)
{
	bool judged = heap ? triage_count(v->facts, "objects") > 0 :
	    json_array_size(v->methods) > 0 || json_is_string(json_object_get(v->facts, "wait_in"));

	v->state = damaged ? TRIAGE_SALVAGED : json_array_size(v->findings) > 0 ? TRIAGE_OK :
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
		return fail_for(err, REASON_LIMIT, E_UNREADABLE, ERR_NOWHERE, "%.*s", (int)reason.n, reason.s);
	}
	if (!row_put(v->facts, "lost_bytes", json_integer(0)))
		return fail(err, E_SYSTEM, "out of memory (rows)");
	if (!rows_each(session, "info", w, take_fact, v, err))
		return false;
	damaged = store_damaged(st);
	if (damaged) {
		reason = fact_text(st, FACT_LOSS_REASON);
		buf_str(&v->reason, reason.n > 0 ? reason : STR("file is damaged"));
	}
	v->exit = damaged ? E_INPUT : E_NONE;
	if (damaged && heap && triage_count(v->facts, "objects") <= 0) {
		v->state = TRIAGE_UNREADABLE;
		json_object_clear(v->facts);
		return true;
	}
	if (v->of != NULL) {
		v->state = damaged ? TRIAGE_SALVAGED : TRIAGE_CLEAN;
		v->page = damaged ? NULL : measure_make(session, v->of, w, err);
		return damaged || v->page != NULL;
	}
	if (heap ? !rows_each(session, "findings | where severity != note", w, one_take_finding, v, err) :
	    !time_judge(session, shapes, v->facts, v->findings, v->methods, w, err))
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
	ok = ok && load_sides(&session.store[0], session.store[0], &sides, w, &err) && judge_store(v, &session, w, &err) &&
	    mem_whole(0, &err);
	if (!ok) {
		judge_error(v, &err);
		json_array_clear(v->findings);
		json_array_clear(v->methods);
		json_object_del(v->facts, "methods");
	} else if (o->of == NULL && o->page && !o->redact && v->state >= TRIAGE_SALVAGED)
		v->page = piece_make(&session, key, w);
	session_close(&session);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool
print_all(const json_t *rows, const struct triage_field *fields, const json_t *key, struct buf *text)
{
	const json_t *from;
	json_t *row;
	size_t i;
	bool ok = true;

	json_array_foreach(rows, i, from) {
		row = ok ? triage_row(fields, key, from) : NULL;
		ok = ok && triage_print(row, text);
		json_decref(row);
	}
	return ok;
}

static bool
one_print_rows(const struct judgement *v, const struct ident *id, const struct fleet_options *o, struct buf *text)
{
	char hash[HASH_TEXT];
	json_t *own = row_of_dump(id, name_shown(o, o->one, hash), v->state, buf_view(&v->reason)), *row, *key = json_object();
	bool ok = row_put(own, "findings", json_integer((json_int_t)json_array_size(v->findings))) &&
	    row_put(own, "exit", v->exit < 0 ? json_null() : json_integer(v->exit)) && row_put_names(own, o, o->one) &&
	    (!o->redact || row_put(own, "wait_in", json_null())) &&
	    row_put(key, "key", json_string(id->key)) && (!o->redact || row_put(key, "why", json_null()));

	row = ok ? triage_row(triage_dump, own, v->facts) : NULL;
	ok = ok && triage_print(row, text);
	json_decref(row);
	ok = print_all(v->findings, triage_finding, key, text) && ok;
	ok = print_all(v->methods, triage_method, key, text) && ok;
	json_decref(own);
	row = ok && v->page != NULL ? triage_row(o->of != NULL ? triage_measure : triage_page, key, v->page) : NULL;
	ok = ok && (v->page == NULL || triage_print(row, text));
	json_decref(row);
	json_decref(key);
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
one_take_input(struct ident *id, const struct fleet_options *o, const char *name, struct work *w, struct err *err)
{
	if (strcmp(o->paths[0], "-") != 0) {
		ident_open(id, o->paths[0], name);
		return id->fd < 0 || dup2(id->fd, STDIN_FILENO) >= 0 || fail_path(err, o->paths[0]);
	}
	if (lseek(STDIN_FILENO, 0, SEEK_CUR) < 0 && !drain(w, err))
		return false;
	ident_fd(id, fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3), name);
	return true;
}

/* False: no result at all. */
static bool
judge_input(struct judgement *v, struct ident *id, const struct fleet_options *o, struct work *w, struct err *err)
{
	char hash[HASH_TEXT];
	const char *name = name_shown(o, o->one, hash);

	if (!one_take_input(id, o, name, w, err)) {
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
	struct judgement v = { .exit = -1, .of = options->of, .reason = BUF_INIT, .unread = BUF_INIT, .facts = json_object(),
	    .findings = json_array(), .methods = json_array() };
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
	    (one_print_rows(&v, &id, &o, &text) || fail(err, E_SYSTEM, "out of memory (rows)")) && one_show(&text, err);
	*status = ok && (v.state == TRIAGE_OOM || v.state == TRIAGE_SYSTEM) ? E_SYSTEM : E_NONE;
	buf_free(&text);
	buf_free(&mapping);
	buf_free(&v.reason);
	buf_free(&v.unread);
	json_decref(v.facts);
	json_decref(v.findings);
	json_decref(v.methods);
	json_decref(v.page);
	work_of_thread(NULL);
	return ok;
}
