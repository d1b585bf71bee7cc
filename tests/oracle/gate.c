/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate eyes|data: standard input, text that NULs end, through the gate; each of them on its own.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "../tools.h"
#include "icecore/base.h"

TOOL(oracle, gate)
{
	struct buf text = BUF_INIT, fitted = BUF_INIT;
	bool eyes = argc == 2 && strcmp(argv[1], "eyes") == 0;
	int c;

	while ((c = getchar()) != EOF && !text.bad && !fitted.bad) {
		if (c != '\0') {
			buf_chr(&text, (char)c);
			continue;
		}
		buf_clear(&fitted);
		(eyes ? text_fit_buf : text_fit_data)(&fitted, buf_view(&text));
		fwrite(fitted.s, 1, fitted.n, stdout);
		putchar('\0');
		buf_clear(&text);
	}
	c = text.bad || fitted.bad || text.n > 0;
	buf_free(&text);
	buf_free(&fitted);
	return c;
}
