/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi module's model: life, pins, time, events by hand, journal. */
#include <stdlib.h>
#include <string.h>

#include "wsim_in.h"

enum { JOURNAL_MAX = 1 << 20, ERRORS_KEPT = 1000 };

static uint32_t address(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
	return (uint32_t)a | (uint32_t)b << 8 | (uint32_t)c << 16 | (uint32_t)d << 24;
}

void wsim_defaults(struct wsim_script *script)
{
	*script = (struct wsim_script){
		.seed = 1, .chip = 0x1002b0, .rf = 4,
		.efuse_ms = 5, .rom_ms = 20, .firmware_ms = 200,
		.version = { 19, 5, 2 }, .data_offset = 16,
		.ssid = "net", .pass = "pass phrase",
		.join_ms = 1500, .dhcp_ms = 500, .lease = 3600, .dns_ms = 40,
		.host = {
			{ "ntp.example", address(192, 0, 2, 123) },
			{ "ntp2.example", address(192, 0, 2, 124) },
		},
		.our_ip = address(192, 0, 2, 7),
	};
}

struct wsim_entry *wsim_log(struct wsim *wifi, enum wsim_what what, uint8_t group, uint8_t opcode, uint16_t length)
{
	static struct wsim_entry overflow;

	if (wifi->entries == JOURNAL_MAX)
		return &overflow;
	if (wifi->entries == wifi->room) {
		uint32_t room = wifi->room ? 2 * wifi->room : 256;
		struct wsim_entry *more = realloc(wifi->journal, room * sizeof *more);

		if (!more)
			return &overflow;
		wifi->journal = more;
		wifi->room = room;
	}
	struct wsim_entry *entry = &wifi->journal[wifi->entries++];
	*entry = (struct wsim_entry){ .cycle = wifi->cycle, .what = what, .group = group, .opcode = opcode, .length = length };
	return entry;
}

void wsim_error(struct wsim *wifi, const char *text)
{
	if (wifi->errors++ < ERRORS_KEPT)
		wsim_log(wifi, WSIM_ERROR, 0, 0, 0)->text = text;
}

uint32_t wsim_random(struct wsim *wifi)
{
	uint32_t x = wifi->random ? wifi->random : wifi->script.seed * 2654435769u | 1;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return wifi->random = x;
}

uint64_t wsim_after(const struct wsim *wifi, uint32_t ms)
{
	return ms >= WSIM_NEVER ? WSIM_IDLE : wifi->cycle + ms * WSIM_MS;
}

/* Powered and out of reset. */
WSIM_LEAN static bool runs(const struct wsim *wifi)
{
	return wifi->enable && wifi->reset;
}

static void restart(struct wsim *wifi)
{
	wsim_spi_reset(wifi);
	wsim_hif_reset(wifi);
	wsim_net_reset(wifi);
	wsim_link_reset(wifi);
	wifi->started_at = wifi->cycle;
	wifi->silent_checked = false;
	if (!runs(wifi)) {
		wifi->script.hung = false;
		return;
	}
	if (wifi->script.warm && !wifi->warm_used) {
		wifi->warm_used = true;
		wifi->spi.control = 0x50;
		wifi->spi.muddled = true;
		wsim_firmware_warm(wifi);
	}
}

struct wsim *wsim_new(wsim_out *out, wsim_irq *irq, void *arg)
{
	struct wsim *wifi = calloc(1, sizeof *wifi);

	if (!wifi)
		return NULL;
	wifi->out = out;
	wifi->irq = irq;
	wifi->arg = arg;
	wsim_defaults(&wifi->script);
	restart(wifi);
	return wifi;
}

void wsim_free(struct wsim *wifi)
{
	if (wifi)
		free(wifi->journal);
	free(wifi);
}

struct wsim_script *wsim_script(struct wsim *wifi)
{
	return &wifi->script;
}

void wsim_power_off(struct wsim *wifi)
{
	wifi->enable = wifi->reset = wifi->selected = wifi->warm_used = false;
	wifi->random = 0;
	restart(wifi);
}

void wsim_brown_out(struct wsim *wifi)
{
	if (!runs(wifi))
		return;
	wifi->warm_used = true;
	wifi->script.hung = false;
	restart(wifi);
	wifi->silent_checked = wifi->spi.muddled = true;	/* the host can not know */
}

void wsim_enable(struct wsim *wifi, bool high, uint64_t cycle)
{
	wsim_tick(wifi, cycle);
	if (wifi->enable == high)
		return;
	wsim_log(wifi, WSIM_PIN, 0, 0, high);
	wifi->enable = high;
	if (high) {
		wifi->enabled_at = cycle;
		if (wifi->reset)
			wsim_error(wifi, "EN rises while RESET_N is high");
	}
	restart(wifi);
}

void wsim_reset(struct wsim *wifi, bool high, uint64_t cycle)
{
	wsim_tick(wifi, cycle);
	if (wifi->reset == high)
		return;
	wsim_log(wifi, WSIM_PIN, 0, 1, high);
	wifi->reset = high;
	if (high && wifi->enable && cycle - wifi->enabled_at < 5 * WSIM_MS)
		wsim_error(wifi, "RESET_N rises less than 5 ms after EN");
	restart(wifi);
}

void wsim_select(struct wsim *wifi, bool low, uint64_t cycle)
{
	wsim_tick(wifi, cycle);
	wifi->selected = low;
}

/* The first byte since the module's pins changed: was it time for one? */
static void check_start(struct wsim *wifi)
{
	if (wifi->silent_checked)
		return;
	wifi->silent_checked = true;
	if (!runs(wifi))
		wsim_error(wifi, "SPI while EN or RESET_N is low");
	else if (wifi->cycle - wifi->started_at < 10 * WSIM_MS)
		wsim_error(wifi, "SPI less than 10 ms after RESET_N");
}

uint8_t wsim_byte(struct wsim *wifi, uint8_t mosi, uint64_t cycle)
{
	wsim_tick(wifi, cycle);
	if (!wifi->selected)
		return 0xff;
	check_start(wifi);
	if (wifi->script.dead) {
		wifi->spi.muddled = true;	/* it lost what the host sends meanwhile */
		return wifi->script.dead_byte;
	}
	return runs(wifi) ? wsim_spi_byte(wifi, mosi) : 0;
}

WSIM_LEAN uint64_t wsim_tick(struct wsim *wifi, uint64_t cycle)
{
	if (cycle > wifi->cycle)
		wifi->cycle = cycle;
	if (!runs(wifi) || !wifi->firmware_up) {
		uint64_t up = runs(wifi) ? wifi->firmware_at : WSIM_IDLE;

		if (up > wifi->cycle)
			return up;
		wsim_firmware_up(wifi);
	}
	if (wifi->script.hung)
		return WSIM_IDLE;
	uint64_t link = wsim_link_tick(wifi), net = wsim_net_tick(wifi), due = link < net ? link : net;
	wsim_place(wifi);
	if (wifi->rx.queued && wifi->rx.state == RX_FREE && wifi->rx.free_at < due)
		due = wifi->rx.free_at;
	return due;
}

void wsim_event(struct wsim *wifi, uint8_t group, uint8_t opcode, const uint8_t *payload, uint16_t size)
{
	struct wsim_rx *rx = &wifi->rx;

	if (!wifi->firmware_up || rx->queued == WSIM_EVENTS || size > WSIM_BUFFER - WSIM_HEADER)
		return;
	struct wsim_message *event = &rx->queue[rx->queued++];
	event->group = group;
	event->opcode = opcode;
	event->size = (uint16_t)(WSIM_HEADER + size);
	memset(event->bytes, 0, WSIM_HEADER);
	event->bytes[0] = group;
	event->bytes[1] = opcode;
	wsim_put16(event->bytes + 2, event->size);
	if (size)
		memcpy(event->bytes + WSIM_HEADER, payload, size);
	wsim_place(wifi);
}

const struct wsim_entry *wsim_journal(const struct wsim *wifi, uint32_t *count)
{
	*count = wifi->entries;
	return wifi->journal;
}

uint32_t wsim_count(const struct wsim *wifi, enum wsim_what what, uint8_t group, uint8_t opcode, uint64_t since)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < wifi->entries; i++) {
		const struct wsim_entry *entry = &wifi->journal[i];

		n += entry->what == what && entry->group == group && entry->opcode == opcode && entry->cycle >= since;
	}
	return n;
}

uint32_t wsim_errors(const struct wsim *wifi)
{
	return wifi->errors;
}
