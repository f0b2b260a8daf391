// Texts of strangers: what hides goes, what people write stays.
import { expect, test } from "vitest"
import { mayHoldSuspicious, plainText } from "./plain.ts"

test.each([
  ["an escape sequence", "\u001b[31mred\u001b[0m \u009b1m", "[31mred[0m 1m"],
  ["overrides of direction", "safe \u202eevil\u202c \u2066x\u2069", "safe evil x"],
  ["zero width characters", "a\u200bb\u2060c\ufeffd\u00ade", "abcde"],
  ["text in tags", "hi\u{e0069}\u{e0067}\u{e006e}!", "hi!"],
  ["a message in joiners", "a\u200d\u200c\u200d\u200cb", "ab"],
  ["a message in variation selectors", "😀\ufe0f\ufe01\u{e0101}\u{e0102}x", "😀\ufe0fx"],
  ["separators", "a\u2028b\u2029c\u0085d", "a\nb\nc\nd"],
  ["NUL, DEL and half a character", "a\u0000b\u007fc\ud800", "abc\ufffd"],
])("%s", (_name, text, clean) => expect(plainText(text)).toBe(clean))

test.each([
  ["lines and tabs", "one\r\ntwo\n\tthree"],
  ["a family", "👩\u200d👩\u200d👧\u200d👦 and ❤\ufe0f\u200d🔥"],
  ["Persian", "می\u200cخواهم"],
  ["Malayalam", "അവന്\u200d പോയി"],
  ["accents and CJK", "Zażółć gęślą jaźń, 東京, é\u0301"],
  ["quotes and dashes", "“a” – b… c"],
])("%s stay as they are", (_name, text) => expect(plainText(text)).toBe(text))

test("JSON is looked at for what it holds in itself and as escapes", () => {
  for (const text of ["\u001b", "\u202e", "\u200b", "\u{e0041}", "\b", "\ud800"])
    expect(mayHoldSuspicious(JSON.stringify({ a: text }))).toBe(true)
  expect(mayHoldSuspicious(JSON.stringify({ a: 'x\n"y"\t\r', é: "東京" }))).toBe(false)
})
