import { list, NEW_PAGE, section, subheading, table, type DemoDocument } from './blocks.ts'
import type { Company } from './company.ts'

/** The reasons are those of the table `returns`; the periods hold for every return in it. */
export function returnsPolicy({ person }: Company): DemoDocument {
  return {
    title: 'Returns policy',
    subtitle: `Brindlemoor Coffee. Version 4, valid from 1 March 2023. Owner: ${person('Customer Service Lead')}, Customer Service.`,
    blocks: [
      ...scope(),
      NEW_PAGE,
      ...reasons(),
      NEW_PAGE,
      ...damaged(),
      NEW_PAGE,
      ...exceptions(person('Head of Finance')),
    ],
  }
}

function scope() {
  return [
    ...section(
      '1. Purpose',
      'This policy says when a business customer may send goods back to Brindlemoor Coffee, how that is done, who pays for it and what the customer gets for the goods. It is meant for customers and for all of us who talk to them.',
      'Brindlemoor Coffee sells to cafés, restaurants, hotels, offices and shops. Consumer law on distance selling does not apply to these sales. What is written here is what we promise instead.',
    ),
    ...section(
      '2. Scope',
      'The policy covers everything in the price list: coffee, equipment and supplies, ordered through any channel. It covers goods that were delivered to an address in one of the seven countries that we serve.',
      'It does not cover repairs. A machine or grinder that fails in use is a matter for the service technician and for the guarantee of its maker.',
    ),
    ...section(
      '3. How to ask for a return',
      'A return begins with a message to support@brindlemoor-coffee.example or a call to Customer Service. Goods that come back unannounced wait until we know whose they are, and we cannot promise a date for them.',
      list(
        'Give the number of the order and the products and pieces that are to go back.',
        'Give the reason, in the words of section 4.',
        'Wait for the return number. Customer Service sends it within one working day.',
        'Write the return number on the outside of each parcel.',
      ),
    ),
  ]
}

function reasons() {
  return [
    ...section(
      '4. Reasons, periods and costs',
      'All periods run from the day of delivery as the carrier recorded it. The goods must be back in our warehouse no later than 21 days after delivery, whatever the reason.',
      table(
        ['Reason', 'Report within', 'Who pays the carriage', 'Back into stock', 'What the customer gets'],
        ['Damaged in transit', '7 days', 'Brindlemoor Coffee', 'No', 'Replacement or credit'],
        ['Wrong item', '14 days', 'Brindlemoor Coffee', 'Yes', 'The right item, or credit'],
        ['Quality', '14 days', 'Brindlemoor Coffee', 'No', 'Replacement or credit'],
        ['Ordered too much', '14 days', 'The customer', 'Yes', 'Credit'],
      ),
      'A return for more than one reason is treated under the reason that is better for the customer.',
    ),
    ...section(
      '5. Sending goods back',
      'Where Brindlemoor Coffee pays the carriage, we send a label or have the goods collected by the carrier that brought them. Where the customer pays, the customer chooses the carrier and bears the risk on the way.',
      subheading('Packing'),
      'Coffee must be in its sealed bag. Machines and grinders must be empty of water and beans and must be sent in the original carton on a pallet. Parcels that reach us damaged because they were packed badly are not credited.',
    ),
  ]
}

function damaged() {
  return [
    ...section(
      '6. Damaged goods',
      'Goods that arrive damaged must be reported within 7 days of delivery. A report that comes later is handled as a favour and not as a right.',
      'The report must include photographs of the goods, of the inner packing and of the shipping label. Without photographs we cannot claim from the carrier, and we may refuse the return.',
      'The customer chooses between a replacement and a credit note. A replacement leaves our warehouse within two working days of the report. If the product is out of stock, a credit note is issued.',
      'Brindlemoor Coffee bears the cost of carriage for damaged goods in both directions. We claim it from the carrier ourselves; the customer need not do anything for it.',
      'Goods worth less than 50 EUR need not be sent back. The photographs are enough, and the customer disposes of the goods.',
      'Damaged goods are never put back into stock. Coffee from torn bags is composted; damaged equipment goes to the service workshop for parts.',
    ),
    ...section(
      '7. Refunds and credit notes',
      'The credit is the invoiced price of the returned pieces after discount and before tax; tax is corrected on the credit note. List prices do not matter.',
      'Credit notes are issued within 5 working days of the arrival of the goods. They are set against the next invoice, or paid out on request when there is no open invoice.',
      'There is no restocking fee.',
    ),
  ]
}

function exceptions(headOfFinance: string) {
  return [
    ...section(
      '8. What cannot be returned',
      list(
        'Coffee whose bag has been opened, unless the reason is quality.',
        'Coffee that was roasted to order for one customer.',
        'Discontinued products that were sold at a closing-out price.',
        'Cups and lids printed with the name of the customer.',
      ),
    ),
    ...section(
      '9. Complaints about quality',
      'For a complaint about quality we ask for 200 g of the coffee, with the roast date on the bag. The Head Roaster cups it together with the sample that we keep of every batch. Samples are kept for 90 days.',
    ),
    ...section(
      '10. Decisions and exceptions',
      `Customer Service decides on credits of up to 500 EUR. Larger credits, and every exception from this policy, are decided by the Head of Finance, ${headOfFinance}.`,
      'Each return is recorded with the order line, the date, the number of pieces, the reason, the refund and whether the goods were restocked.',
    ),
  ]
}
