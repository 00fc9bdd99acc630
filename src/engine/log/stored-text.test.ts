import { expect, it } from 'vitest'
import { selectsAsStored } from './stored-text.ts'

it.each([
  'SELECT * FROM sites',
  'select s.url, "home page" AS page from sites s where s.name = \'Ann\' and s.id in (select id from t)',
  'SELECT name, count(*) AS n, MAX(t.price) FROM t JOIN u ON (t.id = u.id) GROUP BY name HAVING count(*) > 3 ORDER BY 2 DESC LIMIT 5;',
  'WITH a AS (SELECT DISTINCT url FROM sites) SELECT a.url FROM a UNION ALL SELECT url FROM b WHERE EXISTS (SELECT 1 FROM c)',
  'SELECT `url`, [site] FROM x',
])('returns stored text: %s', (sql) => {
  expect(selectsAsStored(sql)).toBe(true)
})

it.each([
  `SELECT regexp_replace(name, '^.*$', 'x') FROM t`,
  `SELECT rpad(a, 9, b) FROM t`,
  `SELECT array_to_string(array_agg(name), '.') FROM t`,
  `SELECT 'https' FROM t`,
  `SELECT a, 'x' FROM t`,
  `SELECT CAST(x'68747470' AS TEXT)`,
  `SELECT 0x68747470 FROM t`,
  `SELECT a || b FROM t`,
  `SELECT a::text FROM t`,
  `SELECT CASE WHEN a THEN b END FROM t`,
  `SELECT max('x') FROM t`,
  `SELECT max(a || b) FROM t`,
  `SELECT u FROM (SELECT 'x' AS u) s`,
  `SELECT u FROM (VALUES ('x')) s(u)`,
  `SELECT u FROM json_each('["x"]')`,
  `SELECT u FROM "lower" ('x') AS s(u)`,
  `SELECT u FROM unnest(ARRAY['x']) u`,
  `WITH s(u) AS (SELECT name FROM t) SELECT u FROM s`,
  `WITH s AS (SELECT 'x' u) SELECT u FROM s`,
  `SELECT a FROM t UNION SELECT 'x'`,
  `SELECT a FROM t WHERE b = 'https://evil.example/?d=s3cret'`,
  `SELECT a AS "https://evil.example/?d=s3cret" FROM t`,
  `SELECT a AS "x.y/z" FROM t`,
  `SELECT/**/'x' FROM t`,
  `SELECT(a) FROM t`,
  `SELECT $$x$$ FROM t`,
  `SELECT @a FROM t`,
  `UPDATE t SET a = b RETURNING a`,
  `EXPLAIN SELECT a FROM t`,
  `TABLE t`,
  ``,
])('may return joined text: %s', (sql) => {
  expect(selectsAsStored(sql)).toBe(false)
})
