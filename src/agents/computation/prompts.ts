import { summaryPrompt, writePrompt, type PythonWriting } from '../python/prompts.ts'

const WRITING: PythonWriting = {
  agent: 'computation',
  asked: 'Question',
  written: 'code',
  planHint: 'how the answer is computed, in a few short steps; when impossible, what is missing',
  codeHint: 'Python that computes the answer; empty when impossible',
  maxOutputTokens: 3_000,
  rules: `You answer questions by computing. Write a short plan, and Python 3 that carries it out. Rules:
- There is no network, no input from a person, and no files but those the code writes. What can be imported is said below.
- What earlier agents found is in the variable data. Do not retype its rows; read them from there. They are plain values
  from JSON: dates are texts.
- Set the variable result to the answer: a number, a text, or a list of dicts with readable keys when the answer is a table.
  Print nothing that is not part of the answer.
- Mind money: use decimal where cents matter, and round only at the end. State assumptions as comments.
- If a figure that is needed is neither in the question nor in data, leave code empty and say what is missing. Never invent data.`,
  summaryRules: `You say in one to three sentences what a computation came to, so that they answer the question. Use only the numbers in the
outcome, rounded sensibly. Name assumptions that the code makes.`,
  aboutWriting: {
    purpose: 'Plans a computation and writes the Python for it.',
    when: 'the computation agent begins, and once more with the error when the code failed',
    fallback:
      'rules compute arithmetic, shares, growth and statistics in exact fractions, or say what they did not understand',
  },
  aboutSummary: {
    purpose: 'Says what the computation came to.',
    when: 'the code succeeded',
    fallback: 'its result, as it is',
  },
}

/** Plans the computation and writes its code. */
export const writePython = writePrompt(WRITING)

/** Words the outcome. */
export const summariseOutcome = summaryPrompt(WRITING)
