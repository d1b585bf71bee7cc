#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# board.sh BUILD-FOLDER: the circuit agrees with the firmware, values with their limits; and what is wrong is found.
copy=$1/board
bad=0

fresh() {
	rm -rf "$copy"
	mkdir -p "$copy/src" && cp -r board "$copy/" && cp README.md "$copy/" && cp src/board.h src/digits.c "$copy/src/"
}

# spoiled FILE SED: must be found.
spoiled() {
	fresh
	sed -i "$2" "$copy/$1"
	cmp -s "$1" "$copy/$1" && { echo "$1: $2 changes nothing"; bad=1; }
	python3 "$copy/board/board.py" check >/dev/null && { echo "not found: $1: $2"; bad=1; }
}

python3 board/board.py check || bad=1
python3 board/board.py kicad "$1/clock.net" >/dev/null || bad=1
# Each fact that the firmware and its README have, too.
for pin in RXD TXD SR_CLOCK SR_CLEAR SR_LATCH COLON LIGHT HV WIFI_EN WIFI_RESET WIFI_IRQ SR_DATA WIFI_CS SS MOSI MISO SCK; do
	spoiled src/board.h "s/PIN_$pin .*/PIN_$pin 7/"
done
spoiled src/board.h 's/FREE_D 0x80/FREE_D 0x81/'
spoiled src/digits.c 's/4, 5, 6, 7, 8, 13/4, 5, 6, 8, 7, 13/'
spoiled README.md 's/| 22 23 24 25 26 31/| 22 23 24 25 31 26/'
spoiled README.md 's/IC1, IC3, IC2/IC1, IC2, IC3/'
spoiled board/nets.txt 's/Q20.B/Q21.E/'
spoiled board/nets.txt 's/ V4.K3$/ V4.K4/'
spoiled board/nets.txt 's/ IC9.SER/ IC5.SER/'
spoiled board/nets.txt 's/ Q7.E / /'
spoiled board/nets.txt 's/ D1.A$//'
# Requirements of the data sheets: ties, pulls, drivers, levels; and a pin without a requirement.
for net in '/^M_SPI_CFG/s/ R21.2//' '/^+3V3/s/ R21.1//; s/^GND  *J1.2/& R21.1/' '/^WIFI_RESET/s/ R7.1//; s/^MOSI /& R7.1/' \
    '/^M_RESET/s/ R20.1//; s/^M_EN /& R20.1/' '/^M_TXD/s/J4.2/J4.3/; /^M_RXD/s/J4.3/J4.2/' '/^WIFI_CS/s/ IC12.2OE//; s/^MOSI /& IC12.2OE/' \
    's/ IC11.2A3//; s/^- .*J2.3/& IC11.2A3/' 's/ IC12.4OE//; s/^GND  *J1.2/& IC12.4OE/' '/^M_MISO/s/ R24.2//; s/^M_IRQ /& R24.2/' \
    '/^HV_SUPPLY/s/ R1.1//; s/^+12V /& R1.1/' 's/ IC7.V+//; s/^+12V /& IC7.V+/' 's/ M1.PADDLE//; s/^- .*J2.3/& M1.PADDLE/'; do
	spoiled board/nets.txt "$net"
done
spoiled board/pins.tsv '/^M1\tSPI_CFG/d'
spoiled board/pins.tsv 's/^IC5\tQH.\topen/IC5\tQX\topen/'
spoiled board/parts.tsv 's/^R20 R21 R23\t1M/R20 R21 R23\t10M/'
spoiled board/parts.tsv 's/^R22\t47/R22\t4.7/'
# And the limits.
for value in 's/^R11-R16\t15k/R11-R16\t10k/' 's/^R17\t12k/R17\t8.2k/' 's/^R2\t0.05/R2\t0.2/' 's/^L1\t100 uH/L1\t10 uH/' \
    's/^R101-R145\t10k/R101-R145\t47k/' 's/^R9 R10\t220k/R9 R10\t2.2M/' 's/^C16\t4.7u/C16\t22u/' 's/^F1\t1.1/F1\t0.5/' 's/^R30\t4.7k/R30\t47k/' 's/^R27 R28\t120k/R27 R28\t12k/'; do
	spoiled board/parts.tsv "$value"
done
exit $bad
