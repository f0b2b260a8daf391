// What is wrong with connections, each in a sentence.
import type { ConnectionView } from "toolplane/client"
import { connectionPath } from "../../api/connection-path.ts"
import { connectionState, stateLabels } from "../../ui/connection-status.tsx"

/** `connection`: what the drawer of the page Connections opens. */
export type Problem = { readonly key: string; readonly connection: string; readonly text: string }

type Looked = Pick<
  ConnectionView,
  "integration" | "owner" | "name" | "status" | "consent" | "error" | "warnings" | "changedTools" | "unconfirmedOrigins"
>

export const problemsOf = (connections: readonly Looked[]): Problem[] =>
  connections.flatMap((connection) => {
    const { error, warnings, changedTools, unconfirmedOrigins } = connection
    const path = connectionPath(connection)
    const state = connectionState(connection)
    const failure =
      state === "needs_review"
        ? `${path} waits until somebody confirms ${unconfirmedOrigins.join(", ")}`
        : `${path} does not work: ${error ?? stateLabels[state].toLowerCase()}`
    const texts = [
      ...(state === "ok" || state === "syncing" ? [] : [failure]),
      ...(changedTools.length === 0
        ? []
        : [
            `${changedTools.length === 1 ? "1 tool" : `${changedTools.length} tools`} of ${path} changed and ${changedTools.length === 1 ? "waits" : "wait"} to be accepted`,
          ]),
      ...warnings.map((warning) => `${path}: ${warning}`),
    ]
    return texts.map((text, at) => ({ key: `${path} ${at}`, connection: path, text }))
  })
