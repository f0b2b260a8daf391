// Makes text that strangers wrote safe to show: nothing in it can move the cursor, recolour, hide or reorder what is read.
//
// Escaped are control characters (C0, DEL, C1: both ways of starting an ANSI sequence), bidirectional marks and
// overrides, invisible characters, fillers, line and paragraph separators, tags and lone surrogates. They are written as
// `\u001b`, so that a reader sees what was there. Joiners and variation selectors stay: emoji and scripts need them. Of
// several in a row, which no script has and which can hide a whole text from people alone, only the first does.

const risky =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\u034f|[\u{e0000}-\u{e007f}]|(?<=[\u200c\u200d])[\u200c\u200d]|(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

const escape = (text: string): string =>
  [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")

/** On one line: breaks and tabs become spaces, with the spaces around them. */
export const safeLine = (text: string): string =>
  // Run by run: an expression that looks for a break among spaces tries each of them anew.
  text.replaceAll(/[\s\u0085]+/g, (spaces) => (breaks.test(spaces) ? " " : spaces)).replaceAll(risky, escape)

const breaks = /[\r\n\t\v\f\u0085\u2028\u2029]/

/** Line breaks and tabs stay. */
export const safeText = (text: string): string =>
  text.replaceAll(/\r\n/g, "\n").replaceAll(risky, (found) => (found === "\n" || found === "\t" ? found : escape(found)))

/** JSON whose strings are safe as well, and mean the same: outside of strings JSON has none of these characters but line breaks. */
export const safeJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? "null").replaceAll(risky, (found) => (found === "\n" ? found : escape(found)))
