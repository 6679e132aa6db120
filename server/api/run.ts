/** Runs an operation for every transport: access, input, idempotency, the function itself, and its answer. */
import { recordAudit } from '../platform/audit/index.ts'
import { acceptsOf } from '../domain/contract/schema-accepts.ts'
import { storageFaults } from '../domain/contract/storable.ts'
import { faultsOf } from '../domain/contract/define-contract.ts'
import type { AnyContract } from '../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../domain/errors/app-error.ts'
import type { Fault } from '../domain/errors/app-error.ts'
import { track } from '../domain/concurrency/in-flight.ts'
import type { Ctx } from '../context.ts'
import { runInCopy } from '../app/bundles/index.ts'
import { answerOnce, answerOnceExternal, checkIdempotencyKey } from '../platform/idempotency/index.ts'
import type { Operation } from '../context.ts'
import { refuseOnFullDisk } from '../db/disk-space.ts'

export interface RunOptions {
  /** From the header of a POST or DELETE, or from a tool's arguments. */
  idempotencyKey?: string | undefined
  /** Called when access and input are valid, before any work; an error it throws is the answer. */
  beforeWork?: () => Promise<void>
  /** Called if the answer is the stored one of an earlier request. */
  onReplay?: () => void
}

/**
 * Checks access. A person of an office needs a role with the operation's capability, and so does the person of a key;
 * a key needs the contract's scope too (`scope_missing`). What somebody may not do does not exist for them
 * (`not_found`), and neither do person-only operations for keys.
 */
export function assertAccess(contract: Pick<AnyContract, 'access' | 'name'>, ctx: Ctx): void {
  const { actor } = ctx
  if (actor.kind !== 'system' && actor.rights) {
    const needed = ctx.env.people?.capabilityFor(contract.name) ?? null
    if (needed === null || !actor.rights.capabilities.has(needed)) throw new AppError('not_found')
  }
  if (actor.kind !== 'key') return
  if (contract.access === 'person') throw new AppError('not_found')
  if (!actor.scopes.includes(contract.access))
    throw new AppError('scope_missing', { details: { needed: contract.access } })
}

/** Refuses what adds documents to an archived company, or binds it. Throws `company_archived`. */
function assertNotArchived({ bringsNew, effect }: AnyContract, { book }: Ctx): void {
  if (book.archived && (bringsNew || effect === 'irreversible')) throw new AppError('company_archived')
}

/** Returns the faults of a rejected value. Parsed again with the locations, which are only recorded when needed. */
function placesOf(schema: AnyContract['input'], value: unknown): Fault[] {
  const { error } = schema.safeParse(value, { reportInput: true })
  return error ? faultsOf(error) : []
}

/** Parses the input. Throws `validation_failed` with every fault. */
export function parseInput(contract: AnyContract, raw: unknown): unknown {
  const parsed = contract.input.safeParse(raw)
  if (!parsed.success) throw validationFailed(placesOf(contract.input, raw))
  // What one engine refuses and the other one stores has no place in the books.
  const unstorable = storageFaults(raw)
  if (unstorable.length > 0) throw validationFailed(unstorable)
  return parsed.data
}

/** Checks the answer against the contract. A difference is a bug, so that a field outside the contract cannot leak. */
function checkOutput(contract: AnyContract, output: unknown): unknown {
  if (acceptsOf(contract.output)(output)) return output
  const parsed = contract.output.safeParse(output)
  if (parsed.success) return parsed.data
  const places = placesOf(contract.output, output).map(
    (fault) => `${fault.field || '(whole)'}: ${fault.code}`,
  )
  throw new Error(`${contract.name} answers what its contract does not: ${places.slice(0, 10).join(', ')}`)
}

function isAuditedWhenRefused(contract: AnyContract): boolean {
  return (
    contract.effect === 'irreversible' || (contract.effect !== 'read' && contract.name.startsWith('keys.'))
  )
}

const TARGET_TYPES: Readonly<Record<string, string>> = { invoices: 'invoice', keys: 'key' }

/** Records a rejection in the audit history, except for malformed input and pending approvals. */
async function auditFailure(contract: AnyContract, ctx: Ctx, raw: unknown, error: unknown): Promise<void> {
  const code = error instanceof AppError ? error.code : 'internal'
  if (code === 'validation_failed' || code === 'approval_pending' || ctx.inTransaction || ctx.book.id < 0)
    return
  const id = typeof raw === 'object' && raw !== null ? (raw as { id?: unknown }).id : undefined
  const type = TARGET_TYPES[contract.name.split('.')[0] ?? '']
  const target = typeof id === 'string' && type && /^[\x20-\x7e]{1,80}$/.test(id) ? { type, id } : undefined
  try {
    await ctx.transaction((tx) =>
      recordAudit(tx, {
        action: contract.name,
        outcome: error instanceof AppError ? 'refused' : 'failed',
        code,
        ...(target ? { target } : {}),
      }),
    )
  } catch {
    // The caller needs the original error; a store that cannot be written is reported at the next request.
  }
}

/** Runs the function of an operation. In the copy of a client's books an adviser may do little, which is noted. */
async function runIn(operation: Operation, ctx: Ctx, input: unknown): Promise<unknown> {
  if (!ctx.env.advised?.has(ctx.book.companyId)) return operation.run(ctx, input)
  return runInCopy(operation, ctx, input)
}

async function runChecked(
  operation: Operation,
  ctx: Ctx,
  raw: unknown,
  options: RunOptions,
): Promise<unknown> {
  const { contract } = operation
  assertAccess(contract, ctx)
  assertNotArchived(contract, ctx)
  const input = parseInput(contract, raw)
  // The result of an external call or a copy could not be stored: it is not started.
  if (contract.external && ctx.env.store.forReading)
    throw new AppError('store_readonly', { details: { reason: ctx.env.store.writeFault?.reason } })
  const { idempotencyKey } = options
  if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey)
  if (options.beforeWork) await options.beforeWork()
  await ctx.env.people?.assertEnoughPeople(ctx, contract.name, input)
  const work = async (within: Ctx): Promise<unknown> => {
    refuseOnFullDisk(contract, () => within.env.store.freeBytes())
    return checkOutput(contract, await runIn(operation, within, input))
  }
  if (idempotencyKey === undefined || contract.effect === 'read') return work(ctx)
  const request = {
    key: idempotencyKey,
    operation: contract.name,
    input,
    status: contract.rest?.status ?? 200,
  }
  const once = contract.external || contract.storesContent ? answerOnceExternal : answerOnce
  const answer = await once(ctx, request, work)
  if (answer.replayed) options.onReplay?.()
  if (answer.failed) throw new AppError('internal')
  return answer.data
}

/**
 * Runs an operation for the actor of `ctx`. Returns its data; throws `AppError` for errors that the caller can act on
 * and any other error for a bug.
 */
export async function runOperation(
  operation: Operation,
  ctx: Ctx,
  raw: unknown,
  options: RunOptions = {},
): Promise<unknown> {
  const { advised } = ctx.env
  const run = (): Promise<unknown> =>
    advised?.has(ctx.book.companyId)
      ? advised.writing(() => runChecked(operation, ctx, raw, options))
      : runChecked(operation, ctx, raw, options)
  if (operation.contract.effect === 'read') return run()
  return track(ctx.env.store, async () => {
    try {
      return await run()
    } catch (error) {
      if (isAuditedWhenRefused(operation.contract)) await auditFailure(operation.contract, ctx, raw, error)
      throw error
    }
  })
}
