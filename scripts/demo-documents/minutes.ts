import { list, section, type DemoDocument } from './blocks.ts'
import type { Company } from './company.ts'

/** Counts come from the database: orders of the month before, and what the firm no longer sells. */
export function minutesOfSeptember({ person, people, rows }: Company): DemoDocument {
  const august = rows('orders').filter((row) => String(row['order_date']).startsWith('2026-08')).length
  const [firstBuyer, secondBuyer] = people('Buyer')
  return {
    title: 'Minutes of the monthly meeting',
    subtitle: 'Monday, 14 September 2026, 10:00 to 11:20, tasting room.',
    blocks: [
      ...section(
        'Present',
        list(
          `${person('Managing Director')} (chair)`,
          person('Head of Sales'),
          person('Head Roaster'),
          person('Head of Finance'),
          person('Head of Operations'),
          `${person('Customer Service Lead')} (minutes)`,
        ),
      ),
      ...section(
        'Sales',
        `August brought ${august} orders. ${person('Head of Sales')} expects a stronger autumn: Winter Blend starts on 1 October.`,
      ),
      ...section(
        'Carriers',
        `Several customers complained about late parcels. ${person('Warehouse Manager')} compares the three carriers over the last twelve months and reports in October.`,
      ),
      ...section(
        'Packaging',
        `The price of cups is going up. ${firstBuyer} gets a second offer for paper cups by 9 October 2026.`,
        `${secondBuyer} asks Papierwerk Elzing for a sample of unbleached filter papers.`,
      ),
      ...section(
        'Decisions',
        list(
          'The open day of the roastery is on Saturday, 21 November 2026.',
          'The old shop mill is sold to staff; it has been out of the price list since March.',
          'The returns policy stays as it is. It is looked at again in March 2027.',
        ),
      ),
      ...section('Next meeting', 'Monday, 12 October 2026, 10:00, tasting room.'),
    ],
  }
}
