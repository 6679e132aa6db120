/** Connects and disconnects: the key is tried before it is stored, stored sealed, and destroyed on disconnection. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { findCompany } from '../../../company/index.ts'
import type { ContractInput } from '../../../domain/contract/define-contract.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { purgeSecret } from '../../../context.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { prepare } from '../../../db/query.ts'
import { createLine, normalizeAddress, writeCalls } from './calling.ts'
import type { Line } from './calling.ts'
import type { connectContract, disconnectContract, ProviderId } from '../contract.ts'
import type { Credentials, Provider, Verified } from '../port.ts'
import { providerOf } from '../providers.ts'
import { connectionsOf, keyHint, keySealContext, openConnection, permissionsOf, targetOf } from './rows.ts'
import type { ConnectionRow } from './rows.ts'
import { stopRun } from '../reading/run.ts'

type ConnectInput = ContractInput<typeof connectContract>

/** Throws `validation_failed` for a missing or unaccepted value of the provider's credentials. */
function credentialsOf(provider: Provider, input: ConnectInput): Credentials {
  const { fields, label } = provider.describe()
  const faults: Fault[] = []
  for (const name of ['baseUrl', 'database'] as const) {
    const field = fields.find((each) => each.name === name)
    if (field?.required && input[name] === undefined)
      faults.push({ code: 'required', field: name, severity: 'error', message: `${label} needs this field.` })
    if (!field && input[name] !== undefined)
      faults.push({
        code: 'unknown_field',
        field: name,
        severity: 'error',
        message: `${label} has one address for all: leave this field out.`,
      })
  }
  if (faults.length > 0) throw validationFailed(faults)
  return {
    // A key copied from a web page may contain blanks and line ends anywhere.
    secret: input.erpApiKey.replace(/\s/g, ''),
    baseUrl: input.baseUrl === undefined ? null : normalizeAddress(input.baseUrl),
    database: input.database ?? null,
    accountId: input.accountId ?? null,
  }
}

const knownSample = prepare((db, p: { id: number; kind: string; externalId: string }) =>
  db
    .selectFrom('erp_documents')
    .select('id')
    .where('connection_id', '=', p.id)
    .where('external_kind', '=', p.kind)
    .where('external_id', '=', p.externalId)
    .unionAll(
      db
        .selectFrom('erp_contacts')
        .select('id')
        .where('connection_id', '=', p.id)
        .where('external_kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    )
    .unionAll(
      db
        .selectFrom('erp_items')
        .select('id')
        .where('connection_id', '=', p.id)
        .where('external_kind', '=', p.kind)
        .where('external_id', '=', p.externalId),
    ),
)

const anyRecord = prepare((db, p: { id: number }) =>
  db
    .selectFrom('erp_documents')
    .select('id')
    .where('connection_id', '=', p.id)
    .unionAll(db.selectFrom('erp_contacts').select('id').where('connection_id', '=', p.id))
    .limit(1),
)

type Difference = 'provider' | 'address' | 'tax_id' | 'unknown_records'

/**
 * Returns why the account of the credentials cannot be that of a connection; null when it may be. A system without an
 * account name is recognized by a record that was read before.
 */
async function differenceOf(
  ctx: Ctx,
  row: ConnectionRow,
  provider: ProviderId,
  credentials: Credentials,
  verified: Verified,
  sameAccount: boolean,
): Promise<Difference | null> {
  if (row.provider !== provider) return 'provider'
  const { baseUrl, database, accountId } = credentials
  if (row.base_url !== baseUrl || row.database !== database) return 'address'
  if (accountId !== null && row.account_id !== null && row.account_id !== accountId) return 'address'
  if (row.account_tax_id !== null && verified.accountTaxId !== null)
    return row.account_tax_id === verified.accountTaxId ? null : 'tax_id'
  if (sameAccount || verified.samples.length === 0) return null
  for (const { externalKind: kind, externalId } of verified.samples)
    if (await knownSample.first(ctx.db, { id: row.id, kind, externalId })) return null
  return (await anyRecord.first(ctx.db, { id: row.id })) ? 'unknown_records' : null
}

/** Returns the connection for the key: the open one, an earlier one of the same account, or null for a new one. */
async function connectionFor(
  ctx: Ctx,
  input: ConnectInput,
  provider: ProviderId,
  credentials: Credentials,
  verified: Verified,
): Promise<ConnectionRow | null> {
  const differs = (row: ConnectionRow) =>
    differenceOf(ctx, row, provider, credentials, verified, input.sameAccount === true)
  const open = await openConnection(ctx)
  if (open) {
    const reason = await differs(open)
    if (reason === null && input.replace !== true) return open
    if (input.replace !== true)
      throw new AppError('erp_other_account', {
        details: { reason, connected: open.account_name ?? open.key_hint },
      })
  }
  for (const row of await connectionsOf(ctx)) {
    if (row.sealed_key !== null) continue
    // With `replace`, only a connection that is certainly of the same account is reused.
    const certain = row.account_tax_id !== null && row.account_tax_id === verified.accountTaxId
    if ((certain || input.replace !== true) && (await differs(row)) === null) return row
  }
  return null
}

function warningsOf(companyNif: string, { accountTaxId, accountName }: Verified): Fault[] {
  if (accountTaxId === null || accountTaxId === companyNif) return []
  return [
    {
      code: 'erp_company_differs',
      field: 'erpApiKey',
      severity: 'warning',
      message: `The accounting system belongs to ${accountTaxId}, and these books to ${companyNif}.`,
      fix: 'Check that it is the right account.',
      params: { accountTaxId, companyNif, accountName: accountName ?? '' },
    },
  ]
}

async function disconnectRow(tx: Ctx, row: ConnectionRow): Promise<void> {
  await tx.db
    .updateTable('erp_connections')
    .set({
      state: 'disconnected',
      sealed_key: null,
      version: row.version + 1,
      updated_at: tx.now().getTime(),
    })
    .where('id', '=', row.id)
    .execute()
  await recordAudit(tx, { action: 'erp.disconnected', target: targetOf(row) })
  await emitEvent(tx, 'erp.disconnected', { connectionId: row.public_id, provider: row.provider })
}

interface Probed {
  provider: ProviderId
  credentials: Credentials
  verified: Verified
  line: Line
  allowPrivate: boolean
}

async function saveConnection(tx: Ctx, input: ConnectInput, probed: Probed): Promise<ConnectionRow> {
  const { provider, credentials, verified, line } = probed
  const before = await connectionFor(tx, input, provider, credentials, verified)
  const open = await openConnection(tx)
  if (open && open.id !== before?.id) await disconnectRow(tx, open)
  const now = tx.now().getTime()
  const publicId = before?.public_id ?? tx.newId('erp')
  const changes = {
    state: 'connected' as const,
    sealed_key: tx.env.store.sealer.seal(credentials.secret, keySealContext(publicId, tx.book.id)),
    key_hint: keyHint(credentials.secret),
    api_flavour: verified.apiFlavour,
    base_url: credentials.baseUrl,
    database: credentials.database,
    account_id: credentials.accountId,
    allow_private: probed.allowPrivate ? 1 : 0,
    account_name: verified.accountName ?? before?.account_name ?? null,
    account_tax_id: verified.accountTaxId ?? before?.account_tax_id ?? null,
    ...(input.label === undefined ? {} : { label: input.label }),
    granted: JSON.stringify(verified.granted),
    missing: JSON.stringify(verified.missing),
    notes: JSON.stringify(verified.notes),
    last_error_code: null,
    last_error_at: null,
    wait_until: null,
    updated_at: now,
  }
  const row = before
    ? await tx.db
        .updateTable('erp_connections')
        .set({ ...changes, version: before.version + 1 })
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow()
    : await tx.db
        .insertInto('erp_connections')
        .values({
          ...changes,
          book_id: tx.book.id,
          public_id: publicId,
          provider,
          monthly_budget: providerOf(provider).describe().smallestMonthlyQuota,
          // The previous year and the current one: the returns of a year still need them.
          history_from: `${Number(tx.today().slice(0, 4)) - 1}-01-01`,
          created_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
  await writeCalls(tx, line, { connectionId: row.id, runId: null })
  await recordAudit(tx, {
    action: open && open.id === before?.id ? 'erp.key_replaced' : 'erp.connected',
    target: targetOf(row),
  })
  await emitEvent(tx, 'erp.connected', { connectionId: row.public_id, provider })
  return row
}

/** Throws when a choice of company or a permission is missing. */
function checkVerified({ accounts, granted, missing }: Verified): void {
  if (accounts.length > 0)
    throw new AppError('erp_account_choice', { field: 'accountId', details: { accounts } })
  if (missing.length > 0)
    throw new AppError('erp_permission_missing', {
      field: 'erpApiKey',
      details: { permissions: { granted, missing } },
    })
}

/** Tries a key and stores it. Nothing changes when it is refused, lacks permissions, or nothing answers. */
export const connectErp: UseCase<typeof connectContract> = async (ctx, input) => {
  const open = await openConnection(ctx)
  const id = input.provider ?? (open?.provider as ProviderId | undefined) ?? 'holded'
  const provider = providerOf(id)
  const credentials = credentialsOf(provider, input)
  const company = await findCompany(ctx)
  // Only a person may choose an address in the private network, never a program.
  const allowPrivate = ctx.actor.kind === 'user' && credentials.baseUrl !== null
  const line = createLine(ctx.env, provider, credentials, { allowPrivate })
  let verified: Verified
  try {
    verified = await line.verify()
    checkVerified(verified)
  } catch (error) {
    // The calls count, whatever their outcome.
    await ctx.transaction(async (tx) => {
      const now = await openConnection(tx)
      if (now?.provider === id) await writeCalls(tx, line, { connectionId: now.id, runId: null })
    })
    throw error
  } finally {
    line.close()
  }
  const probed = { provider: id, credentials, verified, line, allowPrivate }
  // Checked before anything stops.
  await connectionFor(ctx, input, id, credentials, verified)
  // A running sync with the previous key would overwrite what is known of this one.
  if (open) await stopRun(ctx, open.id)
  const { before, row } = await purgeSecret(ctx, async (tx) => ({
    before: await openConnection(tx),
    row: await saveConnection(tx, input, probed),
  }))
  // A sync that began meanwhile has no key any more; neither has one of a connection created only then.
  if (before) await stopRun(ctx, before.id, row.sealed_key)
  return {
    connected: true,
    erpAccountName: row.account_name,
    lastSyncAt: row.last_sync_at === null ? null : new Date(row.last_sync_at).toISOString(),
    provider: id,
    apiFlavour: row.api_flavour,
    permissions: permissionsOf(row),
    keyHint: row.key_hint ?? '',
    label: row.label,
    warnings: warningsOf(company.nif, verified),
  }
}

/** Destroys the key; the records read stay. A running sync ends first, including one that began meanwhile. */
export const disconnectErp: UseCase<typeof disconnectContract> = async (ctx) => {
  const open = await openConnection(ctx)
  if (open) await stopRun(ctx, open.id)
  const removed = await purgeSecret(ctx, async (tx) => {
    const row = await openConnection(tx)
    if (row) await disconnectRow(tx, row)
    return row
  })
  if (removed) await stopRun(ctx, removed.id)
  return { connected: false, removed: removed !== null, dataKept: true }
}
