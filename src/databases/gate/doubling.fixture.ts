/** Ways in which a column of one level stands for two of the level below. */
const TWICE: readonly ((column: string) => string)[] = [
  (s) => `${s} || ${s}`,
  (s) => `concat(${s}, ${s})`,
  (s) => `CASE WHEN ${s} > 'a' THEN ${s} END`,
  (s) => `coalesce(nullif(${s}, 'y'), ${s})`,
  (s) => `(SELECT ${s} || ${s})`,
  (s) => `least(${s}, 'z', ${s})`,
]

/** Ways in which a level stands on the one below, which gives the column `s`; `x` is its expression over a column. */
type Twice = (column: string) => string
const chain = (depth: number, bottom: string, over: (below: string) => string): string =>
  Array.from({ length: depth }).reduce<string>((below) => over(below), bottom)
const START = `SELECT 'x'::text AS s`
const inOrder = (depth: number, part: (at: number) => string): string =>
  Array.from({ length: depth }, (_, at) => part(at + 1)).join(', ')

const SHAPES: Readonly<Record<string, (depth: number, twice: Twice) => string>> = {
  derived: (depth, x) =>
    `SELECT length(s) FROM (${chain(depth, START, (q) => `SELECT ${x('s')} AS s FROM (${q}) t`)}) z`,
  qualified: (depth, x) => chain(depth, START, (q) => `SELECT ${x('t.u')} AS s FROM (${q}) t(u)`),
  where: (depth, x) =>
    `SELECT 1 FROM (${chain(depth, START, (q) => `SELECT DISTINCT ${x('s')} AS s FROM (${q}) t`)}) z WHERE s > 'a'`,
  ctes: (depth, x) =>
    `WITH c0 AS (${START}), ${inOrder(depth, (at) => `c${at} AS (SELECT ${x('s')} AS s FROM c${at - 1})`)} SELECT s FROM c${depth}`,
  'renamed ctes': (depth, x) =>
    `WITH c0(a) AS (${START}), ${inOrder(depth, (at) => `c${at}(a) AS NOT MATERIALIZED (SELECT ${x('a')} FROM c${at - 1})`)} SELECT a FROM c${depth}`,
  lateral: (depth, x) =>
    `SELECT l${depth}.s FROM (${START}) l0, ${inOrder(depth, (at) => `LATERAL (SELECT ${x(`l${at - 1}.s`)} AS s) l${at}`)}`,
  values: (depth, x) =>
    `SELECT l${depth}.s FROM (${START}) l0, ${inOrder(depth, (at) => `LATERAL (VALUES (${x(`l${at - 1}.s`)})) l${at}(s)`)}`,
  union: (depth, x) => chain(depth, START, (q) => `SELECT ${x('s')} AS s FROM (${q}) t UNION ALL SELECT 'y'`),
  'joined by an alias': (depth, x) =>
    chain(depth, START, (q) => `SELECT ${x('s')} AS s FROM ((${q}) t CROSS JOIN (SELECT 1 AS n) o) AS j`),
  'merged by a join': (depth, x) =>
    chain(depth, START, (q) => `SELECT ${x('s')} AS s FROM (${q}) t FULL JOIN (SELECT 'x'::text AS s) o USING (s)`),
  table: (depth, x) =>
    chain(depth, `SELECT title AS s FROM album`, (q) => `SELECT ${x('s')} AS s FROM (SELECT * FROM (${q}) y) t`),
}

/** A doubling of `depth` levels in each shape with each expression, by its title. */
export function doublings(depth: number): readonly (readonly [title: string, sql: string])[] {
  return Object.entries(SHAPES).flatMap(([shape, sql]) =>
    TWICE.map((twice) => [`${shape}: ${twice('s')}`, sql(depth, twice)] as const),
  )
}

/** Doubling of something else than a column. */
export function otherDoublings(depth: number): readonly (readonly [title: string, sql: string])[] {
  return [
    ['whole rows', chain(depth, `SELECT 'x'::text AS s`, (q) => `SELECT ROW(t.*, t)::text AS s FROM (${q}) t`)],
    [
      'a CTE',
      `WITH c0 AS (${START}), ${inOrder(depth, (at) => `c${at} AS NOT MATERIALIZED (SELECT a.s FROM c${at - 1} a, c${at - 1} b)`)} SELECT s FROM c${depth}`,
    ],
    ['BETWEEN', `SELECT ${chain(depth, '1', (q) => `(${q} BETWEEN 0 AND 1)::int`)}`],
    ['BETWEEN SYMMETRIC', `SELECT ${chain(depth, '1', (q) => `(${q} BETWEEN SYMMETRIC 0 AND 1)::int`)}`],
    ['IN', `SELECT ${chain(depth, 'album_id', (q) => `(${q} IN (album_id, artist_id))::int`)} FROM album`],
  ]
}
