/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make config: sets the clock up over its serial port, and reads back what it
 * keeps.  All comes by the environment, where no list of processes shows it:
 *
 *   PORT        the serial port, /dev/ttyUSB0
 *   SSID, TZ, SERVER    TZ: a zone of this host or a POSIX string, the host's own where it is not set;
 *               other settings stay as they are in the clock
 *   PASS_FILE   a file with the pass phrase in its first line; or
 *   PASS        the pass phrase; or it is asked for, without echo, where there is a terminal
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "place.h"
#include "tz.h"

enum { ROOM = 8192, LINE = 80, WAKE_MS = 700, ANSWER_MS = 5000, TRIES = 10, SECRET = 64 };

static int port = -1;
static char said[ROOM];			/* since the last line was sent */
static size_t said_size;

/* ---- the line -------------------------------------------------------------- */

static void open_port(const char *path)
{
	struct termios settings;

	port = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (port < 0)
		err(1, "%s", path);
	if (tcgetattr(port, &settings) != 0)
		err(1, "%s is not a serial port", path);
	cfmakeraw(&settings);
	cfsetspeed(&settings, B115200);
	settings.c_cflag |= CLOCAL | CREAD;
	settings.c_cflag &= ~(tcflag_t)CRTSCTS;
	if (tcsetattr(port, TCSANOW, &settings) != 0)
		err(1, "%s: 115200 baud", path);
}

static void forget(void)
{
	said_size = 0;
	said[0] = '\0';
}

static void send_text(const char *text)
{
	size_t size = strlen(text);

	while (size > 0) {
		ssize_t n = write(port, text, size);

		if (n < 0 && errno != EINTR)
			err(1, "the serial port");
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The last line is a prompt: all has been said. */
static bool prompted(void)
{
	const char *last = strrchr(said, '\n');

	return last != NULL && (strcmp(last, "\n> ") == 0 || strcmp(last, "\nunsaved> ") == 0);
}

/* Reads up to the prompt; false: it did not come in that many ms. */
static bool listen_for(long ms)
{
	long end = now_ms() + ms, left;

	while (!prompted() && (left = end - now_ms()) > 0) {
		struct pollfd wait = { .fd = port, .events = POLLIN };
		ssize_t n;

		if (poll(&wait, 1, (int)left) <= 0)
			continue;
		if (said_size == ROOM - 1)
			forget();
		n = read(port, said + said_size, ROOM - 1 - said_size);
		if (n <= 0)
			errx(1, "the serial port is gone");
		said_size += (size_t)n;
		said[said_size] = '\0';
	}
	return prompted();
}

/* ---- the console ----------------------------------------------------------- */

/* Opening the port resets the clock; a boot loader may wait before it starts.  ^U drops half a line. */
static void wake(const char *path)
{
	for (unsigned i = 0; i < TRIES; i++) {
		forget();
		send_text("\x15\r");
		if (!listen_for(WAKE_MS))
			continue;
		while (poll(&(struct pollfd){ .fd = port, .events = POLLIN }, 1, WAKE_MS / 2) > 0) {
			said[0] = '\0';
			said_size = 0;
			listen_for(WAKE_MS);
		}
		return;
	}
	errx(1, "%s: no clock answers there (115200 baud; is another program on this port?)", path);
}

/* Runs a line; what was said behind its echo. */
static const char *command(const char *line)
{
	const char *answer;

	forget();
	send_text(line);
	send_text("\r");
	if (!listen_for(ANSWER_MS))
		errx(1, "the clock does not answer");
	answer = strstr(said, "\r\n");
	return answer != NULL ? answer + 2 : said;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Sets one setting; the clock's words when it refuses. */
static void set(const char *name, const char *value)
{
	char line[LINE + 1];
	const char *answer;
	bool taken;

	if (value == NULL)
		return;
	for (const char *p = value; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 127)
			errx(1, "%s: control characters in it", name);
	if (snprintf(line, sizeof line, "%s %s", name, value) >= (int)sizeof line)
		errx(1, "%s: too long", name);
	answer = command(line);
	explicit_bzero(line, sizeof line);
	taken = begins(answer, "ok\r\n");
	printf("%-7s %s\n", name, taken ? "ok" : "refused");
	if (!taken)
		errx(1, "the clock says: %.*s", (int)strcspn(answer, "\r\n"), answer);
}

/* Does `show` have this row? */
static void check(const char *name, const char *value)
{
	char row[2 * LINE];

	if (value == NULL)
		return;
	snprintf(row, sizeof row, "\n%s: %s\r\n", name, value);
	if (strstr(said, row) == NULL)
		errx(1, "the clock has kept another %s", name);
}

/* ---- the pass phrase ------------------------------------------------------- */

static void read_line(FILE *f, char secret[SECRET + 2])
{
	if (fgets(secret, SECRET + 2, f) == NULL)
		secret[0] = '\0';
	secret[strcspn(secret, "\r\n")] = '\0';
}

static void ask(char secret[SECRET + 2])
{
	FILE *terminal = fopen("/dev/tty", "r+e");
	struct termios before, silent;

	if (terminal == NULL || tcgetattr(fileno(terminal), &before) != 0)
		return;
	silent = before;
	silent.c_lflag &= ~(tcflag_t)ECHO;
	tcsetattr(fileno(terminal), TCSAFLUSH, &silent);
	/* Not before: TCSAFLUSH drops an answer that comes at once. */
	fputs("pass phrase (empty: keep the clock's): ", terminal);
	fflush(terminal);
	read_line(terminal, secret);
	tcsetattr(fileno(terminal), TCSAFLUSH, &before);
	fputc('\n', terminal);
	fclose(terminal);
}

/* Empty: none is to be set. */
static void pass_phrase(char secret[SECRET + 2])
{
	const char *path = getenv("PASS_FILE"), *pass = getenv("PASS");
	FILE *f;

	secret[0] = '\0';
	if (path != NULL) {
		f = fopen(path, "re");
		if (f == NULL)
			err(1, "%s", path);
		read_line(f, secret);
		fclose(f);
	} else if (pass != NULL) {
		snprintf(secret, SECRET + 2, "%s", pass);
	} else {
		ask(secret);
	}
}

/* ---- the zone -------------------------------------------------------------- */

enum { HALF_HOUR = 1800, YEARS = 15, PERIODS = 3 };

/* Seconds east of Greenwich in the zone of TZ, which may have rules that no POSIX string has. */
static int32_t zone_offset(time_t utc)
{
	struct tm tm;

	return localtime_r(&utc, &tm) == NULL ? 0 : (int32_t)tm.tm_gmtoff;
}

static void show_time(const char *before, time_t utc)
{
	char text[32];
	struct tm tm;

	strftime(text, sizeof text, "%Y-%m-%d %H:%M", gmtime_r(&utc, &tm));
	printf("%s%s", before, text);
}

static void show_period(time_t from, time_t to)
{
	int32_t minutes = zone_offset(from) / 60, hours = minutes / 60;

	show_time("          from ", from);
	show_time(" to ", to);
	printf(" UTC: tz <%c%02d", minutes < 0 ? '-' : '+', abs(hours));
	if (minutes % 60 != 0)
		printf("%02d>%s%d:%02d\n", abs(minutes % 60), minutes > 0 ? "-" : "", abs(hours), abs(minutes % 60));
	else
		printf(">%d\n", -hours);
}

/* Warns where the zone of the next years differs from the rule that the clock follows. */
static void compare_zone(const char *zone)
{
	time_t now = time(NULL) / HALF_HOUR * HALF_HOUR, from = 0;
	unsigned periods = 0;
	struct tz rule;
	uint32_t next;

	tzset();
	tz_parse(zone, &rule);
	for (time_t utc = now; utc < now + YEARS * 31557600L; utc += HALF_HOUR) {
		bool differs = zone_offset(utc) != tz_offset(&rule, (uint32_t)utc, &next);

		if (differs && from == 0) {
			from = utc;
			if (periods++ == 0)
				printf("warning: the clock follows the rule %s; the zone differs from it:\n", zone);
		} else if (!differs && from != 0) {
			if (periods <= PERIODS)
				show_period(from, utc);
			from = 0;
		}
	}
	if (periods > PERIODS)
		printf("          and %u more times in %d years\n", periods - PERIODS, YEARS);
	if (periods > 0)
		printf("          At these times, type the tz command on the clock's console, and save.\n");
}

int main(void)
{
	const char *path = getenv("PORT"), *ssid = getenv("SSID"), *server = getenv("SERVER"), *tz = getenv("TZ");
	char zone[PLACE_ZONE], secret[SECRET + 2], pass[16];
	size_t length;

	if (path == NULL)
		errx(2, "PORT is not set: make config PORT=/dev/ttyUSB0 SSID=... TZ=Europe/Berlin");
	if (tz == NULL)
		place_host_zone(zone);
	else if (!place_zone(tz, zone))
		errx(2, "TZ=%s: neither a zone of this host, nor a POSIX string of at most %d bytes", tz, PLACE_ZONE - 1);
	compare_zone(zone);
	fflush(stdout);
	pass_phrase(secret);
	length = strlen(secret);
	open_port(path);
	wake(path);
	set("ssid", ssid);
	set("pass", length > 0 ? secret : NULL);
	explicit_bzero(secret, sizeof secret);
	set("tz", zone);
	set("server", server);
	if (!begins(command("save"), "saved"))
		errx(1, "the clock could not save: %.*s", (int)strcspn(said, "\r\n"), said);
	printf("%-7s %s\n", "save", strstr(said, "no ssid") != NULL ? "ok, but the clock has no ssid" : "ok");
	command("show");
	check("ssid", ssid);
	check("tz", zone);
	check("server", server);
	snprintf(pass, sizeof pass, "set (%zu)", length);
	check("pass", length > 0 ? pass : NULL);
	printf("the clock has kept it: tz %s\n", zone);
	return 0;
}
