# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A table of differences from other programs, each with its reason, why.  A row that explains nothing is wrong as well."""
import csv


class Explained:
    def __init__(self, path):
        with open(path, encoding="utf-8", newline="") as f:
            self.rows = list(csv.DictReader((line for line in f if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE))
        self.used = set()

    def why(self, fits):
        """The reason in the first row that fits; None: there is none."""
        for i, row in enumerate(self.rows):
            if fits(row):
                self.used.add(i)
                return row["why"]
        return None

    def unused(self, asked=lambda row: True):
        """Errors for rows that explained nothing, of those that were asked about."""
        return ["explains nothing: %s" % "\t".join(row.values()) for i, row in enumerate(self.rows) if i not in self.used and asked(row)]
