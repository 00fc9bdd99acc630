import type { McpTool } from '../../mcp/tool-list.ts'
import { safeLine, escapeHidden } from './text.ts'

/** Lines of a description or schema that are shown; hidden ones are counted. */
const SHOWN_LINES = 60
/** Longer lines are shown in pieces, so that what changed far in one is seen. */
const PIECE = /.{1,200}/gsu

/** What a server says of a tool now, and said when it was accepted: lines that went, and lines that came, of its schema, too. @param self see `Cli` */
export function toolChange(before: McpTool, now: McpTool, self: string): string[] {
  const [old, own] = [linesOf(before), linesOf(now)]
  const lines = [
    ...old.filter((line) => !own.includes(line)).map((line) => `- ${line}`),
    ...own.filter((line) => !old.includes(line)).map((line) => `+ ${line}`),
  ]
  // The same lines in another order.
  const all = lines.length > 0 ? lines : own.map((line) => `+ ${line}`)
  const shown = all.slice(0, SHOWN_LINES).map((line) => safeLine(escapeHidden(line)))
  const left = all.length - shown.length
  return left === 0 ? shown : [...shown, `… ${left} more lines: "${self} mcp list --json" has all of them`]
}

function linesOf({ description, readOnly, inputSchema }: McpTool): string[] {
  const hint = readOnly ? 'says that it only reads' : 'does not say that it only reads'
  const lines = [...description.split('\n'), hint, ...JSON.stringify(inputSchema, null, 1).split('\n')]
  return lines.flatMap((line) => line.match(PIECE) ?? [])
}
