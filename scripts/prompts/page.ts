import { PROMPTS, type AnyPrompt } from '../../src/app/prompts.ts'
import { dataRule, placeholderNames } from '../../src/domain/prompt.ts'
import { outputJsonSchema } from '../../src/models/json-schema.ts'
import { DEFAULT_OUTPUT_TOKENS, estimateTokens } from '../../src/models/tokens.ts'

const INTRODUCTION = `# Prompts

All that Tutti says to a model, made by \`npm run prompts\` from the declarations of the prompts.

A request is put together from what stays the same to what is new, so that providers can keep its beginning: the wording; the rule
on data; the operator's \`systemPrompt\`; the form of the answer, where the provider takes no schema; what is known of the user and
the conversation; what stays the same from question to question, such as a schema; the findings; the question. Anthropic is told
by marks what to keep; others find it by themselves. What was read from such a cache and written to it stands in usage, cost and
trace.

## Words of your own

Name a folder in the configuration, relative to it:

\`\`\`yaml
prompts: prompts
\`\`\`

A file in it named after a prompt, such as \`sql.generate.md\`, takes the place of that prompt's wording. \`{{wording}}\` in it stands
for Tutti's own, for those who only want to add something:

\`\`\`text
{{wording}}
- Amounts are in euros unless the question says otherwise.
\`\`\`

Other places, such as \`{{localeRule}}\`, are filled in by Tutti; a wording needs those that the one below has, and may have no
others. A file that is named after no prompt is refused, with the names that there are. Only the wording can be changed: the rule on
data, the quoting of what others wrote, the form of the answer and all checks of it stay as they are. The trace of a run names the file and a digest of it
with each answer to it.

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
  const places = placeholderNames(wording).map((place) => `\`{{${place}}}\``)
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
