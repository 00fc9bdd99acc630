import { cutTogether } from '../../core/outside.ts'
import { MOST_FOUND } from '../../core/prompt-text.ts'
import { rarityOf, tokensOf } from '../../language/tokens.ts'
import { plainName } from '../tool-names.ts'
import type { BoundTool } from './tools.ts'

/** More would fill a prompt, and hide from a model the one that it needs. */
export const MOST_SHOWN = 24
const MOST_HITS = 8

/** Looks among the tools that are not shown; no call, since all of it is known. */
export const FIND_TOOLS = 'find_tools'

/** What a model is told of the tools: of all, or of those that the task speaks of and how to find the others. */
export function toolLines(tools: readonly BoundTool[], task: string): string[] {
  if (tools.length <= MOST_SHOWN) return linesOf(tools)
  const fitting = rankTools(tools, task).slice(0, MOST_SHOWN)
  const shown = [...fitting, ...tools.filter((tool) => !fitting.includes(tool))].slice(0, MOST_SHOWN)
  const search = `- ${FIND_TOOLS}: Finds some of the ${tools.length - shown.length} tools that are not listed here, by words of what they do.\n  input: {"type":"object","properties":{"words":{"type":"string"}},"required":["words"]}`
  return [...linesOf(shown), search]
}

/** What `FIND_TOOLS` comes back with. */
export function foundTools(tools: readonly BoundTool[], input: Readonly<Record<string, unknown>>): string {
  const found = rankTools(tools, String(input['words'] ?? '')).slice(0, MOST_HITS)
  return linesOf(found).join('\n') || 'No tool has any of these words; try others.'
}

/** In the room that there is for all of them: a long schema is told by how it begins. */
function linesOf(tools: readonly BoundTool[]): string[] {
  return cutTogether(tools.map(lineOf), MOST_FOUND)
}

function lineOf({ tool, inputSchema }: BoundTool): string {
  const approval = tool.effect === 'irreversible' ? ' A person must approve each call.' : ''
  return `- ${tool.name}: ${tool.description}${approval}\n  input: ${JSON.stringify(inputSchema)}`
}

/** The tools that share words with a text, best first; a word that few of them have says more, and one of the name most. */
function rankTools(tools: readonly BoundTool[], text: string): readonly BoundTool[] {
  const entries = tools.map((bound) => {
    const names = new Set(tokensOf(plainName(bound.tool.name)))
    return { bound, names, words: new Set([...names, ...tokensOf(bound.tool.description)]) }
  })
  const rarity = rarityOf(entries.map(({ words }) => words))
  const asked = [...new Set(tokensOf(text))]
  const scored = entries.map(({ bound, names, words }) => {
    const weightOf = (token: string): number => (names.has(token) ? 2 : words.has(token) ? 1 : 0) * rarity(token)
    return { bound, score: asked.reduce((sum, token) => sum + weightOf(token), 0) }
  })
  const ranked = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return ranked.map(({ bound }) => bound)
}
