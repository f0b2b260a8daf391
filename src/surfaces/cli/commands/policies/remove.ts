// `executor policies remove`: removes a rule, after asking.
import type { Command } from "commander"
import type { ExecutorApi } from "../../../../core/executor-api.ts"
import { safeLine } from "../../../../core/text/safe.ts"
import { limitsText } from "../../policy-condition.ts"
import { configureRemoval } from "../../removal.ts"

export const configure = (command: Command): void =>
  configureRemoval(command, { name: "policies remove", kind: "pol", done: "Removed", question }, (api, id) => api.policies.remove(id))

async function question(api: ExecutorApi, id: string): Promise<string> {
  const rule = (await api.policies.list()).find((one) => one.id === id)
  const what = rule === undefined ? id : `${rule.action} ${rule.pattern}${limitsText(rule)}`
  return `Remove the rule '${safeLine(what)}'? It stops counting at the next call.`
}
