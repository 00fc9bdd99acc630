import { wordSet } from '../../shared/word-set.ts'
import type { Dialect } from '../schema.ts'

const COMMON = wordSet(`
  count sum avg min max coalesce nullif round abs ceil ceiling floor power pow sqrt exp ln log log10 mod sign
  lower upper length trim ltrim rtrim substr substring replace concat concat_ws
  row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
  pi degrees radians sin cos tan asin acos atan atan2 cot
  current_date current_time current_timestamp
`)

const POSTGRES = wordSet(`
  greatest least char_length character_length octet_length bit_length btrim position strpos left right reverse
  trunc cbrt div gcd lcm scale min_scale trim_scale width_bucket random ascii chr initcap md5 split_part starts_with lpad rpad repeat
  translate format quote_literal normalize is_normalized overlay to_hex encode decode
  string_to_array string_to_table array_to_string regexp_replace regexp_match regexp_matches regexp_split_to_array
  regexp_split_to_table regexp_count regexp_substr regexp_instr regexp_like like_escape similar_to_escape
  to_char to_date to_timestamp to_number date_trunc date_part date_bin date_add date_subtract extract overlaps timezone age now
  transaction_timestamp statement_timestamp clock_timestamp isfinite make_date make_time make_timestamp make_timestamptz make_interval
  justify_days justify_hours justify_interval
  array_agg string_agg any_value stddev stddev_pop stddev_samp variance var_pop var_samp corr covar_pop covar_samp
  regr_slope regr_intercept regr_r2 regr_count regr_avgx regr_avgy regr_sxx regr_sxy regr_syy percentile_cont percentile_disc mode
  bool_and bool_or every bit_and bit_or bit_xor grouping
  json_agg jsonb_agg json_object_agg jsonb_object_agg json_build_object jsonb_build_object json_build_array jsonb_build_array
  json_object jsonb_object to_json to_jsonb row_to_json array_to_json json_array_length jsonb_array_length json_typeof jsonb_typeof
  json_array_elements jsonb_array_elements json_array_elements_text jsonb_array_elements_text json_each jsonb_each json_each_text
  jsonb_each_text json_object_keys jsonb_object_keys json_extract_path jsonb_extract_path json_extract_path_text
  jsonb_extract_path_text jsonb_path_query jsonb_path_query_array jsonb_path_query_first jsonb_path_exists jsonb_path_match
  jsonb_strip_nulls json_strip_nulls jsonb_pretty jsonb_set json_to_record jsonb_to_record json_to_recordset jsonb_to_recordset
  array_length array_ndims array_upper array_lower cardinality array_position array_positions array_remove array_replace array_append
  array_prepend array_cat unnest generate_series generate_subscripts num_nulls num_nonnulls
  to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery ts_rank ts_rank_cd ts_headline
  lower_inc upper_inc lower_inf upper_inf isempty daterange int4range int8range numrange tsrange tstzrange range_agg
  cosh sinh tanh asind acosd atand cosd sind tand
`)

const MYSQL = wordSet(`
  greatest least ifnull if isnull char_length character_length octet_length bit_length position locate instr left right reverse mid
  lcase ucase lpad rpad repeat space ascii ord char hex unhex bin oct conv format field elt find_in_set strcmp substring_index
  quote md5 sha1 sha2 crc32 soundex truncate rand log2 div
  bit_and bit_or bit_xor group_concat std stddev stddev_pop stddev_samp variance var_pop var_samp any_value grouping
  json_extract json_unquote json_length json_keys json_contains json_contains_path json_search json_type json_valid json_value
  json_array json_object json_arrayagg json_objectagg json_depth json_overlaps json_pretty json_quote
  now sysdate curdate curtime utc_date utc_time utc_timestamp localtime localtimestamp date time timestamp date_format time_format
  str_to_date date_add date_sub adddate subdate addtime subtime datediff timediff timestampdiff timestampadd year month monthname
  day dayname dayofmonth dayofweek dayofyear hour minute second microsecond quarter week weekday weekofyear yearweek last_day
  makedate maketime period_add period_diff extract from_days to_days from_unixtime unix_timestamp sec_to_time time_to_sec convert_tz
  regexp_like regexp_replace regexp_substr regexp_instr
`)

const SQLITE = wordSet(`
  ifnull iif if total group_concat string_agg instr printf format char unicode hex quote typeof likely unlikely trunc log2
  concat concat_ws glob like octet_length sign median percentile percentile_cont percentile_disc stddev variance
  date time datetime julianday unixepoch strftime timediff random
  json json_array json_array_length json_extract json_object json_quote json_type json_valid json_group_array json_group_object
  json_each json_tree jsonb_extract acosh asinh atanh cosh sinh tanh soundex
`)

/** Functions a query may call, in the dialect's own names, all lower case. They read their arguments and nothing else. */
export const FUNCTIONS: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  postgres: new Set([...COMMON, ...POSTGRES]),
  mysql: new Set([...COMMON, ...MYSQL]),
  sqlite: new Set([...COMMON, ...SQLITE]),
}
