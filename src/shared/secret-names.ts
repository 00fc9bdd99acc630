import { wordSet } from './word-set.ts'

/**
 * Names that mean secrets. A name is split into its words, so that `DB_PASS`, `dbPass` and `db-pass` are the same, and
 * `compass` is no secret.
 */

/** Words that mean a secret even inside other words: `PGPASSWORD`. Except words such as secretary and tokenizer. */
const SPEAKING = /passw|passphrase|passcode|secret(?!ar)|credential/
/** Words that say it anywhere in a name. */
const ANYWHERE = wordSet('pwd jwt bearer cookie cookies authorization authorisation mnemonic otp')
/** Names of several words, which some write as one. */
const TOGETHER = wordSet(
  'apikey accesskey privatekey accesstoken refreshtoken idtoken authtoken bearertoken sessiontoken connectionstring connstring mfacode tfacode verificationcode recoverycode backupcode authcode pincode seedphrase recoveryphrase authheader passphrase password',
)
/** Likely secrets at the end of a name; each may be an everyday word where programs exchange data. */
const LAST = wordSet('key keys auth sig sas pin pat mfa cvv cvc webhook pass pw')
const LIKELY_TOGETHER = new Set(['sessionid', 'jsessionid', 'phpsessid', 'webhookurl', 'webhookuri', 'sasurl'])
/** Those of them that have no other meaning. */
const SURE_LAST = new Set(['pass', 'pw'])
/** Prefixes that are joined to such words without a separator: `dbpass`, `authkey`. */
const GLUED =
  /^(?:db|pg|sql|mysql|redis|user|usr|admin|root|my|smtp|imap|mail|ftp|ssh|login|app|client|auth|account|master|session|shared|signing|encryption|subscription|license|service)(pass|pw|keys?)$/
/** Endings of names that only describe a secret: its number, its age, its file. */
const DESCRIPTIVE_ENDINGS = wordSet(
  'count limit rate type kind policy length size expiry expires expiration at in enabled required name file path dir algorithm alg domain consent usage used left budget second minute hour day price symbol',
)
/** Words without meaning at the end of a name. */
const TAIL = wordSet(
  'prod production dev development test staging live old new current previous default value raw plain',
)
/** With these before it, it is an everyday word. */
const HARMLESS: Readonly<Record<string, ReadonlySet<string>>> = {
  key: wordSet(
    'primary foreign sort partition unique cache public row object group index shard routing composite natural surrogate candidate idempotency lookup join tab arrow hot order record parent translation issue',
  ),
  token: wordSet(
    'page next previous prev continuation max min total prompt completion input output used cached reasoning remaining num per',
  ),
  pass: wordSet('boarding first second low high band ski bus day season travel'),
}

/** Whether a name means that its value is secret. For context keys, variables, headers and URL parameters. */
export function isSecretName(name: string): boolean {
  return secrecyOf(name) !== 'none'
}

/** The same where `key`, `token` and `pin` are everyday words: the input of a tool, a text. */
export function isSurelySecretName(name: string): boolean {
  return secrecyOf(name) === 'sure'
}

function secrecyOf(name: string): 'sure' | 'likely' | 'none' {
  // The working folder of a shell.
  if (name === 'PWD' || name === 'OLDPWD') return 'none'
  const words = wordsOf(name)
  if (DESCRIPTIVE_ENDINGS.has(words.at(-1) ?? '')) return 'none'
  while (words.length > 1 && TAIL.has(words.at(-1)!)) words.pop()
  const units = [...words, ...words.slice(1).map((word, i) => words[i]! + word)]
  if (words.some((word) => SPEAKING.test(word) || ANYWHERE.has(word))) return 'sure'
  if (units.some((unit) => TOGETHER.has(unit))) return 'sure'
  const last = GLUED.exec(words.at(-1) ?? '')?.[1] ?? words.at(-1) ?? ''
  if (LAST.has(last) && !isHarmless(last, words.at(-2))) return SURE_LAST.has(last) ? 'sure' : 'likely'
  const isToken = words.some((word, i) => /signature|token(?!i)/.test(word) && !isHarmless('token', words[i - 1]))
  return isToken || units.some((unit) => LIKELY_TOGETHER.has(unit)) ? 'likely' : 'none'
}

function isHarmless(word: string, before = ''): boolean {
  return HARMLESS[word.replace(/^keys$/, 'key')]?.has(before) ?? false
}

/** In small letters, without numbers at their ends. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '')
}
