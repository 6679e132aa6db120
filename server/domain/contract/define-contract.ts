/**
 * Contract definition: one declaration per operation, from which types, validation, REST, OpenAPI, tools and docs
 * derive.
 */
import type { z } from 'zod'
import type { BusinessDate } from '../dates.ts'
import type { Fault } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import type { Scope } from './scopes.ts'

/** `person`: only through the window, never with a key. `any`: any key of the book. */
type Access = Scope | 'person'

type Effect = 'read' | 'write' | 'irreversible'

/** The deprecation of an operation. Both dates are days in Spain, at least 180 days apart. */
interface Deprecation {
  /** First day on which callers should no longer use the operation. */
  since: BusinessDate
  /** First day on which the operation may be removed. */
  sunset: BusinessDate
  /** Name of the operation to use instead. */
  replacedBy?: string
}

export interface RestBinding {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path below `/api/v1`, with `:id` for path parameters. */
  path: string
  status?: number
  /**
   * Location of the created resource for a 201, with members of the answer in braces, as in `/payments/{id}`. Not
   * needed if the resource is below the path of the request.
   */
  location?: string
  /** `query`: the fields of a POST are in the query string, and it has no body. */
  fields?: 'query'
  /**
   * Fields that may also be sent in a header, with the header's name in lower case; if both are present, the query
   * string wins.
   */
  headers?: Readonly<Record<string, string>>
  /** A status that replaces `status` if the answer matches `when`. */
  otherStatus?: { status: number; when: (data: unknown) => boolean }
}

/** Returns true if the fields of a route are in its query string instead of a body. */
export function hasFieldsInQuery({ method, fields }: Pick<RestBinding, 'method' | 'fields'>): boolean {
  return method === 'GET' || method === 'DELETE' || fields === 'query'
}

/**
 * Returns the location template of the resource that a route creates: the declared one, or one below its own path;
 * null if the resource has no address.
 */
export function locationTemplate(
  { status, path, location }: Pick<RestBinding, 'status' | 'path' | 'location'>,
  paths: ReadonlySet<string>,
): string | null {
  if (status !== 201) return null
  return location ?? (paths.has(`${path}/:id`) ? `${path}/{id}` : null)
}

interface Contract<
  Name extends string = string,
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
> {
  name: Name
  summary: string
  /** Further description for the reference and for assistants, in Markdown. */
  description?: string
  access: Access
  effect: Effect
  rest?: RestBinding
  tool?: string
  /** Works without an active book (only for the window). */
  bookless?: boolean
  /** Needs the file of the books or the computer that they are on: an office has no such operation. */
  desk?: boolean
  /** Adds documents or files to the books: refused first when disk space runs out. */
  bringsNew?: boolean
  /**
   * Calls an external service, so that it never runs within a transaction; counted and limited together with similar
   * operations.
   */
  external?: boolean
  /** Stores the content of a document, which may be outside the database: it never runs within a transaction either. */
  storesContent?: boolean
  input: Input
  output: Output
  /** Error codes in addition to those that every operation can return. */
  errors: readonly ErrorCode[]
  /**
   * Answers bytes of this media type instead of the envelope; the answer's own `mediaType` wins if the input chooses
   * the format.
   */
  media?: string
  /** Other media types that the answer can have. */
  otherMedia?: readonly string[]
  /** Largest request body in MiB; default 1. Only for operations that accept a file in base64. */
  bodyMiB?: number
  /** Announced in every answer until the operation is removed. */
  deprecated?: Deprecation
}

export type AnyContract = Contract

/** The input as a caller sends it, before defaults are applied. */
export type ContractRequest<Of extends AnyContract> = z.input<Of['input']>
/** The input as a use case receives it, after validation. */
export type ContractInput<Of extends AnyContract> = z.output<Of['input']>
export type ContractOutput<Of extends AnyContract> = z.output<Of['output']>
/** The contracts among the exports of a module, or of each of several. */
export type ContractsIn<Module> = Module extends unknown ? Extract<Module[keyof Module], AnyContract> : never

/** The parts of a contract that routes, scopes and limits need: plain values, known before its schemas are loaded. */
export type ContractFacts = Pick<AnyContract, (typeof FACTS)[number]> & {
  rest?: Pick<RestBinding, (typeof REST_FACTS)[number]>
}

const FACTS = [
  'name',
  'access',
  'effect',
  'tool',
  'bookless',
  'desk',
  'external',
  'storesContent',
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

/** The `media` of an answer that continues until the caller or the server ends it. */
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

/** Converts Zod's issues to faults with messages of this program, each with its dotted path; at most 100. */
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
