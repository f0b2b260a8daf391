// Connects an integration once for every way in which its document lets callers authenticate.
import type { AuthOption, ConnectionAuth, Executor } from "../../src/index.ts"
import type { Verdict } from "./prism.ts"

export type Connections = {
  /** Another connection for an operation that demands other credentials than `main` brings, or null. */
  forVerdict(verdict: Verdict): Promise<string | null>
}

/** Makes the connection `main` by the first option, and others when they are asked for. */
export async function connectBy(slug: string, executor: Executor): Promise<Connections> {
  const { facts } = await executor.integrations.get(slug)
  const [first, ...others] = facts.auth
  await executor.connections.create({ integration: slug, auth: first ? authOf(first) : { template: "none" } })
  const made = new Map<string, string>()
  return {
    async forVerdict({ complaints, security }) {
      // Swagger 2.0 may describe `Authorization` as a parameter; it is the credential's all the same.
      if (complaints.some(({ path, message }) => path[0] === "header" && message.endsWith("'authorization'")))
        return named("header", headerAuth)
      if (!complaints.some(({ code }) => code === "401")) return null
      const wanted = security.map((schemes) => (schemes.length === 0 ? "none" : schemes.toSorted().join(" + ")))
      if (wanted.includes("none")) return named("none", { template: "none" })
      const option = others.find((one) => wanted.includes(one.name.split(" + ").toSorted().join(" + ")))
      return option ? named(option.name, authOf(option)) : null
    },
  }

  async function named(option: string, auth: ConnectionAuth): Promise<string> {
    const known = made.get(option)
    if (known !== undefined) return known
    const name = `other${made.size + 1}`
    await executor.connections.create({ integration: slug, name, auth })
    made.set(option, name)
    return name
  }
}

const headerAuth: ConnectionAuth = {
  template: "custom",
  values: { token: "dummy-token" },
  placements: [{ in: "header", name: "Authorization", value: "${token}" }],
}

/** Placements are named, because several options may share a template; a token of an OAuth2 scheme is given as what it is sent as. */
function authOf({ template, values, placements }: AuthOption): ConnectionAuth {
  if (template === "none") return { template }
  return {
    template: template === "oauth2" ? "custom" : template,
    values: Object.fromEntries(values.map((name) => [name, `dummy-${name}`])),
    placements,
  }
}
