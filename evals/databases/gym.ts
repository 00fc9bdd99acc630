import type Database from 'libsql'
import { createRandom } from '../../test/support/random.ts'

/**
 * A chain of gyms whose tables and columns all begin with the same letters, as in `gmMember.gmMemberName`; truth is kept as
 * the texts '0' and '1'.
 */
export function fillGym(db: Database.Database): void {
  db.exec(SCHEMA)
  const random = createRandom(20_260_417)
  const insert = (table: string, ...values: readonly (string | number | null)[]): void => {
    db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(values)
  }
  const day = (from: string, days: number): string =>
    new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10)
  CLUBS.forEach(([name, city, opened], i) => insert('gmClub', i + 1, name, city, opened))
  PLANS.forEach(([name, fee, months], i) => insert('gmPlan', i + 1, name, fee, months))
  TRAINERS.forEach(([name, speciality, rate], i) => {
    insert('gmTrainer', i + 1, name, (i % CLUBS.length) + 1, speciality, rate, i === 3 || i === 6 ? '0' : '1')
  })
  COURSES.forEach(([name, level, minutes, seats], i) => {
    insert('gmCourse', i + 1, name, (i % TRAINERS.length) + 1, level, minutes, seats)
  })
  let payment = 0
  let booking = 0
  for (let id = 1; id <= 120; id++) {
    const name = `${random.pick(FIRST)} ${random.pick(LAST)}`
    const club = random.int(1, CLUBS.length)
    const plan = random.weighted([1, 2, 3, 4], (one) => [5, 4, 2, 1][one - 1]!)
    const joined = day('2023-01-09', random.int(0, 1_000))
    const isActive = random.chance(0.8)
    const referrer = id > 20 && random.chance(0.2) ? random.int(1, 20) : null
    const mail = random.chance(0.9) ? `member${id}@sb.example` : null
    insert('gmMember', id, name, mail, club, plan, joined, random.int(1955, 2007), isActive ? '1' : '0', referrer)
    for (let n = random.int(0, 9); n > 0; n--) {
      const paid = day(joined, n * 31)
      if (paid >= '2026-06-01') continue
      const fee = PLANS[plan - 1]![1]
      insert('gmPayment', ++payment, id, paid, fee, random.pick(['card', 'card', 'transfer', 'cash']))
    }
    for (let n = random.int(0, 7); n > 0; n--) {
      const on = day('2025-01-02', random.int(0, 500))
      if (on < joined) continue
      const state = random.weighted(['attended', 'missed', 'cancelled'], (one) => (one === 'attended' ? 6 : 2))
      insert('gmBooking', ++booking, id, random.int(1, COURSES.length - 1), on, state)
    }
  }
}

const SCHEMA = `
CREATE TABLE gmClub (gmClubId INTEGER PRIMARY KEY, gmClubName TEXT NOT NULL, gmClubCity TEXT NOT NULL, gmClubOpenedOn DATE NOT NULL);
CREATE TABLE gmPlan (gmPlanId INTEGER PRIMARY KEY, gmPlanName TEXT NOT NULL, gmPlanFee NUMERIC(8,2) NOT NULL, gmPlanMonths INTEGER NOT NULL);
CREATE TABLE gmTrainer (gmTrainerId INTEGER PRIMARY KEY, gmTrainerName TEXT NOT NULL, gmTrainerClubId INTEGER NOT NULL REFERENCES gmClub, gmTrainerSpeciality TEXT NOT NULL, gmTrainerHourlyRate NUMERIC(8,2) NOT NULL, gmTrainerIsActive TEXT NOT NULL);
CREATE TABLE gmCourse (gmCourseId INTEGER PRIMARY KEY, gmCourseName TEXT NOT NULL, gmCourseTrainerId INTEGER NOT NULL REFERENCES gmTrainer, gmCourseLevel TEXT NOT NULL, gmCourseMinutes INTEGER NOT NULL, gmCourseSeats INTEGER NOT NULL);
CREATE TABLE gmMember (gmMemberId INTEGER PRIMARY KEY, gmMemberName TEXT NOT NULL, gmMemberEmail TEXT, gmMemberClubId INTEGER NOT NULL REFERENCES gmClub, gmMemberPlanId INTEGER NOT NULL REFERENCES gmPlan, gmMemberJoinedOn DATE NOT NULL, gmMemberBirthYear INTEGER NOT NULL, gmMemberIsActive TEXT NOT NULL, gmMemberReferredBy INTEGER REFERENCES gmMember);
CREATE TABLE gmPayment (gmPaymentId INTEGER PRIMARY KEY, gmPaymentMemberId INTEGER NOT NULL REFERENCES gmMember, gmPaymentPaidOn DATE NOT NULL, gmPaymentAmount NUMERIC(8,2) NOT NULL, gmPaymentMethod TEXT NOT NULL);
CREATE TABLE gmBooking (gmBookingId INTEGER PRIMARY KEY, gmBookingMemberId INTEGER NOT NULL REFERENCES gmMember, gmBookingCourseId INTEGER NOT NULL REFERENCES gmCourse, gmBookingDate DATE NOT NULL, gmBookingState TEXT NOT NULL);
`

const CLUBS = [
  ['Riverside', 'Cork', '2018-03-01'],
  ['Old Mill', 'Galway', '2019-09-15'],
  ['Harbour', 'Cork', '2021-05-20'],
  ['North Gate', 'Dublin', '2022-11-07'],
] as const
const PLANS = [
  ['Basic', 29.9, 1],
  ['Plus', 44.5, 3],
  ['Family', 79, 12],
  ['Student', 19.9, 1],
] as const
const TRAINERS = [
  ['Aoife Brandt', 'yoga', 38],
  ['Milan Osk', 'strength', 42.5],
  ['Priya Tell', 'cycling', 36],
  ['Jonah Weir', 'boxing', 45],
  ['Carla Nim', 'yoga', 40],
  ['Ruben Dahl', 'swimming', 35],
  ['Tess Farrow', 'strength', 33],
] as const
const COURSES = [
  ['Morning Flow', 'beginner', 45, 16],
  ['Iron Hour', 'advanced', 60, 10],
  ['Spin Basics', 'beginner', 40, 20],
  ['Ring Craft', 'intermediate', 60, 8],
  ['Deep Stretch', 'intermediate', 75, 14],
  ['Aqua Fit', 'beginner', 45, 18],
  ['Kettle Club', 'intermediate', 50, 12],
  ['Power Flow', 'advanced', 60, 12],
  ['Hill Climb', 'advanced', 45, 20],
  ['Slow Sunday', 'beginner', 90, 15],
] as const
const FIRST = ['Ada', 'Ben', 'Cleo', 'Dora', 'Eamon', 'Fay', 'Gus', 'Hana', 'Ivo', 'June', 'Kai', 'Lena', 'Mo', 'Nora']
const LAST = ['Abel', 'Birch', 'Corr', 'Dunne', 'Eason', 'Flint', 'Gale', 'Hurst', 'Ivers', 'Joyce', 'Keane', 'Lowe']
