/** Calls of the JSON-2 API: requests, and the meaning of refusals. Source: Odoo 19, External JSON-2 API. */
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Classify, ErpReply } from '../connection/http.ts'
import { isObject, lineOf, listOf } from '../reading/untrusted-values.ts'
import type { Json } from '../reading/untrusted-values.ts'
import type { ProviderCtx } from '../port.ts'

/** The models in use; a key reads what its user may. */
export const MODELS = [
  'res.partner',
  'account.move',
  'account.move.line',
  'account.tax',
  'product.product',
] as const
export type Model = (typeof MODELS)[number] | 'res.users' | 'res.company'

/** Prefix notation: conditions are joined by "and" unless '|' or '&' precedes two of them. */
export type Domain = readonly (readonly [field: string, operator: string, value: unknown] | '|' | '&')[]

export interface Search {
  domain: Domain
  fields: readonly string[]
  order?: string
  limit?: number
  context?: Json
}

export const readScope = (model: Model): string => `${model}:read`

/** Returns rows of a model, archived ones only where the context requests them. */
export async function searchRead(
  ctx: ProviderCtx,
  resource: string,
  model: Model,
  search: Search,
): Promise<readonly unknown[]> {
  return rowsOf(await call(ctx, resource, model, 'search_read', { ...search }), model)
}

/** Returns identifiers alone: a tenth of the work of reading rows. */
export async function searchIds(
  ctx: ProviderCtx,
  resource: string,
  model: Model,
  search: Omit<Search, 'fields'>,
): Promise<number[]> {
  return rowsOf(await call(ctx, resource, model, 'search', { ...search }), model).filter(isId)
}

/** Checks the key by requesting the name of its user; throws `erp_key_rejected` when there is none. */
export async function fetchIdentity(ctx: ProviderCtx): Promise<void> {
  await call(ctx, 'account', 'res.users', 'context_get', {})
}

/**
 * Returns the version, requested without the key. Throws `erp_protocol_error` with reason `version` for one without
 * JSON-2.
 */
export async function fetchVersion(ctx: ProviderCtx): Promise<string> {
  const { json } = await ctx.http.ask({ method: 'GET', path: '/web/version', resource: 'account' }, (reply) =>
    reply.status === 404 ? versionRefused(null) : faultOf(reply, null),
  )
  const { version_info: info, version } = isObject(json) ? json : {}
  // For hosted versions the first part is "saas~19".
  const major = /\d+/.exec(lineOf(listOf(info)[0], 20) ?? lineOf(version, 20) ?? '')
  const found = lineOf(version, 40)
  if (!major || Number(major[0]) < OLDEST) throw versionRefused(found)
  return found ?? major[0]
}

const OLDEST = 19

function versionRefused(version: string | null): AppError {
  return new AppError('erp_protocol_error', { details: { reason: 'version', version, oldest: OLDEST } })
}

export function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

async function call(
  ctx: ProviderCtx,
  resource: string,
  model: Model,
  method: string,
  body: Json,
): Promise<unknown> {
  const { secret, database } = ctx.credentials
  const classify: Classify = (reply) => faultOf(reply, model)
  const { json } = await ctx.http.ask(
    {
      method: 'POST',
      path: `/json/2/${model}/${method}`,
      headers: {
        Authorization: `bearer ${secret}`,
        ...(database === null ? {} : { 'X-Odoo-Database': database }),
      },
      body,
      resource,
    },
    classify,
  )
  return json
}

function rowsOf(json: unknown, model: Model): readonly unknown[] {
  if (Array.isArray(json)) return json
  throw new AppError('erp_protocol_error', { details: { reason: 'shape', model } })
}

/**
 * Returns the error that an answer means. Keeps only the name of the external error: its text quotes the server's
 * code.
 */
function faultOf({ status, json }: ErpReply, model: Model | null): AppError | null {
  const name = isObject(json) ? (lineOf(json.name, 120) ?? '') : ''
  const details = { ...(model === null ? {} : { model }), ...(name === '' ? {} : { name }) }
  const notUnderstood = (reason: string): AppError =>
    new AppError('erp_protocol_error', { details: { reason, ...details } })
  if (status >= 200 && status < 300) return json === undefined ? notUnderstood('not_json') : null
  if (status === 401 || (status === 403 && name.endsWith('AccessDenied')))
    return new AppError('erp_key_rejected')
  if (status === 402) return new AppError('erp_plan_required')
  if (status === 403 && model !== null && isObject(json))
    return new AppError('erp_permission_missing', {
      details: { permissions: { missing: [readScope(model)] } },
    })
  // The wait is in the headers, which the HTTP client reads.
  if (status === 429) return new AppError('erp_rate_limited')
  if (status >= 500)
    return new AppError('erp_unavailable', { details: { reason: `status_${status}` }, retryAfterSeconds: 30 })
  return notUnderstood(status === 404 ? 'not_found' : `status_${status}`)
}
