import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withOwnCommand, ownCommand, shellWord } from './own-command.ts'

let folder: string
let script: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-self-'))
  script = join(folder, 'package', 'dist', 'cli', 'main.js')
  await mkdir(join(folder, 'package', 'dist', 'cli'), { recursive: true })
  await writeFile(script, '')
  await chmod(script, 0o755)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function linked(...path: string[]): Promise<string> {
  const place = join(folder, ...path)
  await mkdir(place, { recursive: true })
  await symlink(script, join(place, 'tutti'))
  return place
}

describe('the command that starts Tutti again', () => {
  it('is "tutti" when the shell finds this installation', async () => {
    const PATH = `/nowhere:${await linked('bin')}`
    expect(ownCommand({ script, env: { PATH }, cwd: folder })).toBe('tutti')
    expect(ownCommand({ script: join(folder, 'bin', 'tutti'), env: { PATH, npm_command: 'exec' }, cwd: '/' })).toBe(
      'tutti',
    )
    await rm(join(folder, 'bin', 'tutti'))
    await writeFile(join(folder, 'bin', 'tutti'), '') // another program of that name
    expect(ownCommand({ script, env: { PATH }, cwd: folder })).not.toBe('tutti')
  })

  it('is "npx tutti" when npm started it, or would find it', async () => {
    const PATH = await linked('app', 'node_modules', '.bin')
    expect(ownCommand({ script, env: { PATH, npm_command: 'exec' }, cwd: '/' })).toBe('npx tutti')
    expect(ownCommand({ script, env: {}, cwd: join(folder, 'app', 'src') })).toBe('npx tutti')
    expect(ownCommand({ script, env: {}, cwd: join(folder, 'package') })).toBe('npx tutti') // a clone
  })

  it('is Node.js with the script elsewhere', () => {
    expect(ownCommand({ script, env: {}, cwd: folder })).toBe(`node ${script}`)
    expect(ownCommand({ script: '/a b/main.js', env: {}, cwd: '/' })).toBe("node '/a b/main.js'")
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`)
  })
})

describe('pasteable', () => {
  it('changes commands and nothing else', () => {
    const text = 'Try "tutti docs add", or with: tutti demo. The tutti of the opera, "tutti".'
    expect(withOwnCommand(text, 'npx tutti')).toBe(
      'Try "npx tutti docs add", or with: npx tutti demo. The tutti of the opera, "tutti".',
    )
    expect(withOwnCommand(text, 'tutti')).toBe(text)
  })
})
