/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * indexfile: the sums of a changed index are made right again, so that what was changed is read.
 */
#ifndef TESTS_INDEXFILE_H
#define TESTS_INDEXFILE_H

#include <stddef.h>
#include <stdint.h>

/* header: that of an index of the same source; what it says of the source is put in, too. */
void	index_put_right(uint8_t *index, size_t n, const uint8_t *header);

#endif
