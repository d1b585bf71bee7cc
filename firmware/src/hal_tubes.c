/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tubes: pictures into the '595 registers, and timer 2, which shares a
 * frame of 8 ms by time: the picture, then the one that fades out, then dark.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

#include "hal.h"
#include "hal_tubes.h"

enum {
	WORD = 6,
	FRAME = 125,		/* counts of timer 2 at clk/1024: 8 ms */
	FADE_STEP = 6,		/* of 256 parts, a frame: a third of a second */
	FADE_END = 250,		/* the rest is too short for the timer */
};

static uint8_t hal_picture[WORD], hal_before[WORD];
static uint8_t hal_level;
static uint8_t hal_end;			/* counts of a frame that are lit; FRAME: all */
static uint8_t hal_part;		/* of these, in 1/256, the picture's while one fades in; 0: none does */
static volatile bool hal_lit;		/* not in the dark part of a frame */

#define SHIFT_BIT(n) \
	"bst %[byte], " #n "\n\t" \
	"bld %[data], %[pin]\n\t" \
	"out %[portc], %[data]\n\t" \
	"out %[portd], %[high]\n\t" \
	"out %[portd], %[low]\n\t"

/* 48 bits in 17 us: 5 cycles each.  Interrupts are off, so that the other pins stay. */
static void shift(const uint8_t *word)
{
	uint8_t data = PORTC;
	uint8_t low = PORTD & (uint8_t)~_BV(PIN_SR_CLOCK);
	uint8_t high = low | _BV(PIN_SR_CLOCK);
	const uint8_t *byte = word + WORD;

	do
		__asm__ volatile(
		    SHIFT_BIT(7) SHIFT_BIT(6) SHIFT_BIT(5) SHIFT_BIT(4)
		    SHIFT_BIT(3) SHIFT_BIT(2) SHIFT_BIT(1) SHIFT_BIT(0)
		    : [data] "+r"(data)
		    : [byte] "r"(*--byte), [high] "r"(high), [low] "r"(low), [pin] "I"(PIN_SR_DATA),
		    [portc] "I"(_SFR_IO_ADDR(PORTC)), [portd] "I"(_SFR_IO_ADDR(PORTD)));
	while (byte != word);
	PORTD |= _BV(PIN_SR_LATCH);
	PORTD &= (uint8_t)~_BV(PIN_SR_LATCH);
}

static void blank(void)
{
	PORTD &= (uint8_t)~_BV(PIN_SR_CLEAR);
	PORTD |= _BV(PIN_SR_LATCH);
	PORTD &= (uint8_t)~_BV(PIN_SR_LATCH);
	PORTD |= _BV(PIN_SR_CLEAR);
}

/* A frame begins; where it has one part only, timer 2 has nothing to do.  Interrupts are off. */
static void frame(void)
{
	uint8_t end = hal_end;

	TIMSK2 = 0;
	if (end < FRAME || hal_part != 0) {
		TCNT2 = 0;
		TIFR2 = _BV(OCF2A) | _BV(OCF2B);
		TIMSK2 = _BV(OCIE2A) | _BV(OCIE2B);
	}
	if (hal_part != 0)
		end = (uint8_t)(((uint16_t)hal_part * end >> 8) + 1);
	OCR2B = end;
	hal_lit = true;
	shift(hal_picture);
}

/* A new picture does not wait for the dark part to end; one that fades in is left alone. */
void hal_show(const uint8_t word[6], bool fade)
{
	uint8_t before = hal_lock();

	if (memcmp(hal_picture, word, WORD) != 0) {
		memcpy(hal_before, hal_picture, WORD);
		memcpy(hal_picture, word, WORD);
		hal_part = fade ? FADE_STEP : 0;
		if (hal_lit && hal_end < FRAME)
			shift(hal_picture);	/* a restarted frame would be a flash */
		else if (hal_level > 0)
			frame();
	} else if (hal_lit && hal_part == 0) {
		shift(hal_picture);
	}
	hal_unlock(before);
}

static void dark(void)
{
	hal_lit = false;
	blank();
}

void hal_dim(uint8_t level)
{
	uint8_t before = hal_lock();

	if (level != hal_level) {
		hal_level = level;
		hal_end = (uint8_t)(level * FRAME / DIM_FULL);
		TIMSK2 = 0;
		if (level == 0)
			dark();
		else
			frame();
	}
	hal_unlock(before);
}

ISR(TIMER2_COMPA_vect)
{
	if (hal_part != 0)
		hal_part += FADE_STEP;
	if (hal_part >= FADE_END)
		hal_part = 0;
	frame();
}

/* The picture's part ends, or what is lit of the frame. */
ISR(TIMER2_COMPB_vect)
{
	if (TCNT2 >= hal_end) {
		dark();
		return;
	}
	OCR2B = hal_end;
	shift(hal_before);
}

uint8_t hal_light(void)
{
	uint8_t light = ADCH;

	ADCSRA |= _BV(ADSC);
	return light;
}

void hal_colon(bool on)
{
	if (on)
		PORTD |= _BV(PIN_COLON);
	else
		PORTD &= (uint8_t)~_BV(PIN_COLON);
}

void hal_hv(bool on)
{
	if (on)
		PORTD |= _BV(PIN_HV);
	else
		PORTD &= (uint8_t)~_BV(PIN_HV);
}

void hal_tubes_init(void)
{
	ADMUX = _BV(REFS0) | _BV(ADLAR) | PIN_LIGHT;
	ADCSRA = _BV(ADEN) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
	TCCR2A = _BV(WGM21);
	TIMSK2 = 0;		/* a stray jump to 0 starts again, too, and resets no register */
	TCCR2B = _BV(CS22) | _BV(CS21) | _BV(CS20);
	OCR2A = FRAME - 1;
	hal_level = DIM_FULL;
	hal_end = FRAME;
	hal_lit = true;
	blank();
}
