/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Bit by bit: a table would cost 512 bytes of flash. */
#include "crc16.h"

uint16_t crc16_byte(uint16_t crc, uint8_t byte)
{
	crc ^= (uint16_t)(byte << 8);
	for (uint8_t i = 0; i < 8; i++)
		crc = crc & 0x8000 ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
	return crc;
}
