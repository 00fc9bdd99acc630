import { z } from 'zod'
import { TuttiError } from '../../domain/errors.ts'
import { BY_USER } from '../../domain/provenance.ts'
import type { Source } from '../../domain/result.ts'
import { defineTool, type ToolInfo, loopTool, type LoopTool } from '../../domain/tool.ts'
import { evaluateExpression } from './expression.ts'
import { exactDecimal, isWhole, NoAnswer, toNumber, type Rational } from './rational.ts'

const MAX_DIGITS = 15

/** The tool as planners and users see it. */
export const CALCULATE = {
  name: 'calculate',
  description: 'Evaluates arithmetic expressions exactly.',
  effect: 'read',
} as const satisfies ToolInfo

interface Calculated {
  readonly expression: string
  readonly value?: string
  readonly error?: string
}

const NO_EXPRESSION =
  'is no arithmetic expression. Write numbers as 1234.5, with + - * / ^ % sqrt() and parentheses; use run_python for all else'

export const calculate: LoopTool = loopTool(
  defineTool({
    ...CALCULATE,
    description: `${CALCULATE.description} Numbers as 1234.5, with + - * / ^ ( ), sqrt() and 15%.`,
    reach: 'inside',
    provenance: BY_USER,
    input: z.object({ expressions: z.array(z.string().min(1).max(500)).min(1).max(50) }),
    run: async ({ expressions }) => {
      const results = expressions.map(calculated)
      const lines = results.flatMap(({ expression, value }) => (value === undefined ? [] : [`${expression} ${value}`]))
      const errors = results.flatMap(({ expression, error }) => (error === undefined ? [] : [`${expression} ${error}`]))
      if (lines.length === 0) throw new TuttiError('ToolError', errors.join('\n'))
      const source: Source = { kind: 'computation', name: 'Calculation', detail: lines.join('\n') }
      const text = [...lines, ...(errors.length === 0 ? [] : ['', 'Not calculated:', ...errors])].join('\n')
      return { results, text, sources: [source] }
    },
  }),
  { kind: 'computation', name: 'Calculation' },
)

function calculated(expression: string): Calculated {
  try {
    const value = evaluateExpression(expression)
    return value === undefined ? { expression, error: NO_EXPRESSION } : { expression, value: formatValue(value) }
  } catch (error) {
    if (error instanceof NoAnswer) return { expression, error: `has no result: ${error.message}` }
    throw error
  }
}

/** `= 26.25`, or `≈ 26.3157894736842` if there are more digits. */
function formatValue(value: Rational): string {
  const exact = exactDecimal(value)
  if (exact !== undefined && (isWhole(value) || exact.replace(/\D/g, '').length <= MAX_DIGITS)) return `= ${exact}`
  return `≈ ${Number(toNumber(value).toPrecision(MAX_DIGITS))}`
}
