// What a rule can say about a tool.

/** From least to most restrictive. */
export const policyActions = ["allow", "require_approval", "block"] as const
export type PolicyAction = (typeof policyActions)[number]
