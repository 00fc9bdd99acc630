import type { agentsEn } from './agents-en.ts'

export const agentsDe: typeof agentsEn = {
  well: (n) => (n === 1 ? 'Die letzte Aufgabe gelang' : `Die letzten ${n} Aufgaben gelangen`),
  failed: (n, all) => `${n} der letzten ${all} Aufgaben misslangen`,
  declined: (n, all) =>
    n === all
      ? `Lehnte ${n === 1 ? 'die letzte Aufgabe' : `die letzten ${n} Aufgaben`} ab`
      : `Lehnte ${n} der letzten ${all} Aufgaben ab`,
  asked: 'Gefragt; noch ohne Ergebnis',
  notAsked: 'Von Ihnen noch nicht gefragt',
  errors: 'Letzte Fehler',
  byRules: 'nach Regeln',
}
