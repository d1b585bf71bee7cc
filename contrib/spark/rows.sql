-- Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
-- Where the rows of icecore triage are, for DuckDB.  Say it with one of
--   create view triage as from spark_rows('s3://rows/heap/rows/*/*.parquet');
--   create view triage as from local_rows('OUT/rows-*.jsonl');
-- and then read rollup.sql.

create macro spark_rows(files) as table
	select * replace (day::varchar as day), 0 as line from read_parquet(files, hive_partitioning = true, union_by_name = true);

-- If rows are equally new, the last line counts; the day is that of the dump.
create macro local_rows(files) as table
	select *, null::bigint as mtime, row_number() over () as line, left(dumped_at, 10) as day
	from read_json(files, format = 'newline_delimited', columns = {
		'row': 'varchar', 'schema': 'bigint', 'key': 'varchar', 'path': 'varchar', 'bytes': 'bigint', 'sum': 'varchar', 'state': 'varchar',
		'exit': 'bigint', 'signal': 'bigint', 'reason': 'varchar', 'lost_bytes': 'bigint', 'format': 'varchar', 'unpacked': 'bigint',
		'objects': 'bigint', 'live_objects': 'bigint', 'live_bytes': 'bigint', 'dumped_at': 'varchar', 'app': 'varchar', 'build': 'varchar',
		'process': 'varchar', 'findings': 'bigint', 'attempt': 'bigint', 'seconds': 'double', 'rss': 'bigint', 'version': 'varchar',
		'rule': 'bigint', 'rank': 'bigint', 'severity': 'varchar', 'kind': 'varchar', 'sig': 'varchar', 'holder': 'varchar',
		'content': 'varchar', 'retained': 'bigint', 'percent': 'double', 'count': 'bigint', 'signature': 'varchar', 'why': 'varchar',
		'weight': 'varchar', 'elapsed': 'bigint', 'hot_path': 'varchar', 'hot_share': 'double', 'wait': 'bigint', 'wait_in': 'varchar',
		'story': 'varchar', 'main_blocks': 'bigint', 'main_longest': 'bigint', 'methods': 'bigint', 'wall': 'bigint', 'method': 'varchar', 'self': 'double',
		'total': 'double' });
