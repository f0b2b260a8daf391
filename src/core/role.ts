// A named set of patterns that says which tools a member can see and call at all.

export type Role = {
  readonly id: string
  readonly name: string
  /** They match `<integration>.<tool>`. */
  readonly patterns: readonly string[]
}
