import { describe, expect, it } from 'vitest'
import { sourcesToKeep } from './stored-sources.ts'

const sourceOf = (url: string) => sourcesToKeep({ databases: [{ url }], hasKey: false, cwd: '/home/ann' })[0]

describe('stored sources of a run', () => {
  it('holds paths that are valid from any folder', () => {
    expect(sourceOf('sqlite:shop.db')).toEqual({ kind: 'database', address: 'sqlite:/home/ann/shop.db' })
    expect(sourceOf('sqlite://shop.db')).toEqual({ kind: 'database', address: 'sqlite:/home/ann/shop.db' })
    const apis = [{ catalogue: 'docs/api.yaml', name: 'shop' }]
    expect(sourcesToKeep({ apis, allowHosts: ['10.0.0.7:8000'], hasKey: false, cwd: '/home/ann' })).toEqual([
      { kind: 'api', address: '/home/ann/docs/api.yaml', name: 'shop' },
      { kind: 'host', address: '10.0.0.7:8000' },
    ])
  })

  it.each([
    ['postgres://ann@db.example/shop', 'postgres://ann@db.example/shop'],
    ['https://shop.example/openapi.json?version=3', 'https://shop.example/openapi.json?version=3'],
    ['mysql://ann@db.example/shop?sslkey=/home/ann/key.pem', 'mysql://ann@db.example/shop?sslkey=/home/ann/key.pem'],
  ])('keeps %s unchanged', (url, address) => {
    expect(sourceOf(url)).toEqual({ kind: 'database', address })
  })

  it.each([
    ['postgres://ann:geheim@db.example/shop', 'postgres://ann@db.example/shop'],
    ['postgres://ann:geh@im@db.example:5432/shop', 'postgres://ann@db.example:5432/shop'],
    ['postgres://ann:geh%40im@db.example/a@b', 'postgres://ann@db.example/a@b'],
    ['postgres://:geheim@db.example/shop', 'postgres://@db.example/shop'],
    ['postgres://db.example/shop?user=ann&password=geheim', 'postgres://db.example/shop?user=ann'],
    ['https://shop.example/openapi.json?api_key=geheim', 'https://shop.example/openapi.json'],
    ['https://shop.example/o?a=1&X-Amz-Signature=geheim&access_token=x', 'https://shop.example/o?a=1'],
  ])('removes the secret from %s, and records that there was one', (url, address) => {
    expect(sourceOf(url)).toEqual({ kind: 'database', address, withoutPassword: true })
  })

  it('records that an API had a key, without the key', () => {
    const apis = [{ catalogue: 'https://shop.example/openapi.json' }]
    const databases = [{ url: 'sqlite:/shop.db', name: 'books' }]
    expect(sourcesToKeep({ databases, apis, hasKey: true, cwd: '/' })).toEqual([
      { kind: 'database', address: 'sqlite:/shop.db', name: 'books' },
      { kind: 'api', address: 'https://shop.example/openapi.json', withoutKey: true },
    ])
  })
})
