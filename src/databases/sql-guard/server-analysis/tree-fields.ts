import { wordSet } from '../../../shared/word-set.ts'

/**
 * Allowed parts of the parse tree of a query, as named by PostgreSQL 15 to 18. Unknown nodes are rejected, so a new
 * release cannot introduce a gap.
 */
/** Kinds of nodes. Left out on purpose: XMLEXPR, TABLEFUNC, COERCETODOMAIN, CONVERTROWTYPEEXPR, NEXTVALUEEXPR, ROWMARKCLAUSE. */
export const TAGS = wordSet(`
  QUERY FROMEXPR JOINEXPR RANGETBLREF RANGETBLENTRY RTE RTEPERMISSIONINFO RANGETBLFUNCTION RTBLFUNCTION ALIAS TARGETENTRY
  SETOPERATIONSTMT SORTGROUPCLAUSE GROUPINGSET WINDOWCLAUSE COMMONTABLEEXPR
  VAR CONST PARAM FUNCEXPR NAMEDARGEXPR OPEXPR DISTINCTEXPR NULLIFEXPR SCALARARRAYOPEXPR BOOLEXPR NULLTEST BOOLEANTEST
  AGGREF WINDOWFUNC WINDOWFUNCRUNCONDITION GROUPINGFUNC SUBLINK SUBSCRIPTINGREF FIELDSELECT
  RELABELTYPE COERCEVIAIO ARRAYCOERCEEXPR COLLATEEXPR CASE CASEEXPR WHEN CASEWHEN CASETESTEXPR ARRAY ARRAYEXPR ROW ROWEXPR
  ROWCOMPARE ROWCOMPAREEXPR COALESCE COALESCEEXPR MINMAX MINMAXEXPR SQLVALUEFUNCTION
`)

/** The kind of an object ID in the tree, which selects the list to check it against. */
export type Kind = 'function' | 'operator' | 'operatorFunction' | 'frame' | 'relation' | 'type' | 'constant'

function kindsByField(kinds: Partial<Readonly<Record<Kind, string>>>): Record<string, Kind> {
  const lists = Object.entries(kinds) as [Kind, string][]
  return Object.fromEntries(lists.flatMap(([kind, fields]) => fields.split(' ').map((field) => [field, kind])))
}

/** Fields that reference an object used by the query; 0 means none. */
export const OBJECTS: Readonly<Record<string, Kind>> = kindsByField({
  function: 'funcid aggfnoid winfnoid',
  frame: 'startInRangeFunc endInRangeFunc',
  operatorFunction: 'opfuncid hashfuncid negfuncid',
  operator: 'opno opnos eqop sortop',
  relation: 'relid',
  constant: 'CONST.consttype',
  type: 'COERCEVIAIO.resulttype RELABELTYPE.resulttype ARRAYCOERCEEXPR.resulttype minmaxtype row_typeid refcontainertype funccoltypes',
})

/** Fields whose values are fixed in a query that only reads. */
export const FIXED: Readonly<Record<string, ReadonlySet<string>>> = {
  // SELECT
  commandType: wordSet('1'),
  utilityStmt: wordSet('<>'),
  hasModifyingCTE: wordSet('false'),
  hasForUpdate: wordSet('false'),
  rowMarks: wordSet('<>'),
  returningList: wordSet('<>'),
  mergeActionList: wordSet('<>'),
  // relation, subquery, join, function, VALUES, CTE, nothing, grouping
  rtekind: wordSet('0 1 2 3 5 6 8 9'),
  // a subquery's value; the other kinds are external and procedure parameters
  paramkind: wordSet('2'),
  // CURRENT_DATE … LOCALTIMESTAMP; the others reveal server details
  'SQLVALUEFUNCTION.op': wordSet('0 1 2 3 4 5 6 7 8'),
}

/** Fields that seem to reference a function but do not, or contain it as a node of its own. */
export const HARMLESS = wordSet(`
  func functions funcexpr funcresulttype funcretset funcvariadic funcformat funccollid funcordinality
  funcparams funccolcount funccolnames funccoltypmods funccolcollations
  hasWindowFuncs op operName opresulttype opretset opcollid opfamilies boolop
`)

/** An unknown field with such a name is rejected: it may reference a function. */
export const SUSPICIOUS = /func|fn$|fnoid|proc|handler|relid|^op|op$|opno|opclass/i
