// Reads JSON as editors write it: with comments and trailing commas.

/** Throws a `SyntaxError`, with the place in the text as it was given. */
export const parseJsonc = (text: string): unknown => JSON.parse(blank(text.replace(/^\uFEFF/, "")))

/** Comments and trailing commas become spaces of the same length, so that places in messages stay true. */
function blank(text: string): string {
  const token = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*[}\]])/g
  return text.replaceAll(token, (found) => (found.startsWith('"') ? found : found.replaceAll(/[^\n\r]/g, " ")))
}
