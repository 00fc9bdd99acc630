import { describe, expect, it } from 'vitest'
import { parseVisiblePage } from './page.ts'
import type { PageNode } from './page-node.ts'
import { visibleText } from './visible-text.ts'

function seen(html: string): string {
  return visibleText(parseVisiblePage(html).documentElement as unknown as PageNode, 10_000).text
}

it.each([
  ['10<sup>3</sup> litres, CO<sub>2</sub>', '10³ litres, CO₂'],
  ['15<sup><a href="#n2">[2]</a></sup> EUR', '15² EUR'],
  ['15<span style="vertical-align: super; color: red">2</span>', '15²'],
  ['<style>p, a.mark { vertical-align: super }</style>15<a class="x mark">2</a>', '15²'],
  ['15<a role="doc-noteref">2</a>', '15²'],
  ['15<sup><sup>2</sup></sup>', '15²'],
  ['2<sup>n<sup>2</sup></sup>', '2^(n²)'],
  ['<math><msup><mn>10</mn><mn>3</mn></msup><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></math>', '10³x₁²'],
  ['1<sup>st</sup> floor', '1st floor'],
  [`15<sup>${'long '.repeat(30)}</sup>`, `15 ${'long '.repeat(30)}`.trim()],
])('superscripts of a page are characters: %s', (html, text) => {
  expect(seen(html)).toBe(text)
})

describe('the visible part of a page', () => {
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
    '<p aria-hidden=TRUE>',
    '<p style="display:/**/none">',
    '<p style="display:none!important;display:block">',
    `<p style="${'color:red;'.repeat(300)}display:none">`,
    '<p style="opacity:0%">',
    '<p style="opacity:.01">',
    '<p style="font:0px/1 a">',
    '<p style="font: bold 1px Arial">',
    '<p style="font-size:0.1em">',
    '<p style="font-size:2px">',
    '<p style="color:#fff0">',
    '<p style="color:#00000000">',
    '<p style="color:rgb(0 0 0 / 0)">',
    '<p style="color:rgb(100%,100%,100%)">',
    '<p style="color:hsl(0,0%,100%)">',
    '<p style="color:snow">',
    '<p style="position:absolute;left:-9999px">',
    '<p style="text-indent:-9999px">',
    '<p style="height:0;overflow:hidden">',
    '<p style="max-height:0px;overflow:hidden">',
    '<p style="position:absolute;clip:rect(0, 0, 0, 0)">',
    '<p style="clip-path:inset(50%)">',
    '<p style="transform:scale(0)">',
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
    '<style>body{background:#000}</style><p style="color:#fff">',
    '<style>@media screen { td.x, th > b { background-color : #000 } }</style><table><tr><td><b style="color:#fff">',
    '<p style="color:#fff"><style>p{background:#000}</style>',
    '<style>p{color:#000}</style><div style="color:#fff"><p>',
    '<table background="x.png"><tr><td style="color:#fff">',
    '<table><tr><td style="background-image:url(x);background-color:#fff;color:white">',
    '<p style="display:none;display:block">',
    '<p hidden style="display:block">',
    '<div style="text-indent:-9999px"><p style="text-indent:0">',
    '<p style="font:400 14px/1.5 Arial">',
    '<p style="font-size:0;font:14px Arial">',
    '<p style="height:0">',
    '<p style="left:-9999px">',
    '<p style="opacity:1">',
    '<p style="opacity:.5">',
    '<p style="color:rgb(10% 10% 10%)">',
    '<p style="color:rgba(0,0,0,.9)">',
    '<p style="color:#000f">',
    '<p style="color:var(--white)">',
    '<details><summary>More</summary>',
  ])('%s shows what is in it', (tags) => expect(seen(`${tags}Shown`)).toContain('Shown'))
})

describe('a page that is slow on purpose', () => {
  it.each(['<div>', '<b><p>', '<table><tr><td>', '<ul><li>', '<a href="x">', '<div'])('%s without end', (tags) => {
    expect(seen(`${tags.repeat(100_000)}>text`).length).toBeLessThanOrEqual(10_000)
  })

  it('keeps text that is nested too deeply, and text after it', () => {
    const deep = `${'<div>'.repeat(2_000)}deep${'</div>'.repeat(2_000)}<p>after</p>`
    expect(seen(deep)).toBe('deep\n\nafter')
  })
})
