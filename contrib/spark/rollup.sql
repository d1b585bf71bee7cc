-- Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
-- Roll-ups of the rows that the view triage has (rows.sql), for DuckDB:
--   states            dumps by day and state
--   groups            signatures, as icecore triage --groups has them
--   new_groups        signatures that no dump of an earlier day contains
--   groups_by_build   signatures by build: which build introduced one, or fixed it
--   hot_paths         hottest paths of traces and profiles, as icecore triage --groups --by path has them
--   methods_by_build  mean share of each method in the files of a build
--   waits_by_build    waits of main threads over 16 ms, and the longest wait, by build
--   dumps, findings, methods   rows that count: the newest of each path
--   blocks            the same as rows that icecore reads: copy (from blocks) to 'rows.jsonl' (format json)

-- The newest version and rule of each path, the newest file of these, and its last attempt.  0.10 is newer than 0.9.
create view dumps as
	select * exclude (line, rank, severity, kind, sig, holder, content, retained, percent, count, signature, why, wall,
		method, self, total)
	from triage where row = 'dump'
	qualify row_number() over (partition by path
		order by [try_cast(part as bigint) for part in string_split(version, '.')] desc, rule desc, mtime desc, attempt desc, line desc) = 1;

create view findings as
	select distinct on (d.path, f.rank) d.path, d.day, d.dumped_at, d.app, d.build, d.process, f.rank, f.severity, f.kind, f.sig, f.holder,
		f.content, f.retained, f.percent, f.count, f.signature, f.why, f.wall
	from triage f join dumps d on d.key = f.key where f.row = 'finding';

create view states as
	select day, state, count(*) as dumps, sum(bytes) as bytes from dumps group by all order by day, state;

create view groups as
	select sig as hash, first(kind order by retained desc, path, rank) as kind, first(holder order by retained desc, path, rank) as holder,
		first(content order by retained desc, path, rank) as content, count(distinct path) as dumps, count(distinct app) as apps,
		count(distinct build) as builds, min(dumped_at) as first, max(dumped_at) as last, max(retained) as retained_max,
		quantile_disc(retained, 0.5) as retained_median, first(path order by retained desc, path, rank) as exemplar,
		first(signature order by retained desc, path, rank) as signature
	from findings group by sig order by dumps desc, retained_max desc, hash;

create view new_groups as
	from groups where hash in (select sig from findings group by sig having min(day) = (select max(day) from dumps));

create view groups_by_build as
	with n as (select app, build, count(*) as "of" from dumps where state in ('ok', 'clean', 'salvaged') group by all)
	select f.app, f.build, f.sig as hash, count(distinct f.path) as dumps, any_value(n."of") as "of", max(f.retained) as retained_max,
		any_value(f.signature) as signature
	from findings f join n on n.app is not distinct from f.app and n.build is not distinct from f.build
	group by all order by hash, f.app, f.build;

create view methods as
	select distinct on (d.path, m.rank) d.path, d.day, d.app, d.build, d.process, d.weight, m.rank, m.method, m.self, m.total
	from triage m join dumps d on d.key = m.key where m.row = 'method';

create view hot_paths as
	select hot_path, weight, count(*) as files, count(distinct build) as builds, max(hot_share) as share_max,
		quantile_disc(hot_share, 0.5) as share_median, min(path) as exemplar
	from dumps where hot_path is not null group by all order by files desc, share_max desc, hot_path;

-- A method without a row in a file has less than 0.1 % there, which counts as 0.
create view methods_by_build as
	with n as (select app, build, weight, count(*) as "of" from dumps where methods > 0 group by all)
	select m.app, m.build, m.weight, m.method, count(distinct m.path) as files, any_value(n."of") as "of", sum(m.self) / any_value(n."of") as share
	from methods m join n on n.app is not distinct from m.app and n.build is not distinct from m.build and n.weight is not distinct from m.weight
	group by all order by m.method, m.app, m.build;

create view waits_by_build as
	select app, build, count(*) as files, sum(main_blocks)::bigint as main_blocks, max(main_longest) as main_longest, max(wait) as wait,
		first(wait_in order by wait desc, path) as wait_in
	from dumps where wait is not null group by all order by app, build;

-- The row of a file, its findings, its methods: as icecore triage writes them.
create view blocks as
	select t."row", t.* exclude ("row", day, line, mtime)
	from triage t join dumps d on d.key = t.key and (t."row" <> 'dump' or t.attempt is not distinct from d.attempt)
	order by d.path, t."row", t.rank nulls first;
