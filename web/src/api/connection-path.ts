// A connection as people and addresses of the console name it.
import type { ConnectionKey } from "toolplane/client"

/** Names contain no dots. */
export const connectionPath = ({ integration, owner, name }: ConnectionKey): string => `${integration}.${owner}.${name}`

export function readConnectionPath(path: string): ConnectionKey | null {
  const [integration = "", owner = "", name = "", ...rest] = path.split(".")
  if ((owner !== "org" && owner !== "user") || integration === "" || name === "" || rest.length > 0) return null
  return { integration, owner, name }
}
