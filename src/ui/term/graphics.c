/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graphics: pictures outside of curses: which protocol the terminal supports, and the picture on the screen.
 *
 * Curses draws blank cells there. The picture is written after a frame, and again when curses wrote to its
 * lines.
 */
#include "config.h"

#include <sys/ioctl.h>

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "screen.h"

#define REMOVE_KITTY "\033_Ga=d,d=I,i=462,q=2\033\\"	/* 462: id of the picture, as in image_encode.c */
#define ASK_KITTY "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\"
#define ASK_CELL "\033[16t"
#define ASK_DEVICE "\033[c"
#define ASK_CURSOR "\033[6n"

enum { ANSWER_NS = 200000000, CELL_W = 10, CELL_H = 20, CELL_MOST = 1000 };
#define PROOF_NS 2000000000u		/* a picture takes longer than a query */

const char *const graphics_names[GRAPHICS] = { "auto", "kitty", "sixel", "cells" };

struct shown {
	struct area	  area;		/* h 0: none */
	struct str	  bytes;
	enum picture_form form;
	uint64_t	  serial;
};

/* Whether the terminal acknowledged a picture of the protocol that it offered. */
enum proof { PROOF_UNNEEDED, PROOF_NEEDED, PROOF_ASKED, PROOF_GIVEN, PROOF_DENIED };

static struct {
	int		  fd;
	/* pictures are cells, as requested or without a terminal; in true colour */
	bool		  cells, direct;
	enum picture_form form;		/* KITTY or SIXEL if the terminal supports it */
	bool		  asked, known;	/* known: asked and answered */
	enum proof	  proof;	/* PROOF_UNNEEDED: the user chose the protocol, or nothing is known yet */
	int		  proof_y;	/* row of the cursor if the terminal ignores the sixels of PROOF_ASKED */
	uint64_t	  until, proof_until;	/* ns; later answers are accepted, but not waited for */
	int		  cell_w, cell_h;	/* 0: unknown */
	struct shown	  next, now;	/* pictures of the current frame, and on the terminal */
	bool		  dirty;	/* curses writes to its lines */
} graphics;

/* ---- capabilities of the terminal ----------------------------------------- */

/*
 * tmux and screen answer queries themselves, whatever the terminal around them supports, and several
 * terminals may show one session. A remote shell has only the name of the terminal.
 */
static bool
is_multiplexed(void)
{
	struct str	term = str_of(getenv("TERM"));

	return str_of(getenv("TMUX")).n > 0 || str_of(getenv("STY")).n > 0 ||
	    str_has_prefix(term, STR("tmux")) ||
	    str_has_prefix(term, STR("screen"));
}

/* Screen inherits COLORTERM from the terminal around it, and misreads 24-bit colours; tmux converts them. */
void
graphics_open(bool headless, enum graphics want, int fd)
{
	struct str	colours = str_of(getenv("COLORTERM"));

	memset(&graphics, 0, sizeof graphics);
	graphics.fd = fd;
	graphics.direct = !headless && (str_eq(colours, STR("truecolor")) || str_eq(colours, STR("24bit"))) &&
	    str_of(getenv("STY")).n == 0;
	graphics.form = want == GRAPHICS_KITTY ? PICTURE_KITTY : want == GRAPHICS_SIXEL ? PICTURE_SIXEL :
	    PICTURE_CELLS;
	graphics.cells = headless || want == GRAPHICS_CELLS || (want == GRAPHICS_AUTO && is_multiplexed());
}

/* A protocol chosen by the user is not queried. */
static void
graphics_ask(void)
{
	struct buf	 b = BUF_INIT;

	graphics.asked = true;
	graphics.known = graphics.form != PICTURE_CELLS && graphics.cell_w > 0;
	graphics.until = os_now() + ANSWER_NS;
	if (graphics.known)
		return;
	if (graphics.form == PICTURE_CELLS)
		buf_str(&b, STR(ASK_KITTY));
	if (graphics.cell_w == 0)
		buf_str(&b, STR(ASK_CELL));
	buf_str(&b, STR(ASK_DEVICE));
	if (!b.bad)
		screen_raw(buf_view(&b));
	buf_free(&b);
}

/* The window size may be known in pixels; fonts change. */
static void
measure_cells(void)
{
	struct winsize	ws;

	if (ioctl(graphics.fd, TIOCGWINSZ, &ws) == -1 || ws.ws_row == 0 || ws.ws_col == 0 ||
	    ws.ws_xpixel < ws.ws_col || ws.ws_ypixel < ws.ws_row)
		return;
	graphics.cell_w = ws.ws_xpixel / ws.ws_col;
	graphics.cell_h = ws.ws_ypixel / ws.ws_row;
}

/* Terminals with few colours are not queried: old ones would show the query as text. */
bool
screen_pictures(struct picture_how *how)
{
	int	colours = colours_many();
	bool	direct = colours > 0 && graphics.direct;

	*how = (struct picture_how){ direct ? PICTURE_DIRECT : PICTURE_CELLS, screen_utf8(), 1, 2, false };
	if (graphics.cells || (graphics.form == PICTURE_CELLS && !direct && colours <= 8))
		return true;
	measure_cells();
	if (!graphics.asked)
		graphics_ask();
	if (!graphics.known && os_now() < graphics.until)
		return false;
	if (graphics.proof == PROOF_ASKED && os_now() >= graphics.proof_until)
		graphics.proof = PROOF_DENIED;
	if (graphics.form != PICTURE_CELLS && graphics.proof != PROOF_DENIED)
		*how = (struct picture_how){ graphics.form, screen_utf8(), graphics.cell_w > 0 ?
		    graphics.cell_w : CELL_W,
		    graphics.cell_h > 0 ? graphics.cell_h : CELL_H, graphics.proof == PROOF_NEEDED ||
		    graphics.proof == PROOF_ASKED };
	return true;
}

/* Return how many ns are left to wait for an answer; 0: none is expected. */
static uint64_t
graphics_left(void)
{
	uint64_t	due = 0, now = os_now();

	if (graphics.asked && !graphics.known)
		due = graphics.until;
	if (graphics.proof == PROOF_ASKED && graphics.proof_until > due)
		due = graphics.proof_until;
	return due > now ? due - now : 0;
}

bool
screen_awaits(void)
{
	return graphics_left() > 0;
}

int
graphics_wait(int timeout)
{
	uint64_t	left = graphics_left();
	int		ms = (int)(left / 1000000) + 1;

	return left == 0 || (timeout >= 0 && timeout <= ms) ? timeout : ms;
}

static void
graphics_offer(enum picture_form form)
{
	if (graphics.form != PICTURE_CELLS)
		return;
	graphics.form = form;
	graphics.proof = PROOF_NEEDED;
}

/* Kitty's terminals report each picture; a cursor that sixels did not move means that they were ignored. */
static bool
graphics_is_proof(const struct press *p)
{
	if (graphics.proof < PROOF_ASKED || p->said != (graphics.form == PICTURE_KITTY ? SAID_KITTY :
	    SAID_CURSOR))
		return false;
	graphics.proof = p->y > graphics.proof_y ? PROOF_GIVEN : PROOF_DENIED;
	return true;
}

/* Ignore answers to queries that were not sent. */
void
screen_said(const struct press *p)
{
	if (graphics_is_proof(p) || !graphics.asked || graphics.known)
		return;
	if (p->said == SAID_KITTY && p->y > 0)
		graphics_offer(PICTURE_KITTY);
	if (p->said == SAID_CELL && p->x > 0 && p->x <= CELL_MOST && p->y > 0 && p->y <= CELL_MOST) {
		graphics.cell_w = p->x;
		graphics.cell_h = p->y;
	}
	if (p->said != SAID_DEVICE)
		return;
	if (p->y > 0)
		graphics_offer(PICTURE_SIXEL);
	graphics.known = true;
}

/* ---- the picture ------------------------------------------------------------ */

void
screen_picture(struct area a, struct str bytes, enum picture_form form, uint64_t serial)
{
	graphics.next = (struct shown){ a, bytes, form, serial };
}

static bool
is_same(const struct shown *a, const struct shown *b)
{
	return a->serial == b->serial && a->area.y == b->area.y && a->area.x == b->area.x &&
	    a->area.h == b->area.h &&
	    a->area.w == b->area.w;
}

static bool
graphics_is_free(struct area a)
{
	for (int y = a.y; y < a.y + a.h; y++)
		for (int x = a.x; x < a.x + a.w; x++)
			if ((mvinch(y, x) & A_CHARTEXT) != ' ')
				return false;
	return true;
}

void
graphics_erased(bool all)
{
	graphics.next.area.h = 0;
	if (!all)
		return;
	if (graphics.now.area.h > 0 && graphics.now.form == PICTURE_KITTY)
		screen_raw(STR(REMOVE_KITTY));
	graphics.now.area.h = 0;
}

/* Do not scroll lines below a picture: the terminal would scroll it too. */
void
graphics_before(void)
{
	struct shown	*now = &graphics.now, *next = &graphics.next;

	if (next->area.h > 0 && !graphics_is_free(next->area))
		next->area.h = 0;
	if (now->area.h > 0 && !is_same(now, next)) {
		if (now->form == PICTURE_KITTY)
			screen_raw(STR(REMOVE_KITTY));
		else
			wredrawln(stdscr, now->area.y, now->area.h);
		now->area.h = 0;
	}
	idlok(stdscr, next->area.h == 0);
	idcok(stdscr, next->area.h == 0);
}

void
graphics_between(void)
{
	const struct shown *next = &graphics.next;

	graphics.dirty = false;
	for (int y = next->area.y; y < next->area.y + next->area.h && next->form != PICTURE_KITTY; y++)
		graphics.dirty |= is_linetouched(newscr, y);
}

/* The cursor of a picture in one line of cells may not move. */
static void
graphics_ask_proof(const struct shown *shown, struct buf *b)
{
	bool	sixel = shown->form == PICTURE_SIXEL;

	if (graphics.proof != PROOF_NEEDED || shown->form != graphics.form || (sixel && shown->area.h < 2))
		return;
	if (sixel)
		buf_str(b, STR(ASK_CURSOR));
	graphics.proof_y = sixel ? shown->area.y : 0;
	graphics.proof = PROOF_ASKED;
	graphics.proof_until = os_now() + PROOF_NS;
}

/* Restore the cursor and colours of curses. */
void
graphics_after(void)
{
	const struct shown *next = &graphics.next;
	struct buf	 b = BUF_INIT;
	struct str	 rest = next->bytes, line;

	if (next->area.h == 0 || (is_same(&graphics.now, next) && !graphics.dirty))
		return;
	buf_str(&b, STR("\0337"));
	for (int y = next->area.y; y < next->area.y + next->area.h && str_split(&rest, '\n', &line); y++) {
		buf_printf(&b, "\033[%d;%dH\033[m", y + 1, next->area.x + 1);
		buf_str(&b, line);
	}
	graphics_ask_proof(next, &b);
	buf_str(&b, STR("\0338"));
	if (!b.bad)
		screen_raw(buf_view(&b));
	graphics.now = *next;
	buf_free(&b);
}
