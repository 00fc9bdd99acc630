/** Words of a document that is opened. */
export const documentEn = {
  document: {
    none: 'There is no such document, or it is not open to you.',
    before: 'Page before',
    next: 'Next page',
    pageOf: (page: number, pages: number) => `page ${page} of ${pages}`,
    toPassage: 'To the passage',
    asText: 'Show as text',
    download: 'Download the file',
    openPage: 'Open as a page of its own',
    notDrawn: 'The page could not be drawn; this is its text.',
    ofRun: 'Of a single question',
    ofCollection: 'Of a collection',
    noPassage: 'This passage is not there; the file may have changed since. This is its text.',
    earlier: 'Show what comes before',
    goOn: 'Read on',
    passages: 'Passages',
    count: (n: number) => `${n} ${n === 1 ? 'passage' : 'passages'}`,
    find: 'Find in this document',
    found: (n: number) => `${n} ${n === 1 ? 'passage holds' : 'passages hold'} these words`,
    noMatch: 'No passage holds these words.',
  },
}
