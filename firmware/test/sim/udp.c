/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The bridge from the simulated module to real loopback sockets, one connected socket for each server. */
#include <arpa/inet.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "udp.h"

enum { SERVERS = 8, AT_ONCE = 16 /* datagrams taken in one poll */ };

struct server {
	int fd;
	uint32_t ip;
	uint16_t port, from;
	bool waits;		/* a request is out */
};

struct udp {
	struct server server[SERVERS];
	unsigned servers;
	uint64_t shift;		/* 32.32 s, modulo 2^32 s as NTP counts */
};

struct udp *udp_new(void)
{
	return calloc(1, sizeof(struct udp));
}

void udp_free(struct udp *udp)
{
	if (!udp)
		return;
	for (unsigned i = 0; i < udp->servers; i++)
		close(udp->server[i].fd);
	free(udp);
}

bool udp_map(struct udp *udp, uint32_t ip, uint16_t port, uint16_t real)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(real), .sin_addr = { htonl(INADDR_LOOPBACK) },
	};

	if (udp->servers == SERVERS)
		return false;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	if (connect(fd, (struct sockaddr *)&to, sizeof to)) {
		close(fd);
		return false;
	}
	udp->server[udp->servers++] = (struct server){ .fd = fd, .ip = ip, .port = port };
	return true;
}

bool udp_send(struct udp *udp, uint32_t ip, uint16_t port, uint16_t from, const uint8_t *data, uint16_t size)
{
	for (unsigned i = 0; i < udp->servers; i++) {
		struct server *server = &udp->server[i];

		if (server->ip != ip || server->port != port)
			continue;
		server->from = from;
		server->waits = send(server->fd, data, size, 0) == size;
		return server->waits;
	}
	return false;
}

void udp_shift(struct udp *udp, double seconds)
{
	uint64_t size = (uint64_t)((seconds < 0 ? -seconds : seconds) * 4294967296.0);

	udp->shift = seconds < 0 ? 0 - size : size;
}

/* Reference, receive and transmit stamps of an NTP reply; zero means none. */
static void shift(uint8_t *data, ssize_t size, uint64_t by)
{
	static const uint8_t at[] = { 16, 32, 40 };

	for (unsigned i = 0; by && size >= 48 && i < sizeof at; i++) {
		uint64_t stamp;

		memcpy(&stamp, data + at[i], sizeof stamp);
		if (stamp)
			stamp = htobe64(be64toh(stamp) + by);
		memcpy(data + at[i], &stamp, sizeof stamp);
	}
}

unsigned udp_poll(struct udp *udp, struct wsim *wifi, uint64_t cycle)
{
	uint8_t data[1500];
	unsigned count = 0;

	for (unsigned i = 0; i < udp->servers; i++) {
		struct server *server = &udp->server[i];
		ssize_t size;

		for (unsigned n = 0; n < AT_ONCE && (size = recv(server->fd, data, sizeof data, 0)) >= 0; n++) {
			server->waits = false;
			shift(data, size, udp->shift);
			wsim_datagram(wifi, server->ip, server->port, server->from, data, (uint16_t)size, cycle);
			count++;
		}
	}
	return count;
}

unsigned udp_open(const struct udp *udp)
{
	unsigned count = 0;

	for (unsigned i = 0; i < udp->servers; i++)
		count += udp->server[i].waits;
	return count;
}
