/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The endless loop. */
#include "fw.h"
#include "hal.h"

int main(void)
{
	fw_start();
	for (;;) {
		fw_pass();
		hal_idle();
	}
}
