// Reads what tools do from names in the styles that sources have.
import { expect, test } from "vitest"
import { operationOfTool } from "./operation-of-tool.ts"

test.each([
  ["issues.create", "write", "create", "issues"],
  ["issues.createComment", "write", "create", "comment"],
  ["repos.createForAuthenticatedUser", "write", "create", "repos"],
  ["repos.get", "read", "read", "repos"],
  ["issues.list", "read", "read", "issues"],
  ["tasks.getTasksForProject", "read", "read", "tasks"],
  ["workspaces.getWorkspaces", "read", "read", "workspaces"],
  ["workspaces.getWorkspace", "read", "read", "workspace"],
  ["postCharges", "write", "create", "charges"],
  ["postChargesCharge", "write", "update", "charges"],
  ["postChargesChargeRefund", "write", "change", "charges"],
  ["postChargesChargeRefunds", "write", "create", "refunds"],
  ["getChargesCharge", "read", "read", "charges"],
  ["deleteUsersId", "destroy", "delete", "users"],
  ["servers.actions.reboot.create", "write", "change", "servers"],
  ["accounts.follow.create", "write", "change", "accounts"],
  ["read_file", "destroy", "read", "file"],
  ["write_file", "destroy", "change", "file"],
  ["users_list", "write", "read", "users"],
  ["mutation.ticketCreate", "write", "create", "ticket"],
  ["query.tickets", "read", "read", "query"],
  ["folders.folderListForPath", "read", "read", "folder"],
  ["activity.markNotificationsAsRead", "write", "change", "read"],
  ["pulls.merge", "write", "change", "pulls"],
  ["repos.checkCollaborator", "read", "read", "collaborator"],
  ["", "write", "change", ""],
  ["graphql", "write", "change", ""],
] as const)("%s (%s) is %s of %s", (name, effect, operation, thing) => {
  expect(operationOfTool(name, effect)).toMatchObject({ operation, thing })
})

test.each([
  ["getTasksForProject", "list"],
  ["getTask", "get"],
  ["listTasks", "list"],
  ["postCharges", "create"],
  ["postChargesCharge", "update"],
  ["postChargesChargeRefund", "post"],
  ["putThing", "update"],
])("who asks for %s says %s", (name, spoken) => expect(operationOfTool(name, "write").spoken).toBe(spoken))
