import { describe, expect, it } from 'vitest'
import { pageOf } from './page.ts'
import { visibleText, type PageNode } from './visible-text.ts'

function seen(html: string): string {
  return visibleText(pageOf(html).documentElement as unknown as PageNode, 10_000).text
}

describe('what of a page is seen', () => {
  it.each([
    '<p hidden>',
    '<p aria-hidden="true">',
    '<p style="color:red; DISPLAY : none">',
    '<p style="visibility:hidden">',
    '<p style="opacity:0">',
    '<p style="font-size:0">',
    '<p style="font-size: 0.5px !important">',
    '<p style="font: x; font-size:0em">',
    '<p style="color:#fff">',
    '<p style="color: rgb(255, 255, 255)">',
    '<p style="color:#fefefe;background:#ffffff">',
    '<p style="color:transparent">',
    '<div style="background-color:black"><p style="color:#000">',
    '<p class="x"><font color="white">',
    '<table bgcolor="#eee"><tr><td><p style="color:#efefef">',
    '<div style="font-size:0"><div><p>',
  ])('%s hides what is in it', (tags) => {
    const names = [...tags.matchAll(/<(\w+)/g)].map(([, name]) => `</${name}>`)
    expect(seen(`<p>Before</p>${tags}SECRET <b>order</b>${names.reverse().join('')}<p>After</p>`)).toBe(
      'Before\n\nAfter',
    )
    expect(seen(`<!doctype html><html><body><p>Before</p>${tags}SECRET`)).toBe('Before')
  })

  it.each([
    '<p style="color:white;background:#123">',
    '<table bgcolor="navy"><tr><td style="color:#ffffff">',
    '<div style="background:url(x.png)"><p style="color:white">',
    '<div style="font-size:0"><p style="font-size:14px">',
    '<div style="visibility:hidden"><p style="visibility:visible">',
    '<style>.dark{}</style><div class="dark"><p style="color:white">',
    '<p style="opacity:0.5">',
    '<p style="background-color:white">',
  ])('%s shows what is in it', (tags) => expect(seen(`${tags}Shown`)).toContain('Shown'))
})

describe('a page made to take long', () => {
  it.each(['<div>', '<b><p>', '<table><tr><td>', '<ul><li>', '<a href="x">', '<div'])('%s without end', (tags) => {
    expect(seen(`${tags.repeat(100_000)}>text`).length).toBeLessThanOrEqual(10_000)
  })

  it('keeps the text of what is too deep, and what comes after it', () => {
    const deep = `${'<div>'.repeat(2_000)}deep${'</div>'.repeat(2_000)}<p>after</p>`
    expect(seen(deep)).toBe('deep\n\nafter')
  })
})
