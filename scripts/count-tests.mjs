// Prints how many tests passed and failed, from the test runner's JSON file and its exit code: node count-tests.mjs FILE CODE
// What was left out for want of time is told on standard error, file by file.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [file, code] = process.argv.slice(2)
let text = ''
try {
  text = readFileSync(file, 'utf8')
} catch {
  // As when it is empty: the runner did not come to its end.
}
if (text === '') console.error('The test runner ended before it wrote its results.')
const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = text === '' ? {} : JSON.parse(text)
const cut = testResults.filter(({ assertionResults }) => assertionResults.some(({ meta }) => meta?.leftOut === true))
if (cut.length > 0) {
  const names = cut.map(({ name }) => relative(process.cwd(), name)).sort()
  console.error(`${names.join('\n')}`)
  console.error(
    `${cut.length} of ${testResults.length} files (above) were not tried, or not to their end, for want of time: npm test tries all.`,
  )
}
// The runner also fails without a failing test: an unhandled error, a file that does not load, a crash. It counts as one.
console.log(numPassedTests, Math.max(numFailedTests, code === '0' ? 0 : 1))
