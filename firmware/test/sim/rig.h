/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole simulated clock: processor, tubes, WiFi module, EEPROM, serial
 * port, time servers.  Two processors know the same rig: rig_avr.c runs
 * the real ELF in simavr, rig_pc.c the same C compiled for the PC.
 */
#ifndef RIG_H
#define RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "ntpsrv.h"
#include "tubes.h"
#include "wsim.h"

struct rig;

struct rig_cpu {
	const char *name;		/* "avr", "pc" */
	bool (*open)(struct rig *rig, const char *elf);
	void (*power)(struct rig *rig, bool on);	/* on: RAM holds noise by rig->seed */
	void (*button)(struct rig *rig);		/* RESET pressed and released */
	/* Runs until rig->cycle >= until; calls rig_tick when rig->due comes. */
	void (*run)(struct rig *rig, uint64_t until);
	bool (*uart)(struct rig *rig, uint8_t byte);	/* a byte has come in */
	uint8_t *(*eeprom)(struct rig *rig);		/* 1024 bytes, live */
	/* A variable of the firmware by its name, size bytes little-endian; false: there is none. */
	bool (*peek)(struct rig *rig, const char *name, void *value, unsigned size);
	/* Where that variable is for as long as the rig lives; NULL: there is none, or it is smaller. */
	const uint8_t *(*at)(struct rig *rig, const char *name, unsigned size);
	bool (*poke)(struct rig *rig, const char *name, const void *value, unsigned size);
	void (*hang)(struct rig *rig);			/* the main loop stands still from now on (until a reset) */
	void (*irq)(struct rig *rig, bool low);		/* level of IRQN; rig->lose_edges: without an interrupt */
	void (*close)(struct rig *rig);
};

/* The values that the gates check: the largest values seen in this run. */
struct rig_gates {
	uint32_t stack;			/* bytes; 0 where not measured */
	uint32_t irq_off;		/* cycles */
	uint32_t pass_gap;		/* cycles from one pass of the main loop to the next */
	uint32_t jitter;		/* cycles a second was shown off its due beat (steps left out) */
	uint32_t eeprom_writes;
	uint32_t watchdog_bites;
	uint32_t guard;			/* bytes written between the variables and the stack's room; avr only */
	uint32_t error_us;		/* to the server after a sync, where a scenario asked by rig_gate_error */
	uint32_t bound;			/* the true error of a second, in thousandths of the bound that the clock reported */
};

enum {
	RIG_QUIET_MS = 100,		/* beat_ms for days in which nothing is quick */
	RIG_SERVERS = 4,
};

struct rig {
	const struct rig_cpu *cpu;
	void *priv;			/* of the processor */
	uint64_t cycle;			/* since the rig was made; counts also while power is off */
	uint64_t power_on;		/* cycle of the last power-on */
	uint64_t due;			/* cycle of the next thing outside the processor */
	uint32_t seed;
	struct tubes tubes;
	bool colon;			/* the level of its pin */
	uint8_t light;			/* on the sensor, 255: bright, or there is none */
	struct wsim *wifi;
	struct ntpsrv server[RIG_SERVERS];	/* 192.0.2.123 ntp.example, 192.0.2.124 ntp2.example, ntp3, ntp4 */
	bool lies;			/* a server that lies is believed for want of others: what servers say counts as true, too */
	uint64_t judge_from;		/* seconds before this cycle are not: a crystal beyond the board's constant is not known yet */
	struct { uint64_t cycle; double error; uint32_t bound_ms; } worst;	/* second of gates.bound */
	uint32_t judged;		/* seconds for which the clock reported a bound */
	bool real_udp;			/* requests go to loopback sockets instead (udp.c) */
	double pace;			/* simulated seconds in a real one, at most; 0: as fast as it goes */
	uint32_t beat_ms;		/* rig_pc: an idle main loop is woken so often, pass_gap is not looked at; 0: as on the board */
	bool lose_edges;
	char *heard;			/* what the serial port said since the last rig_forget; NUL-terminated */
	uint32_t heard_size, heard_room;
	bool leaked;			/* a pass phrase was on the serial port */
	const char *crashed;		/* the processor left the program: what it did */
	void (*step)(struct rig *rig, void *arg);	/* rig_avr: before each instruction, when not NULL */
	void *step_arg;
	struct rig_world *world;	/* of rig.c */
	struct rig_gates gates;
};

extern const struct rig_cpu rig_avr, rig_pc;

/*
 * Power is off, EEPROM erased, the access point is "net" with "pass phrase",
 * the servers' time is 2026-11-20 12:34:50 UTC at cycle 0.
 */
struct rig *rig_new(const struct rig_cpu *cpu, const char *elf, uint32_t seed);
void rig_free(struct rig *rig);

/*
 * Writes slot A as the console's save would: "tz=EST5EDT,M3.2.0,M11.1.0 server=ntp.example ..."
 * over the defaults ssid=net pass="pass phrase" tz=UTC0 server=ntp.example sec=wpa no dimming, 24 hours.
 * Keys: ssid pass tz server sec dim (from,to,level) flags rate roll date (seconds,form).  Values with spaces in double quotes.
 */
void rig_config(struct rig *rig, const char *settings);

/* From now on this must not be said on the serial port; rig_config and rig_command do it for what they set. */
void rig_secret(struct rig *rig, const char *text);
/* From now on the time is expected in this zone; likewise. */
void rig_zone(struct rig *rig, const char *tz);
/* And with these bits of conf.h: 12 hours, no leading zero. */
void rig_flags(struct rig *rig, uint8_t flags);

void rig_power(struct rig *rig, bool on);
void rig_button(struct rig *rig);
void rig_run(struct rig *rig, double seconds);
void rig_run_to(struct rig *rig, uint64_t cycle);
/* Runs until the tubes show pattern ('*' any); false after that many seconds. */
bool rig_wait(struct rig *rig, const char *pattern, double seconds);
/* Runs until the tubes follow server 0 in tz of rig_config (within 50 ms); false after that many seconds. */
bool rig_wait_time(struct rig *rig, double seconds);
/* Types text at 115200 baud (paced) while the rig runs. */
void rig_type(struct rig *rig, const char *text);
void rig_type_bytes(struct rig *rig, const uint8_t *bytes, uint32_t size);
/* Types a line and runs until the prompt is back (4 s at most); what was said since. */
const char *rig_command(struct rig *rig, const char *line);
bool rig_heard(struct rig *rig, const char *text);
void rig_forget(struct rig *rig);

/* UTC of server 0 now, and of any cycle. */
uint32_t rig_utc(const struct rig *rig, uint64_t cycle, uint32_t *frac);
/* Moves the servers' clocks so that at cycle now it is utc. */
void rig_set_utc(struct rig *rig, uint32_t utc);
/* Computes the text that the tubes must show at cycle for server 0's time in the configured TZ (by the host's C library). */
void rig_expected(const struct rig *rig, uint64_t cycle, char text[7]);
/* The largest error, in ms, of second changes on the tubes from cycle a to b against server 0; 1e9: wrong digits. */
double rig_error_ms(const struct rig *rig, uint64_t a, uint64_t b);
/* The same for the last seconds, as a number for the gate of the error; good servers only. */
double rig_gate_error(struct rig *rig, double seconds);
/* From here on so many simulated seconds in a real one. */
void rig_pace(struct rig *rig, double pace);
/* The address of server 0 or 1 stands for a loopback port, moved by that many seconds; port 0: the scripted server. */
bool rig_real(struct rig *rig, unsigned server, uint16_t port, double shift);
/* Paced: CLOCK_REALTIME at cycle 0. */
double rig_epoch(const struct rig *rig);

/* For the processors: what is due outside of them. */
void rig_tick(struct rig *rig);
void rig_pin(struct rig *rig, enum tubes_pin pin, bool level);
void rig_said(struct rig *rig, uint8_t byte);
void rig_second(struct rig *rig, uint64_t cycle, uint32_t tick);	/* one begins: on_second(tick), due at cycle */
void rig_pass(struct rig *rig);		/* a pass of the main loop begins: no variable is half written */

#endif
