/** An MCP server with the tools, resources and prompts that the official server suite asks for by their names. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
  type ElicitRequestFormParams,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>
type Args = Readonly<Record<string, string>>
type Work = (args: Args, extra: Extra, server: Server) => CallToolResult | Promise<CallToolResult>

/** One red pixel, and a silent sound. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (words: string) => ({ type: 'text' as const, text: words })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const audio = { type: 'audio' as const, data: WAV, mimeType: 'audio/wav' }
const embedded = (uri: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: words },
})
const choice = (values: readonly string[]) => values.map((value, i) => ({ const: value, title: `Option ${i + 1}` }))

const TOOLS: Readonly<Record<string, Work>> = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [audio] }),
  test_embedded_resource: () => ({ content: [embedded('test://embedded-resource', 'An embedded resource.')] }),
  test_multiple_content_types: () => ({
    content: [text('Several kinds of content:'), image, embedded('test://mixed-content-resource', '{"test":"data"}')],
  }),
  async test_tool_with_logging(_args, { sendNotification }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data } })
    }
    return { content: [text('Logged.')] }
  },
  async test_tool_with_progress(_args, { _meta, sendNotification }) {
    const progressToken = _meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken!, progress, total: 100 }
      await sendNotification({ method: 'notifications/progress', params })
    }
    return { content: [text('Done.')] }
  },
  test_error_handling: () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
  async test_sampling({ prompt = '' }, extra, server) {
    const params = { messages: [{ role: 'user' as const, content: text(prompt) }], maxTokens: 100 }
    const { content } = await server.createMessage(params, { relatedRequestId: extra.requestId })
    return { content: [text(`LLM response: ${JSON.stringify(content)}`)] }
  },
  test_elicitation: ({ message = '' }, extra, server) =>
    asked(server, extra, message, {
      type: 'object',
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    }),
  test_elicitation_sep1034_defaults: (_args, extra, server) =>
    asked(server, extra, 'Is this right?', {
      type: 'object',
      properties: {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
    }),
  test_elicitation_sep1330_enums: (_args, extra, server) =>
    asked(server, extra, 'Choose.', {
      type: 'object',
      properties: {
        untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
        titledSingle: { type: 'string', oneOf: choice(['value1', 'value2', 'value3']) },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['Option One', 'Option Two'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
        titledMulti: { type: 'array', items: { anyOf: choice(['value1', 'value2', 'value3']) } },
      },
    }),
  async test_reconnection(_args, { closeSSEStream }) {
    closeSSEStream?.()
    await new Promise((resolve) => setTimeout(resolve, 100))
    return { content: [text('Came back.')] }
  },
  json_schema_2020_12_tool: (args) => ({ content: [text(JSON.stringify(args))] }),
}

async function asked(
  server: Server,
  { requestId }: Extra,
  message: string,
  requestedSchema: ElicitRequestFormParams['requestedSchema'],
): Promise<CallToolResult> {
  const { action, content } = await server.elicitInput({ message, requestedSchema }, { relatedRequestId: requestId })
  return { content: [text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)] }
}

const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
}

const user = <C>(content: C) => ({ role: 'user' as const, content })
const PROMPTS = {
  test_simple_prompt: () => [user(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }: Args) => [
    user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }: Args) => [
    user(embedded(resourceUri, 'Embedded resource content for testing.')),
    user(text('Please process the embedded resource above.')),
  ],
  test_prompt_with_image: () => [user(image), user(text('Please analyze the image above.'))],
}
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

/** Handlers of one session. */
export function fixtureServer(): Server {
  const capabilities = { tools: {}, prompts: {}, completions: {}, logging: {}, resources: { subscribe: true } }
  const server = new Server({ name: 'fixtures', version: '1' }, { capabilities })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: Object.keys(TOOLS).map((name) => {
      const inputSchema =
        name === 'json_schema_2020_12_tool' ? SCHEMA_2020 : { type: 'object' as const, properties: {} }
      return { name, description: `Does ${name}`, inputSchema }
    }),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    TOOLS[params.name]!((params.arguments ?? {}) as Args, extra, server),
  )
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({
      name,
      description: `Is ${name}`,
      arguments: (ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, required: true })),
    })),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
    messages: PROMPTS[params.name as keyof typeof PROMPTS](params.arguments ?? {}),
  }))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [
      { uri: 'test://static-text', name: 'text', mimeType: 'text/plain' },
      { uri: 'test://static-binary', name: 'binary', mimeType: 'image/png' },
      { uri: 'test://watched-resource', name: 'watched', mimeType: 'text/plain' },
    ],
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] }
    const [, id] = /^test:\/\/template\/(.*)\/data$/.exec(uri) ?? []
    const words = id === undefined ? 'This is the content of the static text resource.' : JSON.stringify({ id })
    return { contents: [{ uri, mimeType: id === undefined ? 'text/plain' : 'application/json', text: words }] }
  })
  for (const schema of [SetLevelRequestSchema, SubscribeRequestSchema, UnsubscribeRequestSchema]) {
    server.setRequestHandler(schema, () => ({}))
  }
  server.setRequestHandler(CompleteRequestSchema, () => ({
    completion: { values: ['paris', 'park'], total: 2, hasMore: false },
  }))
  return server
}
