/*
 * q_findings: what should not be alive, and what eats the heap.
 */
#include "config.h"

#include <string.h>

#include "leaktrace.h"

struct finding_list {
	struct rows		 rows;
	struct heap_view	 view;
	struct blame		 blame;
	struct findings		 findings;
	bool			 wanted[FINDINGS];
	struct scratch		 list;		/* u32: which of all each row is */
	uint64_t		 n, next;	/* rows known, next one of all to look at */
	struct buf		 text;
};

/* ---- rows ------------------------------------------------------------------------ */

static bool
list_step(struct finding_list *s)
{
	struct finding f;

	finding_get(&s->findings, s->next, &f);
	if (s->wanted[f.kind]) {
		if (!scratch_array(&s->list, s->n + 1, sizeof(uint32_t), &s->rows.err))
			return false;
		SCRATCH(s->list, uint32_t)[s->n++] = (uint32_t)s->next;
	}
	s->next++;
	return true;
}

static uint64_t
findings_reach(struct rows *r, uint64_t n)
{
	struct finding_list *s = (struct finding_list *)r;

	while (s->n < n && s->next < s->findings.n && r->err.kind == E_NONE)
		if (!rows_tick(r, s->next) || !list_step(s))
			break;
	return s->n;
}

enum finding_col {
	FINDING_COL_NUMBER, FINDING_COL_SEVERITY, FINDING_COL_KIND, FINDING_COL_RETAINED,
	FINDING_COL_PERCENT, FINDING_COL_COUNT, FINDING_COL_OBJECT, FINDING_COL_CLASS,
	FINDING_COL_WHY, FINDING_COL_SIGNATURE, FINDING_COL_OTHER, FINDING_COL_ADDR,
	FINDING_COL_PATH, FINDING_COLS
};

static const struct coldef finding_cols[FINDING_COLS] = {
	[FINDING_COL_NUMBER] = { "finding", CELL_ID, "its number, the worst is 1", true },
	[FINDING_COL_SEVERITY] = { "severity", CELL_TEXT, "leak, warning or note", false },
	[FINDING_COL_KIND] = { "kind", CELL_TEXT, "what it is one of; 'help findings' tells more", false },
	[FINDING_COL_RETAINED] = { "retained", CELL_BYTES, "what would be freed with it, or is wasted", false },
	[FINDING_COL_PERCENT] = { "percent", CELL_PERCENT, "share of what is live", true },
	[FINDING_COL_COUNT] = { "count", CELL_COUNT, "objects that it stands for", true },
	[FINDING_COL_OBJECT] = { "object", CELL_ID, "what it is about, or one of them; empty: no single object", false },
	[FINDING_COL_CLASS] = { "class", CELL_TEXT, "its class, or of a class its own name", false },
	[FINDING_COL_WHY] = { "why", CELL_TEXT, "why it is one", false },
	[FINDING_COL_SIGNATURE] = { "signature", CELL_TEXT, "what leads to it from the root, without numbers: the same leak has the same in another dump", true },
	[FINDING_COL_OTHER] = { "other", CELL_ID, "what belongs to it: the object where most gathers, the thread, the loader, or the key", true },
	[FINDING_COL_ADDR] = { "addr", CELL_ADDR, "address of the object", true },
	[FINDING_COL_PATH] = { "path", CELL_TEXT, "the references to blame, from the last that is meant to be alive to the leaking one", true }
};

static void
percent_cell(const struct finding_list *s, uint64_t retained, struct cell *c)
{
	c->type = CELL_PERCENT;
	c->f = s->view.live == 0 ? 0 : 100.0 * (double)retained / (double)s->view.live;
}

static void
finding_text_cell(struct finding_list *s, const struct finding *f, enum finding_col col,
    struct cell *c)
{
	buf_clear(&s->text);
	if (col == FINDING_COL_WHY)
		finding_why(&s->findings, s->blame.inspector, f, &s->text);
	else if (col == FINDING_COL_SIGNATURE)
		finding_signature(&s->findings, f, &s->text);
	else if (!blame_text(&s->blame, f->hop, f->hops, &s->text, &s->rows.err))
		return;
	if (s->text.n > 0)
		cell_text(&s->rows, c, &s->text);
}

static void
findings_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct finding_list *s = (struct finding_list *)r;
	uint32_t number = SCRATCH(s->list, uint32_t)[row];
	struct finding f;

	finding_get(&s->findings, number, &f);
	c->type = CELL_NONE;
	switch ((enum finding_col)col) {
	case FINDING_COL_NUMBER:
		cell_number(c, CELL_ID, number + 1ull);
		break;
	case FINDING_COL_SEVERITY:
		c->type = CELL_TEXT;
		c->text = str_of(severity_names[finding_rows[f.kind].severity]);
		break;
	case FINDING_COL_KIND:
		c->type = CELL_TEXT;
		c->text = str_of(finding_rows[f.kind].name);
		break;
	case FINDING_COL_RETAINED:
		c->type = CELL_BYTES;
		c->u = f.retained;
		break;
	case FINDING_COL_PERCENT:
		percent_cell(s, f.retained, c);
		break;
	case FINDING_COL_COUNT:
		c->type = CELL_COUNT;
		c->u = f.count;
		break;
	case FINDING_COL_OBJECT:
	case FINDING_COL_ADDR:
		object_cell(r, &s->view, f.object, col == FINDING_COL_ADDR ? OBJECT_ADDR :
		    OBJECT_ID, c);
		break;
	case FINDING_COL_CLASS:
		if (f.object != 0)
			cell_label(r, &s->view, f.object, c);
		else
			cell_class(r, &s->view, f.class, c);
		break;
	case FINDING_COL_OTHER:
		cell_number(c, CELL_ID, f.other);
		break;
	case FINDING_COL_WHY:
	case FINDING_COL_SIGNATURE:
	case FINDING_COL_PATH:
		finding_text_cell(s, &f, (enum finding_col)col, c);
		break;
	case FINDING_COLS:
		break;
	}
}

static void
findings_close(struct rows *r)
{
	struct finding_list *s = (struct finding_list *)r;

	blame_close(&s->blame);
	scratch_free(&s->list);
	buf_free(&s->text);
	heap_view_close(&s->view);
}

static const struct rows_ops findings_ops = { .reach = findings_reach,
	.cell = findings_cell, .close = findings_close };

/* ---- arguments ------------------------------------------------------------------- */

static bool
want_kind(struct finding_list *s, const struct token *t, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];
	bool found = false;
	size_t i;

	if (t->kind != TOKEN_WORD && t->kind != TOKEN_TEXT)
		return fail_at(err, E_USAGE, t->at, "expected a kind of findings here; "
		    "'help findings' lists them");
	for (i = 0; i < FINDINGS; i++) {
		struct str name = str_of(finding_rows[i].name);
		bool hit = token_is_glob(t) ? str_glob(t->text, name) : str_eq(t->text, name);

		s->wanted[i] |= hit;
		found |= hit;
		guess_try(&guess, finding_rows[i].name);
	}
	if (found)
		return true;
	guess_text(&guess, text, sizeof text);
	return fail_at(err, E_USAGE, t->at, "there is no kind of findings '%.*s'%s",
	    (int)t->text.n, t->text.s, text[0] != '\0' ? text : "; 'help findings' lists them");
}

static bool
want_kinds(struct finding_list *s, const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0;

	if (stage->n == 0)
		memset(s->wanted, true, sizeof s->wanted);
	while ((t = stage_next(stage, &i)) != NULL)
		if (!want_kind(s, t, err))
			return false;
	return true;
}

static bool
list_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct finding_list *s;

	(void)in;
	s = rows_new(sizeof *s, &findings_ops, session, NULL, err);
	if (s == NULL)
		return false;
	s->list = SCRATCH_INIT;
	s->text = BUF_INIT;
	s->rows.cols = finding_cols;
	s->rows.ncols = FINDING_COLS;
	if (!want_kinds(s, stage, err) || !heap_view_open(&s->view, session, err) ||
	    !blame_open(&s->blame, session, err)) {
		rows_close(&s->rows);
		return false;
	}
	if (s->view.heap.st != NULL)
		findings_open(&s->findings, &s->view.heap);
	*out = &s->rows;
	return true;
}

/* ---- help ------------------------------------------------------------------------ */

/* Line i of the explanations: of each kind what it is, then its rule line by line. */
static bool
finding_topic(uint64_t i, struct topic *topic)
{
	struct str rest, line;
	size_t kind;

	for (kind = 0; kind < FINDINGS; kind++) {
		*topic = (struct topic){ str_of(finding_rows[kind].name), STR("finding"),
		    str_of(severity_names[finding_rows[kind].severity]),
		    str_of(finding_rows[kind].what) };
		if (i-- == 0)
			return true;
		topic->kind = STR("rule");
		topic->type = STR("");
		rest = str_of(finding_rows[kind].rule);
		while (str_split(&rest, '\n', &line)) {
			topic->meaning = line;
			if (i-- == 0)
				return true;
		}
	}
	return false;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_EACH_PARENT,
	COL_EACH_FINDING_KIND, COL_NONE };

static bool
finding_word(size_t i, const char **word, const char **what)
{
	if (i >= FINDINGS)
		return false;
	*word = finding_rows[i].name;
	*what = finding_rows[i].what;
	return true;
}

static const struct arg_type arg_finding = { .name = "KIND", .hint = "a kind of findings", .look = LOOK_WORDS, .word = finding_word };

const struct command source_findings = {
	.word = "findings",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_finding, ARG_OPTIONAL | ARG_MANY }),
	.what = "leaks, and what eats the heap, the worst first",
	.example = "findings | where severity != note",
	.needs = needs,
	.cols = finding_cols,
	.ncols = FINDING_COLS,
	.topic = finding_topic,
	.names = { "kind", "class", "signature" },
	.open = list_open
};
