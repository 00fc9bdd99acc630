import { section, type DemoDocument } from './blocks.ts'
import type { Company } from './company.ts'

export function faq({ rows }: Company): DemoDocument {
  const carriers = [...new Set(rows('shipments').map((row) => String(row['carrier'])))].sort()
  const terms = [...new Set(rows('customers').map((row) => Number(row['payment_terms_days'])))].sort((a, b) => a - b)
  return {
    title: 'Questions that customers ask',
    subtitle: 'Brindlemoor Coffee, customer service.',
    blocks: [
      ...section(
        'When is my order sent?',
        'Orders that reach us by 13:00 on a working day are packed the same day if everything is in stock. An order is sent as a whole; we do not send parts of it.',
      ),
      ...section(
        'Who delivers?',
        `${carriers.slice(0, -1).join(', ')} and ${carriers.at(-1)}. Within Ireland a parcel takes one to two days, elsewhere two to five.`,
      ),
      ...section(
        'Is there a discount for large orders?',
        'From 40 pieces of one product there are 5 percentage points of discount in addition to your own.',
      ),
      ...section(
        'When do I have to pay?',
        `Within ${terms.slice(0, -1).join(', ')} or ${terms.at(-1)} days of the invoice, as agreed with your account manager.`,
      ),
      ...section(
        'Can I send something back?',
        'Yes. See our returns policy, and ask customer service for a return number first.',
      ),
      ...section(
        'How long does coffee keep?',
        'Unopened for nine months, opened for three weeks. Keep it dry and dark, and not in the fridge.',
      ),
    ],
  }
}
