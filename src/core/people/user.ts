// A person or a service account of a tenant.

/** `disabled`: nothing acts in their name any more. */
export const userStatuses = ["active", "invited", "disabled"] as const
export type UserStatus = (typeof userStatuses)[number]
