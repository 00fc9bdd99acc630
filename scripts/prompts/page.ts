import { PROMPTS, type AnyPrompt } from '../../src/app/prompts.ts'
import { dataRule } from '../../src/domain/prompt.ts'
import { outputJsonSchema } from '../../src/models/json-schema.ts'
import { DEFAULT_OUTPUT_TOKENS, estimateTokens } from '../../src/models/tokens.ts'

const INTRODUCTION = `# Prompts

All that Tutti says to a model, made by \`npm run prompts\` from the declarations of the prompts.

A request is put together from what stays the same to what is new, so that providers can keep its beginning: the wording; the rule
on data; the operator's \`systemPrompt\`; the form of the answer, where the provider takes no schema; what is known of the user and
the conversation; what stays the same from question to question, such as a schema; the findings; the question. Anthropic is told
by marks what to keep; others find it by themselves. What was read from such a cache and written to it stands in usage, cost and
trace.

## All prompts

Sizes are tokens of wording, rule on data and form of the answer, without what is put in, by the estimate that budgets reserve by:
a token for three bytes of text, which is more than most models count. “Answer” is the most that a model may write.
`

/** docs/prompts.md. */
export function promptsPage(): string {
  const rows = PROMPTS.map(
    (prompt) =>
      `| [${prompt.name}](#${prompt.name.replace('.', '').toLowerCase()}) | ${prompt.about?.purpose ?? ''} | ${sizeOf(prompt)} | ${prompt.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS} |`,
  )
  const table = ['| prompt | purpose | size | answer |', '|---|---|--:|--:|', ...rows].join('\n')
  return `${[INTRODUCTION, `${table}\n`, ...PROMPTS.map(section)].join('\n')}`
}

function sizeOf({ wording = '', data = '', format, output }: AnyPrompt): number {
  const form = format === 'json' ? [JSON.stringify(outputJsonSchema(output))] : []
  return estimateTokens([[wording, data && dataRule(data), ...form].join('\n')])
}

function section({ name, about, wording = '', data }: AnyPrompt): string {
  const places = [...wording.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, place]) => `\`{{${place}}}\``)
  return [
    `### ${name}\n`,
    about?.purpose,
    `\n- When: ${about?.when}.`,
    `- If the model fails: ${about?.failure}.`,
    data === undefined ? undefined : `- Data, not instructions: ${data.replace(/,$/, '')}.`,
    places.length === 0 ? undefined : `- Places: ${places.join(', ')}.`,
    `\n\`\`\`text\n${wording}\n\`\`\`\n`,
  ]
    .filter((line) => line !== undefined)
    .join('\n')
}
