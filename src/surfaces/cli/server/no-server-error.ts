// The server that `EXECUTOR_ORIGIN` names does not answer.

export class NoServerError extends Error {
  constructor(origin: string) {
    super(`No server is responding at ${origin}. Start it, or unset EXECUTOR_ORIGIN to use the local one`)
  }
}
