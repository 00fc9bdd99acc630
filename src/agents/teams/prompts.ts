import { z } from 'zod'
import { definePrompt } from '../../core/prompt.ts'
import { cutTogether } from '../../core/outside.ts'
import { jsonLine, MOST_FOUND, onOwnLines } from '../../core/prompt-text.ts'
import { teamSchema } from '../../core/team.ts'
import { tagged } from '../../tool-loop/messages.ts'

/** The report of a team's writer. */
export const writeReport = definePrompt({
  name: 'team.write',
  about: {
    purpose: 'Puts into words what the members of a team found.',
    when: 'a member of a team has no tools and works on what others found',
    fallback: 'what they found, one after the other',
  },
  wording: `You write for a team what its members found. Do the task with their findings, as text in Markdown.
- Say everything that was found and that the task asks for, with its figures, names and dates as they stand in the findings.
- Put the id of its source, such as [s1], behind each statement that rests on one.
- Write nothing but the text itself.`,
  data: 'findings and context',
  format: 'text',
  verbatim: ['context', 'findings'],
  input: z.object({
    task: z.string(),
    context: z.array(z.string()),
    /** A section each. */
    findings: z.array(z.string()),
    systemPrompt: z.string().optional(),
  }),
  output: z.string().trim().min(1),
  temperature: 0,
  render: ({ task, context, findings }) => ({
    user: [tagged('context', context.join('\n')), ...cutTogether(findings, MOST_FOUND), `Task: ${task}`].join('\n\n'),
  }),
  // Whoever asks puts what was found in its place.
  fallback: () => '',
})

/** The architect's call (SPEC W8): a goal and what is at hand become a team as data. */
export const designTeam = definePrompt({
  name: 'architect.design',
  about: {
    purpose: 'Designs a team of agents for a goal, from the tools at hand.',
    when: 'a person asks for a team to be built or changed',
    fallback: 'the error is shown; without a model, a team by rules: who gathers, who compares or computes, who writes',
  },
  wording: `You are an architect of teams of agents. From a goal and the tools at hand you design a team as JSON. You do not do the work.
- Each agent has one purpose and the fewest tools for it. Use names of tools exactly as given, and no others. An agent that compares, computes or writes from what others found lists them in "after".
- An agent that always makes the same call has it as "call": a tool that is listed with its "input" schema, and the exact input that fits it. Prefer that for reading tables.
- An agent without tools puts findings into words. A team can be an agent: its tool is "team:NAME", and it has no others.
- "task" is complete in itself: the agent does not see the goal.
- "keywords" are phrases of several words by which people will ask for this team, and nobody would ask for anything else.
- Where one of the teams is for this goal already, give the design its name: it becomes a new version of that team.
- "checks" are questions that the team must be able to answer before it is used, with words that the answer must hold. Figures of the answer come from tools.
- Give no agent a tool that changes something unless the goal asks for it.
- Where the last design could not be used or failed its trial, repair what is said of it; its checks stay as strict as the goal.
- When the goal cannot be reached with these tools, give null as team and the reason.`,
  data: 'tools, tables, teams and the problem',
  input: z.object({
    goal: z.string(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        effect: z.string(),
        agent: z.string(),
        /** JSON schema of the input of a fixed call. */
        input: z.unknown().optional(),
      }),
    ),
    /** Databases with their tables and columns, a line each. */
    tables: z.array(z.string()),
    teams: z.array(z.object({ name: z.string(), purpose: z.string() })),
    /** The team that is to be changed, as JSON. */
    before: z.string().optional(),
    /** Its design before, as JSON, and why it is asked again. */
    last: z.string().optional(),
    problem: z.string().optional(),
  }),
  output: z.object({
    team: teamSchema.nullable(),
    reason: z.string().describe('why this team, or why there can be none'),
  }),
  temperature: 0,
  maxOutputTokens: 4_000,
  withoutMemory: true,
  verbatim: ['last', 'problem'],
  render: ({ goal, tools, tables, teams, before, last, problem }) => ({
    stable: `Tools:\n${tools.map(jsonLine).join('\n')}\n\nTables:\n${onOwnLines(tables)}`,
    user: [
      `Teams:\n${teams.map(jsonLine).join('\n')}`,
      ...(before === undefined ? [] : [`To be changed, its name stays:\n${onOwnLines([before])}`]),
      ...(last === undefined ? [] : [tagged('last_design', last)]),
      ...(problem === undefined ? [] : [tagged('problem', problem)]),
      `Goal: ${goal}`,
    ].join('\n\n'),
  }),
  // Whoever asks gives a fallback that knows the tools.
  fallback: () => ({ team: null, reason: 'Nobody is asked.' }),
})
