import { summaryPrompt, writePrompt, type PythonWriting } from '../python/prompts.ts'

const WRITING: PythonWriting = {
  agent: 'code',
  asked: 'Task',
  written: 'program',
  planHint: 'what the code does, in one or two sentences; when impossible, what is missing',
  codeHint: 'the whole Python program; empty when impossible',
  maxOutputTokens: 4_000,
  rules: `You write a Python 3 program for a task. A person reads it and decides whether it may run, so keep it short and plain, with
comments where a reader would ask. Rules:
- There is no network, no input from a person, no files but those the code writes. What can be imported is said below.
- What earlier agents found is in the variable data. Do not retype it; read it from there. Values are plain JSON: dates are
  texts. Names that end in _passages are lists of passages with source, page, section, url and text.
- Print what the user should see. Set the variable result to the main outcome where there is one: a number, a text, or a
  list of dicts with readable keys for a table.
- A chart or picture is an SVG file that the code writes into its working folder, such as chart.svg.
- Do exactly what the task asks and nothing else. If what is needed is neither in the task nor in data, leave code empty and
  say what is missing. Never invent data.`,
  summaryRules: `You say in one to three sentences what a program did and what came of it, so that they answer the task. Use only what the
outcome says.`,
  aboutWriting: {
    purpose: 'Writes a program that was asked for.',
    when: 'the code agent begins, and once more with the error when the program failed; a person sees it before it runs',
    fallback: 'none: the agent says that a program takes a model; code that the user gave runs all the same',
  },
  aboutSummary: {
    purpose: 'Says what the program came to.',
    when: 'the program succeeded',
    fallback: 'what it printed and its result, as they are',
  },
}

/** Writes the program that a person is to approve. */
export const writeCode = writePrompt(WRITING)

/** Words what came of it. */
export const summariseRun = summaryPrompt(WRITING)
