// What one principal can do with agents and models, each change with its audit.
import type { AgentView } from "../core/agents/agent.ts"
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Principal } from "../core/principal.ts"
import type { Models } from "../models/model.ts"
import {
  createModelProvider,
  listModelProviders,
  removeModelProvider,
  testModelProvider,
  updateModelProvider,
} from "../models/providers.ts"
import type { AgentChange } from "../agents/lifecycle/agent.ts"
import { thoseWithoutTools } from "../catalog/policies/pattern.ts"
import { createAgent, removeAgent, updateAgent } from "../agents/lifecycle/edit.ts"
import { publishAgent, rollbackAgent } from "../agents/lifecycle/publish.ts"
import { diffAgent, getAgent, listAgents, listAgentVersions } from "../agents/lifecycle/read.ts"
import { withAudit } from "./audit/audit.ts"
import type { AuditDetails } from "./audit/audit.ts"
import { runAgent, runAgentOnce } from "./agent-run.ts"
import type { EngineParts } from "./engine-parts.ts"

export function agentsApi(principal: Principal, parts: EngineParts & { readonly models: Models }): Pick<ExecutorApi, "agents" | "models"> {
  const audit = withAudit(principal, parts)
  const change = async (action: string, id: string, work: () => Promise<AgentChange>): Promise<AgentView | null> =>
    (await audit(action, id, work, changeDetails)).after
  /** A tool may come later, but a slip of the pen must not pass for one that the agent has. */
  const withWarning = async (view: AgentView): Promise<AgentView> => {
    const lost = await thoseWithoutTools(principal, view.tools, parts)
    return lost.length === 0
      ? view
      : { ...view, warning: `No tool currently matches ${listed(lost)}. Tools that match later will be included` }
  }
  return {
    agents: {
      list: (page = {}) => listAgents(principal, page, parts),
      get: (id) => getAgent(principal, id, parts),
      create: async (input) =>
        withWarning(
          await audit(
            "agent.create",
            input.slug ?? input.name,
            () => createAgent(principal, input, parts),
            (after) => ({ subject: after.id, details: { before: null, after: shown(after) } }),
          ),
        ),
      update: async (id, fields) => withWarning(still(await change("agent.update", id, () => updateAgent(principal, id, fields, parts)))),
      remove: (id) => change("agent.remove", id, () => removeAgent(principal, id, parts)),
      publish: async (id, options = {}) =>
        withWarning(still(await change("agent.publish", id, () => publishAgent(principal, id, options, parts)))),
      versions: (id, page = {}) => listAgentVersions(principal, id, page, parts),
      rollback: async (id, version) => still(await change("agent.rollback", id, () => rollbackAgent(principal, id, version, parts))),
      diff: (id, between) => diffAgent(principal, id, between, parts),
      run: (slug, request) => runAgent(principal, slug, request, parts),
      runOnce: (request) => runAgentOnce(principal, request, parts),
    },
    models: {
      providers: {
        list: (page = {}) => listModelProviders(principal, page, parts),
        create: (input) =>
          audit(
            "model_provider.create",
            input.id,
            () => createModelProvider(principal, input, parts),
            (after) => ({ details: { before: null, after } }),
          ),
        update: async (id, fields) =>
          (
            await audit(
              "model_provider.update",
              id,
              () => updateModelProvider(principal, id, fields, parts),
              (details) => ({ details }),
            )
          ).after,
        remove: async (id) =>
          void (await audit(
            "model_provider.remove",
            id,
            () => removeModelProvider(principal, id, parts),
            (before) => ({ details: { before, after: null } }),
          )),
        test: (id, options = {}) =>
          audit(
            "model_provider.test",
            id,
            () => testModelProvider(principal, id, options, parts),
            ({ ok, model }) => ({ details: { model, ok } }),
          ),
      },
    },
  }
}

/** Without instructions and schemas, which the versions have. */
const shown = ({ slug, name, model, tools, status, version, publishedVersion }: AgentView) => ({
  slug,
  name,
  model,
  tools,
  status,
  version,
  publishedVersion,
})

const changeDetails = ({ before, after }: AgentChange): AuditDetails => ({
  details: { before: before === null ? null : shown(before), after: after === null ? null : shown(after) },
})

const listed = (texts: readonly string[]): string =>
  texts.length <= listedMax ? texts.join(", ") : `${texts.slice(0, listedMax).join(", ")} and ${texts.length - listedMax} more`
const listedMax = 5

/** Only a removal leaves nothing. */
function still(after: AgentView | null): AgentView {
  if (after === null) throw new Error("A change of an agent left none")
  return after
}
