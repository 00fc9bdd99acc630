/** The part of the optional package that is used; it need not be installed. */
declare module '@ai-sdk/amazon-bedrock' {
  export function createAmazonBedrock(settings: {
    readonly fetch: typeof globalThis.fetch
    readonly baseURL: string
    readonly apiKey?: string
  }): (model: string) => import('./provider.ts').LanguageModel
}
