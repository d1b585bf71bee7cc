/*
 * term: the terminal: what is drawn on it, in which colours, and which keys come from it.
 *
 * There is one terminal to a process; all functions run on the screen thread.
 */
#ifndef UI_TERM_H
#define UI_TERM_H

#include "icecore/ui.h"

/* ---- screen: the terminal ------------------------------------------------ */

enum role {
	ROLE_NORMAL, ROLE_TITLE, ROLE_TAB, ROLE_DIM, ROLE_HEAD, ROLE_MATCH, ROLE_ERROR, ROLE_CHIP,
	ROLE_HUE,			/* the first of HUES */
	/* frames that are not of a package: of the kernel, made at run time, inlined, of who woke the thread */
	ROLE_KERNEL = ROLE_HUE + 8, ROLE_JIT, ROLE_INLINED, ROLE_WAKER,
	/* what differs: the first of SHADES, the weakest, of frames that grew and shrank; and of text */
	ROLE_SAME, ROLE_GREW, ROLE_SHRANK = ROLE_GREW + 3, ROLE_MORE = ROLE_SHRANK + 3, ROLE_LESS,
	/* keys by name; as much of a cell as its share */
	ROLE_KEY, ROLE_SHARE,
	/* CPU use as bars; what a thread waits for: a CPU, the disk, a lock, the collector */
	ROLE_BAR, ROLE_WARN, ROLE_BAD, ROLE_LOCK, ROLE_COLLECT,
	ROLES
};
#define HUES (ROLE_KERNEL - ROLE_HUE)
#define SHADES 3

enum look { LOOK_PLAIN = 0, LOOK_BOLD = 1, LOOK_REVERSE = 2 };

enum glyph { GLYPH_RULE, GLYPH_BAR, GLYPH_CROWD, GLYPH_CUT, GLYPH_INTO, GLYPH_TIMES, GLYPH_MORE,
	GLYPH_FALLING, GLYPH_RISING, GLYPH_DASH, GLYPH_TURNS, GLYPH_DELTA, GLYPHS };

enum { SCREEN_MIN_W = 40, SCREEN_MIN_H = 8 };

enum wake { WAKE_NONE, WAKE_WORKER = 'w', WAKE_SIZE = 's', WAKE_INTERRUPT = 'i', WAKE_AGAIN = 'a', WAKE_END = 'e' };

bool	 screen_open(bool headless, struct err *);
void	 screen_close(void);
int	 signals_ended(void);		/* the signal that ended the loop, or 0 */
void	 signals_raise(void);		/* raises it again, after screen_close */
int	 screen_wake_fd(void);		/* for the worker: it writes one byte */
/* Waits for input, and for a wake where that counts; false when the terminal is gone. */
bool	 screen_wait(int timeout_ms, bool wakes, bool *input);
enum wake screen_woken(void);		/* the next reason, or WAKE_NONE */
bool	 screen_read(char *, size_t, size_t *n);	/* what was typed, without waiting; false: the terminal is gone */
void	 screen_size(int *h, int *w);
bool	 screen_fits(void);		/* there is room for panes: else nothing is drawn */
bool	 screen_find(const char *text, int *y, int *x);	/* where it stands first; false: nowhere */
void	 screen_resize(int h, int w);	/* 0, 0: ask the terminal */
void	 screen_again(void);		/* another program may have had the terminal */
void	 screen_erase(bool all);
/* Text that passed text_fit, cut to w columns; returns the columns used. */
int	 screen_put(int y, int x, int w, enum role, unsigned look, struct str);
/* Raw text, shortened at its end. */
int	 screen_name(int y, int x, int w, enum role, unsigned look, struct str);
/* Raw text, shortened in its middle: names of threads, which differ at their ends in a pool. */
int	 screen_thread(int y, int x, int w, enum role, unsigned look, struct str);
int	 screen_puts(int y, int x, int w, enum role, unsigned look, const char *);
void	 screen_fill(int y, int x, int w, enum role, unsigned look, enum glyph, bool blank);
/* How many colours there are for pictures: 256, 8, or 0. */
int	 screen_colours(void);
/* One cell in colours by their numbers, -1: as the terminal has it; false: there are no more pairs of colours. */
bool	 screen_cell(int y, int x, const char *glyph, int fg, int bg);
void	 screen_cursor(int y, int x, bool visible);
void	 screen_flush(void);
/* At the right of the first line, at once; on other threads than the screen's nothing.  The next frame has it no longer. */
void	 screen_notice(struct str);
void	 screen_frame(FILE *);		/* the screen as text */
uint64_t screen_sum(int from, int to);	/* of these lines, of what is seen of them */
void	 screen_raw(struct str);	/* bytes the screen library must not see */
void	 screen_paste(bool on);		/* bracketed paste */
bool	 screen_mouse(bool on);		/* asks the terminal for clicks, or no longer; false: it has none */
bool	 screen_utf8(void);
const char *screen_note(void);		/* what is odd about the terminal, or NULL */
const char *glyph(enum glyph);
const char *screen_bar(unsigned step);	/* CPU use, 1 to USE_STEPS; 0: none */
/* The gate: raw bytes to what this terminal can show; appends. */
void	 screen_fit(struct buf *, struct str);
/* Fitted text, shortened in its middle to at most w columns; appends. */
void	 screen_middle(struct buf *, struct str, size_t w);
void	 screen_fit_from(struct buf *, size_t at);	/* what was appended raw from there on */
/* A number behind its name, as that function of num_show writes it; appends. */
void	 screen_number(struct buf *, const char *name, int (*show)(char *, size_t, uint64_t), uint64_t);
/* Raw name and what is told of it: the name gives way first.  Frees both.  True: not all of it fits. */
bool	 screen_pair(struct buf *, struct buf *name, struct buf *rest, size_t w);
/* Bytes of fitted text for a line, which breaks at a blank, or where it is full. */
size_t	 screen_break(struct str, size_t w);
/* Fitted text in lines that break at blanks; how many they are. */
int	 screen_words(struct area, enum role, struct str);
void	 screen_short(struct buf *, struct str, size_t w);	/* the same, at its end */
void	 screen_tail(struct buf *, struct str, size_t w);	/* at its beginning */

/* ---- keys ---------------------------------------------------------------- */

enum mouse {
	MOUSE_NONE,			/* a key */
	MOUSE_CLICK, MOUSE_BACK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN,
	MOUSE_OTHER			/* releases, other buttons, sequences that are not whole */
};

struct press {
	char		name[16];	/* "j", "C-d", "PgDn"; "" for text that is no key */
	char		raw[32];
	size_t		n;
	enum mouse	mouse;
	int		y, x;		/* of the mouse, from 0 */
};

/* Takes the first key out of s; 0 bytes when more must come (final: nothing will). */
size_t	key_decode(struct str s, bool final, struct press *);
/* The bytes a terminal sends for a name; false: no such key. */
bool	key_named(const char *name, struct press *);
/* Up, down, a page, to an end, among n lines of which page are seen at once; false: the verb is none of those. */
bool	 key_moves(enum verb, uint64_t *sel, uint64_t n, uint64_t page);
uint64_t key_scroll(uint64_t top, uint64_t sel, uint64_t h);	/* the first of h lines, so that the selected one is seen */
const struct key *key_row(const struct press *, uint64_t where);	/* of the table; NULL: none has that key there */
enum verb key_verb(const struct press *, uint64_t where);
const struct key *key_of(enum verb, uint64_t where);	/* its row, or NULL */

/* ---- mouse ----------------------------------------------------------------- */

/* The same as key_decode for what begins as a report of the mouse: "ESC [ <" (xterm) or "ESC [ M" (X10). */
size_t	mouse_decode(struct str s, bool final, struct press *);
bool	mouse_is_report(struct str s);

enum { SPOT_FOCUS = -1 };

/*
 * Cells that do something when they are clicked.  Whoever draws them adds them, for one frame; of those that lie over one
 * another the last one counts.
 */
struct spot {
	struct area	 area;
	enum verb	 verb;		/* what its key does; VERB_NONE: see click */
	/* y, x: from the corner of the area; y SPOT_FOCUS: the wheel turns over it, it only gets the keys. */
	void		(*click)(void *who, size_t what, int y, int x);
	void		*who;
	size_t		 what;
	bool		 enters;	/* a click selects something: two are Enter, and the wheel moves there */
};

void	spot_add(const struct spot *);
const struct spot *spot_at(int y, int x);	/* NULL: none */
void	spots_clear(void);			/* another frame begins */

#endif
