// Soak test: starts sandboxes of both kinds.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createCliWorld } from './support.ts'
import { openForAll } from '../support/opened.ts'

const isIsolated = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)

describe.skipIf(!isIsolated)('tutti python run (needs the system call filter of Linux on x64 or arm64)', () => {
  const world = openForAll(() => createCliWorld())
  beforeAll(async () => {
    const files = {
      'sum.py': 'print("adding")\nresult = {"sum": sum(data["figures"])}\n',
      'table.py': 'result = [{"month": "May", "sales": 12.5}, {"month": "June", "sales": 7}]',
      'boom.py': 'x = 1\nraise ValueError("boom")\n',
      'torn.py': 'def f(:\n',
      'socket.py': 'import socket\nsocket.socket()\n',
      'secrets.py': 'import os\nprint(os.environ)\n',
      'passwd.py': 'print(open("/etc/passwd").read())\n',
      'loop.py': 'while True: pass\n',
      'image.py': 'open("../../a b.svg".split("/")[-1], "w").write("<svg/>")\n',
      'control.py': 'print("\\x1b[31mred\\x1b[0m")\n',
      'in.json': '{"figures": [1, 2, 3.5]}',
      'bad.json': '{bad',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(world.folder, name), text)
    await mkdir(join(world.folder, 'folder'))
  })

  const run = (...args: string[]) => world.run(['python', 'run', ...args])

  it('prints what the code printed, and its result', async () => {
    expect(await run('sum.py', '--input', 'in.json')).toMatchObject({ code: 0, out: 'adding\n{"sum":6.5}\n', err: '' })
    const table = await run('table.py')
    expect(table.out).toMatch(/^month +sales\n.*\nMay +12\.5\nJune +7\.0$/m)
  })

  it.each([
    ['that fails', 'boom.py', /line 2, in <module>\n.*\nValueError: boom\n$/],
    ['that is no Python', 'torn.py', /SyntaxError/],
  ])('shows the traceback of code %s', async (_name, file, traceback) => {
    const { code, out, err } = await run(file)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(traceback)
    const json = await run(file, '--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, error: { traceback: expect.stringContaining('line') } })
  })

  it.each([
    ['the network', ['socket.py'], /The code was stopped: line 1: import of "socket"/],
    ['the environment', ['secrets.py'], /The code was stopped: line 2: "os\.environ"/],
    ['the files of this machine', ['passwd.py'], /The code was stopped.*"\/etc\/passwd"/],
    ['all the time there is', ['loop.py', '--timeout', '1s'], /The code was stopped: it took longer than 1 second/],
  ])('stops code that wants %s, with a one-line error', async (_name, args, message) => {
    const { code, out, err } = await run(...args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  it('stores images and prints their paths', async () => {
    const { code, err } = await run('image.py')
    expect(code).toBe(0)
    const [, path] = /^Image a b\.svg: (.*a_b\.svg)$/m.exec(err) ?? []
    expect(await readFile(path!, 'utf8')).toBe('<svg/>')
  })

  it('keeps control codes from the terminal', async () => {
    expect((await run('control.py')).out).toBe('red\n')
  })
})
