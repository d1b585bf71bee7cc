/*
 * copy: what is selected goes to the clipboard of the user's terminal.
 */
#include "config.h"

#include "app.h"

enum { COPY_MAX = 74994 };	/* bytes; terminals take 100000 of base64 */

static void
add_base64(struct buf *b, struct str s)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t	v;
	size_t		i, k, left;

	for (i = 0; i < s.n; i += 3) {
		left = s.n - i < 3 ? s.n - i : 3;
		for (v = 0, k = 0; k < 3; k++)
			v = v << 8 | (k < left ? (unsigned char)s.s[i + k] : 0);
		for (k = 0; k < 4; k++)
			buf_chr(b, k <= left ? digits[v >> (18 - 6 * k) & 63] : '=');
	}
}

void
app_copy(struct app *app)
{
	struct pane	*p = ui_pane(app->ui);
	struct buf	 what = BUF_INIT, out = BUF_INIT;

	if (p->does.copy != NULL)
		p->does.copy(p, &what);
	if (what.n == 0)
		ui_say(app->ui, "nothing is selected");
	else if (what.n > COPY_MAX)
		ui_say(app->ui, "too long for a clipboard; w writes a file");
	else {
		buf_str(&out, STR("\033]52;c;"));
		add_base64(&out, buf_view(&what));
		buf_chr(&out, '\a');
		if (!out.bad)
			screen_raw(buf_view(&out));
		ui_say(app->ui, "sent to the clipboard (OSC 52)");
	}
	buf_free(&what);
	buf_free(&out);
}
