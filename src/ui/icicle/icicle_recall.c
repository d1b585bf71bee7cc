/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_recall: the icicle's place for marks: the tree, its threads, and the names down to the selected frame.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icicle.h"

enum { THREADS_MOST = 64 };

static const char *const tree_words[] = {
	[TREE_CALLS] = "top-down", [TREE_MERGED] = "merged", [TREE_PROCESSES] = "processes", [TREE_INVERTED] = "bottom-up",
	[TREE_DOMINATORS] = "objects", [TREE_NAMES] = "fields"
};

/* Threads look like "1234 main": names may repeat, and tids may belong to other threads in another file. */
static void
mark_threads(const struct icicle *ic, struct buf *b)
{
	struct buf	name = BUF_INIT;

	for (size_t i = 0; i < ic->nthreads && i < THREADS_MOST; i++) {
		buf_clear(&name);
		buf_printf(&name, "%" PRIu64 " ", column_get(store_column(ic->st, COL_THREAD_TID), ic->threads[i] - 1));
		thread_name(ic->st, ic->threads[i], &name);
		note_add(b, "thread", buf_view(&name));
	}
	buf_free(&name);
}

static void
mark_object(struct icicle *ic, const char *word, uint32_t node, struct buf *b)
{
	struct tree_node n = { 0 };

	if (node != 0 && node != TREE_ROOT)
		tree_peek(ic->tree, node, &n);
	if (n.object != 0)
		note_number(b, word, n.object);
}

void
icicle_mark(struct pane *p, struct buf *b)
{
	struct icicle	*ic = p->data;
	const struct box *fr = frames_selected(&ic->f);

	if (ic->tree == NULL || ic->lent || ic->task.given)
		return;
	note_add(b, "tree", str_of(tree_words[ic->kind]));
	if (ic->unfolded)
		note_add(b, "unfolded", STR(""));
	if (of_objects(ic)) {
		mark_object(ic, "zoomed", ic->zoom.node, b);
		mark_object(ic, "object", fr != NULL ? fr->node : 0, b);
		return;
	}
	mark_threads(ic, b);
	icicle_keep(ic);
	note_number(b, "zoom", ic->kept_zoom);
	for (size_t at = 0; at < ic->kept.n; at += strlen(ic->kept.s + at) + 1)
		note_add(b, "frame", str_of(ic->kept.s + at));
	buf_clear(&ic->kept);
}

/* ---- back ------------------------------------------------------------------ */

/* The place stored in a mark. */
struct recalled {
	enum tree_kind	 kind;
	uint32_t	 object, zoomed;	/* 0: none */
	bool		 unfolded;
	struct buf	 thread[THREADS_MOST];	/* names of threads */
	uint64_t	 tid[THREADS_MOST];
	size_t		 nthreads;
	struct buf	 frames;		/* like icicle.kept */
	uint64_t	 zoom;
};

static void
read_tree(struct recalled *r, bool objects, struct str word)
{
	for (enum tree_kind kind = objects ? TREE_DOMINATORS : TREE_CALLS; kind < NELEM(tree_words); kind++)
		if (tree_words[kind] != NULL && (kind >= TREE_DOMINATORS) == objects && str_eq(word, str_of(tree_words[kind])))
			r->kind = kind;
}

static void
read_thread(struct recalled *r, struct str s)
{
	struct str	tid;

	if (r->nthreads == THREADS_MOST || !str_split(&s, ' ', &tid) || !num_u64(tid, 10, &r->tid[r->nthreads]))
		return;
	buf_str(&r->thread[r->nthreads++], s);
}

static void
read_frame(struct recalled *r, struct str name)
{
	buf_add(&r->frames, name.s, name.n);
	buf_chr(&r->frames, '\0');
}

static uint32_t
read_object(const struct icicle *ic, struct str number)
{
	uint64_t	n;

	return num_u64(number, 10, &n) && n <= tree_heap(ic->tree)->objects ? (uint32_t)n : 0;
}

static void
recall_read(struct icicle *ic, struct str text, bool moved, struct recalled *r)
{
	struct buf	value = BUF_INIT;
	struct str	word, v;
	uint64_t	n;
	bool		objects = of_objects(ic);

	r->kind = objects ? TREE_DOMINATORS : TREE_CALLS;
	while (note_next(&text, &word, &value)) {
		v = buf_view(&value);
		if (str_eq(word, STR("tree")))
			read_tree(r, objects, v);
		else if (str_eq(word, STR("unfolded")))
			r->unfolded = true;
		else if (str_eq(word, STR("thread")))
			read_thread(r, v);
		else if (str_eq(word, STR("frame")))
			read_frame(r, v);
		else if (str_eq(word, STR("zoom")) && num_u64(v, 10, &n))
			r->zoom = n;
		else if (objects && !moved && str_eq(word, STR("zoomed")))
			r->zoomed = read_object(ic, v);
		else if (objects && !moved && str_eq(word, STR("object")))
			r->object = read_object(ic, v);
	}
	buf_free(&value);
}

static bool
recall_is_thread(const struct icicle *ic, const struct recalled *r, uint32_t id, uint64_t tid)
{
	struct buf	name = BUF_INIT;
	bool		is = false;

	for (size_t i = 0; i < r->nthreads && !is; i++) {
		if (r->tid[i] != tid)
			continue;
		buf_clear(&name);
		thread_name(ic->st, id, &name);
		is = str_eq(buf_view(&name), buf_view(&r->thread[i]));
	}
	buf_free(&name);
	return is;
}

/* Return the threads that exist in the file, in file order; the caller frees them. *n 0: all threads. */
static uint32_t *
recall_threads(const struct icicle *ic, const struct recalled *r, size_t *n)
{
	const struct column *tids = store_column(ic->st, COL_THREAD_TID);
	uint32_t	*ids = mem_array(THREADS_MOST, sizeof *ids);

	*n = 0;
	for (uint64_t id = 1; ids != NULL && id <= column_rows(tids) && *n < r->nthreads; id++)
		if (recall_is_thread(ic, r, (uint32_t)id, column_get(tids, id - 1)))
			ids[(*n)++] = (uint32_t)id;
	return ids;
}

static bool
recall_same(const struct icicle *ic, const struct recalled *r, const uint32_t *ids, size_t n)
{
	return ic->kind == r->kind && ic->version == ui_version(ic->pane->ui) && ic->nthreads == n &&
	    (n == 0 || memcmp(ic->threads, ids, n * sizeof *ids) == 0);
}

static uint32_t
object_node(const struct icicle *ic, uint32_t object, uint32_t otherwise)
{
	uint32_t	node = object != 0 ? tree_of_object(ic->tree, object) : 0;

	return node != 0 ? node : otherwise;
}

/* Show the place in the open tree, or open its tree first. */
static void
recall_go(struct icicle *ic, const struct recalled *r, const uint32_t *ids, size_t n)
{
	ic->walking = false;
	ic->walk_method = 0;
	ic->begun = true;
	ic->unfolded = r->unfolded;
	buf_clear(&ic->going);
	buf_clear(&ic->kept);
	buf_str(&ic->kept, buf_view(&r->frames));
	ic->kept_zoom = (size_t)r->zoom;
	ic->chosen = r->kind;
	if (!recall_same(ic, r, ids, n)) {
		ic->wanted = r->object;
		icicle_threads(ic, ids, n);
		icicle_reopen(ic);
		return;
	}
	ic->zoom = (struct zoom){ .node = object_node(ic, r->zoomed, ic->root) };
	ic->sel_node = object_node(ic, r->object, ic->zoom.node);
	ic->sel_part = PART_OWN;
	icicle_find_kept(ic);
	icicle_relay(ic);
}

bool
icicle_recall(struct pane *p, struct str text, bool moved)
{
	struct icicle	*ic = p->data;
	struct recalled	*r;
	uint32_t	*ids;
	size_t		 n;

	if (ic->tree == NULL || ic->lent || ic->task.given)
		return false;
	if ((r = mem_array(1, sizeof *r)) == NULL)
		return true;
	recall_read(ic, text, moved, r);
	ids = recall_threads(ic, r, &n);
	recall_go(ic, r, ids, n);
	free(ids);
	for (size_t i = 0; i < r->nthreads; i++)
		buf_free(&r->thread[i]);
	buf_free(&r->frames);
	free(r);
	return true;
}
