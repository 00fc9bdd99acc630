import type { conversationsEn } from './conversations-en.ts'

export const conversationsDe: typeof conversationsEn = {
  conversations: {
    all: 'Gespräche',
    search: 'Gespräche suchen',
    kept: { all: 'Alle', pinned: 'Angeheftet', archived: 'Weggelegt' },
    none: 'Noch keine Gespräche.',
    noMatch: 'Kein Gespräch ist so.',
    more: 'Mehr zu diesem Gespräch',
    rename: 'Umbenennen',
    title: 'Titel',
    pin: 'Anheften',
    unpin: 'Lösen',
    putAway: 'Weglegen',
    bringBack: 'Zurückholen',
    isPutAway: (title) => `Weggelegt: ${title}`,
    isBack: (title) => `Wieder bei den anderen: ${title}`,
    remove: 'Löschen',
    removeSure: (title) =>
      `„${title}“ wird mit allen Fassungen und Links gelöscht. Das lässt sich nicht rückgängig machen. Die Läufe bleiben unter „Läufe“.`,
    share: 'Teilen',
    shareLead:
      'Wer den Link hat, liest ohne Anmeldung, was bisher gesagt wurde: Texte, Tabellen und die Titel der Quellen. Was später gesagt wird, ist nicht zu sehen.',
    lasts: 'Der Link gilt',
    withQueries: 'Auch zeigen, was Datenbanken gefragt wurden',
    hasQueries: 'mit Abfragen',
    makeLink: 'Link erstellen',
    once: 'Kopieren Sie den Link jetzt: Er wird nur dieses eine Mal gezeigt.',
    links: 'Gültige Links',
    turns: (n) => `${n} ${n === 1 ? 'Frage' : 'Fragen'}`,
    withdraw: 'Zurücknehmen',
  },
  shared: {
    lead: (at) => `Ein Gespräch, wie es am ${at} war. Es wurde zum Lesen mit Ihnen geteilt.`,
    until: (at) => `Der Link gilt bis ${at}.`,
    none: 'Dieser Link führt nirgendwohin (oder nicht mehr).',
    noneHint: 'Er wurde zurückgenommen, ist abgelaufen oder nicht vollständig. Fragen Sie, wer ihn geschickt hat.',
    outside: 'Ein Teil dessen, worauf das beruht, kann von Fremden geschrieben sein.',
    query: 'Was gefragt wurde',
  },
}
