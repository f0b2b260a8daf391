// Small catalogs in the styles that sources have (REST, MCP, GraphQL, terse), for judging search beside a large one.
import type { IndexedTool } from "../../src/search/indexed-tool.ts"

export type DemoCatalog = { readonly integration: string; readonly integrationName: string; readonly tools: readonly IndexedTool[] }

type Row = readonly [name: string, summary: string, description: string, parameters: string, flags?: "deprecated"]

/** Rows keep the catalogs readable: parameters are `name: description` separated by semicolons. */
export const catalog = (integration: string, integrationName: string, rows: readonly Row[]): DemoCatalog => ({
  integration,
  integrationName,
  tools: rows.map(([name, summary, description, parameters, flags]) => ({
    name,
    title: "",
    summary,
    description,
    tags: [],
    parameters: parameters
      .split(";")
      .filter((text) => text.trim() !== "")
      .map((text) => {
        const [parameter = "", about = ""] = text.split(":")
        return { name: parameter.trim(), description: about.trim() }
      }),
    deprecated: flags === "deprecated",
    effect: effectOf(name),
  })),
})

function effectOf(name: string): IndexedTool["effect"] {
  if (/delete|trash$|archive/i.test(name)) return "destroy"
  if (/^(?:post|put|patch)[A-Z]|\.(?:create|update|add|remove|duplicate)/.test(name)) return "write"
  return /list|get|read|retrieve|search|query|history|info|instances|members|replies|lookup|permalink|tree|quota/i.test(name)
    ? "read"
    : "write"
}

const mail = catalog("mail", "Acme Mail", [
  [
    "messages.list",
    "Lists the messages in the mailbox",
    "Messages are ordered by date, newest first.",
    "q: Search expression; labelIds: Only messages with these labels; maxResults; pageToken",
  ],
  ["messages.get", "Gets the specified message", "Returns headers and body.", "id: The message; format: full, metadata or raw"],
  [
    "messages.send",
    "Sends the specified message to its recipients",
    "Recipients are taken from the To, Cc and Bcc headers.",
    "to: Recipients; cc; bcc; subject; body: Text or HTML; replyTo; threadId",
  ],
  ["messages.trash", "Moves the specified message to the trash", "It is kept for 30 days.", "id"],
  ["messages.untrash", "Removes the specified message from the trash", "", "id"],
  [
    "messages.delete",
    "Immediately and permanently deletes the specified message",
    "This operation cannot be undone. Prefer messages.trash instead.",
    "id",
  ],
  [
    "messages.modify",
    "Modifies the labels on the specified message",
    "Unread, starred and important are labels too.",
    "id; addLabelIds; removeLabelIds",
  ],
  [
    "messages.import",
    "Imports a message into the mailbox without sending it",
    "Standard delivery scanning and classification apply.",
    "raw: RFC 2822 text",
  ],
  ["messages.attachments.get", "Gets the specified message attachment", "", "messageId; id"],
  ["threads.list", "Lists the threads in the mailbox", "", "q; labelIds; maxResults"],
  ["threads.get", "Gets the specified thread", "All messages of one conversation.", "id"],
  ["drafts.create", "Creates a new draft with the DRAFT label", "", "to; subject; body"],
  ["drafts.list", "Lists the drafts in the mailbox", "", "maxResults"],
  ["drafts.send", "Sends the specified, existing draft to its recipients", "", "id"],
  ["drafts.delete", "Immediately and permanently deletes the specified draft", "Does not simply trash it.", "id"],
  ["labels.list", "Lists all labels in the mailbox", "", ""],
  ["labels.create", "Creates a new label", "", "name; color"],
  ["labels.delete", "Deletes the specified label", "It is removed from all messages and threads.", "id"],
  ["settings.getVacation", "Gets vacation responder settings", "", ""],
  [
    "settings.updateVacation",
    "Updates vacation responder settings",
    "Turns the automatic reply on or off.",
    "enableAutoReply; responseSubject; responseBody; startTime; endTime",
  ],
  [
    "settings.filters.create",
    "Creates a filter",
    "Incoming messages that match the criteria are labelled, forwarded or archived.",
    "criteria; action",
  ],
  ["settings.forwardingAddresses.create", "Creates a forwarding address", "A verification message is sent to it.", "forwardingEmail"],
  ["users.getProfile", "Gets the current user's mail profile", "Email address and number of messages.", ""],
])

const calendar = catalog("calendar", "Acme Calendar", [
  [
    "events.list",
    "Returns events on the specified calendar",
    "",
    "calendarId; timeMin: Lower bound for an event's end time; timeMax; q; singleEvents",
  ],
  ["events.get", "Returns an event based on its identifier", "", "calendarId; eventId"],
  [
    "events.insert",
    "Creates an event",
    "Attendees get an invitation when sendUpdates is set.",
    "calendarId; summary; start; end; attendees; location; recurrence; sendUpdates",
  ],
  ["events.quickAdd", "Creates an event based on a simple text string", "", "calendarId; text: Such as 'Lunch with Ana tomorrow at noon'"],
  ["events.patch", "Updates an event", "Only the given fields are changed.", "calendarId; eventId; start; end; attendees; location"],
  ["events.delete", "Deletes an event", "Attendees can be told.", "calendarId; eventId; sendUpdates"],
  ["events.move", "Moves an event to another calendar, changing its organizer", "", "calendarId; eventId; destination"],
  ["events.instances", "Returns instances of the specified recurring event", "", "calendarId; eventId"],
  ["events.respond", "Sets your answer to an invitation", "Accepted, declined or tentative.", "eventId; responseStatus"],
  ["freebusy.query", "Returns free and busy information for a set of calendars", "", "timeMin; timeMax; items: Calendars or people"],
  ["calendarList.list", "Returns the calendars on the user's calendar list", "", ""],
  ["calendars.insert", "Creates a secondary calendar", "", "summary; timeZone"],
  ["calendars.delete", "Deletes a secondary calendar", "", "calendarId"],
  ["acl.insert", "Creates an access control rule", "Shares the calendar with a person, a group or a domain.", "calendarId; role; scope"],
  ["settings.list", "Returns all user settings for the authenticated user", "Such as time zone and week start.", ""],
])

const payments = catalog("payments", "Acme Payments", [
  [
    "charges.create",
    "Create a charge",
    "Charges a credit card or another payment source.",
    "amount: In the smallest currency unit; currency; source; customer; description",
  ],
  ["charges.list", "List all charges", "", "customer; created; limit"],
  ["charges.retrieve", "Retrieve a charge", "", "id"],
  ["charges.capture", "Capture a payment", "Captures an existing, uncaptured charge.", "id; amount"],
  ["refunds.create", "Create a refund", "Returns the money of a charge, in whole or in part.", "charge; amount; reason"],
  ["refunds.list", "List all refunds", "", "charge; limit"],
  ["customers.create", "Create a customer", "", "email; name; phone; address"],
  ["customers.retrieve", "Retrieve a customer", "", "id"],
  ["customers.update", "Update a customer", "", "id; email; name; address"],
  ["customers.delete", "Delete a customer", "Permanently deletes it and cancels any active subscriptions.", "id"],
  ["customers.search", "Search customers", "", "query; limit"],
  ["customers.list", "List all customers", "", "email; limit"],
  ["invoices.create", "Create an invoice", "It remains a draft until you finalize it.", "customer; dueDate; items"],
  ["invoices.finalize", "Finalize an invoice", "", "id"],
  ["invoices.send", "Send an invoice for manual payment", "", "id"],
  ["invoices.pay", "Pay an invoice", "Attempts payment out of the normal collection schedule.", "id"],
  ["invoices.void", "Void an invoice", "", "id"],
  ["invoices.list", "List all invoices", "", "customer; status: draft, open, paid, uncollectible or void"],
  ["subscriptions.create", "Create a subscription", "", "customer; price; trialDays"],
  ["subscriptions.update", "Update a subscription", "Changes its plan or quantity, with proration.", "id; price; quantity"],
  ["subscriptions.cancel", "Cancel a subscription", "At once, or at the end of the period.", "id; atPeriodEnd"],
  ["subscriptions.list", "List subscriptions", "", "customer; status"],
  ["balance.retrieve", "Retrieve balance", "What is available and what is pending in the account.", ""],
  ["payouts.list", "List all payouts", "Transfers to your bank account.", "arrivalDate; status"],
  ["payouts.create", "Create a payout", "Sends funds to your own bank account.", "amount; currency"],
  ["disputes.list", "List all disputes", "Charges that customers question with their card issuer.", "charge"],
  ["disputes.update", "Update a dispute", "Submits evidence.", "id; evidence"],
  ["coupons.create", "Create a coupon", "A percent or amount off.", "percentOff; amountOff; duration"],
  ["products.create", "Create a product", "", "name; description"],
  ["prices.create", "Create a price", "", "product; unitAmount; currency; recurring"],
  ["paymentLinks.create", "Create a payment link", "A page that anyone can pay on.", "lineItems"],
  ["sources.create", "Create a source", "Superseded by payment methods.", "type; token", "deprecated"],
])

const chat = catalog("chat", "Acme Chat", [
  ["chat_post_message", "", "Sends a message to a channel.", "channel; text; blocks; thread_ts: Reply in this thread"],
  ["chat_update", "", "Updates a message.", "channel; ts; text"],
  ["chat_delete", "", "Deletes a message.", "channel; ts"],
  ["chat_schedule_message", "", "Schedules a message to be sent to a channel.", "channel; post_at; text"],
  ["chat_get_permalink", "", "Retrieve a permalink URL for a specific extant message.", "channel; message_ts"],
  ["conversations_list", "", "Lists all channels in the workspace.", "types; exclude_archived; limit"],
  ["conversations_history", "", "Fetches a conversation's history of messages and events.", "channel; oldest; latest; limit"],
  ["conversations_replies", "", "Retrieve a thread of messages posted to a conversation.", "channel; ts"],
  ["conversations_create", "", "Initiates a public or private channel-based conversation.", "name; is_private"],
  ["conversations_archive", "", "Archives a conversation.", "channel"],
  ["conversations_invite", "", "Invites users to a channel.", "channel; users"],
  ["conversations_join", "", "Joins an existing conversation.", "channel"],
  ["conversations_leave", "", "Leaves a conversation.", "channel"],
  ["conversations_members", "", "Retrieve members of a conversation.", "channel"],
  ["conversations_open", "", "Opens or resumes a direct message or multi-person direct message.", "users"],
  ["conversations_set_topic", "", "Sets the topic for a conversation.", "channel; topic"],
  ["users_list", "", "Lists all users in the workspace.", "limit"],
  ["users_info", "", "Gets information about a user.", "user"],
  ["users_lookup_by_email", "", "Find a user with an email address.", "email"],
  ["users_profile_set", "", "Set a user's profile information, including custom status.", "profile"],
  ["users_set_presence", "", "Manually sets user presence.", "presence: auto or away"],
  ["reactions_add", "", "Adds a reaction to an item.", "channel; timestamp; name: Emoji name"],
  ["pins_add", "", "Pins an item to a channel.", "channel; timestamp"],
  ["files_upload", "", "Uploads or creates a file.", "channels; content; filename"],
  ["reminders_add", "", "Creates a reminder.", "text; time; user"],
  ["search_messages", "", "Searches for messages matching a query.", "query; sort"],
  ["dnd_set_snooze", "", "Turns on Do Not Disturb mode for the current user.", "num_minutes"],
])

const files = catalog("drive", "Acme Drive", [
  ["read_file", "", "Read the complete contents of a file as text.", "path"],
  ["write_file", "", "Create a new file or completely overwrite an existing file with new content.", "path; content"],
  ["edit_file", "", "Make line-based edits to a text file.", "path; edits"],
  ["create_directory", "", "Create a new directory or ensure a directory exists.", "path"],
  ["list_directory", "", "Get a detailed listing of all files and directories in a specified path.", "path"],
  ["directory_tree", "", "Get a recursive tree view of files and directories.", "path"],
  ["move_file", "", "Move or rename files and directories.", "source; destination"],
  ["copy_file", "", "Copy a file to another place.", "source; destination"],
  ["delete_file", "", "Delete a file or an empty directory.", "path"],
  ["search_files", "", "Recursively search for files and directories matching a pattern.", "path; pattern"],
  ["get_file_info", "", "Retrieve detailed metadata about a file or directory: size, times, permissions, type.", "path"],
  ["share_file", "", "Give a person access to a file.", "path; email; role"],
  ["list_file_revisions", "", "List the earlier versions of a file.", "path"],
  ["restore_file_revision", "", "Bring back an earlier version of a file.", "path; revision"],
  ["export_file", "", "Convert a document to PDF, DOCX or CSV.", "path; format"],
  ["get_quota", "", "How much storage is used and how much is left.", ""],
])

const tickets = catalog("tickets", "Acme Tickets", [
  ["query.ticket", "", "One specific ticket, looked up by its identifier.", "id"],
  ["query.tickets", "", "All tickets, filtered and paginated.", "filter; first; after; orderBy"],
  ["query.ticketSearch", "", "Search tickets by text.", "term"],
  ["query.viewer", "", "The currently authenticated user.", ""],
  ["query.users", "", "All users of the workspace.", "first; after"],
  ["query.teams", "", "All teams whose tickets can be accessed by the user.", ""],
  ["query.projects", "", "All projects.", ""],
  ["query.workflowStates", "", "All workflow states, such as backlog, in progress and done.", ""],
  ["query.cycles", "", "All cycles: the sprints of a team.", "teamId"],
  ["mutation.ticketCreate", "", "Creates a new ticket.", "title; description; teamId; assigneeId; priority; labelIds"],
  ["mutation.ticketUpdate", "", "Updates a ticket.", "id; title; stateId; assigneeId; priority; dueDate"],
  ["mutation.ticketDelete", "", "Deletes (trashes) a ticket.", "id"],
  ["mutation.ticketArchive", "", "Archives a ticket.", "id"],
  ["mutation.commentCreate", "", "Creates a new comment.", "ticketId; body"],
  ["mutation.commentDelete", "", "Deletes a comment.", "id"],
  [
    "mutation.attachmentCreate",
    "",
    "Creates a new attachment, or updates existing if the same url and ticketId is used.",
    "ticketId; url; title",
  ],
  ["mutation.projectCreate", "", "Creates a new project.", "name; teamIds; startDate; targetDate"],
  [
    "mutation.ticketRelationCreate",
    "",
    "Creates a new relation between two tickets: blocks, duplicate or related.",
    "ticketId; relatedTicketId; type",
  ],
  ["mutation.cycleCreate", "", "Creates a new cycle.", "teamId; startsAt; endsAt"],
  ["graphql", "", "Run a raw GraphQL document.", "query; variables; operationName"],
])

export const demoCatalogs: readonly DemoCatalog[] = [mail, calendar, payments, chat, files, tickets]
