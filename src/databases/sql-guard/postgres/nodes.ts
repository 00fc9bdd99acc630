import { wordSet } from '../../../shared/word-set.ts'

/**
 * The PostgreSQL grammar that is let through, as libpg-query names it: for each kind of node, the fields it may have. A kind or a
 * field that is not here is refused, so a new release of PostgreSQL cannot open a door.
 */

/**
 * `plain`: a scalar or names, checked by a separate rule if needed. `node`: a node with its kind, or a list of nodes.
 */
export type Field = 'plain' | 'node' | { readonly kind: string }

type Fields = Readonly<Record<string, Field>>

function fields(nodes: string, plain = '', kinds: Readonly<Record<string, string>> = {}): Fields {
  const split = (names: string) => names.split(' ').filter((name) => name !== '')
  return Object.fromEntries<Field>([
    ...split(nodes).map((name) => [name, 'node'] as const),
    ...split(plain).map((name) => [name, 'plain'] as const),
    ...Object.entries(kinds).map(([name, kind]) => [name, { kind }] as const),
  ])
}

/** Positions in the text, on any node. */
export const POSITION_FIELD = /^(location|(\w+_)?(location|start|end))$/

export const NODES: ReadonlyMap<string, Fields> = new Map(
  Object.entries({
    // queries; `SelectStmt` and FROM items are walked separately because they open scopes
    SelectStmt: fields(
      'distinctClause targetList fromClause whereClause groupClause havingClause windowClause valuesLists sortClause limitOffset limitCount',
      'limitOption op all groupDistinct groupByAll',
      { withClause: 'WithClause', larg: 'SelectStmt', rarg: 'SelectStmt' },
    ),
    WithClause: fields('ctes', 'recursive'),
    CommonTableExpr: fields('ctequery', 'ctename aliascolnames ctematerialized cterecursive cterefcount'),
    RangeVar: fields('', 'catalogname schemaname relname inh relpersistence alias'),
    RangeSubselect: fields('subquery', 'lateral alias'),
    RangeFunction: fields('functions coldeflist', 'lateral ordinality alias'),
    JoinExpr: fields('larg rarg quals', 'jointype isNatural usingClause join_using_alias alias rtindex'),
    ColumnDef: fields('', 'colname is_local', { typeName: 'TypeName' }),
    List: fields('items'),

    // what a query gives, sorts and groups by
    ResTarget: fields('val', 'name'),
    SortBy: fields('node', 'sortby_dir sortby_nulls useOp'),
    GroupingSet: fields('content', 'kind'),
    GroupingFunc: fields('args refs', 'agglevelsup'),
    WindowDef: fields('partitionClause orderClause startOffset endOffset', 'name refname frameOptions'),

    // expressions
    ColumnRef: fields('', 'fields'),
    A_Star: fields(''),
    A_Const: fields('', 'ival fval sval bsval boolval isnull'),
    Integer: fields('', 'ival'),
    Float: fields('', 'fval'),
    String: fields('', 'sval'),
    Boolean: fields('', 'boolval'),
    A_Expr: fields('lexpr rexpr', 'kind name'),
    BoolExpr: fields('args', 'boolop'),
    NullTest: fields('arg', 'nulltesttype argisrow'),
    BooleanTest: fields('arg', 'booltesttype'),
    CaseExpr: fields('arg args defresult', ''),
    CaseWhen: fields('expr result', ''),
    CoalesceExpr: fields('args', ''),
    MinMaxExpr: fields('args', 'op'),
    SubLink: fields('testexpr subselect', 'subLinkType subLinkId operName'),
    RowExpr: fields('args', 'row_format'),
    A_ArrayExpr: fields('elements', ''),
    A_Indirection: fields('arg indirection', ''),
    A_Indices: fields('lidx uidx', 'is_slice'),
    CollateClause: fields('arg', 'collname'),
    TypeCast: fields('arg', '', { typeName: 'TypeName' }),
    TypeName: fields('typmods arrayBounds', 'names typemod'),
    NamedArgExpr: fields('arg', 'name argnumber'),
    SQLValueFunction: fields('', 'op typmod'),
    FuncCall: fields(
      'args agg_order agg_filter',
      'funcname agg_within_group agg_star agg_distinct func_variadic funcformat',
      { over: 'WindowDef' },
    ),
  }),
)

/** Operators that read their operands and nothing else. */
export const OPERATORS = wordSet(
  '= <> != < > <= >= + - * / % ^ |/ ||/ @ & | # ~ << >> || -> ->> #> #>> @> <@ ? ?| ?& @? @@ #- && -|- &< &> ~* !~ !~* ~~ ~~* !~~ !~~* ^@',
)

/**
 * Types a value may be cast to. Excluded are the object identifier types (`regclass`, `regproc`, …), which look up
 * names in the catalogs, `xml`, which reads documents, and types of the database itself, whose casts and domains can
 * run functions.
 */
export const TYPES = wordSet(
  'bool int2 int4 int8 float4 float8 numeric money text varchar bpchar char name bit varbit bytea uuid date time timetz timestamp timestamptz ' +
    'interval json jsonb jsonpath tsvector tsquery inet cidr macaddr point int4range int8range numrange daterange tsrange tstzrange',
)

/** `CURRENT_DATE` and its like; `CURRENT_USER` and its like tell about the server and stay out. */
export const VALUE_FUNCTIONS = wordSet(
  'SVFOP_CURRENT_DATE SVFOP_CURRENT_TIME SVFOP_CURRENT_TIME_N SVFOP_CURRENT_TIMESTAMP SVFOP_CURRENT_TIMESTAMP_N ' +
    'SVFOP_LOCALTIME SVFOP_LOCALTIME_N SVFOP_LOCALTIMESTAMP SVFOP_LOCALTIMESTAMP_N',
)

export const SYSTEM_COLUMNS = wordSet('tableoid xmin cmin xmax cmax ctid')
