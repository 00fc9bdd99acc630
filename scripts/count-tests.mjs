// Prints how many tests passed and failed, from the test runner's JSON file and its exit code: node count-tests.mjs FILE CODE
import { readFileSync } from 'node:fs'

const [file, code] = process.argv.slice(2)
let text = ''
try {
  text = readFileSync(file, 'utf8')
} catch {
  // As when it is empty: the runner did not come to its end.
}
if (text === '') console.error('The test runner ended before it wrote its results.')
const { numPassedTests = 0, numFailedTests = 0 } = text === '' ? {} : JSON.parse(text)
// The runner also fails without a failing test: an unhandled error, a file that does not load, a crash. It counts as one.
console.log(numPassedTests, Math.max(numFailedTests, code === '0' ? 0 : 1))
