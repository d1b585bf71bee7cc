/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi module's model: registers, boot, the mailbox between host and module firmware. */
#include <string.h>

#include "wsim_in.h"

enum {
	POINTERS = 0x31000, MAC = 0x32000, REVISION = 0x33000, REVISION_BYTES = 40,
	EVENT_GAP = 800, GIVE_UP_POLLS = 100,
};

#define ROM_READY 0x10add09eu
#define ROM_START 0xef522f61u
#define FIRMWARE_UP 0x02532636u

static const uint32_t plain[] = {
	0x01, 0x0b, 0x10, 0x1118, 0x1400, 0x1408, 0x142c, 0x1a00, 0x1088, 0x20100, 0x20104, 0x20108,
};
_Static_assert(sizeof plain / sizeof *plain <= WSIM_REGISTERS, "room for the plain registers");

static uint32_t *plain_register(struct wsim *wifi, uint32_t address)
{
	for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++)
		if (plain[i] == address)
			return &wifi->plain[i];
	return NULL;
}

static void set_irq(struct wsim *wifi, bool low)
{
	if (wifi->irq_low == low)
		return;
	wifi->irq_low = low;
	if (wifi->irq)
		wifi->irq(wifi->arg, low);
}

/* IRQN works only when the host routed it to the pin. */
static bool irq_routed(struct wsim *wifi)
{
	return *plain_register(wifi, 0x1408) & 0x100 && *plain_register(wifi, 0x1a00) & 0x10000;
}

void wsim_hif_reset(struct wsim *wifi)
{
	set_irq(wifi, false);
	memset(&wifi->tx, 0, sizeof wifi->tx);
	memset(&wifi->rx, 0, sizeof wifi->rx);
	memset(wifi->plain, 0, sizeof wifi->plain);
	memset(wifi->memory, 0xa5, sizeof wifi->memory);
	wifi->polled_at = 0;
	wifi->rom_word = wifi->configuration = wifi->state_word = 0;
	wifi->firmware_at = WSIM_IDLE;
	wifi->firmware_up = false;
}

static uint32_t chip_revision(const struct wsim *wifi)
{
	uint32_t chip = wifi->script.chip, rf = wifi->script.rf;

	if (chip != 0x1002b0)
		return chip;
	return 0x1502b0 + (rf == 3 ? 0 : rf == 4 ? 1 : 2);
}

static uint16_t packed(const uint8_t version[3])
{
	return (uint16_t)(version[0] << 8 | (version[1] & 15) << 4 | (version[2] & 15));
}

void wsim_firmware_up(struct wsim *wifi)
{
	static const uint8_t mac[6] = { 0xf8, 0xf0, 0x05, 0x12, 0x34, 0x56 };
	uint8_t *block = wifi->memory + REVISION;

	wifi->firmware_up = true;
	wifi->state_word = FIRMWARE_UP;
	wsim_put32(wifi->memory + POINTERS, MAC & 0xffff);
	wsim_put32(wifi->memory + POINTERS + 4, REVISION & 0xffff);
	memcpy(wifi->memory + MAC, mac, sizeof mac);
	memset(block, 0, REVISION_BYTES);
	wsim_put32(block, chip_revision(wifi));
	memcpy(block + 4, wifi->script.version, 3);
	memcpy(block + 7, (const uint8_t[]){ 19, 3, 0 }, 3);
	memcpy(block + 10, "Jan  1 2018", 12);
	memcpy(block + 22, "12:00:00", 9);
}

void wsim_firmware_warm(struct wsim *wifi)
{
	wsim_firmware_up(wifi);
	wifi->rom_word = ROM_START;
	wifi->configuration = 0x100;
	wifi->state_word = 0;
	wifi->firmware_at = wifi->cycle;
}

static bool passed(const struct wsim *wifi, uint32_t ms)
{
	return ms < WSIM_NEVER && wifi->cycle - wifi->started_at >= ms * WSIM_MS;
}

/* A boot register that is not ready yet may be read each millisecond (some slack for the host's timer). */
static uint32_t polled(struct wsim *wifi, uint32_t address, uint32_t value, bool ready)
{
	uint64_t since = wifi->cycle - wifi->polled_at;

	if (wifi->polled_at && wifi->polled == address && since < WSIM_MS * 9 / 10)
		wsim_error(wifi, "a boot register polled more often than each millisecond");
	wifi->polled = address;
	wifi->polled_at = ready ? 0 : wifi->cycle;
	return value;
}

static bool rom_ready(const struct wsim *wifi)
{
	return !wifi->script.host_wait && passed(wifi, wifi->script.rom_ms);
}

static uint32_t tx_request(struct wsim *wifi)
{
	struct wsim_tx *tx = &wifi->tx;

	if (tx->state != TX_ASKED)
		return 0;
	if (tx->polls++ < wifi->script.grant_polls || wifi->script.grant_polls >= WSIM_NEVER)
		return 2;
	tx->state = TX_GRANTED;
	return 0;
}

static uint32_t tx_address(struct wsim *wifi)
{
	struct wsim_tx *tx = &wifi->tx;

	if (tx->state != TX_GRANTED) {
		wsim_error(wifi, "buffer address read without a grant");
		return 0;
	}
	if (wifi->script.grant_zero) {
		tx->state = TX_IDLE;
		return 0;
	}
	tx->state = TX_WRITING;
	tx->end = 0;
	memset(tx->written, 0, sizeof tx->written);
	memset(wifi->memory + WSIM_TX, 0xa5, WSIM_BUFFER);
	return WSIM_TX;
}

static uint32_t mailbox_register(struct wsim *wifi, uint32_t address)
{
	switch (address) {
	case 0x1070: return wifi->rx.control;
	case 0x1084: return wifi->rx.state == RX_FREE ? 0 : WSIM_RX;
	case 0x1078: return tx_request(wifi);
	case 0x150400: return tx_address(wifi);
	case 0x106c: return 0;
	}
	uint32_t *kept = plain_register(wifi, address);
	if (kept)
		return *kept;
	wsim_error(wifi, "read of a register that is none");
	return 0;
}

static bool aligned(struct wsim *wifi, uint32_t address)
{
	bool good = !(address & 3) || address <= 0xff;

	if (!good)
		wsim_error(wifi, "register address is not a multiple of 4");
	return good;
}

uint32_t wsim_register(struct wsim *wifi, uint32_t address)
{
	const struct wsim_script *script = &wifi->script;
	bool up = wifi->firmware_up;

	if (!aligned(wifi, address))
		return 0;
	switch (address) {
	case 0x0f: return *plain_register(wifi, 0x01) & 2 ? 4 : 0;
	case 0x1000: return script->chip;
	case 0x3b0000: return 0x1503a0;
	case 0x13f4: return script->rf;
	case 0x1014:
		return polled(wifi, address, passed(wifi, script->efuse_ms) ? 0x80000000u : 0, passed(wifi, script->efuse_ms));
	case 0x207bc: return script->host_wait;
	case 0xc000c:
		if (wifi->rom_word)
			return wifi->rom_word;
		return polled(wifi, address, rom_ready(wifi) ? ROM_READY : 0, rom_ready(wifi));
	case 0x108c: return polled(wifi, address, wifi->state_word, up);
	case 0x207ac: return up ? packed(script->version) | 0x1330u << 16 : 0;
	case 0xc0008: return up ? POINTERS & 0xffff : 0;
	case 0x149c: return up ? MAC & 0xffff : 0;
	case 0x14a0: return wifi->configuration | (script->bit7 ? 0x80 : 0);
	}
	return mailbox_register(wifi, address);
}

static void start_firmware(struct wsim *wifi, uint32_t value)
{
	if (value != ROM_START)
		wsim_error(wifi, "0xc000c: not the start word");
	if (wifi->rom_word)
		return;
	if (!wifi->script.host_wait && !rom_ready(wifi))
		wsim_error(wifi, "firmware started before the boot ROM has finished");
	if (!(wifi->configuration & 0x100))
		wsim_error(wifi, "firmware started without bit 8 of 0x14a0");
	if (!(wifi->state_word >> 16) || !(wifi->state_word & 0xffff))
		wsim_error(wifi, "firmware started without the driver's version in 0x108c");
	wifi->rom_word = value;
	wifi->firmware_at = wsim_after(wifi, wifi->script.firmware_ms);
}

static void write_head(struct wsim *wifi, uint32_t value)
{
	struct wsim_tx *tx = &wifi->tx;
	bool boot = !wifi->firmware_up || wifi->state_word == FIRMWARE_UP;

	wifi->state_word = value;
	if (boot)
		return;
	bool given_up = tx->state == TX_ASKED && (wifi->script.grant_polls >= WSIM_NEVER || tx->polls >= GIVE_UP_POLLS);
	if (tx->state != TX_IDLE && !given_up && !wifi->spi.muddled)
		wsim_error(wifi, "a request begun while another is open");
	if (wifi->rx.state == RX_TAKEN)
		wsim_error(wifi, "a request begun before done with the event");
	tx->state = TX_HEADED;
	tx->head = value;
}

static void write_request(struct wsim *wifi, uint32_t value)
{
	struct wsim_tx *tx = &wifi->tx;

	if (value != 2)
		wsim_error(wifi, "0x1078 written with something else than 2");
	if (tx->state != TX_HEADED) {
		wsim_error(wifi, "buffer asked for without a header in 0x108c");
		return;
	}
	tx->state = TX_ASKED;
	tx->polls = 0;
	if (wifi->script.drop_in_send) {
		wifi->script.drop_in_send = false;
		wsim_drop(wifi);
	}
}

/* Is every byte of the message written that must be, and none behind it? */
static bool check_written(struct wsim *wifi, uint32_t size, bool gap)
{
	const struct wsim_tx *tx = &wifi->tx;

	if (tx->end > size + (size & 1))
		wsim_error(wifi, "bytes written behind the end of the message");
	for (uint32_t i = 0; i < size; i++)
		if (!tx->written[i] && !(gap && i >= 24 && i < 76)) {
			wsim_error(wifi, "done before the whole message is written");
			return false;
		}
	return true;
}

static void take_request(struct wsim *wifi)
{
	const uint8_t *message = wifi->memory + WSIM_TX;
	uint32_t head = wifi->tx.head;
	uint8_t group = (uint8_t)head, opcode = (uint8_t)(head >> 8);
	uint16_t size = (uint16_t)(head >> 16);
	bool data = opcode & 0x80;

	opcode &= 0x7f;
	if (size < WSIM_HEADER || size > WSIM_BUFFER - 4) {
		wsim_error(wifi, "length of a request out of bounds");
		return;
	}
	if (!check_written(wifi, size, group == 2 && opcode == 0x47))
		return;
	if (message[1] & 0x80)
		wsim_error(wifi, "opcode bit 7 in the header");
	if (message[0] != group || (message[1] & 0x7f) != opcode || wsim_get16(message + 2) != size)
		wsim_error(wifi, "header differs from 0x108c");
	if (wsim_get32(message + 4))
		wsim_error(wifi, "reserved bytes of the header are not 0");
	if (data != wsim_wants_data(group, opcode))
		wsim_error(wifi, data ? "opcode bit 7 without data" : "data without opcode bit 7");
	struct wsim_entry *entry = wsim_log(wifi, WSIM_REQUEST, group, opcode, size);
	uint32_t room = sizeof entry->bytes, payload = size - (uint32_t)WSIM_HEADER;
	memcpy(entry->bytes, message + WSIM_HEADER, payload < room ? payload : room);
	if (wifi->script.hung)
		return;
	wsim_request(wifi, group, opcode, message + WSIM_HEADER, (uint16_t)payload);
}

static void write_done(struct wsim *wifi, uint32_t value)
{
	struct wsim_tx *tx = &wifi->tx;

	if (tx->state != TX_WRITING) {
		wsim_error(wifi, "0x106c written without a granted buffer");
		return;
	}
	tx->state = TX_IDLE;
	if (value != ((uint32_t)WSIM_TX << 2 | 2)) {
		wsim_error(wifi, "0x106c: wrong address");
		return;
	}
	take_request(wifi);
}

static void finish_event(struct wsim *wifi)
{
	struct wsim_rx *rx = &wifi->rx;
	struct wsim_message event = rx->queue[0];

	rx->state = RX_FREE;
	rx->control = 0;
	rx->free_at = wifi->cycle + EVENT_GAP;
	rx->queued--;
	memmove(rx->queue, rx->queue + 1, rx->queued * sizeof *rx->queue);
	wsim_log(wifi, WSIM_DONE, event.group, event.opcode, event.size);
	if (!rx->lied)
		wsim_link_told(wifi, &event);
}

static void write_receive(struct wsim *wifi, uint32_t value)
{
	struct wsim_rx *rx = &wifi->rx;

	if (value & 1)
		wsim_error(wifi, "bit 0 of 0x1070 set by the host");
	if ((value ^ rx->control) & 0x3ffc)
		wsim_error(wifi, "size in 0x1070 changed by the host");
	if (rx->state == RX_FREE) {
		wsim_error(wifi, value & 2 ? "done without an event" : "0x1070 written while no event waits");
		return;
	}
	if (value & 2) {
		if (rx->state == RX_WAITS)
			wsim_error(wifi, "done with an event that was not taken");
		set_irq(wifi, false);
		finish_event(wifi);
		return;
	}
	rx->state = RX_TAKEN;
	rx->control &= ~1u;
	set_irq(wifi, false);
}

void wsim_register_write(struct wsim *wifi, uint32_t address, uint32_t value)
{
	if (!aligned(wifi, address))
		return;
	bool mailbox = address == 0x1070 || address == 0x1078 || address == 0x106c;
	if (mailbox && !wifi->firmware_up) {
		wsim_error(wifi, "mailbox used before the firmware is up");
		return;
	}
	uint32_t *kept = plain_register(wifi, address);
	if (kept) {
		*kept = value;
		set_irq(wifi, wifi->rx.state == RX_WAITS && irq_routed(wifi));
	} else if (address == 0x14a0)
		wifi->configuration = value;
	else if (address == 0xc000c)
		start_firmware(wifi, value);
	else if (address == 0x108c)
		write_head(wifi, value);
	else if (address == 0x1078)
		write_request(wifi, value);
	else if (address == 0x106c)
		write_done(wifi, value);
	else if (address == 0x1070)
		write_receive(wifi, value);
	else
		wsim_error(wifi, "write to a register that is none or not to be written");
}

void wsim_check_read(struct wsim *wifi, uint32_t address, uint32_t size)
{
	const struct wsim_rx *rx = &wifi->rx;
	uint32_t end = address + size, message = rx->control >> 2 & 0xfff;

	if (address >= POINTERS && end <= REVISION + REVISION_BYTES && wifi->firmware_up)
		return;
	if (rx->state != RX_TAKEN)
		wsim_error(wifi, "block read while no event is taken");
	else if (address < WSIM_RX || end > WSIM_RX + ((message + 3) & ~3u))
		wsim_error(wifi, "block read outside of the event");
}

void wsim_check_write(struct wsim *wifi, uint32_t address, uint32_t size)
{
	struct wsim_tx *tx = &wifi->tx;
	uint32_t at = address - WSIM_TX;

	if (tx->state != TX_WRITING || address < WSIM_TX || at + size > WSIM_BUFFER) {
		wsim_error(wifi, "block written outside of a granted buffer");
		return;
	}
	if (at < tx->end && !wifi->spi.muddled)
		wsim_error(wifi, "parts of a message written twice or not in order");
	if (!tx->end && at)
		wsim_error(wifi, "the header is not written first");
}

void wsim_store(struct wsim *wifi, uint32_t address, uint8_t byte)
{
	uint32_t at = address - WSIM_TX;

	if (wifi->tx.state != TX_WRITING || at >= WSIM_BUFFER)
		return;
	wifi->memory[WSIM_TX + at] = byte;
	wifi->tx.written[at] = true;
	wifi->tx.end = at + 1;
}

void wsim_place(struct wsim *wifi)
{
	struct wsim_rx *rx = &wifi->rx;

	if (rx->state != RX_FREE || !rx->queued || wifi->cycle < rx->free_at || wifi->script.hung)
		return;
	struct wsim_message *event = &rx->queue[0];
	struct wsim_entry *entry = wsim_log(wifi, WSIM_EVENT, event->group, event->opcode, event->size);
	uint32_t room = sizeof entry->bytes, payload = event->size - (uint32_t)WSIM_HEADER;
	memcpy(entry->bytes, event->bytes + WSIM_HEADER, payload < room ? payload : room);
	memcpy(wifi->memory + WSIM_RX, event->bytes, event->size);
	rx->lied = wifi->script.lying_header;
	if (rx->lied) {
		wifi->script.lying_header = false;
		wsim_put16(wifi->memory + WSIM_RX + 2, (uint16_t)(event->size + 20));
	}
	rx->state = RX_WAITS;
	rx->control = (uint32_t)event->size << 2 | 1;
	set_irq(wifi, irq_routed(wifi));
}
