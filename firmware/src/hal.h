/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions that the firmware needs from its board, without their code.
 * hal_*.c implement them on the ATmega328P, test/sim/hal_pc.c on a PC with the same
 * models of tubes and WiFi module.  No other file accesses a register.
 *
 * Nothing here waits longer than 60 microseconds, except hal_init (EEPROM, 4 ms), hal_idle and hal_reset.
 */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

#ifdef __AVR__
#define FLASH const __flash		/* a table that stays in flash */
#define NOINIT __attribute__((section(".noinit")))	/* survives a reset */
#else
#define FLASH const
#define NOINIT __attribute__((section("fw_noinit")))
#endif

/*
 * &x, but gcc is not to know its value: with a known address each access to a
 * byte has its own instruction of two words.
 */
#define VIA(x) ({ __typeof__(&(x)) via_ = &(x); __asm__("" : "+r" (via_)); via_; })

/* x is worked out here.  gcc may move a division past hal_lock, to where x is stored. */
#define WORKED_OUT(x) __asm__ volatile("" : "+r" (x))

/* Inlined where gcc would, this function costs more flash than its calls do; or scenarios look for it by its name. */
#define NOINLINE __attribute__((noinline))

/* Ports first (HV off, module off, registers cleared), then timers, UART, SPI; interrupts on. */
void hal_init(void);

/* Why the processor started, as MCUSR had it. */
enum { RESET_POWER = 1, RESET_BUTTON = 2, RESET_BROWNOUT = 4, RESET_WATCHDOG = 8 };
uint8_t hal_reset_cause(void);

/* Time */
uint32_t hal_ticks(void);	/* of 4 us, wraps after 4.77 h: use differences */
uint32_t hal_ms(void);		/* since start, wraps after 49.7 days; only outside interrupts */
void hal_second_at(uint32_t tick);	/* on_second(tick) is called at tick, once; at once when that is past */
void on_second(uint32_t tick);	/* given by fw.c; runs inside an interrupt that lets the others in */

/* Sleeps until an interrupt; returns after 10 ms at the latest. */
void hal_idle(void);
void hal_mark(void);		/* a pass of the main loop begins: for the simulator that counts them */

/* Keeps interrupts out while state is read that they change: pass the result to hal_unlock. */
uint8_t hal_lock(void);
void hal_unlock(uint8_t before);

/* Watchdog of 2 s, runs from hal_init on.  hal_reset does not return. */
void hal_kick(void);
void hal_reset(void) __attribute__((noreturn));

/* Tubes: word[0] ends in the '595 nearest to SER.  All may be called from an interrupt too. */
void hal_show(const uint8_t word[6], bool fade);	/* 48 bits, then one latch; never torn */
/* fade: the old picture shares frames of 8 ms with the new one, less and less for a third of a second. */
enum { DIM_FULL = 16 };
void hal_dim(uint8_t level);	/* lit share of each 8 ms, 0 (dark) to DIM_FULL sixteenths */
void hal_hv(bool on);
uint8_t hal_light(void);	/* of the sensor as the last call found it, 0 dark to 255 bright */
void hal_colon(bool on);	/* the lamps between the digits */

/* WiFi module */
uint8_t hal_spi(uint8_t out);
void hal_wifi_select(bool on);	/* on: CS low */
void hal_wifi_enable(bool on);	/* EN */
void hal_wifi_reset(bool on);	/* on: held in reset */
bool hal_wifi_asks(void);	/* IRQN is low */
uint32_t hal_wifi_asked(void);	/* the tick of IRQN's last falling edge */

/* UART, 115200 8N1, rings of 64 bytes each way */
bool hal_uart_get(uint8_t *byte);	/* false: nothing there */
bool hal_uart_put(uint8_t byte);	/* false: no room now */
bool hal_uart_lost(void);	/* bytes were lost or framed wrong since the last call */

/* EEPROM of 1024 bytes.  hal_ee_write starts a write of 3.4 ms; read and write only when not busy. */
uint8_t hal_ee_read(uint16_t at);
void hal_ee_write(uint16_t at, uint8_t byte);
bool hal_ee_busy(void);

#endif
