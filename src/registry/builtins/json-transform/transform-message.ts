// What the server and the thread that transforms JSON say to each other.
export type TransformJob = { readonly dataJson: string; readonly expression: string; readonly stepsMax: number }

export type TransformAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly reason: "expression" | "steps"; readonly message: string }
