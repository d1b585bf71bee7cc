/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and stops a chronyd of our own. */
#include "chrony.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

const char *chrony_path(void)
{
	static const char *const place[] = {
		"/usr/sbin/chronyd", "/usr/local/sbin/chronyd", "/sbin/chronyd", "/usr/bin/chronyd",
	};

	for (unsigned i = 0; i < sizeof place / sizeof place[0]; i++) {
		if (access(place[i], X_OK) == 0)
			return place[i];
	}
	return NULL;
}

static struct sockaddr_in loopback(uint16_t port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return address;
}

static uint16_t free_port(void)
{
	struct sockaddr_in address = loopback(0);
	socklen_t size = sizeof address;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	uint16_t port = 0;

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 &&
	    getsockname(fd, (struct sockaddr *)&address, &size) == 0)
		port = ntohs(address.sin_port);
	if (fd >= 0)
		close(fd);
	return port;
}

static bool write_config(const struct chrony *chrony, const char *folder, bool local)
{
	char path[96];
	FILE *f;

	snprintf(path, sizeof path, "%s/conf", folder);
	f = fopen(path, "we");
	if (f == NULL)
		return false;
	fprintf(f, "port %u\nbindaddress 127.0.0.1\ncmdport 0\nbindcmdaddress /\n%sallow 127.0.0.0/8\npidfile %s/pid\n",
	    chrony->port, local ? "local stratum 8\n" : "", folder);
	return fclose(f) == 0;
}

static void be_chronyd(const char *path, const char *folder)
{
	const struct passwd *user = getpwuid(geteuid());
	char conf[96];
	int null = open("/dev/null", O_RDWR);

	snprintf(conf, sizeof conf, "%s/conf", folder);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (user != NULL)
		execl(path, "chronyd", "-f", conf, "-x", "-d", "-U", "-u", user->pw_name, (char *)NULL);
	_exit(127);
}

/* One request, as any client would send it. */
static bool answers(uint16_t port)
{
	struct sockaddr_in address = loopback(port);
	uint8_t packet[48] = { 0x23 };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	bool good;

	if (fd < 0)
		return false;
	good = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
	    send(fd, packet, sizeof packet, 0) == sizeof packet &&
	    poll(&wait, 1, 100) == 1 && recv(fd, packet, sizeof packet, 0) == sizeof packet;
	close(fd);
	return good;
}

static bool wait_ready(const struct chrony *chrony)
{
	for (unsigned i = 0; i < 60; i++) {
		if (waitpid(chrony->pid, NULL, WNOHANG) != 0)
			return false;
		if (answers(chrony->port))
			return true;
		usleep(50000);
	}
	return false;
}

static void end(pid_t pid)
{
	kill(pid, SIGCONT);
	kill(pid, SIGTERM);
	for (unsigned i = 0; i < 100; i++) {
		if (waitpid(pid, NULL, WNOHANG) != 0)
			return;
		usleep(20000);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void remove_folder(const char *folder)
{
	static const char *const file[] = { "conf", "pid" };
	char path[96];

	for (unsigned i = 0; i < sizeof file / sizeof file[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, file[i]);
		unlink(path);
	}
	rmdir(folder);
}

/* Once it answers it needs no file more: none is left behind, however we end. */
bool chrony_start(struct chrony *chrony, bool local)
{
	const char *path = chrony_path();
	char folder[] = "/tmp/clock-chrony-XXXXXX";
	bool ready = false;

	memset(chrony, 0, sizeof *chrony);
	if (path == NULL || mkdtemp(folder) == NULL)
		return false;
	chrony->port = free_port();
	if (chrony->port != 0 && write_config(chrony, folder, local)) {
		chrony->pid = fork();
		if (chrony->pid == 0)
			be_chronyd(path, folder);
		ready = chrony->pid > 0 && wait_ready(chrony);
	}
	if (!ready)
		chrony_stop(chrony);
	remove_folder(folder);
	return ready;
}

void chrony_stop(struct chrony *chrony)
{
	if (chrony->pid > 0)
		end(chrony->pid);
	chrony->pid = 0;
}
