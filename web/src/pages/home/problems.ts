// What is wrong with connections, each in a sentence.
import type { ConnectionView } from "toolplane/client"

export type Problem = { readonly key: string; readonly integration: string; readonly text: string }

type Looked = Pick<ConnectionView, "address" | "integration" | "status" | "error" | "warnings" | "changedTools">

export const problemsOf = (connections: readonly Looked[]): Problem[] =>
  connections.flatMap(({ address, integration, status, error, warnings, changedTools }) => {
    const texts = [
      ...(status === "ready" || status === "syncing" ? [] : [`${address} does not work: ${error ?? status.replaceAll("_", " ")}`]),
      ...(changedTools.length === 0
        ? []
        : [
            `${changedTools.length === 1 ? "1 tool" : `${changedTools.length} tools`} of ${address} changed and ${changedTools.length === 1 ? "waits" : "wait"} to be accepted`,
          ]),
      ...warnings.map((warning) => `${address}: ${warning}`),
    ]
    return texts.map((text, at) => ({ key: `${address} ${at}`, integration, text }))
  })
