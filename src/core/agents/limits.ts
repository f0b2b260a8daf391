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
  modelPriceUsdMax: { value: 10_000, why: "Of a million tokens; a dearer price was meant for another unit." },
  modelAnswerMs: { value: 600 * second, why: "The longest answer of a reasoning model takes minutes; a provider that hangs never ends." },
  modelAnswerBytesMax: { value: 16 * megabyte, why: "A streamed answer is many times as large as its text; all of it is read." },
  modelTestMs: { value: 60 * second, why: "A human waits for the answer of one word." },
  modelAttemptsMax: { value: 4, why: "How often a busy provider is asked before the run ends; each attempt waits twice as long." },
  modelRetryMs: { value: 0.5 * second, why: "The first wait where a provider does not say how long." },
  modelRetryAfterMsMax: { value: 60 * second, why: "A provider that asks for a longer wait is not waited for: the run says so and ends." },
  agentsMax: { value: 1000, why: "Agents of one tenant; all of them are read when one is added." },
  agentInstructionsCharsMax: { value: 100_000, why: "Instructions are sent with every question of a run." },
  agentToolPatternsMax: { value: 200, why: "Addresses and patterns of one agent; each is matched with every tool." },
  agentStepsMax: { value: 50, why: "Questions to the model in one run; a run that needs more is going in circles." },
  agentCallsMax: { value: 200, why: "Tool calls of one run, those of agents that it calls included." },
  agentTokensMax: { value: 2_000_000, why: "Tokens of one run, in and out; what it may cost." },
  agentWallMs: { value: 600 * second, why: "A run without a limit of its own; paused time does not count." },
  agentWallMsMax: { value: 3600 * second, why: "The maximum for `limits.wallMs` of an agent." },
  agentToolsShownMax: { value: 40, why: "More tools than this are searched, read and called instead of described all at once." },
  agentNudgesMax: { value: 2, why: "How often a model is told that its answer could not be used." },
  agentSameCallsRefused: { value: 3, why: "The third identical call in a row is refused, because its answer is known." },
  agentSameCallsMax: { value: 5, why: "The fifth ends the run: the model does not hear." },
} as const
