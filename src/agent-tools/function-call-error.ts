// Why a call did not give an output, by audience: the model reads it, or the turn ends.
export type FunctionCallErrorKind = "fatal" | "respond_to_model" | "missing_local_shell_call_id"

export class FunctionCallError extends Error {
  override readonly name = "FunctionCallError"
  readonly kind: FunctionCallErrorKind

  private constructor(kind: FunctionCallErrorKind, message: string) {
    super(message)
    this.kind = kind
  }

  /** Ends the turn. */
  static fatal(text: string): FunctionCallError {
    return new FunctionCallError("fatal", `Fatal error: ${text}`)
  }

  /** Becomes a failed output, which the model reads. */
  static respondToModel(text: string): FunctionCallError {
    return new FunctionCallError("respond_to_model", text)
  }

  static missingLocalShellCallId(): FunctionCallError {
    return new FunctionCallError("missing_local_shell_call_id", "LocalShellCall without call_id or id")
  }
}
