// The server that `EXECUTOR_ORIGIN` names does not answer, or not in a way that can be trusted.
import type { Probe } from "./probe.ts"

export class NoServerError extends Error {
  constructor(origin: string, { reason, isCertificate }: Extract<Probe, { status: "silent" }>) {
    super(
      isCertificate
        ? `The server at ${origin} cannot be trusted: ${reason}`
        : `No server is responding at ${origin}. Start it, or unset EXECUTOR_ORIGIN to use the local one`,
    )
  }
}
