// Replaces the credential's values in what a plugin writes to the log, which no gate passes.

const charsMin = 4

export function maskSecrets(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret.length >= charsMin).toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, "***"), text)
}
