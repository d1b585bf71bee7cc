/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* `stat`: time, network and module. */
#include "clistat.h"

#include "civil.h"
#include "cliout.h"
#include "clk.h"
#include "disp.h"
#include "net.h"
#include "sync.h"
#include "winc.h"

/* 1/65536 s as tenths of ms has room in 32 bits up to 32 s. */
#define FRACTION_MAX (32L << 16)

enum stat {
	STAT_UTC, STAT_LOCAL, STAT_STATE, STAT_NET, STAT_RESET, STAT_OFFSET, STAT_DELAY, STAT_RATE,
	STAT_ADDRESS, STAT_SERVER, STAT_MODULE, STAT_ERRORS, STAT_CODE, STAT_BOUND, STAT_AGE, STAT_NEXT, STAT_UP, STAT_ROWS,
};

static FLASH char labels[] = "utc\0local\0state\0network\0reset\0offset ms\0delay ms\0rate ppm\0address\0server\0"
    "module\0errors\0code\0error ms\0age s\0next s\0up s",
    sync_words[] = "unknown\0synchronised\0holdover\0long holdover",
    net_words[] = "off\0boot\0join\0dhcp\0name\0bind\0ask\0idle",
    reset_words[] = "power \0button \0brown-out \0watchdog ",
    text_line[] = "\r\n", text_colon[] = ": ";

static uint32_t value(uint8_t row, uint32_t uptime)
{
	struct sync_info sync;
	struct net_info net;

	sync_get(&sync);
	net_get(&net);
	switch (row) {
	case STAT_UTC:
	case STAT_LOCAL: return clk_known() ? clk_unix() : 0;
	case STAT_STATE: return sync_state();
	case STAT_NET: return net.state;
	case STAT_RESET: return hal_reset_cause();
	case STAT_OFFSET: return (uint32_t)sync.offset;
	case STAT_DELAY: return (uint32_t)sync.delay;
	case STAT_RATE: return (uint32_t)(int32_t)clk_get_rate();
	case STAT_ADDRESS: return net.ip;
	case STAT_SERVER: return net.server;
	case STAT_MODULE: return winc_version();
	case STAT_ERRORS: return winc_errors();
	case STAT_CODE: return net_code();
	case STAT_BOUND: return sync.bound;
	case STAT_AGE: return sync.age;
	case STAT_NEXT: return net.next;
	default: return uptime;
	}
}

static void print_date(uint32_t utc)
{
	struct date date;

	civil_date((uint16_t)(utc / 86400UL), &date);
	out_number(date.year);
	out_char('-');
	out_two(date.month);
	out_char('-');
	out_two(date.day);
	out_char(' ');
}

static void print_time(uint32_t utc, uint8_t row)
{
	struct hms time;

	if (row == STAT_LOCAL) {
		disp_local(utc, &time);
	} else {
		uint16_t minute = (uint16_t)(utc % 86400UL / 60);

		print_date(utc);
		time.hour = (uint8_t)(minute / 60);
		time.minute = (uint8_t)(minute % 60);
		time.second = (uint8_t)(utc % 60);
	}
	out_two(time.hour);
	out_char(':');
	out_two(time.minute);
	out_char(':');
	out_two(time.second);
}

static void print_fraction(int32_t fraction)
{
	if (fraction > FRACTION_MAX)
		fraction = FRACTION_MAX;
	if (fraction < -FRACTION_MAX)
		fraction = -FRACTION_MAX;
	out_tenths(fraction * 625 >> 12);
}

static void print_address(uint32_t ip)
{
	for (uint8_t i = 0; i < 4; i++, ip >>= 8) {
		if (i > 0)
			out_char('.');
		out_number((uint8_t)ip);
	}
}

static void print_reset(uint8_t causes)
{
	for (uint8_t i = 0; i < 4; i++)
		if (causes >> i & 1)
			out_item(reset_words, i);
}

static void print_version(uint16_t version)
{
	out_number(version >> 8);
	out_char('.');
	out_number(version >> 4 & 15);
	out_char('.');
	out_number(version & 15);
}

static void print(uint8_t row, uint32_t v)
{
	switch (row) {
	case STAT_STATE: out_item(sync_words, (uint8_t)v); break;
	case STAT_NET: out_item(net_words, (uint8_t)v); break;
	case STAT_RESET: print_reset((uint8_t)v); break;
	case STAT_OFFSET:
	case STAT_DELAY: print_fraction((int32_t)v); break;
	case STAT_RATE: out_tenths((int32_t)v); break;
	case STAT_ADDRESS:
	case STAT_SERVER: print_address(v); break;
	case STAT_MODULE: print_version((uint16_t)v); break;
	default: out_number(v); break;
	}
}

bool stat_row(uint8_t row, uint32_t uptime)
{
	uint32_t v;

	if (row >= STAT_ROWS)
		return false;
	v = out_frozen(value(row, uptime));
	out_text(text_line);
	out_item(labels, row);
	out_text(text_colon);
	if ((row <= STAT_LOCAL && v == 0) || (row >= STAT_BOUND && v == UINT32_MAX))
		out_item(sync_words, SYNC_NEVER);
	else if (row <= STAT_LOCAL)
		print_time(v, row);
	else
		print(row, v);
	return true;
}
