/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The connections of the simulated processor: its pins on the models, SPI,
 * serial port, EEPROM, and the registers that are watched.
 */
#include <avr_adc.h>
#include <avr_eeprom.h>
#include <avr_ioport.h>
#include <string.h>

#include "avr_in.h"
#include "board.h"

enum {
	SPDR = 0x4e, EECR = 0x3f, EEARH = 0x42, EEARL = 0x41, GPIOR0 = 0x3e, PCMSK1 = 0x6c,
	EERE = 1 << 0, EEPE = 1 << 1, EEMPE = 1 << 2,
	SPI_CYCLES = 16,		/* a byte at 8 MHz */
	UART_CYCLES = 1360,		/* ten bits; simavr counts eleven */
	EEPROM_CYCLES = 54000,		/* 3.4 ms, just before simavr's interrupt */
	FULL_LEVEL = 16,
};

/* ---- pins ------------------------------------------------------------------ */

/* A second's picture is latched: how long after its tick. */
static void second_latched(struct avr_rig *a)
{
	uint8_t level = FULL_LEVEL;

	rig_avr.peek(a->rig, "hal_level", &level, 1);
	if (a->begins != 0 && level == FULL_LEVEL)
		avr_rig_most(&a->rig->gates.jitter, a->rig->cycle - a->begins);
	a->begins = 0;
}

static void port_d(struct avr_irq_t *irq, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;
	static const enum tubes_pin pin[8] = {
		[PIN_SR_CLOCK] = TUBES_CLOCK, [PIN_SR_CLEAR] = TUBES_CLEAR,
		[PIN_SR_LATCH] = TUBES_LATCH, [PIN_HV] = TUBES_HV,
	};

	avr_rig_now(a);
	if (irq->irq == PIN_COLON) {
		a->rig->colon = value;
		return;
	}
	rig_pin(a->rig, pin[irq->irq], value);
	if (irq->irq == PIN_SR_LATCH && value)
		second_latched(a);
}

static void port_c(struct avr_irq_t *irq, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;
	uint64_t cycle = avr_rig_now(a);

	if (irq->irq == PIN_SR_DATA)
		rig_pin(a->rig, TUBES_DATA, value);
	else if (irq->irq == PIN_WIFI_EN)
		wsim_enable(a->rig->wifi, value, cycle);
	else
		wsim_reset(a->rig->wifi, value, cycle);
	rig_tick(a->rig);
}

static void port_b(struct avr_irq_t *irq, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;

	(void)irq;
	wsim_select(a->rig->wifi, !value, avr_rig_now(a));
	if (value)		/* what the module does next may have changed */
		rig_tick(a->rig);
}

/* A conversion begins. */
static void light(struct avr_irq_t *irq, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;

	(void)irq;
	(void)value;
	avr_raise_irq(avr_io_getirq(a->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + PIN_LIGHT), a->rig->light * 5000U / 255);
}

static avr_irq_t *pin_irq(struct avr_rig *a, char port, int pin)
{
	return avr_io_getirq(a->avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin);
}

/* simavr raises all pins of a port when one is written, inputs with pull-up to 1: hold the level outside, too. */
void avr_board_irq(struct rig *rig, bool low)
{
	struct avr_rig *a = rig->priv;
	avr_ioport_external_t level = { .name = 'C', .mask = 1 << PIN_WIFI_IRQ, .value = low ? 0 : 1 << PIN_WIFI_IRQ };
	uint8_t mask = a->avr->data[PCMSK1];

	if (rig->lose_edges)
		a->avr->data[PCMSK1] = 0;
	avr_ioctl(a->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('C'), &level);
	avr_raise_irq(pin_irq(a, 'C', PIN_WIFI_IRQ), !low);
	a->avr->data[PCMSK1] = mask;
}

/*
 * All pins are inputs: pulled as on the board, floating ones low.  Through
 * simavr, which hands on only what it takes for a change.
 */
void avr_board_float(struct avr_rig *a)
{
	static const uint8_t d[] = { PIN_HV, PIN_SR_CLOCK, PIN_SR_CLEAR, PIN_SR_LATCH, PIN_COLON };

	for (unsigned i = 0; i < sizeof d; i++)
		avr_raise_irq(pin_irq(a, 'D', d[i]), 0);
	avr_raise_irq(pin_irq(a, 'B', PIN_WIFI_CS), 1);
	avr_raise_irq(pin_irq(a, 'C', PIN_WIFI_EN), 0);
	avr_raise_irq(pin_irq(a, 'C', PIN_WIFI_RESET), 0);
	avr_raise_irq(pin_irq(a, 'C', PIN_SR_DATA), 0);
}

/* ---- SPI, serial port, watched registers ----------------------------------- */

static avr_cycle_count_t spi_done(avr_t *avr, avr_cycle_count_t when, void *arg)
{
	struct avr_rig *a = arg;

	(void)avr;
	(void)when;
	avr_raise_irq(a->spi->io.irq + SPI_IRQ_INPUT, wsim_byte(a->rig->wifi, a->spi_out, avr_rig_now(a)));
	return 0;
}

/* In place of simavr's own handler, which takes 100 us a byte. */
static void spi_write(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	struct avr_rig *a = arg;

	avr_regbit_clear(avr, a->spi->spi.raised);
	avr->data[addr] = a->spi_out = value;
	avr_cycle_timer_register(avr, SPI_CYCLES, spi_done, a);
}

static void uart_out(struct avr_irq_t *irq_out, uint32_t value, void *arg)
{
	struct avr_rig *a = arg;

	(void)irq_out;
	avr_rig_now(a);
	rig_said(a->rig, (uint8_t)value);
}

bool avr_board_type(struct rig *rig, uint8_t byte)
{
	struct avr_rig *a = rig->priv;

	if (!a->on)
		return false;
	a->uart->cycles_per_byte = UART_CYCLES;
	avr_raise_irq(avr_io_getirq(a->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
	return true;
}

/* simavr writes at once; the chip takes its time, ignores what comes meanwhile, and may lose power in it. */
static void eeprom_write(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	struct avr_rig *a = arg;
	uint64_t cycle = avr_rig_now(a);

	(void)addr;
	if ((value & EERE) != 0 && cycle < a->eeprom_until)
		a->rig->crashed = "read EEPROM while it was busy";
	if ((value & (EEPE | EEMPE)) != (EEPE | EEMPE))
		return;
	if (cycle < a->eeprom_until)
		a->rig->crashed = "wrote EEPROM while it was busy";
	a->rig->gates.eeprom_writes++;
	a->eeprom_at = (uint16_t)(avr->data[EEARL] | avr->data[EEARH] << 8) % EEPROM_BYTES;
	a->eeprom_until = cycle + EEPROM_CYCLES;
}

static uint8_t eeprom_control(avr_t *avr, avr_io_addr_t addr, void *arg)
{
	struct avr_rig *a = arg;

	/* simavr keeps what is read */
	return (avr->data[addr] & (uint8_t)~EEPE) | (avr_rig_now(a) < a->eeprom_until ? EEPE : 0);
}

uint8_t *avr_board_eeprom(struct rig *rig)
{
	struct avr_rig *a = rig->priv;
	avr_eeprom_desc_t all = { .ee = NULL, .offset = 0, .size = EEPROM_BYTES };

	avr_ioctl(a->avr, AVR_IOCTL_EEPROM_GET, &all);	/* says -1 and does it */
	return all.ee;
}

void avr_board_off(struct avr_rig *a)
{
	if (a->rig->cycle < a->eeprom_until)
		avr_board_eeprom(a->rig)[a->eeprom_at] ^= (uint8_t)(a->rig->cycle * 0x9e3779b97f4a7c15ULL >> 56);
	a->eeprom_until = 0;
}

static void main_mark(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *arg)
{
	struct avr_rig *a = arg;
	uint64_t cycle = avr_rig_now(a);

	avr->data[addr] = value;
	if (a->mark != 0)
		avr_rig_most(&a->rig->gates.pass_gap, cycle - a->mark);
	a->mark = cycle;
	rig_pass(a->rig);
}

static void connect_pins(struct avr_rig *a)
{
	static const uint8_t d[] = { PIN_SR_CLOCK, PIN_SR_CLEAR, PIN_SR_LATCH, PIN_HV, PIN_COLON };
	static const uint8_t c[] = { PIN_SR_DATA, PIN_WIFI_EN, PIN_WIFI_RESET };

	for (unsigned i = 0; i < sizeof d; i++)
		avr_irq_register_notify(pin_irq(a, 'D', d[i]), port_d, a);
	for (unsigned i = 0; i < sizeof c; i++)
		avr_irq_register_notify(pin_irq(a, 'C', c[i]), port_c, a);
	avr_irq_register_notify(pin_irq(a, 'B', PIN_WIFI_CS), port_b, a);
	avr_irq_register_notify(avr_io_getirq(a->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), light, a);
}

static void find_parts(struct avr_rig *a)
{
	for (avr_io_t *io = a->avr->io_port; io; io = io->next) {
		if (strcmp(io->kind, "spi") == 0)
			a->spi = (avr_spi_t *)io;
		else if (strcmp(io->kind, "uart") == 0)
			a->uart = (avr_uart_t *)io;
		else if (strcmp(io->kind, "timer") == 0 && ((avr_timer_t *)io)->name == '1')
			a->timer = (avr_timer_t *)io;
	}
}

static void connect_registers(struct avr_rig *a)
{
	avr_t *avr = a->avr;
	uint32_t flags = 0;

	find_parts(a);
	avr->io[AVR_DATA_TO_IO(SPDR)].w.c = spi_write;
	avr->io[AVR_DATA_TO_IO(SPDR)].w.param = a;
	avr_register_io_write(avr, GPIOR0, main_mark, a);
	avr_register_io_write(avr, EECR, eeprom_write, a);
	avr_register_io_read(avr, EECR, eeprom_control, a);
	avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
	flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
	avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
	avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), uart_out, a);
}

void avr_board_connect(struct avr_rig *a)
{
	connect_pins(a);
	connect_registers(a);
}
