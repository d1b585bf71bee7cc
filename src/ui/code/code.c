/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * code: files of bytecode alone: lists of bugs, methods and classes; and the instructions of a method.
 */
#include "config.h"

#include "icecore/keys.h"
#include "ui/list/list.h"

/* True if bytecode alone is open; beside a trace the panes of the trace are used. */
static bool
is_alone(const struct ui *ui)
{
	return ui_shapes(ui) == SHAPE_CODE;
}

/* ---- bugs, methods, classes ------------------------------------------------------------------------ */

static const struct list_spec bugs_list[] = { {
	.columns = "select label line fault_line method kind why id offset code_id", .spare = "kind",
	.hide = "why id offset code_id",
	.named = "method", .empty = "no bugs: all resources are released on all paths or passed on"
} };

static const struct list_spec methods_list[] = { {
	.columns = "select bytes method descriptor access first_line last_line id code_id", .sort = "-bytes",
	.hide = "id code_id", .quiet = "first_line last_line", .named = "method"
} };

static const struct list_spec classes_list[] = { {
	.columns = "select bytes methods class super access source file id class_id", .sort = "-bytes",
	.hide = "id class_id",
	.quiet = "access source file", .named = "class"
} };

static void
draw_why(struct pane *p, struct area a)
{
	list_pane_draw_said(p, a, "why", " what is wrong ");
}

#define LIST_OF_CODE(name, source, specs) name, source, SHAPE_CODE, IN_LIST, LISTS_OF(specs), .plain = true, \
	.fits = is_alone, .tell[TELL_PATH] = list_pane_path, .act = list_pane_act

const struct pane_kind pane_bugs = {
	LIST_OF_CODE("Bugs", "bugs", bugs_list), .draw = draw_why,
	.diff = BUGS_DIFFER
};
const struct pane_kind pane_code_methods = {
	LIST_OF_CODE("Methods", "methods", methods_list),
	.diff = "methods | diff method descriptor | select bytes_delta bytes change method descriptor | sort "
	    "-abs(bytes_delta)"
};
const struct pane_kind pane_code_classes = {
	LIST_OF_CODE("Classes", "classes", classes_list),
	.diff = "classes | diff | select bytes_delta bytes methods_delta change class | sort -abs(bytes_delta)"
};

/* ---- instructions ---------------------------------------------------------------------------------------- */

struct bytecode {
	struct list	*list;
	uint64_t	 wanted;	/* 1 + offset of the instruction to select once; 0: any */
};

static enum role
bug_role(struct list *l, uint64_t row)
{
	return list_number_at(l->now.rows, row, "bug") != 0 ? ROLE_ERROR : ROLE_NORMAL;
}

static void
code_opened(struct list *l)
{
	struct bytecode *b = l->pane->data;

	for (uint64_t row = 0; b->wanted != 0 && row < l->now.known; row++)
		if (list_number_at(l->now.rows, row, "offset") + 1 == b->wanted) {
			l->sel = row;
			break;
		}
	b->wanted = 0;
}

static const struct list_spec bytecode_list[] = { {
	.base = NULL, .hide = "method note", .naming = "opcode", .role = bug_role, .opened = code_opened
} };

static void
draw_note(struct pane *p, struct area a)
{
	list_pane_draw_said(p, a, "note", " bugs and handlers here ");
}

/* Return the method of the shown instructions. */
static void
path_bytecode(struct pane *p, struct buf *b)
{
	screen_fit(b, list_word(list_of(p), "method"));
}

/* Return only the contexts of the kind: ui_where would otherwise add those of lists whose rows open something. */
static uint64_t
where_bytecode(const struct pane *p)
{
	return p->kind->where;
}

static bool
code_go(struct pane *p, const struct visit *v)
{
	struct bytecode *b = p->data;

	b->wanted = v->id;
	return true;
}

static bool
code_act(struct pane *p, enum verb verb)
{
	if (verb == VERB_BACK) {
		ui_close(p->ui);
		return true;
	}
	return list_act(list_of(p), verb);
}

const struct pane_kind pane_bytecode = {
	"Bytecode", NULL, SHAPE_CODE, IN_LIST, sizeof(struct bytecode), LISTS_OF(bytecode_list),
	    .plain = true,
	.places = 1 << PLACE_BYTECODE, .now = where_bytecode, .tell[TELL_PATH] = path_bytecode,
	.draw = draw_note, .act = code_act, .go = code_go
};
