/*
 * confine: what the sandbox leaves to answers, and what to the explorer.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "confine.h"
#include "icecore/directory.h"
#include "icecore/sandbox.h"

static void
let_read(void *sandbox, const char *path)
{
	sandbox_read(sandbox, path);
}

static void
let_make(void *sandbox, const char *directory)
{
	sandbox_make(sandbox, directory);
}

static void
let_index(void *sandbox, const char *place, bool written)
{
	(written ? sandbox_make : sandbox_read)(sandbox, place);
}

/* Who exports a level means it for all that is started. */
bool
confine_level(bool none, enum sandbox_level *level, struct err *err)
{
	const char *word = getenv("ICECORE_SANDBOX");

	*level = sandbox_usual();
	for (size_t i = 0; word != NULL && word[0] != '\0' && i < SANDBOX_LEVELS; i++)
		if (strcmp(word, sandbox_levels[i]) == 0) {
			*level = (enum sandbox_level)i;
			word = NULL;
		}
	if (none)
		*level = SANDBOX_OFF;
	return word == NULL || word[0] == '\0' || fail(err, E_USAGE, "unknown ICECORE_SANDBOX '%s'; use off, landlock or full", word);
}

void
confine_beside(const struct sandbox *s, const char *path)
{
	char *directory = directory_of(path);

	if (directory != NULL)
		sandbox_write(s, directory);
	free(directory);
}

/* What both need. */
static void
begin(struct sandbox *s, const struct options *o, bool reads)
{
	if (o->sandbox == SANDBOX_FULL)
		regex_ready();
	sandbox_begin(s, o->sandbox, reads);
	sandbox_write(s, directory_temporary());
	sandbox_write(s, "/dev/null");
	for (size_t i = 0; i < o->files.n; i++) {
		load_files(o->files.arg[i], &o->ui.sides, let_read, s);
		store_places(o->files.arg[i], &o->ui.store, let_index, s);
	}
	for (size_t i = 0; i < o->write_dirs.n; i++)
		sandbox_write(s, o->write_dirs.arg[i]);
}

/* A directory that is there takes files; what is not is made where it will be. */
static void
let_target(struct sandbox *s, struct str target)
{
	char *path = mem_copy(target);
	struct stat st;

	if (path != NULL && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		sandbox_write(s, path);
	else if (path != NULL)
		confine_beside(s, path);
	free(path);
}

/* What the sandbox would not let us start. */
static void
run(const struct options *o)
{
	for (size_t i = 0; !o->no_run && i < o->files.n; i++)
		load_run(o->files.arg[i], o->inlined);
}

void
confine_answers(const struct options *o)
{
	struct sandbox s;
	const struct query *q;

	run(o);
	begin(&s, o, true);
	for (size_t i = 0; !o->ui.store.read_only && i < o->asks.n; i++)
		if ((q = o->asks.ask[i].query) != NULL && query_writes(q))
			let_target(&s, query_target(q));
	sandbox_enter(&s);
}

void
confine_explorer(const void *options)
{
	const struct options *o = options;
	struct sandbox s;

	run(o);
	begin(&s, o, false);
	if (!o->ui.store.read_only)
		sandbox_write(&s, ".");
	for (size_t i = 0; !o->ui.store.read_only && i < o->files.n; i++)
		confine_beside(&s, o->files.arg[i]);
	ui_directories(&o->ui, let_make, &s);
	sandbox_enter(&s);
}

bool
confine_server(const struct options *o, struct err *err)
{
	struct sandbox s;

	begin(&s, o, true);
	s.beneath = true;
	load_files(".", &o->ui.sides, let_read, &s);
	store_places(".", &o->ui.store, let_index, &s);
	return sandbox_enter(&s) || fail(err, E_SYSTEM, "the sandbox is incomplete: %s; --no-sandbox runs without it", sandbox_text());
}
