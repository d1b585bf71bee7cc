/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz targets: files of a kind of bytecode, or archives of it, or what the runtime makes of it, opened and explored; what is
 * plainly of another kind is left to the others.
 */
#include "config.h"

#include "target.h"
#include "walk.h"

static void
walk_marked(const uint8_t *data, size_t size, struct str mark)
{
	if (str_has_prefix((struct str){ (const char *)data, size }, mark))
		walk_bytes(data, size);
}

TARGET(class, NULL) { walk_marked(data, size, STR("\xca\xfe\xba\xbe")); }
TARGET(dex, NULL) { walk_marked(data, size, STR("dex\n")); }
TARGET(elf, NULL) { walk_marked(data, size, STR("\177ELF")); }

/* A script may precede an archive. */
TARGET(zip, NULL)
{
	walk_marked(data, size, STR("PK"));
	walk_marked(data, size, STR("#!"));
}
