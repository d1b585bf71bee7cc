/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* How bright the demo draws a cathode: its share of the frame, as the eye sees it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "face.h"
#include "term.h"

enum { MS = 16000, FRAME = 40 * MS };

/* 12:34:56 and 12:34:57 from the board's description; 6 is bit 46, 7 bit 45 less. */
#define AT_56 0x402004080042ULL
#define AT_57 0x202004080042ULL

static struct tubes tubes;
static struct face face;
static uint64_t now;

static int setup(void **state)
{
	(void)state;
	memset(&face, 0, sizeof face);
	now = MS;
	tubes_init(&tubes);
	tubes_power(&tubes, true, 1, now);
	tubes_blank(&tubes, now);
	tubes_set(&tubes, TUBES_HV, true, now);
	face_look(&face, &tubes, now);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tubes_free(&tubes);
	return 0;
}

static void show_for(uint64_t word, uint64_t cycles)
{
	tubes_picture(&tubes, word, now);
	now += cycles;
}

static void steady_is_full(void **state)
{
	static const uint8_t digit[FACE_PLACES] = { 1, 2, 3, 4, 5, 6 };

	(void)state;
	show_for(AT_56, FRAME);
	face_look(&face, &tubes, now);
	for (unsigned place = 0; place < FACE_PLACES; place++) {
		for (unsigned i = 0; i < FACE_DIGITS; i++)
			assert_int_equal(face.glow[place][i], i == digit[place] ? 255 : 0);
	}
}

static void both_digits_of_a_frame_glow(void **state)
{
	(void)state;
	show_for(AT_56, FRAME / 4);
	show_for(AT_57, FRAME * 3 / 4);
	face_look(&face, &tubes, now);
	assert_int_equal(face.glow[5][6], 127);	/* the root of a quarter */
	assert_int_equal(face.glow[5][7], 220);
	assert_int_equal(face.glow[4][5], 255);
}

static void dimmed_is_dimmer(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		show_for(AT_56, 2 * MS);
		show_for(0, 6 * MS);
	}
	face_look(&face, &tubes, now);
	assert_int_equal(face.glow[0][1], 127);
}

static void nothing_glows_without_high_voltage(void **state)
{
	(void)state;
	tubes_set(&tubes, TUBES_HV, false, now);
	show_for(AT_56, FRAME);
	face_look(&face, &tubes, now);
	for (unsigned place = 0; place < FACE_PLACES; place++) {
		for (unsigned i = 0; i < FACE_DIGITS; i++)
			assert_int_equal(face.glow[place][i], 0);
	}
}

/* Five digits beside each other, 0 to 4 above 5 to 9. */
static const char *const pictures[] = {
	"   ####         #        ####     ########        #   ",
	"  #    #      ###       #    ##        ##        ##   ",
	" #      #    #  #      #      #       ##        # #   ",
	" #      #       #            ##      ####      #  #   ",
	" #      #       #          ##            #    #   #   ",
	" #      #       #         #              #   ######## ",
	"  #    #        #       ##        ##    ##        #   ",
	"   ####         #      ########     ####          #   ",
	"  #######         #    ########     ####       ####   ",
	"  #            ###           #    ##    ##   ##    ## ",
	" #            #             #     #      #   #      # ",
	" #######     #####         #       ######    ##    ## ",
	"        #   ##    ##      #       ##    ##     #####  ",
	"        #   #      #     ##       #      #        #   ",
	" ##    ##   ##    ##     #        ##    ##     ###    ",
	"   ####       ####       #          ####      #       ",
};

static bool glows(const char *glyph)
{
	return strcmp(glyph, " ") != 0 && strcmp(glyph, ".") != 0;
}

/* Cells of the minute ones' tube that are not as in the picture of the digit. */
static int wrong_cells(unsigned digit)
{
	struct face alone = { 0 };
	int wrong = 0;

	alone.glow[3][digit] = 255;
	term_clear();
	face_draw(&alone, 0, 0);
	for (unsigned row = 0; row < 8; row++) {
		const char *want = pictures[digit / 5 * 8 + row] + digit % 5 * 11;

		for (unsigned column = 0; column < 10; column++)
			wrong += glows(term_glyph(1 + row, 39 + column)) != (want[column] == '#');
	}
	return wrong;
}

static void digits_are_read_without_colours(void **state)
{
	(void)state;
	for (unsigned digit = 0; digit < FACE_DIGITS; digit++)
		assert_int_equal(wrong_cells(digit), 0);
}

static void read_in_colours(void)
{
	int wrong = 0;

	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	if (!term_open())
		_exit(99);
	for (unsigned digit = 0; digit < FACE_DIGITS; digit++)
		wrong += wrong_cells(digit);
	term_close();
	_exit(wrong < 98 ? wrong : 98);
}

/* Half blocks: what does not glow is paper alone. */
static void digits_are_read_from_the_glyphs(void **state)
{
	int master, slave, status;
	pid_t pid;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	pid = fork();
	if (pid == 0) {
		alarm(20);
		login_tty(slave);
		read_in_colours();
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(slave);
	close(master);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(steady_is_full, setup, teardown),
		cmocka_unit_test_setup_teardown(both_digits_of_a_frame_glow, setup, teardown),
		cmocka_unit_test_setup_teardown(dimmed_is_dimmer, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing_glows_without_high_voltage, setup, teardown),
		cmocka_unit_test(digits_are_read_without_colours),
		cmocka_unit_test(digits_are_read_from_the_glyphs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
