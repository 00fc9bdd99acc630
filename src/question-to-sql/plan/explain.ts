import { isDate } from '../../terms/catalogue.ts'
import type { AttributeMatch } from '../../terms/names.ts'
import type { Bound, Comparison, Condition, Measure } from '../reading.ts'
import { listed } from '../refusal.ts'
import { saidUnit } from '../../terms/units.ts'
import { adjectiveOf, isDone } from '../../terms/flags.ts'
import { tellsOf } from '../../terms/dates.ts'

const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '=': 'exactly',
  '<>': 'other than',
}

/** The conditions as the end of a sentence: ` for “Brazil” in 2023`. Empty without conditions. */
export function describeConditions(conditions: readonly Condition[]): string {
  // A table on the way to a condition is told by that.
  const isOnWay = (c: Condition): boolean => c.kind === 'has' && !c.negated && c.conditions.length === 0
  const said = conditions.filter((c) => !isOnWay(c) || !conditions.some((o) => !isOnWay(o) && isOf(o, c)))
  const partsOf = (isTime: boolean): string[] => said.filter((c) => (c.kind === 'date') === isTime).map(describe)
  const parts = [partsOf(false), partsOf(true)].map((some) => listed(some.filter(Boolean), 'and'))
  return parts.join('') === '' ? '' : `, ${parts.filter(Boolean).join(' ')}`
}

function isOf(condition: Condition, clause: Condition): boolean {
  const own = 'attribute' in condition ? condition.attribute?.candidates[0]?.attribute.entity : undefined
  return 'entity' in clause && [own, condition.anchor].some((e) => e === clause.entity)
}

/** `active customers`, `vessels not in service`; said of a figure, it stands with its noun (`ofThings`). */
function described(adjective: string, match: AttributeMatch): string {
  const nouns = match.candidates[0]?.attribute.entity.nouns
  return adjective.includes(' ') ? `for ${nouns} ${adjective}` : `for ${adjective} ${nouns}`
}

/** A noun with what holds of it: `number of active customers in 2025`, `number of vessels not in service`. */
export function ofThings(title: string, nouns: string, where: string): string {
  const start = where.indexOf(` ${nouns}`)
  const adjective = where.slice(' for '.length, Math.max(start, 0))
  const isFirst = where.startsWith(' for ') && start > 0 && title.endsWith(nouns) && !/“|,| /.test(adjective)
  if (!isFirst) return `${title}${where}`
  const rest = where.slice(start + nouns.length + 1).replace(/^(?:,| and)(?= )/, '')
  return `${title.slice(0, -nouns.length)}${adjective === '' ? '' : `${adjective} `}${nouns}${rest}`
}

function boundOf({ op, amount, upTo, unit }: Bound): string {
  const said = unit === undefined ? '' : ` ${saidUnit(unit)}`
  return `${COMPARISON_WORDS[op]} ${amount}${upTo === undefined ? '' : ` and at most ${upTo}`}${said}`
}

function nameOfFigure(measure: Exclude<Measure, { kind: 'count' | 'units' }>): string {
  if (measure.kind === 'money') return measure.word
  if (measure.kind === 'average' || measure.kind === 'days') return 'the average'
  return measure.kind === 'metric' ? measure.name : measure.match.text
}

function describe(condition: Condition): string {
  switch (condition.kind) {
    case 'value':
      return `${condition.negated ? 'except' : 'for'} “${condition.text}”`
    case 'person':
      return `for “${condition.first.value} ${condition.last.value}”`
    case 'compare':
      return `with ${condition.attribute.text} ${boundOf(condition.bound)}`
    case 'columns': {
      const [left, right] = [condition.left, condition.right].map((a) => a.words.join(' '))
      const isTime = isDate(condition.left)
      return `with ${left} ${isTime ? (condition.op === '>' ? 'after' : 'not after') : COMPARISON_WORDS[condition.op]} ${right}`
    }
    case 'date':
      return `${condition.attribute === undefined ? (condition.verb ?? '') : `with ${condition.attribute.text}`} ${condition.range.text.replace(/^the (?=last|past|next)/, 'in the ')}`.trim()
    case 'missing':
      return isDone(condition.attribute)
        ? described(adjectiveOf(condition.attribute, condition.negated), condition.attribute)
        : `${condition.negated ? 'with' : 'without'} ${condition.attribute.text}`
    case 'flag':
      return described(adjectiveOf(condition.attribute, condition.value), condition.attribute)
    case 'like':
      return `with “${condition.text}” at the ${condition.place === 'anywhere' ? 'start, middle or end' : condition.place}`
    case 'has': {
      const role = condition.via?.from === condition.via?.to ? condition.via?.role.join(' ') : undefined
      if (role !== undefined && condition.conditions.length === 0)
        return /^reports? to$/.test(role) ? 'who report to nobody' : `${condition.negated ? 'without' : 'with'} ${role}`
      const what = condition.entity === 'sale' ? 'sales' : condition.entity.nouns
      // “Returns returned last quarter”: the noun tells it.
      const told = condition.conditions.map((c) =>
        c.kind === 'date' && tellsOf(what.split(' ').at(-1) ?? '', c.verb ?? '') ? { ...c, verb: '' } : c,
      )
      return `${condition.negated ? 'without' : 'with'} ${what}${describeConditions(told).replace(/^,/, '')}`
    }
    case 'metric': {
      const { measure } = condition
      const amount = boundOf(condition.bound)
      const inner = describeConditions(condition.conditions).replace(/^,/, '')
      if (measure.kind === 'count')
        return `with ${amount} ${condition.bound.amount === 1 ? measure.entity.noun : measure.entity.nouns}${inner}`
      if (measure.kind === 'units') return `with ${amount} units${inner}`
      return `with ${nameOfFigure(measure)} ${amount}${inner}`
    }
    case 'linked': {
      const other = condition.conditions.map(describe).join(' ').replace(/^for /, '')
      const role = condition.edge.role.join(' ')
      if (condition.role === 'child')
        return `${role.replace(/^reports? to$/, 'who report to').replace(/^(?!.* (?:to|by)$)/, 'with ')} ${other}`
      if (/^reports? to$/.test(role)) return `whom ${other} reports to`
      return `named as ${role}${other === '' ? '' : ` of ${other}`}`
    }
  }
}
