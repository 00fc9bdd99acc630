import { expect, test } from 'vitest'
import { errorText } from './error-text.ts'

test('an error page becomes one short line', () => {
  const page =
    '<html><head><style>p{}</style><script>alert(1)</script></head>\r\n<body><p>Bad\u0007 gateway</p>\u2028</body>'
  expect(errorText(page, undefined, [])).toBe('Bad gateway')
  expect(errorText('x'.repeat(1_000), undefined, [])).toHaveLength(240)
})

test.each([
  ['Incorrect API key provided: sk-proj-Ab1_23456789. Find yours', 'Incorrect API key provided: *** Find yours'],
  ['bad key sk-ant-api03-xxxxxxxx', 'bad key ***'],
  ['Authorization: Bearer eyJhbGciOi.abc.def', 'Authorization: Bearer ***'],
  ['GET https://x.test/v1?api-key=12345&a=b', 'GET https://x.test/v1?api-key=***&a=b'],
  ['my own secret hunter22', 'my own secret ***'],
  ['what it says of a 429 stays', 'what it says of a 429 stays'],
])('%s', (text, expected) => {
  expect(errorText(text, 'hunter22', [])).toBe(expected)
})

test.each([
  ['Incorrect key provided: 3f9a****77zq. Find yours', 'Incorrect key provided: ***. Find yours'],
  ['no key that ends in ...77zq', 'no key that ends in ***'],
  ['no key (3f9a81) is known for 3 models', 'no key (***) is known for 3 models'],
])('an end of the key is none of it: %s', (text, expected) => {
  expect(errorText(text, '3f9a81c5d2e077zq', [])).toBe(expected)
})

const PROMPT = `Answer the question.\n\nQuestion:\n"Was verdient Jörg Weiß im Jahr?"\nHis salary is 81,250 €; don't tell.\n他的密码是蓝色的大象`

test.each([
  ['as it is', `bad input: ${PROMPT}`, 'bad input: …'],
  ['in JSON', `bad input: ${JSON.stringify({ input: PROMPT })}`, 'bad input: {"input":"…"}'],
  [
    'in JSON with ASCII alone',
    `bad: ${JSON.stringify(PROMPT).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}`,
    'bad: "…"',
  ],
  ['in HTML', `bad: ${PROMPT.replaceAll('"', '&quot;').replaceAll("'", '&#39;')}`, 'bad: …'],
  ['in a part that ends in a word', "value: 'dient Jörg Weiß im Jahr? His sal' is wrong", "value: '…' is wrong"],
  ['in Chinese', '错误: 密码是蓝色的大象', '错误: …'],
  ['far down', `${'- '.repeat(400)} His salary is 81,250 €`, `${'- '.repeat(119)}-…`],
  ['not at all', 'The model says: his salary', 'The model says: his salary'],
])('the prompt is not repeated: %s', (_how, text, expected) => {
  expect(errorText(text, undefined, ['Other words', PROMPT])).toBe(expected)
})
