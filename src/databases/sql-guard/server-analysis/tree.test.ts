import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../../../test/support/length.ts'
import { judgeTree } from './parse-tree.ts'
import type { AllowedObjects } from './judge.ts'
import { isNode, readParseTree, UnreadableTree, type ParseNode, type ParseValue } from './tree.ts'

/** `outToken` of `outfuncs.c`: the escaping of names. */
function escaped(name: string): string {
  if (name === '') return '<>'
  const start = /^(?:[<"0-9]|[+-][0-9.])/.test(name) ? '\\' : ''
  return start + name.replace(/[ \n\t(){}\\]/g, (character) => `\\${character}`)
}

/** `format_node_dump` of `print.c`. */
function wrapped(dump: string): string {
  const bytes = Buffer.from(dump)
  const lines: Buffer[] = []
  let at = 0
  for (;;) {
    const line = bytes.subarray(at, at + 78)
    at += line.length
    if (at >= bytes.length) return Buffer.concat([...lines, line]).toString()
    let length = line.length
    if (bytes[at] === 0x20) at += 1
    else {
      const space = line.lastIndexOf(' ')
      if (space > 0) {
        at -= length - space - 1
        length = space
      }
    }
    lines.push(line.subarray(0, length), Buffer.from('\n'))
  }
}

function printed(value: ParseValue): string {
  if (typeof value === 'string') return value
  if (!isNode(value)) return `(${value.map(printed).join(' ')})`
  return `{${value.tag}${[...value.fields].map(([name, field]) => ` :${name} ${printed(field)}`).join('')}}`
}

const NASTY = [
  ' ',
  '\n',
  '\t',
  '\r',
  '\f',
  '\u00a0',
  '\u2028',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '"',
  '<',
  '>',
  ':',
  'ü',
  '😀',
]
const FORGED = [
  ':funcid',
  '{FUNCEXPR :funcid 1}',
  '} :funcid 2 {CONST',
  '<>',
  ':relid 1259',
  '\\',
  '\n:opno 5 ',
  ')',
  'x'.repeat(40),
]

const name = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...NASTY), fc.constantFrom(...FORGED), fc.constantFrom('a', 'b', '7')), {
      maxLength,
    })
    .map((parts) => parts.join(''))

/** Trees with all kinds of names at all places where the server writes names. */
const treeOf = (names: fc.Arbitrary<string>): fc.Arbitrary<ParseNode> =>
  fc.letrec<{ node: ParseNode; value: ParseValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      fc.constantFrom('0', 'true', '<>', '-1'),
      names.map(escaped),
      names.map((text) => `"${text === '' ? '' : escaped(text)}"`),
      fc.array(tie('value'), { maxLength: 4 }),
      tie('node'),
    ),
    node: fc
      .tuple(
        fc.constantFrom('QUERY', 'FUNCEXPR', 'ALIAS'),
        fc.uniqueArray(fc.tuple(fc.constantFrom('funcid', 'args', 'resname', 'colnames'), tie('value')), {
          selector: ([field]) => field,
        }),
      )
      .map(([tag, fields]) => ({ tag, fields: new Map(fields) })),
  })).node

const read = (dump: string): ParseNode | 'unreadable' => {
  try {
    return readParseTree(dump, 'UTF8')
  } catch (error) {
    if (error instanceof UnreadableTree) return 'unreadable'
    throw error
  }
}

describe('the reader of parse trees', () => {
  // A line break in a name comes out as a space: the server's own line breaks look the same, and no name is used.
  it('reads the server’s tree or fails; it never misreads it', () => {
    let unreadable = 0
    let runs = 0
    fc.assert(
      fc.property(treeOf(name(6)), (tree) => {
        runs += 1
        const outcome = read(wrapped(printed(tree)))
        if (outcome === 'unreadable') unreadable += 1
        return outcome === 'unreadable' || printed(outcome) === printed(tree).replaceAll('\\\n', '\\ ')
      }),
      { numRuns: times(20_000), seed: 8 },
    )
    expect(unreadable).toBeGreaterThan(10)
    expect(unreadable).toBeLessThan(runs / 4)
  })

  it('reads every tree whose names are not very long', () => {
    const short = fc.array(fc.constantFrom(...NASTY.filter((one) => one !== '\n'), 'a', 'b'), { maxLength: 9 })
    fc.assert(
      fc.property(treeOf(short.map((parts) => parts.join(''))), (tree) => {
        const outcome = read(wrapped(printed(tree)))
        expect(outcome === 'unreadable' ? outcome : printed(outcome)).toBe(printed(tree))
      }),
      { numRuns: times(5_000), seed: 8 },
    )
  })

  it('refuses truncated trees, and text after a tree', () => {
    const whole =
      '{QUERY :commandType 1 :args ({CONST :consttype 23 :constvalue 4 [ 1 -1 0 0 ]} {ALIAS :aliasname a\\ b})}'
    expect(read(whole)).not.toBe('unreadable')
    for (let end = 0; end < whole.length; end += 1) expect(read(whole.slice(0, end))).toBe('unreadable')
    for (const more of [' {QUERY}', ' x', ')', '}']) expect(read(whole + more)).toBe('unreadable')
  })

  it.each([
    '{QUERY :a 1 :a 2}',
    '{QUERY a 1}',
    '{QUERY :a}',
    '{QUERY :a 1 2}',
    '{CONST :constvalue 4 1 2 ]}',
    '{CONST :constvalue 4 [ x ]}',
    '(1 2)',
    'x',
    `{A :b ${'('.repeat(5_000)}${')'.repeat(5_000)}}`,
  ])('refuses %.60s', (dump) => {
    expect(read(dump)).toBe('unreadable')
  })
})

describe('the judgement of a tree', () => {
  const only = (...ids: string[]): ReadonlyMap<string, string> => new Map(ids.map((id) => [id, id]))
  const allowed: AllowedObjects = {
    function: only('1'),
    operator: only('2'),
    operatorFunction: only('3'),
    frame: only('4'),
    relation: only('6'),
    type: only('7'),
    constant: only('8'),
  }
  const judge = (dump: string): unknown => judgeTree(dump, { allowed, encoding: 'UTF8' })

  it.each([
    ['{FUNCEXPR :funcid 1}', []],
    ['{FUNCEXPR :funcid 9}', [{ kind: 'function', id: '9' }]],
    ['{AGGREF :aggfnoid 9}', [{ kind: 'function', id: '9' }]],
    ['{WINDOWFUNC :winfnoid 9}', [{ kind: 'function', id: '9' }]],
    ['{OPEXPR :opno 2 :opfuncid 3}', []],
    ['{OPEXPR :opno 9 :opfuncid 3}', [{ kind: 'operator', id: '9' }]],
    ['{OPEXPR :opno 2 :opfuncid 1}', [{ kind: 'operatorFunction', id: '1' }]],
    ['{SORTGROUPCLAUSE :eqop 2 :sortop 0}', []],
    ['{SORTGROUPCLAUSE :eqop 2 :sortop 9}', [{ kind: 'operator', id: '9' }]],
    ['{ROWCOMPAREEXPR :opnos (o 2 9)}', [{ kind: 'operator', id: '9' }]],
    ['{WINDOWCLAUSE :startInRangeFunc 4 :endInRangeFunc 1}', [{ kind: 'frame', id: '1' }]],
    ['{RANGETBLENTRY :rtekind 0 :relid 9}', [{ kind: 'relation', id: '9' }]],
    ['{CONST :consttype 7}', [{ kind: 'constant', id: '7' }]],
    ['{COERCEVIAIO :resulttype 8}', [{ kind: 'type', id: '8' }]],
    ['{RANGETBLFUNCTION :funccoltypes (o 7 9)}', [{ kind: 'type', id: '9' }]],
    ['{FUNCEXPR :funcid 1 :args ({FUNCEXPR :funcid 9})}', [{ kind: 'function', id: '9' }]],
    ['{TARGETENTRY :resname :funcid :resno 1}', []],
  ])('%s', (dump, violations) => {
    expect(judge(dump)).toEqual(violations)
  })

  it.each([
    '{NEWKINDOFNODE :x 1}',
    '{QUERY :commandType 3}',
    '{QUERY :hasModifyingCTE true}',
    '{QUERY :rowMarks ({ROWMARKCLAUSE :rti 1})}',
    '{RANGETBLENTRY :rtekind 4}',
    '{PARAM :paramkind 0}',
    '{VAR :varattno -1}',
    '{SQLVALUEFUNCTION :op 10}',
    '{OPEXPR :newfuncid 1}',
    '{OPEXPR :opno (i 2)}',
    '{OPEXPR :opno x}',
    '{RANGETBLENTRY :otherRelid 1}',
    '{XMLEXPR}',
    '{COERCETODOMAIN :resulttype 7}',
    '{QUERY :x {QUERY :commandType 5}}',
  ])('%s is refused, whatever else is allowed', (dump) => {
    expect(() => judge(dump)).toThrow(expect.objectContaining({ code: 'QueryBlocked' }))
  })
})
