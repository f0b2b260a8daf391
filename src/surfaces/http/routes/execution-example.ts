// One execution in all its states, as the reference shows it.

const executionId = "exe_0mh2k3v9x41c"
const principal = { user: "local", kind: "agent", tokenId: "tok_0mh2k3v9x41c", tokenName: "claude" } as const
const createdAt = "2026-11-16T09:30:00.000Z"
const address = "tools.github.org.main.issues.create"
const args = { owner: "octocat", repo: "hello-world", title: "Found a bug" }

export const approvalIdExample = "apr_0mh2k3v9x41c"
export const executionIdExample = executionId

export const codeExample = `const issue = await tools.github.issues.create(${JSON.stringify(args)})\nreturn issue.data.number`

const interaction = {
  approvalId: approvalIdExample,
  kind: "approval",
  message: "Allow 'Create an Issue' (github.org.main.issues.create)?",
  address,
  args,
  effect: "write",
  requestedBy: "claude",
  reason: "No rule matches this call, and it changes data, so it requires approval.",
  line: 1,
  request: { method: "POST", url: "https://api.github.com/repos/octocat/hello-world/issues" },
} as const

export const replyExample = {
  executionId,
  status: "completed",
  text: "1347",
  structured: { status: "completed", result: 1347, logs: [], emitted: [] },
  isError: false,
} as const

export const pausedExample = {
  executionId,
  status: "paused",
  text: `Execution ${executionId} is waiting for a human:\n- ${interaction.message}`,
  structured: {
    status: "waiting_for_interaction",
    executionId,
    interactions: [interaction],
    approvalUrl: `http://127.0.0.1:4788/approvals/${executionId}`,
    expiresAt: "2026-11-23T09:30:00.000Z",
    logs: [],
    emitted: [],
  },
  isError: false,
} as const

const rowExample = {
  executionId,
  status: "completed",
  code: codeExample,
  mode: "production",
  program: "code",
  principal,
  createdAt,
  endedAt: "2026-11-16T09:31:12.000Z",
} as const

export const summaryExample = { ...rowExample, callCount: 2 } as const

const call = { address, args, decision: "require_approval", status: "done", ms: 412.5 } as const

export const callDetailExample = {
  ...call,
  key: "5b1f0c7e:0",
  path: "github.issues.create",
  effect: "write",
  startedAt: "2026-11-16T09:31:11.000Z",
  endedAt: "2026-11-16T09:31:11.412Z",
  line: 1,
  wait: { from: createdAt, to: "2026-11-16T09:31:10.000Z" },
  answer: { ok: true, data: { number: 1347 } },
} as const

export const viewExample = { ...rowExample, ...replyExample, calls: [call] }

export const eventExample = { type: "call", call } as const

export const approvalExample = {
  ...interaction,
  executionId,
  status: "pending",
  principal,
  isOwn: true,
  mayAnswer: true,
  createdAt,
  expiresAt: "2026-11-23T09:30:00.000Z",
} as const
