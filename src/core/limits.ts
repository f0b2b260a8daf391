// Every limit of the product in one table, each with the reason for its value.
import { isRecord } from "./json/record.ts"
import { partLimits } from "./limits/part-limits.ts"

type LimitRow = { readonly value: number; readonly why: string }

const kilobyte = 1024
const megabyte = 1024 * kilobyte
const second = 1000
const day = 24 * 3600 * second

export const limitTable = {
  codeBytesMax: { value: 256 * kilobyte, why: "Agents write short code; the cost of removing types grows with its length." },
  executionWallMs: { value: 120 * second, why: "An agent waits for the result; paused time does not count." },
  executionWallMsMax: { value: 600 * second, why: "The maximum for `timeoutMs`." },
  executionCpuMs: { value: 10 * second, why: "Code only connects calls; more CPU time suggests an endless loop." },
  executionMemoryBytes: { value: 64 * megabyte, why: "Hundreds of executions share one machine." },
  executionsMemoryBytesPerPrincipalMax: {
    value: 256 * megabyte,
    why: "Memory that one principal's waiting executions may use; beyond it, those that have waited longest are kept on disk until they continue.",
  },
  executionsMemoryBytesMax: {
    value: 0,
    why: "The same for all principals together; 0 means a quarter of the memory available to the process.",
  },
  executionsDiskBytesPerPrincipalMax: {
    value: 4 * 1024 * megabyte,
    why: "Disk space that one principal's waiting executions may use; beyond it, further executions are queued.",
  },
  executionsDiskBytesMax: {
    value: 16 * 1024 * megabyte,
    why: "The same for all principals together; beyond it, executions of principals that use more than an equal share are queued.",
  },
  nestedCallsDepthMax: { value: 5, why: "Tools made of tools could otherwise call each other without end." },
  executionCallsMax: { value: 1000, why: "A runaway loop must not flood an upstream with requests." },
  executionCallsInFlightMax: { value: 32, why: "Enough for `Promise.all` without straining upstreams." },
  executionResultBytesMax: { value: 16 * megabyte, why: "The complete result is stored; move larger amounts of data with a tool." },
  executionEmittedBytesMax: { value: 1 * megabyte, why: "Emitted values are meant for a person to read." },
  executionsRunningMax: { value: 10_000, why: "Each waiting execution uses a few hundred kilobytes." },
  executionsRunningPerPrincipalMax: { value: 5_000, why: "Leaves room for other principals." },
  executionsQueuedMax: { value: 10_000, why: "With a longer queue, retrying later is faster than waiting." },
  executionJournalBytesMax: { value: 64 * megabyte, why: "Every delivered result is kept until the execution ends." },
  executionsJournalBytesPerPrincipalMax: {
    value: 256 * megabyte,
    why: "The same for all running and queued executions of one principal on one server, which holds them and their code in memory.",
  },
  executionsJournalBytesMax: { value: 1024 * megabyte, why: "The same for all principals together." },
  executionsStoredBytesPerPrincipalMax: {
    value: 2048 * megabyte,
    why: "Code, journals, logs and results of one principal in the store. Beyond it, its oldest ended executions are removed early; the audit keeps their calls. Running and paused executions may use half of it.",
  },
  approvalsPendingPerExecutionMax: { value: 100, why: "Nobody answers more than this for one execution." },
  approvalsPendingPerAgentMax: { value: 200, why: "One agent must not flood the inbox and hide the approvals of others." },
  approvalsPendingPerUserMax: { value: 20_000, why: "A human's own programs may request more, because only their own inbox fills up." },
  approvalsPendingBytesMax: {
    value: 32 * megabyte,
    why: "The arguments of all pending approvals of one principal; they are stored until somebody answers.",
  },
  argsShownCharsMax: {
    value: 1 * megabyte,
    why: "Arguments in one response about an execution; beyond it they are shortened, and shown in full only for a single approval.",
  },
  callTimeoutMs: { value: 60 * second, why: "A slow upstream must not block an execution forever." },
  callConcurrencyMax: { value: 1000, why: "The maximum for a tool's `max_concurrency`; more calls at once would strain any upstream." },
  callPlacesWaitingMax: {
    value: 1000,
    why: "Calls that wait for a place in one concurrency group; with a longer queue, retrying later is faster than waiting.",
  },
  responseBytesMax: { value: 16 * megabyte, why: "Responses are held in memory while they are delivered." },
  answersArrivedBytesPerPrincipalMax: {
    value: 64 * megabyte,
    why: "Bytes of large responses of one principal that have arrived and wait to be read, one after the other; beyond it, only the oldest is received.",
  },
  answersArrivedBytesMax: {
    value: 256 * megabyte,
    why: "The same for all principals together; beyond it, only each principal's oldest is received.",
  },
  argsBytesMax: { value: 1 * megabyte, why: "Arguments are hashed, checked and journaled on every call." },
  argsObjectKeysMax: { value: 10_000, why: "Keys of one object; reading them takes the server's thread about a microsecond per key." },
  argsValuesMax: { value: 50_000, why: "Total number of values in a call's arguments; split larger inputs over several calls." },
  argsDepthMax: { value: 64, why: "Checking is recursive." },
  argsUniqueItemsMax: {
    value: 100,
    why: "Comparing every item with every other takes quadratic time; longer arrays are left to the upstream to check.",
  },
  argsCheckStepsMax: {
    value: 8000,
    why: "Steps of one argument check, about a microsecond each; beyond it, only the top level is checked, and issues found so far are reported.",
  },
  argsIssuesMax: { value: 20, why: "Enough for a model to correct its call; the next attempt shows the rest." },
  policyConditionsMax: { value: 20, why: "All conditions of a rule are evaluated on every call." },
  policyValuesMax: { value: 1000, why: "The values of an `in` condition are searched one by one." },
  policyTextCharsMax: { value: 1000, why: "Length of a text that an argument is compared with." },
  policyLikeCharsMax: { value: 200, why: "The cost of matching wildcards is the product of both lengths." },
  policyLikeArgCharsMax: { value: 10_000, why: "As above; a longer argument is treated as unknown." },
  resultTextCharsMax: { value: 30_000, why: "A reasonable amount for a model to read in one response." },
  resultStructuredBytesMax: { value: 1 * megabyte, why: "A larger result is read in pieces." },
  logLinesMax: { value: 1000, why: "Logs explain an execution; they are not meant for transferring data." },
  logBytesMax: { value: 100 * kilobyte, why: "As above." },
  leaseMs: { value: 15 * second, why: "How long a node that stops responding keeps its executions." },
  pausedMsMax: { value: 7 * day, why: "Long enough for somebody who is away for a few days." },
  sessionBytesMax: { value: 1 * megabyte, why: "Total size of the values that `store` keeps for one session; it is meant for notes." },
  sessionsBytesPerPrincipalMax: {
    value: 64 * megabyte,
    why: "The same for all sessions of one principal: a client may open a new one at any time.",
  },
  sessionValueMs: { value: 1 * day, why: "As above." },
  historyMs: { value: 30 * day, why: "How long ended executions are kept." },
  toolVersionsPerToolMax: {
    value: 50,
    why: "Versions of an imported tool that are kept with what they changed; the oldest are dropped, and counting goes on.",
  },
  toolsRemovedPerConnectionMax: {
    value: 2000,
    why: "Tools that a source no longer has and whose versions are kept; a source that renames its tools at every sync must not fill the database.",
  },
  toolDiffBytesPerSyncMax: {
    value: 8 * megabyte,
    why: "What one sync may record of the differences it found; of further tools only the kind of change is kept.",
  },
  auditMs: { value: 365 * day, why: "How long calls and administrative changes stay in the audit log." },
  historyKeptMin: { value: 1000, why: "The newest executions are kept regardless of their age." },
  documentBytesMax: {
    value: 32 * megabyte,
    why: "Two and a half times the size of GitHub's document. Raise it for larger ones, such as the complete Microsoft Graph document.",
  },
  documentNodesMax: {
    value: 2_000_000,
    why: "A YAML alias bomb is small as text and huge when expanded; GitHub's document has 260,000 nodes.",
  },
  documentSchemaNodesMax: { value: 100_000, why: "Nodes of one schema after expansion; it is stored and read as a whole." },
  documentCompileMs: { value: 60 * second, why: "A document that takes longer is likely malicious." },
  documentRefsExternalMax: { value: 64, why: "Enough for a document that is split into files on its own origin." },
  graphqlOperationTokensMax: {
    value: 10_000,
    why: "Operations sent by callers are parsed on the server's thread; this many tokens take about ten milliseconds.",
  },
  toolsPerConnectionMax: { value: 20_000, why: "Three times the largest public API." },
  schemaDepthMax: { value: 100, why: "Walking a schema is recursive." },
  schemaNodesMax: {
    value: 5000,
    why: "Subschemas prepared for the argument check of one tool; larger schemas are checked at the top level only.",
  },
  warningsMax: { value: 1000, why: "Warnings about a document are shown to a person, who does not need more." },
  errorDetailsBytesMax: { value: 32 * kilobyte, why: "The beginning of an upstream's error page is enough to understand it." },
  webPageBytesMax: { value: 8 * megabyte, why: "The HTML of one page for `builtin.web_fetch`; its DOM takes many times as much." },
  webPageReadMs: { value: 10 * second, why: "A page that takes longer to be made readable was built to." },
  webFetchCharsMax: { value: 1_000_000, why: "The maximum for `max_chars`; no model reads more." },
  transformExpressionCharsMax: { value: 10_000, why: "An expression of `builtin.json_transform`; longer ones are programs." },
  transformStepsMax: { value: 5_000_000, why: "Nodes visited and values made by one expression; it bounds its memory as well." },
  transformMs: { value: 5 * second, why: "Comparing and matching take time that steps do not count." },
  streamItemsMax: { value: 10_000, why: "All items of an NDJSON or SSE response are collected in memory." },
  streamIdleMs: { value: 30 * second, why: "An event stream that is silent for this long is treated as ended." },
  mcpServerStartMs: {
    value: 20 * second,
    why: "A server that is not ready by then is hanging or still being downloaded; an integration's `timeoutSeconds` allows more.",
  },
  mcpServerIdleMs: { value: 300 * second, why: "An unused session is closed after this time; the next call opens it again." },
  mcpServersMax: { value: 100, why: "Sessions of one process; a stdio server may use a hundred megabytes." },
  mcpServerToolsFreshMs: { value: 60 * second, why: "How soon changes to a server's tools are noticed if it does not announce them." },
  mcpServerStderrCharsMax: { value: 2000, why: "The last output of a program usually explains why it exited." },
  mcpServerRoundsMax: { value: 10, why: "How often a server may ask for more input within one call." },
  mcpServerStateBytesMax: {
    value: 64 * kilobyte,
    why: "State that a server expects back with an answer is stored until the human replies.",
  },
  listSyncWaitMs: { value: 2 * second, why: "How long a list waits for tools whose config changed before it shows the stored ones." },
  detectMs: { value: 20 * second, why: "Detection tries many locations while the caller waits." },
  redirectsMax: { value: 5, why: "More is a loop." },
  connectTimeoutMs: { value: 10 * second, why: "A host that does not answer the handshake is down." },
  upstreamConnectionsMax: { value: 128, why: "Connections to one origin, shared by all executions." },
  requestBodyBytesMax: { value: 33 * megabyte, why: "A document travels in the body of POST /integrations." },
  requestSmallBodyBytesMax: { value: 256 * kilobyte, why: "Bodies without a document; they are validated field by field." },
  requestValuesMax: { value: 60_000, why: "As above; each value takes about a microsecond to validate." },
  requestBodyDepthMax: { value: 1000, why: "Reading and writing JSON is recursive; real documents stay far below this." },
  requestHeadersMs: { value: 20 * second, why: "A client that sends its headers very slowly occupies a socket." },
  requestReceiveMs: { value: 300 * second, why: "Uploading a document over a slow connection takes minutes; a stalled upload never ends." },
  requestKeepAliveMs: { value: 65 * second, why: "Longer than the minute after which common proxies drop an idle connection." },
  tlsLookMs: { value: 10 * second, why: "How often the files of the certificate are looked at; a renewed one is used from then on." },
  oauthFlowMs: { value: 600 * second, why: "How long a human has to consent." },
  oauthRequestMs: { value: 15 * second, why: "A provider that takes longer is down." },
  oauthLeaseMs: { value: 30 * second, why: "How long a node has the exclusive right to renew a token; longer than the request takes." },
  oauthRenewAheadMs: {
    value: 60 * second,
    why: "A token is renewed this long before it expires, so that it does not expire during a call.",
  },
  oauthRenewGapMs: { value: 10 * second, why: "If a call is rejected, a token newer than this is not renewed again." },
  oauthAnswerBytesMax: { value: 1 * megabyte, why: "Metadata and tokens are small." },
  oauthScopesMax: { value: 200, why: "A human reads them before consenting." },
  signInCodeMs: { value: 600 * second, why: "A sign-in link is meant to be used immediately; an old one may have leaked." },
  signInFlowMs: { value: 600 * second, why: "How long a human has to sign in at their provider." },
  signInClaimsBytesMax: { value: 16_384, why: "What a provider said of somebody is kept from their last sign-in; groups can be many." },
  signInAttemptsPerAddressMax: {
    value: 100,
    why: "Sign-in attempts from one network (/24, for IPv6 /48) in `signInAttemptsWindowMs`; an office shares one.",
  },
  signInAttemptsPerAccountMax: {
    value: 10,
    why: "The same for one account. There are no passwords to guess: it keeps an attacker from wearing out a person or a provider.",
  },
  signInAttemptsWindowMs: { value: 300 * second, why: "Short, because whoever is locked out by somebody else has to wait for it." },
  signInAttemptKeysMax: { value: 10_000, why: "Networks and accounts whose attempts are remembered, each, in about two megabytes." },
  passkeyChallengeMs: { value: 300 * second, why: "How long a browser has to answer with a passkey; unlocking a phone takes a while." },
  passkeysPerUserMax: { value: 20, why: "More than anybody has devices; a browser is told all of them when another is added." },
  browserSessionMs: { value: 7 * day, why: "How long a browser stays signed in at most." },
  browserSessionIdleMs: { value: 0.5 * day, why: "A browser that was not used for this long is signed out." },
  invitationMs: { value: 7 * day, why: "How long an invitation can be accepted; a link that lies around longer may have leaked." },
  invitationsOpenMax: { value: 1000, why: "Open invitations of one tenant; each reserves the id of a user." },
  usersMax: { value: 10_000, why: "People and service accounts of one tenant; all of them are read when one is changed." },
  tenantsMax: { value: 10_000, why: "All of them are read when one is added." },
  rolesMax: { value: 500, why: "Roles of one tenant; all of them are read at once." },
  rolesPerUserMax: { value: 50, why: "A user's patterns are the union of their roles' and are matched on every call." },
  rolePatternsMax: { value: 500, why: "As above." },
  rolePreviewToolsMax: { value: 200, why: "Enough to see whether the patterns are the right ones." },
  agentCodeMs: { value: 60 * second, why: "A client redeems the code of a consent at once; whoever comes later found it." },
  agentAccessMs: { value: 3600 * second, why: "How long a leaked access token of a consent is of use; its client refreshes it." },
  agentRefreshMs: { value: 30 * day, why: "A client that was not used for so long asks its human again." },
  agentRefreshGraceMs: {
    value: 10 * second,
    why: "Clients refresh from several requests at once: within this time the same answer is given again.",
  },
  agentGrantsPerUserMax: { value: 200, why: "More MCP clients than one human uses." },
  agentRegistrationsPerAddressMax: {
    value: 60,
    why: "Clients that register from one network within the window; a team behind one address shares it.",
  },
  agentRegistrationsWindowMs: { value: 600 * second, why: "The window of the limit above." },
  agentClientUrisMax: { value: 10, why: "Redirect addresses of one client; they are a part of its id." },
  agentClientBytesMax: { value: 5 * kilobyte, why: "The size that the standard recommends for a client's metadata document." },
  agentFormBytesMax: { value: 32 * kilobyte, why: "A request of a client for a token; the longest part of it is the client's id." },
  agentClientMs: { value: 5 * second, why: "A human waits for the client's metadata document." },
  agentClientFreshMs: { value: 60 * second, why: "How long a client's metadata document is used without asking again." },
  agentCatalogToolsMax: { value: 128, why: "Tools of the catalog that a model is given one by one; OpenAI's API takes no more." },
  mcpSessionsMax: { value: 1000, why: "Older MCP clients do not close their sessions; each uses about ten kilobytes." },
  mcpSessionsPerPrincipalMax: { value: 200, why: "Leaves room for other principals." },
  mcpSessionIdleMs: { value: 1800 * second, why: "An unused session was probably abandoned; its client can open another." },
  mcpAnswerWaitMs: { value: 50 * second, why: "How long `resume` waits for a human; MCP clients give up on a call after a minute." },
  mcpRunWaitMs: {
    value: 50 * second,
    why: "How long `execute` and `resume` wait for running code, for the same reason; the code continues.",
  },
  shutdownGraceMs: { value: 10 * second, why: "Time for requests in progress to finish before the server stops." },
  cursorCharsMax: { value: 2048, why: "A cursor holds the key of one row." },
  pageSizeMax: { value: 1000, why: "A page is held in memory." },
  pageBytesMax: { value: 8 * megabyte, why: "Arguments on one page; a single call may have a megabyte of them." },
  nameCharsMax: { value: 200, why: "Names are shown in tables." },
  searchQueryCharsMax: { value: 2000, why: "A request for a tool is a sentence or two; each of its words is looked up." },
  previewCharsMax: { value: 24_000, why: "A model reads the types of one tool in one response." },
  previewEnumValuesMax: { value: 100, why: "A longer list of values is a lookup table rather than a type." },
  requestPreviewUrlCharsMax: { value: 2000, why: "A human reads the URL before approving; the arguments are shown in full next to it." },
  registryToolsMax: { value: 100_000, why: "Tools of one tenant's registry; a publish copies the catalog's rows of them." },
  registryConfigBytesMax: { value: 512 * 1024, why: "The config of one registry tool, its code included; it is read with every call." },
  registrySchemaBytesMax: { value: 256 * 1024, why: "The schemas of one registry tool; they are shown to models." },
  registryVersionsMax: { value: 10_000, why: "Versions of one registry tool or artifact; they are kept forever." },
  registryImportToolsMax: { value: 10_000, why: "Tools in one file to import; each is checked while the caller waits." },
  artifactsMax: { value: 10_000, why: "Artifacts of one tenant; each keeps all of its versions." },
  artifactInputsMax: { value: 100, why: "Inputs of one artifact." },
  tenantCredentialsMax: { value: 1000, why: "Credentials of one tenant for built-ins and registry tools." },
  tenantCredentialValuesMax: { value: 20, why: "Values of one credential." },
  tenantCredentialCharsMax: { value: 10_000, why: "Length of one such value; a private key has about 3,000." },
  ...partLimits,
  descriptionCharsMax: { value: 20_000, why: "Descriptions are shown to models and indexed." },
} as const satisfies Record<string, LimitRow>

export type LimitName = keyof typeof limitTable
export type Limits = { readonly [Name in LimitName]: number }

export const defaultLimits: Limits = Object.fromEntries(Object.entries(limitTable).map(([name, row]) => [name, row.value])) as Limits // built from the table's own keys

export const withLimits = (overrides: Partial<Limits>): Limits => ({ ...defaultLimits, ...overrides })

/** How an admin raises a limit for input that is large but harmless. */
export const raiseLimit = (...names: readonly LimitName[]): string => {
  const example = Object.fromEntries(names.map((name) => [name, 2 * limitTable[name].value]))
  return `If it is meant to be this large, an admin can start the server with EXECUTOR_LIMITS='${JSON.stringify(example)}'`
}

/** Limits from text such as `{ "callTimeoutMs": 5000 }`, or a sentence that says why the text is invalid. */
export function parseLimits(text: string): Partial<Limits> | string {
  const parsed = parseObject(text)
  if (parsed === null) return "it must be a JSON object that maps limits to numbers"
  for (const [name, value] of Object.entries(parsed)) {
    if (!Object.hasOwn(limitTable, name)) return `there is no limit '${name}'`
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return `'${name}' must be a number, 0 or more`
  }
  return parsed
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? { ...value } : null
  } catch {
    return null
  }
}
