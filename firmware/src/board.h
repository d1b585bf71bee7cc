/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The board: which pin of the ATmega328P is what, and its two time bases. */
#ifndef BOARD_H
#define BOARD_H

#ifndef F_CPU
#define F_CPU 16000000UL
#endif

/* Timer 1 runs free at clk/64: a tick is 4 microseconds. */
#define TICK_HZ 250000UL
#define TICKS_PER_MS 250U
#define CRYSTAL_PPM 100		/* what the crystal may be off by, before it was measured */

/* PORTD */
#define PIN_RXD 0		/* pulled up: an open header is silent */
#define PIN_TXD 1		/* pulled up until the UART drives it */
#define PIN_SR_CLOCK 2		/* '595 SCK; also INT0 */
#define PIN_SR_CLEAR 3		/* '595 SRCLR, active low; also INT1 */
#define PIN_SR_LATCH 4		/* '595 RCK, takes over on the rising edge */
#define PIN_COLON 5		/* high: the colon lamps are lit, if the anodes have 170 V */
#define PIN_HV 6		/* high: the anodes have 170 V */
/* PORTC.  The schematic swaps the names of the first two nets. */
#define PIN_WIFI_EN 0
#define PIN_WIFI_RESET 1	/* low: the module is held in reset */
#define PIN_WIFI_IRQ 2		/* input, low: a message waits; PCINT10 */
#define PIN_LIGHT 3		/* analog; pulled up: bright without a sensor */
#define PIN_SR_DATA 5		/* '595 SER */
/* PORTB */
#define PIN_WIFI_CS 1
#define PIN_SS 2		/* unused, an output: else SPI may leave master mode */
#define PIN_MOSI 3
#define PIN_MISO 4
#define PIN_SCK 5

/* No net: pulled up, as a floating input takes current. */
#define FREE_B 0x01
#define FREE_C 0x10
#define FREE_D 0x80

#define UART_BAUD 115200UL

/*
 * The release's time, 2026-05-28: no server's time before it or 60 years after
 * it is believed.  A constant: the same sources give the same bytes.
 */
#ifndef FW_BUILD_UNIX
#define FW_BUILD_UNIX 1780000000UL
#endif

#endif
