#!/bin/sh
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
for pin in RXD TXD SR_CLOCK SR_CLEAR SR_LATCH HV WIFI_EN WIFI_RESET WIFI_IRQ SR_DATA WIFI_CS SS MOSI MISO SCK; do
	spoiled src/board.h "s/PIN_$pin .*/PIN_$pin 7/"
done
spoiled src/board.h 's/FREE_D 0xa0/FREE_D 0xa1/'
spoiled src/digits.c 's/4, 5, 6, 7, 8, 13/4, 5, 6, 8, 7, 13/'
spoiled README.md 's/| 22 23 24 25 26 31/| 22 23 24 25 31 26/'
spoiled README.md 's/IC1, IC3, IC2/IC1, IC2, IC3/'
spoiled board/nets.txt 's/Q20.B/Q21.E/'
spoiled board/nets.txt 's/ V4.K3$/ V4.K4/'
spoiled board/nets.txt 's/ IC9.SER/ IC5.SER/'
spoiled board/nets.txt 's/ Q7.E / /'
spoiled board/nets.txt 's/ D1.A$//'
# And the limits.
for value in 's/^R11-R16\t15k/R11-R16\t10k/' 's/^R17\t12k/R17\t8.2k/' 's/^R2\t0.05/R2\t0.2/' 's/^L1\t100 uH/L1\t10 uH/' \
    's/^R101-R145\t10k/R101-R145\t47k/' 's/^R9 R10\t220k/R9 R10\t2.2M/' 's/^C16\t4.7u/C16\t22u/' 's/^F1\t1.1/F1\t0.5/'; do
	spoiled board/parts.tsv "$value"
done
exit $bad
