// Where a warning about an agent's tools goes if nobody asked for it: to Node's warnings.

export const warnInNode = (message: string): void => process.emitWarning(message, "ToolplaneWarning")
