// Long lists of values in pieces that one statement can take.

/** Both databases take far more parameters; beyond this a longer statement gains nothing. */
const valuesPerStatement = 500

export function* chunks<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let index = 0; index < values.length; index += valuesPerStatement) yield values.slice(index, index + valuesPerStatement)
}
