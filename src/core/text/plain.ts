// Removes characters that can hide, reorder or recolour text from strangers, so that a model and a human read the same.
//
// Dropped are control characters but for line ends and tabs, marks and overrides of direction, invisible characters and
// tags. A zero width joiner or non-joiner stays behind a letter or sign beyond Latin, because emoji, Persian and the scripts
// of India are written with it; elsewhere, and in runs, it only hides something. Of variation selectors in a row the
// first one stays: more of them carry no look, but can carry a message.

const lineEnds = /[\u0085\u2028\u2029]/g
const dropped =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+/gu
// oxlint-disable-next-line no-control-regex -- a range from the first character on
const uselessJoiner = /(?<![^\u0000-\u02ff\s\u2000-\u200f])[\u200c\u200d]/gu
const repeatedSelector = /(?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu

/** Everything that one of the rules could be about, so that an ordinary text is looked at once. */
const suspicious =
  // oxlint-disable-next-line no-control-regex -- as above
  /[\ufe00-\ufe0f\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]/

export function plainText(text: string): string {
  if (!suspicious.test(text)) return text
  const marked = text.toWellFormed().replaceAll(lineEnds, "\n").replaceAll(dropped, "")
  return marked.replaceAll(uselessJoiner, "").replaceAll(repeatedSelector, "")
}

/** Whether a text of JSON may hold such characters, as they are or as escapes. */
export const mayHoldSuspicious = (json: string): boolean => suspicious.test(json) || /\\[ubf]/.test(json)
