// The commands with which people make tools and agents.
import type { CommandEntry } from "./command-entry.ts"

const make = "Make tools:"

export const makeCommands: readonly CommandEntry[] = [
  {
    name: "registry",
    summary: "Make your own tools, with versions.",
    heading: make,
    children: [
      { name: "list", summary: "List the tools made here.", load: () => import("./commands/registry/list.ts") },
      { name: "show", summary: "Show a tool.", load: () => import("./commands/registry/show.ts") },
      { name: "create", summary: "Make a tool, as a draft.", load: () => import("./commands/registry/create.ts") },
      { name: "edit", summary: "Change a tool's working copy.", load: () => import("./commands/registry/edit.ts") },
      { name: "test", summary: "Run a tool's working copy.", load: () => import("./commands/registry/test.ts") },
      { name: "publish", summary: "Put a tool into production.", load: () => import("./commands/registry/publish.ts") },
      { name: "version", summary: "Keep the working copy as a version.", load: () => import("./commands/registry/version.ts") },
      { name: "versions", summary: "List a tool's versions.", load: () => import("./commands/registry/versions.ts") },
      { name: "diff", summary: "Compare a tool's versions.", load: () => import("./commands/registry/diff.ts") },
      { name: "rollback", summary: "Publish an earlier version again.", load: () => import("./commands/registry/rollback.ts") },
      { name: "deprecate", summary: "Say that a tool should no longer be used.", load: () => import("./commands/registry/deprecate.ts") },
      { name: "disable", summary: "Take a tool out of production.", load: () => import("./commands/registry/disable.ts") },
      { name: "enable", summary: "Bring a disabled tool back as a draft.", load: () => import("./commands/registry/enable.ts") },
      { name: "delete", summary: "Delete a draft.", load: () => import("./commands/registry/delete.ts") },
      { name: "import", summary: "Import tools from a file.", load: () => import("./commands/registry/import.ts") },
      { name: "export", summary: "Export all tools.", load: () => import("./commands/registry/export.ts") },
    ],
  },
  {
    name: "artifacts",
    summary: "Manage code that tools are made of.",
    heading: make,
    children: [
      { name: "list", summary: "List artifacts.", load: () => import("./commands/artifacts/list.ts") },
      { name: "show", summary: "Show an artifact and its code.", load: () => import("./commands/artifacts/show.ts") },
      { name: "create", summary: "Add an artifact.", load: () => import("./commands/artifacts/create.ts") },
      { name: "edit", summary: "Change an artifact, as a new version.", load: () => import("./commands/artifacts/edit.ts") },
      { name: "versions", summary: "List an artifact's versions.", load: () => import("./commands/artifacts/versions.ts") },
      { name: "remove", summary: "Remove an artifact that no tool uses.", load: () => import("./commands/artifacts/remove.ts") },
    ],
  },
  {
    name: "credentials",
    summary: "Manage the keys that tools of the organization use.",
    heading: make,
    children: [
      { name: "list", summary: "List credentials, without values.", load: () => import("./commands/credentials/list.ts") },
      { name: "add", summary: "Add a credential.", load: () => import("./commands/credentials/add.ts") },
      { name: "edit", summary: "Change a credential.", load: () => import("./commands/credentials/edit.ts") },
      { name: "remove", summary: "Remove a credential.", load: () => import("./commands/credentials/remove.ts") },
    ],
  },
  {
    name: "pipelines",
    summary: "Manage documents that agents can ask.",
    heading: make,
    children: [
      { name: "list", summary: "List retrieval pipelines.", load: () => import("./commands/pipelines/list.ts") },
      { name: "show", summary: "Show a pipeline and its documents.", load: () => import("./commands/pipelines/show.ts") },
      { name: "create", summary: "Make a retrieval pipeline.", load: () => import("./commands/pipelines/create.ts") },
      { name: "add", summary: "Add files and folders.", load: () => import("./commands/pipelines/add.ts") },
      { name: "query", summary: "Ask a pipeline.", load: () => import("./commands/pipelines/query.ts") },
      { name: "edit", summary: "Change how a pipeline is indexed.", load: () => import("./commands/pipelines/edit.ts") },
      { name: "remove", summary: "Remove a pipeline or its documents.", load: () => import("./commands/pipelines/remove.ts") },
    ],
  },
  {
    name: "agents",
    summary: "Make and run agents.",
    heading: make,
    children: [
      { name: "list", summary: "List agents.", load: () => import("./commands/agents/list.ts") },
      { name: "show", summary: "Show an agent.", load: () => import("./commands/agents/show.ts") },
      { name: "create", summary: "Make an agent, as a draft.", load: () => import("./commands/agents/create.ts") },
      { name: "edit", summary: "Change an agent's working copy.", load: () => import("./commands/agents/edit.ts") },
      { name: "run", summary: "Run an agent.", load: () => import("./commands/agents/run.ts") },
      { name: "publish", summary: "Let an agent run in production.", load: () => import("./commands/agents/publish.ts") },
      { name: "versions", summary: "List an agent's versions.", load: () => import("./commands/agents/versions.ts") },
      { name: "diff", summary: "Show what differs between versions.", load: () => import("./commands/agents/diff.ts") },
      { name: "rollback", summary: "Publish an earlier version again.", load: () => import("./commands/agents/rollback.ts") },
      { name: "remove", summary: "Remove or disable an agent.", load: () => import("./commands/agents/remove.ts") },
    ],
  },
  {
    name: "models",
    summary: "Manage the providers of agents' models.",
    heading: make,
    children: [
      { name: "list", summary: "List model providers, without keys.", load: () => import("./commands/models/list.ts") },
      { name: "add", summary: "Add a model provider.", load: () => import("./commands/models/add.ts") },
      { name: "edit", summary: "Change a model provider.", load: () => import("./commands/models/edit.ts") },
      { name: "test", summary: "Ask a model one short question.", load: () => import("./commands/models/test.ts") },
      { name: "remove", summary: "Remove a model provider.", load: () => import("./commands/models/remove.ts") },
    ],
  },
]
