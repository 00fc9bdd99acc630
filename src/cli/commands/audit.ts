import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { parseWholeNumber } from '../option-values.ts'
import { minuteOf, printList } from '../render/table.ts'
import { jsonOption } from '../shared-options.ts'

interface AuditOptions {
  readonly limit: number
  readonly json?: boolean
}

/** The command that shows what admins have changed. */
export function addAudit({ root, cli, run }: Program): void {
  root
    .command('audit')
    .description('list what admins have changed, the latest first')
    .option('--limit <n>', 'how many', parseWholeNumber, 50)
    .addOption(jsonOption())
    .action(run((options: AuditOptions) => audit(cli, options)))
}

async function audit(cli: Cli, { limit, json }: AuditOptions): Promise<void> {
  return withApp(cli, {}, async ({ people }) => {
    const entries = await people.audit(limit)
    const persons = new Map((await people.accounts.list()).map(({ userId, username }) => [userId, username]))
    if (json === true)
      return printJson(cli, { audit: entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })) })
    if (entries.length === 0) return cli.err.line('Nothing has been changed yet.')
    const rows = entries.map(({ at, changedBy, action, target, detail }) => ({
      when: minuteOf(at),
      who: persons.get(changedBy) ?? changedBy,
      what: action,
      whom: persons.get(target) ?? target,
      detail: Object.entries(detail)
        .map(([name, value]) => `${name} ${String(persons.get(String(value)) ?? value)}`)
        .join(', '),
    }))
    printList(cli.out, ['when', 'who', 'what', 'whom', 'detail'], rows)
  })
}
