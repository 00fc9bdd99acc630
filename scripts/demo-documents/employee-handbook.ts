import { list, section, subheading, table, type DemoDocument } from './blocks.ts'
import type { Company } from './company.ts'

const HEADS: readonly (readonly [department: string, jobTitle: string])[] = [
  ['Management', 'Managing Director'],
  ['Sales', 'Head of Sales'],
  ['Roastery', 'Head Roaster'],
  ['Finance', 'Head of Finance'],
  ['Operations', 'Head of Operations'],
  ['Customer Service', 'Customer Service Lead'],
]

export function employeeHandbook(company: Company): DemoDocument {
  return {
    title: 'Employee handbook',
    subtitle: `Brindlemoor Coffee. Edition of January 2026. Approved by ${company.person('Managing Director')}, Managing Director.`,
    blocks: [...theFirm(company), ...time(), ...money(), ...work()],
  }
}

function theFirm({ person }: Company) {
  return [
    ...section(
      'Welcome',
      'This handbook tells how we work together. It is no contract; where it and your contract differ, the contract holds. Ask your manager when something is missing here.',
    ),
    ...section(
      'Departments',
      'The firm has six departments. Each has a head, who is also the person to ask first.',
      table(
        ['Department', 'Head', 'Job title'],
        ...HEADS.map(([department, title]) => [department, person(title), title]),
      ),
    ),
  ]
}

function time() {
  return [
    ...section(
      'Working hours',
      'A full week has 39 hours. The roastery starts at 06:30, the warehouse at 07:00 and the office between 08:00 and 09:30. Breaks of 30 minutes are paid.',
    ),
    ...section(
      'Leave',
      'Full-time employees have 25 days of annual leave, in addition to the public holidays.',
      'Up to 5 days may be carried over into the next year; they must be taken by 31 March. Leave of more than two weeks is agreed with the head of the department at least 8 weeks ahead. In November and December the roastery and the warehouse take no leave of more than three days in a row.',
      subheading('Sickness'),
      'Tell your manager by 08:30 on the first day. A medical certificate is needed from the third day.',
      subheading('Family'),
      'New parents take the leave that the law gives them and two weeks on full pay in addition.',
    ),
  ]
}

function money() {
  return [
    ...section(
      'Travel and expenses',
      'Visits to growers and suppliers are booked through the Accountant. Expenses are handed in with receipts by the fifth working day of the next month.',
      table(
        ['Expense', 'Limit', 'Approval'],
        ['Hotel in Ireland', '130 EUR a night', 'Manager'],
        ['Hotel abroad', '165 EUR a night', 'Manager'],
        ['Meals when travelling', '48 EUR a day', 'None'],
        ['Own car', '0.42 EUR a kilometre', 'Manager'],
        ['Rail, first class', 'Over 4 hours only', 'Head of department'],
      ),
    ),
    ...section(
      'Staff discount',
      'Employees buy coffee at 40 % and equipment at 15 % below list price, for their own use. Each employee takes home one 1 kg bag of coffee a month free of charge.',
    ),
  ]
}

function work() {
  return [
    ...section(
      'Safety in the roastery',
      list(
        'Nobody roasts alone. A second person must be within call.',
        'The afterburner runs before the first batch is charged.',
        'Ear protection is worn while the destoner runs.',
        'Chaff bins are emptied after every fourth batch.',
        'In a roaster fire: stop the drum, close the air, pull the green handle, leave, call 112.',
      ),
    ),
    ...section(
      'Data and mail',
      'Customer lists, prices of suppliers and pay are confidential. They are not sent to addresses outside of the firm, whoever asks for it. When in doubt, call the person who is said to have asked.',
    ),
    ...section(
      'Training',
      'Everybody takes part in a cupping on the first Thursday of the month. Each employee has a training budget of 600 EUR a year.',
    ),
  ]
}
