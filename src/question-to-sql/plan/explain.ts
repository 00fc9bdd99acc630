import { isDate, withoutOwner } from '../../terms/catalogue.ts'
import type { AttributeMatch } from '../../terms/names.ts'
import type { Bound, Comparison, Condition, Measure } from '../reading.ts'
import { listed } from '../refusal.ts'
import { saidUnit } from '../../terms/units.ts'
import { isParticiple } from '../../terms/words.ts'

const COMPARISON_WORDS: Readonly<Record<Comparison, string>> = {
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
  '=': 'exactly',
  '<>': 'other than',
}

/** The conditions as the end of a sentence: ` for “Brazil”, in 2023`. Empty without conditions. */
export function describeConditions(conditions: readonly Condition[]): string {
  const parts = conditions.map(describe).filter(Boolean)
  return parts.length === 0 ? '' : `, ${listed(parts, 'and')}`
}

/** `active customers`, `customers`; said of a figure, the adjective stands before its noun (`ofThings`). */
function described(adjective: string, match: AttributeMatch): string {
  return `for ${adjective} ${match.candidates[0]?.attribute.entity.nouns}`
}

/** What a column that says yes or no, or when, says of a row: `active`, `discontinued`. */
function adjectiveOf({ candidates, text }: AttributeMatch, value: boolean): string {
  const [first] = candidates
  const name =
    first === undefined
      ? text
      : withoutOwner(first.attribute)
          .join(' ')
          .replace(/^is | (?:on|at)$/g, '')
  return value ? name : /^(in|un|non)$/.test(text.slice(0, -name.length)) && text.endsWith(name) ? text : `not ${name}`
}

/** A noun with what holds of it: `number of active customers in 2025`. */
export function ofThings(title: string, nouns: string, where: string): string {
  const start = where.indexOf(` ${nouns}`)
  const isFirst =
    where.startsWith(' for ') && start > 0 && title.endsWith(nouns) && !where.slice(0, start).includes('“')
  if (!isFirst) return `${title}${where}`
  const rest = where.slice(start + nouns.length + 1).replace(/^(?:,| and)(?= )/, '')
  return `${title.slice(0, -nouns.length)}${where.slice(5, start)} ${nouns}${rest}`
}

/** A date in the past participle, `discontinued_on`, is filled in once that has happened. */
function isDone({ candidates: [first] }: AttributeMatch): boolean {
  return first !== undefined && isDate(first.attribute) && isParticiple(first.attribute.words[0] ?? '')
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
      return [
        condition.attribute === undefined ? condition.verb : `with ${condition.attribute.text}`,
        condition.range.text,
      ]
        .filter(Boolean)
        .join(' ')
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
      return `${condition.negated ? 'without' : 'with'} ${what}${describeConditions(condition.conditions).replace(/^,/, '')}`
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
      return other === '' ? `named as ${role}` : `who are ${role} of ${other}`
    }
  }
}
