/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The board: with hal_tubes.c the only file that knows registers of the ATmega328P.
 *
 * Timer 1 runs free: its overflows make 32-bit ticks, compare A begins the
 * seconds, compare B is the beat that wakes the main loop.  Timer 2 is hal_tubes.c's.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "hal.h"
#include "hal_tubes.h"

enum {
	BEAT = 10 * TICKS_PER_MS,
	SOON = 3,		/* ticks: a compare value nearer than this could be missed */
	RING = 64,		/* a power of two */
	REBOOT = 0x5a,		/* hal_reset was here, not a hung main loop */
};

/* hal_second_at asked for a second; on_second runs. */
enum second { SECOND_WANTED = 1, SECOND_BEGINS = 2 };

/* One side writes, the other reads, and neither needs a lock: head is moved behind the byte, tail likewise. */
struct ring {
	volatile uint8_t head, tail;	/* written at head, read at tail */
	volatile uint8_t byte[RING];
};

static uint8_t hal_cause NOINIT, hal_reboot NOINIT;
static volatile uint16_t hal_wraps;	/* of timer 1: the upper half of the ticks */
static uint32_t hal_ms_count, hal_ms_tick;
static uint32_t hal_due;		/* tick of the next second */
static uint8_t hal_second;		/* enum second, or both */
static volatile bool hal_woken;		/* something happened that the main loop is to look at */
static volatile uint32_t hal_edge;	/* tick of IRQN's falling edge */
static volatile bool hal_uart_bad;
static struct ring hal_in, hal_out;

/*
 * Called before RAM is initialized: high voltage off before anything else, the
 * watchdog of a bite stopped.  MCUSR must be clear for that.  C can run here:
 * .init2 has set the stack pointer and cleared r1; .noinit is left alone later.
 */
__asm__(".section .init3, \"ax\", @progbits\n\tcall hal_first\n\t.text");
void hal_first(void);
__attribute__((used)) void hal_first(void)
{
	uint8_t before;		/* a boot loader that clears MCUSR leaves it in r2 */

	PORTD &= (uint8_t)~_BV(PIN_HV);
	DDRD |= _BV(PIN_HV);
	__asm__ volatile("mov %0, r2" : "=r"(before));
	hal_cause = MCUSR != 0 ? MCUSR : before;
	MCUSR = 0;
	wdt_disable();
}

uint8_t hal_reset_cause(void)
{
	return hal_cause;
}

/* A reboot by hand is not a bite: it counts as the button.  A brown-out right after it stays one. */
static void cause_init(void)
{
	if (hal_reboot == REBOOT && (hal_cause & RESET_WATCHDOG) != 0)
		hal_cause = (hal_cause & (uint8_t)~RESET_WATCHDOG) | RESET_BUTTON;
	hal_reboot = 0;
}

void hal_mark(void)
{
	GPIOR0 = 1;
}

uint8_t hal_lock(void)
{
	uint8_t before = SREG;

	cli();
	return before;
}

void hal_unlock(uint8_t before)
{
	__asm__ volatile("" ::: "memory");
	SREG = before;
}

void hal_kick(void)
{
	wdt_reset();
}

void hal_reset(void)
{
	cli();
	hal_hv(false);
	hal_reboot = REBOOT;
	wdt_enable(WDTO_15MS);
	wdt_reset();		/* the new time counts from here */
	for (;;)
		;
}

/* Time */

NOINLINE uint32_t hal_ticks(void)
{
	uint8_t before = hal_lock();
	uint16_t low = TCNT1;
	uint16_t high = hal_wraps;

	if ((TIFR1 & _BV(TOV1)) != 0 && low < 0x8000)
		high++;		/* wrapped, and its interrupt has not run yet */
	hal_unlock(before);
	return (uint32_t)high << 16 | low;
}

/*
 * Without division: 16777 / 2^22 is a little less than 1 / 250, what it leaves
 * counts the next time.  So does what is above 262 ms, which no pass takes.
 */
uint32_t hal_ms(void)
{
	uint32_t past = hal_ticks() - hal_ms_tick;
	uint16_t part = past > UINT16_MAX ? UINT16_MAX : (uint16_t)past;
	uint16_t whole;

	if (part > TICKS_PER_MS) {
		whole = (uint16_t)(part * 16777UL >> 16) >> 6;
		hal_ms_count += whole;
		hal_ms_tick += whole * TICKS_PER_MS;
	}
	return hal_ms_count;
}

/*
 * Compare A matches once a wrap; its interrupt looks whether the second is due.
 * Not by 0: the simulator has no match there.  Interrupts are off.
 */
static void arm(void)
{
	uint32_t now = hal_ticks();
	uint16_t at = (uint16_t)hal_due;

	if ((int32_t)(hal_due - now) < SOON)
		at = (uint16_t)now + SOON;
	OCR1A = at != 0 ? at : 1;
}

NOINLINE void hal_second_at(uint32_t tick)
{
	uint8_t before = hal_lock();

	hal_due = tick;
	arm();			/* while on_second runs for nothing: it is done again behind it */
	hal_second |= SECOND_WANTED;
	hal_unlock(before);
}

/* Lets the other interrupts in while the second begins, but not the next second: that one is armed at the end. */
ISR(TIMER1_COMPA_vect)
{
	if (hal_second != SECOND_WANTED || (int32_t)(hal_ticks() - hal_due) < 0)
		return;
	hal_second = SECOND_BEGINS;
	hal_woken = true;
	sei();
	on_second(hal_due);
	cli();
	hal_second &= SECOND_WANTED;
	arm();
}

ISR(TIMER1_COMPB_vect)
{
	uint16_t next = OCR1B + BEAT;

	OCR1B = next != 0 ? next : 1;
	hal_woken = true;
}

ISR(TIMER1_OVF_vect)
{
	hal_wraps++;
}

void hal_idle(void)
{
	cli();
	while (!hal_woken)	/* dimming wakes the processor too; the simulator needs the nop to see what is pending */
		__asm__ volatile("sei\n\tsleep\n\tnop\n\tcli" ::: "memory");
	hal_woken = false;
	sei();
}

static void timer_init(void)
{
	TCCR1A = 0;
	TCCR1B = _BV(CS11) | _BV(CS10);
	OCR1B = BEAT;
	TIMSK1 = _BV(TOIE1) | _BV(OCIE1A) | _BV(OCIE1B);
	SMCR = _BV(SE);		/* idle: timers and UART run on */
}

/* WiFi module */

uint8_t hal_spi(uint8_t out)
{
	SPDR = out;
	while ((SPSR & _BV(SPIF)) == 0)
		;
	return SPDR;
}

void hal_wifi_select(bool on)
{
	if (on)
		PORTB &= (uint8_t)~_BV(PIN_WIFI_CS);
	else
		PORTB |= _BV(PIN_WIFI_CS);
}

void hal_wifi_enable(bool on)
{
	if (on)
		PORTC |= _BV(PIN_WIFI_EN);
	else
		PORTC &= (uint8_t)~_BV(PIN_WIFI_EN);
}

void hal_wifi_reset(bool on)
{
	if (on)
		PORTC &= (uint8_t)~_BV(PIN_WIFI_RESET);
	else
		PORTC |= _BV(PIN_WIFI_RESET);
}

bool hal_wifi_asks(void)
{
	return (PINC & _BV(PIN_WIFI_IRQ)) == 0;
}

uint32_t hal_wifi_asked(void)
{
	uint8_t before = hal_lock();
	uint32_t tick = hal_edge;

	hal_unlock(before);
	return tick;
}

ISR(PCINT1_vect)
{
	if (!hal_wifi_asks())
		return;
	hal_edge = hal_ticks();
	hal_woken = true;
}

/* UART */

static bool ring_put(struct ring *ring, uint8_t byte)
{
	uint8_t next = (ring->head + 1) % RING;

	if (next == ring->tail)
		return false;
	ring->byte[ring->head] = byte;
	ring->head = next;
	return true;
}

static bool ring_get(struct ring *ring, uint8_t *byte)
{
	if (ring->tail == ring->head)
		return false;
	*byte = ring->byte[ring->tail];
	ring->tail = (ring->tail + 1) % RING;
	return true;
}

ISR(USART_RX_vect)
{
	uint8_t status = UCSR0A;	/* goes with the byte: read first */
	uint8_t byte = UDR0;

	if ((status & (_BV(FE0) | _BV(DOR0))) != 0)
		hal_uart_bad = true;
	if ((status & _BV(FE0)) == 0 && !ring_put(&hal_in, byte))
		hal_uart_bad = true;
	hal_woken = true;
}

ISR(USART_UDRE_vect)
{
	uint8_t byte;

	if (ring_get(&hal_out, &byte)) {
		UDR0 = byte;
		return;
	}
	UCSR0B &= (uint8_t)~_BV(UDRIE0);
	hal_woken = true;	/* there is room for more */
}

bool hal_uart_get(uint8_t *byte)
{
	return ring_get(&hal_in, byte);
}

NOINLINE bool hal_uart_put(uint8_t byte)
{
	bool room = ring_put(&hal_out, byte);

	UCSR0B |= _BV(UDRIE0);	/* what the interrupt clears meanwhile is to be set in any case */
	return room;
}

bool hal_uart_lost(void)
{
	uint8_t before = hal_lock();
	bool lost = hal_uart_bad;

	hal_uart_bad = false;
	hal_unlock(before);
	return lost;
}

/* EEPROM */

uint8_t hal_ee_read(uint16_t at)
{
	EEAR = at;
	EECR |= _BV(EERE);
	return EEDR;
}

NOINLINE void hal_ee_write(uint16_t at, uint8_t byte)
{
	uint8_t before = hal_lock();

	EEAR = at;
	EEDR = byte;
	EECR |= _BV(EERIE);
	EECR |= _BV(EEMPE);	/* the next must come within 4 cycles */
	EECR |= _BV(EEPE);
	hal_unlock(before);
}

ISR(EE_READY_vect)
{
	EECR &= (uint8_t)~_BV(EERIE);
	hal_woken = true;	/* the next byte can go */
}

bool hal_ee_busy(void)
{
	return (EECR & _BV(EEPE)) != 0;
}

/* Module off, chip select high before SPI takes its pins; registers dark. */
static void ports_init(void)
{
	PORTC = _BV(PIN_WIFI_IRQ) | _BV(PIN_LIGHT) | FREE_C;
	DDRC = _BV(PIN_WIFI_EN) | _BV(PIN_WIFI_RESET) | _BV(PIN_SR_DATA);
	PORTB = _BV(PIN_WIFI_CS) | _BV(PIN_SS) | FREE_B;
	DDRB = _BV(PIN_WIFI_CS) | _BV(PIN_SS) | _BV(PIN_MOSI) | _BV(PIN_SCK);
	PORTD = _BV(PIN_RXD) | _BV(PIN_TXD) | _BV(PIN_SR_CLEAR) | FREE_D;
	DDRD = _BV(PIN_SR_CLOCK) | _BV(PIN_SR_CLEAR) | _BV(PIN_SR_LATCH) | _BV(PIN_COLON) |
	    _BV(PIN_HV);
	EICRA = _BV(ISC11) | _BV(ISC10) | _BV(ISC01) | _BV(ISC00);	/* PD2, PD3: no level interrupts */
	hal_tubes_init();
	PCMSK1 = _BV(PCINT10);
	PCICR = _BV(PCIE1);
}

static void uart_init(void)
{
	UCSR0A = _BV(U2X0);
	UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
	UBRR0 = (F_CPU + 4 * UART_BAUD) / (8 * UART_BAUD) - 1;	/* last: the simulator takes the speed here */
	UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
}

void hal_init(void)
{
	ports_init();
	cause_init();
	wdt_enable(WDTO_2S);
	while (hal_ee_busy())
		;		/* a write that a reset did not stop */
	SPCR = _BV(SPE) | _BV(MSTR);
	SPSR = _BV(SPI2X);
	timer_init();
	uart_init();
	sei();
}
