// The limits of agents: their models, their runs and the tools that they call.
const second = 1000
const megabyte = 1024 * 1024

export const agentLimits = {
  toolOutputTokensMax: {
    value: 10_000,
    why: "How much of one output of a local or MCP tool a model is shown, at four bytes a token; more than this crowds out the conversation.",
  },
  toolAbortWaitMs: {
    value: 2 * second,
    why: "How long a tool of an agent that was cancelled may take to end; then its caller is answered.",
  },
  modelProvidersMax: { value: 100, why: "Model providers of one tenant; few organisations have more than three." },
  modelsPerProviderMax: { value: 500, why: "Names of models that people choose from; the largest gateways have a few hundred." },
  modelAnswerMs: { value: 600 * second, why: "The longest answer of a reasoning model takes minutes; a provider that hangs never ends." },
  modelAnswerBytesMax: { value: 16 * megabyte, why: "A streamed answer is many times as large as its text; all of it is read." },
  modelTestMs: { value: 60 * second, why: "A human waits for the answer of one word." },
  modelAttemptsMax: { value: 4, why: "How often a busy provider is asked before the run ends; each attempt waits twice as long." },
  modelRetryMs: { value: 0.5 * second, why: "The first wait where a provider does not say how long." },
  modelRetryAfterMsMax: { value: 60 * second, why: "A provider that asks for a longer wait is not waited for: the run says so and ends." },
} as const
