/*
 * heap: what the panes of heap dumps share: the heap as far as it is
 * prepared, and the ways from an object to what is told of it.
 */
#include "config.h"

#include <stdio.h>

#include "room.h"

enum { WAY_MAX = 1000, LIST_MIN = 30 };

bool
ui_heap(const struct ui *ui, struct heap *h)
{
	const struct session *s = ui->session;

	return (ui_shapes(ui) & SHAPE_GRAPH) != 0 &&
	    heap_open(h, ui_store(ui), s->refs, s->sizes, NULL);
}

bool
ui_heap_want(struct ui *ui, const char *column, struct work *work, struct err *err)
{
	const struct session *s = ui->session;
	char	name[HEAP_COLUMN];

	return pass_want(ui_store(ui), heap_column(name, column, s->refs, s->sizes), work, err);
}

bool
ui_heap_has(const struct ui *ui, const char *column)
{
	const struct session *s = ui->session;
	char	name[HEAP_COLUMN];

	return store_column(ui_store(ui), heap_column(name, column, s->refs, s->sizes)) != NULL;
}

/* ---- passes, one at a time ------------------------------------------------- */

static bool
prepare_run(struct task *task, struct work *work, struct err *err)
{
	return ui_heap_want(task->ui, ((struct preparer *)task)->column, work, err);
}

static void
prepare_done(struct task *task, bool ok, const struct err *err)
{
	if (ok)
		return;
	((struct preparer *)task)->stopped = true;
	if (err->kind == E_CANCEL)
		ui_say(task->ui, "stopped; C-l goes on");
	else
		ui_fail(task->ui, err);
}

/* In the order in which panes can show more. */
void
ui_heap_prepare(struct ui *ui)
{
	static const char *const columns[] = {
		"object.offset", "REFS.SIZES.parent", "REFS.SIZES.children", "in.len",
		"reach.object", "frame.method", "REFS.SIZES.dup.object", "REFS.SIZES.finding.kind"
	};
	struct preparer	*p = &ui->preparer;
	size_t		 i;

	if (ui->state != LOAD_DONE || p->stopped || !(ui_shapes(ui) & SHAPE_GRAPH))
		return;
	/* What needs no pass is asked before passes keep the worker busy. */
	if (!p->begun) {
		p->begun = true;
		pane_classes.reset(ui_find(ui, &pane_classes));
		return;
	}
	for (i = 0; i < NELEM(columns) && ui_heap_has(ui, columns[i]); i++)
		;
	if (i == NELEM(columns))
		return;
	p->column = columns[i];
	p->task.run = prepare_run;
	p->task.done = prepare_done;
	task_give(ui, &p->task);
}

/* ---- objects ----------------------------------------------------------------- */

void
object_name(const struct heap *h, uint32_t object, struct buf *b)
{
	heap_label(h, object, b);
	buf_printf(b, " @%u", object);
}

/* The first of a class on the way down along the largest. */
static uint32_t
first_of_class(const struct heap *h, uint32_t class)
{
	uint32_t	at = HEAP_ROOT;
	uint64_t	first;
	size_t		i;

	for (i = 0; i < WAY_MAX && heap_children(h, at, &first) > 0; i++) {
		at = heap_child(h, first);
		if (heap_class(h, at) == class)
			return at;
	}
	return 0;
}

uint32_t
ui_gathering(const struct heap *h, uint32_t *holder)
{
	uint32_t	at = HEAP_ROOT, head = 0, next;
	uint64_t	first, least = 0;
	size_t		i;

	*holder = 0;
	for (i = 0; i < WAY_MAX && heap_children(h, at, &first) > 0; i++) {
		next = heap_child(h, first);
		if (heap_retained(h, next) < least)
			break;
		if (i == 0)
			least = heap_retained(h, next) / 2;
		/* Of objects of one class below each other the uppermost is it. */
		if (i == 0 || heap_class(h, next) != heap_class(h, at))
			head = next;
		if (heap_class_of_object(h, next) != 0)
			*holder = next;
		at = next;
	}
	/* So far down things lie behind each other: the head of the list is it. */
	return i > LIST_MIN ? first_of_class(h, heap_class(h, at)) : head;
}

uint32_t
list_object(struct list *l)
{
	struct cell	c;

	if ((ui_shapes(l->pane->ui) & SHAPE_GRAPH) == 0)
		return 0;
	if (!list_cell(l, "object", &c) && !list_cell(l, "id", &c) &&
	    !list_cell(l, "thread_id", &c))
		return 0;
	return c.type == CELL_ID && c.u < UINT32_MAX ? (uint32_t)c.u : 0;
}

void
ui_enter(struct ui *ui, const char *query)
{
	struct err	 err;

	if (ui_add(ui, &pane_query, query, &err))
		ui_pane(ui)->entered = true;
	else
		ui_fail(ui, &err);
}

static void
next_refs(struct ui *ui)
{
	static const char *const what[HEAP_REFS] = {
		[REFS_SOFT] = "what only weak references and finalizers hold counts as dead",
		[REFS_STRONG] = "what only soft references hold counts as dead, too",
		[REFS_ALL] = "weak references hold what they refer to, as in MAT"
	};
	struct session	*s = ui->session;

	s->refs = (s->refs + 1) % HEAP_REFS;
	ui->preparer.stopped = false;
	ui_say(ui, "references: %s: %s", heap_refs_names[s->refs], what[s->refs]);
	ui_reset(ui);
}

bool
ui_heap_act(struct ui *ui, enum verb verb)
{
	struct pane	*p = ui_pane(ui);
	uint32_t	 object;

	if (verb == VERB_REFS) {
		next_refs(ui);
		return true;
	}
	object = p->kind->object != NULL ? p->kind->object(p) : 0;
	if (object == 0)
		ui_say(ui, "no object is selected");
	else if (verb == VERB_DOMINATORS)
		dominators_show(ui, object);
	else
		object_show(ui, object, verb == VERB_PATH ? PART_PATH : PART_REFERRERS);
	return true;
}
