// The patch format as a grammar, for models that can be held to one.

export const patchGrammar = String.raw`start: "*** Begin Patch" LF file+ "*** End Patch" LF?

file: add | delete | update
add: "*** Add File: " path LF added+
delete: "*** Delete File: " path LF
update: "*** Update File: " path LF move? hunks?

move: "*** Move to: " path LF
hunks: (context | line)+ end_of_file?
context: "@@" (" " /(.+)/)? LF
line: (" " | "+" | "-") /(.*)/ LF
end_of_file: "*** End of File" LF

added: "+" /(.*)/ LF
path: /(.+)/

%import common.LF
`
