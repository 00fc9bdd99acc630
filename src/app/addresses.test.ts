import { describe, expect, it } from 'vitest'
import { absolutePath, removeUrlSecrets } from './addresses.ts'

describe('an address', () => {
  it.each(['sqlite:shop.db', 'sqlite://shop.db'])('%s is valid from any folder', (address) => {
    expect(absolutePath(address, '/home/ann')).toBe('sqlite:/home/ann/shop.db')
  })

  it.each([
    ['postgres://ann@db.example/shop', 'postgres://ann@db.example/shop'],
    ['https://shop.example/openapi.json?version=3', 'https://shop.example/openapi.json?version=3'],
    ['mysql://ann@db.example/shop?sslkey=/home/ann/key.pem', 'mysql://ann@db.example/shop?sslkey=/home/ann/key.pem'],
  ])('keeps %s unchanged', (url, address) => {
    expect(removeUrlSecrets(url)).toBe(address)
  })

  it.each([
    ['postgres://ann:geheim@db.example/shop', 'postgres://ann@db.example/shop'],
    ['postgres://ann:geh@im@db.example:5432/shop', 'postgres://ann@db.example:5432/shop'],
    ['postgres://ann:geh%40im@db.example/a@b', 'postgres://ann@db.example/a@b'],
    ['postgres://:geheim@db.example/shop', 'postgres://@db.example/shop'],
    ['postgres://db.example/shop?user=ann&password=geheim', 'postgres://db.example/shop?user=ann'],
    ['https://shop.example/openapi.json?api_key=geheim', 'https://shop.example/openapi.json'],
    ['https://shop.example/o?a=1&X-Amz-Signature=geheim&access_token=x', 'https://shop.example/o?a=1'],
  ])('removes the secret from %s', (url, address) => {
    expect(removeUrlSecrets(url)).toBe(address)
  })
})
