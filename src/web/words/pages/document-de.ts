import type { documentEn } from './document-en.ts'

export const documentDe: typeof documentEn = {
  document: {
    none: 'Dieses Dokument gibt es nicht, oder es steht Ihnen nicht offen.',
    before: 'Seite davor',
    next: 'Nächste Seite',
    pageOf: (page, pages) => `Seite ${page} von ${pages}`,
    toPassage: 'Zur Stelle',
    asText: 'Als Text zeigen',
    download: 'Datei herunterladen',
    openPage: 'Als eigene Seite öffnen',
    notDrawn: 'Die Seite ließ sich nicht zeichnen; dies ist ihr Text.',
    ofRun: 'Zu einer einzelnen Frage',
    ofCollection: 'In einer Sammlung',
    noPassage: 'Diese Stelle gibt es nicht; die Datei hat sich vielleicht geändert. Dies ist ihr Text.',
    earlier: 'Zeigen, was davor steht',
    goOn: 'Weiterlesen',
    passages: 'Stellen',
    count: (n) => `${n} ${n === 1 ? 'Stelle' : 'Stellen'}`,
    find: 'In diesem Dokument suchen',
    found: (n) => `Diese Wörter stehen an ${n} ${n === 1 ? 'Stelle' : 'Stellen'}`,
    noMatch: 'Diese Wörter stehen an keiner Stelle.',
  },
}
