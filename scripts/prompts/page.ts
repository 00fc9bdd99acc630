import { PROMPTS, type AnyPrompt } from '../../src/app/prompts.ts'
import { dataRule } from '../../src/domain/prompt.ts'
import { outputJsonSchema } from '../../src/models/json-schema.ts'
import { DEFAULT_OUTPUT_TOKENS, estimateTokens } from '../../src/models/tokens.ts'

const INTRODUCTION = `# Prompts

Every prompt that Tutti sends to a model. \`npm run prompts\` generates this page from the declarations of the prompts.

A request starts with the parts that rarely change, so that providers can cache its beginning: the wording; the rule on data; the
operator's \`systemPrompt\`; the form of the answer, if the provider takes no schema; the user's profile and conversation; stable
content, such as a schema; the findings; the question. For Anthropic, Tutti sets cache markers; other providers cache on their own.
Usage, cost and trace show what was read from the cache and written to it.

## All prompts

“Size” is the estimated number of tokens of wording, rule on data and form of the answer, without inserted values. The estimate is
the one of budgets: a token for three bytes of text, more than most models count. “Answer” is the limit of the model's output in tokens.
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
    data === undefined ? undefined : `- Treated as data, not as instructions: ${data.replace(/,$/, '')}.`,
    places.length === 0 ? undefined : `- Places: ${places.join(', ')}.`,
    `\n\`\`\`text\n${wording}\n\`\`\`\n`,
  ]
    .filter((line) => line !== undefined)
    .join('\n')
}
