/*
 * Asks the driver for one thing at a time and goes on by its events.  A state is entered with a
 * pause; when that is over it begins, and may last only so long.  Times are eighths of a second.
 */
#include "net.h"

#include "ask.h"
#include "conf.h"
#include "hal.h"
#include "rnd.h"
#include "servers.h"
#include "sync.h"
#include "winc.h"

#define EIGHTHS(seconds) ((seconds) * 8U)
#define EIGHTH_MS 125
#define STUCK EIGHTHS(25)	/* so long the driver may refuse a request as busy */

enum { FIRST_PORT = 49152, PORT_MASK = 16383, INTERVAL_LEAST = 64 };

static struct net {
	uint32_t due;		/* to the next request, whatever the link does meanwhile */
	uint32_t ip;
	uint16_t ms;		/* low part of hal_ms at the last eighth */
	uint16_t time;		/* since the state was entered or begun */
	uint16_t pause;		/* before it begins */
	uint16_t interval;	/* s, the last between two polls */
	uint8_t state;
	uint8_t code;
	bool begun;		/* the pause is over, the request went out */
	bool same_name;		/* the next request needs no new name */
	bool must_leave;	/* the network, before it is joined again */
	bool healthy;		/* a reply came since the module was started */
	uint8_t depth;		/* of the last start */
	uint8_t round;		/* times all depths were tried in vain */
	uint8_t joins, names, fails;	/* in a row: to join, of one name, to get the time */
} net;

static NOINLINE void enter(struct net *n, uint8_t state, uint16_t pause)
{
	n->state = state;
	n->begun = false;
	n->time = 0;
	n->pause = pause;
}

static bool awaits(const struct net *n, uint8_t state)
{
	return n->state == state && n->begun;
}

/* What the codes below stood for is over. */
static void mend(struct net *n, uint8_t below)
{
	if (n->code < below)
		n->code = CODE_NONE;
}

/* value doubled so many times, up to cap; +- 6 %. */
static uint16_t doubled(uint16_t value, uint8_t times, uint16_t cap)
{
	for (; times > 0 && value < cap; times--)
		value *= 2;
	if (value > cap)
		value = cap;
	return value - value / 16 + (uint16_t)rnd_below(value / 8 + 1);
}

static char ssid_text(uint8_t i)
{
	return i < CONF_SSID ? conf.ssid[i] : '\0';
}

static char pass_text(uint8_t i)
{
	return i < CONF_PASS ? conf.pass[i] : '\0';
}

/* The question is over: when the next one? */
static void wait_seconds(struct net *n, uint32_t seconds)
{
	ask_end();
	n->due = EIGHTHS(seconds);
	n->same_name = false;
	enter(n, NET_IDLE, 0);
}

/* The module is started anew, gently at first, with ever longer pauses. */
static void dead(struct net *n, uint8_t code)
{
	uint16_t pause = 0;

	n->code = code;
	if (n->healthy) {
		n->depth = WINC_SOFT;
		n->round = 0;
	} else {
		if (n->depth == WINC_POWER && n->round < UINT8_MAX)
			n->round++;
		n->depth = n->depth == WINC_RESET ? WINC_POWER : WINC_RESET;
		pause = doubled(EIGHTHS(32), n->round, EIGHTHS(840));
	}
	n->healthy = false;
	enter(n, NET_OFF, pause);
}

static void join_failed(struct net *n, uint8_t code)
{
	uint16_t pause = doubled(EIGHTHS(11), n->joins, EIGHTHS(280));

	n->code = code;
	n->joins = n->joins < 250 ? n->joins + 1 : 246;
	enter(n, NET_JOIN, pause);
	if (n->joins % 5 == 0) {
		n->state = NET_OFF;
		n->depth = WINC_POWER;
	}
}

/* No time this time: later again, at the other server if there is one and it is to be. */
static void failed(struct net *n, uint8_t code, bool other)
{
	wait_seconds(n, 0);
	n->due = doubled(EIGHTHS(2), n->fails, EIGHTHS(1024));
	n->code = code;
	/* What counts are threes and eights: 217 for 241. */
	n->fails = n->fails < 240 ? n->fails + 1 : 217;
	other |= n->fails % 3 == 0;
	n->same_name = !other;
	if (other)
		servers_other();
	/* The module may be the one that does not listen. */
	if (n->fails % 8 == 0 && (code == CODE_NO_ANSWER || code == CODE_NO_NAME)) {
		n->depth = WINC_RESET;
		enter(n, NET_OFF, 0);
	}
}

static void on_good(struct net *n, const struct ntp_reply *reply, uint32_t t4)
{
	enum sync_act act = sync_reply(reply, t4, servers_now(), servers_usable());
	uint16_t seconds = sync_next();

	n->fails = 0;
	n->healthy = true;
	/* While it is in doubt whether the clock or the server is wrong, what was said of servers stands. */
	mend(n, act == SYNC_AGAIN || act == SYNC_OTHER ? CODE_REJECTED : UINT8_MAX);
	if (act == SYNC_DISAGREE)
		n->code = CODE_DISAGREE;
	if (act == SYNC_SPIKE)
		n->code = CODE_REJECTED;
	/* The first time is verified, a doubtful one judged, by the other server. */
	if (act != SYNC_SLEW && act != SYNC_STEP && act != SYNC_SPIKE)
		servers_other();
	if (seconds >= INTERVAL_LEAST)
		n->interval = seconds;
	wait_seconds(n, servers_interval(seconds));
}

static void on_no_time(struct net *n, enum ntp_verdict verdict)
{
	uint8_t code = verdict <= NTP_UNSYNCHRONISED ? CODE_NOT_SYNCHRONISED : CODE_REJECTED;

	if (verdict == NTP_KISS_DENY || verdict == NTP_KISS_RATE)
		code = CODE_REFUSED;
	if (verdict == NTP_KISS_DENY)
		servers_refuse();
	if (verdict == NTP_KISS_RATE) {
		servers_slow();
		if (servers_usable() < 2) {
			n->code = code;
			wait_seconds(n, servers_interval(n->interval));
			return;
		}
	}
	/* A slow reply is the network's fault, all else the server's. */
	failed(n, code, verdict != NTP_DELAY);
}

static void on_data(struct net *n, const struct winc_event *event)
{
	struct ntp_reply reply;
	enum ntp_verdict verdict;

	if (n->state != NET_ASK)
		return;
	verdict = ask_check(event, &reply);
	if (verdict == NTP_GOOD)
		on_good(n, &reply, event->tick);
	else if (verdict > NTP_VERSION)
		on_no_time(n, verdict);
}

static void no_answer(struct net *n)
{
	failed(n, ask_dropped() ? CODE_REJECTED : CODE_NO_ANSWER, false);
}

static void on_sent(struct net *n, const struct winc_event *event)
{
	if (!awaits(n, NET_ASK) || ask_is_sent())
		return;
	n->time = 0;
	if (event->code == 0)
		ask_sent(event->tick);
	else
		dead(n, CODE_NO_ANSWER);
}

/* silent: the module did not even say that there is no such name. */
static void on_name(struct net *n, uint32_t ip, bool silent)
{
	if (!awaits(n, NET_NAME))
		return;
	if (ip == 0 && ++n->names < 3) {
		enter(n, NET_NAME, EIGHTHS(1));
		return;
	}
	n->names = 0;
	if (ip != 0)
		servers_found(ip);
	if (servers_ip() == 0) {
		if (silent)
			dead(n, CODE_NO_NAME);
		else
			failed(n, CODE_NO_NAME, true);
		return;
	}
	mend(n, CODE_NO_ANSWER);
	enter(n, NET_BIND, 0);
}

static void on_address(struct net *n, uint32_t ip)
{
	n->ip = ip;
	if (n->state != NET_DHCP)
		return;
	n->joins = 0;
	mend(n, CODE_NO_NAME);
	enter(n, NET_IDLE, rnd_next() & 15);
}

static void on_left(struct net *n, int8_t code)
{
	if (n->state == NET_ASK)
		no_answer(n);	/* however often the link breaks, the server has its pauses */
	if (n->state >= NET_NAME) {
		n->code = CODE_LINK_LOST;
		enter(n, NET_JOIN, EIGHTHS(1) + (rnd_next() & 15));
	} else if (n->state == NET_DHCP) {
		join_failed(n, n->code == CODE_NO_ADDRESS ? CODE_NO_ADDRESS : CODE_LINK_LOST);
	} else if (awaits(n, NET_JOIN)) {
		join_failed(n, code == WINC_NO_NETWORK ? CODE_NO_NETWORK : code == WINC_NO_AUTH ? CODE_NO_AUTH : CODE_NO_JOIN);
	}
}

static void on_up(struct net *n)
{
	if (n->state != NET_BOOT)
		return;
	mend(n, CODE_NO_NETWORK);
	winc_random();
	enter(n, NET_JOIN, 0);
}

static void no_address(struct net *n)
{
	n->must_leave = true;
	join_failed(n, CODE_NO_ADDRESS);
}

static void on_bound(struct net *n, int8_t code)
{
	if (!awaits(n, NET_BIND))
		return;
	if (code == 0)
		enter(n, NET_ASK, 0);
	else
		dead(n, CODE_NO_MODULE);
}

static NOINLINE void on_event(struct net *n, const struct winc_event *event)
{
	switch (event->kind) {
	case WINC_UP:
		on_up(n);
		break;
	case WINC_DEAD:
		dead(n, event->code == WINC_NO_BOOT ? CODE_NO_START
		    : event->code == WINC_UNKNOWN ? CODE_REVISION : CODE_NO_MODULE);
		break;
	case WINC_JOINED:
		if (awaits(n, NET_JOIN)) {
			mend(n, CODE_NO_ADDRESS);
			enter(n, NET_DHCP, 0);
		}
		break;
	case WINC_LEFT:
		on_left(n, event->code);
		break;
	case WINC_ADDRESS:
		on_address(n, event->ip);
		break;
	case WINC_NO_ADDRESS:
		if (n->state >= NET_DHCP)
			no_address(n);
		break;
	case WINC_NAME:
		on_name(n, event->ip, event->code != 0);
		break;
	case WINC_BOUND:
		on_bound(n, event->code);
		break;
	case WINC_SENT:
		on_sent(n, event);
		break;
	case WINC_DATA:
		on_data(n, event);
		break;
	case WINC_RANDOM:
		for (uint8_t i = 0; event->code == 0 && i < WINC_RANDOM_BYTES; i++)
			rnd_mix(event->data[i]);
	}
}

static void begin_boot(struct net *n)
{
	if (conf.ssid[0] == '\0') {
		n->code = CODE_NO_CONFIG;
		return;
	}
	n->must_leave = false;
	n->ip = 0;
	winc_start(n->depth);
	enter(n, NET_BOOT, 0);
}

static bool begin_join(struct net *n)
{
	if (!n->must_leave)
		return winc_join(ssid_text, pass_text, conf.security);
	if (winc_leave())
		n->must_leave = false;
	return false;
}

static bool begin_name(struct net *n)
{
	uint32_t ip;

	if (!servers_choose()) {
		n->code = servers_listed() ? CODE_REFUSED : CODE_NO_NAME;
		wait_seconds(n, 60);
		return false;
	}
	ip = servers_dotted();
	if (ip == 0)
		return winc_resolve(servers_name);
	servers_found(ip);
	enter(n, NET_BIND, 0);
	return false;
}

static NOINLINE bool begin(struct net *n)
{
	switch (n->state) {
	case NET_OFF:
		begin_boot(n);
		return true;
	case NET_JOIN:
		return begin_join(n);
	case NET_NAME:
		return begin_name(n);
	case NET_BIND:
		return winc_open((uint16_t)(FIRST_PORT + (rnd_next() & PORT_MASK)));
	case NET_ASK:
		return ask_send(servers_ip());
	case NET_IDLE:
		if (n->due == 0)
			enter(n, n->same_name ? NET_BIND : NET_NAME, 0);
		n->time = 0;
		return false;
	}
	return true;
}

/* Begun, and nothing came of it. */
static NOINLINE void overdue(struct net *n)
{
	static FLASH uint16_t longest[] = {
		[NET_OFF] = UINT16_MAX, [NET_BOOT] = EIGHTHS(15), [NET_JOIN] = EIGHTHS(20), [NET_DHCP] = EIGHTHS(45),
		[NET_NAME] = EIGHTHS(5), [NET_BIND] = EIGHTHS(2), [NET_ASK] = EIGHTHS(2), [NET_IDLE] = UINT16_MAX,
	};

	if (n->state == NET_DHCP && n->time >= EIGHTHS(15))
		n->code = CODE_NO_ADDRESS;
	if (n->time < longest[n->state] || n->state == NET_OFF)
		return;
	if (n->state == NET_JOIN)
		join_failed(n, CODE_NO_JOIN);
	else if (n->state == NET_DHCP)
		no_address(n);
	else if (n->state == NET_NAME)
		on_name(n, 0, true);
	else if (n->state == NET_ASK)
		no_answer(n);
	else
		dead(n, n->state == NET_BOOT ? CODE_NO_START : CODE_NO_MODULE);
}

static void count_time(struct net *n)
{
	if ((uint16_t)((uint16_t)hal_ms() - n->ms) < EIGHTH_MS)
		return;
	n->ms += EIGHTH_MS;
	n->time++;
	n->due -= n->due > 0;
}

/* All that was learned with another configuration. */
static void forget(struct net *n)
{
	servers_init();
	n->joins = n->names = n->fails = 0;
	n->code = CODE_NONE;
	n->interval = INTERVAL_LEAST;
	n->depth = WINC_RESET;
	wait_seconds(n, 0);
	enter(n, NET_OFF, 0);
}

void net_init(void)
{
	struct net *n = VIA(net);

	winc_stop();
	ask_init();
	forget(n);
	n->must_leave = n->healthy = false;
	n->ip = n->round = 0;
	n->ms = (uint16_t)hal_ms();
}

void net_pass(void)
{
	struct net *n = VIA(net);
	struct winc_event event;

	count_time(n);
	winc_poll(&event);
	on_event(n, &event);
	if (n->begun) {
		overdue(n);
	} else if (n->time >= n->pause) {
		n->begun = begin(n);
		if (n->begun)
			n->time = 0;
		else if (n->time >= n->pause + STUCK)
			dead(n, CODE_NO_MODULE);
	}
}

void net_restart(void)
{
	struct net *n = VIA(net);
	uint8_t state = n->state;

	forget(n);
	if (conf.ssid[0] == '\0') {
		winc_stop();
	} else if (state >= NET_JOIN) {
		n->must_leave = true;
		enter(n, NET_JOIN, 0);
	}
}

bool net_ask_now(void)
{
	struct net *n = VIA(net);

	if (n->state < NET_NAME || ask_recently())
		return false;
	n->due = 0;
	return true;
}

uint8_t net_code(void)
{
	return net.code;
}

void net_get(struct net_info *info)
{
	const struct net *n = VIA(net);

	info->ip = n->ip;
	info->server = ask_server();
	info->next = n->due / 8;
	info->state = n->state;
}
