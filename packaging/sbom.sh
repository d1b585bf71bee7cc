#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# sbom.sh VERSION URL DAY ARCH PROGRAM - for amd64 or arm64, which libraries a static program contains, as SPDX 2.3.  Standard input: a line "PACKAGE<tab>VERSION"
# for each installed package of Debian.
set -eu
version=$1 url=$2 day=$3 arch=$4 program=$5

# The packages that have the static libraries, and their licences.
libraries="libc6-dev LGPL-2.1-or-later
libncurses-dev X11-distribute-modifications-variant
libreadline-dev GPL-3.0-or-later
zlib1g-dev Zlib
liblz4-dev BSD-2-Clause
libzstd-dev BSD-3-Clause OR GPL-2.0-only
liblzma-dev NOASSERTION
libbz2-dev bzip2-1.0.6
libpng-dev libpng-2.0
libpcre2-dev BSD-3-Clause
nettle-dev LGPL-3.0-or-later OR GPL-2.0-or-later
libxxhash-dev BSD-2-Clause
libseccomp-dev LGPL-2.1-only
libiberty-dev LGPL-2.0-or-later"

tab=$(printf '\t')
sed 's/:[a-z0-9]*'"$tab"'/'"$tab"'/' | awk -F '\t' -v libraries="$libraries" -v version="$version" -v url="$url" -v day="$day" -v arch="$arch" \
    -v program="${program##*/}" -v sum="$(sha256sum <"$program" | cut -c 1-64)" '
{ installed[$1] = $2 }
function package(id, name, version, licence, more) {
	printf "%s    { \"SPDXID\": \"SPDXRef-%s\", \"name\": \"%s\", \"versionInfo\": \"%s\", \"downloadLocation\": \"%s\",\n", \
	    comma, id, name, version, id == "icecore" ? url : "NOASSERTION"
	printf "      \"filesAnalyzed\": false, \"licenseDeclared\": \"%s\", \"licenseConcluded\": \"NOASSERTION\",\n", licence
	printf "      \"copyrightText\": \"NOASSERTION\", %s }", more
	comma = ",\n"
}
END {
	n = split(libraries, line, "\n")
	printf "{\n  \"spdxVersion\": \"SPDX-2.3\", \"dataLicense\": \"CC0-1.0\", \"SPDXID\": \"SPDXRef-DOCUMENT\",\n"
	printf "  \"name\": \"%s\", \"documentNamespace\": \"%sspdx/%s-%s\",\n", program, url, program, substr(sum, 1, 16)
	printf "  \"creationInfo\": { \"created\": \"%sT00:00:00Z\", \"creators\": [\"Organization: icecore authors\", \"Tool: packaging/sbom.sh\"] },\n", day
	printf "  \"packages\": [\n"
	package("icecore", "icecore", version, "GPL-3.0-or-later", \
	    sprintf("\"packageFileName\": \"%s\", \"checksums\": [{ \"algorithm\": \"SHA256\", \"checksumValue\": \"%s\" }]", program, sum))
	for (i = 1; i <= n; i++) {
		name = line[i]
		sub(/ .*/, "", name)
		licence = substr(line[i], length(name) + 2)
		if (!(name in installed)) {
			printf "sbom.sh: the version of %s is unknown\n", name >"/dev/stderr"
			exit 1
		}
		purl = installed[name]
		gsub(/[+]/, "%2B", purl)
		gsub(/:/, "%3A", purl)
		package(name, name, installed[name], licence, sprintf("\"supplier\": \"Organization: Debian\",\n      \"externalRefs\": [{ \"referenceCategory\": " \
		    "\"PACKAGE-MANAGER\", \"referenceType\": \"purl\", \"referenceLocator\": \"pkg:deb/debian/%s@%s?arch=%s\" }]", name, purl, arch))
	}
	printf "\n  ],\n  \"relationships\": [\n"
	printf "    { \"spdxElementId\": \"SPDXRef-DOCUMENT\", \"relationshipType\": \"DESCRIBES\", \"relatedSpdxElement\": \"SPDXRef-icecore\" }"
	for (i = 1; i <= n; i++) {
		name = line[i]
		sub(/ .*/, "", name)
		printf ",\n    { \"spdxElementId\": \"SPDXRef-icecore\", \"relationshipType\": \"STATIC_LINK\", \"relatedSpdxElement\": \"SPDXRef-%s\" }", name
	}
	printf "\n  ]\n}\n"
}'
