/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_paths: why objects are alive: the ways from the roots to them.
 */
#include "config.h"

#include "icecore/columns_dominators.h"
#include "icecore/columns_frames.h"
#include "icecore/columns_objects.h"
#include "hrows.h"

#define STEPS 65536u		/* references looked at between two ticks */
#define PATHS 10u		/* that are shown when nothing is said */

/*
 * An object on a path; holder: the one that refers to it, 0 at the root; links: references from the row
 * before, several inside a collection.
 */
struct step {
	uint32_t	object, holder, path, depth, root, of, links;
};

struct path_rows {
	struct item_rows	 rows;
	struct heap		 graph;		/* with the references that count here */
	struct heap_paths	*paths;		/* NULL: none were asked for yet */
	bool			 more;		/* there may be more paths of the current object */
	uint32_t		 of;		/* the current object */
	uint32_t		 got;		/* paths of that object */
	struct idmap		 asked;		/* objects to the rows, from 1, that begin their paths */
	enum heap_refs		 refs;
	uint64_t		 most;		/* paths of each object that are asked for */
	ARRAY(uint32_t)	way;			/* the last path, root first */
};

/* ---- finding them ---------------------------------------------------------------- */

static bool
q_paths_add_path(struct path_rows *s, const struct heap_path *p)
{
	struct step step = { .path = ++s->got, .root = p->root, .of = s->of };

	uint32_t *way;
	size_t inner;

	if (!array_grow(&s->way, p->n, &s->rows.rows.err))
		return false;
	way = s->way.at;
	for (size_t i = 0; i < p->n; i++)
		way[i] = p->object[p->n - 1 - i];
	for (size_t i = 0; i < p->n; i++, step.depth++) {
		inner = i == 0 ? 0 : heap_inside(&s->graph, way + i - 1, p->n - i + 1);
		i += inner;
		step.links = i == 0 ? 0 : (uint32_t)inner + 1;
		step.holder = i == 0 ? 0 : way[i - 1];
		step.object = way[i];
		if (!item_rows_add(&s->rows, &step))
			return false;
	}
	return true;
}

/* Many roots may have one object, and many objects refer to it: an object has the paths that it had before. */
static bool
add_asked(struct path_rows *s, uint64_t row)
{
	struct step step;

	for (uint64_t at = row, n = s->rows.n; at < n; at++) {
		step = SCRATCH(s->rows.list, struct step)[at];
		if (step.of != s->of || (at > row && step.path == 1 && step.depth == 0))
			break;
		if (!item_rows_add(&s->rows, &step))
			return false;
	}
	return true;
}

static bool
q_paths_next_object(struct path_rows *s)
{
	uint32_t row;

	if (!heap_rows_next(&s->rows, &s->of))
		return false;
	s->got = 0;
	row = idmap_get(&s->asked, s->of);
	s->more = s->of != 0 && row == 0;
	if (!s->more)
		return row == 0 || add_asked(s, row - 1ull);
	if (s->rows.n < UINT32_MAX && !idmap_put(&s->asked, s->of, (uint32_t)s->rows.n + 1, &s->rows.rows.err))
		return false;
	if (s->paths == NULL)
		return heap_paths_open(&s->paths, &s->graph, s->of, false, &s->rows.rows.err);
	return s->most > 1 ? heap_paths_again(s->paths, s->of, &s->rows.rows.err) :
	    heap_paths_first(s->paths, s->of, s->rows.rows.work, &s->rows.rows.err);
}

/* Some way on. */
static bool
path_step(struct item_rows *r)
{
	struct path_rows *s = (struct path_rows *)r;
	struct heap_path path;
	bool more;

	if (!s->more)
		return q_paths_next_object(s);
	if (heap_paths_next(s->paths, &path, STEPS, &more, r->rows.work, &r->rows.err)) {
		if (!q_paths_add_path(s, &path))
			return false;
		more = s->got < s->most;
	}
	if (r->rows.err.kind != E_NONE)
		return false;
	s->more = more;
	return true;
}

/* ---- cells ----------------------------------------------------------------------- */

static void
q_paths_field_cell(struct item_rows *s, uint64_t holder, struct cell *c)
{
	const struct step *step = s->item;

	hop_name_cell(s, &((const struct path_rows *)s)->graph, (uint32_t)holder, step->object, step->root,
	    step->links > 1, c);
}

#define OBJECT ITEM(struct step, object)

/* The target is shown where there can be several. */
#define PATH_COLS(one) \
	{ "path", CELL_ID, "path number; 1 is the shortest", NUMBER_OF(ITEM(struct step, path)) }, \
	{ "depth", CELL_COUNT, "steps from the root", NUMBER_OF(ITEM(struct step, depth)) }, \
	{ "field", CELL_TEXT, "reference to this object; for a root, its type", \
	    COMPUTED(q_paths_field_cell, ITEM(struct step, holder)) }, \
	{ "object", CELL_ID, "object on the path; the last is the target", \
	    SOME_OF(OBJECT), OBJECT_ID }, \
	{ "class", CELL_TEXT, "class (of a Class object: its name)", FROM(OBJECT_LABEL, OBJECT) }, \
	{ "retained", CELL_BYTES, "retained size", FROM(OBJECT_RETAINED, OBJECT) }, \
	{ "shallow", CELL_BYTES, "shallow size", MORE, FROM(OBJECT_SHALLOW, OBJECT) }, \
	{ "addr", CELL_ADDR, "address", MORE, FROM(OBJECT_ADDR, OBJECT) }, \
	{ "links", CELL_COUNT, "references from the row before; several inside a collection", MORE, \
	    NUMBER_OF(ITEM(struct step, links)) }, \
	{ "target", CELL_ID, "target object", .more = (one), NUMBER_OF(ITEM(struct step, of)), OBJECT_ID, .was = "of" }

static const struct coldef path_cols[] = { PATH_COLS(true) };
static const struct coldef path_stage_cols[] = { PATH_COLS(false) };

/* ---- arguments ------------------------------------------------------------------- */

/* "weak" is the same as "all": if weak references count, all references do. */
static bool
refs_of_word(const struct token *t, enum heap_refs *refs)
{
	for (int i = 0; i < HEAP_REFS; i++)
		if (token_is(t, heap_refs_names[i])) {
			*refs = (enum heap_refs)i;
			return true;
		}
	*refs = token_is(t, "weak") ? REFS_ALL : *refs;
	return token_is(t, "weak");
}

/* The object is the first argument of a source; the others are those of the stage. */
static size_t
path_objects(const struct stage *stage)
{
	return stage->command->kind == COMMAND_SOURCE && stage->n > 0;
}

static bool
read_choice(struct path_rows *s, const struct stage *stage, bool numbered, struct err *err)
{
	const struct token *t;

	for (size_t i = path_objects(stage); i < stage->n; i++) {
		t = &stage->token[i];
		if (t->kind == TOKEN_WORD && refs_of_word(t, &s->refs))
			continue;
		if (numbered && t->kind == TOKEN_WORD && num_u64(t->text, 10, &s->most) && s->most > 0)
			continue;
		return fail_at(err, E_USAGE, t->at, numbered ?
		    "expected a number of paths, or strong, soft, weak, all" :
		    "expected strong, soft, weak or all");
	}
	return true;
}

static bool
paths_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	const struct session *session = r->rows.session;
	bool numbered = stage->command->ncols == NELEM(path_cols);
	struct path_rows *s = (struct path_rows *)r;

	s->refs = session->refs;
	s->most = numbered ? PATHS : 1;
	return read_choice(s, stage, numbered, err) && heap_open(&s->graph, r->st, s->refs, session->sizes,
	    err);
}

static void
paths_end(struct item_rows *s)
{
	heap_paths_close(((struct path_rows *)s)->paths);
	idmap_free(&((struct path_rows *)s)->asked);
	array_free(&((struct path_rows *)s)->way);
}

/* ---- commands -------------------------------------------------------------------- */

static const struct source paths = {
	.domain = &heap_domain, .size = sizeof(struct path_rows), .item = sizeof(struct step),
	    OVER_OBJECTS, .leading = path_objects,
	.begin = paths_begin, .step = path_step, .end = paths_end
};

static const column_id needs[] = { COL_OBJECT_OFFSET, COL_ROOT_FRAME, COL_IN_LEN,
	COL_EACH_PARENT, COL_NONE };

/* With a single path, the column with the number of the path is omitted. */
#define ONE_PATH(table) .shapes = SHAPE_GRAPH, .source = &paths, .cols = (table) + 1, .ncols = NELEM(table) - 1
/* Which references count. */
#define REFS_COUNTED { NULL, ARG_OPTIONAL, "strong" }, { NULL, ARG_OR, "soft" }, { NULL, ARG_OR, "weak" }, \
	{ NULL, ARG_OR, "all" }

const struct command source_path = {
	SOURCE("path", "shortest path from a GC root to an object", "path @1", heap_rows_open),
	ONE_PATH(path_cols),
	.args = ARGS({ &arg_object }, REFS_COUNTED),
	.needs = needs,
	.draws = DRAWS_PATHS
};

const struct command stage_path = {
	STAGE("path", "shortest path from a GC root to each object", "threads | head 1 | path",
	    heap_rows_open),
	ONE_PATH(path_stage_cols),
	.args = ARGS(REFS_COUNTED),
	.needs = needs,
	.draws = DRAWS_PATHS
};

const struct command source_paths = {
	HEAP_SOURCE("paths", "N shortest GC-root paths of an object (default 10)", "paths @1 3",
	    path_cols, paths, needs),
	.args = ARGS({ &arg_object }, { &arg_number, ARG_OPTIONAL }, REFS_COUNTED),
	.draws = DRAWS_PATHS
};

const struct command stage_paths = {
	HEAP_STAGE("paths", "N shortest GC-root paths of each object (default 10)",
	    "threads | head 1 | paths 3", path_stage_cols, paths, needs),
	.args = ARGS({ &arg_number, ARG_OPTIONAL }, REFS_COUNTED),
	.draws = DRAWS_PATHS
};
