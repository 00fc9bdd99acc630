import Database from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { linkQuestion, type Linked } from './index.ts'
import { lookupIn, readSchema, rowsOf } from '../terms/sqlite.fixture.ts'

let db: Database.Database

beforeAll(() => {
  db = new Database(':memory:')
  db.exec(`
CREATE TABLE hotels (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE rooms (id INTEGER PRIMARY KEY, hotel_id INTEGER NOT NULL REFERENCES hotels(id), number TEXT, kind TEXT,
  price_per_night DECIMAL(10,2), max_guests INTEGER, min_age INTEGER);
CREATE TABLE guests (id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, country TEXT);
CREATE TABLE bookings (id INTEGER PRIMARY KEY, guest_id INTEGER NOT NULL REFERENCES guests(id),
  room_id INTEGER NOT NULL REFERENCES rooms(id), status TEXT NOT NULL, total DECIMAL(10,2), channel TEXT);
CREATE TABLE payments (id INTEGER PRIMARY KEY, booking_id INTEGER NOT NULL REFERENCES bookings(id),
  amount DECIMAL(10,2), method TEXT, refunded INTEGER NOT NULL, pieces INTEGER NOT NULL);
CREATE TABLE amenities (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE room_amenities (room_id INTEGER NOT NULL REFERENCES rooms(id),
  amenity_id INTEGER NOT NULL REFERENCES amenities(id), PRIMARY KEY (room_id, amenity_id));
INSERT INTO hotels VALUES (1, 'Grand', 'Vienna'), (2, 'Seaside', 'Split'), (3, 'Alpine', 'Zell');
INSERT INTO rooms VALUES (1, 1, '101', 'double', 200, 2, 0), (2, 1, '102', 'suite', 400, 4, 16), (3, 2, '1', 'double', 150, 2, 0);
INSERT INTO guests VALUES (1, 'Ann', 'Novak', 'Austria'), (2, 'Cleo', 'Rossi', 'Italy'), (3, 'Fay', 'Open', 'UK');
INSERT INTO bookings VALUES (1, 1, 1, 'completed', 400, 'web'), (2, 2, 2, 'completed', 1600, 'web'), (3, 3, 3, 'confirmed', 300, 'phone');
INSERT INTO payments VALUES (1, 1, 200, 'card', 0, 1), (2, 2, 800, 'card', 1, 1), (3, 3, 300, 'cash', 0, 1);
INSERT INTO amenities VALUES (1, 'minibar'), (2, 'balcony');
INSERT INTO room_amenities VALUES (1, 1), (2, 1), (2, 2);`)
})

afterAll(() => db.close())

const ask = (question: string): Promise<Linked> =>
  linkQuestion(question, readSchema(db, 'inns'), { lookup: lookupIn(db), today: '2026-11-23' })

it.each([
  // A place of those who came is not that of where they came to.
  ['How many hotels are in Italy?', /“Italy” is a value of guests\.country, which says nothing of hotels/],
  ['rooms in the UK', /“UK” is a value of guests\.country, which says nothing of rooms/],
  ['How many hotels are open?', /“open” is a value of guests\.last_name, which says nothing of hotels/],
  ['How many open hotels are there?', /“open” is a value of guests\.last_name/],
  ['Which bookings are open?', /“open” is a value of guests\.last_name/],
  // Each of them is not any of them.
  ['Which rooms have all amenities?', /“all amenities”.*not to each/],
  ['Which guests have booked all hotels?', /“all hotels”/],
  ['Which hotels have all their rooms booked?', /“all their”/],
  ['amenities that all rooms have', /“all rooms”/],
  ['rooms with all amenities', /“all amenities”/],
  ['How many guests booked all suites?', /“all suites”/],
  // What is so now, no row tells.
  ['How many available rooms are there?', /“available”/],
  ['Which rooms are available?', /“available”/],
  ['How many guests are here now?', /“here”/],
  ['Which guests are now here?', /“now”/],
  ['How many guests here are from Italy?', /“here”/],
  // What rows do is not what is asked for.
  ['How many guests return?', /“return”/],
  ['How many guests know Ann Novak?', /“know”/],
  ['How many bookings did guests find?', /“find”/],
  ['Which guests want suites?', /“want”/],
  ['How many guests need suites?', /“need”/],
  // Yes and no are no amounts.
  ['total refunded', /payments\.refunded says yes or no/],
  ['average refund', /payments\.refunded says yes or no/],
  ['total revenue from card payments', /bookings\.total or payments\.amount/],
])('declines what it cannot know: %s', async (question, reason) => {
  const linked = await ask(question)
  expect(linked).toEqual({ kind: 'refusal', reason: expect.stringMatching(reason) })
})

it.each([
  ['How many rooms are in Split?', [[1]]],
  ['How many bookings are from Italy?', [[1]]],
  ['Which hotels have guests from Italy?', [['Grand']]],
  ['How many rooms are suites?', [[1]]],
  ['How many bookings are completed?', [[2]]],
  ['List all amenities', [['balcony'], ['minibar']]],
  ['What is the total of all bookings?', [[2300]]],
  ['How many bookings do we have in all?', [[3]]],
  ['How many bookings did all guests from Austria make?', [[1]]],
  ['Which amenities do we have now?', [['balcony'], ['minibar']]],
  ['How many rooms are there now?', [[3]]],
  ['How many bookings are now completed?', [[2]]],
  ['Do you know how many guests we have?', [[3]]],
  ['Which amenities do I need to know?', [['balcony'], ['minibar']]],
  ['I want to find the number of suites', [[1]]],
  ['guests from Italy, show their names', [['Cleo Rossi']]],
  ['How many refunded payments are there?', [[1]]],
  // All are 1, and yet a number of pieces.
  ['total pieces', [[3]]],
  ['revenue of web bookings', [[2000]]],
  ['total amount of card payments', [[1000]]],
  ['How many rooms are for more than 2 guests?', [[1]]],
  ['How many rooms are for up to 2 guests?', [[2]]],
  ['price per night of room 101', [[1, 200]]],
  ['total of booking 3', [[300]]],
])('and answers what is told: %s', async (question, rows) => {
  const linked = await ask(question)
  if (linked.kind !== 'query') throw new Error(JSON.stringify(linked))
  const found = rowsOf(db, linked.sql)
  expect(found.map((row, at) => row.slice(0, rows[at]?.length))).toEqual(rows)
})

it.each([
  ['guests of Seaside', '“Seaside” is told of guests through bookings and rooms'],
  ['hotels for Ann Novak', '“Ann Novak” is told of hotels through rooms and bookings'],
  ['rooms for more than 2 guests', '“guests” is rooms.max_guests'],
])('tells the way to a value that stands elsewhere: %s', async (question, assumption) => {
  expect(await ask(question)).toMatchObject({ kind: 'query', assumptions: [assumption] })
})
