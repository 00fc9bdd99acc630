import { isDate, withoutOwner } from '../../terms/catalogue.ts'
import type { AttributeCandidate } from '../schema/names.ts'
import type { Comparison, Condition } from '../reading.ts'
import { listed } from '../refusal.ts'

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

function flagName(flag: AttributeCandidate | undefined): string {
  return flag === undefined
    ? ''
    : withoutOwner(flag.attribute)
        .filter((w) => w !== 'is')
        .join(' ')
}

function describe(condition: Condition): string {
  switch (condition.kind) {
    case 'value':
      return `${condition.negated ? 'except' : 'for'} “${condition.text}”`
    case 'person':
      return `for “${condition.first.value} ${condition.last.value}”`
    case 'compare': {
      const upTo = condition.upTo === undefined ? '' : ` and at most ${condition.upTo}`
      return `with ${condition.attribute.text} ${COMPARISON_WORDS[condition.op]} ${condition.amount}${upTo}`
    }
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
      return `${condition.negated ? 'with' : 'without'} ${condition.attribute.text}`
    case 'flag':
      return `${condition.value ? '' : 'not '}${flagName(condition.attribute.candidates[0])}`
    case 'like':
      return `with “${condition.text}” at the ${condition.place === 'anywhere' ? 'start, middle or end' : condition.place}`
    case 'has': {
      const what = condition.entity === 'sale' ? 'sales' : condition.entity.nouns
      return `${condition.negated ? 'without' : 'with'} ${what}${describeConditions(condition.conditions).replace(/^,/, '')}`
    }
    case 'metric': {
      const { measure } = condition
      const what =
        measure.kind === 'count'
          ? measure.entity.nouns
          : measure.kind === 'units'
            ? 'units'
            : measure.kind === 'money'
              ? 'revenue'
              : measure.kind === 'average'
                ? 'the average'
                : measure.kind === 'metric'
                  ? measure.name
                  : measure.match.text
      const upTo = condition.upTo === undefined ? '' : ` and at most ${condition.upTo}`
      return `with ${COMPARISON_WORDS[condition.op]} ${condition.amount}${upTo} ${what}${describeConditions(condition.conditions).replace(/^,/, '')}`
    }
    case 'linked': {
      const other = condition.conditions.map(describe).join(' ').replace(/^for /, '')
      const role = condition.edge.role.join(' ')
      if (condition.role === 'child')
        return `${role.replace(/^reports? to$/, 'who report to').replace(/^(?!.* (?:to|by)$)/, 'with ')} ${other}`
      return other === ''
        ? `named as ${condition.edge.role.join(' ')}`
        : `who are ${condition.edge.role.join(' ')} of ${other}`
    }
  }
}
