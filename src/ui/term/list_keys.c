/*
 * list_keys: the table of keys as text, a line for each key and each pane where it does something;
 * by it a test compares the manual with the program.
 */
#include "config.h"

#include "icecore/ui.h"

/* Places that no row of the table of panes stands for. */
static const struct { unsigned where; const char *name, *files, *list; } places[] = {
	{ IN_OBJECT, "Object", "heaps", "list" },
	{ IN_CALLS, "queries", "traces", "list" },
	{ IN_TWO, "two files", "traces", "" },
};

static void
put_key(const struct key *k, struct str name, const char *pane, const char *files, const char *list, FILE *f)
{
	fprintf(f, "%.*s\t%s\t%s\t%s\t%s\t%s\n", (int)name.n, name.s, pane, files, list, k->name, k->what);
}

static void
put_panes(const struct key *k, struct str name, FILE *f)
{
	for (const struct pane_kind *const *p = panes; *p != NULL; p++)
		if ((k->where & (*p)->where) != 0)
			put_key(k, name, (*p)->name, (*p)->shapes == SHAPE_GRAPH ? "heaps" : "traces",
			    ((*p)->where & IN_LISTS) != 0 ? "list" : "", f);
	for (size_t i = 0; i < NELEM(places); i++)
		if ((k->where & places[i].where) != 0)
			put_key(k, name, places[i].name, places[i].files, places[i].list, f);
}

void
ui_list_keys(FILE *f)
{
	struct str name;

	for (const struct key *k = keys; k->verb != VERB_NONE; k++)
		for (struct str rest = str_of(k->keys); str_split(&rest, ' ', &name);)
			if ((IN_ALL & ~k->where) == 0)
				put_key(k, name, "everywhere", "", "", f);
			else
				put_panes(k, name, f);
}
