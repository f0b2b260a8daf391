// Checks the stemmer against answers of the Snowball reference.
import { expect, test } from "vitest"
import { stem } from "./stem.ts"

test("forms of a word come to the stem that the reference gives", () => {
  const reference =
    "consigned:consign consistency:consist knightly:knight knots:knot repositories:repositori repository:repositori issues:issu " +
    "organizations:organ created:creat creating:creat creation:creation deleted:delet hopping:hop hoping:hope agreed:agre plastered:plaster " +
    "generously:generous communication:communic news:news dying:die skies:sky happy:happi enjoying:enjoy relational:relat vietnamization:vietnam " +
    "predication:predic operator:oper feudalism:feudal decisiveness:decis hopefulness:hope sensibility:sensibl triplicate:triplic electricity:electr " +
    "goodness:good allowance:allow replacement:replac adjustable:adjust adoption:adopt controlling:control rolling:roll exceed:exceed ties:tie gas:gas"
  const wrong = reference
    .split(" ")
    .map((pair) => pair.split(":"))
    .filter(([word = "", expected]) => stem(word) !== expected)
  expect(wrong.map(([word = ""]) => `${word}: ${stem(word)}`)).toEqual([])
})

test("what is no English word comes back as it is", () => {
  for (const text of ["", "a", "größe", "日本", "x1", "__proto__"]) expect(stem(text)).toBe(text)
})
