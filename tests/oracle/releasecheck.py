#!/usr/bin/env python3
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""releasecheck.py BUILD SRCDIR SCRATCH - the version, the archive, and what packages and releases are made of, as TAP."""
import datetime
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import tap

TEMPLATES = ("APKBUILD", "icecore.nix", "icecore.rb", "icecore.spec")
DEBIAN = ("debian/changelog", "debian/control", "debian/copyright")
# Files that autoreconf and dist-hook make; everything else in the archive is a file of the sources.
MADE = re.compile(r"(RELEASE|Makefile\.in|aclocal\.m4|config\.h\.in|configure|build-aux/.*)$")
# How other systems call the libraries that bootstrap names by their modules of pkg-config; "": part of the system.
NAMES = {
    "APKBUILD": {"ncursesw": "ncurses-dev", "readline": "readline-dev", "zlib": "zlib-dev", "liblz4": "lz4-dev", "libpng": "libpng-dev",
                 "libpcre2-8": "pcre2-dev", "nettle": "nettle-dev", "libxxhash": "xxhash-dev",
                 "libseccomp": "libseccomp-dev", "libzstd": "zstd-dev", "liblzma": "xz-dev"},
    "icecore.rb": {"ncursesw": '"ncurses"', "readline": '"readline"', "zlib": '"zlib"', "liblz4": '"lz4"', "libpng": '"libpng"',
                   "libpcre2-8": '"pcre2"', "nettle": '"nettle"', "libxxhash": '"xxhash"', "libseccomp": '"libseccomp"',
                   "libzstd": '"zstd"', "liblzma": '"xz"'},
    "icecore.nix": {"ncursesw": "ncurses", "liblz4": "lz4", "libpcre2-8": "pcre2", "libxxhash": "xxHash", "libzstd": "zstd", "liblzma": "xz"},
}
# A derivation as the attributes that it hands on, with the names of packages in place of packages.
STUBS = """let f = import ./icecore.nix; in f (builtins.mapAttrs (name: _: name) (builtins.functionArgs f) // {
  lib = { optional = yes: x: if yes then [ x ] else [ ]; licenses.gpl3Plus = ""; platforms.unix = ""; };
  stdenv = { mkDerivation = a: a; hostPlatform.isLinux = true; };
  fetchurl = a: a;
})
"""


def ask(*words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)


def wrong(p):
    """The output of a program that failed, else ""."""
    return "" if p.returncode == 0 else "%s: %s" % (p.args[0], p.stdout or "failed")


class Check:
    def __init__(self, build, srcdir, scratch):
        self.build, self.srcdir, self.scratch = build, os.path.abspath(srcdir), scratch
        self.packaging = os.path.join(self.srcdir, "packaging")
        makefile = self.read(os.path.join(build, "Makefile"))
        self.version, self.url, self.mail, self.bugs = (re.search(r"(?m)^PACKAGE_%s = (.*)$" % name, makefile).group(1)
                                                        for name in ("VERSION", "URL", "MAIL", "BUGREPORT"))
        self.day = re.search(r"(?m)^## %s, (\d{4}-\d\d-\d\d)$" % re.escape(self.version), self.read(os.path.join(self.srcdir, "NEWS")))
        libraries = re.search(r'(?s)\nlibraries="(.*?)"', self.read(os.path.join(self.srcdir, "bootstrap"))).group(1).replace("\\", " ")
        self.libraries = dict(word.split(":") for word in libraries.split())
        # No target of make may have a blank in its name, so this one is not where tests write.
        self.folder = tempfile.TemporaryDirectory(prefix="archive.", dir=os.path.abspath(build))
        self.archive = os.path.join(self.folder.name, "icecore-" + self.version)

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as f:
            return f.read()

    def template(self, name):
        return self.read(os.path.join(self.packaging, name))

    # ---- the version

    def told(self, folder):
        p = ask("sh", os.path.join(self.packaging, "version.sh"), folder, self.version)
        return re.search(r'base_version\[\] = "(.*?)"', p.stdout).group(1)

    def versions(self):
        said = ask(os.path.join(self.build, "icecore"), "--version").stdout.rstrip("\n")
        tap.check("the program has the version of the sources", said != "icecore " + self.told(self.srcdir) and said)
        folder = os.path.join(self.scratch, "checkout")
        os.mkdir(folder)
        told = self.told(folder)
        tap.check("sources of unknown origin have a version of their own", told != self.version + "-dev" and told)
        if shutil.which("git"):
            git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.example"]
            ask("git", "init", "-q", folder)
            with open(os.path.join(folder, "a"), "w", encoding="utf-8") as f:
                f.write("1\n")
            ask(*git, "add", "a")
            ask(*git, "commit", "-qm", "a")
            commit = self.version + "-dev+g" + ask(*git, "rev-parse", "--short=8", "HEAD").stdout.strip()
            told = self.told(folder)
            tap.check("a checkout has its commit in the version", told != commit and told)
            with open(os.path.join(folder, "a"), "w", encoding="utf-8") as f:
                f.write("2\n")
            told = self.told(folder)
            tap.check("a changed checkout says so", told != commit + ".changed" and told)
        else:
            tap.skip("a checkout has its commit in the version", "no git")
        with open(os.path.join(folder, "RELEASE"), "w", encoding="utf-8"):
            pass
        told = self.told(folder)
        tap.check("an archive has the version alone", told != self.version and told)
        tap.check("NEWS has the day of this version", not self.day)

    # ---- the archive

    def archived(self):
        environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
        p = ask("make", "-s", "-C", self.build, "distdir", "distdir=" + self.archive, "top_distdir=" + self.archive, env=environment)
        packed = {os.path.relpath(os.path.join(folder, name), self.archive) for folder, _, names in os.walk(self.archive) for name in names}
        tap.check("make distdir", wrong(p), len(packed) < 1000 and "%d files" % len(packed))
        if os.path.exists(os.path.join(self.srcdir, ".git")) and shutil.which("git"):
            kept = set(ask("git", "-C", self.srcdir, "-c", "core.quotePath=off", "ls-files").stdout.splitlines())
            new = set(ask("git", "-C", self.srcdir, "-c", "core.quotePath=off", "ls-files", "-o").stdout.splitlines())
            tap.check("the archive has all files of the sources", "\n".join(sorted(kept - packed)))
            tap.check("the archive has no other files", "\n".join(sorted(name for name in packed - kept - new if not MADE.match(name))))
        else:
            tap.skip("the archive has all files of the sources", "no checkout")
        days = {line for path in glob.glob(os.path.join(self.archive, "man/*")) for line in self.read(path).splitlines() if line.startswith(".Dd")}
        times = {os.stat(os.path.join(folder, name)).st_mtime for folder, _, names in os.walk(self.archive) for name in names}
        day = self.day and ".Dd " + datetime.date.fromisoformat(self.day.group(1)).strftime("%B %-d, %Y")
        tap.check("manuals of an archive have the day of NEWS, its files one time", days != {day} and days, len(times) != 1 and times)
        name = re.search("[^/]+[.][^/]+", self.url).group().encode()
        homes = set()
        for path in packed:
            with open(os.path.join(self.archive, path), "rb") as f:
                if name in f.read():
                    homes.add(path)
        tap.check("configure.ac alone has the addresses, and CONTRIBUTING.md explains them", homes ^ {"configure.ac", "configure", "CONTRIBUTING.md"},
                  not self.bugs and "nowhere to report bugs")

    def promises(self):
        """The documents have the parts that users and contributors need."""
        named = re.findall(r"`(tests/[a-z_/]+)(?:[.][a-z]+)?", self.read(os.path.join(self.srcdir, "SECURITY.md")))
        tap.check("SECURITY.md names tests that exist", len(named) < 15 and named,
                  [n for n in named if not glob.glob(os.path.join(self.srcdir, n + ".*"))])
        for path, pattern, what in (("SECURITY.md", r"(?s)\n## Supported versions\n.*\n## What icecore promises\n.*\n## How to report a problem\n.*\n## What counts as a problem\n.*\n## How a release is checked\n", "promises, and how to report"),
                                    ("CONTRIBUTING.md", r"(?s)\A([^\n]*\n){20,60}\Z", "is one page"),
                                    ("CONTRIBUTING.md", r"(?s)\n## Compatibility\n.*icecore-query\(7\).*icecore-index\(5\)", "says what versions keep"),
                                    ("man/icecore-query.7", r"(?s)\n.Sh COMPATIBILITY\n.*A valid query stays valid.*select", "promises valid queries and columns"),
                                    ("man/icecore-index.5", r"(?s)\n.Ss Compatibility\n.*ignored and made again", "promises that old indexes do no harm"),
                                    ("AUTHORS", r"\w+", "names somebody")):
            tap.check("%s %s" % (path, what), not re.search(pattern, self.read(os.path.join(self.srcdir, path))))

    # ---- packages

    def filled(self):
        release = self.template("release.sh")
        for name in TEMPLATES + DEBIAN:
            text = self.template(name + ".in")
            words = set(re.findall(r"@[A-Z_0-9]+@", text))
            tap.check("%s: release.sh fills in what changes" % name, not words & {"@VERSION@", "@URL@"} and "nothing changes",
                      sorted(w for w in words if w not in release), self.version in text and "contains " + self.version)

    def named(self, name, module):
        if name == "icecore.spec":
            return "pkgconfig(%s)" % module
        return self.libraries[module] if name == "debian/control" else NAMES[name].get(module, module)

    def needs(self):
        for name in TEMPLATES + ("debian/control",):
            text = self.template(name + ".in")
            missing = [m for m in self.libraries
                       if not re.search(r'(?m)(^|[\s,"])%s($|[\s,"])' % re.escape(self.named(name, m)), text)]
            tap.check("%s needs each library" % name, missing)

    def reads(self):
        """Other programs read what is filled in, where they are installed."""
        folder = os.path.join(self.scratch, "filled")
        os.mkdir(folder)
        for name in TEMPLATES + DEBIAN:
            text = self.template(name + ".in").replace("@VERSION@", self.version).replace("@URL@", self.url).replace("@MAIL@", self.mail)
            text = text.replace("@DAY_RPM@", "Fri Nov 27 2026")
            text = text.replace("@DAY_MAIL@", "Fri, 27 Nov 2026 00:00:00 +0000").replace("@SHA256@", "0" * 64).replace("@SHA512@", "0" * 128)
            with open(os.path.join(folder, os.path.basename(name)), "w", encoding="utf-8") as f:
                f.write(text)
        with open(os.path.join(folder, "stubs.nix"), "w", encoding="utf-8") as f:
            f.write(STUBS)
        for program, *words in (("sh", "-c", ". ./$1 && type build check package", "sh", "APKBUILD"), ("ruby", "-c", "icecore.rb"),
                                ("nix-instantiate", "--store", "dummy://", "--eval", "--strict", "stubs.nix"), ("rpmspec", "-P", "icecore.spec"), ("rpmlint", "icecore.spec"), ("dpkg-parsechangelog", "-l", "changelog")):
            if shutil.which(program):
                tap.check("%s reads %s" % (program, words[-1]), wrong(ask(program, *words, cwd=folder)))
            else:
                tap.skip("%s reads %s" % (program, words[-1]), "no " + program)
        for script in glob.glob(os.path.join(self.packaging, "*.sh")):
            tap.check("sh reads " + os.path.basename(script), wrong(ask("sh", "-n", script)))

    def files(self):
        """Each installed file is in exactly one line of the spec."""
        root = os.path.join(self.scratch, "root")
        environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
        p = ask("make", "-s", "-C", self.build, "install", "DESTDIR=" + root, "prefix=/usr", env=environment)
        installed = ["/" + os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names]
        lines = re.search(r"(?s)\n%files\n(.*?)\n\n", self.template("icecore.spec.in")).group(1)
        for macro, path in (("_docdir", "/usr/share/doc"), ("_bindir", "/usr/bin"), ("_mandir", "/usr/share/man"), ("_datadir", "/usr/share"),
                            ("name", "icecore")):
            lines = lines.replace("%%{%s}" % macro, path)
        lines = [line.split()[-1] for line in lines.splitlines() if not line.startswith("%dir")]
        patterns = [re.compile(re.escape(line).replace(r"\*", "[^/]*") + (".*" if line.endswith("/") else "") + "$") for line in lines]
        counts = {path: sum(bool(p.match(path)) for p in patterns) for path in installed}
        tap.check("the spec has each installed file once", wrong(p), len(installed) < 30 and installed,
                  "\n".join("%s: %d" % row for row in counts.items() if row[1] != 1),
                  [line for line, p in zip(lines, patterns) if not any(p.match(path) for path in installed)])

    # ---- descriptions and images of the static program

    def sbom(self, program):
        versions = {package: "1:%d.0+b1" % i for i, package in enumerate(["libc6-dev", "libiberty-dev", "libbz2-dev", *self.libraries.values()])}
        words = ("sh", os.path.join(self.packaging, "sbom.sh"), self.version, self.url, "2026-11-27", "arm64", program)
        p = ask(*words, input="".join("%s:arm64\t%s\n" % row for row in versions.items()))
        try:
            d = json.loads(p.stdout)
        except ValueError as e:
            tap.check("SPDX is JSON", "%s\n%s" % (e, p.stdout))
            return
        packages = {package["name"]: package for package in d["packages"]}
        linked = {r["relatedSpdxElement"] for r in d["relationships"] if r["relationshipType"] == "STATIC_LINK"}
        tap.check("SPDX has what version 2.3 demands",
                  [key for key in ("spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo") if not d.get(key)],
                  d["spdxVersion"] != "SPDX-2.3" and d["spdxVersion"],
                  [n for n, package in packages.items() if not package.get("downloadLocation") or not re.match(r"SPDXRef-[A-Za-z0-9.-]+$", package["SPDXID"])])
        tap.check("SPDX has each library with its version", [n for n, v in versions.items() if packages.get(n, {}).get("versionInfo") != v],
                  linked ^ {"SPDXRef-" + n for n in versions}, packages["icecore"]["versionInfo"] != self.version)
        p = ask(*words, input="zlib1g-dev\t1\n")
        tap.check("SPDX needs each version", p.returncode == 0 and p.stdout)

    def image(self, program):
        made = [os.path.join(self.scratch, name) for name in ("a.tar", "b.tar")]
        for out in made:
            p = ask("sh", os.path.join(self.packaging, "image.sh"), self.version, "2026-11-27", "amd64", program, out)
            tap.check("image.sh makes " + os.path.basename(out), wrong(p))
        with open(made[0], "rb") as a, open(made[1], "rb") as b:
            tap.check("images have the same bytes each time", a.read() != b.read())
        with tarfile.open(made[0]) as t:
            blobs = {os.path.basename(m.name): t.extractfile(m).read() for m in t.getmembers() if m.isfile()}
        tap.check("blobs have their digest as the name", [n for n, data in blobs.items()
                                                         if re.match("[0-9a-f]{64}$", n) and hashlib.sha256(data).hexdigest() != n])
        (listed,) = json.loads(blobs["index.json"])["manifests"]
        manifest = json.loads(blobs[listed["digest"][7:]])
        parts = [listed, manifest["config"], *manifest["layers"]]
        (old,) = json.loads(blobs["manifest.json"])
        tap.check("the index leads to every part", [part for part in parts if len(blobs.get(part["digest"][7:], b"")) != part["size"]],
                  [path for path in [old["Config"], *old["Layers"]] if os.path.basename(path) not in blobs])


    # ---- a whole release, of programs that are made in no time

    def small(self, top):
        """An archive with the packaging of the sources; bootstrap and the tools of Debian are stand-ins."""
        name = "icecore-" + self.version
        tree, tools = os.path.join(top, name), os.path.join(top, "tools")
        shutil.copytree(self.packaging, os.path.join(tree, "packaging"))
        shutil.copy(os.path.join(self.srcdir, "NEWS"), tree)
        os.mkdir(tools)
        stand_ins = {
            os.path.join(tree, "bootstrap"): 'd=$(dirname "$0")/build/${2:+$2/}static; mkdir -p "$d" "$(dirname "$0")/build/aarch64/sysroot"; echo "$2" >"$d/icecore"; '
                                             "dpkg-query -W -f '${Package}\\t${Version}\\n' >\"$(dirname \"$0\")/build/aarch64/sysroot/versions\"",
            os.path.join(tools, "dpkg-buildpackage"): "echo deb >../icecore_%s-1_amd64.deb; printf 'Build-Path: %%s\\nInstalled-Build-Depends:\\n binutils (= 2.40-2),\\n "
                                                      "gcc-12 (= 12.2.0-14)\\nEnvironment:\\n HOME=\"/root\"\\n' \"$PWD\" >../icecore_1.buildinfo; : >../a.changes" % self.version,
            os.path.join(tools, "minisign"): 'echo "$*" >"$5.minisig"'}
        for path, text in stand_ins.items():
            with open(path, "w", encoding="utf-8") as f:
                f.write("#!/bin/sh\n%s\n" % text)
            os.chmod(path, 0o755)
        p = ask("tar", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "-C", top, "-czf", os.path.join(top, name + ".tar.gz"), name)
        tap.check("a small archive", wrong(p))
        return tools

    def release(self, name, *key):
        top = os.path.join(self.scratch, name)
        os.mkdir(top)
        env = {**os.environ, "PATH": self.small(top) + ":" + os.environ["PATH"], **dict(key)}
        p = ask("sh", os.path.join(self.packaging, "release.sh"), self.version, self.url, self.mail, cwd=top, env=env)
        out = os.path.join(top, "release")
        return p, {n: self.read(os.path.join(out, n)) for n in ("REBUILD", "SHA256SUMS", "SHA256SUMS.minisig") if os.path.exists(os.path.join(out, n))}, out

    def released(self):
        if not shutil.which("dpkg-query"):
            tap.check("a release # SKIP no Debian")
            return
        key = os.path.join(self.scratch, "minisign.key")
        with open(key, "w", encoding="utf-8") as f:
            f.write("key")
        p, told, out = self.release("first")
        tap.check("a release is made", wrong(p), "SHA256SUMS.minisig" in told and "signed without a key")
        p = ask("sha256sum", "-c", "SHA256SUMS", cwd=out)
        listed = {line.split()[1] for line in told.get("SHA256SUMS", "").splitlines()}
        tap.check("the sums are right, and of all files", wrong(p), listed ^ set(os.listdir(out)) ^ {"SHA256SUMS"}, len(listed) < 12 and listed)
        text = told.get("REBUILD", "")
        tap.check("REBUILD has commands and versions, and no paths of this machine",
                  [word for word in ("./bootstrap tools\n", "make -C build release PACKAGE_URL=%s PACKAGE_MAIL=%s\n" % (self.url, self.mail), "\nbinutils (= 2.40-2)\n",
                                     "\ngcc-12 (= 12.2.0-14)\n") if word not in text], [word for word in (self.scratch, "HOME", "Build-Path") if word in text])
        p, signed, _ = self.release("second", ("MINISIGN_KEY", key))
        tap.check("a release is signed where there is a key", wrong(p),
                  signed.get("SHA256SUMS.minisig") != "-S -s %s -m SHA256SUMS -t icecore %s\n" % (key, self.version) and str(signed.get("SHA256SUMS.minisig")))
        tap.check("two releases have the same bytes", signed.get("SHA256SUMS") != told.get("SHA256SUMS") and "%s\n%s" % (signed, told))
        p, _, out = self.release("third", ("MINISIGN_KEY", key + ".lost"))
        tap.check("a key that is not there is missed before anything is built", (p.returncode == 0 or os.path.exists(out)) and p.stdout)


def main(build, srcdir, scratch):
    check = Check(build, srcdir, scratch)
    program = os.path.join(scratch, "program")
    with open(program, "wb") as f:
        f.write(b"static\n" * 1000)
    check.versions()
    check.archived()
    check.promises()
    check.filled()
    check.needs()
    check.reads()
    check.files()
    check.sbom(program)
    check.image(program)
    check.released()
    tap.plan()


main(*sys.argv[1:])
