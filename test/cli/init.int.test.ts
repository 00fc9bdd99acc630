import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startModelServer } from '../support/model-server.ts'
import { createCliWorld, filesUnder } from './support.ts'
import { openForAll } from '../support/opened.ts'

const world = openForAll(() => createCliWorld())

const written = (name: string): Promise<string> => readFile(join(world.folder, name), 'utf8')

describe('tutti init', { timeout: 180_000 }, () => {
  it('writes a commented configuration that works unchanged, and tests its sources', async () => {
    const { code, out, err } = await world.run(['init', '--db', 'store=sqlite:shop.sqlite'])
    expect([code, out]).toEqual([0, ''])
    expect(err).toContain('Wrote tutti.config.yaml.')
    expect(err).toContain('✓ store: sqlite, 2 tables')
    expect(err).toContain('Try: tutti ask "…"\n')
    const text = await written('tutti.config.yaml')
    expect(text).toContain('databases:\n  - url: sqlite:shop.sqlite\n    name: store\n')
    expect(text).toContain('# models:\n#   default:')
    const asked = await world.run(['ask', 'How many customers are there?'])
    expect(asked.out).toContain('The number of customers is 3.')
    // What is commented out is a configuration, too.
    await writeFile(join(world.folder, 'all.yaml'), text.replaceAll(/^# (?=\s*[\w-]+:|\s+- )/gm, ''))
    const env = { TUTTI_DB_PASSWORD: 'x', TUTTI_MAIL_PASSWORD: 'x', SHOP_TOKEN: 'x', OPENAI_API_KEY: 'x' }
    const all = await world.run(['db', 'check', 'SELECT 1', '--config', 'all.yaml'], { env })
    expect(all.err).not.toContain('is not valid')
  })

  it('overwrites nothing without permission, and leaves no partial file', async () => {
    const before = await written('tutti.config.yaml')
    const { code, err } = await world.run(['init'])
    expect(code).toBe(2)
    expect(err).toContain('Overwrite tutti.config.yaml?')
    expect(err).toContain('Add --yes to do it.')
    expect(await written('tutti.config.yaml')).toBe(before)
    expect((await world.run(['init', '--yes'])).code).toBe(0)
    expect(await written('tutti.config.yaml')).not.toBe(before)
    expect((await filesUnder(world.folder)).filter((name) => /\.tutti\.config/.test(name))).toEqual([])
    expect((await world.run(['init', 'config.json'])).code).toBe(2)
  })

  it('writes no password, and reports failures', async () => {
    const models = await startModelServer([])
    const env = { TUTTI_MODEL_URL: models.url }
    const named = [
      '--db',
      'postgres://ada:ge%20heim@127.0.0.1:1/shop',
      '--mail',
      'maildir:none',
      '--mail-from',
      'a@b.example',
    ]
    const { code, err } = await world.run(['init', 'new.yml', ...named, '--model', 'compatible:m'], { env })
    expect(code).toBe(3)
    expect(err).toMatch(/✗ Database shop: /)
    expect(err).toContain('Nothing was written. --yes writes it anyway')
    expect((await filesUnder(world.folder)).filter((name) => name.includes('new.yml'))).toEqual([])
    const sure = await world.run(['init', 'new.yml', ...named, '--model', 'compatible:m', '--yes'], { env })
    await models.close()
    expect(sure.code).toBe(3)
    expect(sure.err).toContain('Set the environment variable TUTTI_DB_PASSWORD')
    expect(err).toMatch(/✗ Model compatible:m: /)
    expect(err + (await written('new.yml'))).not.toContain('heim')
    expect(await written('new.yml')).toContain('url: "postgres://ada:${TUTTI_DB_PASSWORD}@127.0.0.1:1/shop"')
  })
})

describe('tutti doctor', { timeout: 180_000 }, () => {
  it('accepts the options of ask, and reports each refusal once', async () => {
    const args = [
      '--db',
      'postgres://ada:x@127.0.0.1:1/shop',
      '--docs',
      'none-*.pdf',
      '--prefer',
      'nobody',
      '--max-calls',
      '3',
    ]
    const { code, out } = await world.run([
      'doctor',
      ...args,
      '--locale',
      'en-GB',
      '--timeout',
      '5m',
      '--strategy',
      'graph',
    ])
    expect(code).toBe(3)
    expect(out).toContain('shop: does not work; see Problems')
    expect(out.split('127.0.0.1:1').length - 1).toBeLessThanOrEqual(2) // what would leave, and the problem
    expect(out).toContain('✗ No file named with --docs can be read: none-*.pdf.')
    expect(out).toMatch(/✗ .*nobody/)
  })
})

describe('tutti demo', { timeout: 180_000 }, () => {
  it('overwrites its own files, and asks before overwriting others', async () => {
    const place = join(world.folder, 'try')
    expect((await world.run(['demo', 'try'])).code).toBe(0)
    expect((await world.run(['demo', 'try'])).code).toBe(0)
    await writeFile(join(place, 'brindlemoor-mailbox', '.Drafts', 'cur', '1.mine.host:2,DS'), 'Subject: mine\n\n')
    const drafted = await world.run(['demo', 'try'])
    expect(drafted.code).toBe(2)
    expect(drafted.err).toContain('brindlemoor-mailbox')
    await writeFile(join(place, 'brindlemoor-freight.sqlite'), 'my freight')
    expect((await world.run(['demo', 'try'])).err).toContain(
      'Overwrite try/brindlemoor-mailbox, try/brindlemoor-freight.sqlite',
    )
    await writeFile(join(place, 'brindlemoor.sqlite'), 'my notes')
    const { code, err } = await world.run(['demo', 'try'])
    expect(code).toBe(2)
    expect(err).toContain('Overwrite try/brindlemoor.sqlite')
    expect(await readFile(join(place, 'brindlemoor.sqlite'), 'utf8')).toBe('my notes')
    expect((await world.run(['demo', 'try', '--yes'])).code).toBe(0)
    expect((await world.run(['demo', 'try'])).code).toBe(0)
  })
})
