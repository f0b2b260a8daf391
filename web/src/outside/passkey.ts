// Asks the browser for a passkey.
import { send } from "./send.ts"

type Begun = { readonly key: string; readonly options: never }

type Asked = {
  readonly kind: "create" | "get"
  readonly path: string
  /** For the server before the browser is asked, and together with its answer. */
  readonly given?: object
  readonly more?: object
  /** Of whoever is signed in already. */
  readonly headers?: Record<string, string>
}

/** The server says what to ask for at `path`/options; the browser's answer goes to `path`. */
export async function askPasskey<Answer>({ kind, path, given = {}, more = {}, headers = {} }: Asked): Promise<Answer> {
  const Keys = globalThis.PublicKeyCredential
  if (Keys?.parseCreationOptionsFromJSON === undefined)
    throw new Error("This browser is too old for passkeys. Update it, or use another one.")
  const { key, options } = await send<Begun>(`${path}/options`, given, headers)
  const asked =
    kind === "create"
      ? navigator.credentials.create({ publicKey: Keys.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ publicKey: Keys.parseRequestOptionsFromJSON(options) })
  const credential = await asked.catch((error: unknown) => {
    throw new Error(problemOf(error))
  })
  if (!(credential instanceof Keys)) throw new Error("The browser gave no passkey.")
  return send<Answer>(path, { ...more, key, credential: credential.toJSON() }, headers)
}

function problemOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === "NotAllowedError" || name === "AbortError")
    return "No passkey was used: it was cancelled, or it took too long. You can try again."
  if (name === "InvalidStateError") return "This device already has a passkey for your account."
  if (name === "SecurityError") return "The browser does not allow passkeys at this address."
  return `The browser could not use a passkey: ${message}`
}

/** A name for a new one, which tells its owner where it is. */
export function thisDevice(): string {
  const data: unknown = "userAgentData" in navigator ? navigator.userAgentData : null
  const platform: unknown = typeof data === "object" && data !== null && "platform" in data ? data.platform : ""
  return typeof platform === "string" && platform !== "" ? `Passkey on ${platform}` : "Passkey"
}
