/**
 * Ways in which PostgreSQL resolves a name after a dot as a call of a function, with `F` for the function. Each works on a server
 * as it stands, in a database that has the tables of the oracle; `decoy` has a column for every function.
 */
export const CALL_FORMS: readonly string[] = [
  // the row of a function in FROM is a plain value
  `SELECT f.F FROM string_to_table('a|b', '|') AS f(x)`,
  `SELECT F.F FROM string_to_table('a|b', '|') AS F(x)`,
  `SELECT F.F FROM jsonb_array_elements_text('["a"]') AS F`,
  `SELECT (f).F FROM string_to_table('a|b', '|') AS f(x)`,
  `SELECT (f.x).F FROM string_to_table('a|b', '|') AS f(x)`,
  `SELECT (f.*).F FROM string_to_table('a|b', '|') AS f(x)`,
  `SELECT f.F FROM unnest(ARRAY['a']) AS f(x)`,
  `SELECT f.F FROM unnest(ARRAY['a']) AS f`,
  `SELECT f.F FROM lower('A') AS f`,
  `SELECT f.F FROM coalesce('a'::text) AS f`,
  `SELECT f.F FROM CAST('a' AS text) AS f`,
  `SELECT f.F FROM ROWS FROM (string_to_table('a', '|')) AS f(x)`,
  `SELECT f.F FROM string_to_table('a', '|') WITH ORDINALITY AS f(x)`,
  `SELECT f.F FROM jsonb_to_recordset('[{}]') AS f(a text)`,
  `SELECT (f).F FROM jsonb_to_recordset('[{}]') AS f(F text, b text), string_to_table('a', '|') AS g(f)`,
  `SELECT (f).F FROM string_to_table('a', '|') AS f(F)`,
  `SELECT (f.*).F FROM string_to_table('a', '|') AS f(F)`,
  `SELECT (b).F FROM decoy AS b, string_to_table('a', '|') AS g(b)`,
  `SELECT (SELECT (b).F FROM decoy AS b LIMIT 1) FROM string_to_table('a', '|') AS g(b)`,
  `SELECT F.F FROM unnest(ARRAY(SELECT genre FROM genre)) AS F`,
  `SELECT F.F FROM coalesce((SELECT genre FROM genre LIMIT 1)) AS F`,
  // at every place of a query
  `SELECT 1 FROM string_to_table('a', '|') AS f(x) WHERE f.F IS NOT NULL`,
  `SELECT 1 FROM string_to_table('a', '|') AS f(x) ORDER BY f.F`,
  `SELECT count(*) FROM string_to_table('a', '|') AS f(x) GROUP BY f.F`,
  `SELECT count(*) FILTER (WHERE f.F IS NOT NULL) FROM string_to_table('a', '|') AS f(x)`,
  `SELECT sum(1) OVER (PARTITION BY f.F) FROM string_to_table('a', '|') AS f(x)`,
  `SELECT max(x ORDER BY f.F) FROM string_to_table('a', '|') AS f(x)`,
  `SELECT 1 FROM string_to_table('a', '|') AS f(x) JOIN genre g ON f.F IS NOT NULL`,
  `SELECT 1 FROM string_to_table('a', '|') AS f(x), string_to_table(f.F::text, '|') AS g`,
  `SELECT l.y FROM string_to_table('a', '|') AS f(x), LATERAL (SELECT f.F AS y) AS l`,
  `SELECT (SELECT f.F) FROM string_to_table('a', '|') AS f(x)`,
  `SELECT ARRAY(SELECT f.F FROM genre) FROM string_to_table('a', '|') AS f(x)`,
  `SELECT CASE WHEN true THEN (f.F)::text END FROM string_to_table('a', '|') AS f(x)`,
  `SELECT x FROM string_to_table('a', '|') AS f(x) UNION SELECT (f.F)::text FROM string_to_table('a', '|') AS f(x)`,
  `WITH q AS (SELECT f.F FROM string_to_table('a', '|') AS f(x)) SELECT * FROM q`,
  `VALUES ((SELECT f.F FROM string_to_table('a', '|') AS f(x) LIMIT 1)::text)`,
  // any value
  `SELECT ('a'::text).F`,
  `SELECT (lower('A')).F`,
  `SELECT ((SELECT 'a'::text)).F`,
  `SELECT (ARRAY['a'])[1].F`,
  `SELECT (CASE WHEN true THEN 'a'::text END).F`,
  `SELECT (a.title).F FROM album a`,
  `SELECT (title).F FROM album`,
  `SELECT (p.home).F FROM people p`,
  `SELECT ((p.home).city).F FROM people p`,
  // rows of tables
  `SELECT a.F FROM album a`,
  `SELECT (a).F FROM album a`,
  `SELECT (a.*).F FROM album a`,
  `SELECT album.F FROM album`,
  `SELECT public.album.F FROM album`,
  `SELECT F(a) FROM album a`,
  `SELECT F(a.*) FROM album a`,
  `SELECT ((SELECT a FROM album a LIMIT 1)).F`,
  `SELECT ((array_agg(a))[1]).F FROM album a`,
  `SELECT t.F FROM titles t`,
  `SELECT r.F FROM (SELECT a FROM album a) AS r`,
  `SELECT (r.a).F FROM (SELECT a FROM album a) AS r`,
  `SELECT v.F FROM (VALUES ('a', 1)) AS v`,
  `SELECT v.F FROM (VALUES ('a', 1)) AS v(x)`,
  // aliases rename columns, and the old names are gone
  `SELECT d.F FROM (SELECT 'a'::text AS F, 1 AS y) AS d(x)`,
  `WITH d(x) AS (SELECT 'a'::text AS F, 1 AS y) SELECT d.F FROM d`,
  `WITH d AS (SELECT 'a'::text AS F, 1 AS y) SELECT e.F FROM d AS e(x)`,
  `SELECT d.F FROM (SELECT 'a'::text AS x UNION SELECT 'b'::text AS F) AS d`,
  `SELECT d.F FROM (SELECT decoy.F AS x FROM decoy) AS d`,
  `SELECT d.F FROM (SELECT j.* FROM (SELECT 'a'::text AS F) AS j(x)) AS d`,
  `SELECT j.F FROM ((SELECT 1 AS F) AS a CROSS JOIN album) AS j(x)`,
  `SELECT u.F FROM decoy a JOIN decoy b USING (id) AS u`,
  `SELECT d.F FROM (SELECT x.*, 'a'::text AS F FROM unnest(ARRAY(SELECT genre FROM genre)) AS x) AS d(a, b, c)`,
  `SELECT j.F FROM ((SELECT 1 AS a, 'x'::text AS F) AS l JOIN decoy USING (F)) AS j(q)`,
  // a column that the role may not read is merged all the same
  `SELECT j.F FROM ((SELECT 1 AS a, 'x'::text AS F) AS l NATURAL JOIN veiled) AS j(q)`,
  `WITH RECURSIVE d(x) AS (SELECT 'a'::text AS F UNION SELECT d.F::text FROM d WHERE length(x) < 3) SELECT * FROM d`,
  // the alias of a join hides what stands inside, and the server looks outwards
  `SELECT (SELECT b.F FROM (album a JOIN (SELECT 1 AS F) AS b ON true) AS j LIMIT 1) FROM string_to_table('a', '|') AS b(x)`,
  `SELECT (SELECT b.F FROM (album a JOIN decoy AS b ON true) AS j LIMIT 1) FROM string_to_table('a', '|') AS b(x)`,
  `SELECT (SELECT u.F FROM (decoy a JOIN decoy b USING (F) AS u) AS j LIMIT 1) FROM string_to_table('a', '|') AS u(x)`,
  `SELECT (SELECT 1 FROM ((SELECT 1 AS F) AS b CROSS JOIN genre) AS j WHERE b.F IS NOT NULL) FROM string_to_table('a', '|') AS b(x)`,
  `SELECT (SELECT b.F FROM ((decoy AS b CROSS JOIN genre) AS i CROSS JOIN artist) LIMIT 1) FROM string_to_table('a', '|') AS b(x)`,
  // what stands beside in FROM is not seen either
  `SELECT (SELECT s.y FROM decoy AS b, (SELECT b.F AS y) AS s LIMIT 1) FROM string_to_table('a', '|') AS b(x)`,
  `SELECT (SELECT 1 FROM decoy AS b, album a JOIN genre g ON b.F IS NOT NULL LIMIT 1) FROM string_to_table('a', '|') AS b(x)`,
  `SELECT (SELECT 1 FROM decoy AS b CROSS JOIN (SELECT b.F AS y) AS s LIMIT 1) FROM string_to_table('a', '|') AS b(x)`,
  `SELECT (WITH q AS (SELECT b.F) SELECT 1 FROM decoy AS b, q) FROM string_to_table('a', '|') AS b(x)`,
  // names with a schema mean tables alone
  `SELECT (SELECT public.album.F FROM decoy AS album LIMIT 1) FROM album`,
  `SELECT (SELECT public.album.F FROM (SELECT 1 AS F) AS album) FROM album`,
  `WITH genre AS (SELECT 1 AS F) SELECT (SELECT public.genre.F FROM genre) FROM public.genre`,
  // a CTE that comes later in WITH RECURSIVE is no table
  `WITH RECURSIVE q AS (SELECT decoy.F FROM decoy), decoy AS (SELECT 'a'::text AS x) SELECT * FROM q`,
  // only planned
  `EXPLAIN SELECT f.F FROM string_to_table('a|b', '|') AS f(x)`,
]

/** A form with the function put in. */
export function callBy(form: string, name: string): string {
  return form.replace(/\bF\b/g, name)
}

/** Functions with which one of those calls reads files, other tables or other servers, waits, writes or stops something. */
export const CALLED: readonly string[] = [
  'pg_read_file',
  'pg_read_binary_file',
  'pg_ls_dir',
  'pg_stat_file',
  'lo_import',
  'lo_get',
  'lo_unlink',
  'dblink_exec',
  'dblink',
  'ts_stat',
  'pg_sleep',
  'pg_terminate_backend',
  'pg_cancel_backend',
  'pg_advisory_lock',
  'nextval',
  'current_setting',
  'pg_get_viewdef',
  'regclass',
  'xml',
  'evil_any',
]
