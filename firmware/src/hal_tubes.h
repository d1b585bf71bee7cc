/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the files of the board. */
#ifndef HAL_TUBES_H
#define HAL_TUBES_H

void hal_tubes_init(void);	/* registers dark, full light; the ports are set */

#endif
