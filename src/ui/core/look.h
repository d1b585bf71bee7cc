/*
 * look: the session's view, and which of several files; a part of core.h.
 */
#ifndef UI_LOOK_H
#define UI_LOOK_H

#include "icecore/ui.h"

/* Stages are text as queries have it, each ends with a newline. */
const char *look_now(const struct ui *);	/* those of the view that is shown */
const char *look_wanted(const struct ui *);	/* those that keys changed last */
size_t	 look_file(const struct ui *);		/* that is wanted */
void	 look_choose(struct ui *, size_t file);	/* a step */
/* One more file is to be opened and shown, and what is asked of it then. */
void	 look_open(struct ui *, struct str path, const char *query);
const char *look_opened(struct ui *);		/* the path, once; NULL: none is wanted */
const char *look_opening(const struct ui *);	/* the path that was told last */
void	 look_ask(struct ui *);			/* asks it, of the file that is shown now */
/* What is wanted from here on; keep: u comes back to what was. */
void	 look_set(struct ui *, const char *stages, bool keep);
/* One more stage; one that begins with drop goes (NULL: none). */
void	 look_add(struct ui *, const char *drop, struct str stage);
bool	 look_differs(const struct ui *);	/* two files are compared */
bool	 look_due(struct ui *);			/* whether the view is to be made anew; true once */
void	 look_taken(struct ui *, const char *stages);	/* the view was made of them */
void	 look_refused(struct ui *, bool none);	/* it was not; none: there is none any more */
enum clock look_clock(const struct ui *);	/* that queries count which say the view themselves */
bool	 look_two(const struct ui *, unsigned shapes);	/* the two files that are compared have one of these */
bool	 look_alike(const struct ui *);			/* they can be compared */
void	 look_join(const char *stages, const char *mark, struct buf *);	/* all of them with mark between them */
/* The stage that begins with a word; n 0: there is none. */
struct str look_stage(const char *stages, const char *word);
void	 look_drop(char *stages, const char *word);	/* takes it out of them */
bool	 look_begins(struct str);	/* the text begins with a word of a stage that makes a view */
void	 look_stages(const struct ui *, struct buf *);	/* " | hide /x/ | by package"; appends */
void	 look_chips(const struct ui *, struct buf *);	/* "hide /x/", "range 1 s-2 s", raw, a line each */
bool	 look_has(const struct ui *, struct str stage);	/* it is wanted */
bool	 look_hides(const struct ui *);		/* something of the file is left out */
void	 look_chip(struct str stage, const char *to, struct buf *);	/* one of them; to stands between times */
void	 look_threads(struct ui *, uint32_t method);	/* a list of those it runs on */
void	 look_bytecode(struct ui *, uint32_t method);	/* its instructions */
void	 look_code(struct ui *, uint32_t method, uint64_t at);	/* of a method of the bytecode; at: as PLACE_BYTECODE has it */
/* Every other pane counts only that piece of time (ns on the clock of spans); from == to: all of it again. */
void	 look_range(struct ui *, uint64_t from, uint64_t to);
/* To the thread then, where a pane shows it; else that time is the range of all panes. */
void	 look_stretch(struct ui *, uint32_t thread, uint64_t from, uint64_t to);
bool	 look_ranged(const struct ui *, uint64_t *from, uint64_t *to);	/* that piece; false: all counts */
void	 time_exact(char *, size_t size, uint64_t ns, uint64_t window);	/* so exact that a cell of that window shows */

#endif
