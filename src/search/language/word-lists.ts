// English words with special treatment: stop words, irregular and short forms, phrases, verbs.

/** The words of a list. */
export const wordsOf = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "")
/** The pairs of a list: `from:to`. */
export const pairsOf = (text: string): readonly (readonly [from: string, to: string])[] =>
  wordsOf(text).map((pair) => {
    const [from = "", to = ""] = pair.split(":")
    return [from, to]
  })

/** Words without a subject: they are in every request and every description. */
export const stopWords: ReadonlySet<string> = new Set(
  wordsOf(`
  a an the this that these those it its itself they them their theirs he she him her his hers we us our ours you your yours i
  am is are was were be been being do does did doing done has have had having can could would should shall will may might must
  of to for in on at by with from as into onto upon about over under between through during within without via per
  and or but nor so if then than because while although though until unless
  not no yes there here where when why how what which whom whose
  who any some each both either neither such same other another others else
  very really just also too only even still already again ever never always often
  s t ve ll re d m don doesn didn isn aren wasn won can't cannot couldn wouldn shouldn
  on off out up down back
  ok okay hi hello hey thanks thank please kindly etc e g eg ie vs
  able let lets want wants wanted need needs needed like would wish
  im ive youre thats whats dont doesnt cant wont
  `),
)

/** Words that carry little in a request: how it is asked, not what for. They count, but less. */
export const weakWords: ReadonlySet<string> = new Set(
  wordsOf(`
  help give tell show know see check look looking provide provided interested interest something anything everything thing things way ways
  lot lots many much more most less few several various different specific specifically particular certain given detail details
  detailed information info data latest recent recently good best better great top popular available current currently
  possible including include included such possible related relevant based using use used one two three first second last
  next today tomorrow yesterday now soon time times day week month year people person someone somebody everyone anyone
  work working works make making made get getting got go going come take taking put keep try trying start feel think
  really quickly easily simple easy quick fast full whole complete entire comprehensive accurate reliable real
  tool tools api app application service services system platform
  question questions answer problem thing kind type types sort
  `),
)

/** Words of titles that name nobody: "Acme Payment API" is found by "acme", and is no answer to "rotate an api key". */
export const namelessWords: ReadonlySet<string> = new Set([
  ...stopWords,
  ...wordsOf(`
  api apis rest restful http web service services server servers client sdk mcp openapi swagger graphql json app apps application platform
  system software tool tools integration connector plugin public official open beta alpha version v1 v2 v3 v4 1 2 3 4 inc ltd llc gmbh com net org io
  `),
])

/** Names of parameters that turn pages, in lower case and without signs between their words. */
export const pagingParameters: ReadonlySet<string> = new Set(
  wordsOf(`
  page pages pagesize pagetoken pagenumber pagelimit pageoffset pagecursor pageindex pagekey perpage itemsperpage nextpage nextpagetoken
  previouspage cursor nextcursor limit offset skip top maxresults maxitems startingafter endingbefore nexttoken paginationtoken continuationtoken
  pagelength pagestart recordsperpage resultsperpage
  `),
)

/** Forms that no rule of spelling leads to their base. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  pairsOf(`
  sent:send written:write wrote:write paid:pay bought:buy sold:sell found:find made:make took:take taken:take given:give gave:give
  got:get gotten:get went:go gone:go seen:see saw:see known:know knew:know told:tell said:say kept:keep lost:lose
  built:build begun:begin began:begin chosen:choose chose:choose drawn:draw drew:draw driven:drive drove:drive eaten:eat ate:eat
  flew:fly flown:fly forgot:forget forgotten:forget held:hold heard:hear hidden:hide hid:hide learnt:learn meant:mean met:meet
  ran:run rode:ride ridden:ride sang:sing sung:sing slept:sleep spoke:speak spoken:speak spent:spend stood:stand stole:steal
  stolen:steal swam:swim taught:teach thought:think threw:throw thrown:throw understood:understand undid:undo undone:undo
  woke:wake wore:wear worn:wear won:win broke:break broken:break brought:bring caught:catch felt:feel fed:feed
  children:child men:man women:woman feet:foot teeth:tooth mice:mouse geese:goose lives:life wives:wife knives:knife
  indices:index indexes:index vertices:vertex matrices:matrix criteria:criterion analyses:analysis theses:thesis
  crises:crisis diagnoses:diagnosis hypotheses:hypothesis
  flown:fly frozen:freeze shot:shoot shown:show shrunk:shrink struck:strike sworn:swear
  organisation:organization organisations:organization authorise:authorize authorisation:authorization colour:color colours:color
  favourite:favorite favourites:favorite centre:center licence:license catalogue:catalog cheque:check grey:gray programme:program
  analyse:analyze summarise:summarize categorise:categorize customise:customize optimise:optimize visualise:visualize
  cancelled:cancel cancelling:cancel cancellation:cancel travelling:travel travelled:travel traveller:travel labelled:label
  notify:notification notifies:notification notified:notification notifying:notification
  authenticate:authentication authenticates:authentication authenticating:authentication
  translation:translate translations:translate translator:translate
`),
)

/** Short forms that are the same word: they are indexed as one. */
export const shortForms: ReadonlyMap<string, string> = new Map(
  pairsOf(`
  repo:repository repos:repository org:organization orgs:organization mail:email mails:email config:configuration configs:configuration
  cfg:configuration env:environment envs:environment var:variable vars:variable admin:administrator admins:administrator
  app:application apps:application db:database param:parameter params:parameter doc:document docs:documentation stats:statistics
  stat:statistics img:image pic:picture pics:picture photo:photograph photos:photograph dir:directory dirs:directory info:information
  ids:id identifier:id identifiers:id msg:message msgs:message tz:timezone pwd:password lang:language num:number qty:quantity addr:address
  calc:calculate tv:television ad:advertisement ads:advertisement advert:advertisement crypto:cryptocurrency cryptos:cryptocurrency
  phone:telephone phones:telephone bike:bicycle bikes:bicycle math:mathematics maths:mathematics exam:examination exams:examination
  lab:laboratory labs:laboratory dept:department mgmt:management acct:account amt:amount desc:description spec:specification
  specs:specification sync:synchronize max:maximum min:minimum prod:production attr:attribute attrs:attribute tx:transaction txn:transaction
  loc:location coord:coordinate coords:coordinate lat:latitude lon:longitude lng:longitude perm:permission perms:permission
  creds:credential promo:promotion promos:promotion vid:video vids:video svc:service req:request resp:response ref:reference refs:reference
  me:self myself:self js:javascript k8s:kubernetes auth:authentication authn:authentication authz:authorization
  kid:child kids:child cv:resume cvs:resume sms:text urls:url prs:pr
`),
)

/** Words that the rules would merge with a stranger: "customer" with "custom", "important" with "import". */
export const ownStems: ReadonlyMap<string, string> = new Map(
  pairsOf(`
  customer:customer customers:customer important:important importance:important authority:authority authorities:authority
  authorize:authoriz authorizes:authoriz authorized:authoriz authorizing:authoriz authorization:authoriz authorizations:authoriz
  experiment:experiment experiments:experiment experimental:experiment university:university universities:university
  appointment:appointment appointments:appointment
`),
)

/** Two words that are one thing, and mislead when each is taken by itself. The first one alone also stands for it. */
export const wordPairs: readonly (readonly [first: string, second: string])[] = [
  ["pull", "request"],
  ["merge", "request"],
]

/** Ways of saying that are more than their words. Each leads to words that a tool's text would use. */
export const phrases: readonly (readonly [said: string, meant: string])[] = `
  who am i: authenticated current user, whoami: authenticated current user, logged in as: authenticated current user,
  signed in as: authenticated current user, my account: authenticated user account, my profile: authenticated user profile,
  pr: pullrequest, prs: pullrequests, mr: mergerequest, i have: my, i own: my, am i in: my, turn on: enable, turn off: disable,
  switch on: enable, switch off: disable, set up: create setup, look for: search, get rid of: delete, take off: remove,
  take down: delete, take away: remove, throw away: delete, give back: return refund, hand over: transfer, sign off: approve,
  spin up: create, stand up: create, call off: cancel, bring back: restore, money back: refund,
  out of office: vacation, real estate: house property, to do: task, direct message: dm message, discount code: coupon discount,
  file a: create a, log a: create a, raise a: create a, file an: create an, log an: create an, raise an: create an, make a new: create a, thumbs up: react,
  how big: size, up to date: update sync, sbom: software bill of materials
`
  .split(",")
  .map((pair) => {
    const [said = "", meant = ""] = pair.split(":")
    return [said.trim(), meant.trim()]
  })
