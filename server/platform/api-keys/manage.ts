/** Creates, lists and revokes keys. A key never creates one with more permissions than its own. */
import { recordAudit } from '../audit/index.ts'
import type { ContractInput, ContractOutput } from '../../domain/contract/define-contract.ts'
import type {
  createKeyByPersonContract,
  createKeyContract,
  listKeysContract,
  revokeKeyContract,
} from './contract.ts'
import { SCOPES } from '../../domain/contract/scopes.ts'
import type { Scope } from '../../domain/contract/scopes.ts'
import { AppError, validationFailed } from '../../domain/errors/app-error.ts'
import type { Fault } from '../../domain/errors/app-error.ts'
import { normalizeText } from '../../domain/text.ts'
import { orNotFound } from '../../context.ts'
import type { Actor, Ctx, KeyActor, UseCase } from '../../context.ts'
import { emitEvent } from '../events/index.ts'
import {
  activeKeys,
  capCents,
  findUnrevoked,
  keyView,
  creatorsOf,
  MAX_MAKERS,
  revokeWithDescendants,
} from './rows.ts'
import type { KeyRow } from './rows.ts'
import { sealKey } from './seals.ts'
import { newKeyText } from './secret.ts'

/** With these scopes a manipulated assistant could extend its own permissions or send data elsewhere. */
const NEVER_FOR_ASSISTANTS: readonly Scope[] = ['keys.write', 'webhooks.write', 'integrations.write']

type NewKeyInput = ContractInput<typeof createKeyContract>

interface Grant {
  name: string
  scopes: Scope[]
  assistant: boolean
  approval: 'always' | 'never'
  expiresAt: number | null
  perDay: number | null
  centsPerDay: number | null
}

function fault(code: string, field: string, message: string): Fault {
  return { code, field, severity: 'error', message }
}

function grantOf(ctx: Ctx, input: NewKeyInput, approval: 'always' | 'never'): Grant {
  const faults: Fault[] = []
  const assistant = input.assistant ?? false
  const scopes = SCOPES.filter((scope) => input.scopes.includes(scope))
  const forbidden = assistant ? scopes.filter((scope) => NEVER_FOR_ASSISTANTS.includes(scope)) : []
  if (forbidden.length > 0)
    faults.push(
      fault('assistant_scope', 'scopes', `A key of an assistant never holds ${forbidden.join(', ')}.`),
    )
  if (assistant && approval === 'never')
    faults.push(
      fault('assistant_approval', 'approval', 'What an assistant issues is always approved by a person.'),
    )
  const expiresAt = input.expiresAt === undefined ? null : Date.parse(input.expiresAt)
  if (expiresAt !== null && !(expiresAt > ctx.now().getTime()))
    faults.push(fault('expiry_past', 'expiresAt', 'The expiry is already past.'))
  const centsPerDay = capCents(input.limits?.eurPerDay)
  if (centsPerDay === undefined)
    faults.push(fault('too_many_decimals', 'limits.eurPerDay', 'Euros have at most two decimals.'))
  const name = normalizeText(input.name)
  if (faults.length > 0) throw validationFailed(faults)
  return {
    name,
    scopes,
    assistant,
    approval,
    expiresAt,
    perDay: input.limits?.perDay ?? null,
    centsPerDay: centsPerDay ?? null,
  }
}

function isLooser(wanted: number | null, makers: number | null): boolean {
  return makers !== null && wanted !== null && wanted > makers
}

/** Limits a grant to the permissions of its maker: further scopes are rejected, missing caps and expiry are inherited. */
function withinMaker(grant: Grant, maker: KeyActor): Grant {
  const extra = grant.scopes.filter((scope) => !maker.scopes.includes(scope))
  if (extra.length > 0) throw new AppError('key_too_wide', { field: 'scopes', details: { scopes: extra } })
  if (isLooser(grant.perDay, maker.perDay))
    throw new AppError('key_too_wide', { field: 'limits.perDay', details: { perDay: maker.perDay } })
  if (isLooser(grant.centsPerDay, maker.centsPerDay))
    throw new AppError('key_too_wide', {
      field: 'limits.eurPerDay',
      details: { eurPerDay: (maker.centsPerDay ?? 0) / 100 },
    })
  if (isLooser(grant.expiresAt, maker.expiresAt))
    throw new AppError('key_too_wide', {
      field: 'expiresAt',
      details: { expiresAt: new Date(maker.expiresAt ?? 0).toISOString() },
    })
  return {
    ...grant,
    assistant: grant.assistant || maker.assistant,
    approval: 'always',
    perDay: grant.perDay ?? maker.perDay,
    centsPerDay: grant.centsPerDay ?? maker.centsPerDay,
    expiresAt: grant.expiresAt ?? maker.expiresAt,
  }
}

async function recordKeyChange(
  tx: Ctx,
  action: string,
  row: Pick<KeyRow, 'public_id' | 'name'>,
): Promise<void> {
  await recordAudit(tx, { action, target: { type: 'key', id: row.public_id, label: row.name } })
  await emitEvent(tx, 'key.changed', { keyId: row.public_id })
}

/** Revokes a key with the keys it made, each with an audit event; returns the other revoked keys. */
async function revokeAndRecord(tx: Ctx, row: KeyRow): Promise<KeyRow[]> {
  const descendants = await revokeWithDescendants(tx, row)
  for (const each of [row, ...descendants]) await recordKeyChange(tx, 'key.revoked', each)
  return descendants
}

async function freeName(tx: Ctx, name: string): Promise<void> {
  const holder = await findUnrevoked(tx, 'name', name)
  if (!holder) return
  if (holder.expires_at === null || holder.expires_at > tx.now().getTime())
    throw new AppError('key_name_taken', { field: 'name' })
  // An expired key is no longer listed, so that it must not reserve its name either.
  await revokeAndRecord(tx, holder)
}

/** The person of an office whose key it will be; null for the owner of a desk and for the command line. */
function personOf(actor: Actor): string | null {
  if (actor.kind === 'key') return actor.personId ?? null
  return actor.kind === 'user' && actor.rights ? actor.id : null
}

async function addKey(
  tx: Ctx,
  grant: Grant,
  maker: KeyRow | null,
): Promise<ContractOutput<typeof createKeyContract>> {
  await freeName(tx, grant.name)
  const { key, lookup, prefix, hash } = newKeyText(tx.book.mode)
  const publicId = tx.newId('key')
  await tx.db
    .insertInto('api_keys')
    .values({
      book_id: tx.book.id,
      public_id: publicId,
      name: grant.name,
      lookup,
      prefix,
      secret_hash: hash,
      scopes: JSON.stringify(grant.scopes),
      approval: grant.approval,
      assistant: grant.assistant ? 1 : 0,
      per_day: grant.perDay,
      cents_per_day: grant.centsPerDay,
      created_at: tx.now().getTime(),
      expires_at: grant.expiresAt,
      maker_id: maker?.id ?? null,
      person_id: personOf(tx.actor),
    })
    .execute()
  await sealKey(tx.db, tx.env.store.sealer, publicId)
  const row = orNotFound(await findUnrevoked(tx, 'public_id', publicId))
  await recordKeyChange(tx, 'key.created', row)
  const view = keyView(tx, { ...row, maker: maker && { id: maker.public_id, name: maker.name } })
  return { ...view, key }
}

/**
 * Returns the row of the key that creates another one, read inside the transaction, where nobody can revoke it in the
 * meantime.
 */
async function makerOf(tx: Ctx, actor: KeyActor): Promise<KeyRow> {
  const maker = await findUnrevoked(tx, 'public_id', actor.id)
  if (!maker || (maker.expires_at !== null && maker.expires_at <= tx.now().getTime()))
    throw new AppError('unauthorized')
  if ((await creatorsOf(tx.db, maker.id)).length + 1 > MAX_MAKERS)
    throw new AppError('key_too_wide', { details: { makers: MAX_MAKERS } })
  return maker
}

/** Lists the active keys of the book, newest first. */
export const listKeys: UseCase<typeof listKeysContract> = async (ctx) => {
  const rows = await activeKeys(ctx)
  const own = ctx.may('connections.read') ? undefined : personOf(ctx.actor)
  return {
    items: rows.filter((row) => own === undefined || row.person_id === own).map((row) => keyView(ctx, row)),
  }
}

/** Creates a key for the same book; its live issues always wait for a person. */
export const createKey: UseCase<typeof createKeyContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const grant = grantOf(tx, input, 'always')
    if (tx.actor.kind !== 'key') return addKey(tx, grant, null)
    const within = withinMaker(grant, tx.actor)
    return addKey(tx, within, await makerOf(tx, tx.actor))
  })

/** Creates a key in the app or on the command line, where a person may allow it to issue without approval. */
export const createKeyByPerson: UseCase<typeof createKeyByPersonContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    // The transports block keys from this operation; this check ensures that a key cannot extend its permissions
    // through any of them.
    if (tx.actor.kind === 'key') throw new AppError('scope_missing', { details: { access: 'person' } })
    const { approval, ...fields } = input
    return addKey(tx, grantOf(tx, fields, approval ?? 'always'), null)
  })

/** Revokes a key: its next request is refused. */
export const revokeKey: UseCase<typeof revokeKeyContract> = (ctx, { id }) =>
  ctx.transaction(async (tx) => {
    const row = orNotFound(await findUnrevoked(tx, 'public_id', id))
    if (!tx.may('connections.manage') && row.person_id !== personOf(tx.actor)) throw new AppError('not_found')
    const descendants = await revokeAndRecord(tx, row)
    return { revoked: true, alsoRevoked: descendants.map(({ public_id: publicId }) => publicId) }
  })
