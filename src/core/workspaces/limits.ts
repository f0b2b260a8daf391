// The limits of workspaces that processes offer to executions.
const second = 1000

export const workspaceLimits = {
  workspacesPerUserMax: { value: 50, why: "Workspaces that one user has open at one server; a command needs one." },
  workspaceAttachMs: {
    value: 30 * second,
    why: "How long a workspace is kept whose events nobody follows; a command follows them at once.",
  },
  workspaceCallsMax: { value: 200, why: "Calls of one workspace that are unanswered; they are held in memory." },
  workspaceAnswerBytesMax: {
    value: 1024 * 1024,
    why: "One answer of a local tool; what models are shown of it is far less, and has been cut before it is sent.",
  },
} as const
