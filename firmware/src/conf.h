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
};

struct conf {
	char ssid[CONF_SSID];
	char pass[CONF_PASS];	/* 8 to 63 characters or 64 hex digits; empty: open network */
	char tz[CONF_TZ];
	char server[CONF_SERVER];	/* one or two names or dotted addresses, a space between */
	uint16_t dim_from, dim_to;	/* minutes of the local day; equal: never */
	int16_t rate;		/* 0.1 ppm, see clk.h */
	uint8_t security;	/* WINC_OPEN, WINC_WPA */
	uint8_t flags;
	uint8_t dim_level;	/* sixteenths lit, 0 to 15 */
};

extern struct conf conf;

/* Reads the newer valid slot; false: there is none, conf has the defaults. */
bool conf_load(void);
/* Starts a save of conf as it is now. */
void conf_save(void);
/* Writes and verifies at most one byte a call. */
enum conf_progress { CONF_IDLE, CONF_BUSY, CONF_DONE, CONF_FAILED } conf_pass(void);
/* Starts to clear both slots; goes on in conf_pass. */
void conf_erase(void);
/* The learned rate, saved at most once a day and only when it moved by 1 ppm. */
void conf_keep_rate(int16_t rate);

#endif
