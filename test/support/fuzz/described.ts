/** The published OpenAPI document as a validator of requests and answers. */
import type { OutgoingHttpHeaders } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { loadContracts } from '../../../server/api/operations.ts'
import { ERRORS } from '../../../server/domain/errors/catalog.ts'
import type { ErrorCode, ErrorSpec } from '../../../server/domain/errors/catalog.ts'
import { english } from '../../../server/domain/errors/messages/en.ts'
import { openApiDocument } from '../../../server/api/openapi/openapi.ts'
import type { Schema } from './drawn.ts'
import type { HttpAnswer, Method } from './wire.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

interface DescribedAnswer {
  headers: Record<string, { required?: boolean; schema: Schema }>
  content: Record<string, { schema: Schema }> | undefined
}

export interface DescribedOperation {
  id: string
  method: Method
  /** With its parameters in braces. */
  path: string
  /** Null for an operation without a key. */
  scope: string | null
  family: string | null
  parameters: readonly Parameter[]
  body: { required: boolean; schema: Schema } | null
  /** By status. */
  answers: Readonly<Record<string, DescribedAnswer>>
}

const ROOT = 'openapi'

/** Returns the schema without additional members, unless it allows them. The parts of an `allOf` each name some. */
function closed(value: any): any {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    name === 'allOf' ? member : closed(member),
  ])
  const isOpen = value.type === 'object' && 'properties' in value && !('additionalProperties' in value)
  return { ...Object.fromEntries(members), ...(isOpen ? { additionalProperties: false } : {}) }
}

const contracts = await loadContracts()

export class Description {
  readonly operations: readonly DescribedOperation[]
  private readonly document: any
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats, logger: false })

  constructor() {
    const text = JSON.stringify(openApiDocument('0', contracts)).replaceAll('"$ref":"#/', `"$ref":"${ROOT}#/`)
    this.document = closed(JSON.parse(text))
    this.ajv.addSchema(this.document, ROOT)
    this.operations = Object.entries<Record<string, any>>(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.described(path, method, operation)),
    )
  }

  private described(path: string, method: string, operation: any): DescribedOperation {
    const whole = (value: any): any => (typeof value?.$ref === 'string' ? this.resolve(value.$ref) : value)
    const answers = Object.entries<any>(operation.responses).map(([status, given]) => {
      const { headers = {}, content } = whole(given)
      const named = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), whole(header)])
      return [status, { headers: Object.fromEntries(named), content }]
    })
    const { requestBody } = operation
    return {
      id: operation.operationId,
      method: method.toUpperCase() as Method,
      path,
      scope: operation['x-scope'] ?? null,
      family: operation['x-family'] ?? null,
      parameters: (operation.parameters ?? []).map(whole),
      body: requestBody
        ? {
            required: requestBody.required === true,
            schema: requestBody.content['application/json'].schema,
          }
        : null,
      answers: Object.fromEntries(answers),
    }
  }

  resolve(reference: string): any {
    const parts = reference.slice(`${ROOT}#/`.length).split('/')
    return parts.reduce((place, part) => place[part], this.document)
  }

  /** Returns the objection of a schema to a value; null if it is valid. */
  objection(schema: Schema, value: unknown): string | null {
    // Compiled once: the schema object is the key.
    const validate = this.ajv.compile(schema)
    return validate(value) ? null : this.ajv.errorsText(validate.errors?.slice(0, 5), { dataVar: '' })
  }

  /** Returns the fault of an answer; null if it is as described. */
  complaintAbout(operation: DescribedOperation, { status, headers, body }: HttpAnswer): string | null {
    if (status >= 500) return `answers ${status}`
    const described = operation.answers[String(status)]
    if (!described) return `answers ${status}, which is not described`
    for (const [name, { required, schema }] of Object.entries(described.headers)) {
      const value = headers[name]
      if (value === undefined && required) return `answers ${status} without the header ${name}`
      const objection = value === undefined ? null : this.objection(schema, value)
      if (objection) return `answers ${status} with a header ${name} that ${objection}`
    }
    if (!described.content)
      return body.length > 0 ? `answers ${status} with a body that is not described` : null
    const type = String(headers['content-type'] ?? '')
    const content = described.content[type] ?? described.content[type.split(';')[0] ?? '']
    if (!content) return `answers ${status} as "${type}", which is not described`
    if (!type.startsWith('application/json')) return body.length > 0 ? null : `answers ${status} with nothing`
    const answer = JSON.parse(body.toString('utf8')) as any
    const objection = this.objection(content.schema, answer)
    if (objection) return `answers ${status} of another shape: ${objection}`
    if (!/^req_/.test(answer.meta.requestId)) return 'answers with an identifier that is none'
    return status < 400 ? null : complaintAboutError(status, headers, answer.error)
  }
}

/** Returns the difference of an error from the catalogue. */
function complaintAboutError(
  status: number,
  headers: OutgoingHttpHeaders,
  error: { code: string; retry: string; next: string; message: string },
): string | null {
  const code = error.code as ErrorCode
  const spec: ErrorSpec | undefined = ERRORS[code]
  if (spec?.status !== status) return `answers ${status} with ${error.code}, which has another status`
  if (spec.retry !== error.retry || english[code].next !== error.next)
    return `answers ${error.code} other than the catalogue`
  if (spec.retry === 'after' && !/^\d+$/.test(String(headers['retry-after'])))
    return `answers ${error.code} and not when to come back`
  return null
}
