/*
 * q_paths: why objects are alive: the ways from the roots to them.
 */
#include "config.h"

#include "slots.h"

#define STEPS 65536u		/* references looked at between two ticks */
#define PATHS 10u		/* that are shown when nothing is said */

/* An object on a path; holder: the one before it, 0 at the root. */
struct step {
	uint32_t	object, holder, path, depth, root, of;
};

struct path_rows {
	struct rows		 rows;
	struct heap_view	 view;
	struct heap		 graph;		/* with the references that count here */
	size_t			 col;		/* of in */
	uint64_t		 row;		/* of in, the next one */
	struct heap_paths	*paths;		/* of the object of the row before; NULL: no more */
	uint32_t		 of;		/* that one */
	uint32_t		 got;		/* paths of it */
	uint64_t		 most;		/* paths of each object that are asked for */
	struct scratch		 steps;
	uint64_t		 n;
	bool			 numbered;	/* "paths": the first column is the path */
	bool			 ended;
	struct buf		 text;
};

/* ---- finding them ---------------------------------------------------------------- */

static bool
add_path(struct path_rows *s, const struct heap_path *p)
{
	struct step *step;
	size_t i;

	if (!scratch_array(&s->steps, s->n + p->n, sizeof *step, &s->rows.err))
		return false;
	s->got++;
	for (i = 0; i < p->n; i++) {
		step = &SCRATCH(s->steps, struct step)[s->n++];
		*step = (struct step){ .object = p->object[p->n - 1 - i], .path = s->got,
		    .holder = i == 0 ? 0 : step[-1].object, .depth = (uint32_t)i,
		    .root = p->root, .of = s->of };
	}
	return true;
}

static bool
next_object(struct path_rows *s)
{
	if (!object_next(s->rows.in, &s->row, s->col, &s->graph, &s->of))
		return false;
	s->got = 0;
	return s->of == 0 ||
	    heap_paths_open(&s->paths, &s->graph, s->of, &s->rows.err);
}

/* Some way on; false when there are no more, or on failure. */
static bool
path_step(struct path_rows *s)
{
	struct heap_path path;
	bool more;

	if (s->paths == NULL)
		return next_object(s);
	if (heap_paths_next(s->paths, &path, STEPS, &more, s->rows.work, &s->rows.err)) {
		if (!add_path(s, &path))
			return false;
		more = s->got < s->most;
	}
	if (s->rows.err.kind != E_NONE)
		return false;
	if (!more) {
		heap_paths_close(s->paths);
		s->paths = NULL;
	}
	return true;
}

static uint64_t
paths_reach(struct rows *r, uint64_t n)
{
	struct path_rows *s = (struct path_rows *)r;

	while (s->n < n && !s->ended)
		if (!rows_tick(r, s->n) || !path_step(s))
			s->ended = true;
	return s->n;
}

/* ---- cells ----------------------------------------------------------------------- */

/* What leads to the object from the one before, or what kind of root it is. */
static void
field_cell(struct path_rows *s, const struct step *step, struct cell *c)
{
	const struct column *kind = store_column(s->graph.st, COL_ROOT_KIND);
	struct heap_slot slot;

	if (step->depth == 0) {
		buf_clear(&s->text);
		buf_printf(&s->text, "<%s>", heap_root_name(step->root == 0 ? ROOT_PSEUDO :
		    (unsigned)column_get(kind, step->root - 1ull)));
		cell_text(&s->rows, c, &s->text);
		return;
	}
	c->type = CELL_NONE;
	if (heap_link(&s->graph, step->holder, step->object, &slot))
		slot_name_cell(&s->rows, &s->graph, &slot, &s->text, c);
}

enum path_col {
	PATH_NUMBER, PATH_DEPTH, PATH_FIELD, PATH_OBJECT, PATH_CLASS, PATH_RETAINED,
	PATH_SHALLOW, PATH_ADDR, PATH_OF, PATH_COLS
};

static const struct coldef path_cols[PATH_COLS] = {
	[PATH_NUMBER] = { "path", CELL_ID, "number of the path, the shortest is 1", false },
	[PATH_DEPTH] = { "depth", CELL_COUNT, "steps from the root", false },
	[PATH_FIELD] = { "field", CELL_TEXT, "by which the object above refers to it; of a root its kind", false },
	[PATH_OBJECT] = { "object", CELL_ID, "an object on the way; the last is the one asked for", false },
	[PATH_CLASS] = { "class", CELL_TEXT, "its class, or of a class its own name", false },
	[PATH_RETAINED] = { "retained", CELL_BYTES, "what would be freed with it", false },
	[PATH_SHALLOW] = { "shallow", CELL_BYTES, "its own size", true },
	[PATH_ADDR] = { "addr", CELL_ADDR, "its address", true },
	[PATH_OF] = { "of", CELL_ID, "the object that was asked for", true }
};

static void
paths_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	static const enum object_col field[PATH_COLS] = {
		[PATH_OBJECT] = OBJECT_ID, [PATH_CLASS] = OBJECT_LABEL,
		[PATH_RETAINED] = OBJECT_RETAINED, [PATH_SHALLOW] = OBJECT_SHALLOW,
		[PATH_ADDR] = OBJECT_ADDR
	};
	struct path_rows *s = (struct path_rows *)r;
	const struct step *step = &SCRATCH(s->steps, struct step)[row];
	size_t what = s->numbered ? col : col + 1;

	c->type = CELL_ID;
	switch ((enum path_col)what) {
	case PATH_NUMBER:
		c->u = step->path;
		break;
	case PATH_DEPTH:
		c->type = CELL_COUNT;
		c->u = step->depth;
		break;
	case PATH_FIELD:
		field_cell(s, step, c);
		break;
	case PATH_OF:
		c->u = step->of;
		break;
	case PATH_OBJECT:
	case PATH_CLASS:
	case PATH_RETAINED:
	case PATH_SHALLOW:
	case PATH_ADDR:
	case PATH_COLS:
		object_cell(r, &s->view, step->object, field[what], c);
		break;
	}
}

static void
paths_close(struct rows *r)
{
	struct path_rows *s = (struct path_rows *)r;

	heap_paths_close(s->paths);
	scratch_free(&s->steps);
	buf_free(&s->text);
	heap_view_close(&s->view);
}

static const struct rows_ops paths_ops = { paths_reach, paths_cell, paths_close };

/* ---- arguments ------------------------------------------------------------------- */

struct choice {
	enum heap_refs	refs;
	uint64_t	most;
};

/* "weak" and "all" are one: what lets weak references count lets all do. */
static bool
refs_of_word(const struct token *t, enum heap_refs *refs)
{
	int i;

	for (i = 0; i < HEAP_REFS; i++)
		if (token_is(t, heap_refs_names[i])) {
			*refs = (enum heap_refs)i;
			return true;
		}
	*refs = token_is(t, "weak") ? REFS_ALL : *refs;
	return token_is(t, "weak");
}

/* The arguments from i on. */
static bool
read_choice(const struct stage *stage, size_t i, bool numbered, struct choice *choice,
    struct err *err)
{
	const struct token *t;

	for (; i < stage->n; i++) {
		t = &stage->token[i];
		if (t->kind == TOKEN_WORD && refs_of_word(t, &choice->refs))
			continue;
		if (numbered && t->kind == TOKEN_WORD && num_u64(t->text, 10, &choice->most) &&
		    choice->most > 0)
			continue;
		return fail_at(err, E_USAGE, t->at, numbered ?
		    "expected how many paths, or strong, soft, weak or all" :
		    "expected strong, soft, weak or all");
	}
	return true;
}

/* The object is the first argument of a source; the other arguments are the same as those of the stage. */
static bool
take_objects(struct session *session, const struct stage *stage, struct rows **in,
    size_t *col, size_t *used, struct err *err)
{
	struct stage objects = *stage;

	*used = *in == NULL;
	objects.n = *used != 0 && stage->n > 0;
	return holders_open(session, &objects, in, col, err);
}

static bool
paths_open(struct session *session, const struct stage *stage, struct rows *in, bool numbered,
    struct rows **out, struct err *err)
{
	struct choice choice = { session->refs, numbered ? PATHS : 1 };
	struct path_rows *s;
	size_t col, used;

	if (!take_objects(session, stage, &in, &col, &used, err) ||
	    !read_choice(stage, used, numbered, &choice, err)) {
		rows_close(in);
		return false;
	}
	s = rows_new(sizeof *s, &paths_ops, session, in, err);
	if (s == NULL)
		return false;
	s->steps = SCRATCH_INIT;
	s->text = BUF_INIT;
	s->col = col;
	s->most = choice.most;
	s->numbered = numbered;
	s->rows.cols = stage->command->cols;
	s->rows.ncols = stage->command->ncols;
	s->ended = session_store(session) == NULL;
	if (!heap_view_open(&s->view, session, err) || (!s->ended && !heap_open(&s->graph,
	    session_store(session), choice.refs, session->sizes, err))) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	return true;
}

static bool
path_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return paths_open(session, stage, in, false, out, err);
}

static bool
all_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	return paths_open(session, stage, in, true, out, err);
}

/* ---- commands -------------------------------------------------------------------- */

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN,
	COL_EACH_PARENT, COL_NONE };

const struct command source_path = {
	.word = "path",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_object }, { NULL, ARG_OPTIONAL, "strong" }, { NULL, ARG_OR, "soft" },
	    { NULL, ARG_OR, "weak" }, { NULL, ARG_OR, "all" }),
	.what = "why an object is alive: the shortest way from a root to it",
	.example = "path @1",
	.needs = needs,
	.cols = path_cols + 1,
	.ncols = PATH_COLS - 1,
	.open = path_open
};

const struct command stage_path = {
	.word = "path",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ NULL, ARG_OPTIONAL, "strong" }, { NULL, ARG_OR, "soft" },
	    { NULL, ARG_OR, "weak" }, { NULL, ARG_OR, "all" }),
	.what = "the shortest way from a root to each object of the rows",
	.example = "threads | head 1 | path",
	.needs = needs,
	.cols = path_cols + 1,
	.ncols = PATH_COLS - 1,
	.open = path_open
};

const struct command source_paths = {
	.word = "paths",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_object }, { &arg_number, ARG_OPTIONAL }, { NULL, ARG_OPTIONAL, "strong" },
	    { NULL, ARG_OR, "soft" }, { NULL, ARG_OR, "weak" }, { NULL, ARG_OR, "all" }),
	.what = "the N (10) shortest ways from roots to an object, no part of one twice",
	.example = "paths @1 3",
	.needs = needs,
	.cols = path_cols,
	.ncols = PATH_COLS,
	.open = all_open
};

const struct command stage_paths = {
	.word = "paths",
	.kind = COMMAND_STAGE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_number, ARG_OPTIONAL }, { NULL, ARG_OPTIONAL, "strong" },
	    { NULL, ARG_OR, "soft" }, { NULL, ARG_OR, "weak" }, { NULL, ARG_OR, "all" }),
	.what = "the N (10) shortest ways from roots to each object of the rows",
	.example = "threads | head 1 | paths 3",
	.needs = needs,
	.cols = path_cols,
	.ncols = PATH_COLS,
	.open = all_open
};
