/*
 * legend: what the letters of states in tracks stand for.
 */
#include "config.h"

#include "lane.h"

enum { FIRST_STATES = 64, LETTER_W = 2, GAP = 2 };

uint64_t
lane_states(const struct lane *l)
{
	uint64_t	states = 0;

	for (int i = 0; l->track.kind == TRACK_STATE && i < l->seen; i++)
		if (l->piece[i].state < FIRST_STATES)
			states |= (uint64_t)1 << l->piece[i].state;
	return states;
}

/* How many lines they take; they are drawn from the line y on, where that is one. */
static int
lay(const struct store *st, uint64_t states, struct area a, int y)
{
	struct buf	name = BUF_INIT;
	char		letter[2] = "";
	uint32_t	n = states_count(st) < FIRST_STATES ? (uint32_t)states_count(st) : FIRST_STATES;
	int		x = 0, lines = 0, w;

	for (uint32_t i = 0; i < n; i++) {
		if ((states >> i & 1) == 0)
			continue;
		buf_clear(&name);
		screen_fit(&name, str_of(state_name(st, i)));
		w = (int)text_width(buf_view(&name)) + LETTER_W;
		if (lines == 0 || x + w > a.w) {
			lines++;
			x = 0;
		}
		if (y >= 0) {
			letter[0] = state_letter(st, i);
			screen_puts(y + lines - 1, a.x + x, 1, state_role(state_class(st, i)), LOOK_PLAIN, letter);
			screen_put(y + lines - 1, a.x + x + LETTER_W, a.w - x - LETTER_W, ROLE_DIM, LOOK_PLAIN,
			    buf_view(&name));
		}
		x += w + GAP;
	}
	buf_free(&name);
	return lines;
}

void
lane_legend(const struct store *st, uint64_t states, struct area a)
{
	int	lines = lay(st, states, a, -1);

	if (lines <= a.h)
		lay(st, states, a, a.y + a.h - lines);
}
