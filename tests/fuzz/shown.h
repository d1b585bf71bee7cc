/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shown: what must hold of all that people see: of texts, pages of HTML, pictures and pages of Markdown.  Aborts.
 */
#ifndef TESTS_SHOWN_H
#define TESTS_SHOWN_H

#include "icecore/base.h"

/* Each line stays as it is in text_fit. */
void	shown_text(struct str);
/* A whole page, or a picture: its tags are known and closed, it has no script and no style but ours, and reaches for nothing. */
void	shown_page(struct str);
/* No markup and no links to people, issues or pages, except in code. */
void	shown_md(struct str);

#endif
