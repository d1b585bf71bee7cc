/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * presets: the presets of icecore, as text (presets.txt).
 */
#ifndef PRESETS_H
#define PRESETS_H

extern const char presets_txt[];

#endif
