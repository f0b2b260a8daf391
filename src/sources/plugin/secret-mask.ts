// Replaces the credential's values in what a plugin shows to people, which no gate passes.

const charsMin = 4

export function maskSecrets(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret.length >= charsMin).toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, "***"), text)
}

/** Every text of a plain value, names among them. */
export function maskDeep(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return maskSecrets(value, secrets)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, secrets))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskSecrets(key, secrets), maskDeep(item, secrets)]))
}
