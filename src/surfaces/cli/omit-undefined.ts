// Leaves out what was not given: an option that is absent is no option that is undefined.

export type OmitUndefined<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>
}

export const omitUndefined = <T extends Record<string, unknown>>(options: T): OmitUndefined<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as OmitUndefined<T> // what is undefined was dropped
