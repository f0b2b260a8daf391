// Replaces lone surrogates in JSON text: strict parsers refuse the escapes that stand for them.

/** An engine escapes a surrogate only where it is alone; a backslash that was escaped itself is passed over as a pair. */
const escapes = /\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|[^])/g

export const wellFormedJson = (json: string): string =>
  /\\u[dD][89a-fA-F]/.test(json) ? json.replace(escapes, (escape) => (/^\\u[dD]/.test(escape) ? "\uFFFD" : escape)) : json
