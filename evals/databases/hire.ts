import type Database from 'libsql'
import { createRandom } from '../../test/support/random.ts'

/** A hire shop for machines in the manner of an old system: abbreviations, run-together words, codes, 'Y' and 'N'. */
export function fillHire(db: Database.Database): void {
  db.exec(SCHEMA)
  const random = createRandom(1_987_0623)
  const insert = (table: string, ...values: readonly (string | number | null)[]): void => {
    db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(values)
  }
  const day = (from: string, days: number): string =>
    new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10)
  DEPOTS.forEach(([code, town, region]) => insert('depots', code, town, region))
  SALESPERSONS.forEach(([name, depot, hired, pay], i) => insert('salespersons', 101 + i, name, depot, hired, pay))
  EQUIPMENT.forEach(([name, category, rate, cost], i) => {
    const isInService = i % 7 === 5 ? 'N' : 'Y'
    insert('equipmt', 501 + i, name, category, rate, cost, DEPOTS[i % DEPOTS.length]![0], isInService)
  })
  for (let i = 0; i < 40; i++) {
    const name = `${NAMES[i % NAMES.length]!} ${KINDS[Math.floor(i / NAMES.length) % KINDS.length]!}`
    const town = random.pick(['Athlone', 'Bray', 'Carlow', 'Dundalk', 'Ennis'])
    insert(
      'custaccts',
      1_001 + i,
      name,
      town,
      random.int(1, 8) * 500,
      random.chance(0.85) ? 'Y' : 'N',
      `2022-0${1 + (i % 9)}-15`,
    )
  }
  let item = 0
  for (let order = 1; order <= 220; order++) {
    const placed = day('2024-01-03', Math.floor(order * 3.6) + random.int(0, 3))
    const status = random.weighted(['C', 'R', 'O', 'X'], (one) => ({ C: 12, R: 3, O: 2, X: 2 })[one]!)
    const due = day(placed, random.int(2, 14))
    const back = status === 'C' || status === 'R' ? day(due, random.int(-2, 5)) : null
    insert(
      'hireorders',
      order,
      1_001 + random.int(0, 36),
      101 + random.int(0, SALESPERSONS.length - 2),
      placed,
      due,
      back,
      status,
    )
    for (let n = random.int(1, 3); n > 0; n--) {
      const kind = random.int(0, EQUIPMENT.length - 2)
      const days = random.int(1, 12)
      const quantity = random.int(1, 4)
      insert(
        'orditems',
        ++item,
        order,
        501 + kind,
        quantity,
        days,
        EQUIPMENT[kind]![2],
        Math.round(quantity * days * EQUIPMENT[kind]![2] * 100) / 100,
      )
    }
  }
  for (let visit = 1; visit <= 60; visit++) {
    insert(
      'svclog',
      visit,
      501 + random.int(0, EQUIPMENT.length - 1),
      day('2024-02-01', random.int(0, 700)),
      random.int(20, 400),
      random.pick(['Otto Finn', 'Mara Lund', 'Pat Quill']),
    )
  }
}

const SCHEMA = `
CREATE TABLE depots (dptcode TEXT PRIMARY KEY, dpttown TEXT NOT NULL, region TEXT NOT NULL);
CREATE TABLE salespersons (spno INTEGER PRIMARY KEY, spname TEXT NOT NULL, dptcode TEXT NOT NULL REFERENCES depots, hiredate DATE NOT NULL, mthpay NUMERIC(8,2) NOT NULL);
CREATE TABLE equipmt (eqno INTEGER PRIMARY KEY, eqname TEXT NOT NULL, eqcat TEXT NOT NULL, dayrate NUMERIC(8,2) NOT NULL, purchcost NUMERIC(9,2) NOT NULL, dptcode TEXT NOT NULL REFERENCES depots, insvc TEXT NOT NULL);
CREATE TABLE custaccts (custno INTEGER PRIMARY KEY, custname TEXT NOT NULL, town TEXT NOT NULL, crlimit NUMERIC(9,2) NOT NULL, actv TEXT NOT NULL, opendate DATE NOT NULL);
CREATE TABLE hireorders (ordno INTEGER PRIMARY KEY, custno INTEGER NOT NULL REFERENCES custaccts, spno INTEGER NOT NULL REFERENCES salespersons, orddate DATE NOT NULL, duedate DATE NOT NULL, returndate DATE, ordstat TEXT NOT NULL);
CREATE TABLE orditems (itemno INTEGER PRIMARY KEY, ordno INTEGER NOT NULL REFERENCES hireorders, eqno INTEGER NOT NULL REFERENCES equipmt, qty INTEGER NOT NULL, hiredays INTEGER NOT NULL, dayrate NUMERIC(8,2) NOT NULL, lineamt NUMERIC(9,2) NOT NULL);
CREATE TABLE svclog (svcno INTEGER PRIMARY KEY, eqno INTEGER NOT NULL REFERENCES equipmt, svcdate DATE NOT NULL, svccost NUMERIC(8,2) NOT NULL, mechanic TEXT NOT NULL);
`

const DEPOTS = [
  ['DUB', 'Dublin', 'East'],
  ['LIM', 'Limerick', 'South'],
  ['SLG', 'Sligo', 'West'],
] as const
const SALESPERSONS = [
  ['Brona Keel', 'DUB', '2019-02-04', 3_150],
  ['Cian Maddox', 'DUB', '2021-07-12', 2_890.5],
  ['Deirdre Stone', 'LIM', '2018-10-01', 3_420],
  ['Eoin Parr', 'SLG', '2023-03-20', 2_600],
  ['Flo Hanley', 'LIM', '2024-01-08', 2_450],
  ['Gerry Null', 'SLG', '2025-06-02', 2_300],
] as const
const EQUIPMENT = [
  ['Mini digger 1.5 t', 'digger', 145, 18_500],
  ['Digger 3 t', 'digger', 210, 31_000],
  ['Plate compactor', 'compactor', 38, 1_450],
  ['Trench rammer', 'compactor', 42, 2_100],
  ['Generator 5 kVA', 'generator', 35, 1_250],
  ['Generator 20 kVA', 'generator', 88, 7_900],
  ['Scissor lift 8 m', 'lift', 120, 12_400],
  ['Boom lift 14 m', 'lift', 235, 38_000],
  ['Core drill', 'drill', 48, 1_980],
  ['Breaker 15 kg', 'drill', 29, 890],
  ['Floor sander', 'sander', 33, 1_120],
  ['Wet vacuum', 'cleaner', 18, 420],
  ['Pressure washer', 'cleaner', 27, 760],
  ['Dehumidifier', 'dryer', 22, 640],
] as const
const NAMES = ['Ballard', 'Cotter', 'Devane', 'Egan', 'Foley', 'Grange', 'Hennig', 'Irwin', 'Kerrig', 'Lally']
const KINDS = ['Builders', 'Homes', 'Roofing', 'Landscapes']
