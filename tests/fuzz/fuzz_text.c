/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_text: whatever goes in, what comes out is fit to be shown, and stays the same.
 */
#include "config.h"

#include <string.h>

#include "heapwalk.h"
#include "target.h"
#include "icecore/name.h"

/* Steps lead through the whole text, and their widths add up. */
static void
check_steps(struct str fitted)
{
	struct str rest = fitted;
	size_t width = 0, n, cols, used;

	while ((n = text_step(rest, &cols)) > 0) {
		MUST(cols <= 2);
		width += cols;
		rest.s += n;
		rest.n -= n;
	}
	MUST(rest.n == 0);
	MUST(text_width(fitted) == width);
	MUST(text_cut(fitted, width, &used) == fitted.n && used == width);
	n = text_cut(fitted, width / 2, &used);
	MUST(n <= fitted.n && used <= width / 2);
}

/* In any width; the two halves as names that are seen together. */
static void
check_names(struct str fitted)
{
	struct name_shown s[2] = { { .text = BUF_INIT }, { .text = BUF_INIT } };
	size_t half = text_cut(fitted, text_width(fitted) / 2, NULL);

	for (size_t w = 0; w < 40; w += 3) {
		s[0].whole = (struct str){ fitted.s, half };
		s[1].whole = str_after(fitted, half);
		s[0].width = s[1].width = w;
		names_short(s, 2, STR("~"));
		for (size_t i = 0; i < 2; i++)
			MUST(text_width(buf_view(&s[i].text)) <= w && (w == 0 || s[i].whole.n == 0 || s[i].text.n > 0));
	}
	buf_free(&s[0].text);
	buf_free(&s[1].text);
}

TARGET(text, NULL)
{
	struct str src = { (const char *)data, size };
	struct buf once = BUF_INIT, twice = BUF_INIT;
	char cut[64];
	size_t i, n;

	text_fit_buf(&once, src);
	text_fit_buf(&twice, buf_view(&once));
	MUST(str_eq(buf_view(&once), buf_view(&twice)));
	MUST(text_fit(cut, sizeof cut, src) == once.n);
	MUST(strlen(cut) < sizeof cut);
	MUST(str_has_prefix(buf_view(&once), str_of(cut)));
	for (i = 0; i < once.n; i++)
		MUST((unsigned char)once.s[i] >= 0x20 && once.s[i] != 0x7f);
	check_steps(buf_view(&once));
	check_names(buf_view(&once));
	n = text_fit_ascii(cut, sizeof cut, src);
	MUST(n <= size);
	for (i = 0; cut[i] != '\0'; i++)
		MUST(cut[i] >= 0x20 && cut[i] < 0x7f);
	buf_free(&once);
	buf_free(&twice);
}
