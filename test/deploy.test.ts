import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Service } from 'kubernetes-models/v1'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const FOLDER = join(import.meta.dirname, '..', 'deploy')
const read = (name: string): Promise<string> => readFile(join(FOLDER, name), 'utf8')

interface Container {
  readonly args: readonly string[]
}

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      { command?: readonly string[]; profiles?: readonly string[]; depends_on?: object; volumes?: string[] }
    >
  >
  readonly volumes: object
}

/** The files of deploy/ beside what made each format says of it. */
describe('deploy/', () => {
  it('has a Dockerfile without a fault', async () => {
    expect(validate(await read('Dockerfile'))).toEqual([])
    expect(validate('FROM a\nEXPOSE x\nUNKNOWN y').length).toBeGreaterThan(0)
  })

  it('has Kubernetes objects that fit their schemas', async () => {
    const objects = parseAllDocuments(await read('kubernetes.yaml')).map((one) => one.toJS() as { kind: string })
    expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Deployment', 'Service'])
    for (const one of objects) {
      const made = one.kind === 'Service' ? new Service(one as never) : new Deployment(one as never)
      expect(made.validate()).toBeUndefined()
    }
    // Sessions at /mcp are of one process, and there are two that take them.
    expect(objects[2]).toMatchObject({ spec: { sessionAffinity: 'ClientIP' } })
    const broken = new Deployment({ ...objects[0], spec: { replicas: 'two' } } as never)
    expect(() => broken.validate()).toThrow(/replicas/)
  })

  it('starts processes with options that there are', async () => {
    const { services, volumes } = parse(await read('docker-compose.yml'), { merge: true }) as Compose
    const pods = parseAllDocuments(await read('kubernetes.yaml')).flatMap((one) => {
      const { spec } = one.toJS() as { spec: { template?: { spec: { containers: Container[] } } } }
      return spec.template?.spec.containers ?? []
    })
    const commands = [
      ...Object.values(services).flatMap(({ command }) => (command ? [command] : [])),
      ...pods.map(({ args }) => args),
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

  const hasVerify = spawnSync('systemd-analyze', ['--version']).status === 0
  it.skipIf(!hasVerify)('has a unit that systemd takes (needs systemd-analyze on this machine)', async () => {
    const { stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--man=no', join(FOLDER, 'tutti.service')], {
      encoding: 'utf8',
    })
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.includes('tutti.service'))).toEqual([])
  })
})
