// Says of a service account which rights of its roles it can never use.
import type { UserView } from "../../../core/people/user.ts"
import { safeLine } from "../../../core/text/safe.ts"
import type { ExecutorCommandContext } from "../command-action.ts"

export async function noteUnusedRights(user: UserView, { api, screen, printsJson }: ExecutorCommandContext): Promise<void> {
  if (printsJson || !user.service || user.roles.length === 0) return
  const { items } = await api.roles.list()
  const rights = new Set(items.filter(({ id }) => user.roles.some(({ role }) => role === id)).flatMap((role) => role.rights))
  if (rights.size === 0) return
  screen.note(
    `${screen.err.yellow("warning:")} ${safeLine(user.id)} never uses ${[...rights].map(safeLine).join(", ")}: rights are for humans, and a service account acts through agents' tokens, which have none. It sees the tools of its roles`,
  )
}
