// Every limit of the product in one table, each with the reason for its value.

type LimitRow = { readonly value: number; readonly why: string }

const kilobyte = 1024
const megabyte = 1024 * kilobyte
const second = 1000
const day = 24 * 3600 * second

export const limitTable = {
  codeBytesMax: { value: 256 * kilobyte, why: "Code an agent writes is small; the stripper's cost grows with it." },
  executionWallMs: { value: 120 * second, why: "An agent waits for the answer; paused time does not count." },
  executionWallMsMax: { value: 600 * second, why: "The most that `timeoutMs` may ask for." },
  executionCpuMs: { value: 10 * second, why: "Code is glue between calls; more is a loop." },
  executionMemoryBytes: { value: 64 * megabyte, why: "Hundreds of executions share one machine." },
  executionsMemoryBytesPerPrincipalMax: {
    value: 256 * megabyte,
    why: "What one principal's waiting executions hold in memory; beyond it, those that have waited longest go to disk until they are needed.",
  },
  executionsMemoryBytesMax: {
    value: 0,
    why: "The same for everybody together; 0 stands for a quarter of the memory that this process may use.",
  },
  executionsDiskBytesPerPrincipalMax: {
    value: 4 * 1024 * megabyte,
    why: "What one principal's waiting executions hold on disk; beyond it, its next ones wait in line.",
  },
  executionsDiskBytesMax: {
    value: 16 * 1024 * megabyte,
    why: "The same for everybody together; beyond it, whoever holds more than an equal share waits in line.",
  },
  executionCallsMax: { value: 1000, why: "A runaway loop must not become a load test of an upstream." },
  executionCallsInFlightMax: { value: 32, why: "Enough for `Promise.all`, gentle to upstreams." },
  executionResultBytesMax: { value: 16 * megabyte, why: "The whole result is kept for its handle; more belongs into a tool." },
  executionEmittedBytesMax: { value: 1 * megabyte, why: "What is shown beside the result is read by a person." },
  executionsRunningMax: { value: 10_000, why: "Each one that waits holds some hundred kilobytes." },
  executionsRunningPerPrincipalMax: { value: 5_000, why: "One principal must leave room for others." },
  executionsQueuedMax: { value: 10_000, why: "Beyond this, trying again later is quicker than waiting." },
  executionJournalBytesMax: { value: 64 * megabyte, why: "Every delivered answer is kept until the execution ends." },
  executionsJournalBytesPerPrincipalMax: {
    value: 256 * megabyte,
    why: "The same for all executions of one principal that run on one server: it is the server's memory.",
  },
  executionsJournalBytesMax: { value: 1024 * megabyte, why: "The same for everybody together." },
  approvalsPendingPerExecutionMax: { value: 100, why: "Nobody answers more questions of one execution one by one." },
  approvalsPendingPerAgentMax: { value: 200, why: "One agent's questions must not bury those of others in the inbox." },
  approvalsPendingPerUserMax: { value: 20_000, why: "A human's own programs may ask for more; it is their own inbox." },
  approvalsPendingBytesMax: {
    value: 32 * megabyte,
    why: "The stored arguments of all that one principal has waiting; they are kept for as long as nobody answers.",
  },
  argsShownCharsMax: {
    value: 1 * megabyte,
    why: "Arguments in one answer about an execution; what comes after is shown by its beginning, and whole where a single approval is read.",
  },
  callTimeoutMs: { value: 60 * second, why: "A slow upstream must not hold an execution for ever." },
  responseBytesMax: { value: 16 * megabyte, why: "Answers are held in memory while they are delivered." },
  argsBytesMax: { value: 1 * megabyte, why: "Arguments are hashed, checked and journaled on every call." },
  argsObjectKeysMax: { value: 10_000, why: "Keys of one object; reading wide objects takes the server's thread a microsecond a key." },
  argsValuesMax: { value: 50_000, why: "All values of a call's arguments together; more belongs into several calls." },
  argsDepthMax: { value: 64, why: "Checking is recursive." },
  argsUniqueItemsMax: { value: 100, why: "Comparing every item with every other is quadratic; longer arrays are left to the upstream." },
  argsCheckStepsMax: {
    value: 8000,
    why: "Steps of one argument check, about a microsecond each; beyond it only the top level is checked, and what was found until then counts.",
  },
  argsIssuesMax: { value: 20, why: "A model mends what it is told first, then asks again." },
  policyConditionsMax: { value: 20, why: "All conditions of a rule are evaluated on every call." },
  policyValuesMax: { value: 1000, why: "The values of an `in` condition are looked through." },
  policyTextCharsMax: { value: 1000, why: "A text that an argument is compared with." },
  policyLikeCharsMax: { value: 200, why: "Wildcards cost the product of both lengths." },
  policyLikeArgCharsMax: { value: 10_000, why: "As above; a longer argument counts as one that tells nothing." },
  resultTextCharsMax: { value: 30_000, why: "What a model reads in one answer." },
  resultStructuredBytesMax: { value: 1 * megabyte, why: "The rest is read in pieces from the result handle." },
  logLinesMax: { value: 1000, why: "Logs help reading a run; they are no data channel." },
  logBytesMax: { value: 100 * kilobyte, why: "As above." },
  leaseMs: { value: 15 * second, why: "How long a node that fell silent keeps its executions." },
  pausedMsMax: { value: 7 * day, why: "A human may be on holiday, but not for ever." },
  sessionBytesMax: { value: 1 * megabyte, why: "What `store` keeps for one session; it is a notepad." },
  sessionValueMs: { value: 1 * day, why: "As above." },
  historyMs: { value: 30 * day, why: "How long ended executions are kept." },
  auditMs: { value: 365 * day, why: "How long calls and administrative changes can be looked up in the audit." },
  historyKeptMin: { value: 1000, why: "The newest executions are kept however old they are." },
  documentBytesMax: {
    value: 32 * megabyte,
    why: "Two and a half times GitHub's document. Microsoft Graph's whole one is larger: raise this for it.",
  },
  documentNodesMax: { value: 2_000_000, why: "A YAML alias bomb is small as text and vast when expanded; GitHub's document has 260,000." },
  documentSchemaNodesMax: { value: 100_000, why: "One schema of a document, expanded; it is stored and read as a whole." },
  documentCompileMs: { value: 60 * second, why: "A document that takes longer is hostile." },
  documentRefsExternalMax: { value: 64, why: "A document split over files of its own origin." },
  graphqlOperationTokensMax: {
    value: 10_000,
    why: "An operation of the caller's own is read on the server's thread, in some ten milliseconds.",
  },
  toolsPerConnectionMax: { value: 20_000, why: "Three times the largest public API." },
  schemaDepthMax: { value: 100, why: "Walking a schema is recursive." },
  schemaNodesMax: { value: 5000, why: "Subschemas prepared for one tool's argument check; larger ones are checked at the top level." },
  warningsMax: { value: 1000, why: "What a document gets wrong is shown, not archived." },
  errorDetailsBytesMax: { value: 32 * kilobyte, why: "An upstream's error page helps by its beginning." },
  streamItemsMax: { value: 10_000, why: "NDJSON and SSE answers are collected." },
  streamIdleMs: { value: 30 * second, why: "An event stream that falls silent is over." },
  mcpServerStartMs: { value: 30 * second, why: "A server that is not ready by then hangs, or is being downloaded." },
  mcpServerIdleMs: { value: 300 * second, why: "A session that nobody used for so long is closed; the next call opens it again." },
  mcpServersMax: { value: 100, why: "Sessions of one process; a stdio server may take a hundred megabytes." },
  mcpServerToolsFreshMs: { value: 60 * second, why: "A server that changes its tools without a word is noticed by then." },
  mcpServerStderrCharsMax: { value: 2000, why: "The last words of a program that ended explain why." },
  mcpServerRoundsMax: { value: 10, why: "How often a server may ask for more input within one call." },
  mcpServerStateBytesMax: { value: 64 * kilobyte, why: "What a server wants back with an answer is kept while a human thinks." },
  listSyncWaitMs: { value: 2 * second, why: "How long a list waits for tools whose config changed; then it shows those that are stored." },
  detectMs: { value: 20 * second, why: "Whoever asks what is at a URL waits for it; many places are looked at." },
  redirectsMax: { value: 5, why: "More is a loop." },
  connectTimeoutMs: { value: 10 * second, why: "A host that does not answer the handshake is down." },
  upstreamConnectionsMax: { value: 128, why: "Connections to one origin, shared by all executions." },
  requestBodyBytesMax: { value: 33 * megabyte, why: "A document travels in the body of POST /integrations." },
  requestSmallBodyBytesMax: { value: 256 * kilobyte, why: "Every body that carries no document; it is checked field by field." },
  requestValuesMax: { value: 60_000, why: "As above: each value of such a body, right or wrong, takes about a microsecond to check." },
  requestBodyDepthMax: { value: 1000, why: "Walking and writing JSON is recursive; real documents stay far below." },
  requestHeadersMs: { value: 20 * second, why: "A client that trickles its headers holds a socket." },
  requestReceiveMs: { value: 300 * second, why: "A document over a slow line needs minutes, a stalled upload for ever." },
  requestKeepAliveMs: { value: 65 * second, why: "Longer than the minute after which common proxies drop an idle connection." },
  oauthFlowMs: { value: 600 * second, why: "How long a human may take to consent." },
  oauthRequestMs: { value: 15 * second, why: "A provider that takes longer is down." },
  oauthLeaseMs: { value: 30 * second, why: "How long one node alone renews a token: longer than its request takes." },
  oauthRenewAheadMs: { value: 60 * second, why: "A token is renewed before it runs out during a call." },
  oauthRenewGapMs: { value: 10 * second, why: "A token younger than this is not renewed again because a call was refused." },
  oauthAnswerBytesMax: { value: 1 * megabyte, why: "Metadata and tokens are small." },
  oauthScopesMax: { value: 200, why: "A human reads them before consenting." },
  signInCodeMs: { value: 600 * second, why: "A sign-in link is used at once, or was seen by somebody else." },
  browserSessionMs: { value: 30 * day, why: "How long a browser stays signed in." },
  mcpSessionsMax: { value: 1000, why: "Older MCP clients leave their sessions behind; each holds some ten kilobytes." },
  mcpSessionsPerPrincipalMax: { value: 200, why: "One principal must leave room for others." },
  mcpSessionIdleMs: { value: 1800 * second, why: "A session nobody uses was left behind; its client opens another." },
  mcpAnswerWaitMs: { value: 50 * second, why: "How long `resume` waits for a human: clients of MCP give up on a call after a minute." },
  mcpRunWaitMs: { value: 50 * second, why: "How long `execute` and `resume` wait for code that runs, for the same reason; it goes on." },
  shutdownGraceMs: { value: 10 * second, why: "Requests under way may end before the server does." },
  cursorCharsMax: { value: 2048, why: "A cursor holds one key of a row." },
  pageSizeMax: { value: 1000, why: "A page is held in memory." },
  pageBytesMax: { value: 8 * megabyte, why: "Arguments on one page; a call may bring a megabyte of them." },
  nameCharsMax: { value: 200, why: "Names are shown in tables." },
  previewCharsMax: { value: 24_000, why: "The types of one tool are read by a model, in one answer." },
  previewEnumValuesMax: { value: 100, why: "A longer choice is a lookup table, no type." },
  requestPreviewUrlCharsMax: { value: 2000, why: "A human reads it before they approve; the arguments are shown in full beside it." },
  descriptionCharsMax: { value: 20_000, why: "Descriptions are shown to models and indexed." },
} as const satisfies Record<string, LimitRow>

export type LimitName = keyof typeof limitTable
export type Limits = { readonly [Name in LimitName]: number }

export const defaultLimits: Limits = Object.fromEntries(Object.entries(limitTable).map(([name, row]) => [name, row.value])) as Limits // built from the table's own keys

export const withLimits = (overrides: Partial<Limits>): Limits => ({ ...defaultLimits, ...overrides })

/** What to do about a document, or whatever else an admin knows to be harmless, that is over a limit. */
export const raiseLimit = (...names: readonly LimitName[]): string => {
  const example = Object.fromEntries(names.map((name) => [name, 2 * limitTable[name].value]))
  return `If it is meant to be so large, an admin starts the server with EXECUTOR_LIMITS='${JSON.stringify(example)}'`
}

/** Limits from text such as `{ "callTimeoutMs": 5000 }`; answers what is wrong with it instead, as a sentence. */
export function parseLimits(text: string): Partial<Limits> | string {
  const parsed = parseObject(text)
  if (parsed === null) return "it must be a JSON object of limits and numbers"
  for (const [name, value] of Object.entries(parsed)) {
    if (!Object.hasOwn(limitTable, name)) return `there is no limit '${name}'`
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return `'${name}' must be a number from 0`
  }
  return parsed
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
