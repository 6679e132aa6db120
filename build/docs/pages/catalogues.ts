/** Pages generated from the program's own tables, as Markdown: errors, events, limits, scopes and tools. */
import { z } from 'zod'
import { loadContracts } from '../../../server/api/operations.ts'
import { SCOPES } from '../../../server/domain/contract/scopes.ts'
import type { AnyContract } from '../../../server/domain/contract/define-contract.ts'
import type { Scope } from '../../../server/domain/contract/scopes.ts'
import { ERRORS } from '../../../server/domain/errors/catalog.ts'
import { english } from '../../../server/domain/errors/messages/en.ts'
import type { ErrorCode, ErrorSpec, Retry } from '../../../server/domain/errors/catalog.ts'
import {
  CONCURRENT_CALLS,
  FAMILIES,
  FAMILY_MEANING,
  familyOf,
  isCapped,
  PLAN_NAMES,
  PLANS,
  WAITING,
  WINDOW_SECONDS,
} from '../../../server/domain/contract/rate-limits.ts'
import { MAX_BAD_KEYS } from '../../../server/api/http/bad-key-limits.ts'
import { escapeHtml } from '../html.ts'
import { referenceLink } from '../reference.ts'

const all = await loadContracts()
const withRoute = all.filter(({ rest }) => rest)

type Schema = Record<string, unknown> & {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  description?: string
  $ref?: string
  format?: string
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Returns a readable type: `string or null`, `list of objects`. */
function typeInWords(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (schema.anyOf) return schema.anyOf.map(typeInWords).join(' or ')
  if (schema.type === 'array') return `list of ${typeInWords(schema.items ?? {})}`
  if (schema.$ref) return 'object'
  const type = [schema.type ?? 'any'].flat().join(' or ')
  return schema.format ? `${type} (${schema.format})` : type
}

/** Returns a table of an object's members. */
function fieldTable(schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const isOptional = !(schema.required ?? []).includes(name)
    return `| \`${name}\` | ${cell(typeInWords(one))}${isOptional ? ', optional' : ''} | ${cell(one.description ?? '')} |`
  })
  return rows.length === 0 ? '' : `| Field | Type | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`
}

/** Returns a link to an operation in the interactive reference: `POST /invoices/:id/issue`. */
function operationLink(contract: AnyContract): string {
  const { rest } = contract
  if (!rest) return `\`${contract.name}\``
  return `<a href="${escapeHtml(referenceLink(contract))}"><code>${rest.method} ${escapeHtml(rest.path)}</code></a>`
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  423: 'Locked',
  428: 'Precondition required',
  429: 'Too many requests',
  500: 'Internal error',
  501: 'Not implemented',
  502: 'Bad gateway',
  503: 'Service unavailable',
  507: 'Insufficient storage',
}

const RETRY_WORDS: Readonly<Record<Retry, string>> = {
  never: 'Not as it is',
  backoff: 'Again, waiting longer each time',
  after: 'After the seconds in Retry-After',
  new_token: 'With a new confirmation token',
}

function errorEntry(code: ErrorCode, spec: ErrorSpec): string {
  const askers = withRoute.filter(({ errors }) => errors.includes(code))
  const shown = askers.slice(0, 6).map(operationLink).join(', ')
  const more = askers.length > 6 ? ` and ${askers.length - 6} more` : ''
  return `### \`${code}\`

<p class="facts"><span class="pill status-${Math.floor(spec.status / 100)}">${spec.status}</span> <span class="pill">retry: <code>${spec.retry}</code></span> <span class="said">${RETRY_WORDS[spec.retry]}</span></p>

${english[code].message} **Next:** ${english[code].next}
${askers.length > 0 ? `\nAnswered by ${shown}${more}.\n` : ''}`
}

/** Returns the page of all error codes by status; the anchor of each heading is the code, to which every error links. */
export function errorsPage(): string {
  const codes = Object.entries(ERRORS) as [ErrorCode, ErrorSpec][]
  const statuses = [...new Set(codes.map(([, { status }]) => status))].toSorted((a, b) => a - b)
  const groups = statuses.map((status) => {
    const entries = codes
      .filter(([, spec]) => spec.status === status)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, spec]) => errorEntry(code, spec))
    return `## ${status} ${STATUS_NAMES[status] ?? ''}\n\n${entries.join('\n')}`
  })
  return `# Error codes

All ${codes.length} codes an answer can carry, by HTTP status. Programs act on \`code\` and \`retry\`; \`message\` and \`next\` are for people and may change their words.

\`\`\`json
{
  "ok": false,
  "error": {
    "code": "validation_failed",
    "message": "${english.validation_failed.message}",
    "field": "lines[0].quantity",
    "details": { "faults": [{ "code": "required", "field": "lines[0].quantity", "severity": "error", "message": "This field is required." }] },
    "retry": "never",
    "next": "${english.validation_failed.next}",
    "docs": "/docs/errors#validation_failed"
  },
  "meta": { "requestId": "req_…", "timestamp": "2026-07-01T10:00:00.000+02:00" }
}
\`\`\`

How to act on them in a program, with code: [Errors and retries](/docs/errors-and-retries).

${groups.join('\n\n')}
`
}

/** Returns the page of the plans with their limits, and the operations of each family. */
export function limitsPage(): string {
  const plans = PLAN_NAMES.map((name) => ({ name, ...PLANS[name] }))
  const figure = (count: number): string => (count >= 1_000_000 ? 'no limit' : String(count))
  const rows = FAMILIES.map((family) => {
    const perPlan = plans.map(({ perMinute }) => figure(perMinute[family]))
    return `| \`${family}\` | ${FAMILY_MEANING[family]} | ${perPlan.join(' | ')} |`
  })
  const members = FAMILIES.map((family) => {
    const list = withRoute.filter((contract) => familyOf(contract) === family)
    return `### \`${family}\`\n\n${list.length} operations, such as ${list.slice(0, 8).map(operationLink).join(', ')}.\n`
  })
  const capped = FAMILIES.filter(isCapped).map((family) => `\`${family}\``)
  return `# Limits

Requests are counted for each key and each family of operations. Every keyed answer tells what is left, over REST and over MCP, so a program never has to guess.

A window of ${WINDOW_SECONDS} seconds begins with the first request of a key in a family; all of its requests may come at once. REST and tools count together, and so do requests that are refused, repeated or nonsense.

## Plans

Requests a minute:

| Family | What | ${plans.map(({ name, refuses }) => `\`${name}\`${refuses ? '' : ' (never refuses)'}`).join(' | ')} |
| --- | --- | ${plans.map(() => '---:').join(' | ')} |
${rows.join('\n')}

The plan \`beta\` is the default: it counts, tells, and refuses nothing. A person chooses the plan and what differs from it, in the app under *Conexiones → Claves de API*; [GET /limits](/docs/reference) tells what holds for a key and what is left of it.

## What is expensive

Of ${capped.join(' and ')} requests of all keys, ${CONCURRENT_CALLS} of a kind are at work at once and ${WAITING} more wait; beyond that the answer is 503 [\`too_busy\`](/docs/errors#too_busy) with \`Retry-After\`. This holds in every plan.

## Headers

\`\`\`http
HTTP/1.1 200 OK
RateLimit-Policy: "standard-read";q=120;w=60
RateLimit: "standard-read";r=117;t=42
\`\`\`

| Header | Says |
| --- | --- |
| \`RateLimit-Policy\` | The policy: \`q\` requests in \`w\` seconds. |
| \`RateLimit\` | What is left of it: \`r\` requests, renewed in \`t\` seconds. |
| \`Retry-After\` | With 429 and 503: the seconds after which a repetition makes sense. |

A program that slows down when \`r\` comes near zero is never refused. One that is refused gets 429 [\`rate_limited\`](/docs/errors#rate_limited); the request had no effect.

## Requests with a bad key

In every plan, after ${MAX_BAD_KEYS} requests with a missing, unknown or revoked key within a minute, further ones with a bad key are answered with 429 instead of 401. Good keys do not notice.

## Sizes

| What | At most |
| --- | --- |
| Body of a request | 1 MiB; operations that take a file say their own limit in the [reference](/docs/reference) |
| Lines of an invoice | 500 |
| Entries of a page of a list | 100 |
| \`Idempotency-Key\` | 255 printable ASCII characters |

## Caps of a key

A key can have daily caps of its own, in invoices and in euros issued (\`limits.perDay\`, \`limits.eurPerDay\`): see [Keys and scopes](/docs/authentication#daily-caps).

## What counts where

${members.join('\n')}
`
}

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'company.read': 'The company, its series, rates and readiness.',
  'invoices.read': 'Invoices, quotes, contacts, items, received invoices, payments, banks and books.',
  'invoices.write': 'Drafts and everything around them that can be undone.',
  'invoices.issue': 'What reaches the tax authority and cannot be undone.',
  'registry.read': 'What the tax authority was told and what it answered.',
  'audit.read': 'Who did what.',
  'keys.read': 'The list of keys, never the keys themselves.',
  'keys.write': 'Making and revoking keys, never wider than the maker.',
  'integrations.read': 'The state of the accounting system elsewhere, and what was read of it.',
  'integrations.write': 'Connecting, reading and disconnecting it.',
  'fiscal.read': 'Summaries, figures of returns, VAT books.',
  'webhooks.read': 'Webhook endpoints, deliveries and the list of events.',
  'webhooks.write': 'Making and changing webhook endpoints.',
}

/** Returns the page of all scopes with their operations. */
export function scopesPage(): string {
  const sections = SCOPES.map((scope) => {
    const opened = all.filter(({ access, rest, tool }) => access === scope && (rest || tool))
    const rows = opened.map(
      (contract) =>
        `| ${operationLink(contract)}${contract.tool ? `<br><code>${contract.tool}</code>` : ''} | ${cell(contract.summary)} |`,
    )
    const table =
      rows.length === 0 ? '' : `\n| Operation | What it does |\n| --- | --- |\n${rows.join('\n')}\n`
    return `## \`${scope}\`\n\n${SCOPE_WORDS[scope]}\n${table}`
  })
  return `# Scopes

A key opens what its scopes name, and nothing else. This page is printed from the table of operations, so it is complete. What no scope opens (approving, importing a certificate, restoring) only a person in the app can do.

A request without the scope it needs is answered with 403 [\`scope_missing\`](/docs/errors#scope_missing); the scope's name stands in \`details\`.

${sections.join('\n')}
`
}

/** Returns the page of all MCP tools with their input. */
export function toolsPage(): string {
  const tools = all.filter(({ tool }) => tool)
  const sections = tools.map((contract) => {
    const schema = z.toJSONSchema(contract.input, { io: 'input', unrepresentable: 'any' }) as Schema
    const fields = fieldTable(schema)
    const effects = {
      read: 'reads only',
      write: 'changes what can be undone',
      irreversible: 'cannot be undone',
    }
    return `## \`${contract.tool}\`

<p class="facts"><span class="pill">${effects[contract.effect]}</span> <span class="pill">scope: <code>${contract.access}</code></span></p>

${contract.summary}${contract.description ? `\n\n${contract.description}` : ''}
${contract.rest ? `\nThe same as ${operationLink(contract)}.\n` : ''}
${fields}`
  })
  return `# Tools for assistants

The MCP server at \`/api/mcp/svc\` has ${tools.length} tools. Each is the same operation as its REST twin: same scope, same input, same answer, same errors. How to connect one: [Assistants](/docs/assistants).

${sections.join('\n')}
`
}

/** The part of the event catalogue that the events page needs. */
type EventCatalogue = Readonly<Record<string, { summary: string; data: z.ZodType; example: unknown }>>

/** Returns the page of all event types with their payloads. */
export function eventsPage(events: EventCatalogue): string {
  const sections = Object.entries(events).map(([type, { summary, data, example }]) => {
    const schema = z.toJSONSchema(data, { io: 'output', unrepresentable: 'any' }) as Schema
    const body = {
      id: 'evt_6tqy0v5cbn2k8w4e_128',
      type,
      createdAt: '2026-07-01T08:00:00.000Z',
      mode: 'test',
      data: example,
    }
    return `## \`${type}\`

${summary}

${fieldTable(schema)}
\`\`\`json title=${type}
${JSON.stringify(body, null, 2)}
\`\`\`
`
  })
  return `# Events

Every type of event, with all that its \`data\` holds. Events are thin: they say what happened and to what, and the API tells the rest. How to receive them: [Events and webhooks](/docs/webhooks).

The body of every event is the same but for \`data\`: \`id\` (stable over repetitions), \`type\`, \`createdAt\`, \`mode\` (\`live\` or \`test\`) and \`data\`. New types and new members of \`data\` can appear at any time; ignore what you do not know.

${sections.join('\n')}
`
}
