// What a model would do for the support agent and its writer, as a script: it decides by what it was told and by the outputs of its tools.
import type { ModelRequest, ModelScript } from "../../test/servers/model.ts"

type Call = { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
type Answer = { readonly text?: string; readonly calls?: readonly Call[] }

export const supportModel: ModelScript = (request) => {
  if (request.system.includes("Write to customers")) return { text: letter(request.userText) }
  return request.system.includes("Help customers") ? support(request) : { text: "Hello." }
}

function support({ outputs }: ModelRequest): Answer {
  const last = outputs.at(-1)?.text ?? ""
  switch (outputs.length) {
    case 0:
      return {
        text: "I look at the order and at the handbook.",
        calls: [
          { name: "shop__orders_get", arguments: { orderId: 2 } },
          // A model that does not keep to the schema: the argument is called `query`.
          { name: "registry__handbook", arguments: { question: "May an order be cancelled that has not shipped?" } },
        ],
      }
    case 2:
      return { calls: [{ name: "registry__refund", arguments: { quantity: 12, price: "8" } }] }
    case 3:
      return { text: "It has not shipped, so it may be cancelled.", calls: [{ name: "shop__orders_cancel", arguments: { orderId: 2 } }] }
    case 4:
      return last.includes("approval_declined")
        ? { text: "Nothing was cancelled: the cancellation was declined." }
        : { calls: [{ name: "registry__write_letter", arguments: { text: `Order 2 is cancelled; refund: ${outputs[2]?.text ?? ""}` } }] }
    default:
      return { text: (JSON.parse(last) as { output: string }).output } // the answer of `agent_call`
  }
}

const letter = (asked: string): string =>
  `Dear customer, order ${/\d+/.exec(asked)?.[0]} is cancelled. ${/"total":(\d+)/.exec(asked)?.[1]} euros reach you within five working days.`
