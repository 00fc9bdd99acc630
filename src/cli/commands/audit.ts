import type { JsonOption, Program } from '../command.ts'
import { printJson } from '../failure.ts'
import { parseWholeNumber } from '../option-values.ts'
import { minuteOf, printList } from '../render/table.ts'
import { jsonOption } from '../shared-options.ts'

/** The command that shows what admins have changed. */
export function addAudit({ root, cli, withApp }: Program): void {
  root
    .command('audit')
    .description('list changes made by admins, newest first')
    .option('--limit <n>', 'how many', parseWholeNumber, 50)
    .addOption(jsonOption())
    .action(
      withApp(async ({ people }, { limit, json }: JsonOption & { readonly limit: number }) => {
        const entries = await people.audit(limit)
        if (json === true)
          return printJson(cli, { audit: entries.map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() })) })
        if (entries.length === 0) return cli.err.line('Nothing has been changed yet.')
        const persons = new Map((await people.accounts.list()).map(({ userId, username }) => [userId, username]))
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
      }),
    )
}
