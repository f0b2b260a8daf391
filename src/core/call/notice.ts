// Messages that a call sends while it runs.

/** Shown to everyone who follows the execution, and not stored. */
export type CallNotice =
  | { readonly type: "progress"; readonly progress: number; readonly total?: number; readonly message?: string }
  | { readonly type: "log"; readonly level: string; readonly text: string }
