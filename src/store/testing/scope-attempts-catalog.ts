// What a stranger tries with somebody's ids: on the catalog, the policies and the secrets.
import { sha256 } from "../../io/ids.ts"
import { at, flowRow } from "./people/oauth-samples.ts"
import { agentAttempts } from "./agents.ts"
import { notificationAttempts } from "./notifications.ts"
import { registryAttempts } from "./registry.ts"
import { retrievalAttempts } from "./retrieval.ts"
import { connectionRow, integrationRow, toolWrite } from "./samples.ts"
import { key, page, ref } from "./scope-victim.ts"
import type { Attempts } from "./scope-victim.ts"

export const catalogAttempts: Attempts = {
  "integrations.list": { try: (store, stranger) => store.integrations.list(stranger, page), nothing: [] },
  "integrations.get": { try: (store, stranger) => store.integrations.get(stranger, "github"), nothing: null },
  "integrations.put": {
    try: (store, stranger) => store.integrations.put(stranger, integrationRow("github", { name: "M" })),
    nothing: undefined,
  },
  "integrations.remove": { try: (store, stranger) => store.integrations.remove(stranger, "github"), nothing: false },
  "integrations.rename": { try: (store, stranger) => store.integrations.rename(stranger, "github", "theirs"), nothing: null },
  // For the operator alone, who sees the slugs of all tenants.
  "integrations.findNamed": { try: (store) => store.integrations.findNamed(["none"], "registry"), nothing: [] },
  "connections.list": { try: (store, stranger) => store.connections.list(stranger, {}, page), nothing: [] },
  "connections.get": { try: (store, stranger) => store.connections.get(stranger, ref), nothing: null },
  "connections.put": {
    try: (store, stranger) =>
      store.connections.put(stranger, connectionRow("github", "user", "main", { toolSetId: "set", status: "error" })),
    nothing: undefined,
  },
  "connections.remove": { try: (store, stranger) => store.connections.remove(stranger, ref), nothing: false },
  "pins.list": { try: (store, stranger) => store.pins.list(stranger, ref), nothing: [] },
  "pins.put": { try: (store, stranger) => store.pins.put(stranger, ref, [{ tool: "repos.get", definition: "M" }]), nothing: undefined },
  "toolChanges.compare": {
    try: (store, stranger) => store.toolChanges.compare(stranger, "set", "none"),
    nothing: { added: [], removed: [], changed: [], hasOtherDefinitions: false },
  },
  "toolChanges.defined": { try: (store, stranger) => store.toolChanges.defined(stranger, "set", null, page), nothing: [] },
  // There is no such connection of theirs to write to.
  "toolChanges.add": {
    try: (store, stranger) =>
      store.toolChanges.add(stranger, ref, [{ tool: "M", at: at(2), change: "changed", diff: null }], {
        versionsMax: 9,
        removedToolsMax: 9,
      }),
    nothing: undefined,
  },
  "toolChanges.list": { try: (store, stranger) => store.toolChanges.list(stranger, key, { after: null, limit: 9 }), nothing: [] },
  "toolChanges.versions": {
    try: (store, stranger) => store.toolChanges.versions(stranger, ref, ["repos.get"]),
    nothing: new Map(),
  },
  "toolSets.put": {
    try: (store, stranger) => store.toolSets.put(stranger, { id: "set", tools: [toolWrite("M")], definitions: new Map() }),
    nothing: undefined,
  },
  "toolSets.collectGarbage": { try: (store, stranger) => store.toolSets.collectGarbage(stranger), nothing: undefined },
  "toolSets.definitions": { try: (store, stranger) => store.toolSets.definitions(stranger, "set", ["Repo"]), nothing: new Map() },
  "toolSets.names": { try: (store, stranger) => store.toolSets.names(stranger, "set"), nothing: [] },
  "tools.list": { try: (store, stranger) => store.tools.list(stranger, {}, page), nothing: [] },
  "tools.get": { try: (store, stranger) => store.tools.get(stranger, key), nothing: null },
  "tools.connectionsWith": { try: (store, stranger) => store.tools.connectionsWith(stranger, "github", "repos.get"), nothing: [] },
  "tools.count": { try: (store, stranger) => store.tools.count(stranger, {}), nothing: 0 },
  "documents.get": { try: (store, stranger, { documentHash }) => store.documents.get(stranger, documentHash), nothing: null },
  "documents.put": { try: (store, stranger) => store.documents.put(stranger, "theirs"), nothing: sha256("theirs") },
  "credentials.get": { try: (store, stranger, { secret }) => store.credentials.get(stranger, secret), nothing: null },
  "credentials.put": {
    try: (store, stranger, { secret }) => store.credentials.put(stranger, secret, new Uint8Array([9])),
    nothing: undefined,
  },
  "credentials.remove": { try: (store, stranger, { secret }) => store.credentials.remove(stranger, secret), nothing: undefined },
  "policies.list": { try: (store, stranger) => store.policies.list(stranger), nothing: [] },
  // Of a whole tenant, for admins.
  "policies.listWithRoles": { try: (store, stranger) => store.policies.listWithRoles(stranger.tenant), nothing: [] },
  "policies.get": { try: (store, stranger, { policy }) => store.policies.get(stranger, policy.id), nothing: null },
  "policies.put": {
    try: (store, stranger, { policy }) => store.policies.put(stranger, { ...policy, action: "allow" }),
    nothing: undefined,
  },
  "oauthClients.list": { try: (store, stranger) => store.oauthClients.list(stranger, page), nothing: [] },
  "oauthClients.get": { try: (store, stranger, { client }) => store.oauthClients.get(stranger, client.id), nothing: null },
  "oauthClients.put": {
    try: (store, stranger, { client }) => store.oauthClients.put(stranger, { ...client, name: "M" }),
    nothing: undefined,
  },
  "oauthClients.remove": { try: (store, stranger, { client }) => store.oauthClients.remove(stranger, client.id), nothing: false },
  "oauthFlows.put": { try: (store, stranger) => store.oauthFlows.put(flowRow(stranger, { createdAt: at(59) })), nothing: undefined },
  // The id and the state are the secrets themselves: whoever knows one was given it.
  "oauthFlows.findById": { try: (store, _stranger, { flow }) => store.oauthFlows.findById(flow.stateHash), nothing: null },
  "oauthFlows.findByState": { try: (store, _stranger, { flow }) => store.oauthFlows.findByState(flow.id), nothing: null },
  "oauthFlows.bind": { try: (store, stranger, { flow }) => store.oauthFlows.bind({ ...flow, ...stranger }, "M"), nothing: false },
  "oauthFlows.use": { try: (store, stranger, { flow }) => store.oauthFlows.use({ ...flow, ...stranger }, at(1)), nothing: false },
  "oauthFlows.fail": { try: (store, stranger, { flow }) => store.oauthFlows.fail({ ...flow, ...stranger }, "M"), nothing: undefined },
  "oauthGrants.get": { try: (store, stranger) => store.oauthGrants.get(stranger, ref), nothing: null },
  "oauthGrants.put": { try: (store, stranger) => store.oauthGrants.put(stranger, ref, null), nothing: undefined },
  "oauthGrants.claim": {
    try: (store, stranger) => store.oauthGrants.claim(stranger, ref, { version: 1, owner: "M", now: at(1), until: at(2) }),
    nothing: false,
  },
  "toolSets.derive": {
    try: (store, stranger) => store.toolSets.derive(stranger, { id: "theirs", from: "set", put: [], drop: [] }),
    nothing: undefined,
  },
  "policies.remove": { try: (store, stranger, { policy }) => store.policies.remove(stranger, policy.id), nothing: false },
  ...registryAttempts,
  ...agentAttempts,
  ...notificationAttempts,
  ...retrievalAttempts,
}
