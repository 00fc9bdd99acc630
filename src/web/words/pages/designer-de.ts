import type { designerEn } from './designer-en.ts'

export const designerDe: typeof designerEn = {
  designer: {
    edit: 'Ändern',
    add: 'Mitglied hinzufügen',
    redo: 'Wiederholen',
    hint: 'Von Anschluss zu Anschluss ziehen, oder C und dann das spätere drücken; Entf entfernt.',
    circle: 'Sie würden im Kreis aufeinander warten; es bleibt, wie es war.',
    last: 'Ein Team hat mindestens ein Mitglied.',
    removed: 'Entfernt; wer darauf wartete, wartet auf das, worauf es wartete.',
    remove: 'Entfernen',
    whole: 'Das Team',
    purpose: 'Wozu es da ist',
    name: 'Name',
    memberLead: 'ein Mitglied',
    task: 'Was ihm jedes Mal gesagt wird',
    tools: 'Werkzeuge',
    find: 'Werkzeug suchen',
    gone: 'hier nicht zu gebrauchen',
    check: (n) => `Prüffrage ${n}`,
    removeCheck: (n) => `Prüffrage ${n} entfernen`,
    holds: 'Ihre Antwort enthält; mehreres mit Semikolon getrennt',
    faults: (n) => `${n} ${n === 1 ? 'Stelle stimmt' : 'Stellen stimmen'} noch nicht.`,
    next: 'Sie genehmigen genau das; dann wird es an seinen Prüffragen erprobt, ohne etwas zu ändern, und benutzt, wenn es sie besteht.',
    send: 'Diese Fassung erproben',
  },
}
