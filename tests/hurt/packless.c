/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program icecore as it is without the optional libraries that unpack: this replaces inflate.o of the library.
 */
#include "config.h"

#undef USE_ZSTD
#undef USE_XZ
#undef USE_BZIP2

#include "load/inflate.c"
