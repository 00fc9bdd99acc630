/**
 * How often the rules answer right, decline, or are wrong, over random databases with questions whose answers are known.
 * `npx tsx scripts/question-oracle.ts [worlds] [first seed] [--declined] [--described]`
 */
import { judgeAll } from '../test/questions/measure.ts'

const numbers = process.argv.slice(2).filter((a) => /^\d+$/.test(a))
const [worlds = 50, first = 0] = numbers.map(Number)
const judged = await judgeAll(
  Array.from({ length: worlds }, (_, i) => first + i),
  process.argv.includes('--described'),
)
const of = (verdict: string): typeof judged => judged.filter((j) => j.verdict === verdict)
for (const { world, question, detail } of of('wrong')) console.log(`WRONG ${world}: ${question}\n${detail}\n`)
if (process.argv.includes('--declined')) {
  for (const { world, question, detail } of of('declined'))
    console.log(`declined ${world}: ${question}: ${detail.slice(0, 160)}`)
}
console.log(
  `${judged.length} questions: ${of('right').length} right, ${of('declined').length} declined, ${of('wrong').length} wrong`,
)
process.exitCode = of('wrong').length > 0 ? 1 : 0
