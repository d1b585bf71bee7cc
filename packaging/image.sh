#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# image.sh VERSION DAY ARCH PROGRAM OUT - for amd64 or arm64, an image that consists of a static program and an empty /data and /tmp, as a tar file with both layouts:
# that of OCI, and that of docker save for older programs.  No daemon is needed.
set -eu
version=$1 day=$2 arch=$3 program=$4 out=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

pack() { # pack FOLDER TAR: the same bytes each time
	tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime="$day UTC" -C "$1" -cf "$2" .
}

sum() {
	sha256sum <"$1" | cut -c 1-64
}

blob() { # blob FILE: moves it to its place and prints its digest
	digest=$(sum "$1")
	mv "$1" "$scratch/image/blobs/sha256/$digest"
	echo "$digest"
}

bytes() {
	stat -c %s "$scratch/image/blobs/sha256/$1"
}

mkdir -p "$scratch/root/data" "$scratch/root/tmp" "$scratch/image/blobs/sha256"
chmod 755 "$scratch/root" "$scratch/root/data"
chmod 1777 "$scratch/root/tmp"
install -m 755 "$program" "$scratch/root/icecore"
pack "$scratch/root" "$scratch/layer"
whole=$(sum "$scratch/layer")
gzip -9n "$scratch/layer"
layer=$(blob "$scratch/layer.gz")
cat >"$scratch/config" <<END
{"architecture":"$arch","os":"linux","created":"${day}T00:00:00Z","config":{"Entrypoint":["/icecore"],"Env":["PATH=/","HOME=/tmp","LANG=C.UTF-8"],
"WorkingDir":"/data","Labels":{"org.opencontainers.image.title":"icecore","org.opencontainers.image.version":"$version",
"org.opencontainers.image.licenses":"GPL-3.0-or-later"}},"rootfs":{"type":"layers","diff_ids":["sha256:$whole"]},
"history":[{"created":"${day}T00:00:00Z","created_by":"packaging/image.sh"}]}
END
config=$(blob "$scratch/config")
cat >"$scratch/manifest" <<END
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
"config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$config","size":$(bytes "$config")},
"layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"sha256:$layer","size":$(bytes "$layer")}]}
END
manifest=$(blob "$scratch/manifest")
cat >"$scratch/image/index.json" <<END
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json",
"digest":"sha256:$manifest","size":$(bytes "$manifest"),"platform":{"architecture":"$arch","os":"linux"},
"annotations":{"org.opencontainers.image.ref.name":"$version","io.containerd.image.name":"docker.io/library/icecore:$version"}}]}
END
echo '{"imageLayoutVersion":"1.0.0"}' >"$scratch/image/oci-layout"
cat >"$scratch/image/manifest.json" <<END
[{"Config":"blobs/sha256/$config","RepoTags":["icecore:$version","icecore:latest"],"Layers":["blobs/sha256/$layer"]}]
END
pack "$scratch/image" "$out"
