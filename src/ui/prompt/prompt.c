/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prompt: one line of input, edited by readline. Readline neither reads nor draws: bytes come from a queue,
 * and the line is drawn here.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "icecore/home.h"
#include "menu.h"

enum { PASTE_MAX = 65536 };

/* Readline exists once per process, and its callbacks have no arguments. */
static struct {
	bool		 ready, open, ended;
	bool		 offered;		/* the offered text is selected: nothing was pressed since */
	enum prompt_kind kind;
	const char	*const *suffixes;	/* suffixes that Tab cycles through; or NULL */
	struct press	 press;
	size_t		 taken;
	char		 label[128];
	char		*line;			/* the entered line; NULL: cancelled */
	bool		 takes;			/* Enter takes a candidate as soon as all are known */
	struct candidate_act chosen;		/* of that candidate */
	void		(*done)(void *, const char *);
	void		*asker;
	FILE		*nowhere;
	size_t		 scroll;
	struct menu	 menu;
} prompt;

/* ---- callbacks of readline ----------------------------------------------- */

static int
next_byte(FILE *f)
{
	(void)f;
	return prompt.taken < prompt.press.n ? (unsigned char)prompt.press.raw[prompt.taken++] : EOF;
}

/* Without this hook readline reads the terminal itself. */
static int
has_byte(void)
{
	return prompt.taken < prompt.press.n;
}

static void
draw_later(void)
{
}

/* The menu completes; readline must not complete file names. */
static char **
complete(const char *text, int start, int end)
{
	(void)text;
	(void)start;
	(void)end;
	rl_attempted_completion_over = 1;
	return NULL;
}

static void
on_line(char *line)
{
	rl_callback_handler_remove();
	prompt.line = line;
	prompt.ended = true;
}

/* Bind keys that some inputrc files lack. */
static void
bind_keys(void)
{
	static const struct {
		const char	*bytes;
		rl_command_func_t *act;
	} some[] = {
		{ "\\e[1~", rl_beg_of_line }, { "\\e[7~", rl_beg_of_line },
		{ "\\e[H", rl_beg_of_line }, { "\\eOH", rl_beg_of_line },
		{ "\\e[4~", rl_end_of_line }, { "\\e[8~", rl_end_of_line },
		{ "\\e[F", rl_end_of_line }, { "\\eOF", rl_end_of_line },
		{ "\\e[3~", rl_delete }
	};

	for (size_t i = 0; i < NELEM(some); i++) {
		rl_bind_keyseq_if_unbound_in_map(some[i].bytes, some[i].act,
		    emacs_standard_keymap);
		rl_bind_keyseq_if_unbound_in_map(some[i].bytes, some[i].act,
		    vi_insertion_keymap);
	}
}

/* Readline reads this file without a limit, also a pipe. */
static void
guard_inputrc(void)
{
	const char *name = getenv("INPUTRC");
	char *path = tilde_expand(name != NULL && *name != '\0' ? name : "~/.inputrc");

	if (path != NULL && !home_may(path))
		(void)setenv("INPUTRC", "/dev/null", 1);
	free(path);
}

void
prompt_start(const struct ui_options *opt)
{
	prompt.nowhere = fopen("/dev/null", "r+e");
	rl_readline_name = "icecore";
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_change_environment = 0;
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_redisplay_function = draw_later;
	rl_getc_function = next_byte;
	rl_input_available_hook = has_byte;
	rl_attempted_completion_function = complete;
	if (prompt.nowhere != NULL)
		rl_instream = rl_outstream = prompt.nowhere;
	guard_inputrc();
	rl_initialize();
	/* Readline exits when memory runs out, but does not check this allocation. */
	if (rl_executing_keyseq == NULL)
		exit(E_SYSTEM);
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("enable-bracketed-paste", "off");
	/* Mode marks only appear in prompts drawn by readline. */
	rl_variable_bind("show-mode-in-prompt", "off");
	/* Escape, then Enter, would silently change to vi mode. */
	rl_unbind_key_in_map('\r', emacs_meta_keymap);
	rl_unbind_key_in_map('\n', emacs_meta_keymap);
	bind_keys();
	past_open(opt->keys == NULL && !opt->no_history);
	prompt.ready = true;
}

/* ---- the menu ------------------------------------------------------------ */

static bool
is_searching(void)
{
	return RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH) != 0;
}

/* Append a blank, so that the next word can be typed at once. */
static void
prompt_put_text(struct str s, bool whole)
{
	struct completion	*c = &prompt.menu.c;
	struct buf		 b = BUF_INIT;
	char			 next;

	if (c->to > (size_t)rl_end || c->from > c->to)
		return;
	next = rl_line_buffer[c->to];
	buf_str(&b, s);
	if (whole && s.n > 0 && s.s[s.n - 1] != '(' && next != ' ' && next != ',' && next != ')')
		buf_chr(&b, ' ');
	if (!b.bad && b.n > 0) {
		rl_begin_undo_group();
		rl_delete_text((int)c->from, (int)c->to);
		rl_point = (int)c->from;
		rl_insert_text(b.s);
		rl_end_undo_group();
	}
	buf_free(&b);
}

/* Tab inserts the only candidate, or the common prefix of all candidates. */
static void
take_sure(struct ui *ui)
{
	struct menu	*m = &prompt.menu;
	size_t		 common = menu_common(m);

	m->asked = false;
	if (m->c.n == 0)
		ui_say(ui, m->c.hint[0] != '\0' ? "expected: %s" : "no completion",
		    m->c.hint);
	if (m->c.n == 1)
		prompt_put_text(str_of(m->c.item[0].text), true);
	if (m->c.n <= 1) {
		menu_close(m);
		return;
	}
	if (common > m->c.to - m->c.from) {
		prompt_put_text((struct str){ m->c.item[0].text, common }, false);
		menu_clear(m);
		return;
	}
	if (m->sel == MENU_NONE)
		m->sel = 0;
}

static bool
press_is(const struct press *p, const char *name)
{
	return strcmp(p->name, name) == 0;
}

static bool
take_chosen(void)
{
	const struct candidate	*item = menu_chosen(&prompt.menu);

	if (item == NULL)
		return false;
	prompt_put_text(str_of(item->text), true);
	menu_close(&prompt.menu);
	return true;
}

/* The line is the chosen candidate. */
static void
take_for_line(struct ui *ui)
{
	const struct candidate	*item = menu_chosen(&prompt.menu);

	prompt.takes = false;
	if (item == NULL) {
		ui_say(ui, "nothing has such a name; Esc closes");
		return;
	}
	prompt.chosen = item->act;
	prompt.line = mem_copy(str_of(item->text));
	rl_callback_sigcleanup();
	rl_callback_handler_remove();
	rl_replace_line("", 1);
	prompt.ended = true;
}

/* The first candidate is chosen until a key chooses another one. */
static bool
step_palette(struct ui *ui, bool more)
{
	if (prompt.menu.sel == MENU_NONE && prompt.menu.c.n > 0)
		prompt.menu.sel = 0;
	if (!more && prompt.takes)
		take_for_line(ui);
	prompt_poll();
	return more;
}

static void
next_suffix(void)
{
	size_t	at = menu_suffix(prompt.suffixes, (struct str){ rl_line_buffer, (size_t)rl_end });
	size_t	had = prompt.suffixes[at] != NULL ? strlen(prompt.suffixes[at]) : 0;
	const char *next = had > 0 && prompt.suffixes[at + 1] != NULL ? prompt.suffixes[at + 1] :
	    prompt.suffixes[0];

	rl_begin_undo_group();
	rl_delete_text(rl_end - (int)had, rl_end);
	rl_point = rl_end;
	rl_insert_text(next);
	rl_end_undo_group();
}

/* Keys of the menu; false: the key is for the line. */
static bool
feed_menu(const struct press *p)
{
	struct menu	*m = &prompt.menu;

	if (prompt.suffixes != NULL && press_is(p, "Tab")) {
		next_suffix();
		return true;
	}
	if (prompt.kind == PROMPT_LINE || is_searching())
		return false;
	if (press_is(p, "Tab") && !m->open) {
		m->open = m->asked = true;
		return true;
	}
	if (!m->open)
		return false;
	if (press_is(p, "Tab") || press_is(p, "Down"))
		menu_move(m, 1);
	else if (press_is(p, "S-Tab") || press_is(p, "Up"))
		menu_move(m, -1);
	else if (press_is(p, "Esc") && prompt.kind != PROMPT_PALETTE)
		menu_close(m);
	else if (prompt.kind == PROMPT_PALETTE)
		return prompt.takes = press_is(p, "Enter");
	else
		/* If the line is a single name, enter it at once. */
		return press_is(p, "Enter") && take_chosen() && prompt.kind != PROMPT_MARK;
	return true;
}

bool
prompt_step(struct ui *ui, uint64_t deadline, void (*words)(const struct ui *, enum prompt_kind,
    struct completion *))
{
	struct menu	*m = &prompt.menu;
	struct str	 line;
	bool		 more;

	if (!prompt.open || prompt.kind == PROMPT_LINE || prompt.ended || is_searching())
		return false;
	if (!m->begun) {
		line = (struct str){ rl_line_buffer, (size_t)rl_end };
		if (prompt.kind >= PROMPT_MARK)
			menu_begin_name(m, line, (size_t)rl_point);
		else
			(prompt.kind == PROMPT_VIEW || look_begins(line) ? menu_begin_view : menu_begin)(m,
			    line, (size_t)rl_point, ui_plain(ui));
		words(ui, prompt.kind, &m->c);
	}
	if (!m->open || menu_learns(m, ui))
		return false;
	more = completion_step(&m->c, deadline);
	if (prompt.kind == PROMPT_PALETTE) {
		if (!more)
			words(ui, prompt.kind, &m->c);
		return step_palette(ui, more || m->c.names != NULL);
	}
	if (!more && m->asked) {
		take_sure(ui);
		return true;
	}
	return more;
}

/* ---- interface to the ui ------------------------------------------------- */

void
prompt_open(enum prompt_kind kind, const char *label, const char *text,
    void (*done)(void *, const char *), void *asker)
{
	if (prompt.open)
		return;
	past_choose(kind != PROMPT_QUERY);
	prompt.kind = kind;
	TEXT_COPY(prompt.label, label);
	prompt.done = done;
	prompt.asker = asker;
	prompt.open = true;
	prompt.ended = prompt.offered = prompt.takes = false;
	prompt.line = NULL;
	prompt.suffixes = NULL;
	prompt.scroll = 0;
	menu_close(&prompt.menu);
	rl_callback_handler_install(prompt.label, on_line);
	rl_insert_text(text);
	screen_paste(true);
}

void
prompt_suffixes(const char *const *suffixes)
{
	prompt.suffixes = suffixes;
}

void
prompt_list(void)
{
	prompt.menu.open = prompt.open;
}

struct candidate_act
prompt_chosen(void)
{
	return prompt.chosen;
}

void
prompt_offer(const char *text)
{
	if (!prompt.open)
		return;
	rl_insert_text(text);
	prompt.offered = true;
}

/* Delete the offered text before other text is inserted. */
static void
drop_offered(bool typed)
{
	if (prompt.offered && typed) {
		rl_delete_text(0, rl_end);
		rl_point = 0;
	}
	prompt.offered = false;
}

void
prompt_disown(const void *asker)
{
	if (prompt.asker == asker)
		prompt.done = NULL;
}

bool
prompt_is_open(void)
{
	return prompt.open;
}

static void
feed(const char *bytes, size_t n)
{
	memcpy(prompt.press.raw, bytes, n);
	prompt.press.n = n;
	prompt.taken = 0;
	while (has_byte() && !prompt.ended)
		rl_callback_read_char();
}

/* Cancel the prompt by entering the line: in readline only that restores history lines that were edited. */
static void
prompt_give_up(void)
{
	rl_callback_sigcleanup();
	feed("\n", 1);
	if (!prompt.ended) {
		rl_callback_handler_remove();
		rl_replace_line("", 1);
		prompt.ended = true;
	}
	free(prompt.line);
	prompt.line = NULL;
}

/* Escape ends a search, and in vi mode the insertion, before it ends the prompt. */
static bool
escape_is_for_line(void)
{
	return is_searching() || (rl_editing_mode == 0 && rl_get_keymap() == vi_insertion_keymap);
}

void
prompt_feed(const struct press *p)
{
	if (prompt.ended || feed_menu(p))
		return;
	menu_clear(&prompt.menu);
	prompt.menu.asked = prompt.takes = false;
	if (press_is(p, "C-c") || (press_is(p, "Esc") && !escape_is_for_line()) ||
	    (press_is(p, "Backspace") && rl_end == 0 && !is_searching())) {
		prompt_give_up();
		return;
	}
	drop_offered(p->n > 0 && (unsigned char)p->raw[0] >= 0x20 && p->raw[0] != 0x7f);
	feed(p->raw, p->n);
}

void
prompt_insert(struct str s)
{
	char	*text;

	if (s.n > PASTE_MAX)
		s.n = PASTE_MAX;
	text = mem_array(s.n + 1, 1);
	if (text == NULL || prompt.ended) {
		free(text);
		return;
	}
	for (size_t i = 0; i < s.n; i++)
		text[i] = (unsigned char)s.s[i] < 0x20 || s.s[i] == 0x7f ? ' ' : s.s[i];
	menu_clear(&prompt.menu);
	drop_offered(true);
	rl_insert_text(text);
	free(text);
}

void
prompt_poll(void)
{
	char	*line = prompt.line;

	if (!prompt.open || !prompt.ended)
		return;
	prompt.open = false;
	prompt.line = NULL;
	menu_close(&prompt.menu);
	past_settle();
	screen_paste(false);
	if (line != NULL && prompt.kind != PROMPT_PALETTE)
		past_add(line);
	if (line != NULL && prompt.done != NULL)
		prompt.done(prompt.asker, line);
	free(line);
}

/* At the end of the line, show a hint of the expected input. */
static void
draw_hint(struct area a, int x)
{
	if (rl_point != rl_end || is_searching())
		return;
	if (prompt.suffixes != NULL)
		menu_draw_suffixes(prompt.suffixes, (struct str){ rl_line_buffer, (size_t)rl_end },
		    (struct area){ a.y, x + 2, 1, a.w - x - 2 });
	if (prompt.menu.c.hint[0] == '\0')
		return;
	x += rl_end > 0 && rl_line_buffer[rl_end - 1] == ' ' ? 1 : 2;
	screen_name(a.y, x, a.w - x, ROLE_DIM, LOOK_PLAIN, str_of(prompt.menu.c.hint));
}

/* Compute the column of the cursor from the drawn text, not from the typed bytes. */
void
prompt_draw(struct area a, int above)
{
	struct buf	b = BUF_INIT, head = BUF_INIT;
	struct str	label = str_of(rl_display_prompt != NULL ? rl_display_prompt : prompt.label), s;
	size_t		cursor, n, w = (size_t)a.w;
	int		x;

	screen_fit(&head, label);
	screen_fit(&head, (struct str){ rl_line_buffer, (size_t)rl_point });
	cursor = text_width(buf_view(&head));
	screen_fit(&b, label);
	screen_fit(&b, (struct str){ rl_line_buffer, (size_t)rl_end });
	if (cursor < prompt.scroll)
		prompt.scroll = cursor;
	if (cursor - prompt.scroll >= w)
		prompt.scroll = cursor - w + 1;
	s = buf_view(&b);
	n = text_cut(s, prompt.scroll, NULL);
	s.s += n;
	s.n -= n;
	screen_put(a.y, a.x, a.w, ROLE_NORMAL, LOOK_PLAIN, s);
	x = a.x + (int)(cursor - prompt.scroll);
	draw_hint(a, x);
	menu_draw(&prompt.menu, (struct area){ a.y - above, a.x, above, a.w });
	screen_cursor(a.y, x, true);
	buf_free(&b);
	buf_free(&head);
}

/* Close the menu: its candidates may be names of a store that will be closed. */
void
prompt_forget(void)
{
	if (prompt.ready)
		menu_close(&prompt.menu);
}

void
prompt_end(void)
{
	if (!prompt.ready)
		return;
	if (prompt.open && !prompt.ended)
		prompt_give_up();
	prompt.open = false;
	menu_end(&prompt.menu);
	past_end();
	if (prompt.nowhere != NULL)
		fclose(prompt.nowhere);
	memset(&prompt, 0, sizeof prompt);
}
