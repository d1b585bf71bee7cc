/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The host's set-up tool, talking by a pseudo-terminal to the firmware on the PC's processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "rig.h"

enum { SSID = 4, PASS = 37, TZ = 102, SERVER = 150, ROOM = 4096, STEPS = 20000 };

static struct rig *rig;
static int master;
static int terminal = -1;		/* where somebody is asked, and answers */
static char asked[ROOM];		/* the text there */
static char output[ROOM];		/* of the tool */
static char arguments[ROOM];		/* as the list of processes had them */

static int setup(void **state)
{
	struct termios raw;
	char *name;
	int slave;

	(void)state;
	rig = rig_new(&rig_pc, "", 1);
	master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	name = ptsname(master);
	setenv("PORT", name, 1);
	slave = open(name, O_RDWR | O_NOCTTY);	/* stays open: a port without a program on it is not an error */
	tcgetattr(slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(slave, TCSANOW, &raw);
	unsetenv("SSID");
	unsetenv("TZ");
	unsetenv("SERVER");
	unsetenv("PASS");
	unsetenv("PASS_FILE");
	rig_secret(rig, "top secret");
	rig_power(rig, true);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	close(master);
	rig_free(rig);
	return 0;
}

static pid_t start(int *out)
{
	char self[ROOM], path[ROOM + 16];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	int ends[2];
	pid_t pid;

	assert_true(n > 0 && pipe(ends) == 0);
	self[n] = '\0';
	snprintf(path, sizeof path, "%s/config", dirname(self));
	pid = fork();
	if (pid == 0) {
		setsid();
		if (terminal >= 0)
			open(ptsname(terminal), O_RDWR);	/* the one to ask at */
		dup2(ends[1], 1);
		dup2(ends[1], 2);
		execl(path, "config", (char *)NULL);
		_exit(99);
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	*out = ends[0];
	return pid;
}

static void drain(int out)
{
	size_t size = strlen(output);
	ssize_t n = read(out, output + size, ROOM - 1 - size);

	if (n > 0)
		output[size + (size_t)n] = '\0';
}

/* The pass phrase, as soon as it is asked for. */
static void answer(void)
{
	size_t size = strlen(asked);
	ssize_t n = terminal < 0 ? 0 : read(terminal, asked + size, ROOM - 1 - size);

	if (n > 0)
		asked[size + (size_t)n] = '\0';
	if (size == 0 && strstr(asked, "pass phrase") != NULL)
		assert_true(write(terminal, "top secret 3\n", 13) == 13);
}

static void look(pid_t pid)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
	f = fopen(path, "r");
	if (f == NULL)
		return;
	memset(arguments, 0, sizeof arguments);
	for (size_t i = 0, n = fread(arguments, 1, sizeof arguments - 1, f); i + 1 < n; i++)
		if (arguments[i] == '\0')
			arguments[i] = ' ';
	fclose(f);
}

/* Runs it to its end beside the clock; its exit status. */
static int config(void)
{
	int out, status = -1;
	pid_t pid = start(&out);

	output[0] = '\0';
	for (unsigned i = 0; i < STEPS && waitpid(pid, &status, WNOHANG) == 0; i++) {
		uint8_t bytes[256];
		ssize_t n = read(master, bytes, sizeof bytes);

		look(pid);
		answer();
		if (n > 0)
			rig_type_bytes(rig, bytes, (uint32_t)n);
		rig_run(rig, 0.002);
		if (rig->heard_size > 0 && write(master, rig->heard, rig->heard_size) == (ssize_t)rig->heard_size)
			rig_forget(rig);
		drain(out);
		usleep(1000);
	}
	drain(out);
	close(out);
	assert_true(WIFEXITED(status));
	assert_false(rig->leaked);
	assert_null(strstr(output, "top secret"));
	assert_null(strstr(arguments, "top secret"));
	return WEXITSTATUS(status);
}

/* The slot with the higher sequence. */
static const char *stored(unsigned at)
{
	const uint8_t *eeprom = rig->cpu->eeprom(rig), *slot = eeprom;

	if (eeprom[256] == 0x58 && (int8_t)(eeprom[256 + 3] - eeprom[3]) > 0)
		slot += 256;
	return (const char *)slot + at;
}

static void sets_all(void **state)
{
	(void)state;
	setenv("SSID", "my 'net' $HOME", 1);
	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	setenv("SERVER", "ntp.example ntp2.example", 1);
	setenv("PASS", "top secret", 1);
	if (config() != 0)
		fail_msg("%s", output);
	assert_string_equal(stored(SSID), "my 'net' $HOME");
	assert_string_equal(stored(PASS), "top secret");
	assert_string_equal(stored(TZ), "CET-1CEST,M3.5.0,M10.5.0/3");
	assert_string_equal(stored(SERVER), "ntp.example ntp2.example");
	assert_non_null(strstr(output, "the clock has kept it: tz CET-1CEST,M3.5.0,M10.5.0/3\n"));
	/* what is not given stays */
	unsetenv("SSID");
	unsetenv("PASS");
	unsetenv("SERVER");
	setenv("TZ", "EST5EDT,M3.2.0,M11.1.0", 1);
	assert_int_equal(config(), 0);
	assert_string_equal(stored(SSID), "my 'net' $HOME");
	assert_string_equal(stored(PASS), "top secret");
	assert_string_equal(stored(TZ), "EST5EDT,M3.2.0,M11.1.0");
}

static void pass_from_a_file(void **state)
{
	char path[] = "/tmp/passXXXXXX";
	int file = mkstemp(path);

	(void)state;
	assert_true(write(file, "top secret 2\n", 13) == 13);
	close(file);
	setenv("SSID", "net", 1);
	setenv("TZ", "UTC0", 1);
	setenv("PASS", "not this one", 1);
	setenv("PASS_FILE", path, 1);
	assert_int_equal(config(), 0);
	unlink(path);
	assert_string_equal(stored(PASS), "top secret 2");
	assert_int_equal(config(), 1);		/* the file is gone */
}

static void asks_without_echo(void **state)
{
	(void)state;
	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
	setenv("SSID", "net", 1);
	setenv("TZ", "UTC0", 1);
	asked[0] = '\0';
	if (config() != 0)
		fail_msg("%s", output);
	close(terminal);
	terminal = -1;
	assert_string_equal(stored(PASS), "top secret 3");
	assert_non_null(strstr(asked, "pass phrase"));
	assert_null(strstr(asked, "top secret"));
}

/* ---- zones of our own: those of tzdata change with the laws -------------- */

enum { DAY = 86400, TIMES = 5, HOUR = 3600 };

static void big_endian(FILE *f, int64_t value, unsigned bytes)
{
	while (bytes-- > 0)
		fputc((int)(value >> 8 * bytes & 0xff), f);
}

/* A block of a zone file: so many changes from +01 to +00 and back, 30 days later. */
static void zone_block(FILE *f, time_t first, unsigned times)
{
	static const char head[32] = "TZif2";

	fwrite(head, 1, sizeof head, f);
	big_endian(f, 2 * times, 4);
	big_endian(f, 2, 4);
	big_endian(f, 8, 4);
	for (unsigned i = 0; i < 2 * times; i++)
		big_endian(f, first + i / 2 * 365L * DAY + i % 2 * 30L * DAY, 8);
	for (unsigned i = 0; i < 2 * times; i++)
		fputc(i % 2 == 0, f);
	big_endian(f, HOUR, 4);
	big_endian(f, 0, 2);
	big_endian(f, 0, 4);
	big_endian(f, 4, 2);
	fwrite("+01\0+00", 1, 8, f);
}

/* TZ is this zone, alone in its directory. */
static void zone_of_our_own(const char *directory, time_t first, unsigned times)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "%s/Own", directory);
	f = fopen(path, "w");
	assert_non_null(f);
	zone_block(f, 0, 0);
	zone_block(f, first, times);
	fputs("\n<+01>-1\n", f);
	assert_int_equal(fclose(f), 0);
	setenv("TZDIR", directory, 1);
	setenv("TZ", "Own", 1);
}

/* A zone with changes that its rule does not have: the tool lists when it differs. */
static void warns_of_zones(void **state)
{
	char directory[] = "/tmp/t_config.XXXXXX", path[64], wanted[128];
	time_t first = time(NULL) / DAY * DAY + 10 * DAY, second = first + 30L * DAY;
	size_t size;

	(void)state;
	assert_non_null(mkdtemp(directory));
	setenv("SSID", "net", 1);
	setenv("PASS", "top secret", 1);
	zone_of_our_own(directory, first, TIMES);
	assert_int_equal(config(), 0);
	assert_string_equal(stored(TZ), "<+01>-1");
	size = strftime(wanted, sizeof wanted, "differs from it:\n          from %Y-%m-%d 00:00 to ", gmtime(&first));
	strftime(wanted + size, sizeof wanted - size, "%Y-%m-%d 00:00 UTC: tz <+00>0\n", gmtime(&second));
	assert_non_null(strstr(output, "warning: the clock follows the rule <+01>-1; the zone "));
	assert_non_null(strstr(output, wanted));
	assert_non_null(strstr(output, " and 2 more times in 15 years\n"));
	rig_button(rig);
	zone_of_our_own(directory, first, 0);
	assert_int_equal(config(), 0);
	assert_string_equal(stored(TZ), "<+01>-1");
	assert_null(strstr(output, "warning"));
	snprintf(path, sizeof path, "%s/Own", directory);
	unlink(path);
	rmdir(directory);
	unsetenv("TZDIR");
}

static void refuses(void **state)
{
	(void)state;
	setenv("SSID", "net", 1);
	setenv("TZ", "Nowhere/Nix", 1);
	assert_int_equal(config(), 2);
	assert_non_null(strstr(output, "TZ=Nowhere/Nix: neither a zone"));
	setenv("TZ", "UTC0", 1);
	setenv("PASS", "short", 1);
	assert_int_equal(config(), 1);
	assert_non_null(strstr(output, "the clock says: expected: pass TEXT, 8 to 63"));
	setenv("PASS", "top secret", 1);
	setenv("SSID", "net\rerase yes", 1);
	assert_int_equal(config(), 1);
	assert_non_null(strstr(output, "control characters"));
	assert_int_equal((uint8_t)*stored(SSID), 0xff);
	unsetenv("SSID");
	rig_button(rig);
	assert_int_equal(config(), 0);
	assert_non_null(strstr(output, "the clock has no ssid"));
}

/* Another voice on the port. */
static void no_clock(void **state)
{
	(void)state;
	rig_power(rig, false);
	setenv("TZ", "UTC0", 1);
	setenv("PASS", "top secret", 1);
	assert_int_equal(config(), 1);
	assert_non_null(strstr(output, "no clock answers there"));
	setenv("PORT", "/dev/null", 1);
	assert_int_equal(config(), 1);
	assert_non_null(strstr(output, "not a serial port"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(sets_all), TEST(pass_from_a_file), TEST(asks_without_echo), TEST(warns_of_zones), TEST(refuses), TEST(no_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
