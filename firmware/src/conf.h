/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration: one copy in RAM that everything reads, two slots of 256
 * bytes in EEPROM.  The valid slot with the higher sequence counts; a save
 * goes into the other one, a byte at a time, CRC last, so that power may fail
 * at any moment.
 */
#ifndef CONF_H
#define CONF_H

#include <stdbool.h>
#include <stdint.h>

enum { CONF_SSID = 33, CONF_PASS = 65, CONF_TZ = 48, CONF_SERVER = 64 };	/* with their NUL */

enum conf_flag {
	CONF_12_HOURS = 1,
	CONF_NO_ZERO = 2,	/* a leading zero of the hour stays dark */
	CONF_EXERCISE = 4,	/* 03:00 to 03:10 all cathodes */
	CONF_NIGHT_DARK = 8,	/* the dimming hours switch the high voltage off */
	CONF_FADE = 16,		/* digits of a new second fade in */
};

enum { DAY_MINUTES = 24 * 60, ROLL_MOST = 60, DATE_MOST = 29 };

/* The places of the date: day and month in the last four, month and day in the first four, then the year. */
enum conf_date { DATE_DM, DATE_MD, DATE_MDY, DATE_FORMS };

/* A slot has the same layout, from byte 4 on; 16-bit fields are little-endian there. */
struct conf {
	char ssid[CONF_SSID];
	char pass[CONF_PASS];	/* 8 to 63 characters or 64 hex digits; empty: open network */
	char tz[CONF_TZ];
	char server[CONF_SERVER];	/* up to four names or dotted addresses, a space between */
	uint8_t security;	/* WINC_OPEN, WINC_WPA */
	uint8_t flags;
	uint16_t dim_from, dim_to;	/* minutes of the local day, below DAY_MINUTES; equal: never */
	uint8_t dim_level;	/* sixteenths lit, below DIM_FULL */
	int16_t rate;		/* 0.1 ppm, see clk.h */
	/* 0 in slots that were saved before there was this */
	uint8_t roll;		/* seconds of each hour, to ROLL_MOST */
	uint8_t date;		/* seconds of each minute, to DATE_MOST */
	uint8_t date_form;	/* enum conf_date */
} __attribute__((packed));

extern struct conf conf;

/* Reads the newer valid slot; false: there is none, conf has the defaults. */
bool conf_load(void);
/* Starts a save of conf, which stays as it is until conf_pass is done; one that runs begins again. */
void conf_save(void);
/* Writes at most one byte a call, looks at 16; cli_pass calls it. */
enum conf_progress { CONF_IDLE, CONF_BUSY, CONF_DONE, CONF_FAILED } conf_pass(void);
/* conf is the defaults at once; both slots are cleared in conf_pass: let it be done before the next save. */
void conf_erase(void);
/* The learned rate, saved at most once a day and only when it moved by 1 ppm; settings not saved stay so. */
void conf_keep_rate(int16_t rate);

#endif
