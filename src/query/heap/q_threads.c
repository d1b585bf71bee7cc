/*
 * q_threads: the threads of a heap dump, their stacks and what is held there.
 */
#include "config.h"

#include "heap.h"

/* ---- threads --------------------------------------------------------------------- */

enum jthread_col { JTHREAD_ID, JTHREAD_SERIAL, JTHREAD_NAME, JTHREAD_FRAMES, JTHREAD_LOCALS,
	JTHREAD_RETAINED, JTHREAD_CLASS, JTHREAD_ADDR, JTHREAD_STATE, JTHREAD_DAEMON,
	JTHREAD_TOP, JTHREAD_AT, JTHREAD_COLS };

static const struct coldef jthread_cols[JTHREAD_COLS] = {
	[JTHREAD_ID] = { "id", CELL_ID, "its Thread object; empty: not in the dump", false },
	[JTHREAD_SERIAL] = { "serial", CELL_ID, "its number in the file", false },
	[JTHREAD_NAME] = { "name", CELL_TEXT, "its name", false },
	[JTHREAD_FRAMES] = { "frames", CELL_COUNT, "calls on its stack", false },
	[JTHREAD_LOCALS] = { "locals", CELL_COUNT, "objects held by its stack", false },
	[JTHREAD_RETAINED] = { "retained", CELL_BYTES, "what would be freed with it", false },
	[JTHREAD_CLASS] = { "class", CELL_TEXT, "class of the Thread object", false },
	[JTHREAD_ADDR] = { "addr", CELL_ADDR, "address of the Thread object", true },
	[JTHREAD_STATE] = { "state", CELL_TEXT, "new, runnable, blocked, waiting, timed waiting or terminated, where the object tells", true },
	[JTHREAD_DAEMON] = { "daemon", CELL_BOOL, "it does not keep the VM running, where the object tells", true },
	[JTHREAD_TOP] = { "top", CELL_TEXT, "the innermost call", true },
	[JTHREAD_AT] = { "at", CELL_TEXT, "the innermost call of a class that is not of the platform", true }
};

struct jthreads {
	struct rows		 rows;
	struct heap_view	 view;
	const struct column	*object, *serial, *frame, *frames, *frame_class;
	struct scratch		 locals;	/* u32 of each thread */
	uint64_t		 n;
	bool			 known;
};

static bool
count_locals(struct jthreads *s)
{
	const struct store *st = s->view.heap.st;
	const struct column *kind = store_column(st, COL_ROOT_KIND);
	const struct column *thread = store_column(st, COL_ROOT_THREAD);
	uint64_t row, at, n = s->object == NULL ? 0 : s->object->rows;

	if (!scratch_array(&s->locals, n + 1, sizeof(uint32_t), &s->rows.err))
		return false;
	for (row = 0; kind != NULL && row < kind->rows; row++) {
		at = column_get(thread, row);
		if (at > 0 && at <= n && root_is_local(column_get(kind, row)))
			SCRATCH(s->locals, uint32_t)[at - 1]++;
	}
	s->n = n;
	return true;
}

static uint64_t
jthreads_reach(struct rows *r, uint64_t n)
{
	struct jthreads *s = (struct jthreads *)r;

	if (n > 0 && !s->known) {
		s->known = true;
		if (s->view.heap.st != NULL)
			count_locals(s);
	}
	return s->n;
}

/* Newer JDKs keep it in an object of its own. */
static bool
thread_field(const struct heap *h, uint32_t object, struct str name, struct heap_slot *slot)
{
	if (object == 0)
		return false;
	if (heap_field(h, object, name, 0, slot))
		return slot->type != 0;
	return heap_field(h, object, STR("holder"), 0, slot) && slot->object != 0 &&
	    heap_field(h, slot->object, name, 0, slot) && slot->type != 0;
}

/* The bits are those of JVM TI; java.lang.Thread.getState reads them so. */
static void
state_cell(const struct heap *h, uint32_t object, struct cell *c)
{
	static const struct {
		uint32_t	 bit;
		const char	*name;
	} states[] = {
		{ 0x4, "runnable" }, { 0x400, "blocked" }, { 0x10, "waiting" },
		{ 0x20, "timed waiting" }, { 0x2, "terminated" }, { 0x1, "runnable" }
	};
	struct heap_slot slot;
	size_t i = 0;

	c->type = CELL_NONE;
	if (!thread_field(h, object, STR("threadStatus"), &slot) || slot.type != HEAP_INT)
		return;
	while (i < NELEM(states) && (slot.bits & states[i].bit) == 0)
		i++;
	c->type = CELL_TEXT;
	c->text = str_of(i < NELEM(states) ? states[i].name : "new");
}

static void
daemon_cell(const struct heap *h, uint32_t object, struct cell *c)
{
	struct heap_slot slot;

	c->type = CELL_NONE;
	if (!thread_field(h, object, STR("daemon"), &slot) || slot.type != HEAP_BOOLEAN)
		return;
	c->type = CELL_BOOL;
	c->u = slot.bits != 0;
}

/* Row of frame.*, from 1; 0: there is no such call. */
static uint32_t
own_frame(struct jthreads *s, uint64_t thread)
{
	uint64_t i, first = column_get(s->frame, thread), n = column_get(s->frames, thread);
	uint32_t class;

	for (i = first; i < first + n && i <= s->frame_class->rows; i++) {
		class = (uint32_t)column_get(s->frame_class, i - 1);
		if (class != 0 && !heap_is_platform(&s->view.heap, class, PLATFORM_RUNS))
			return (uint32_t)i;
	}
	return 0;
}

static void
jthreads_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct jthreads *s = (struct jthreads *)r;
	uint32_t object = (uint32_t)column_get(s->object, row);

	c->type = r->cols[col].type;
	switch ((enum jthread_col)col) {
	case JTHREAD_ID:
		cell_number(c, CELL_ID, object);
		break;
	case JTHREAD_SERIAL:
		c->u = column_get(s->serial, row);
		break;
	case JTHREAD_NAME:
		cell_thread(r, &s->view, (uint32_t)row + 1, c);
		break;
	case JTHREAD_FRAMES:
		c->u = column_get(s->frames, row);
		break;
	case JTHREAD_LOCALS:
		c->u = SCRATCH(s->locals, uint32_t)[row];
		break;
	case JTHREAD_RETAINED:
		object_cell(r, &s->view, object, OBJECT_RETAINED, c);
		break;
	case JTHREAD_CLASS:
		object_cell(r, &s->view, object, OBJECT_CLASS, c);
		break;
	case JTHREAD_ADDR:
		object_cell(r, &s->view, object, OBJECT_ADDR, c);
		break;
	case JTHREAD_STATE:
		state_cell(&s->view.heap, object, c);
		break;
	case JTHREAD_DAEMON:
		daemon_cell(&s->view.heap, object, c);
		break;
	case JTHREAD_TOP:
		cell_frame(r, &s->view, column_get(s->frames, row) == 0 ? 0 :
		    (uint32_t)column_get(s->frame, row), c);
		break;
	case JTHREAD_AT:
		cell_frame(r, &s->view, own_frame(s, row), c);
		break;
	case JTHREAD_COLS:
		break;
	}
}

static void
jthreads_close(struct rows *r)
{
	struct jthreads *s = (struct jthreads *)r;

	scratch_free(&s->locals);
	heap_view_close(&s->view);
}

static const struct rows_ops jthreads_ops = { .reach = jthreads_reach, .cell = jthreads_cell,
	.close = jthreads_close };

static bool
jthreads_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct jthreads *s;

	if (!stage_at_most(stage, 0, err))
		return false;
	s = rows_new(sizeof *s, &jthreads_ops, session, in, err);
	if (s == NULL)
		return false;
	s->locals = SCRATCH_INIT;
	s->rows.cols = jthread_cols;
	s->rows.ncols = JTHREAD_COLS;
	if (!heap_view_open(&s->view, session, err)) {
		rows_close(&s->rows);
		return false;
	}
	*out = &s->rows;
	if (s->view.heap.st == NULL)
		return true;
	s->object = store_column(s->view.heap.st, COL_JTHREAD_OBJECT);
	s->serial = store_column(s->view.heap.st, COL_JTHREAD_SERIAL);
	s->frame = store_column(s->view.heap.st, COL_JTHREAD_FRAME);
	s->frames = store_column(s->view.heap.st, COL_JTHREAD_FRAMES);
	s->frame_class = store_column(s->view.heap.st, COL_FRAME_CLASS);
	return true;
}

static const enum col needs[] = { COL_OBJECT_OFFSET, COL_FRAME_METHOD, COL_EACH_PARENT,
	COL_NONE };

const struct command source_heap_threads = {
	.word = "threads",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.what = "the threads of the dump, with what each retains",
	.example = "threads | sort -retained",
	.needs = needs,
	.cols = jthread_cols,
	.ncols = JTHREAD_COLS,
	.names = { "name" },
	.lists_threads = true,
	.open = jthreads_open
};

/* ---- frames ---------------------------------------------------------------------- */

enum frame_col { FRAME_THREAD, FRAME_DEPTH, FRAME_METHOD, FRAME_CLASS, FRAME_FILE, FRAME_LINE,
	FRAME_SIGNATURE, FRAME_THREAD_ID, FRAME_COLS };

static const struct coldef frame_cols[FRAME_COLS] = {
	[FRAME_THREAD] = { "thread", CELL_TEXT, "name of the thread", false },
	[FRAME_DEPTH] = { "depth", CELL_COUNT, "calls inside it, 0 for the innermost", false },
	[FRAME_METHOD] = { "method", CELL_TEXT, "name of the method", false },
	[FRAME_CLASS] = { "class", CELL_TEXT, "its class", false },
	[FRAME_FILE] = { "file", CELL_TEXT, "source file", false },
	[FRAME_LINE] = { "line", CELL_INT, "line in the source file, where it is known", false },
	[FRAME_SIGNATURE] = { "signature", CELL_TEXT, "types of arguments and result", true },
	[FRAME_THREAD_ID] = { "thread_id", CELL_ID, "the Thread object", true }
};

struct frames {
	struct rows		 rows;
	struct heap_view	 view;
	const struct column	*thread, *method, *class, *file, *line, *signature, *first, *object;
	struct jthread_set	 threads;
	struct scratch		 list;		/* u32: the frame of each row */
	uint64_t		 n;
	bool			 known;
};

static void
list_frames(struct frames *s)
{
	uint64_t i, n = s->thread == NULL ? 0 : s->thread->rows, thread;
	const struct jthread_set *set = &s->threads;

	for (i = 0; i < n; i++) {
		if (i % 4096 == 0 && !rows_tick(&s->rows, i))
			return;
		thread = column_get(s->thread, i);
		if (thread == 0 || thread > set->n || (set->has != NULL && !set->has[thread]))
			continue;
		if (!scratch_array(&s->list, s->n + 1, sizeof(uint32_t), &s->rows.err))
			return;
		SCRATCH(s->list, uint32_t)[s->n++] = (uint32_t)i + 1;
	}
}

static uint64_t
frames_reach(struct rows *r, uint64_t n)
{
	struct frames *s = (struct frames *)r;

	if (n > 0 && !s->known) {
		s->known = true;
		list_frames(s);
	}
	return s->n;
}

static void
frames_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct frames *s = (struct frames *)r;
	uint64_t i = SCRATCH(s->list, uint32_t)[row] - 1ull;
	uint32_t thread = (uint32_t)column_get(s->thread, i);

	c->type = r->cols[col].type;
	switch ((enum frame_col)col) {
	case FRAME_THREAD:
		cell_thread(r, &s->view, thread, c);
		break;
	case FRAME_DEPTH:
		c->u = i + 1 - column_get(s->first, thread - 1ull);
		break;
	case FRAME_METHOD:
		c->text = store_text(s->view.heap.st, column_get(s->method, i));
		break;
	case FRAME_CLASS:
		cell_class(r, &s->view, (uint32_t)column_get(s->class, i), c);
		break;
	case FRAME_FILE:
		c->text = store_text(s->view.heap.st, column_get(s->file, i));
		break;
	case FRAME_LINE:
		c->i = (int64_t)column_get(s->line, i);
		if (c->i <= 0)
			c->type = CELL_NONE;
		break;
	case FRAME_SIGNATURE:
		c->text = store_text(s->view.heap.st, column_get(s->signature, i));
		break;
	case FRAME_THREAD_ID:
		cell_number(c, CELL_ID, column_get(s->object, thread - 1ull));
		break;
	case FRAME_COLS:
		break;
	}
}

static void
frames_close(struct rows *r)
{
	struct frames *s = (struct frames *)r;

	jthreads_free(&s->threads);
	scratch_free(&s->list);
	heap_view_close(&s->view);
}

static const struct rows_ops frames_ops = { .reach = frames_reach, .cell = frames_cell,
	.close = frames_close };

static void
find_columns(struct frames *s, const struct store *st)
{
	s->thread = store_column(st, COL_FRAME_THREAD);
	s->method = store_column(st, COL_FRAME_METHOD);
	s->class = store_column(st, COL_FRAME_CLASS);
	s->file = store_column(st, COL_FRAME_FILE);
	s->line = store_column(st, COL_FRAME_LINE);
	s->signature = store_column(st, COL_FRAME_SIGNATURE);
	s->first = store_column(st, COL_JTHREAD_FRAME);
	s->object = store_column(st, COL_JTHREAD_OBJECT);
}

static bool
frames_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct frames *s = rows_new(sizeof *s, &frames_ops, session, in, err);

	if (s == NULL)
		return false;
	s->list = SCRATCH_INIT;
	s->rows.cols = frame_cols;
	s->rows.ncols = FRAME_COLS;
	if (!heap_view_open(&s->view, session, err) ||
	    !jthreads_of_stage(&s->threads, &s->view.heap, stage, err)) {
		rows_close(&s->rows);
		return false;
	}
	if (s->view.heap.st != NULL)
		find_columns(s, s->view.heap.st);
	*out = &s->rows;
	return true;
}

static const enum col frame_needs[] = { COL_OBJECT_OFFSET, COL_FRAME_METHOD, COL_NONE };

const struct command source_frames = {
	.word = "frames",
	.kind = COMMAND_SOURCE,
	.shapes = SHAPE_GRAPH,
	.args = ARGS({ &arg_thread, ARG_OPTIONAL | ARG_MANY }),
	.what = "the stacks of the threads, innermost calls first",
	.example = "frames main",
	.needs = frame_needs,
	.cols = frame_cols,
	.ncols = FRAME_COLS,
	.open = frames_open
};
