import { list, NEW_PAGE, section, table, type Block, type DemoDocument } from './blocks.ts'
import { euro, type Company } from './company.ts'

const SUPPLIER = 'Fazenda Pedra Lisa'

/** Prices and lead time are those of the database, which are in force since 3 February 2025. */
export function supplierContract(company: Company): DemoDocument {
  const supplier = company.rows('suppliers').find((row) => row['company_name'] === SUPPLIER)!
  const prices = company
    .rows('products')
    .filter((row) => row['supplier_id'] === supplier['supplier_id'] && row['discontinued_on'] === null)
    .map((row) => [String(row['sku']), String(row['name']), euro(row['unit_cost'])])
  const pages = [
    parties(),
    goods(),
    pricesOf(prices),
    delivery(Number(supplier['lead_time_days'])),
    lateness(),
    quality(),
    duties(),
    ending(),
    closing(company),
  ]
  return {
    title: 'Supply agreement',
    subtitle: `Between Brindlemoor Coffee, Ireland, and ${SUPPLIER}, ${String(supplier['country'])}. Agreement BC-2025-07 of 3 February 2025.`,
    blocks: pages.flatMap((page, i) => (i === 0 ? page : [NEW_PAGE, ...page])),
  }
}

function parties(): Block[] {
  return [
    ...section(
      '1. Parties',
      `Brindlemoor Coffee (the "Buyer") roasts coffee in Ireland and sells it to businesses. ${SUPPLIER} (the "Supplier") grows and exports coffee. Together they are the "Parties".`,
      'Each Party names one person who speaks for it in matters of this agreement. A change of that person is told to the other Party in writing within ten days.',
    ),
    ...section(
      '2. Definitions',
      list(
        '"Goods" are the coffees listed in clause 5.',
        '"Order" is a purchase order of the Buyer that names Goods, quantities and a date.',
        '"Delivery" is the arrival of the Goods at the Buyer\'s warehouse.',
        '"Defect" is any departure from the quality described in clause 10.',
        '"Working day" is a day on which banks are open in both countries.',
      ),
    ),
  ]
}

function goods(): Block[] {
  return [
    ...section(
      '3. Subject of the agreement',
      'The Supplier sells and the Buyer buys the Goods on the terms of this agreement. General terms of either Party do not apply, even where an Order or an invoice refers to them.',
      'The agreement binds neither Party to a sole supplier or a sole customer.',
    ),
    ...section(
      '4. Quantities',
      'The Buyer gives a forecast for the next two quarters by the tenth day of each quarter. Forecasts do not bind.',
      'The Buyer orders at least 6,000 kg in each calendar year. If it orders less, the Supplier may end the agreement under clause 15, and has no other claim.',
      'The Supplier accepts Orders of up to 1,500 kg a month. It answers an Order for more within five working days.',
    ),
  ]
}

function pricesOf(prices: readonly (readonly string[])[]): Block[] {
  return [
    ...section(
      '5. Prices',
      "Prices are for one bag of 1 kg, delivered to the Buyer's warehouse, in euros and without tax. They apply from 3 February 2025.",
      table(['Article', 'Goods', 'Price'], ...prices),
    ),
    ...section(
      '6. Change of prices',
      'A Party may ask for new prices once a year, in writing, by 30 September, for the year that follows. If the Parties do not agree within 30 days, the old prices stay and either Party may end the agreement under clause 15.',
      'If the reference price of the coffee exchange moves by more than 25 % within three months, both Parties talk about prices without delay.',
    ),
  ]
}

function delivery(leadTimeDays: number): Block[] {
  return [
    ...section(
      '7. Orders and lead time',
      'Orders are sent by e-mail. The Supplier confirms each Order within two working days.',
      `The lead time is ${leadTimeDays} days from the confirmation of the Order to Delivery.`,
      'The Buyer may change or cancel an Order free of charge within three working days of sending it.',
    ),
    ...section(
      '8. Transport and risk',
      "The Supplier arranges and pays for transport to the Buyer's warehouse. Risk and ownership pass to the Buyer on Delivery.",
      'Goods travel in lined containers, apart from anything that smells. Each shipment carries the certificate of origin, the phytosanitary certificate and the list of lots.',
    ),
  ]
}

function lateness(): Block[] {
  return [
    ...section(
      '9. Late delivery',
      'The Supplier tells the Buyer as soon as it knows that a Delivery will be late, and gives a new date.',
      'For each full week of delay the Supplier credits 1.5 % of the value of the late Goods, up to 9 % in total.',
      'After six weeks of delay the Buyer may cancel the Order for the late Goods. Damages beyond the credit are owed only for intent and gross negligence.',
      'No credit is owed where the delay was caused by the Buyer or by an event under clause 14.',
    ),
  ]
}

function quality(): Block[] {
  return [
    ...section(
      '10. Quality',
      'The Goods score at least 80 points on the cupping form that the Parties have agreed on. Moisture is between 10 % and 12 %. There are no primary defects in a sample of 350 g.',
      'The Supplier sends a sample of 500 g of each lot before shipment. The Buyer approves or rejects it within seven working days; silence is approval.',
    ),
    ...section(
      '11. Inspection and defects',
      'The Buyer inspects the Goods within 15 working days of Delivery and reports Defects with photographs and a sample. Hidden Defects are reported within 10 working days of their discovery, at the latest six months after Delivery.',
      'For defective Goods the Buyer may ask for replacement, for a lower price, or for its money back. The Supplier bears the cost of the return.',
    ),
  ]
}

function duties(): Block[] {
  return [
    ...section(
      '12. Payment',
      'The Buyer pays within 45 days of the date of the invoice. For payment within 10 days it deducts 2 %. Interest on late payment is 6 % a year.',
    ),
    ...section(
      '13. Work and environment',
      "The Supplier pays at least the legal wage, employs nobody under 16 and keeps records that the Buyer may see on two weeks' notice. It does not clear primary forest for the Goods.",
      "The Parties treat each other's prices, forecasts and customer data as confidential, during the agreement and for three years after it.",
    ),
  ]
}

function ending(): Block[] {
  return [
    ...section(
      '14. Events beyond control',
      'A Party is not liable while frost, flood, war, strike, the closing of a port or an act of a public authority keeps it from performing. It tells the other Party within five days. If the event lasts for more than 90 days, either Party may withdraw from the Orders concerned.',
    ),
    ...section(
      '15. Term and notice',
      'The agreement begins on 3 February 2025 and runs until 31 January 2028. It is then extended by one year at a time.',
      "Either Party may end it with four months' notice to the end of a calendar quarter. Notice must be given in writing.",
      'A Party may end the agreement at once if the other breaks a main duty and does not mend it within 30 days of a warning.',
    ),
  ]
}

function closing({ person }: Company): Block[] {
  return [
    ...section(
      '16. Law and disputes',
      'The agreement is governed by the law of Ireland, without the United Nations convention on the sale of goods. The Parties first try to settle a dispute by mediation in Dublin. If that fails within 60 days, the courts of Dublin decide.',
    ),
    ...section(
      '17. Final provisions',
      'Changes need the written form. If a provision is void, the others stand. The agreement is made in English in two originals.',
      `For Brindlemoor Coffee: ${person('Managing Director')}, Managing Director, and ${person('Head of Operations')}, Head of Operations.`,
      `For ${SUPPLIER}: the managing partners.`,
    ),
  ]
}
