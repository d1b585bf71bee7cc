/* What the tubes show, with a clock, a network and a board made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "clk.h"
#include "conf.h"
#include "digits.h"
#include "disp.h"
#include "hal.h"
#include "net.h"
#include "sync.h"

/* digits.c with a table that can be broken. */
static bool true_digits_read(const uint8_t word[WORD_BYTES], uint8_t digit[PLACES]);
#define digits_read true_digits_read
#include "digits.c"
#undef digits_read

static bool table_broken;

bool digits_read(const uint8_t word[WORD_BYTES], uint8_t digit[PLACES])
{
	return !table_broken && true_digits_read(word, digit);
}

struct conf conf;

/* The world: ms since start, UTC of the second shown, the part of it that is over. */
static uint32_t world_ms, world_utc, world_next, world_part;
static bool world_known, world_leap;
static enum sync_state world_sync;
static uint8_t world_code;
/* What was done to the board. */
static uint8_t shown[WORD_BYTES], level;
static bool high_voltage;
static unsigned shows;
static uint64_t lit_ms[PLACES][10];	/* times 16 */
/* An interrupt in the middle: at the n-th call of the world from now. */
static int interrupt_in = -1;

static void begin_second(void)
{
	world_utc = world_next;
	world_next = world_leap ? world_utc : world_utc + 1;
	world_leap = false;
	world_part = 0;
	disp_second();
}

static void called(void)
{
	if (interrupt_in >= 0 && interrupt_in-- == 0)
		begin_second();
}

bool clk_known(void) { called(); return world_known; }
uint32_t clk_unix(void) { called(); return world_utc; }
uint32_t clk_next(void) { called(); return world_next; }
enum sync_state sync_state(void) { called(); return world_sync; }
uint8_t net_code(void) { called(); return world_code; }
uint32_t hal_ms(void) { called(); return world_ms; }

uint8_t hal_lock(void)
{
	called();
	return 0;
}

void hal_unlock(uint8_t before)
{
	assert_int_equal(before, 0);
	called();
}

void hal_show(const uint8_t word[6])
{
	uint8_t digit[PLACES];

	assert_true(true_digits_read(word, digit));
	memcpy(shown, word, sizeof(shown));
	shows++;
}

void hal_dim(uint8_t to)
{
	assert_true(to > 0 && to <= 16);
	level = to;
}

void hal_hv(bool on)
{
	static const uint8_t dark[WORD_BYTES];

	if (on && !high_voltage)
		assert_true(shows > 0);
	if (!on && high_voltage)
		assert_memory_equal(shown, dark, WORD_BYTES);
	high_voltage = on;
}

/* The tubes as text; no high voltage: spaces. */
static const char *tubes(void)
{
	static char text[PLACES + 1];
	uint8_t digit[PLACES];

	true_digits_read(shown, digit);
	for (unsigned i = 0; i < PLACES; i++)
		text[i] = !high_voltage ? ' ' : digit[i] == DARK ? '-' : (char)('0' + digit[i]);
	return text;
}

static void count_lit(uint32_t ms)
{
	uint8_t digit[PLACES];

	true_digits_read(shown, digit);
	for (unsigned i = 0; i < PLACES && high_voltage; i++)
		if (digit[i] != DARK)
			lit_ms[i][digit[i]] += (uint64_t)ms * level;
}

/* Lets time go by in steps that fit into a second. */
static void run(uint32_t ms, uint32_t step)
{
	for (; ms > 0; ms -= step) {
		world_ms += step;
		world_part += step;
		count_lit(step);
		if (world_part >= 1000)
			begin_second();
		disp_pass();
	}
}

static int setup(void **state)
{
	(void)state;
	memset(&conf, 0, sizeof(conf));
	strcpy(conf.tz, "UTC0");
	conf.flags = CONF_EXERCISE;
	world_ms = 4294966000U;		/* hal_ms wraps in each test */
	world_utc = 0;
	world_next = 1;
	world_part = 0;
	world_known = world_leap = table_broken = false;
	world_sync = SYNC_NEVER;
	world_code = CODE_NONE;
	memset(shown, 0xff, sizeof(shown));
	memset(lit_ms, 0, sizeof(lit_ms));
	level = 16;
	high_voltage = false;
	shows = 0;
	interrupt_in = -1;
	disp_init();
	assert_false(high_voltage);
	return 0;
}

/* The clock is known: utc begins now. */
static void set_time(uint32_t utc)
{
	world_known = true;
	world_sync = SYNC_FRESH;
	world_utc = utc;
	world_next = utc + 1;
	world_part = 0;
	disp_pass();
}

static void start_show(void **state)
{
	(void)state;
	disp_pass();
	assert_string_equal(tubes(), "000000");
	run(500, 10);
	assert_string_equal(tubes(), "111111");
	run(1500, 10);
	assert_string_equal(tubes(), "144444");
	run(10500, 10);
	assert_string_equal(tubes(), "151515");
	run(3500, 10);			/* 16 s */
	assert_string_equal(tubes(), "----22");
	run(4000, 10);
	assert_string_equal(tubes(), "----40");
	world_code = CODE_NO_AUTH;
	run(60, 10);
	assert_string_equal(tubes(), "----12");
	run(3600000, 50);
	assert_string_equal(tubes(), "----12");
	world_code = CODE_NONE;
	run(60, 10);
	assert_true(strncmp(tubes(), "----", 4) == 0 && tubes()[5] != '-');
}

static void code_at_start(void **state)
{
	(void)state;
	world_code = CODE_NO_CONFIG;
	disp_pass();
	assert_string_equal(tubes(), "----01");
}

static void the_time(void **state)
{
	(void)state;
	set_time(86399 + 86400 * 20000UL);
	assert_string_equal(tubes(), "235959");
	run(990, 10);
	assert_string_equal(tubes(), "235959");
	world_part += 10;
	begin_second();			/* by the interrupt alone */
	assert_string_equal(tubes(), "000000");
	for (uint32_t second = 1; second < 7200; second++) {
		char expected[24];

		run(1000, 500);
		snprintf(expected, sizeof(expected), "%02u%02u%02u",
		    (unsigned)(second / 3600), (unsigned)(second / 60 % 60), (unsigned)(second % 60));
		assert_string_equal(tubes(), expected);
	}
}

static void hours(void **state)
{
	(void)state;
	conf.flags = 0;
	for (unsigned flags = 0; flags < 4; flags++)
		for (unsigned hour = 0; hour < 24; hour++) {
			unsigned face = flags & 1 ? hour % 12 ? hour % 12 : 12 : hour;
			char expected[24];

			conf.flags = (uint8_t)((flags & 1 ? CONF_12_HOURS : 0) | (flags & 2 ? CONF_NO_ZERO : 0));
			set_time(86400UL * 20000 + hour * 3600 + 300);
			snprintf(expected, sizeof(expected), flags & 2 ? "%2u0500" : "%02u0500", face);
			if (expected[0] == ' ')
				expected[0] = '-';
			run(50, 10);
			assert_string_equal(tubes(), expected);
		}
}

static void watchdog(void **state)
{
	(void)state;
	disp_watchdog();
	set_time(1795178096);
	assert_string_equal(tubes(), "----40");
	run(4990, 10);
	assert_string_equal(tubes(), "----40");
	run(20, 10);
	assert_string_equal(tubes(), "123501");
}

static void stale(void **state)
{
	(void)state;
	set_time(1795178096);
	world_sync = SYNC_STALE;
	run(3000, 10);
	assert_string_equal(tubes(), "123459");
	run(1000, 10);
	assert_string_equal(tubes(), "----21");
	world_code = CODE_LINK_LOST;
	run(1990, 10);
	assert_string_equal(tubes(), "----14");
	run(10, 10);
	assert_string_equal(tubes(), "123502");
	world_sync = SYNC_OLD;
	run(50, 10);
	assert_string_equal(tubes(), "1235--");
	run(58000, 50);
	assert_string_equal(tubes(), "1236--");
	world_sync = SYNC_FRESH;
	run(50, 10);
	assert_string_equal(tubes(), "123600");
	run(60000, 50);
	assert_string_equal(tubes(), "123700");
}

static void bad_zone(void **state)
{
	(void)state;
	strcpy(conf.tz, "EST5EDT,nonsense");
	disp_zone();
	assert_true(disp_zone_bad());
	set_time(1795178099);
	assert_string_equal(tubes(), "123459");
	run(1000, 10);
	assert_string_equal(tubes(), "----30");
	run(2000, 10);
	assert_string_equal(tubes(), "123502");
	strcpy(conf.tz, "EST5EDT,M3.2.0,M11.1.0");
	disp_zone();
	assert_false(disp_zone_bad());
	run(50, 10);
	assert_string_equal(tubes(), "073502");
}

static void summer_time(void **state)
{
	(void)state;
	conf.flags = 0;
	strcpy(conf.tz, "EST5EDT,M3.2.0,M11.1.0");
	disp_zone();
	set_time(1772953199);
	assert_string_equal(tubes(), "015959");
	world_part = 990;
	disp_pass();
	begin_second();
	assert_string_equal(tubes(), "030000");
	set_time(1793512799);
	run(50, 10);
	assert_string_equal(tubes(), "015959");
	begin_second();
	assert_string_equal(tubes(), "010000");
	set_time(1793512799);		/* a step back over the change */
	run(50, 10);
	assert_string_equal(tubes(), "015959");
}

/* An interrupt at any point of disp_pass leaves the newer second on the tubes. */
static void interrupted(void **state)
{
	(void)state;
	for (int at = 0; at < 40; at++) {
		char newer[7];

		set_time(1795178096);
		run(100, 50);
		world_ms += 50;
		world_part = 950;
		interrupt_in = at;
		disp_pass();
		if (interrupt_in >= 0)
			return;		/* past the last call */
		interrupt_in = -1;
		assert_int_equal(world_utc, 1795178097);
		memcpy(newer, tubes(), sizeof(newer));
		assert_string_equal(newer, "123457");
	}
	fail_msg("disp_pass calls without end");
}

/* After a step the prepared picture is not the one of the next second: the old one may stay, a wrong one not come. */
static void stepped(void **state)
{
	(void)state;
	set_time(1795178096);
	run(500, 10);
	world_next = 1795181701;
	begin_second();
	assert_string_equal(tubes(), "123456");
	disp_pass();
	assert_string_equal(tubes(), "133501");
}

static void leap(void **state)
{
	(void)state;
	set_time(1782863998);		/* 2026-06-30 23:59:58 */
	world_leap = true;
	run(1000, 10);
	assert_string_equal(tubes(), "235959");
	run(1000, 10);
	assert_string_equal(tubes(), "235959");
	run(1000, 10);
	assert_string_equal(tubes(), "000000");
}

static void refresh(void **state)
{
	(void)state;
	set_time(1795178096);
	for (unsigned i = 0; i < 100; i++) {
		unsigned before = shows;

		memset(shown, 0, sizeof(shown));
		run(50, 10);
		assert_true(shows > before);
		assert_string_not_equal(tubes(), "------");
	}
}

static void dimmed(void **state)
{
	(void)state;
	conf.dim_from = 22 * 60;
	conf.dim_to = 7 * 60;
	conf.dim_level = 4;
	set_time(1795132800 + 21 * 3600 + 3599);
	assert_int_equal(level, 16);
	run(1000, 10);
	assert_int_equal(level, 4);
	set_time(1795132800);
	assert_int_equal(level, 4);
	set_time(1795132800 + 7 * 3600 - 1);
	assert_int_equal(level, 4);
	run(1000, 10);
	assert_int_equal(level, 16);
	conf.dim_from = conf.dim_to;
	set_time(1795132800);
	assert_int_equal(level, 16);
	conf.dim_from = 12 * 60;
	conf.dim_to = 13 * 60;
	set_time(1795132800 + 12 * 3600);
	assert_int_equal(level, 4);
	set_time(1795132800 + 13 * 3600);
	assert_int_equal(level, 16);
}

static void night_dark(void **state)
{
	(void)state;
	conf.flags = CONF_NIGHT_DARK;
	conf.dim_from = 22 * 60;
	conf.dim_to = 7 * 60;
	conf.dim_level = 4;
	set_time(1795132800 + 22 * 3600 - 2);
	assert_string_equal(tubes(), "215958");
	run(1000, 10);
	assert_string_equal(tubes(), "215959");
	run(1000, 10);
	assert_string_equal(tubes(), "      ");
	run(9 * 3600 * 1000 - 1000, 100);
	assert_string_equal(tubes(), "      ");
	world_part = 1000;
	begin_second();			/* registers valid, then the voltage */
	assert_false(high_voltage);
	assert_int_equal(shown[1], 0x08);	/* 07:00:00 */
	disp_pass();
	assert_string_equal(tubes(), "070000");
}

/* Code 40 and the self-test are seen in the night too. */
static void night_special(void **state)
{
	(void)state;
	conf.dim_to = 1439;
	conf.dim_level = 0;
	set_time(1795132800 + 3600);
	assert_string_equal(tubes(), "      ");
	disp_watchdog();
	run(20, 10);
	assert_string_equal(tubes(), "----40");
	run(5020, 10);
	assert_string_equal(tubes(), "      ");
}

static void self_test(void **state)
{
	(void)state;
	set_time(1795178096);
	disp_test();
	for (unsigned place = 0; place < PLACES; place++)
		for (unsigned digit = 0; digit < digits_of((uint8_t)place); digit++) {
			char expected[] = "------";

			expected[place] = (char)('0' + digit);
			run(10, 10);
			assert_string_equal(tubes(), expected);
			run(230, 10);
			assert_string_equal(tubes(), expected);
			run(10, 10);
		}
	run(20, 10);
	assert_string_equal(tubes(), "123507");
	disp_test();
	run(100, 10);
	table_broken = true;
	run(200, 10);
	assert_string_equal(tubes(), "----50");
	run(5100, 10);
	assert_string_equal(tubes(), "123512");
}

static void exercise_window(void **state)
{
	(void)state;
	set_time(1795132800 + 3 * 3600 - 1);
	assert_string_equal(tubes(), "025959");
	world_part = 1000;
	begin_second();
	assert_string_equal(tubes(), "000000");
	disp_pass();
	run(500, 10);
	assert_string_equal(tubes(), "111111");
	run(599000, 500);
	assert_string_equal(tubes(), "295959");
	run(500, 10);
	assert_string_equal(tubes(), "031000");
	conf.flags = CONF_EXERCISE | CONF_NIGHT_DARK;	/* an hour before the dark */
	conf.dim_from = 30;
	conf.dim_to = 6 * 60;
	set_time(1795132800 + 3 * 3600 + 5);
	assert_string_equal(tubes(), "      ");
	set_time(1795132800 + 23 * 3600 + 30 * 60 + 1);
	assert_string_equal(tubes(), "222222");
	set_time(1795132800 + 23 * 3600 + 45 * 60 + 1);
	assert_string_equal(tubes(), "234501");
	conf.flags = 0;
	conf.dim_from = conf.dim_to;
	set_time(1795132800 + 3 * 3600 + 5);
	assert_string_equal(tubes(), "030005");
}

/* In each mode each wired cathode is lit for a minute a day at full brightness. */
static void a_day_of(unsigned hours_flags, unsigned night, enum sync_state sync)
{
	conf.flags = (uint8_t)(CONF_EXERCISE | hours_flags | (night == 2 ? CONF_NIGHT_DARK : 0));
	conf.dim_from = night ? 22 * 60 : 0;
	conf.dim_to = night ? 7 * 60 : 0;
	conf.dim_level = night == 3 ? 0 : 4;
	memset(lit_ms, 0, sizeof(lit_ms));
	set_time(1795132800);
	world_sync = sync;
	run(86400000, 500);
	for (unsigned place = 0; place < PLACES; place++)
		for (unsigned digit = 0; digit < digits_of((uint8_t)place); digit++)
			if (lit_ms[place][digit] < 60000 * 16)
				fail_msg("place %u digit %u: %u s (flags %u, night %u, sync %d)", place, digit,
				    (unsigned)(lit_ms[place][digit] / 16000), hours_flags, night, sync);
}

static void every_cathode(void **state)
{
	(void)state;
	run(16000, 100);
	for (unsigned flags = 0; flags < 4; flags++) {
		a_day_of(flags, 2, SYNC_STALE);
		for (unsigned night = 0; night < 4; night++)
			a_day_of(flags, night, SYNC_OLD);
	}
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(start_show), TEST(code_at_start), TEST(the_time), TEST(hours), TEST(watchdog), TEST(stale),
		TEST(bad_zone), TEST(summer_time), TEST(interrupted), TEST(stepped), TEST(leap), TEST(refresh),
		TEST(dimmed), TEST(night_dark), TEST(night_special), TEST(self_test), TEST(exercise_window),
		TEST(every_cathode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
