/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for tables: CSV, TSV and JSON lines. It stores columns and positions of records; with --path also
 * paths with weights, as samples.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/columns_table.h"
#include "icecore/facts.h"
#include "table.h"

#define HINT_NAMES 200u	/* maximum bytes of names */
#define HEAD 65536u
#define FEW 8u	/* NULs that do not make a file binary */

static bool
table_is_text(const struct load *l)
{
	struct str head = { l->sheet.data, (size_t)(l->sheet.end - l->sheet.data) };
	uint64_t nuls = 0;

	head.n = head.n > HEAD ? HEAD : head.n;
	for (size_t i = 0; i < head.n; i++)
		nuls += head.s[i] == '\0';
	return nuls <= FEW || nuls * 100 <= head.n;
}

/* ---- all records ----------------------------------------------------------------------- */

static bool
resolve(struct load *l, struct err *err)
{
	scratch_free(&l->vote);
	if (!scratch_array(&l->vote, l->sheet.names.n + 1ull, sizeof(struct sheet_votes), err))
		return false;
	l->votes = SCRATCH(l->vote, struct sheet_votes);
	return asked_columns(&l->asked, l->st, &l->sheet.names, err);
}

/*
 * Read twice if the first records have another width than most: later records may have a requested column.
 * *others: as in load_count; nothing else is known then.
 */
static bool
table_read_all(struct load *l, bool *others, struct err *err)
{
	struct err unknown = { .kind = E_NONE };
	uint32_t width;

	*others = false;
	work_start_bytes(l->work, "records", (uint64_t)(l->sheet.end - l->sheet.data));
	if (!load_sniff(l, err))
		return false;
	if (!resolve(l, &unknown) && unknown.kind != E_USAGE) {
		*err = unknown;
		return false;
	}
	if (!load_count(l, &width, others, err) || *others)
		return *others;
	if (l->sheet.json || width == l->width) {
		*err = unknown.kind != E_NONE ? unknown : *err;
		return unknown.kind == E_NONE;
	}
	l->width = width;
	return load_top(l, err) && resolve(l, err) && load_count(l, &width, others, err);
}

/* ---- columns and facts ------------------------------------------------------------------ */

static bool
table_put_columns(struct load *l, struct err *err)
{
	struct sheet_names *n = &l->sheet.names;
	uint32_t *place = store_make(l->st, COL_TABLE_NAME, COL_U32, n->n, err);

	if (place == NULL)
		return false;
	for (uint32_t i = 0; i < n->n; i++)
		place[i] = SCRATCH(n->place, uint32_t)[i] + 1;
	return make_copy(l->st, COL_TABLE_TEXT, COL_BYTES, n->text.s, n->text.n, err) &&
	    make_copy(l->st, COL_TABLE_LIKELY, COL_U8, l->likely.data, n->n, err) &&
	    make_copy(l->st, COL_TABLE_PLACES, COL_U8, l->places.data, n->n, err) &&
	    make_copy(l->st, COL_TABLE_BLOCK, COL_U64, l->block.data, l->nblocks, err) &&
	    make_copy(l->st, COL_TABLE_LINE, COL_U64, l->line.data, l->nblocks, err);
}

static struct str
charset(const struct load *l)
{
	struct str how = fact_text(l->st, FACT_ENCODING);

	if (l->sheet.latin)
		return STR("Windows-1252");
	if (how.n > 0 && memmem(how.s, how.n, "UTF-16", 6) != NULL)
		return STR("UTF-16");
	return l->high ? STR("UTF-8") : STR("ASCII");
}

/* "1 of 4 records has too few fields; the missing ones are empty" */
static void
add_odd(const struct load *l, uint64_t n, const char *what, struct buf *b)
{
	if (n > 0)
		buf_printf(b, "%s%llu of %llu record%s %s too %s", b->n > 0 ? "; " : "",
		    (unsigned long long)n, (unsigned long long)l->sheet.records, l->sheet.records == 1 ? "" :
		    "s", n == 1 ? "has" : "have", what);
}

/* All damage. */
static struct str
damage(const struct load *l, struct buf *b)
{
	if (l->unclosed > 0)
		buf_str(b, STR("unclosed quote; read as a character"));
	if (l->bad > 0)
		buf_printf(b, "%llu line%s; %llu record%s read", (unsigned long long)l->bad, l->bad == 1 ?
		    " is not a JSON object" : "s are not JSON objects", (unsigned long long)l->sheet.records,
		    l->sheet.records == 1 ? "" : "s");
	add_odd(l, l->shorter, "few fields; the missing ones are empty", b);
	add_odd(l, l->longer, "many fields; the excess is dropped", b);
	return b->bad ? STR("") : buf_view(b);
}

/* Explain empty stacks: no record has a number in the weight column. "": at least one record has. */
static struct str
unweighed(const struct load *l, struct buf *b)
{
	struct str name;

	if (l->sheet.records == 0 || l->no_weight < l->sheet.records)
		return STR("");
	name = sheet_name(&l->sheet.names, l->asked.weight[0].column);
	buf_printf(b, "no record has a number in '%.*s'; the first value is '%.*s'", (int)name.n, name.s,
	    (int)l->odd.n, l->odd.n > 0 ? l->odd.s : "");
	return b->bad ? STR("") : buf_view(b);
}

static bool
put_asked(struct load *l, struct err *err)
{
	static const struct { enum fact_id asked, fact; } facts[] = {
		{ FACT_TRACE_ASK_PATH, FACT_PATH }, { FACT_TRACE_ASK_TIME, FACT_TIME_COLUMN }
	};
	struct buf b = BUF_INIT;
	struct str s;
	bool ok = true;

	for (uint32_t i = 0; i < l->asked.nweights; i++)
		buf_list(&b, ", ", sheet_name(&l->sheet.names, l->asked.weight[i].column));
	for (size_t i = 0; ok && i < NELEM(facts); i++) {
		s = fact_text(l->st, facts[i].asked);
		ok = s.n == 0 || fact_set_text(l->st, facts[i].fact, s, err);
		if (i == 0 && b.n > 0)
			ok = ok && fact_set_text(l->st, FACT_WEIGHT, buf_view(&b), err);
	}
	buf_free(&b);
	return ok;
}

/* Quote a name as the user must type it. */
static void
add_word(const struct sheet_names *names, uint32_t column, struct buf *b)
{
	struct str name = sheet_name(names, column);
	bool plain = name.n > 0, bad = memchr(name.s, '\'', name.n) != NULL ||
	    memchr(name.s, ',', name.n) != NULL;

	for (size_t i = 0; plain && i < name.n; i++)
		plain = is_word(name.s[i]) || is_one_of(name.s[i], "-.");
	if (bad)
		buf_printf(b, "%u", column + 1);
	else
		buf_printf(b, plain ? "%.*s" : "'%.*s'", (int)name.n, name.s);
}

/* Return the first column of that kind from a column on. Numbers that are names (ids, codes) are skipped. */
static uint32_t
first_likely(const struct load *l, enum sheet_kind kind, uint32_t from)
{
	while (from < l->sheet.names.n && ((l->likely.data[from] & SHEET_KIND_MASK) != kind ||
	    (kind == SHEET_NUMBER && (l->likely.data[from] & SHEET_NAMES) != 0)))
		from++;
	return from;
}

/* Suggest values for --path and --weight if no columns were chosen. */
static bool
put_hint(struct load *l, struct err *err)
{
	const struct sheet_names *names = &l->sheet.names;
	uint32_t path = first_likely(l, SHEET_TEXT, 0), next, weight = first_likely(l, SHEET_NUMBER, 0);
	struct buf options = BUF_INIT, b = BUF_INIT;
	bool ok;

	if (l->asked.nparts > 0)
		return true;
	path = path == names->n ? 0 : path;
	next = first_likely(l, SHEET_TEXT, path + 1);
	buf_str(&options, STR("--path "));
	add_word(names, path, &options);
	if (next < names->n) {
		buf_chr(&options, ',');
		add_word(names, next, &options);
	}
	if (weight < names->n && weight != path) {
		buf_str(&options, STR(" --weight "));
		add_word(names, weight, &options);
	}
	buf_printf(&b, "a table with %u columns: ", names->n);
	for (uint32_t i = 0; i < names->n && b.n < HINT_NAMES; i++) {
		buf_str(&b, i > 0 ? STR(", ") : STR(""));
		buf_str(&b, sheet_name(names, i));
	}
	buf_str(&b, b.n >= HINT_NAMES ? STR(", ...; choose some: ") : STR("; choose some: "));
	buf_str(&b, buf_view(&options));
	ok = options.bad || b.bad ? fail(err, E_SYSTEM, "out of memory (names of columns)") :
	    fact_set_text(l->st, FACT_PROFILE_OPTIONS, buf_view(&options), err) &&
	    fact_set_text(l->st, FACT_TRACE_HINT, buf_view(&b), err);
	buf_free(&options);
	buf_free(&b);
	return ok;
}

/* Weights whose values have several currencies. */
static uint64_t
currencies(const struct load *l)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < l->asked.nweights; i++)
		n += l->asked.weight[i].units;
	return n;
}

static bool
table_put_facts(struct load *l, struct err *err)
{
	struct buf reason = BUF_INIT, none = BUF_INIT;
	char sep[2] = { l->sheet.sep, '\0' };
	bool ok;
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = l->sheet.json ? STR("JSON lines") : STR("table") },
		{ FACT_CHARSET, .text = charset(l) },
		{ FACT_SEPARATOR, .text = l->sheet.json ? STR("") : l->sheet.sep == '\t' ? STR("tab") :
		    str_of(sep), .how = MAKE_ANY },
		{ FACT_HEADER, .text = l->sheet.json ? STR("") : l->header ? STR("yes") : STR("no"),
		    .how = MAKE_ANY }, { FACT_COLUMNS, l->sheet.names.n }, { FACT_RECORDS, l->sheet.records },
		{ FACT_PREAMBLE, l->preamble, MAKE_ANY }, { FACT_LOSS_UNCLOSED_QUOTE, l->unclosed, MAKE_ANY },
		{ FACT_LOSS_BAD_JSON, l->bad, MAKE_ANY }, { FACT_LOSS_SHORT_RECORDS, l->shorter, MAKE_ANY },
		{ FACT_LOSS_LONG_RECORDS, l->longer, MAKE_ANY },
		{ FACT_LOSS_COLUMNS, l->sheet.names.lost, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = damage(l, &reason), .how = MAKE_ANY },
		{ FACT_TRACE_UNWEIGHED, .text = unweighed(l, &none), .how = MAKE_ANY },
		{ FACT_REPAIR_STRAY_QUOTE, l->stray, MAKE_ANY }, { FACT_REPAIR_NUL, l->nuls, MAKE_ANY },
		{ FACT_REPAIR_NO_WEIGHT, l->no_weight, MAKE_ANY },
		{ FACT_REPAIR_TOO_LARGE, l->too_large, MAKE_ANY },
		{ FACT_REPAIR_UNTIMED, l->no_time, MAKE_ANY }, { FACT_REPAIR_DECIMALS, l->rounded, MAKE_ANY },
		{ FACT_REPAIR_CURRENCIES, currencies(l), MAKE_ANY },
		{ FACT_TRACE_SHEET_SEP, (unsigned char)(l->sheet.json ? '\0' : l->sheet.sep) },
		{ FACT_TRACE_SHEET_LATIN, l->sheet.latin }, { FACT_TRACE_SHEET_FIRST, l->sheet.first },
		{ FACT_TRACE_SHEET_LINE, l->sheet.line },
		{ FACT_SHAPES, SHAPE_ROWS | SHAPE_TABLE | (l->asked.nparts > 0 ? SHAPE_SAMPLES : 0) },
	};

	ok = make_facts(l->st, facts, NELEM(facts), err) && put_asked(l, err) && put_hint(l, err);
	buf_free(&reason);
	buf_free(&none);
	return ok;
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool
table_sniff(const uint8_t *head, size_t n)
{
	/*
	 * Content never identifies a table: load_open decides by the file name, or the user with an option.
	 */
	(void)head;
	(void)n;
	return false;
}

static void
table_free(struct load *l)
{
	sheet_names_free(&l->sheet.names);
	SCRATCH_FREE(&l->vote, &l->likely, &l->places, &l->block, &l->line);
	buf_free(&l->odd);
}

static bool
table_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct sheet sheet = { .data = (const char *)m->data, .end = (const char *)m->data + m->size };
	struct load l = { .st = st, .work = w, .sheet = sheet };
	bool ok, others;

	if (!table_is_text(&l))
		return fail(err, E_UNREADABLE, "not a table: binary data");
	load_look(&l);
	asked_form(&l.asked, st);
	ok = table_read_all(&l, &others, err);
	/* All bytes were examined, so the encoding is certain. */
	if (ok && others) {
		sheet.latin = l.sheet.latin;
		sheet.nuls = l.sheet.nuls;
		table_free(&l);
		l = (struct load){ .st = st, .work = w, .sheet = sheet };
		asked_form(&l.asked, st);
		ok = table_read_all(&l, &others, err) &&
		    (!others || fail(err, E_SYSTEM, "file changed while reading; run icecore again"));
	}
	ok = ok && (l.asked.nparts == 0 || load_paths(&l, err)) && table_put_facts(&l, err) &&
	    make_whole(st, l.sheet.records, err) && table_put_columns(&l, err);
	table_free(&l);
	return ok;
}

const struct loader load_table = {
	"table", "table: CSV, TSV, JSON lines; with --path, columns become weighted paths",
	SHAPE_SAMPLES | SHAPE_ROWS | SHAPE_TABLE, table_sniff, table_load
};

/* ---- reading it again ------------------------------------------------------------------- */

bool
sheet_open(struct sheet *s, const struct store *st, struct err *err)
{
	const struct map *m = store_source(st);
	const struct column *name = store_column(st, COL_TABLE_NAME),
	    *text = store_column(st, COL_TABLE_TEXT);
	uint32_t column;

	*s = (struct sheet){ .data = (const char *)m->data, .end = (const char *)m->data + m->size,
		.sep = (char)fact_value(st, FACT_TRACE_SHEET_SEP),
		    .latin = fact_value(st, FACT_TRACE_SHEET_LATIN) != 0,
		.nuls = fact_value(st, FACT_REPAIR_NUL) > 0,
		.first = fact_value(st, FACT_TRACE_SHEET_FIRST),
		    .line = fact_value(st, FACT_TRACE_SHEET_LINE),
		.records = fact_value(st, FACT_RECORDS) };
	s->json = s->sep == '\0';
	if (name == NULL || text == NULL || s->first > m->size || name->rows > SHEET_COLUMNS)
		return fail(err, E_SYSTEM, "the index does not match the table");
	for (uint64_t i = 0; i < name->rows; i++)
		if (!sheet_add_name(&s->names, column_text(text, column_get(name, i)), true, &column, err)) {
			sheet_close(s);
			return false;
		}
	return true;
}

void
sheet_close(struct sheet *s)
{
	sheet_names_free(&s->names);
}
