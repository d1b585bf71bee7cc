/* The tubes' half of the board: six '595 on their pins, dimmed by timer 2, and the high voltage. */
#include "hal_tubes.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <string.h>

#include "hal.h"

enum { FRAME = 125 };			/* counts of timer 2 at clk/1024: 8 ms */

static uint8_t hal_picture[6];
static uint8_t hal_level;
static volatile bool hal_lit;		/* dimmed: in the lit part of the frame */

#define SHIFT_BIT(n) \
	"bst %[byte], " #n "\n\t" \
	"bld %[data], %[pin]\n\t" \
	"out %[portc], %[data]\n\t" \
	"out %[portd], %[high]\n\t" \
	"out %[portd], %[low]\n\t"

/* 48 bits in 17 us: 5 cycles each.  Interrupts are off, so that the other pins stay. */
static void shift(void)
{
	uint8_t data = PORTC;
	uint8_t low = PORTD & (uint8_t)~_BV(PIN_SR_CLOCK);
	uint8_t high = low | _BV(PIN_SR_CLOCK);
	const uint8_t *byte = hal_picture + sizeof(hal_picture);

	do
		__asm__ volatile(
		    SHIFT_BIT(7) SHIFT_BIT(6) SHIFT_BIT(5) SHIFT_BIT(4)
		    SHIFT_BIT(3) SHIFT_BIT(2) SHIFT_BIT(1) SHIFT_BIT(0)
		    : [data] "+r"(data)
		    : [byte] "r"(*--byte), [high] "r"(high), [low] "r"(low), [pin] "I"(PIN_SR_DATA),
		    [portc] "I"(_SFR_IO_ADDR(PORTC)), [portd] "I"(_SFR_IO_ADDR(PORTD)));
	while (byte != hal_picture);
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

/* A frame begins: lit until compare B.  Interrupts are off. */
static void frame(void)
{
	TCNT2 = 0;
	TIFR2 = _BV(OCF2A) | _BV(OCF2B);
	hal_lit = true;
	shift();
}

void hal_show(const uint8_t word[6])
{
	uint8_t before = hal_lock();
	bool changed = !hal_lit && memcmp(hal_picture, word, sizeof(hal_picture)) != 0;

	memcpy(hal_picture, word, sizeof(hal_picture));
	if (hal_lit)
		shift();
	else if (changed && hal_level > 0)
		frame();	/* a new second does not wait for the dark part to end */
	hal_unlock(before);
}

static void frames(uint8_t level)
{
	OCR2A = FRAME - 1;
	OCR2B = (uint8_t)(level * FRAME / DIM_FULL - 1);
	TCCR2B = _BV(CS22) | _BV(CS21) | _BV(CS20);
	frame();
	TIMSK2 = _BV(OCIE2A) | _BV(OCIE2B);
}

void hal_dim(uint8_t level)
{
	uint8_t before = hal_lock();

	if (level != hal_level) {
		hal_level = level;
		hal_lit = level > 0;
		TIMSK2 = 0;
		TCCR2B = 0;
		if (level == 0)
			blank();
		else if (level < DIM_FULL)
			frames(level);
		else
			shift();
	}
	hal_unlock(before);
}

ISR(TIMER2_COMPA_vect)
{
	hal_lit = true;
	shift();
}

ISR(TIMER2_COMPB_vect)
{
	hal_lit = false;
	blank();
}

void hal_hv(bool on)
{
	if (on)
		PORTD |= _BV(PIN_HV);
	else
		PORTD &= (uint8_t)~_BV(PIN_HV);
}

/* Dark.  A stray jump to 0 resets no register: the timer is stopped, too. */
void hal_tubes_init(void)
{
	TIMSK2 = 0;
	TCCR2A = _BV(WGM21);
	hal_level = DIM_FULL;
	hal_lit = true;
	blank();
}
