import { escapeHtml } from '../../core/escape-html.ts'

/** What the server says of itself. */
export interface ServerStatus {
  readonly version: string
  readonly storage: string
  /** `provider:model`; absent when answers are made without a model. */
  readonly model?: string
  readonly agents: readonly string[]
  /** Commands to try, ready to be copied. */
  readonly commands: readonly string[]
}

/** The page at `/`: plain HTML without scripts or anything from elsewhere. */
export function statusPage({ version, storage, model, agents, commands }: ServerStatus): string {
  const rows = [
    ['Version', version],
    ['Runs are kept in', storage],
    ['Model', model ?? 'none configured; answers are made by rules'],
    ['Agents', agents.join(', ')],
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tutti</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark }
th { text-align: left; padding-right: 2rem; vertical-align: top }
pre { overflow-x: auto; padding: 1rem; border: 1px solid; border-radius: .5rem }
</style>
</head>
<body>
<main>
<h1>Tutti</h1>
<p>A self-hosted multi-agent assistant. It plans, lets specialist agents work, and answers with its sources.</p>
<table>
${rows.map(([name, value]) => `<tr><th scope="row">${escapeHtml(name!)}</th><td>${escapeHtml(value!)}</td></tr>`).join('\n')}
</table>
<p>This version is used from the command line; the web app comes with a later one. Try:</p>
<pre><code>${escapeHtml(commands.join('\n'))}</code></pre>
<p><a href="/healthz">Health</a></p>
</main>
</body>
</html>
`
}
