/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The common part of the network scenarios: functions that inspect the module, and the usual steps of a scenario. */
#ifndef SCEN_WIFI_H
#define SCEN_WIFI_H

#include "scen.h"

enum { WIFI = 1, IP = 2, CONNECT = 0x28, CONNECTION = 0x2c, DHCP = 0x32, CONFLICT = 0x34, DHCP_FAILED = 0x3d };
enum { EN = 0, RESET_N = 1 };	/* pins in the journal */
enum { BIND = 0x41, SEND = 0x47, RECEIVE = 0x48, RESOLVE = 0x4a };

#define SECOND 16000000ull
#define NO_NETWORK "----10"
#define NO_JOIN "----11"
#define NO_AUTH "----12"
#define NO_ADDRESS "----13"
#define NO_NAME "----20"
#define NO_ANSWER "----21"
#define STEADY_MS 50.0
#define AWAY_MS 300.0	/* without network for hours, the rate learned */

struct wsim_script *wifi_script(struct rig *rig);
/* Requests of the host since cycle. */
uint32_t wifi_requests(struct rig *rig, uint8_t group, uint8_t opcode, uint64_t since);
/* Returns how many requests both servers received so far. */
uint32_t wifi_asked(struct rig *rig);
/* From power-on to the right time with a good network. */
void wifi_start(struct rig *rig, const char *settings);
/* Since the cycle every second was shown, at its time, and no code. */
void wifi_steady(struct rig *rig, uint64_t since);
/* The same, and so many steady seconds. */
void wifi_works(struct rig *rig, double seconds);
/* Rises of EN or RESET_N by the clock since cycle; RESET_N at power-on itself is the pull-up's. */
uint32_t wifi_pulses(struct rig *rig, uint8_t pin, uint64_t since);
/* Runs until the access point is asked again (20 min at most). */
void wifi_wait_join(struct rig *rig);
/* Runs until the servers are asked again; false: not within that many seconds. */
bool wifi_wait_asked(struct rig *rig, double seconds);

#endif
