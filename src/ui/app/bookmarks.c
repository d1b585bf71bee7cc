/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bookmarks: keys and prompt commands for marks, and the file that stores them with the last place of the
 * session.
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "icecore/home.h"
#include "app.h"

/* ---- setting a mark, and going to it --------------------------------------- */

void
bookmarks_set(struct app *app, struct str name)
{
	struct err	err;

	if (str_eq(name, STR(BOOKMARK_LAST)))
		ui_say(app->ui, "'" BOOKMARK_LAST "' is reserved for the last place; choose another name");
	else if (!bookmark_set(app->ui, name, &err))
		ui_fail(app->ui, &err);
	else
		ui_say(app->ui, "mark %.*s set; %s", (int)name.n, name.s, hint(VERB_MARKS, "_ goes there").s);
}

static void
set_entered(void *asker, const char *line)
{
	struct str	name = str_trim(str_of(line));

	if (name.n > 0)
		bookmarks_set(asker, name);
}

static void
go_entered(void *asker, const char *line)
{
	struct app	*app = asker;
	struct str	 name = str_trim(str_of(line));
	struct buf	 b = BUF_INIT;

	buf_str(&b, name.n > 0 ? name : STR(BOOKMARK_LAST));
	if (!b.bad)
		bookmark_go(app->ui, b.s);
	buf_free(&b);
}

void
bookmarks_act(struct app *app, enum verb verb)
{
	if (verb == VERB_SET_MARK)
		prompt_open(PROMPT_MARK, "set mark: ", "", set_entered, app);
	else if (bookmark_at(app->ui, 0) == NULL)
		ui_say(app->ui, "no marks yet; ` sets one");
	else {
		prompt_open(PROMPT_MARK, "go to mark: ", "", go_entered, app);
		prompt_list();
	}
}

void
bookmarks_offer(const struct ui *ui, struct completion *c)
{
	struct buf	what = BUF_INIT;
	const char	*name;

	for (size_t i = 0; (name = bookmark_at(ui, i)) != NULL; i++) {
		buf_clear(&what);
		bookmark_about(ui, name, true, &what);
		if (!what.bad)
			completion_offer(c, name, what.n > 0 ? what.s : "");
	}
	buf_free(&what);
}

/* ---- the file of marks ----------------------------------------------------- */

static char *
bookmarks_path(const struct ui_options *opt)
{
	if (opt->marks != NULL)
		return mem_copy(str_of(opt->marks));
	return opt->keys == NULL && !opt->no_history ?
	    home_path("XDG_STATE_HOME", ".local/state", "places") : NULL;
}

bool
ui_recent(const struct ui_options *opt, struct buf *paths, struct err *err)
{
	char	*path = bookmarks_path(opt);
	struct buf	all = BUF_INIT;
	/* What is no file of places has none; the explorer says so. */
	bool	ok = path == NULL || home_read(path, &all, err) || home_note() != NULL;

	if (ok)
		shelf_paths(buf_view(&all), paths);
	if (ok && (all.bad || paths->bad))
		ok = fail(err, E_SYSTEM, "out of memory");
	buf_free(&all);
	free(path);
	return ok;
}

/* Return the absolute path of a regular file; NULL: it is none.  The caller frees. */
static char *
regular_file(const char *path, struct shelf_stamp *stamp)
{
	struct stat	 st;

	if (strcmp(path, "-") == 0 || stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return NULL;
	stamp->size = (uint64_t)st.st_size;
	stamp->mtime = (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec;
	return realpath(path, NULL);
}

void
bookmarks_begin(struct app *app)
{
	struct bookmark_file *f = &app->bookmarks;

	f->path = bookmarks_path(app->opt);
	f->about = f->path == NULL ? NULL : regular_file(app->opt->paths[0], &f->stamp);
}

/* Report where the last session ended. bookmarks_end does not save the first screen. */
static void
bookmarks_tell(struct app *app, bool moved)
{
	struct buf	b = BUF_INIT;

	bookmark_about(app->ui, BOOKMARK_LAST, false, &b);
	/* Problems of the terminal are reported first. */
	if (!b.bad && b.n > 0 && ui_message(app->ui)->text[0] == '\0')
		ui_say(app->ui, "the last session ended in %s%s; %s", b.s,
		    moved ? " (the file has changed)" : "", hint(VERB_MARKS, "return: _ then Enter").s);
	buf_free(&b);
}

void
bookmarks_load(struct app *app)
{
	struct bookmark_file *f = &app->bookmarks;
	struct buf	 all = BUF_INIT;
	struct str	 marks;
	struct shelf_stamp stamp;
	struct err	 err;
	bool		 moved;

	if (f->about != NULL && home_read(f->path, &all, &err) &&
	    shelf_find(buf_view(&all), f->about, &marks, &stamp)) {
		moved = stamp.size != f->stamp.size || stamp.mtime != f->stamp.mtime;
		bookmark_load(app->ui, marks, moved);
		bookmarks_tell(app, moved);
	}
	if (home_note() != NULL && ui_message(app->ui)->text[0] == '\0')
		ui_say(app->ui, "%s", home_note());
	buf_free(&all);
}

/* Every session begins with the first screen, so it is not saved as a place. */
static void
set_last(struct app *app)
{
	struct err	err;

	bookmark_drop(app->ui, BOOKMARK_LAST);
	if (ui_pane(app->ui) != ui_nth(app->ui, 0) || *look_wanted(app->ui) != '\0')
		bookmark_set(app->ui, STR(BOOKMARK_LAST), &err);
}

static void
replace_marks(struct buf *all, const char *path, const struct shelf_stamp *stamp, struct str marks)
{
	struct buf	 after = BUF_INIT;

	shelf_put(buf_view(all), path, stamp, marks, &after);
	buf_free(all);
	*all = after;
}

/* Other files of the session become recent; their marks stay as they were. */
static void
keep_others(const struct app *app, struct buf *all)
{
	for (size_t i = 0; i < app->session->nstores; i++) {
		struct shelf_stamp stamp;
		struct str	 marks = STR("");
		char		*path = regular_file(store_path(app->session->store[i]), &stamp);

		if (path != NULL && (app->bookmarks.about == NULL ||
		    strcmp(path, app->bookmarks.about) != 0)) {
			shelf_find(buf_view(all), path, &marks, &stamp);
			replace_marks(all, path, &stamp, marks);
		}
		free(path);
	}
}

/* Read the file again before writing it: other sessions may have changed it. */
void
bookmarks_end(struct app *app)
{
	struct bookmark_file *f = &app->bookmarks;
	struct buf	 all = BUF_INIT, marks = BUF_INIT;
	struct err	 err;

	if (f->path != NULL && app->ui != NULL && app->state == LOAD_DONE && home_read(f->path, &all, &err)) {
		if (f->about != NULL) {
			set_last(app);
			bookmark_save(app->ui, &marks);
			all.bad |= marks.bad;
			replace_marks(&all, f->about, &f->stamp, buf_view(&marks));
		}
		keep_others(app, &all);
		if (!all.bad)
			home_write(f->path, &all, &err);
	}
	if (app->ui != NULL)
		bookmark_free(app->ui);
	buf_free(&all);
	buf_free(&marks);
	free(f->path);
	free(f->about);
}
