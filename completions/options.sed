# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# What --help says of an option in one line, though it may be shown in several.
:join
$!N
s/\n \{19,\}/ /
tjoin
P
D
