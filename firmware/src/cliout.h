/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the output of the console, without waiting and without a buffer.  Each
 * pass rebuilds the row until the UART's ring has taken all of it, and omits the
 * part that the ring took before.
 */
#ifndef CLIOUT_H
#define CLIOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

void out_init(void);
void out_start(void);		/* the row is made from its beginning */
uint32_t out_frozen(uint32_t value);	/* value as it was when this row was made first */
bool out_done(void);		/* all of it is out; the next out_start begins a new one */

void out_char(char c);
void out_text(FLASH char *text);
void out_word(FLASH char *text);	/* up to a space or a bar */
void out_item(FLASH char *list, uint8_t i);	/* list: texts with a NUL after each */
void out_string(const char *text);	/* from RAM; control bytes as ? */
void out_number(uint32_t number);
void out_two(uint8_t number);	/* two digits */
void out_tenths(int32_t tenths);	/* +12.3 */

#endif
