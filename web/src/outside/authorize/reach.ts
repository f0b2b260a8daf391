// What of the human's tools a client may be granted.
import type { ConsentOffer } from "../../../../src/core/authorization-server.ts"

export type RoleChoice = ConsentOffer["roles"][number]

/** Everything, what one role allows, or what the human types. */
export type Reach = { readonly is: "all" } | { readonly is: "role"; readonly id: string } | { readonly is: "custom" }

/** A role that allows everything is no narrower than everything. */
export const narrowerRoles = (roles: readonly RoleChoice[]): readonly RoleChoice[] =>
  roles.filter(({ patterns }) => patterns.length > 0 && !patterns.includes("*") && !patterns.includes("**"))

/** Null: everything that the human sees, now and later. */
export function patternsOf(reach: Reach, roles: readonly RoleChoice[], typed: string): readonly string[] | null {
  switch (reach.is) {
    case "all":
      return null
    case "role":
      return roles.find(({ id }) => id === reach.id)?.patterns ?? []
    case "custom":
      return typed.split(/[\s,]+/).filter((one) => one !== "")
  }
}
