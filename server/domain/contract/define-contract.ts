/** The contract definer: one declaration of an operation, from which types, validation, REST, OpenAPI, tools and docs derive. */
import type { z } from 'zod'
import type { BusinessDate } from '../dates.ts'
import type { ErrorCode, Fault } from '../errors/catalog.ts'
import type { Scope } from './scopes.ts'

/** `person`: only through the window, never with a key. `any`: any key of the book. */
export type Access = Scope | 'person'

export type Effect = 'read' | 'write' | 'irreversible'

/** Of an operation that is being retired. Both are days in Spain, at least 180 apart. */
export interface Deprecation {
  /** Since when it is better not used. */
  since: BusinessDate
  /** From when on it may be gone. */
  sunset: BusinessDate
  /** Name of the operation to use instead. */
  replacedBy?: string
}

export interface RestBinding {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Below `/api/v1`, with `:id` for path parameters. */
  path: string
  status?: number
  /**
   * Of a 201: where the new thing stands, with members of the answer in braces, as in `/payments/{id}`. Not needed where it
   * stands below the path it was sent to.
   */
  location?: string
  /** `query`: the fields of a POST stand in its address, and it has no body. */
  fields?: 'query'
  /** Fields that may stand in a header besides, with its name in small letters; where both are given, the address wins. */
  headers?: Readonly<Record<string, string>>
  /** Instead of `status`, when what is answered says so. */
  otherStatus?: { status: number; when: (data: unknown) => boolean }
}

/** Whether the fields of a route stand in its address instead of a body. */
export function hasFieldsInQuery({ method, fields }: Pick<RestBinding, 'method' | 'fields'>): boolean {
  return method === 'GET' || method === 'DELETE' || fields === 'query'
}

/** Where what a route makes will stand: as the route tells, or below its own path; null when nothing can be found there. */
export function locationTemplate(
  { status, path, location }: Pick<RestBinding, 'status' | 'path' | 'location'>,
  paths: ReadonlySet<string>,
): string | null {
  if (status !== 201) return null
  return location ?? (paths.has(`${path}/:id`) ? `${path}/{id}` : null)
}

export interface Contract<
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  name: Name
  summary: string
  /** More for the reader of the reference and for assistants; Markdown. */
  description?: string
  access: Access
  effect: Effect
  rest?: RestBinding
  tool?: string
  /** Works without an active book (only for the window). */
  bookless?: boolean
  /** Brings new papers or files into the books: refused first when the disk runs out. */
  bringsNew?: boolean
  /** Asks somebody elsewhere, so that it never runs within one transaction; counted and capped with others of its kind. */
  outward?: boolean
  input: Input
  output: Output
  /** Codes beyond the ones every operation can answer. */
  errors: readonly ErrorCode[]
  /** Bytes of this type instead of the envelope; the answer's own `mediaType` wins where the input chooses the format. */
  media?: string
  /** Further types such an answer can have. */
  otherMedia?: readonly string[]
  /** Largest body it takes, in MiB; 1 when not said. Only for what carries a file, in base64. */
  bodyMiB?: number
  /** Told in every answer until it is gone. */
  deprecated?: Deprecation
}

export type AnyContract = Contract

/** What a caller sends, before defaults are applied. */
export type ContractRequest<Of extends AnyContract> = z.input<Of['input']>
/** What a use case receives, after validation. */
export type ContractInput<Of extends AnyContract> = z.output<Of['input']>
export type ContractOutput<Of extends AnyContract> = z.output<Of['output']>

/** What routes, rights and limits need of a contract: plain values, known before its schemas are loaded. */
export type ContractFacts = Pick<AnyContract, (typeof FACTS)[number]> & {
  rest?: Pick<RestBinding, (typeof REST_FACTS)[number]>
}

const FACTS = [
  'name',
  'access',
  'effect',
  'tool',
  'bookless',
  'outward',
  'media',
  'bodyMiB',
  'deprecated',
] as const
const REST_FACTS = ['method', 'path', 'status', 'location', 'fields', 'headers'] as const

function pick<Of extends object, Name extends keyof Of>(from: Of, names: readonly Name[]): Pick<Of, Name> {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  ) as Pick<Of, Name>
}

export function factsOf(contract: AnyContract): ContractFacts {
  const { rest } = contract
  return { ...pick(contract, FACTS), ...(rest ? { rest: pick(rest, REST_FACTS) } : {}) }
}

/** Declares an operation; the types of input and output are inferred. */
export function defineContract<const Name extends string, Input extends z.ZodType, Output extends z.ZodType>(
  contract: Contract<Name, Input, Output>,
): Contract<Name, Input, Output> {
  return contract
}

/** The `media` of what goes on until the caller or the server ends it. */
export const EVENT_STREAM = 'text/event-stream'

const ZOD_CODES: Record<string, string> = {
  invalid_type: 'wrong_type',
  too_big: 'too_big',
  too_small: 'too_small',
  unrecognized_keys: 'unknown_field',
  invalid_value: 'not_allowed',
  invalid_format: 'wrong_format',
  invalid_union: 'wrong_shape',
  not_multiple_of: 'too_many_decimals',
}

function dotted(path: readonly PropertyKey[]): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text ? `.${String(part)}` : String(part)
  }
  return text
}

/** Zod's issues in our words, each with its dotted path; never more than 100. */
export function faultsOf(error: z.core.$ZodError): Fault[] {
  const faults: Fault[] = []
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys)
        faults.push({
          code: 'unknown_field',
          field: dotted([...issue.path, key]),
          severity: 'error',
          message: 'There is no such field.',
          fix: 'Remove it or check its spelling.',
        })
      continue
    }
    const missing = issue.code === 'invalid_type' && issue.input === undefined
    const own =
      issue.code === 'custom' && typeof issue.params?.fault === 'string' ? issue.params.fault : undefined
    faults.push({
      code: missing ? 'required' : (own ?? ZOD_CODES[issue.code] ?? 'invalid'),
      field: dotted(issue.path),
      severity: 'error',
      message: missing ? 'This field is required.' : issue.message,
    })
  }
  return faults.slice(0, 100)
}
