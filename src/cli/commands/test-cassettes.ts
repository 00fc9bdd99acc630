import type { Replayed, ReplayOptions } from '../../app/cassette/replay.ts'
import { assertModels } from '../assert-options.ts'
import type { Cli } from '../cli.ts'
import type { Program } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { printJson } from '../failure.ts'
import { withApp } from '../open-app.ts'
import { sourceOptions, type SourceOptions } from '../option-values.ts'
import { safeLine } from '../render/text.ts'
import { argument, JSON_OPTION, MODEL_OPTION, SOURCE_OPTIONS } from '../shared-options.ts'
import { readInputFile } from '../text-files.ts'

interface TestOptions extends SourceOptions {
  readonly model?: Readonly<Record<string, string>>
  readonly json?: boolean
}

export function addTest({ root, cli, command }: Program): void {
  command(
    root,
    'test',
    'replay recorded runs without model and sources, and show what changed',
    ...SOURCE_OPTIONS,
    argument('<file...>', 'cassettes from "runs export"'),
    MODEL_OPTION,
    JSON_OPTION,
  ).run((files: string[], options: TestOptions) => testFiles(cli, files, options))
}

/** `tutti test`: with sources, instructions and tools of their agents are compared as well. */
async function testFiles(
  cli: Cli,
  files: readonly string[],
  { model, json, ...sources }: TestOptions,
): Promise<ExitCode> {
  const named = Object.values(sourceOptions(sources)).some((one) => one.length > 0)
  if (!named && model === undefined) return replayAll(cli, files, {}, json)
  return withApp(cli, { ...sourceOptions(sources), inMemory: true }, async (app) => {
    if (model !== undefined) assertModels(app, model)
    const agents = named ? (await app.team()).filter(({ unavailable }) => unavailable === undefined) : []
    const other = model === undefined ? {} : { other: { port: app.models, models: model } }
    return replayAll(cli, files, { agents, ...other }, json)
  })
}

async function replayAll(cli: Cli, files: readonly string[], options: ReplayOptions, json = false): Promise<ExitCode> {
  const [{ replay }, { parseCassette }] = await Promise.all([
    import('../../app/cassette/replay.ts'),
    import('../../evaluation/cassette/format.ts'),
  ])
  const done: (Replayed & { readonly file: string })[] = []
  for (const file of files) {
    const text = await readInputFile(cli, file)
    const replayed = { file, ...(await replay(parseCassette(text, file), options)) }
    done.push(replayed)
    if (!json) print(cli, replayed, options.other !== undefined)
  }
  if (json) printJson(cli, { version: 1, cassettes: done })
  return done.some(({ differences }) => differences.length > 0) ? EXIT.failed : EXIT.ok
}

function print(
  { out }: Cli,
  { file, turns, prompts, differences, answer }: Replayed & { readonly file: string },
  isOther: boolean,
): void {
  const { green, red } = out.style
  const compared = `${turns} turns, ${prompts} prompts compared`
  const verdict = differences.length === 0 ? green('equal') : red(`${differences.length} differences`)
  out.line(`${safeLine(file)}: ${verdict}, ${compared}`)
  for (const difference of differences)
    out.line(
      difference
        .split('\n')
        .map((line) => `  ${safeLine(line)}`)
        .join('\n'),
    )
  if (isOther) out.line(`  Answer: ${safeLine(answer)}`)
}
