/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xffff. */
#ifndef CRC16_H
#define CRC16_H

#include <stdint.h>

#define CRC16_START 0xffffU
uint16_t crc16_byte(uint16_t crc, uint8_t byte);

#endif
