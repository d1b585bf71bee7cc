#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# flash.sh BUILD-FOLDER: the lines that `make fuses` and `make flash` run, by an avrdude that only prints them.
build=$1
fake=$build/fake
mkdir -p "$fake"
printf '#!/bin/sh\necho "avrdude $*" >>"%s/lines"\n' "$(cd "$fake" && pwd)" >"$fake/avrdude"
chmod +x "$fake/avrdude"
bad=0

# line WANTED ARGUMENTS...: of make.
line() {
	wanted=$1
	shift
	: >"$fake/lines"
	PATH=$fake:$PATH "${MAKE:-make}" --no-print-directory B="$build" "$@" >"$fake/log" 2>&1
	if [ "$(cat "$fake/lines")" != "$wanted" ]; then
		echo "make $*: $(cat "$fake/lines" "$fake/log"), not: $wanted"
		bad=1
	fi
}

hex="-U flash:w:$build/clock.hex:i"
fuses="-U lfuse:w:0xff:m -U hfuse:w:0xd1:m -U efuse:w:0xfc:m"
line "avrdude -p m328p -c usbasp $hex" flash
line "avrdude -p m328p -c usbasp -P usb $hex" flash PORT=usb
line "avrdude -p m328p -c arduino -P /dev/ttyUSB0 -b 115200 -D $hex" flash PORT=/dev/ttyUSB0
line "avrdude -p m328p -c arduino -P /dev/ttyUSB0 -b 57600 -D $hex" flash PORT=/dev/ttyUSB0 BAUD=57600
line "avrdude -p m328p -c avrisp -b 19200 -P /dev/ttyACM0 $hex" flash PROGRAMMER="-c avrisp -b 19200" PORT=/dev/ttyACM0
line "avrdude -p m328p -c usbtiny $hex" flash PROGRAMMER="-c usbtiny"
line "avrdude -p m328p -c usbasp $fuses" fuses
line "avrdude -p m328p -c usbtiny $fuses" fuses PROGRAMMER="-c usbtiny"
line "avrdude -p m328p -c usbasp -e -U flash:w:o.hex:i -U lfuse:w:0xff:m -U hfuse:w:0xd6:m -U efuse:w:0xfc:m -U lock:w:0xef:m" \
    fuses BOOT=o.hex
line "" fuses PORT=/dev/ttyUSB0

# make runs the commands that the README shows.
: >"$fake/lines"
PATH=$fake:$PATH "${MAKE:-make}" --no-print-directory B="$build" fuses flash >/dev/null
PATH=$fake:$PATH "${MAKE:-make}" --no-print-directory B="$build" flash PORT=/dev/ttyUSB0 >/dev/null
while read -r line; do
	grep -qF "    $(echo "$line" | sed "s|$build/|build/|")" README.md || { echo "not in the README: $line"; bad=1; }
done <"$fake/lines"
# A boot loader of 512 bytes has room above the gate of flash.
limit=$(sed -n 's/^FLASH_MAX = //p' Makefile)
[ "$limit" -le $((32768 - 512)) ] || { echo "FLASH_MAX leaves no room for a boot loader"; bad=1; }
exit $bad
