// The part of the page scripts that asks the browser for a passkey.

/**
 * After a `send`, which answers or throws. `usePasskey` asks the server for options at `path`/options, the
 * browser for a passkey, and sends the answer with `more` to `path`.
 */
export const passkeyCode = `
const passkeyProblem = (error) => {
  if (error.name === "NotAllowedError" || error.name === "AbortError") return new Error("No passkey was used: it was cancelled, or it took too long. You can try again.")
  if (error.name === "InvalidStateError") return new Error("This device already has a passkey for your account.")
  if (error.name === "SecurityError") return new Error("The browser does not allow passkeys at this address.")
  return new Error("The browser could not use a passkey: " + error.message)
}
const usePasskey = async (kind, path, given, more) => {
  if (window.PublicKeyCredential?.parseCreationOptionsFromJSON === undefined) throw new Error("This browser is too old for passkeys. Update it, or use another one.")
  const begun = await send(path + "/options", given)
  const publicKey = kind === "create" ? PublicKeyCredential.parseCreationOptionsFromJSON(begun.options) : PublicKeyCredential.parseRequestOptionsFromJSON(begun.options)
  const credential = await navigator.credentials[kind]({ publicKey }).catch((error) => { throw passkeyProblem(error) })
  return send(path, { ...more, key: begun.key, credential: credential.toJSON() })
}
const thisDevice = () => { const name = navigator.userAgentData?.platform ?? ""; return name === "" ? "Passkey" : "Passkey on " + name }
`
