/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* A host's zone file ends with the rules of its zone as a POSIX TZ string. */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tz.h"

/* The last line of a zone file. */
static bool read_rules(const char *path, char zone[PLACE_ZONE])
{
	char line[256] = "", magic[4] = "";
	struct tz tz;
	FILE *f = fopen(path, "re");

	if (f == NULL)
		return false;
	if (fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "TZif", sizeof magic) == 0)
		while (fgets(line, sizeof line, f) != NULL)
			line[strcspn(line, "\n")] = '\0';
	fclose(f);
	if (strlen(line) >= PLACE_ZONE || !tz_parse(line, &tz))
		return false;
	strcpy(zone, line);
	return true;
}

bool place_zone(const char *text, char zone[PLACE_ZONE])
{
	const char *directory = getenv("TZDIR");	/* also of the C library */
	char path[512];
	struct tz tz;

	if (strlen(text) < PLACE_ZONE && tz_parse(text, &tz)) {
		strcpy(zone, text);
		return true;
	}
	if (*text == ':')
		text++;
	if (*text == '\0' || *text == '/' || strstr(text, "..") != NULL || strlen(text) > 64)
		return false;
	if (directory == NULL)
		directory = "/usr/share/zoneinfo";
	return (size_t)snprintf(path, sizeof path, "%s/%s", directory, text) < sizeof path && read_rules(path, zone);
}

void place_host_zone(char zone[PLACE_ZONE])
{
	const char *tz = getenv("TZ");

	if (tz != NULL && place_zone(tz, zone))
		return;
	if (!read_rules("/etc/localtime", zone))
		strcpy(zone, "UTC0");
}

static bool read_seconds(const char *text, uint32_t *utc)
{
	char *end;
	unsigned long long seconds = strtoull(text, &end, 10);

	*utc = (uint32_t)seconds;
	return *text >= '0' && *text <= '9' && *end == '\0' && seconds <= UINT32_MAX;
}

bool place_time(const char *text, uint32_t *utc)
{
	static const char *const form[] = {
		"%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M",
	};

	for (unsigned i = 0; i < sizeof form / sizeof form[0]; i++) {
		struct tm tm = { 0 };
		const char *end = strptime(text, form[i], &tm);
		int day = tm.tm_mday;
		time_t time;

		if (end == NULL || (*end != '\0' && strcmp(end, "Z") != 0))
			continue;
		time = timegm(&tm);
		*utc = (uint32_t)time;
		return time >= 0 && time <= UINT32_MAX && tm.tm_mday == day;
	}
	return read_seconds(text, utc);
}
