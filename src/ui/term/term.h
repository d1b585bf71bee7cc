/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * term: the terminal: drawing, colours and keys.
 *
 * There is one terminal per process; all functions run on the screen thread.
 */
#ifndef UI_TERM_H
#define UI_TERM_H

#include "icecore/ui.h"

/* ---- screen: the terminal ------------------------------------------------ */

enum role {
	ROLE_NORMAL, ROLE_TITLE, ROLE_TAB, ROLE_DIM, ROLE_HEAD, ROLE_MATCH, ROLE_ERROR, ROLE_CHIP,
	ROLE_HUE,			/* the first of HUES */
	/* frames without a package: kernel, JIT, inlined, stack of the waker; those of the platform's packages */
	ROLE_KERNEL = ROLE_HUE + 8, ROLE_JIT, ROLE_INLINED, ROLE_WAKER, ROLE_PLATFORM,
	/* differences: the first (weakest) of SHADES of frames that grew and shrank; then of text */
	ROLE_SAME, ROLE_GREW, ROLE_SHRANK = ROLE_GREW + 3, ROLE_MORE = ROLE_SHRANK + 3, ROLE_LESS,
	/* names of keys; the bar of a percentage */
	ROLE_KEY, ROLE_SHARE,
	/* bars of CPU use, and of much; waiting for a CPU, the disk, a lock, the collector */
	ROLE_BAR, ROLE_BUSY, ROLE_WARN, ROLE_BAD, ROLE_LOCK, ROLE_COLLECT,
	ROLES
};
#define HUES (ROLE_KERNEL - ROLE_HUE)
#define SHADES 3

/* Background that the colours are made for; THEME_AUTO: any, THEME_MONO: no colours. */
enum theme { THEME_AUTO, THEME_DARK, THEME_LIGHT, THEME_MONO, THEMES };
extern const char *const theme_names[THEMES];

/* Call before screen_open: colours for terminals with 256 colours; -1: the terminal's default. */
void	 colours_theme(enum theme);
void	 colours_choose(enum role, short fg, short bg);
const char *colours_named(enum role, short *fg, short *bg);	/* names of the roles, and their colours */
short	 colours_readable(enum role, enum theme);	/* foreground of a role in a theme */

enum look { LOOK_PLAIN = 0, LOOK_BOLD = 1, LOOK_REVERSE = 2 };

enum glyph { GLYPH_RULE, GLYPH_BAR, GLYPH_CROWD, GLYPH_CUT, GLYPH_INTO, GLYPH_TIMES, GLYPH_MORE,
	GLYPH_FALLING, GLYPH_RISING, GLYPH_DASH, GLYPH_TURNS, GLYPH_DELTA, GLYPH_THUMB, GLYPHS };

enum { SCREEN_MIN_W = 40, SCREEN_MIN_H = 8 };

enum wake { WAKE_NONE, WAKE_WORKER = 'w', WAKE_SIZE = 's', WAKE_INTERRUPT = 'i', WAKE_AGAIN = 'a',
    WAKE_END = 'e' };

bool	 screen_open(bool headless, enum graphics, struct err *);
void	 screen_close(void);
int	 signals_ended(void);		/* signal that ends the program, or 0 */
void	 signals_raise(void);		/* raise that signal again, after screen_close */
int	 screen_wake_fd(void);		/* descriptor where the worker writes one byte to wake the loop */
/* Wait for input and, if wakes, for a wake; false: the terminal was closed. */
bool	 screen_wait(int timeout_ms, bool wakes, bool *input);
enum wake screen_woken(void);		/* the next reason, or WAKE_NONE */
/* read typed bytes without waiting; false: the terminal was closed */
bool	 screen_read(char *, size_t, size_t *n);
void	 screen_size(int *h, int *w);
bool	 screen_fits(void);		/* the screen is large enough for panes; otherwise they are not drawn */
bool	 screen_find(const char *text, int *y, int *x);	/* the first position of a text; false: none */
void	 screen_resize(int h, int w);	/* 0, 0: ask the terminal */
void	 screen_confined(void);		/* the sandbox was entered: keys come from the helper */
void	 screen_leave(void);		/* before another process uses the terminal */
void	 screen_return(void);		/* call it after that */
void	 screen_again(void);		/* redraw everything: another program may have used the terminal */
void	 screen_erase(bool all);
/* Draw text that passed text_fit, cut to w columns; return the columns used. */
int	 screen_put(int y, int x, int w, enum role, unsigned look, struct str);
/* Draw raw text, shortened at its end. */
int	 screen_name(int y, int x, int w, enum role, unsigned look, struct str);
/* Draw raw text, shortened in its middle: names of threads in a pool differ at their ends. */
int	 screen_thread(int y, int x, int w, enum role, unsigned look, struct str);
int	 screen_puts(int y, int x, int w, enum role, unsigned look, const char *);
void	 screen_hint(struct area, const char *);		/* text instead of the content of a pane */
void	 screen_split(int y, int x, int h);		/* vertical line between two parts of a pane */
void	 screen_fill(int y, int x, int w, enum role, unsigned look, enum glyph, bool blank);
/* Return the number of colours for pictures: 256, 8, or 0. */
int	 screen_colours(void);
/* Draw one cell in two colours by number; -1: the terminal's default.  False: no colour pair is left. */
bool	 screen_cell(int y, int x, const char *glyph, int fg, int bg);
/*
 * Draw where the visible rows are among all, in the last column of an area that shows a row per line: text there stays,
 * reversed.
 */
void	 screen_thumb(struct area, uint64_t top, uint64_t rows);
void	 screen_look(int y, int x, int w, enum role, unsigned look);	/* change the look of what is drawn there */
void	 screen_cursor(int y, int x, bool visible);
void	 screen_flush(void);
/*
 * Draw a notice at the right of line 1 at once, until the next frame. On other threads than the screen's: no effect.
 */
void	 screen_notice(struct str);
void	 screen_frame(FILE *);		/* the screen as text */
uint64_t screen_sum(int from, int to);	/* checksum of the visible content of these lines */
void	 screen_raw(struct str);	/* write bytes without curses */
void	 screen_paste(bool on);		/* bracketed paste */
bool	 screen_mouse(bool on);		/* switch mouse reports on or off; false: not supported */
bool	 screen_utf8(void);
const char *screen_note(void);		/* a problem of the terminal; or NULL */
const char *glyph(enum glyph);
const char *screen_bar(unsigned step);	/* CPU use, 1 to USE_STEPS; 0: none */
enum role screen_bar_role(unsigned step);
/* Convert raw bytes to text that is safe to show on this terminal; appends. */
void	 screen_fit(struct buf *, struct str);
/* Append fitted text, shortened in its middle to at most w columns. */
void	 screen_middle(struct buf *, struct str, size_t w);
void	 screen_fit_from(struct buf *, size_t at);	/* convert the appended raw text from offset at on */
/* Append a name and a number, formatted by a function of num_show. */
void	 screen_number(struct buf *, const char *name, int (*show)(char *, size_t, uint64_t), uint64_t);
/* Append a raw name and its details in w columns, shortening the name first. Frees both. True: truncated. */
bool	 screen_pair(struct buf *, struct buf *name, struct buf *rest, size_t w);
/* Return how many bytes of fitted text fill a line; it breaks at a blank, or at w columns. */
size_t	 screen_break(struct str, size_t w);
/* Draw fitted text in lines that break at blanks; return their number. */
int	 screen_words(struct area, enum role, struct str);
void	 screen_short(struct buf *, struct str, size_t w);	/* screen_middle, but shortened at the end */
void	 screen_tail(struct buf *, struct str, size_t w);	/* shortened at the beginning */

/* ---- pictures ------------------------------------------------------------ */

/* Cells in the colours of screen_colours; cells in true colour; pixels by two protocols. */
enum picture_form { PICTURE_CELLS, PICTURE_DIRECT, PICTURE_KITTY, PICTURE_SIXEL };

struct picture_how {
	enum picture_form form;
	bool		  blocks;	/* the terminal has half blocks */
	int		  cell_w, cell_h;	/* size of a cell in pixels; of cells 1 and 2 */
	bool		  acknowledge;	/* the terminal is to report that it shows the picture */
};

/*
 * Return how the terminal shows pictures; the first call queries it. False: no answer yet, do not draw;
 * screen_wait returns when it is time to call again. If the terminal does not acknowledge the first
 * picture, later calls return cells.
 */
bool	 screen_pictures(struct picture_how *);
/*
 * Show a picture over blank cells until a frame is drawn without it. bytes: for each line of cells the
 * bytes that draw it from its left end, separated by newlines; the caller keeps them at least until
 * screen_flush. serial: changes with the bytes. The picture is hidden while something else is drawn over
 * it.
 */
void	 screen_picture(struct area, struct str bytes, enum picture_form, uint64_t serial);
/* the terminal may be about to answer: an incomplete sequence may be an answer */
bool	 screen_awaits(void);

/* ---- keys ---------------------------------------------------------------- */

/* Answers of the terminal to queries. */
enum said {
	SAID_NONE,
	SAID_KITTY,			/* y: 1 if it supports that protocol, or shows the picture */
	SAID_CELL,			/* y, x: pixels of a cell */
	SAID_DEVICE,			/* y: 1 if it supports sixels; the last answer */
	SAID_CURSOR,			/* y, x: position of the cursor, from 0, not in the first line */
	SAID_OTHER
};

enum mouse {
	MOUSE_NONE,			/* a key */
	MOUSE_CLICK, MOUSE_BACK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN,
	MOUSE_DRAG, MOUSE_RELEASE,	/* events of the left button */
	MOUSE_OTHER			/* other buttons, incomplete sequences */
};

struct press {
	char		name[16];	/* "j", "C-d", "PgDn"; "" for text that is not a key */
	char		raw[32];
	size_t		n;
	enum mouse	mouse;
	enum said	said;
	int		y, x;		/* position of the mouse, from 0; or values of the answer */
};

/* Decode the first key of s and return its bytes; 0: incomplete, more must follow (final: nothing follows). */
size_t	key_decode(struct str s, bool final, struct press *);
bool	key_is_said(struct str s);	/* s begins like an answer and unlike any key: wait for the rest */
void	screen_said(const struct press *);
/* Get the bytes that a terminal sends for a key; false: no such key. */
bool	key_named(const char *name, struct press *);
bool	key_first(struct str names, struct press *);	/* the first of them; blanks are between them */
/* Move *sel among n lines, page of them visible: up, down, by page, to an end; false: the verb does not move. */
bool	 key_moves(enum verb, uint64_t *sel, uint64_t n, uint64_t page);
/* the first of h lines that keeps the selection visible */
uint64_t key_scroll(uint64_t top, uint64_t sel, uint64_t h);
/* row of the key table; NULL: no such key in this context */
const struct key *key_row(const struct press *, uint64_t where);
enum verb key_verb(const struct press *, uint64_t where);
const struct key *key_of(enum verb, uint64_t where);	/* row of the table, or NULL */
struct str key_first_name(const struct key *);	/* the first of its names */

/* Words that name a key.  Used as hint(...).s, the text lasts as long as the full expression. */
struct hint {
	char	s[80];
};

/* The words with the first key of the verb for each '_': hint(VERB_UNDO, "_ undoes it").  Any thread. */
struct hint hint(enum verb, const char *words);
struct hint hint_in(uint64_t where, enum verb, const char *words);	/* a key of that context, if any */

/* ---- mouse ----------------------------------------------------------------- */

/* key_decode for input that begins like a mouse report: "ESC [ <" (xterm) or "ESC [ M" (X10). */
size_t	mouse_decode(struct str s, bool final, struct press *);
bool	mouse_is_report(struct str s);

enum { SPOT_FOCUS = -1 };

/*
 * Clickable cells. The code that draws them adds them, for one frame. If spots overlap, the last one wins.
 */
struct spot {
	struct area	 area;
	enum verb	 verb;		/* verb of a click; VERB_NONE: see click */
	/* y, x: relative to the area; y SPOT_FOCUS: wheel event, only move the focus. */
	void		(*click)(void *who, size_t what, int y, int x);
	void		*who;
	size_t		 what;
	/* a click selects: a double click is Enter, and the wheel moves the selection */
	bool		 enters;
};

void	spot_add(const struct spot *);
const struct spot *spot_at(int y, int x);	/* NULL: none */
void	spots_clear(void);			/* a new frame begins */

#endif
