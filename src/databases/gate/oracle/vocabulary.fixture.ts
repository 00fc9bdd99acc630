/** Names that are columns at one place and functions, types or tables at another. */
export const NAMES = (
  'a b f g e x n j t id name date count year value key upper lower length title city ordinality column1 album artist people named ' +
  'secret pg_read_file pg_sleep pg_ls_dir ts_stat lo_import evil_col evil_any evil_row md5 regclass xml public finance'
).split(' ')

/** What somebody would call who should not: by any name that the parser lets stand after a dot. */
export const DANGEROUS = (
  'pg_read_file pg_sleep pg_ls_dir lo_import lo_get ts_stat pg_terminate_backend dblink_exec evil_col evil_any evil_row regclass xml ' +
  'upper length x n e id title salary column1 ordinality initcap'
).split(' ')

/** The tables of the oracle's database that queries are written about, with their columns. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  album: ['album_id', 'title', 'artist_id'],
  artist: ['artist_id', 'name'],
  named: ['id', 'name', 'date', 'count', 'year', 'upper', 'pg_read_file', 'value', 'f'],
  people: ['id', 'home', 'name', 'tags'],
  titles: ['upper', 'album_id', 'title'],
  invoice: ['invoice_id', 'customer_id', 'invoice_date', 'billing_country', 'total'],
}

/** Functions in FROM with the columns that they give, '' for the alias or name of the call, and the name of the first. */
export const CALLS: readonly (readonly [string, readonly string[], string])[] = [
  ["string_to_table('a|b', '|')", [''], 'string_to_table'],
  ['generate_series(1, 3)', [''], 'generate_series'],
  ['jsonb_each_text(\'{"a":1}\')', ['key', 'value'], 'jsonb_each_text'],
  ["jsonb_array_elements('[1]')", ['value'], 'jsonb_array_elements'],
  ['json_object_keys(\'{"a":1}\')', [''], 'json_object_keys'],
  ["unnest(ARRAY['a', 'b'])", [''], 'unnest'],
  ['unnest(ARRAY(SELECT album FROM album))', ['album_id', 'title', 'artist_id'], 'unnest'],
  ["unnest(to_tsvector('a b'))", ['lexeme', 'positions', 'weights'], 'unnest'],
  ["lower('X')", [''], 'lower'],
  ['coalesce((SELECT artist FROM artist LIMIT 1))', ['artist_id', 'name'], 'coalesce'],
  [
    "ROWS FROM (string_to_table('a', '|'), generate_series(1, 2))",
    ['string_to_table', 'generate_series'],
    'string_to_table',
  ],
  ["string_to_table(GIVEN, '|')", [''], 'string_to_table'],
]

/** Expressions, with the names that their columns get. */
export const CONSTANTS: readonly { readonly sql: string; readonly name: string }[] = [
  { sql: `'abc'::text`, name: 'text' },
  { sql: `('abc'::text || 'd')`, name: '?column?' },
  { sql: `CASE WHEN true THEN 'a' END`, name: 'case' },
  { sql: `coalesce('a', 'b')`, name: 'coalesce' },
  { sql: `nullif('a', 'b')`, name: 'nullif' },
  { sql: `'a' COLLATE "C"`, name: '?column?' },
  { sql: `('x')`, name: '?column?' },
  { sql: `current_date::text`, name: 'current_date' },
]

const PLAIN = /^[a-z_][a-z0-9_]*$/

/** Quotes what may be a keyword as well. */
export function quote(name: string): string {
  return PLAIN.test(name) &&
    !['date', 'count', 'year', 'value', 'key', 'name', 'case', 'array', 'exists'].includes(name)
    ? name
    : `"${name.replaceAll('"', '""')}"`
}
