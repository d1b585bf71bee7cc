/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of text for the UART, in as many passes as its ring needs; numbers without printf. */
#include "cliout.h"

#include <string.h>

static struct out {
	uint8_t sent;		/* characters of the row that are out */
	uint8_t at;		/* of the next character made */
	bool full, fresh;
	uint32_t value;
} out_state;

void out_init(void)
{
	memset(&out_state, 0, sizeof out_state);
}

void out_start(void)
{
	struct out *out = VIA(out_state);

	out->at = 0;
	out->full = false;
	out->fresh = out->sent == 0;
}

uint32_t out_frozen(uint32_t value)
{
	struct out *out = VIA(out_state);

	if (out->fresh)
		out->value = value;
	return out->value;
}

bool out_done(void)
{
	struct out *out = VIA(out_state);

	if (!out->full)
		out->sent = 0;
	return !out->full;
}

void out_char(char c)
{
	struct out *out = VIA(out_state);

	if (out->at++ < out->sent || out->full)
		return;
	if (hal_uart_put((uint8_t)c))
		out->sent++;
	else
		out->full = true;
}

void out_text(FLASH char *text)
{
	while (*text != '\0')
		out_char(*text++);
}

void out_word(FLASH char *text)
{
	while (*text != '\0' && *text != ' ' && *text != '|')
		out_char(*text++);
}

void out_item(FLASH char *list, uint8_t i)
{
	while (i > 0)
		if (*list++ == '\0')
			i--;
	out_text(list);
}

void out_string(const char *text)
{
	for (; *text != '\0'; text++)
		out_char((uint8_t)*text < ' ' ? '?' : *text);
}

static void digits(uint32_t number, bool tenths)
{
	char text[12];
	uint8_t n = 0;
	bool before_dot;

	do {
		text[n++] = (char)('0' + number % 10);
		number /= 10;
		if (tenths)
			text[n++] = '.';
		before_dot = tenths;
		tenths = false;
	} while (number != 0 || before_dot);
	while (n > 0)
		out_char(text[--n]);
}

void out_number(uint32_t number)
{
	digits(number, false);
}

void out_two(uint8_t number)
{
	if (number < 10)
		out_char('0');
	out_number(number);
}

void out_tenths(int32_t tenths)
{
	char sign = '+';

	if (tenths < 0) {
		sign = '-';
		tenths = -tenths;
	}
	out_char(sign);
	digits((uint32_t)tenths, true);
}
