import { isoDay, LAST_DAY, parseDay, workdayFrom, type Day } from './calendar.ts'
import type { Order } from './ordering.ts'
import type { Employee } from './people.ts'
import type { Random } from '../../test/support/random.ts'
import { isCancelled, isDelivered } from './trade.ts'

export interface Ticket {
  readonly customerId: number
  readonly contactId: number
  readonly orderId: number | null
  readonly employeeId: number
  readonly openedAt: string
  readonly closedAt: string | null
  readonly topic: string
  readonly priority: string
  readonly subject: string
  readonly satisfaction: number | null
}

interface Topic {
  readonly name: string
  readonly weight: number
  readonly subjects: readonly string[]
}

const TOPICS: readonly Topic[] = [
  {
    name: 'delivery',
    weight: 30,
    subjects: ['Parcel has not arrived', 'Part of the delivery is missing', 'Change of delivery address'],
  },
  { name: 'quality', weight: 18, subjects: ['Coffee tastes flat', 'Bags arrived torn', 'Roast darker than usual'] },
  { name: 'billing', weight: 22, subjects: ['Question about an invoice', 'Discount missing', 'Paid twice'] },
  { name: 'equipment', weight: 18, subjects: ['Grinder jams', 'Machine loses pressure', 'Service visit wanted'] },
  { name: 'general', weight: 12, subjects: ['Sample request', 'Training for new staff', 'Copy of the price list'] },
]

const LATE_SUBJECTS = ['Order is late', 'When will our order arrive?']

/** Tickets about orders; a late order draws far more of them than one that came in time. */
export function makeTickets(random: Random, orders: readonly Order[], employees: readonly Employee[]): Ticket[] {
  return orders
    .filter((order) => !isCancelled(order))
    .flatMap((order) => {
      const late = isLate(order)
      if (!random.chance(late ? 0.55 : 0.3)) return []
      const opened = workdayFrom(late ? order.requiredDay + 1 : (order.deliveredDay ?? order.day) + random.int(0, 20))
      return opened > LAST_DAY ? [] : [writeTicket(random, order, opened, late, employees)]
    })
    .sort((a, b) => (a.openedAt < b.openedAt ? -1 : 1))
}

/** Delivered, or still not delivered, after the day it was required. */
function isLate(order: Order): boolean {
  return isDelivered(order) ? order.deliveredDay! > order.requiredDay : order.requiredDay < LAST_DAY
}

function writeTicket(random: Random, order: Order, opened: Day, late: boolean, employees: readonly Employee[]): Ticket {
  const topic = late ? TOPICS[0]! : random.weighted(TOPICS, (t) => t.weight)
  const priority = random.weighted(
    ['low', 'normal', 'high'],
    (p) => ({ low: 3, normal: 5, high: late ? 8 : 1 })[p] ?? 0,
  )
  const daysOpen = random.weighted(
    priority === 'high' ? [0, 1, 2, 4] : [0, 1, 2, 4, 9, 20, 45],
    (days) => 1 / (days + 6),
  )
  const closed = workdayFrom(opened + daysOpen)
  const isClosed = closed <= LAST_DAY
  const openHour = random.int(8, 12)
  return {
    customerId: order.customer.id,
    contactId: order.contactId,
    orderId: topic.name === 'general' ? null : order.id,
    employeeId: random.pick(agentsFor(topic.name, opened, employees)).id,
    openedAt: stamp(random, opened, openHour),
    closedAt: isClosed ? stamp(random, closed, random.int(openHour + 1, 17)) : null,
    topic: topic.name,
    priority,
    subject: random.pick(late ? LATE_SUBJECTS : topic.subjects),
    satisfaction: isClosed && random.chance(0.7) ? rate(random, daysOpen, late) : null,
  }
}

function agentsFor(topic: string, day: Day, employees: readonly Employee[]): Employee[] {
  const title = topic === 'equipment' ? 'Service Technician' : 'Support Agent'
  return employees.filter((employee) => employee.jobTitle === title && parseDay(employee.hireDate) <= day)
}

/** 1 (bad) to 5 (good): the longer it took, the worse. */
function rate(random: Random, daysOpen: number, late: boolean): number {
  const base = daysOpen <= 1 ? 5 : daysOpen <= 4 ? 4 : 3
  return Math.max(1, base - (late ? 1 : 0) - random.int(0, 1))
}

function stamp(random: Random, day: Day, hour: number): string {
  const [h, m, s] = [hour, random.int(0, 59), random.int(0, 59)].map((part) => String(part).padStart(2, '0'))
  return `${isoDay(day)} ${h}:${m}:${s}`
}
