import { spawn, spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Service as ServiceObject } from 'kubernetes-models/v1'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createApp } from '../src/app/create-app.ts'
import { signInLocally } from '../src/server/access.ts'
import { workerResources } from '../src/server/resources.ts'
import { startServer } from '../src/server/server.ts'
import { createCliWorld, type CliWorld } from './cli/support.ts'

const FOLDER = join(import.meta.dirname, '..', 'deploy')
const read = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8')

interface Container {
  readonly args: readonly string[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly readinessProbe: { readonly httpGet: { readonly path: string; readonly port: string } }
  readonly livenessProbe: { readonly tcpSocket: { readonly port: string } }
}

interface Spec {
  readonly template?: { readonly spec: { readonly containers: readonly Container[] } }
  readonly ports?: readonly { readonly targetPort: string }[]
}

const specs = async (): Promise<Spec[]> =>
  parseAllDocuments(await read('kubernetes.yaml')).map((one) => (one.toJS() as { spec: Spec }).spec)
const containersOf = async () => (await specs()).flatMap(({ template }) => template?.spec.containers ?? [])

interface ComposeService {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly depends_on?: object
  readonly volumes?: readonly string[]
}
const compose = async () =>
  parse(await read('docker-compose.yml'), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>
    readonly volumes: object
  }

let world: CliWorld
beforeAll(async () => void (world = await createCliWorld()))
afterAll(() => world.close())

/** Checks the files of deploy/ with the tools of each format. */
describe('deploy/', () => {
  it('has a Dockerfile without a fault', async () => {
    expect(validate(await read('Dockerfile'))).toEqual([])
  })

  it('has Kubernetes objects that fit their schemas', async () => {
    const objects = parseAllDocuments(await read('kubernetes.yaml')).map((one) => one.toJS() as { kind: string })
    expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Deployment', 'Service'])
    for (const one of objects) {
      const made = one.kind === 'Service' ? new ServiceObject(one as never) : new Deployment(one as never)
      expect(made.validate()).toBeUndefined()
    }
  })

  it('starts processes with existing options', async () => {
    const { services, volumes } = await compose()
    const commands = [
      ...Object.values(services).flatMap(({ command }) => (command ? [command] : [])),
      ...(await containersOf()).map(({ args }) => args),
    ]
    expect(commands).toHaveLength(4)
    for (const [name, ...options] of commands) {
      expect(name).toBe('serve')
      expect(['api', 'worker']).toContain(options[options.indexOf('--role') + 1])
      expect(options.filter((one) => one.startsWith('--') && !['--role', '--host'].includes(one))).toEqual([])
    }
    expect(services['api']!.depends_on).toEqual({ postgres: { condition: 'service_healthy' } })
    const named = Object.values(services)
      .flatMap((one) => one.volumes ?? [])
      .filter((one) => !one.startsWith('.'))
    expect(named.map((one) => one.split(':')[0]).sort()).toEqual(Object.keys(volumes).sort())
  })

  it('names only variables that are read', async () => {
    const { services } = await compose()
    const page = await readFile(join(FOLDER, '..', 'docs', 'deployment.md'), 'utf8')
    const [dockerfile, unit, kubernetes] = await Promise.all(
      ['Dockerfile', 'tutti.service', 'kubernetes.yaml'].map(read),
    )
    const named = [
      ...Object.values(services).flatMap(({ command, environment = {} }) => (command ? Object.keys(environment) : [])),
      ...[...dockerfile!.matchAll(/^ENV (.*)$/gm)].flatMap(([, all]) =>
        all!.split(' ').map((one) => one.split('=')[0]!),
      ),
      ...[unit!, kubernetes!, page].flatMap((text) =>
        [...text.matchAll(/(?:^Environment=|from-literal=|\b(?=TUTTI_))([A-Z_]+)/gm)].map(([, name]) => name!),
      ),
    ]
    // Read by Node.js and what runs in it.
    const asked = new Set(named.filter((name) => name !== 'NODE_ENV'))
    expect(asked.size).toBeGreaterThan(5)
    const files = (await readdir(join(FOLDER, '..', 'src', 'app'), { recursive: true })).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    )
    const code = await Promise.all(files.map((name) => readFile(join(FOLDER, '..', 'src', 'app', name), 'utf8')))
    const isRead = (name: string): boolean => code.some((text) => new RegExp(`['"\`]${name}['"\`]`).test(text))
    expect([...asked].filter((name) => !isRead(name))).toEqual([])
  })

  it('uses the listening port, and probes endpoints that each role has', async () => {
    const help = (await world.run(['serve', '--help'])).out
    const [, port] = /--port <number>[^]*?\(default: (\d+)\)/.exec(help)!
    const { services } = await compose()
    const dockerfile = await read('Dockerfile')
    const [, exposed] = /^EXPOSE (\d+)$/m.exec(dockerfile)!
    const containers = await containersOf()
    const ports = containers.flatMap((one) => one.ports)
    expect([exposed, ...ports.map(({ containerPort }) => String(containerPort))]).toEqual([port, port, port])
    expect(services['api']!.ports!.map((one) => one.split(':').at(-1))).toEqual([port])
    const names = new Set(ports.map(({ name }) => name))
    const wanted = containers.flatMap(({ readinessProbe: { httpGet }, livenessProbe: { tcpSocket } }) => [
      httpGet.port,
      tcpSocket.port,
    ])
    const led = (await specs()).flatMap(({ ports: own = [] }) => own.map(({ targetPort }) => targetPort))
    expect([...wanted, ...led].filter((name) => !names.has(name))).toEqual([])
    // The worker serves the fewest endpoints.
    const app = await createApp()
    const server = await startServer({
      app,
      host: '127.0.0.1',
      port: 0,
      version: '0',
      authenticate: signInLocally,
      resources: workerResources({ version: '0' }),
      onError: ({ message }) => expect.fail(message),
    })
    for (const { readinessProbe } of containers) expect(server.routes).toContain(`GET ${readinessProbe.httpGet.path}`)
    const command = JSON.parse(/^HEALTHCHECK CMD (.*)$/m.exec(dockerfile)![1]!) as [string, ...string[]]
    const health = (url: string): Promise<number | null> => {
      const args = command.slice(1).map((one) => one.replace(`http://127.0.0.1:${port}`, url))
      expect(args).not.toEqual(command.slice(1))
      return new Promise((resolve) => spawn(process.execPath, args).on('close', resolve))
    }
    expect([command[0], await health(server.url)]).toEqual(['node', 0])
    await server.close()
    await app.close()
    expect(await health(server.url)).toBe(1)
  })

  it('has only existing commands, also on its page', async () => {
    const page = await readFile(join(FOLDER, '..', 'docs', 'deployment.md'), 'utf8')
    const texts = [page, ...(await Promise.all(['kubernetes.yaml', 'tutti.service'].map(read)))]
    const said = texts.flatMap((text) =>
      [...text.matchAll(/\btutti ((?:serve|people|backup)\b[^\n`]*)/g)].map(([, words]) => words!),
    )
    expect(said.length).toBeGreaterThan(4)
    for (const words of new Set(said)) {
      const names = words.split(' ').filter((word) => /^[a-z]+$/.test(word) && word !== 'admin')
      const { code, out } = await world.run([...names, '--help'])
      const options = words.match(/--[a-z-]+/g) ?? []
      expect([words, code, options.filter((one) => !out.includes(`${one} `))]).toEqual([words, 0, []])
    }
  })

  const hasVerify = spawnSync('systemd-analyze', ['--version']).status === 0
  it.skipIf(!hasVerify)('has a unit that systemd accepts (needs systemd-analyze on this machine)', async () => {
    const { stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--man=no', join(FOLDER, 'tutti.service')], {
      encoding: 'utf8',
    })
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('tutti.service'))).toEqual([])
  })
})
