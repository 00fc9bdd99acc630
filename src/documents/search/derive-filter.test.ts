import { describe, expect, it } from 'vitest'
import type { DocumentRecord } from '../types.ts'
import { dateRangeOf } from './date-range.ts'
import { deriveFilter } from './derive-filter.ts'

const DOCUMENTS: Pick<DocumentRecord, 'documentId' | 'name' | 'type' | 'date' | 'topics'>[] = [
  { documentId: '1', name: 'data.pdf', type: 'pdf', date: '2025-03-31', topics: ['Refunds', 'Late delivery'] },
  { documentId: '2', name: 'archive/a.docx', type: 'docx', topics: ['Late delivery of coffee'] },
  { documentId: '3', name: 'table.csv', type: 'csv', topics: [] },
  { documentId: '4', name: 'notes', type: 'txt', topics: ['Refund of deposits'] },
  { documentId: '5', name: 'sheet.xlsx', type: 'xlsx', topics: [] },
]

describe('the filter that a question implies', () => {
  it.each([
    ['What is in the PDF about refunds?', {}, { types: ['pdf'] }],
    ['according to our Word documents, who pays?', {}, { types: ['docx'] }],
    ['in other words, who pays?', {}, {}],
    ['What is the total in the spreadsheet?', {}, { types: ['xlsx', 'ods', 'csv'] }],
    ['from the sales CSV, the best region', {}, { types: ['csv'] }],
    ['How do I export to PDF?', {}, {}],
    ['Is there a mistake in the text?', {}, {}],
    ['in the markdown files', {}, {}],
    ['refunds', { doc_type: ['pdf', 'Word'] }, { types: ['pdf', 'docx'] }],
    ['refunds', { doc_type: 'hologram' }, {}],
    ['refunds', { doc_type: 7, date_range: {}, section: '  ' }, {}],
    ['what does data.pdf say?', {}, { documentIds: ['1'] }],
    ['what does DATA.PDF say in the CSV?', {}, { documentIds: ['1'] }],
    ['what does mydata.pdf say?', {}, {}],
    ['what do the notes say?', {}, {}],
    ['compare a.docx with table.csv', {}, { documentIds: ['2', '3'] }],
    ['refunds', { document: 'archive/a.docx' }, { documentIds: ['2'] }],
    ['what does the section “Refund rules” say?', {}, { section: 'Refund rules' }],
    ['refunds', { section: 'Rules' }, { section: 'Rules' }],
    ['refunds', { date_range: { start: '2025-01-01', end: '2025-06-30' } }, { from: '2025-01-01', to: '2025-06-30' }],
    ['refunds', { date_range: '2019' }, {}],
    ['What do the documents about late delivery say on fees?', {}, { documentIds: ['1', '2'] }],
    ['In our files on refunds, who pays?', {}, { documentIds: ['1', '4'] }],
    ['What do the documents about zebras say?', {}, {}],
    ['Who documents the late delivery?', {}, {}],
  ])('of %j with %j', (question, entities, filter) => {
    expect(deriveFilter(question, entities, DOCUMENTS)).toEqual(filter)
  })
})

describe('spans of days', () => {
  it.each([
    ['2025', '2025-01-01', '2025-12-31'],
    [2025, undefined, undefined],
    ['2024-02', '2024-02-01', '2024-02-29'],
    ['2025-03-04', '2025-03-04', '2025-03-04'],
    ['2025-01-01 to 2025-03-31', '2025-01-01', '2025-03-31'],
    ['2025-01 – 2025-02', '2025-01-01', '2025-02-28'],
    ['2025-01-01/2025-03-31', '2025-01-01', '2025-03-31'],
    ['2025-01-01..2025-03-31', '2025-01-01', '2025-03-31'],
    ['Q2 2025', '2025-04-01', '2025-06-30'],
    ['2025-Q4', '2025-10-01', '2025-12-31'],
    [['2025-01-01', '2025-01-31'], '2025-01-01', '2025-01-31'],
    [{ from: '2025-01-01' }, '2025-01-01', undefined],
    [{ to: '2025-01' }, undefined, '2025-01-31'],
    ['2025-12-31 to 2025-01-01', undefined, undefined],
    ['2025-13', undefined, undefined],
    ['last quarter', undefined, undefined],
    [null, undefined, undefined],
  ])('%j', (given, from, to) => {
    expect(dateRangeOf(given)).toEqual(
      from === undefined && to === undefined
        ? undefined
        : { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
    )
  })
})
