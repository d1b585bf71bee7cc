# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""Two profiles of one program, before.folded and after.folded, in a folder.

usage: viewsmake.py FOLDER
"""
import os
import sys

BEFORE = """\
main;app.Server.run;app.db.Store.load;java.util.HashMap.get 40
main;app.Server.run;app.db.Store.load;java.util.HashMap.get;java.util.HashMap.hash 10
main;app.Server.run;app.db.Store.save 30
main;app.Server.run;org.logback.Logger.info;java.io.Writer.write 20
main;app.Server.run 5
worker-1;app.Job.run;org.logback.Logger.info;org.logback.Appender.append;java.io.Writer.write 45
"""

AFTER = """\
main;app.Server.run;app.db.Store.load;java.util.HashMap.get 10
main;app.Server.run;app.db.Store.load;java.util.HashMap.get;java.util.HashMap.hash 10
main;app.Server.run;app.db.Store.save 30
main;app.Server.run;app.db.Cache.find 15
main;app.Server.run;org.logback.Logger.info;java.io.Writer.write 25
worker-1;app.Job.run;org.logback.Logger.info;org.logback.Appender.append;java.io.Writer.write 60
"""


def main():
    for name, text in (("before.folded", BEFORE), ("after.folded", AFTER)):
        with open(os.path.join(sys.argv[1], name), "w") as f:
            f.write(text)


if __name__ == "__main__":
    main()
