/** The nine tools, from the table of operations. Independent of protocols and SDKs, and without business rules. */
import { forOwner } from '../../app/assistants/index.ts'
import { hiddenFromTools } from '../../domain/contract/text-fields.ts'
import { validationFailed } from '../../domain/errors/app-error.ts'
import { asAppError } from '../../domain/errors/to-app-error.ts'
import type { Operation } from '../../context.ts'
import { assertAccess } from '../run.ts'
import { failedAnswer, INVALID_PARAMS, ProtocolFailure } from './failures.ts'
import { withConcurrencyLimit } from './expensive-calls.ts'
import type { LimitedCaller } from './expensive-calls.ts'
import { answerSchema, argumentsSchema } from './schemas.ts'
import type { Json, JsonValue, ObjectSchema } from './schemas.ts'

export type ToolDefinition = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema: ObjectSchema
  annotations: {
    readOnlyHint: boolean
    destructiveHint?: boolean
    idempotentHint?: boolean
    openWorldHint: boolean
  }
}

type Content =
  | { type: 'text'; text: string }
  | { type: 'resource_link'; uri: string; name: string; title: string; mimeType: string }

export type ToolResult = {
  content: Content[]
  structuredContent?: Json
  isError?: true
  _meta: Record<string, unknown>
}

/** Additional facts of a tool. Its position in this list is its position in the answer to `tools/list`. */
interface ToolFacts {
  name: string
  title: string
  /** When to use it and what to do next, appended to the operation's own summary. */
  advice: string
  /** True if repeating the call with the same arguments changes nothing more. Only for tools that write. */
  isIdempotent?: boolean
  /** True if the tool reaches beyond this computer. */
  isOpenWorld?: boolean
  /** Defaults of arguments for which a model would otherwise have to ask. */
  defaults?: Record<string, JsonValue>
  /** Arguments of the operation that are useless to tools; not listed, and rejected by the operation. */
  hides?: readonly string[]
  /** True if the answer is an invoice whose document can be read. */
  linksDocument?: boolean
  /** Progress messages: after validation, and at the end. */
  steps?: { begun: string; done: string }
  /** Members of the operation's answer that are included in the tool's answer; default all. */
  outputFields?: readonly string[]
  /** A member of the objects in a list of the answer that assistants do not need, such as a signed XML. */
  leavesOut?: { list: string; member: string }
}

/**
 * The members that a model needs of an invoice it has just created or issued: not the texts it sent itself, which
 * svc_get_invoice returns.
 */
const MADE = [
  'id',
  'number',
  'kind',
  'state',
  'clientName',
  'clientNif',
  'base',
  'tax',
  'total',
  'amountDue',
  'currency',
  'inCurrency',
  'withholding',
  'taxBreakdown',
  'version',
  'untrusted',
] as const

const FACTS: readonly ToolFacts[] = [
  {
    name: 'svc_get_company_context',
    title: 'Company context',
    advice:
      'Call it first. readiness says what keeps the book from issuing. With find: contacts and items by name.',
  },
  {
    name: 'svc_list_invoices',
    title: 'List invoices',
    advice: 'totals cover the whole filter, so do not page to add up.',
    defaults: { totals: true },
  },
  {
    name: 'svc_get_invoice',
    title: 'Invoice',
    advice: 'actions says what may be done with it next.',
    linksDocument: true,
  },
  {
    name: 'svc_create_invoice_draft',
    title: 'Create an invoice draft',
    advice:
      'clientName, clientNif and lines with description, quantity and unitPrice are enough; tell the user the assumptions. To correct a draft call it again with replacesDraft. Next: svc_validate_registry_invoice.',
    outputFields: [...MADE, 'assumptions', 'warnings', 'nextStep'],
  },
  {
    name: 'svc_validate_registry_invoice',
    title: 'Validate an invoice before issuing',
    hides: ['action', 'changes'],
    advice:
      'Not valid: all faults, no token. Valid: show the user summaryForUser and every warning, and wait for a yes. The token holds ten minutes, once, for this key and content.',
  },
  {
    name: 'svc_issue_registry_invoice',
    title: 'Issue an invoice',
    advice:
      "Only after the user's yes, with the confirmationToken of svc_validate_registry_invoice. Repeating it is safe. Next: svc_get_registry_status.",
    isIdempotent: true,
    isOpenWorld: true,
    linksDocument: true,
    steps: {
      begun: 'Checking the draft once more and numbering it.',
      done: 'Numbered, recorded and chained; the tax authority gets it next.',
    },
    outputFields: [...MADE, 'issueDate', 'dueDate', 'registry', 'payment', 'pdf', 'links', 'replayed'],
  },
  {
    name: 'svc_get_registry_status',
    title: 'Registry status',
    advice: 'Use it after issuing and on rejections: attention says what to do.',
    leavesOut: { list: 'registrations', member: 'xml' },
  },
  {
    name: 'svc_get_fiscal_summary',
    title: 'Fiscal summary',
    advice: 'Without quarter or month: the year. Tell the caveats too.',
  },
  {
    name: 'svc_propose_action',
    title: 'Propose a fiscal action',
    advice: 'For what the owner decides.',
  },
]

const IDEMPOTENCY_KEY = 'idempotencyKey'
const KEY_LENGTH = { min: 8, max: 64 }
const KEY_SCHEMA = {
  type: 'string',
  description: '8 to 64 characters; repeating is safe.',
}

interface Tool {
  definition: ToolDefinition
  operation: Operation
  defaults: Record<string, JsonValue>
  facts: ToolFacts
}

function inputSchemaOf(
  { contract }: Operation,
  defaults: Record<string, JsonValue>,
  hidden: readonly string[],
): ObjectSchema {
  const schema = argumentsSchema(contract.input)
  const properties: NonNullable<ObjectSchema['properties']> = { ...schema.properties }
  for (const field of [...hidden, ...hiddenFromTools(contract.input)]) delete properties[field]
  for (const [field, value] of Object.entries(defaults))
    properties[field] = { ...properties[field], default: value }
  if (contract.effect !== 'read') properties[IDEMPOTENCY_KEY] = KEY_SCHEMA
  return { ...schema, properties }
}

function annotationsOf({ contract: { effect } }: Operation, facts: ToolFacts): ToolDefinition['annotations'] {
  const openWorldHint = facts.isOpenWorld ?? false
  if (effect === 'read') return { readOnlyHint: true, openWorldHint }
  return {
    readOnlyHint: false,
    destructiveHint: effect === 'irreversible',
    idempotentHint: facts.isIdempotent ?? false,
    openWorldHint,
  }
}

/** Creates the tools in their fixed order. Throws if the table and the list of tools differ. */
export function createTools(operations: readonly Operation[]): ReadonlyMap<string, Tool> {
  const byTool = new Map<string, Operation>()
  for (const operation of operations)
    if (operation.contract.tool) byTool.set(operation.contract.tool, operation)
  const tools = new Map<string, Tool>()
  for (const facts of FACTS) {
    const operation = byTool.get(facts.name)
    if (!operation) throw new Error(`No operation is behind the tool ${facts.name}.`)
    const { contract } = operation
    const defaults = facts.defaults ?? {}
    tools.set(facts.name, {
      operation,
      defaults,
      facts,
      definition: {
        name: facts.name,
        title: facts.title,
        description: `${contract.summary} ${facts.advice}`,
        inputSchema: inputSchemaOf(operation, defaults, facts.hides ?? []),
        outputSchema: answerSchema(contract.output, facts.outputFields),
        annotations: annotationsOf(operation, facts),
      },
    })
  }
  for (const name of byTool.keys())
    if (!tools.has(name)) throw new Error(`The tool ${name} has no place in the list.`)
  return tools
}

/** Returns the address of an invoice's document, for `resources/read`. */
function documentUri(invoiceId: string): string {
  return `svc://invoices/${encodeURIComponent(invoiceId)}/pdf`
}

function documentLink(answer: Json): Content[] {
  const { id, number, state } = answer
  if (state !== 'issued' || typeof id !== 'string' || typeof number !== 'string') return []
  return [
    {
      type: 'resource_link',
      uri: documentUri(id),
      name: `${number}.pdf`,
      title: `Invoice ${number}`,
      mimeType: 'application/pdf',
    },
  ]
}

/** Returns the members of the operation's answer that the tool includes. */
function projectedOutput(
  answer: Json,
  { outputFields, leavesOut }: Pick<ToolFacts, 'outputFields' | 'leavesOut'>,
): Json {
  const output = outputFields
    ? Object.fromEntries(outputFields.flatMap((name) => (name in answer ? [[name, answer[name]]] : [])))
    : { ...answer }
  const list = leavesOut ? output[leavesOut.list] : undefined
  if (leavesOut && Array.isArray(list))
    output[leavesOut.list] = list.map(({ [leavesOut.member]: _, ...rest }: Json) => rest)
  return output
}

function takeIdempotencyKey(value: unknown): string {
  if (
    typeof value === 'string' &&
    value.length >= KEY_LENGTH.min &&
    value.length <= KEY_LENGTH.max &&
    /^[\x21-\x7e]+$/.test(value)
  )
    return value
  throw validationFailed([
    {
      code: 'wrong_format',
      field: IDEMPOTENCY_KEY,
      severity: 'error',
      message: 'Must be 8 to 64 printable ASCII characters without blanks.',
    },
  ])
}

/** Reports the progress of a call to a caller that asked for it. */
export type Progress = (step: { progress: number; total: number; message: string }) => Promise<void>

/** A call of a tool. */
export interface ToolRequest {
  name: string
  args: Json | undefined
  /** Set only if the caller gave a progress token. */
  onProgress?: Progress | undefined
}

async function run(
  tool: Tool,
  asking: LimitedCaller,
  args: Json,
  onProgress?: Progress,
): Promise<{ answer: Json; isReplay: boolean }> {
  const { contract } = tool.operation
  const { [IDEMPOTENCY_KEY]: key, ...input } = args
  const takesKey = contract.effect !== 'read'
  let isReplay = false
  let idempotencyKey: string | undefined
  if (takesKey && key !== undefined) {
    assertAccess(contract, asking.ctx)
    idempotencyKey = takeIdempotencyKey(key)
  }
  const raw = { ...tool.defaults, ...(takesKey ? input : args) }
  const { steps } = tool.facts
  const reportStep = async (progress: number, message: string | undefined): Promise<void> => {
    if (message !== undefined) await onProgress?.({ progress, total: 2, message })
  }
  const answer = await withConcurrencyLimit(tool.operation, asking, raw, {
    idempotencyKey,
    onReplay: () => (isReplay = true),
    beforeWork: () => reportStep(1, steps?.begun),
  })
  await reportStep(2, steps?.done)
  return { answer: answer as Json, isReplay }
}

/** The result of a call, for the log. */
export interface Outcome {
  tool: string
  outcome: 'ok' | 'refused' | 'failed'
  code?: string
  /** The error of a bug. */
  error?: unknown
}

/**
 * Calls a tool. An error that the caller can act on is an answer with `isError`, so that a model reads it; only an
 * unknown tool throws (`ProtocolFailure`).
 */
export async function callTool(
  tools: ReadonlyMap<string, Tool>,
  asking: LimitedCaller,
  { name, args, onProgress }: ToolRequest,
  report: (outcome: Outcome) => void,
): Promise<ToolResult> {
  const { ctx } = asking
  const tool = tools.get(name)
  if (!tool) {
    report({ tool: 'unknown', outcome: 'refused', code: 'not_found' })
    throw new ProtocolFailure(INVALID_PARAMS, 'There is no such tool.', { tools: [...tools.keys()] })
  }
  const _meta = { 'sello/requestId': ctx.requestId }
  try {
    const { answer, isReplay } = await run(tool, asking, args ?? {}, onProgress)
    const output = await forOwner(ctx, projectedOutput(answer, tool.facts))
    report({ tool: name, outcome: 'ok' })
    return {
      content: [
        { type: 'text', text: JSON.stringify(output) },
        ...(tool.facts.linksDocument ? documentLink(answer) : []),
      ],
      structuredContent: output,
      _meta: isReplay ? { ..._meta, 'sello/replayed': true } : _meta,
    }
  } catch (thrown) {
    const error = asAppError(thrown)
    const isBug = error !== thrown
    report({
      tool: name,
      outcome: isBug ? 'failed' : 'refused',
      code: error.code,
      ...(isBug ? { error: thrown } : {}),
    })
    // No structured content: clients validate it against the schema of the answer, which an error does not match.
    return {
      content: [
        { type: 'text', text: JSON.stringify(await forOwner(ctx, failedAnswer(error, ctx.requestId))) },
      ],
      isError: true,
      _meta,
    }
  }
}
