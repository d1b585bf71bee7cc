#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""board.py check | kicad FILE: the circuit of nets.txt and parts.tsv.

check   every pin once, what pins.tsv requires of each pin, the pins of src/board.h and of the README's tables,
        the way of each cathode, and the arithmetic of the values; kicad writes a netlist that KiCad imports,
        and reads it back.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
bad = []


def want(true, text):
    if not true:
        bad.append(text)


def read(*path):
    with open(os.path.join(HERE, *path), encoding='utf-8') as f:
        return f.read()


# ---- the two files ----------------------------------------------------------

def refs(text):
    """R1 R3-R5: R1 R3 R4 R5"""
    for word in text.split():
        match = re.fullmatch(r'([A-Z]+)(\d+)-[A-Z]+(\d+)', word)
        if match:
            yield from (match[1] + str(i) for i in range(int(match[2]), int(match[3]) + 1))
        else:
            yield word


def read_parts():
    parts = {}
    for line in read('parts.tsv').splitlines():
        if line.startswith('#'):
            continue
        names, value, part, footprint, pins = line.split('\t')
        pins = dict((pin.split('=') + [pin])[:2] for pin in pins.split())
        for ref in refs(names):
            want(ref not in parts, f'{ref} is a duplicate')
            parts[ref] = {'value': value, 'part': part, 'footprint': footprint, 'pins': pins}
    return parts


def read_nets():
    nets = {}
    for line in read('nets.txt').splitlines():
        if line and not line.startswith('#'):
            name, *pins = line.split()
            nets.setdefault(name, []).extend(pins)
    return nets


def check_pins(parts, nets):
    seen = set()
    for name, pins in nets.items():
        want(name == '-' or len(pins) > 1, f'net {name} ends nowhere')
        for pin in pins:
            ref, _, number = pin.partition('.')
            want(ref in parts and number in parts[ref]['pins'], f'{pin} of {name}: no such pin')
            want(pin not in seen, f'{pin} is on two nets')
            seen.add(pin)
    for ref, part in parts.items():
        for pin in part['pins']:
            want(f'{ref}.{pin}' in seen, f'{ref}.{pin} is on no net')


# ---- what the data sheets require of each pin -------------------------------

def read_asks(parts):
    """pins.tsv: (pins, requirement, reason) of each row."""
    for line in read('pins.tsv').splitlines():
        if line.startswith('#'):
            continue
        names, pins, asks, reason = line.split('\t')
        known = [ref for ref in refs(names) if ref in parts]
        want(known, f'pins.tsv: no {names}')
        yield [f'{ref}.{pin}' for ref in known for pin in pins.split()], asks.split(), reason


def ohms(text):
    match = re.fullmatch(r'(\d+)([kM]?)(\d*)', text)
    return float(f'{match[1]}.{match[3] or 0}') * {'': 1, 'k': 1e3, 'M': 1e6}[match[2]]


class Pins:
    """Each pin with its net and what is on that net."""

    def __init__(self, parts, nets, rows):
        self.parts, self.nets = parts, nets
        self.net_of = {pin: name for name, pins in nets.items() for pin in pins}
        self.kind = {}
        for pins, asks, _ in rows:
            for pin in pins:
                self.kind.setdefault(pin, []).append(asks)

    def drivers(self, pin, kinds=('out', 'tri', 'plug')):
        """Other pins on its net that can drive it, each with its volts."""
        for other in self.nets[self.net_of[pin]]:
            for asks in self.kind.get(other, []) if other != pin else []:
                if asks[0] in kinds:
                    yield other, float(asks[1])

    def pulls(self, pin, low, high):
        """Nets that a resistor of so many ohms connects its net with."""
        for end in self.nets[self.net_of[pin]]:
            ref, _, number = end.partition('.')
            if re.fullmatch(r'R\d+', ref) and self.parts[ref]['value'][0].isdigit() and low <= value(self.parts, ref) <= high:
                yield self.net_of[f'{ref}.{"21"[int(number) - 1]}']

    def fulfils(self, pin, asks):
        net = self.net_of[pin]
        if asks[0] == 'supply':
            return net == asks[1] and any(end[0] == 'C' and self.net_of[end[:-1] + '2'] == 'GND'
                                          for end in self.nets[net] if end.endswith('.1'))
        if asks[0] == 'tie':
            return net == asks[1]
        if asks[0] == 'pull':
            return asks[1] in self.pulls(pin, ohms(asks[2]), ohms(asks[3])) and not any(self.drivers(pin, ('out',)))
        if asks[0] == 'low':
            return 'GND' in self.pulls(pin, ohms(asks[1]), ohms(asks[2]))
        if asks[0] == 'in':
            volts = [volt for _, volt in self.drivers(pin)]
            always = any(self.drivers(pin, ('out', 'plug'))) or any(self.pulls(pin, 1e3, 1e6))
            return volts and all(float(asks[2]) <= volt <= float(asks[1]) for volt in volts) and \
                (always or net in INSIDE)
        if asks[0] in ('out', 'tri'):
            return net != '-' and (asks[0] == 'tri' or not any(self.drivers(pin, ('out', 'tri'))))
        if asks[0] == 'open':
            return net == '-'
        return asks[0] in ('plug', 'value') and net != '-'


# The AVR drives these nets from the first instruction; until then the '595s show what does not matter, as the tubes have no voltage.
INSIDE = ('SR_DATA', 'SR_CLOCK', 'SR_CLEAR', 'SR_LATCH', 'MISO')


def check_asks(parts, nets, quiet):
    rows = list(read_asks(parts))
    pins = Pins(parts, nets, rows)
    for ends, asks, reason in rows:
        for pin in ends:
            want(pin in pins.net_of, f'pins.tsv: no pin {pin}')
        wrong = [pin for pin in ends if pin in pins.net_of and not pins.fulfils(pin, asks)]
        want(not wrong, f'{" ".join(wrong)}: {" ".join(asks)} ({reason})')
        if not quiet:
            some = ' '.join(ends) if len(ends) < 8 else f'{ends[0]} to {ends[-1]}, {len(ends)} pins'
            print(f'{"BAD" if wrong else "ok "} {some}: {" ".join(asks)}{"; " + reason if reason else ""}')
    for pin in pins.net_of:
        want(pin in pins.kind, f'{pin}: pins.tsv has no requirement')


# ---- against the firmware and its README ------------------------------------

PINS = {		# of board.h: port, net, its word in the README's table
    'RXD': ('D', 'RXD', 'RXD'), 'TXD': ('D', 'TXD', 'TXD'), 'SR_CLOCK': ('D', 'SR_CLOCK', "SCK of all six '595"),
    'SR_CLEAR': ('D', 'SR_CLEAR', 'SRCLR'), 'SR_LATCH': ('D', 'SR_LATCH', 'RCK'), 'COLON': ('D', 'COLON', 'colon'), 'LIGHT': ('C', 'LIGHT', 'light sensor'), 'HV': ('D', 'HV_ON', 'high-voltage'),
    'WIFI_EN': ('C', 'WIFI_EN', 'EN (CHIP_EN)'), 'WIFI_RESET': ('C', 'WIFI_RESET', 'RESET_N'),
    'WIFI_IRQ': ('C', 'WIFI_IRQ', 'IRQN'), 'SR_DATA': ('C', 'SR_DATA', 'SER'), 'WIFI_CS': ('B', 'WIFI_CS', 'chip select'),
    'SS': ('B', '-', 'not connected'), 'MOSI': ('B', 'MOSI', 'MOSI'), 'MISO': ('B', 'MISO', 'MISO'), 'SCK': ('B', 'SCK', 'SCK'),
}


def readme_row(pin):
    for line in read('..', 'README.md').splitlines():
        cells = [cell.strip() for cell in line.split('|')]
        if len(cells) > 4 and pin in cells[1].split(', '):
            return line
    return ''


def check_firmware(nets):
    header = read('..', 'src', 'board.h')
    macros = dict(re.findall(r'#define PIN_(\w+) (\d)', header))
    want(set(macros) == set(PINS), f'pins of board.h: {set(macros) ^ set(PINS)}')
    for name, number in macros.items():
        port, net, word = PINS.get(name, ('?', '-', ''))
        pin = f'P{port}{number}'
        want(f'IC10.{pin}' in nets.get(net, []), f'board.h has {name} at {pin}, nets.txt has no IC10.{pin} on {net}')
        want(word in readme_row(pin), f"the README's table has no {word} at {pin}")
    for port, bits in re.findall(r'#define FREE_(\w) 0x(\w+)', header):
        for bit in range(8):
            if int(bits, 16) >> bit & 1:
                want(f'IC10.P{port}{bit}' in nets['-'], f'P{port}{bit} is free in board.h')
    wiring = read('..', 'README.md')
    for text in ('MAX1771', '2N7000 to SHDN', '74LVC244', '74AHCT125', 'MPSA42 each', 'SER, IC1, IC3, IC2, IC4, IC9, IC5', '100 k'):
        want(text in wiring, f"the README's wiring lacks {text}")


PLACES = (('hour tens', 'V1'), ('hour ones', 'V2'), ('minute tens', 'V3'), ('minute ones', 'V4'), ('second tens', 'V5'),
          ('second ones', 'V6'))


def follow(net_of, nets, pin, ref_kind, from_pin, to_pin):
    """From pin over the one part of this kind on its net to that part's other pin."""
    for other in nets[net_of[pin]]:
        ref, _, number = other.partition('.')
        if other != pin and re.fullmatch(ref_kind, ref) and number == from_pin:
            return f'{ref}.{to_pin}'
    want(False, f'{pin}: no {ref_kind} on its net')
    return pin


def check_cathodes(nets):
    """SER of each chip comes from QH' of the one before; bit 8k + n is output n of the k-th."""
    net_of = {pin: name for name, pins in nets.items() for pin in pins}
    chain = [follow(net_of, nets, 'IC10.PC5', r'IC[1-9]', 'SER', "QH'")]
    while len(chain) < 6:
        chain.append(follow(net_of, nets, chain[-1], r'IC[1-9]', 'SER', "QH'"))
    chips = [pin.partition('.')[0] for pin in chain]
    want(len(set(chips)) == 6, f"chain of the '595: {chips}")
    code = re.search(r'digit_bit\[CATHODES\] = \{(.*?)\}', read('..', 'src', 'digits.c'), re.S)[1]
    bits = [int(bit) for bit in re.findall(r'\d+', code)]
    for name, tube in PLACES:
        row = re.search(rf'\| {name} \| 0 to (\d) \| ([\d ]+) \|', read('..', 'README.md'))
        listed = [int(bit) for bit in row[2].split()]
        mine, bits = bits[:len(listed)], bits[len(listed):]
        want(mine == listed and len(listed) == int(row[1]) + 1, f'{name}: digits.c and the README differ')
        for digit, bit in enumerate(listed):
            pin = f'{chips[bit // 8]}.Q{"ABCDEFGH"[bit % 8]}'
            base = follow(net_of, nets, follow(net_of, nets, pin, r'R\d+', '1', '2'), r'Q\d+', 'B', 'C')
            want(f'{tube}.K{digit}' in nets[net_of[base]], f'{name} {digit}: bit {bit} ends at {nets[net_of[base]]}')
            want(f'{base[:-2]}.E' in nets['GND'], f'{base[:-2]}: emitter')


# ---- the values -------------------------------------------------------------

def value(parts, ref):
    match = re.match(r'([\d.]+) ?([pnumkM]?)', parts[ref]['value'])
    return float(match[1]) * {'p': 1e-12, 'n': 1e-9, 'u': 1e-6, 'm': 1e-3, '': 1, 'k': 1e3, 'M': 1e6}[match[2]]


def check_values(parts):
    def row(text, number, unit, low, high):
        good = low <= number <= high
        print(f'{"ok " if good else "BAD"} {text:58} {number:8.3g} {unit:3} ({low:g} to {high:g})')
        want(good, text)

    hv, vin, vin_least, vcc = 170.0, 12.0, 10.8, 5.0
    divider = value(parts, 'R5')
    least, most = (1.5 * (1 + divider / (value(parts, 'R17') + pot)) for pot in (value(parts, 'RV1'), 0))
    row('high voltage, trimmer at its low end', least, 'V', 100, hv - 10)
    row('high voltage, trimmer at its high end', most, 'V', hv + 10, 200)
    row('trimmer for 170 V', divider / (hv / 1.5 - 1) - value(parts, 'R17'), 'ohm', 500, 4500)
    # Tubes: resistor, burning voltage as it spreads, current from and to, as makers print them.
    total = 0.0
    tubes = (('IN-12', value(parts, 'R11'), 125, 135, 140, 2.0, 3.5), ('IN-14', 12e3, 130, 140, 150, 2.0, 4.0),
             ('IN-16', 20e3, 130, 138, 145, 1.5, 2.5))
    for name, ohm, v_least, v_typical, v_most, i_least, i_most in tubes:
        worst = (hv * 1.02 - v_least) / (ohm * 0.95) * 1e3
        row(f'{name}, {ohm / 1e3:g}k: current, typical', (hv - v_typical - 0.2) / ohm * 1e3, 'mA', i_least, i_most)
        row(f'{name}: at most (+2 % volts, -5 % ohms, low tube)', worst, 'mA', 0, i_most)
        row(f'{name}: at least (high tube): trim up if digits are partly lit', (hv * 0.98 - v_most) / (ohm * 1.05) * 1e3, 'mA', 1, i_most)
        row(f'{name}: its resistor, at most', worst ** 2 * ohm * 1e-6, 'W', 0, 0.5 * 0.6)
        total = max(total, 6 * worst / 1e3)
    power = total * hv * 1.02
    row('six tubes, at most', power, 'W', 0, 5)
    # MAX1771: switches off at 100 mV at CS or after 16 us, then rests for 2.3 us at least.
    peak = min(0.1 / value(parts, 'R2'), vin_least * 16e-6 / value(parts, 'L1'))
    rate = 1 / (peak * value(parts, 'L1') / vin_least + 2.3e-6)
    row('coil: peak current, least supply', peak, 'A', 0.5, 3 / 1.3)
    row('coil: peak current, 13 V', min(0.1 / value(parts, 'R2'), 13 * 16e-6 / value(parts, 'L1')), 'A', 0.5, 3 / 1.3)
    row('coil is empty before the next beat', value(parts, 'L1') * peak / (hv - vin) * 1e6, 'us', 0, 2.3)
    row('converter can give (75 %), least supply', 0.75 * peak ** 2 / 2 * value(parts, 'L1') * rate, 'W', power * 1.2, 50)
    row('12 V current, at most, with 5 V at 0.32 A', power / 0.75 / vin + 0.32, 'A', 0, value(parts, 'F1') * 0.75)
    row('sense resistor', peak ** 2 / 3 * value(parts, 'R2'), 'W', 0, 0.5)
    row('MOSFET: volts at its drain, 20 % above the highest', most * 1.2, 'V', 0, 400 * 0.8)
    row('diode: volts against it', most, 'V', 0, 400 * 0.8)
    row('output capacitor: volts', most, 'V', 0, 250 * 0.9)
    row('output capacitor: ripple of a beat', peak ** 2 / 2 * value(parts, 'L1') / (value(parts, 'C16') * hv), 'V', 0, 1)
    row('MPSA42: volts at a dark cathode', most, 'V', 0, 300 * 0.8)
    bleed = value(parts, 'R9') + value(parts, 'R10')
    row('bleeder: each resistor', hv ** 2 / bleed / 2, 'W', 0, 0.5 * 0.6)
    row('bleeder: volts on each', most / 2, 'V', 0, 350 * 0.8)
    row('from 170 V to 30 V without 12 V, coil open', 1.735 * (value(parts, 'C16') + value(parts, 'C17')) / (1 / bleed + 1 / divider), 's',
        0, 5)
    # Colon: two INS-1 in a row, 55 V each while they glow.  Sensor: the AVR's pull-up (20k to 50k) is beside it.
    colon = (hv - 2 * 55) / value(parts, 'R27') * 1e3
    row('colon lamps: current', colon, 'mA', 0.3, 0.8)
    row('colon lamps: their resistor', (colon * 1e-3) ** 2 * value(parts, 'R27'), 'W', 0, 0.5 * 0.6)
    row('colon lamps: striking', hv, 'V', 2 * 80, 200)
    foot = value(parts, 'R30')
    row('light sensor in the dark, of 255 (GLOOM is 64)', 255 * foot / (foot + 20e3), '', 0, 60)
    row('light sensor at 30 lux (5k), of 255 (BRIGHT is 96)', 255 * foot / (foot + 1 / (1 / 5e3 + 1 / 50e3)), '', 100, 255)
    # Logic
    base = (4.4 - 0.7) / value(parts, 'R101')
    row("MPSA42: base current against collector's / 25", base / (3.5e-3 / 25), '', 2, 10)
    row("'595: six outputs high at once", base * 6 * 1e3, 'mA', 0, 70)
    row("'595 at 5 V: AVR's high against 0.7 Vcc", vcc - 0.9, 'V', 0.7 * vcc, vcc)
    row("module's high (2.7 V) against 74AHCT125's", 2.7, 'V', 2.0, vcc)
    row("74LVC244: a pull of 100k against 5 uA of its input", 5e-6 * value(parts, 'R6'), 'V', 0, 0.8)
    row('RESET while DTR rises by 5 V, with D3', vcc + 0.7, 'V', 0, vcc + 0.75)
    row('7805: heat, average (0.12 A)', (vin - vcc) * 0.12, 'W', 0, 1.5)
    row('3.3 V regulator: heat at a peak (0.3 A)', (vcc - 3.3) * 0.3, 'W', 0, 1)
    row('crystal: load, with 3 pF of the board', value(parts, 'C18') / 2 * 1e12 + 3, 'pF', 12, 20)
    # D2 holds the 12 V input at 21.5 V at most; R22 and D4 (12.4 to 14.1 V, 10 ohms) hold the MAX1771's supply.
    surge = (21.5 - 14.1) / (value(parts, 'R22') + 10)
    row('MAX1771: supply while D2 clamps', 14.1 + surge * 10, 'V', 2, 16.5)
    row('MAX1771: supply at 10.8 V, 5 mA for the gate', vin_least - 5e-3 * value(parts, 'R22'), 'V', 10, 16.5)
    row('R22: current into D4 at 12.6 V', (12.6 - 12.4) / value(parts, 'R22') * 1e3, 'mA', 0, 10)


# ---- KiCad ------------------------------------------------------------------

def quoted(text):
    return '"' + text.replace('\\', '\\\\').replace('"', '\\"') + '"'


def kicad(parts, nets):
    out = ['(export (version "E")', '  (design (source "nets.txt") (tool "board.py"))', '  (components']
    for ref, part in parts.items():
        footprint = '' if part['footprint'] == '-' else f' (footprint {quoted(part["footprint"])})'
        out.append(f'    (comp (ref {quoted(ref)}) (value {quoted(part["value"])}){footprint})')
    out[-1] += ')'
    out.append('  (nets')
    for code, (name, pins) in enumerate((net for net in nets.items() if net[0] != '-'), 1):
        out.append(f'    (net (code "{code}") (name {quoted(name)})')
        for pin in pins:
            ref, _, number = pin.partition('.')
            out.append(f'      (node (ref {quoted(ref)}) (pin {quoted(parts[ref]["pins"][number])}))')
        out[-1] += ')'
    return '\n'.join(out) + '))\n'


def parse(text):
    """An s-expression as lists; every bracket is closed and nothing follows."""
    stack = [[]]
    for open_, close, string, word in re.findall(r'(\()|(\))|"((?:[^"\\]|\\.)*)"|([^\s()"]+)', text):
        if open_:
            stack.append([])
        elif close:
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word or re.sub(r'\\(.)', r'\1', string))
    want(len(stack) == 1 and len(stack[0]) == 1, 'the netlist is not an s-expression')
    return stack[0][0]


def check_kicad(parts, nets, text):
    def each(of, tag):
        return [item for item in of if isinstance(item, list) and item[0] == tag]

    def field(of, tag):
        return each(of, tag)[0][1]

    tree = parse(text)
    components = {field(comp, 'ref'): field(comp, 'value') for comp in each(each(tree, 'components')[0], 'comp')}
    want(components == {ref: part['value'] for ref, part in parts.items()}, "the netlist's parts")
    got = {field(net, 'name'): {(field(node, 'ref'), field(node, 'pin')) for node in each(net, 'node')}
           for net in each(each(tree, 'nets')[0], 'net')}
    wanted = {name: {(pin.partition('.')[0], parts[pin.partition('.')[0]]['pins'][pin.partition('.')[2]]) for pin in pins}
              for name, pins in nets.items() if name != '-'}
    want(got == wanted, "the netlist's nets")


def main(arguments):
    parts, nets = read_parts(), read_nets()
    check_pins(parts, nets)
    if not bad:
        check_asks(parts, nets, arguments[:1] == ['kicad'])
        check_firmware(nets)
        check_cathodes(nets)
        text = kicad(parts, nets)
        check_kicad(parts, nets, text)
        if arguments[:1] == ['kicad']:
            with open(arguments[1], 'w', encoding='utf-8') as f:
                f.write(text)
        else:
            check_values(parts)
    for line in bad:
        print('BAD', line)
    print(f'{len(parts)} parts, {len(nets) - 1} nets, {len(bad)} faults')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
