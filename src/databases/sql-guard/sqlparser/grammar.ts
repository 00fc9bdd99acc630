import { wordSet } from '../../../shared/word-set.ts'

/**
 * The allowed part of sqlparser's tree, for MySQL and SQLite. A tree is JSON written by Rust's serde: a struct is an
 * object of fields, a variant of an enum is `"Variant"` or `{ Variant: content }`. Unlisted parts are rejected by name
 * unless they are empty, so a new release of the parser cannot introduce a gap.
 */

/**
 * `skip`: irrelevant to the SQL guard (positions, flags, words). `unit`: a variant without content. Otherwise a type
 * name, for one value or a list of any depth; a list of tuples is written `Name[]`.
 */
export type Shape = string

export type Type =
  | { readonly kind: 'struct'; readonly fields: Readonly<Record<string, Shape>> }
  | { readonly kind: 'enum'; readonly variants: Readonly<Record<string, Shape>> }
  | { readonly kind: 'tuple'; readonly places: readonly Shape[] }

const struct = (fields: Readonly<Record<string, Shape>>): Type => ({ kind: 'struct', fields })
const choice = (variants: Readonly<Record<string, Shape>>): Type => ({ kind: 'enum', variants })
const tuple = (...places: readonly Shape[]): Type => ({ kind: 'tuple', places })
/** Variants with these names and the given content; by default, the content has the type of the variant's name. */
const each = (names: string, shape?: Shape): Readonly<Record<string, Shape>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, shape ?? name]))
const units = (names: string): Type => choice(each(names, 'unit'))

/** Present on every struct parsed from text. */
export const POSITION_FIELDS: ReadonlySet<string> = wordSet(
  'span select_token with_token wildcard_token closing_paren_token opening_token closing_token case_token end_token',
)

const binary = struct({ left: 'Expr', op: 'BinaryOperator', right: 'Expr' })
const like = struct({ negated: 'skip', expr: 'Expr', pattern: 'Expr', escape_char: 'ValueWithSpan' })

export const TYPES: ReadonlyMap<string, Type> = new Map(
  Object.entries<Type>({
    // queries
    Query: struct({ with: 'With', body: 'SetExpr', order_by: 'OrderBy', limit_clause: 'LimitClause' }),
    With: struct({ recursive: 'skip', cte_tables: 'Cte' }),
    Cte: struct({ alias: 'TableAlias', query: 'Query', materialized: 'skip' }),
    SetExpr: choice({ Select: 'Select', Query: 'Query', SetOperation: 'SetOperation', Values: 'Values' }),
    SetOperation: struct({ left: 'SetExpr', op: 'SetOperator', set_quantifier: 'SetQuantifier', right: 'SetExpr' }),
    SetOperator: units('Union Except Intersect'),
    SetQuantifier: units('All Distinct None'),
    Values: struct({ explicit_row: 'skip', value_keyword: 'skip', rows: 'Row' }),
    Row: struct({ content: 'Expr' }),
    Select: struct({
      distinct: 'Distinct',
      select_modifiers: 'SelectModifiers',
      projection: 'SelectItem',
      from: 'TableWithJoins',
      selection: 'Expr',
      group_by: 'GroupByExpr',
      having: 'Expr',
      named_window: 'NamedWindow[]',
      window_before_qualify: 'skip',
      flavor: 'SelectFlavor',
    }),
    SelectModifiers: struct({ straight_join: 'skip' }),
    SelectFlavor: units('Standard'),
    Distinct: units('All Distinct'),
    SelectItem: choice({
      UnnamedExpr: 'Expr',
      ExprWithAlias: 'ExprWithAlias',
      QualifiedWildcard: 'TableWildcard',
      Wildcard: 'WildcardOptions',
    }),
    ExprWithAlias: struct({ expr: 'Expr', alias: 'Ident' }),
    TableWildcard: tuple('QualifiedWildcard', 'WildcardOptions'),
    QualifiedWildcard: choice({ ObjectName: 'ObjectNamePart' }),
    WildcardOptions: struct({}),
    GroupByExpr: choice({ Expressions: 'GroupByExpressions' }),
    GroupByExpressions: tuple('Expr', 'GroupByWithModifier'),
    GroupByWithModifier: units('Rollup'),
    OrderBy: struct({ kind: 'OrderByKind' }),
    OrderByKind: choice({ Expressions: 'OrderByExpr' }),
    OrderByExpr: struct({ expr: 'Expr', options: 'OrderByOptions' }),
    OrderByOptions: struct({ asc: 'skip', sort: 'OrderBySort', nulls_first: 'skip' }),
    OrderBySort: units('Asc Desc'),
    LimitClause: choice({ LimitOffset: 'LimitOffset', OffsetCommaLimit: 'OffsetCommaLimit' }),
    LimitOffset: struct({ limit: 'Expr', offset: 'Offset' }),
    Offset: struct({ value: 'Expr', rows: 'skip' }),
    OffsetCommaLimit: struct({ offset: 'Expr', limit: 'Expr' }),

    // tables
    TableWithJoins: struct({ relation: 'TableFactor', joins: 'Join' }),
    Join: struct({ relation: 'TableFactor', join_operator: 'JoinOperator' }),
    JoinOperator: choice(
      each('Join Inner Left LeftOuter Right RightOuter FullOuter CrossJoin StraightJoin', 'JoinConstraint'),
    ),
    JoinConstraint: choice({ On: 'Expr', Using: 'ObjectNamePart', Natural: 'unit', None: 'unit' }),
    TableFactor: choice(each('Table Derived NestedJoin')),
    Table: struct({ name: 'ObjectNamePart', alias: 'TableAlias', args: 'TableFunctionArgs' }),
    TableFunctionArgs: struct({ args: 'FunctionArg' }),
    Derived: struct({ lateral: 'skip', subquery: 'Query', alias: 'TableAlias' }),
    NestedJoin: struct({ table_with_joins: 'TableWithJoins', alias: 'TableAlias' }),
    TableAlias: struct({ explicit: 'skip', name: 'Ident', columns: 'TableAliasColumnDef' }),
    TableAliasColumnDef: struct({ name: 'Ident' }),

    // names
    Ident: struct({ value: 'skip', quote_style: 'skip' }),
    ObjectNamePart: choice({ Identifier: 'Ident' }),

    // expressions
    Expr: choice({
      Identifier: 'Ident',
      CompoundIdentifier: 'Ident',
      Value: 'ValueWithSpan',
      IsDistinctFrom: 'TwoExpressions',
      IsNotDistinctFrom: 'TwoExpressions',
      Subquery: 'Query',
      Floor: 'Ceil',
      ...each('Nested Tuple IsNull IsNotNull IsTrue IsNotTrue IsFalse IsNotFalse IsUnknown IsNotUnknown', 'Expr'),
      ...each(
        'TypedString BinaryOp UnaryOp InList InSubquery Between Like RLike AnyOp AllOp Exists Case Cast ' +
          'Convert Collate Extract Interval Ceil Position Substring Trim Function',
      ),
    }),
    BinaryOp: binary,
    BinaryOperator: units(
      'Plus Minus Multiply Divide Modulo StringConcat Gt Lt GtEq LtEq Spaceship Eq NotEq And Or Xor BitwiseOr BitwiseAnd BitwiseXor ' +
        'PGBitwiseShiftLeft PGBitwiseShiftRight MyIntegerDivide Glob Arrow LongArrow Overlaps PGOverlap',
    ),
    UnaryOp: struct({ op: 'UnaryOperator', expr: 'Expr' }),
    UnaryOperator: units('Plus Minus Not BitwiseNot PGBitwiseNot BangNot'),
    TwoExpressions: tuple('Expr', 'Expr'),
    InList: struct({ expr: 'Expr', list: 'Expr', negated: 'skip' }),
    InSubquery: struct({ expr: 'Expr', subquery: 'Query', negated: 'skip' }),
    Between: struct({ expr: 'Expr', negated: 'skip', low: 'Expr', high: 'Expr' }),
    Like: like,
    RLike: struct({ negated: 'skip', expr: 'Expr', pattern: 'Expr', regexp: 'skip' }),
    AnyOp: struct({ left: 'Expr', compare_op: 'BinaryOperator', right: 'Expr', is_some: 'skip' }),
    AllOp: struct({ left: 'Expr', compare_op: 'BinaryOperator', right: 'Expr' }),
    Exists: struct({ subquery: 'Query', negated: 'skip' }),
    Case: struct({ operand: 'Expr', conditions: 'CaseWhen', else_result: 'Expr' }),
    CaseWhen: struct({ condition: 'Expr', result: 'Expr' }),
    Cast: struct({ kind: 'CastKind', expr: 'Expr', data_type: 'DataType' }),
    CastKind: units('Cast'),
    Convert: struct({
      expr: 'Expr',
      data_type: 'DataType',
      charset: 'ObjectNamePart',
      target_before_value: 'skip',
    }),
    Collate: struct({ expr: 'Expr', collation: 'ObjectNamePart' }),
    Extract: struct({ field: 'DateTimeField', syntax: 'ExtractSyntax', expr: 'Expr' }),
    ExtractSyntax: units('From'),
    DateTimeField: units(
      'Year Month Week Day Hour Minute Second Microsecond Quarter Years Months Weeks Days Hours Minutes Seconds',
    ),
    Interval: struct({ value: 'Expr', leading_field: 'DateTimeField', last_field: 'DateTimeField' }),
    Ceil: struct({ expr: 'Expr', field: 'CeilField' }),
    CeilField: choice({ DateTimeField: 'NoField', Scale: 'ValueWithSpan' }),
    NoField: units('NoDateTime'),
    Position: struct({ expr: 'Expr', in: 'Expr' }),
    Substring: struct({
      expr: 'Expr',
      substring_from: 'Expr',
      substring_for: 'Expr',
      special: 'skip',
      shorthand: 'skip',
    }),
    Trim: struct({ trim_where: 'skip', trim_what: 'Expr', expr: 'Expr', trim_characters: 'Expr' }),
    TypedString: struct({ data_type: 'DataType', value: 'ValueWithSpan' }),
    ValueWithSpan: struct({ value: 'Value' }),
    Value: choice({
      ...each('Number SingleQuotedString DoubleQuotedString HexStringLiteral Boolean', 'skip'),
      Null: 'unit',
    }),

    // functions
    Function: struct({
      name: 'ObjectNamePart',
      parameters: 'NoArguments',
      args: 'FunctionArguments',
      filter: 'Expr',
      null_treatment: 'skip',
      over: 'WindowType',
      within_group: 'OrderByExpr',
    }),
    NoArguments: units('None'),
    FunctionArguments: choice({ None: 'unit', List: 'FunctionArgumentList' }),
    FunctionArgumentList: struct({
      duplicate_treatment: 'Distinct',
      args: 'FunctionArg',
      clauses: 'FunctionArgumentClause',
    }),
    FunctionArg: choice({ Unnamed: 'FunctionArgExpr' }),
    FunctionArgExpr: choice({ Expr: 'Expr', Wildcard: 'unit' }),
    FunctionArgumentClause: choice({
      OrderBy: 'OrderByExpr',
      Separator: 'ValueWithSpan',
      Limit: 'Expr',
      IgnoreOrRespectNulls: 'skip',
      JsonReturningClause: 'JsonReturningClause',
    }),
    JsonReturningClause: struct({ data_type: 'DataType' }),
    WindowType: choice({ WindowSpec: 'WindowSpec', NamedWindow: 'Ident' }),
    NamedWindow: tuple('Ident', 'NamedWindowExpr'),
    NamedWindowExpr: choice({ NamedWindow: 'Ident', WindowSpec: 'WindowSpec' }),
    WindowSpec: struct({
      window_name: 'Ident',
      partition_by: 'Expr',
      order_by: 'OrderByExpr',
      window_frame: 'WindowFrame',
    }),
    WindowFrame: struct({ units: 'skip', start_bound: 'WindowFrameBound', end_bound: 'WindowFrameBound' }),
    WindowFrameBound: choice({ CurrentRow: 'unit', Preceding: 'Expr', Following: 'Expr' }),

    // types of casts; they contain only lengths and signs
    DataType: choice(
      each(
        'Char Varchar Text Nvarchar Character CharacterVarying Decimal Dec Numeric Float Double DoublePrecision Real Int Integer BigInt ' +
          'SmallInt TinyInt Signed SignedInteger Unsigned UnsignedInteger Boolean Bool Date Datetime Time Timestamp Binary Blob JSON',
        'skip',
      ),
    ),
  }),
)
