// Every migration, oldest first. A published one is never changed: what comes later is another file at the end.
import type { Migration } from "../migration.ts"
import { agentGrants } from "./0016-agent-grants.ts"
import { approvalContext } from "./0011-approval-context.ts"
import { auditFilters } from "./0010-audit-filters.ts"
import { auditChain } from "./0017-audit-chain.ts"
import { carefulEffects } from "./0012-careful-effects.ts"
import { backbone } from "./0001-backbone.ts"
import { executions } from "./0002-executions.ts"
import { executionSession } from "./0007-execution-session.ts"
import { journalRun } from "./0006-journal-run.ts"
import { sessions } from "./0005-sessions.ts"
import { sessionKey } from "./0008-session-key.ts"
import { answeredGrants } from "./0009-answered-grants.ts"
import { fourEyes } from "./0018-four-eyes.ts"
import { oauth } from "./0003-oauth.ts"
import { passkeys } from "./0020-passkeys.ts"
import { people } from "./0015-people.ts"
import { callPlaces } from "./0023-call-places.ts"
import { invitations } from "./0021-invitations.ts"
import { pausesShown } from "./0013-pauses-shown.ts"
import { questionsShown } from "./0014-questions-shown.ts"
import { signIn } from "./0019-sign-in.ts"
import { registry } from "./0022-registry.ts"
import { toolChanges } from "./0024-tool-changes.ts"
import { debugMode } from "./0025-debug-mode.ts"
import { toolMaker } from "./0026-tool-maker.ts"
import { retrieval } from "./0027-retrieval.ts"
import { models } from "./0028-models.ts"
import { agents } from "./0029-agents.ts"
import { workspaces } from "./0030-workspaces.ts"
import { broadcasts } from "./0031-broadcasts.ts"
import { callLines } from "./0032-call-lines.ts"
import { notifications } from "./0033-notifications.ts"
import { childRuns } from "./0034-child-runs.ts"
import { signInRecords } from "./0035-sign-in-records.ts"
import { consentOutcome } from "./0036-consent-outcome.ts"
import { replays } from "./0037-replays.ts"
import { toolVectors } from "./0038-tool-vectors.ts"
import { directCalls } from "./0039-direct-calls.ts"
import { pins } from "./0004-pins.ts"

export const migrations: readonly Migration[] = [
  backbone,
  executions,
  oauth,
  pins,
  sessions,
  journalRun,
  executionSession,
  sessionKey,
  answeredGrants,
  auditFilters,
  approvalContext,
  carefulEffects,
  pausesShown,
  questionsShown,
  people,
  agentGrants,
  auditChain,
  fourEyes,
  signIn,
  passkeys,
  invitations,
  registry,
  callPlaces,
  toolChanges,
  debugMode,
  toolMaker,
  retrieval,
  models,
  agents,
  workspaces,
  broadcasts,
  callLines,
  notifications,
  childRuns,
  signInRecords,
  consentOutcome,
  replays,
  toolVectors,
  directCalls,
]
