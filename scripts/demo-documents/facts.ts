/** A fact that is in one of the demo's documents, with a question that it answers. */
export interface Fact {
  readonly question: string
  readonly answer: string
  readonly file: string
  /** From 1; in PDF alone. */
  readonly page?: number
  /** Heading, or the name of the sheet. */
  readonly section?: string
  /** As it is in the file; of a row of a table, its cells joined by spaces. */
  readonly sentence: string
}

/** Ten questions for the documents. They are asked in a test. */
export const FACTS: readonly Fact[] = [
  {
    question: 'Within how many days must damaged goods be reported?',
    answer: '7 days',
    file: 'returns-policy.pdf',
    page: 3,
    section: '6. Damaged goods',
    sentence: 'Goods that arrive damaged must be reported within 7 days of delivery.',
  },
  {
    question: 'Who pays the carriage when a customer ordered too much?',
    answer: 'The customer',
    file: 'returns-policy.pdf',
    page: 2,
    section: '4. Reasons, periods and costs',
    sentence: 'Ordered too much 14 days The customer Yes Credit',
  },
  {
    question: 'How much may a hotel abroad cost?',
    answer: '165 EUR a night',
    file: 'employee-handbook.docx',
    section: 'Travel and expenses',
    sentence: 'Hotel abroad 165 EUR a night Manager',
  },
  {
    question: 'What is the list price of Nyeri AA?',
    answer: '32.90 EUR',
    file: 'price-list-2026.xlsx',
    section: 'Coffee',
    sentence: 'SO-109 Nyeri AA 1 kg bag 32.9',
  },
  {
    question: 'What does Fazenda Pedra Lisa credit for late delivery?',
    answer: '1.5 % of the value of the late goods for each full week, up to 9 %',
    file: 'supplier-contract.pdf',
    page: 5,
    section: '9. Late delivery',
    sentence:
      'For each full week of delay the Supplier credits 1.5 % of the value of the late Goods, up to 9 % in total.',
  },
  {
    question: 'With what notice can the supply agreement be ended?',
    answer: 'Four months to the end of a calendar quarter, in writing',
    file: 'supplier-contract.pdf',
    page: 8,
    section: '15. Term and notice',
    sentence: "Either Party may end it with four months' notice to the end of a calendar quarter.",
  },
  {
    question: 'At what temperature is House Espresso dropped?',
    answer: '218 °C',
    file: 'roasting-notes.md',
    section: 'Profiles',
    sentence: 'House Espresso is dropped at 218 °C after 11 minutes and 40 seconds.',
  },
  {
    question: 'Who gets a second offer for paper cups, and by when?',
    answer: 'Joris Lindqvar, by 9 October 2026',
    file: 'minutes-2026-09.txt',
    section: 'PACKAGING',
    sentence: 'Joris Lindqvar gets a second offer for paper cups by 9 October 2026.',
  },
  {
    question: 'By what time must an order arrive to be packed the same day?',
    answer: '13:00',
    file: 'faq.html',
    section: 'When is my order sent?',
    sentence: 'Orders that reach us by 13:00 on a working day are packed the same day if everything is in stock.',
  },
  {
    question: 'What is the tracking number of order 870?',
    answer: 'BRC431265',
    file: 'shipments.csv',
    sentence: '845,870,Greenway Freight,BRC431265,2026-09-02,2026-09-03',
  },
]
