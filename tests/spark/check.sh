# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# contrib/spark, contrib/slurm and contrib/kubernetes: make check-spark.  Spark, DuckDB and an S3 server are installed by pip into a
# folder of the build, Java by apt-get.
. "${srcdir:-$(dirname "$0")/..}/tests/python.sh"
venv=$PWD/spark-client

has_java() {
	java -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | { read -r version && [ "$version" -ge 17 ]; }
}

root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

debian() {
	{ root apt-get update || :; } && root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

client() {
	"$python" -m venv --clear "$venv" || { debian python3-venv && "$python" -m venv --clear "$venv"; } || return 1
	"$venv/bin/pip" install -q 'pyspark>=4,<5' 'pyarrow>=17' 'duckdb>=1.2' 'moto[s3]>=5' flask flask-cors pyyaml && touch "$venv/done"
}

if ! { { has_java || debian default-jre-headless; } && { [ -e "$venv/done" ] || client; }; } >"$scratch/log" 2>&1; then
	tail -n 20 "$scratch/log" | sed 's/^/# /'
	if [ "${REQUIRE_ALL:-0}" = 1 ]; then
		echo "not ok 1 - Spark and Java are installed"
		echo 1..1
	else
		echo "1..0 # SKIP Spark or Java cannot be installed"
	fi
	exit 0
fi
"$venv/bin/python" "$srcdir/tests/spark/check.py" . "$scratch" "$srcdir" 2>"$scratch/err" ||
    { tail -n 20 "$scratch/err" | sed 's/^/# /'; echo "not ok 0 - the check ended early"; }
