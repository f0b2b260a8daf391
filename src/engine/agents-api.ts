// What one principal can do with models, each change with its audit.
import type { ExecutorApi } from "../core/executor-api.ts"
import type { Principal } from "../core/principal.ts"
import type { Models } from "../models/model.ts"
import {
  createModelProvider,
  listModelProviders,
  removeModelProvider,
  testModelProvider,
  updateModelProvider,
} from "../models/providers.ts"
import { withAudit } from "./audit/audit.ts"
import type { EngineParts } from "./engine-parts.ts"

export function agentsApi(principal: Principal, parts: EngineParts & { readonly models: Models }): Pick<ExecutorApi, "models"> {
  const audit = withAudit(principal, parts)
  return {
    models: {
      providers: {
        list: (page = {}) => listModelProviders(principal, page, parts),
        create: (input) =>
          audit(
            "model_provider.create",
            input.id,
            () => createModelProvider(principal, input, parts),
            (after) => ({ details: { before: null, after } }),
          ),
        update: async (id, change) =>
          (
            await audit(
              "model_provider.update",
              id,
              () => updateModelProvider(principal, id, change, parts),
              (details) => ({ details }),
            )
          ).after,
        remove: async (id) =>
          void (await audit(
            "model_provider.remove",
            id,
            () => removeModelProvider(principal, id, parts),
            (before) => ({ details: { before, after: null } }),
          )),
        test: (id, options = {}) =>
          audit(
            "model_provider.test",
            id,
            () => testModelProvider(principal, id, options, parts),
            ({ ok, model }) => ({ details: { model, ok } }),
          ),
      },
    },
  }
}
