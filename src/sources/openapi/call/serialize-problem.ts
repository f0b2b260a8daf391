// Why an argument cannot be sent; it is thrown by what serialises, and caught once, where the call begins.

export class ArgumentProblem extends Error {
  override readonly name = "ArgumentProblem"
  readonly arg: string
  constructor(arg: string, message: string) {
    super(message)
    this.arg = arg
  }
}
