import type { executionsEn } from './executions-en.ts'

export const executionsDe: typeof executionsEn = {
  executions: {
    title: 'Ausführungen',
    lead: 'welcher Agent was womit getan hat, von allen, das Letzte zuerst',
    agent: 'Agent',
    state: 'Stand',
    person: 'Person',
    all: 'Alle',
    none: 'Noch wurde nichts getan, das dazu passt.',
    cut: (n) => `Die letzten ${n} werden gezeigt; wählen Sie Agent, Stand oder Person, um andere zu sehen.`,
    role: 'ein Schritt der Planung oder des Schreibens',
    question: 'die Frage als Ganzes',
    run: 'Lauf',
    status: { running: 'Läuft', succeeded: 'Fertig', failed: 'Fehlgeschlagen', skipped: 'Übersprungen' },
  },
}
