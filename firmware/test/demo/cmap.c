/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of the firmware's ELF for ctrace.h: symbols by libelf, lines by avr-addr2line. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctrace.h"
#include "symbols.h"

enum { FLASH_END = 0x8000 };

static void name_function(struct ctrace_function *function, const char *symbol)
{
	unsigned vector;
	int end = 0;

	if (sscanf(symbol, "__vector_%u%n", &vector, &end) == 1 && symbol[end] == '\0' &&
	    vector > 0 && vector < CTRACE_VECTORS)
		snprintf(function->name, sizeof function->name, "%s_vect", ctrace_thread(vector));
	else
		snprintf(function->name, sizeof function->name, "%s", symbol);
}

/* Shared pieces of many functions, no functions themselves (-mcall-prologues). */
static bool shared(const char *name)
{
	return strcmp(name, "__prologue_saves__") == 0 || strcmp(name, "__epilogue_restores__") == 0;
}

static void take(struct ctrace_map *map, const struct symbols *symbols)
{
	for (size_t i = 0; i < symbols->count; i++) {
		const struct symbol *symbol = &symbols->list[i];

		if (!symbol->function || symbol->at == 0 || symbol->at >= FLASH_END ||
		    map->list[map->count - 1].at == symbol->at || shared(symbol->name))
			continue;
		map->list[map->count].at = (uint32_t)symbol->at;
		name_function(&map->list[map->count++], symbol->name);
	}
}

/* "/any/src/winc.c:120" gives clock.winc, winc.c, 120; "??:0" the library's. */
static void place(struct ctrace_function *function, char *path)
{
	char *colon = strrchr(path, ':'), *slash, *dot;

	snprintf(function->class, sizeof function->class, "avr.lib");
	function->line = -1;
	if (colon == NULL || path[0] == '?')
		return;
	*colon = '\0';
	if (atoi(colon + 1) > 0)
		function->line = atoi(colon + 1);
	slash = strrchr(path, '/');
	snprintf(function->file, sizeof function->file, "%.30s", slash == NULL ? path : slash + 1);
	dot = strrchr(function->file, '.');
	if (dot != NULL && strcmp(dot, ".c") == 0)
		snprintf(function->class, sizeof function->class, "clock.%.*s",
		    (int)(dot - function->file), function->file);
}

static bool find_lines(struct ctrace_map *map, const char *elf)
{
	char command[PATH_MAX + 64 + 16 * 2048], line[PATH_MAX];
	size_t used;
	FILE *f;

	if (strchr(elf, '\'') != NULL)
		return false;
	used = (size_t)snprintf(command, sizeof command, "avr-addr2line -e '%s'", elf);
	for (unsigned i = 0; i < map->count && used < sizeof command - 16; i++)
		used += (size_t)snprintf(command + used, sizeof command - used, " 0x%x", map->list[i].at);
	f = popen(command, "r");
	for (unsigned i = 0; f != NULL && i < map->count; i++) {
		if (fgets(line, sizeof line, f) == NULL)
			line[0] = '\0';
		place(&map->list[i], line);
	}
	return f != NULL && pclose(f) == 0;
}

bool ctrace_map_read(struct ctrace_map *map, const char *elf)
{
	struct symbols symbols;
	bool found;

	if (!symbols_read(&symbols, elf))
		return false;
	map->list = calloc(symbols.count + 1, sizeof map->list[0]);
	map->count = 1;
	if (map->list == NULL)
		abort();
	take(map, &symbols);
	symbols_free(&symbols);
	found = find_lines(map, elf);
	snprintf(map->list[0].name, sizeof map->list[0].name, "reset");
	return found;
}

void ctrace_map_free(struct ctrace_map *map)
{
	free(map->list);
	map->list = NULL;
	map->count = 0;
}
