/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts combined: their start, one pass of the loop, the second's interrupt, the watchdog. */
#include "fw.h"

#include "cli.h"
#include "clk.h"
#include "conf.h"
#include "disp.h"
#include "hal.h"
#include "net.h"
#include "rnd.h"
#include "sync.h"

/* The watchdog is not kicked when the last second began longer ago: a step may stretch one to 2 s. */
#define SECOND_LATE_MS 2500U

static volatile bool fw_began;		/* a second began, by the interrupt */
static uint16_t fw_second_ms;
static uint32_t fw_seed NOINIT;		/* noise of the RAM at power-on, then different at each reset */

NOINLINE void on_second(uint32_t tick)
{
	clk_second(tick);
	disp_second();
	fw_began = true;
}

/* The time continues after a reset that left RAM alone. */
static bool resume(uint32_t *age, uint32_t *bound)
{
	uint8_t cause = hal_reset_cause();

	if ((cause & (RESET_POWER | RESET_BROWNOUT)) != 0)
		return false;
	return (cause & (RESET_WATCHDOG | RESET_BUTTON)) != 0 && clk_resume(age, bound);
}

void fw_start(void)
{
	uint32_t age = UINT32_MAX, bound = UINT32_MAX;
	bool resumed;

	hal_init();
	fw_began = false;
	fw_second_ms = (uint16_t)hal_ms();
	conf_load();
	rnd_mix(fw_seed);
	fw_seed = rnd_next();
	clk_init(conf.rate);
	resumed = resume(&age, &bound);
	disp_init();
	cli_init();
	net_init();
	sync_init(resumed, age, bound);
	if ((hal_reset_cause() & RESET_WATCHDOG) != 0)
		disp_watchdog();
}

static void second_work(void)
{
	struct sync_info info;

	fw_began = false;
	fw_second_ms = (uint16_t)hal_ms();
	sync_second();
	sync_get(&info);
	clk_keep(info.age, info.bound);
}

NOINLINE void fw_pass(void)
{
	hal_mark();
	cli_pass();
	net_pass();
	disp_pass();
	if (fw_began)
		second_work();
	if ((uint16_t)(hal_ms() - fw_second_ms) < SECOND_LATE_MS)
		hal_kick();
}
