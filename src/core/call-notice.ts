// What a call says on its way to its answer.

/** Shown to whoever follows the execution, and kept by nobody. */
export type CallNotice =
  | { readonly type: "progress"; readonly progress: number; readonly total?: number; readonly message?: string }
  | { readonly type: "log"; readonly level: string; readonly text: string }
