/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * complain: messages on standard error, with their exit status.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "icecore/cli.h"
#include "icecore/directory.h"
#include "icecore/limits.h"
#include "icecore/query.h"

static void
put_error(const struct buf *b)
{
	if (b->bad)
		fputs("icecore: out of memory\n", stderr);
	else
		fwrite(b->s, 1, b->n, stderr);
}

static void
complain_put_line(const char *file, struct str text, struct str end)
{
	struct buf b = BUF_INIT;

	buf_str(&b, STR("icecore: "));
	if (file != NULL) {
		text_fit_buf(&b, str_of(shown_path(file)));
		buf_str(&b, STR(": "));
	}
	text_fit_buf(&b, text);
	buf_str(&b, end);
	put_error(&b);
	buf_free(&b);
}

int
complain(const char *file, const struct err *err)
{
	struct buf end = BUF_INIT;

	assert(err->kind != E_NONE && err->text[0] != '\0');
	if (err->kind == E_SYSTEM && mem_refused() > 0)
		limits_put_advice(&end);
	buf_chr(&end, '\n');
	complain_put_line(err->named == 0 ? file : NULL, str_of(err->text),
	    end.bad ? STR("\n") : buf_view(&end));
	buf_free(&end);
	return (int)err->kind;
}

void
remark(const char *file, struct str text)
{
	complain_put_line(file, text, STR("\n"));
}

int
complain_ask(const struct ask *ask, const struct err *err)
{
	struct buf b = BUF_INIT;

	assert(err->kind != E_NONE && err->text[0] != '\0');
	if (err->at == ERR_NOWHERE)
		return complain(NULL, err);
	buf_str(&b, STR("icecore: "));
	if (ask->line > 0 && ask->path != NULL) {
		text_fit_buf(&b, str_of(shown_path(ask->path)));
		buf_printf(&b, ":%zu: ", ask->line);
	} else if (ask->line > 0)
		buf_printf(&b, "script line %zu: ", ask->line);
	query_show_error(ask->text, err, &b);
	put_error(&b);
	buf_free(&b);
	return (int)err->kind;
}

int
check_memory(int status)
{
	struct err err = { .at = ERR_NOWHERE };

	return status == E_SYSTEM || status == E_CANCEL || mem_whole(0, &err) ? status : complain(NULL, &err);
}
