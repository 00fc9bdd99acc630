import { FIRST_DAY, LAST_DAY, parseDay, type Day } from './calendar.ts'
import { COMPANY_WORDS, FIRST_NAMES, LAST_NAMES, PLACES, SEGMENTS, type Place } from './names.ts'
import type { Random } from '../../test/support/random.ts'

export interface Employee {
  readonly id: number
  readonly firstName: string
  readonly lastName: string
  readonly jobTitle: string
  readonly department: string
  readonly hireDate: string
  readonly managerId: number | null
}

/** How quickly a customer pays; it decides who shows up among the late payers. */
export type PaymentHabit = 'prompt' | 'slow' | 'bad'

export interface Customer {
  readonly id: number
  readonly companyName: string
  readonly segment: string
  readonly place: Place
  readonly city: string
  readonly accountManagerId: number
  readonly paymentTermsDays: number
  readonly discountPercent: number
  readonly since: Day
  /** The last day on which it orders; absent for an active customer. */
  readonly leftOn?: Day
  /** Relative number of orders. */
  readonly appetite: number
  readonly habit: PaymentHabit
}

export interface Contact {
  readonly id: number
  readonly customerId: number
  readonly firstName: string
  readonly lastName: string
  readonly role: string
  readonly email: string
  readonly phone: string
  readonly isPrimary: boolean
}

/** Title, department, place of the manager in this list (from 1, 0 for none), hiring date. */
const POSTS: readonly (readonly [string, string, number, string])[] = [
  ['Managing Director', 'Management', 0, '2017-03-01'],
  ['Head of Sales', 'Sales', 1, '2018-01-15'],
  ['Head Roaster', 'Roastery', 1, '2017-04-03'],
  ['Head of Finance', 'Finance', 1, '2018-09-03'],
  ['Head of Operations', 'Operations', 1, '2019-02-11'],
  ['Customer Service Lead', 'Customer Service', 2, '2019-06-17'],
  ['Account Manager', 'Sales', 2, '2018-05-14'],
  ['Account Manager', 'Sales', 2, '2019-10-07'],
  ['Account Manager', 'Sales', 2, '2021-03-22'],
  ['Account Manager', 'Sales', 2, '2022-08-29'],
  ['Account Manager', 'Sales', 2, '2024-02-19'],
  ['Roaster', 'Roastery', 3, '2019-01-07'],
  ['Roaster', 'Roastery', 3, '2023-05-02'],
  ['Buyer', 'Operations', 5, '2019-08-12'],
  ['Buyer', 'Operations', 5, '2022-01-10'],
  ['Warehouse Manager', 'Operations', 5, '2020-02-03'],
  ['Warehouse Operator', 'Operations', 16, '2021-09-13'],
  ['Warehouse Operator', 'Operations', 16, '2024-10-01'],
  ['Accountant', 'Finance', 4, '2020-11-02'],
  ['Support Agent', 'Customer Service', 6, '2021-01-18'],
  ['Support Agent', 'Customer Service', 6, '2023-02-06'],
  ['Service Technician', 'Customer Service', 6, '2020-07-20'],
]

const ACTIVE_FROM_THE_START = 48
const CUSTOMERS = 92
const CONTACT_ROLES = ['Owner', 'Purchasing Manager', 'Head Barista', 'Accounts Payable', 'Operations Manager']

export function makeEmployees(random: Random): Employee[] {
  const taken = new Set<string>()
  return POSTS.map(([jobTitle, department, manager, hireDate], index) => ({
    id: index + 1,
    ...uniquePerson(random, taken),
    jobTitle,
    department,
    hireDate,
    managerId: manager === 0 ? null : manager,
  }))
}

/** Customers in the order in which they joined: half before the first day on record, the rest one by one until near the last. */
export function makeCustomers(random: Random, employees: readonly Employee[]): Customer[] {
  const words = new Set<string>()
  while (words.size < CUSTOMERS) words.add(random.pick(COMPANY_WORDS))
  const joined = [...words].map((_, i) => joiningDay(random, i)).sort((a, b) => a - b)
  return [...words].map((word, i) => {
    const segment = random.weighted(SEGMENTS, (s) => s.weight)
    const place = random.weighted(PLACES, (p) => p.weight)
    const since = joined[i]!
    const managers = employees.filter((e) => e.jobTitle === 'Account Manager' && parseDay(e.hireDate) <= since)
    const leaves = random.chance(0.13) ? Math.max(since, FIRST_DAY) + random.int(180, 800) : undefined
    return {
      id: i + 1,
      companyName: random.pick(segment.patterns).replace('*', word),
      segment: segment.name,
      place,
      city: random.pick(place.cities),
      accountManagerId: random.pick(managers).id,
      paymentTermsDays: random.weighted([14, 30, 45], (days) => (days === 30 ? 3 : 1)),
      discountPercent: random.weighted([0, 3, 5, 8, 12], (percent) => 14 - percent),
      since,
      ...(leaves !== undefined && leaves < LAST_DAY - 60 ? { leftOn: leaves } : {}),
      appetite: segment.appetite * random.weighted([0.4, 0.8, 1.2, 2.2, 4], (size) => 3 / size),
      habit: random.weighted(['prompt', 'slow', 'bad'] as const, (h) => ({ prompt: 70, slow: 21, bad: 9 })[h]),
    }
  })
}

function joiningDay(random: Random, index: number): Day {
  if (index < ACTIVE_FROM_THE_START) return random.int(parseDay('2019-11-04'), FIRST_DAY - 1)
  return random.int(FIRST_DAY, LAST_DAY - 90)
}

/** One to three people a customer; the first is its main contact and has the most senior role. */
export function makeContacts(random: Random, customers: readonly Customer[]): Contact[] {
  const taken = new Set<string>()
  const contacts: Contact[] = []
  for (const customer of customers) {
    const count = random.int(1, 3)
    const firstRole = random.int(0, CONTACT_ROLES.length - 1)
    for (let i = 0; i < count; i++) {
      const person = uniquePerson(random, taken)
      contacts.push({
        id: contacts.length + 1,
        customerId: customer.id,
        ...person,
        role: CONTACT_ROLES[(firstRole + i) % CONTACT_ROLES.length]!,
        email: emailOf(person, customer.companyName),
        phone: `${customer.place.phonePrefix} 555 ${random.int(1000, 9999)}`,
        isPrimary: i === 0,
      })
    }
  }
  return contacts
}

/** An address under the reserved top-level domain `.example`, which can never reach anyone (RFC 2606). */
export function emailOf(person: { readonly firstName: string; readonly lastName: string }, company: string): string {
  const domain = plain(company).replaceAll(/[^a-z]+/g, '-')
  return `${plain(person.firstName)}.${plain(person.lastName)}@${domain}.example`
}

export function isActive(customer: Customer, day: Day): boolean {
  return customer.since <= day && (customer.leftOn === undefined || day <= customer.leftOn)
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

function uniquePerson(random: Random, taken: Set<string>): { firstName: string; lastName: string } {
  for (;;) {
    const person = { firstName: random.pick(FIRST_NAMES), lastName: random.pick(LAST_NAMES) }
    const name = `${person.firstName} ${person.lastName}`
    if (taken.has(name)) continue
    taken.add(name)
    return person
  }
}
