/*
 * prompt: one line of input, edited by readline.  Readline neither reads
 * nor draws: bytes come from a queue, the line is drawn here.
 */
#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>
#include <readline/history.h>

#include "room.h"

enum { HISTORY_MAX = 500, PASTE_MAX = 65536 };

/* Readline is one thing to a process, and its callbacks have no arguments. */
static struct {
	bool		 ready, open, ended, keep;
	struct press	 press;
	size_t		 taken;
	char		 label[32];
	char		*line;			/* what was entered; NULL: given up */
	void		(*done)(struct ui *, const char *);
	FILE		*nowhere;
	char		*history;		/* path of the history file, or NULL */
	HISTORY_STATE	*other;			/* history of what is no query */
	bool		 in_other;
	size_t		 scroll;
} prompt;

/* ---- readline's side ----------------------------------------------------- */

static int
next_byte(FILE *f)
{
	(void)f;
	if (prompt.taken >= prompt.press.n)
		return EOF;
	return (unsigned char)prompt.press.raw[prompt.taken++];
}

/* Without this hook readline looks at the terminal itself. */
static int
has_byte(void)
{
	return prompt.taken < prompt.press.n;
}

static void
draw_later(void)
{
}

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

/* ---- history ------------------------------------------------------------- */

static bool
make_folders(char *path)
{
	char	*slash;

	for (slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) == -1 && errno != EEXIST) {
			*slash = '/';
			return false;
		}
		*slash = '/';
	}
	return true;
}

static char *
history_path(void)
{
	const char	*state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	struct buf	 b = BUF_INIT;

	if (state != NULL && *state == '/')
		buf_printf(&b, "%s/icecore/history", state);
	else if (home != NULL && *home == '/')
		buf_printf(&b, "%s/.local/state/icecore/history", home);
	else
		return NULL;
	if (b.bad) {
		buf_free(&b);
		return NULL;
	}
	return b.s;
}

/* Queries have a history that is kept, searches one of their own. */
static void
history_choose(bool other)
{
	static HISTORY_STATE	 empty;
	HISTORY_STATE		*now;

	if (prompt.in_other == other)
		return;
	now = history_get_history_state();
	history_set_history_state(prompt.other != NULL ? prompt.other : &empty);
	free(prompt.other);
	prompt.other = now;
	prompt.in_other = other;
	stifle_history(HISTORY_MAX);
}

static void
history_add(const char *line)
{
	HIST_ENTRY	*last;

	if (*line == '\0')
		return;
	using_history();
	last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
	if (last == NULL || strcmp(last->line, line) != 0)
		add_history(line);
}

static void
start(bool headless)
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
	rl_initialize();
	rl_variable_bind("bell-style", "none");
	rl_variable_bind("show-all-if-ambiguous", "on");
	rl_variable_bind("enable-bracketed-paste", "off");
	/* Escape, then Enter, would silently change to vi mode. */
	rl_unbind_key_in_map('\r', emacs_meta_keymap);
	rl_unbind_key_in_map('\n', emacs_meta_keymap);
	using_history();
	stifle_history(HISTORY_MAX);
	if (!headless)
		prompt.history = history_path();
	if (prompt.history != NULL)
		read_history(prompt.history);
	prompt.ready = true;
}

/* ---- the ui's side ------------------------------------------------------- */

void
prompt_open(struct ui *ui, const char *label, const char *text,
    void (*done)(struct ui *, const char *))
{
	if (prompt.open)
		return;
	if (!prompt.ready)
		start(ui->opt->keys != NULL);
	prompt.keep = strcmp(label, ":") == 0;
	history_choose(!prompt.keep);
	snprintf(prompt.label, sizeof prompt.label, "%s", label);
	prompt.done = done;
	prompt.open = true;
	prompt.ended = false;
	prompt.line = NULL;
	prompt.scroll = 0;
	rl_callback_handler_install(prompt.label, on_line);
	rl_insert_text(text);
	screen_paste(true);
}

bool
prompt_is_open(void)
{
	return prompt.open;
}

static void
give_up(void)
{
	rl_callback_handler_remove();
	rl_replace_line("", 1);
	prompt.ended = true;
	prompt.line = NULL;
}

void
prompt_feed(const struct press *p)
{
	if (prompt.ended)
		return;
	if (strcmp(p->name, "Esc") == 0 || strcmp(p->name, "C-c") == 0 ||
	    (strcmp(p->name, "Backspace") == 0 && rl_end == 0)) {
		give_up();
		return;
	}
	prompt.press = *p;
	prompt.taken = 0;
	while (has_byte() && !prompt.ended)
		rl_callback_read_char();
}

void
prompt_insert(struct str s)
{
	char	*text;
	size_t	 i;

	if (s.n > PASTE_MAX)
		s.n = PASTE_MAX;
	text = mem_array(s.n + 1, 1);
	if (text == NULL || prompt.ended) {
		free(text);
		return;
	}
	for (i = 0; i < s.n; i++)
		text[i] = (unsigned char)s.s[i] < 0x20 || s.s[i] == 0x7f ? ' ' : s.s[i];
	rl_insert_text(text);
	free(text);
}

void
prompt_poll(struct ui *ui)
{
	char	*line = prompt.line;

	if (!prompt.open || !prompt.ended)
		return;
	prompt.open = false;
	prompt.line = NULL;
	screen_paste(false);
	if (line != NULL)
		history_add(line);
	prompt.done(ui, line);
	free(line);
}

/* The column of the cursor is counted over what is drawn, not over what was typed. */
void
prompt_draw(struct area a)
{
	struct buf	b = BUF_INIT, head = BUF_INIT;
	struct str	s;
	size_t		cursor, n, w = (size_t)a.w;

	screen_fit(&head, str_of(rl_display_prompt != NULL ? rl_display_prompt : prompt.label));
	screen_fit(&head, (struct str){ rl_line_buffer, (size_t)rl_point });
	cursor = text_width(buf_view(&head));
	screen_fit(&b, str_of(rl_display_prompt != NULL ? rl_display_prompt : prompt.label));
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
	screen_cursor(a.y, a.x + (int)(cursor - prompt.scroll), true);
	buf_free(&b);
	buf_free(&head);
}

void
prompt_end(void)
{
	mode_t	mask;

	if (!prompt.ready)
		return;
	if (prompt.open && !prompt.ended)
		give_up();
	prompt.open = false;
	history_choose(false);
	if (prompt.history != NULL && history_length > 0 && make_folders(prompt.history)) {
		mask = umask(077);
		write_history(prompt.history);
		umask(mask);
	}
	clear_history();
	history_choose(true);
	clear_history();
	/* One list is readline's own, the other is ours to free. */
	free(prompt.other->entries);
	free(prompt.other);
	free(prompt.history);
	if (prompt.nowhere != NULL)
		fclose(prompt.nowhere);
	memset(&prompt, 0, sizeof prompt);
}
