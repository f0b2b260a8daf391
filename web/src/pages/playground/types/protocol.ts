// What the page and the worker with the types say to each other.

/** Positions are counted in the code, from 0. */
export type Completion = { readonly name: string; readonly kind: string; readonly insert: string; readonly isOptional: boolean }
export type Finding = { readonly from: number; readonly to: number; readonly isSyntax: boolean; readonly message: string }
export type Hover = { readonly from: number; readonly to: number; readonly type: string; readonly about: string }

export type Answers = {
  /** The declarations of an integration, as the server prints them. */
  readonly declare: { readonly asked: { readonly integration: string; readonly text: string }; readonly answer: null }
  readonly check: { readonly asked: { readonly code: string }; readonly answer: readonly Finding[] }
  readonly complete: {
    readonly asked: { readonly code: string; readonly at: number }
    readonly answer: { readonly from: number; readonly items: readonly Completion[] } | null
  }
  readonly hover: { readonly asked: { readonly code: string; readonly at: number }; readonly answer: Hover | null }
}

export type Verb = keyof Answers
export type Request = { [V in Verb]: { readonly id: number; readonly verb: V; readonly asked: Answers[V]["asked"] } }[Verb]
export type Response = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly problem: string }
