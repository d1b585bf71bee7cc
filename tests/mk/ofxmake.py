# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""
ofxmake.py demo YEAR: the statements of a made-up year, an account and a card, as a bank's download; the same bytes each time.
ofxmake.py big N: one statement of N transactions.
"""
import random
import sys

PAYEES = [		# payee, type, times a month, from, to (cents), account
	("Corner Bakery", "POS", 9, 240, 980, 0),
	("Green Market", "POS", 6, 1800, 9400, 0),
	("City Transit", "DIRECTDEBIT", 1, 5600, 5600, 0),
	("Harbour Rent Ltd", "REPEATPMT", 1, 98000, 98000, 0),
	("North Power & Gas", "DIRECTDEBIT", 1, 6100, 11200, 0),
	("Fibre Net", "DIRECTDEBIT", 1, 3495, 3495, 0),
	("Cash machine", "ATM", 2, 4000, 12000, 0),
	("Cafe Lumen", "POS", 5, 350, 1450, 1),
	("Book Cellar", "POS", 1, 900, 5200, 1),
	("Streamlight", "PAYMENT", 1, 1299, 1299, 1),
	("Trattoria Sole", "POS", 2, 2400, 8800, 1),
]
HEAD = ["OFXHEADER:100", "DATA:OFXSGML", "VERSION:102", "SECURITY:NONE", "ENCODING:USASCII", "CHARSET:1252",
    "COMPRESSION:NONE", "OLDFILEUID:NONE", "NEWFILEUID:NONE", "", ""]


def money(cents):
	return "%s%d.%02d" % ("-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100)


def escape(text):
	return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def transaction(n, year, month, day, kind, cents, payee, memo=""):
	out = ["<STMTTRN>", "<TRNTYPE>" + kind, "<DTPOSTED>%04d%02d%02d120000[0:GMT]" % (year, month, day),
	    "<TRNAMT>" + money(cents), "<FITID>%04d%06d" % (year, n)]
	if kind == "CHECK":
		out.append("<CHECKNUM>%d" % (1000 + n))
	if payee:
		out.append("<NAME>" + escape(payee))
	if memo:
		out.append("<MEMO>" + escape(memo))
	return out + ["</STMTTRN>"]


def statement(card, ident, year, rows, ledger):
	"""rows: (month, day, kind, cents, payee, memo), in order of time."""
	kind, source = ("CCSTMT", "CCACCTFROM") if card else ("STMT", "BANKACCTFROM")
	out = ["<%sMSGSRSV1><%sTRNRS>" % ("CREDITCARD" if card else "BANK", kind), "<TRNUID>1",
	    "<STATUS><CODE>0<SEVERITY>INFO</STATUS>", "<%sRS>" % kind, "<CURDEF>EUR", "<%s>" % source]
	out += ([] if card else ["<BANKID>10020030"]) + ["<ACCTID>" + ident] + ([] if card else ["<ACCTTYPE>CHECKING"])
	out += ["</%s>" % source, "<BANKTRANLIST>", "<DTSTART>%04d0101" % year, "<DTEND>%04d1231" % year]
	for n, (month, day, what, cents, payee, memo) in enumerate(rows):
		out += transaction(n + 1 + 500 * card, year, month, day, what, cents, payee, memo)
	return out + ["</BANKTRANLIST>", "<LEDGERBAL><BALAMT>%s<DTASOF>%04d1231</LEDGERBAL>" % (money(ledger), year),
	    "</%sRS></%sTRNRS></%sMSGSRSV1>" % (kind, kind, "CREDITCARD" if card else "BANK")]


def document(parts, year):
	out = ["<OFX>", "<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS>", "<DTSERVER>%04d1231120000" % year,
	    "<LANGUAGE>ENG<FI><ORG>Example Bank<FID>1</FI></SONRS></SIGNONMSGSRSV1>"]
	for part in parts:
		out += part
	return "\r\n".join(HEAD + out + ["</OFX>", ""])


def moves(year):
	"""Rows of the account and of the card."""
	r = random.Random(year)
	rows = [[], []]
	dear = 100 + 4 * (year - 2025)		# what is bought costs more each year
	for month in range(1, 13):
		rows[0].append((month, 1, "DIRECTDEP", 312000, "Example Works payroll", "salary %04d-%02d" % (year, month)))
		spent = 0
		for payee, kind, times, least, most, card in PAYEES:
			if payee == "Streamlight" and year > 2025 and month > 6:
				continue
			if payee == "Trattoria Sole" and year > 2025:
				times = 4
			for _ in range(times):
				cents = r.randint(least, most)
				cents = cents if least == most else cents * dear // 100
				rows[card].append((month, r.randint(1, 28), kind, -cents, payee, ""))
				spent += cents * card
		rows[0].append((month, 28, "XFER", -spent, "Card payment", ""))
		rows[1].append((month, 28, "CREDIT", spent, "Card payment", ""))
		if month % 4 == 0:
			rows[0].append((month, 14, "CHECK", -r.randint(5000, 15000), "", ""))
	for part in rows:
		part.sort(key=lambda row: row[:2])
	return rows


def demo(year):
	rows = moves(year)
	opening = 214530 + sum(row[3] for before in range(2025, year) for row in moves(before)[0])
	return document([statement(0, "7700112", year, rows[0], opening + sum(row[3] for row in rows[0])),
	    statement(1, "5500998", year, rows[1], sum(row[3] for row in rows[1]))], year)


def big(n):
	r = random.Random(n)
	names = ["Payee %d" % i for i in range(2000)]
	rows = []
	for i in range(n):
		rows.append((1 + i * 12 // n, 1 + i % 28, "DEBIT", -r.randint(1, 99999), r.choice(names), "order %d" % i))
	return document([statement(0, "1", 2026, rows, 0)], 2026)


if __name__ == "__main__":
	what, number = sys.argv[1], int(sys.argv[2])
	sys.stdout.buffer.write((demo if what == "demo" else big)(number).encode("ascii"))
