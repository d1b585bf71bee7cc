#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# version.sh SOURCES VERSION - the version of a build, as C.  An archive that make dist made has a file RELEASE, and its builds have
# VERSION alone.  Other builds add -dev, and the commit of the checkout if git knows it.
set -eu
version=$2
if ! [ -e "$1/RELEASE" ]; then
	version=$version-dev
	if [ -e "$1/.git" ] && commit=$(git -C "$1" describe --always --exclude='*' --abbrev=8 --dirty=.changed 2>/dev/null); then
		version=$version+g$commit
	fi
fi
cat <<END
#include "icecore/base.h"

const char base_version[] = "$version", base_program[] = "icecore $version";
END
