/** A mail of the demo mailbox. Texts are written by hand; names, orders and sums are those of the demo database. */
export interface DemoMail {
  /** Local part of its Message-ID. */
  readonly id: string
  /** `Name <address>`. */
  readonly from: string
  readonly to: string
  readonly cc?: string
  readonly replyTo?: string
  /** UTC, `YYYY-MM-DD HH:MM`. */
  readonly sentAt: string
  readonly subject: string
  readonly text: string
  /** In place of the text, for what only writes HTML. */
  readonly html?: string
  /** Ids of the mails before it in its thread, oldest first. */
  readonly thread?: readonly string[]
  /** A text file that comes with it. */
  readonly attachment?: { readonly name: string; readonly type: string; readonly content: string }
  readonly isUnread?: boolean
}

/** Whose mailbox it is: the Head of Operations. */
export const OWNER = 'Lars Bellander <lars.bellander@brindlemoor-coffee.example>'
/** The team that answers customers. */
export const SUPPORT = 'Customer Support <support@brindlemoor-coffee.example>'

const DARA = 'Dara Tolliver <dara.tolliver@brindlemoor-coffee.example>'
const WIEBKE = 'Wiebke Castellon <wiebke.castellon@brindlemoor-coffee.example>'
const JORIS = 'Joris Lindqvar <joris.lindqvar@brindlemoor-coffee.example>'
const VIKTOR = 'Viktor Dalmeer <viktor.dalmeer@brindlemoor-coffee.example>'
const BRAM = 'Bram Kirkmaiden <bram.kirkmaiden@brindlemoor-coffee.example>'
const INES = 'Ines Imberlin <ines.imberlin@brindlemoor-coffee.example>'
const YARA = 'Yara Jansevoort <yara.jansevoort@cafe-linhollow.example>'
const KUBELKO = 'Kubelko Packaging, sales desk <sales.desk@kubelko-packaging.example>'

export const SENT: readonly DemoMail[] = [
  {
    id: 'out-0901',
    from: OWNER,
    to: SUPPORT,
    cc: WIEBKE,
    sentAt: '2026-09-09 08:40',
    subject: 'Complaint about Morning Filter',
    text: 'Hello all,\n\nGrendrake Coffee House sent back four bags of Morning Filter for quality. Please pass such cases on to Viktor the same day, with the roast date from the bag.\n\nKind regards\nLars',
  },
  {
    id: 'out-1012',
    from: OWNER,
    to: 'Nordbryg, sales desk <sales.desk@nordbryg.example>',
    sentAt: '2026-10-12 09:05',
    subject: 'Purchase order 183',
    text: 'Good morning,\n\nplease find our order 183 over EUR 1,095.00. We need the goods by 26 October.\n\nKind regards\nLars Bellander',
  },
  {
    id: 'out-1021',
    from: OWNER,
    to: YARA,
    cc: SUPPORT,
    sentAt: '2026-10-21 09:30',
    subject: 'Re: Four torn bags in order 905',
    thread: ['in-1020'],
    text: 'Dear Yara,\n\nI am sorry about the torn bags. The refund of EUR 99.60 is booked, and you need not send the coffee back. May I ask which carrier label was on the box?\n\nKind regards\nLars',
  },
  {
    id: 'out-1023',
    from: OWNER,
    to: DARA,
    sentAt: '2026-10-23 14:10',
    subject: 'Hotel Ravmond',
    text: 'Hi Dara,\n\nHotel Ravmond has not paid INV-2026-0878 over EUR 2,659.10. Shall we hold their next order?\n\nLars',
  },
  {
    id: 'out-1026',
    from: OWNER,
    to: KUBELKO,
    sentAt: '2026-10-26 10:15',
    subject: 'Purchase order 187',
    text: 'Good morning,\n\nplease confirm our order 187 over EUR 2,023.40 and the delivery on 9 November.\n\nKind regards\nLars Bellander',
  },
]

export const DRAFTS: readonly DemoMail[] = [
  {
    id: 'draft-1030',
    from: OWNER,
    to: VIKTOR,
    sentAt: '2026-10-30 16:45',
    subject: 'Stock count in November',
    text: 'Hi Viktor,\n\nthe stock count is on Saturday, 14 November. We start at nine and need two people from the roastery for',
  },
]

/** Within the company. */
export const INTERNAL: readonly DemoMail[] = [
  {
    id: 'in-0915',
    from: WIEBKE,
    to: OWNER,
    sentAt: '2026-09-15 13:20',
    subject: 'Returns in the third quarter so far',
    text: 'Hi Lars,\n\nthe returns we had since July came from damaged bags, one quality complaint and mistakes in picking. I will ask the carrier about the damage.\n\nWiebke',
  },
  {
    id: 'in-1005',
    from: BRAM,
    to: OWNER,
    sentAt: '2026-10-05 07:55',
    subject: 'Forklift inspection',
    text: 'Morning Lars,\n\nthe inspection is on Thursday between ten and noon. We cannot load pallets in that time.\n\nBram',
  },
  {
    id: 'in-1013',
    from: JORIS,
    to: OWNER,
    sentAt: '2026-10-13 15:02',
    subject: 'Longer lead time from Kirimara',
    text: 'Hi Lars,\n\nKirimara Estates warns of a week more on the way because of the port. I would order the next lot early, at the latest by 9 November.\n\nJoris',
  },
  {
    id: 'in-1022',
    from: INES,
    to: OWNER,
    cc: DARA,
    sentAt: '2026-10-22 11:40',
    subject: 'Price list for 2027',
    text: 'Hi both,\n\nI need the new purchase prices by 13 November so that the price list can go out on 1 December.\n\nInes',
  },
  {
    id: 'in-1024',
    from: DARA,
    to: OWNER,
    sentAt: '2026-10-24 09:12',
    subject: 'Re: Hotel Ravmond',
    thread: ['out-1023'],
    text: 'Hi Lars,\n\nplease do not hold it yet. Liam promised a payment by 6 November. I will tell you if nothing comes.\n\nDara',
  },
  {
    id: 'in-1029',
    from: SUPPORT,
    to: OWNER,
    sentAt: '2026-10-29 16:30',
    subject: 'Question on damaged goods',
    text: 'Hello Lars,\n\ncustomers ask how long they have to report damaged goods, and whether they must send them back. Could you send us a short text with what the policy says and what returns cost us last quarter?\n\nBram Pellerini, Customer Support',
    isUnread: true,
  },
]
