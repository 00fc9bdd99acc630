import { z } from 'zod'
import { definePrompt } from '../../domain/prompt.ts'
import { truncateTogether } from '../../shared/json.ts'
import { jsonLine, MAX_FINDINGS_CHARS, tagged } from '../../domain/prompt-text.ts'
import { teamSchema } from '../../domain/team.ts'
import { notAnsweredRule } from '../../strategies/planning/composer-prompt.ts'

/** The report of a team's writer. */
export const writeReport = definePrompt({
  name: 'team.write',
  about: {
    purpose: 'Puts into words what the members of a team found.',
    when: 'a member of a team has no tools and works on what others found',
    failure: 'what they found, one after the other',
  },
  wording: `You write for a team what its members found. Do the task with their findings, as text in Markdown.
- Say everything that was found and that the task asks for, with its figures, names and dates as they stand in the findings.
- Put the id of its source, such as [s1], behind each statement that rests on one.
- Write nothing but the text itself.
${notAnsweredRule('task')}`,
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
    user: [
      tagged('context', context.join('\n')),
      ...truncateTogether(findings, MAX_FINDINGS_CHARS),
      `Task: ${task}`,
    ].join('\n\n'),
  }),
})

/** The architect's call: turns a goal and the available parts into a team as data. */
export const designTeam = definePrompt({
  name: 'architect.design',
  about: {
    purpose: 'Designs a team of agents for a goal, from the tools at hand.',
    when: 'a person asks for a team to be built or changed',
    failure: 'the error is shown',
  },
  wording: `You are an architect of teams of agents. From a goal and the tools at hand you design a team as JSON. You do not do the work.
- Each agent has one purpose and the fewest tools for it. Use names of tools exactly as given, and no others. An agent that compares, computes or writes from what others found lists them in "after".
- An agent that always makes the same call has it as "call": a tool that is listed with its "input" schema, and the exact input that fits it. Prefer that for reading tables. {current_date} in it is the day of the question, as YYYY-MM-DD.
- An agent without tools puts findings into words. A team can be an agent: its tool is "team:NAME", and it has no others.
- "task" is complete in itself: the agent does not see the goal.
- "keywords" are phrases of several words by which people will ask for this team, and nobody would ask for anything else.
- Where one of the teams is for this goal already, give the design its name: it becomes a new version of that team.
- "checks" are questions that the team must be able to answer before it is used, with words that the answer must hold. Figures of the answer come from tools.
- Give no agent a tool that changes something unless the goal asks for it.
- Where the last design could not be used, repair what is said of it; its checks stay as strict as the goal.
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
    /** Databases with their tables, columns and stored values. */
    tables: z.string(),
    /** Lines `key: value`, the date among them. */
    context: z.array(z.string()),
    teams: z.array(z.object({ name: z.string(), purpose: z.string() })),
    /** The previous design, as JSON, and why the model is asked again. */
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
  verbatim: ['tables', 'context', 'last', 'problem'],
  render: ({ goal, tools, tables, context, teams, last, problem }) => ({
    stable: `Tools:\n${tools.map(jsonLine).join('\n')}\n\n${tagged('tables', tables || 'none')}`,
    user: [
      `Teams:\n${teams.map(jsonLine).join('\n')}`,
      ...(last === undefined ? [] : [tagged('last_design', last)]),
      ...(problem === undefined ? [] : [tagged('problem', problem)]),
      tagged('context', context.join('\n')),
      `Goal: ${goal}`,
    ].join('\n\n'),
  }),
})
