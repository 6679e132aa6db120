/** Returns the state of every integration, connected or not, and changes their settings. */
import { recordAudit } from '../../../platform/audit/index.ts'
import { AppError, validationFailed } from '../../../domain/errors/app-error.ts'
import { normalizeText } from '../../../domain/text.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import { emitEvent } from '../../../platform/events/index.ts'
import { prepare } from '../../../db/query.ts'
import { quotaOf } from './budget.ts'
import type {
  forgetContract,
  Integration,
  ProviderId,
  settingsContract,
  statusContract,
} from '../contract.ts'
import { isFullPassDue, watermarksOf } from '../reading/plan.ts'
import type { Provider } from '../port.ts'
import { providers } from '../providers.ts'
import { connectionsOf, findConnection, openConnection, permissionsOf, targetOf } from './rows.ts'
import type { ConnectionRow } from './rows.ts'
import { lastRun, runningRun, runView } from '../reading/run-rows.ts'

// From the indexes alone: the window polls this during a sync, and the rows are large.
const countDocuments = prepare((db, p: { id: number }) =>
  db
    .selectFrom('erp_documents')
    .select((eb) => ['side', eb.fn.countAll<number>().as('count')])
    .where('connection_id', '=', p.id)
    .groupBy('side'),
)
const countOthers = (table: 'erp_contacts' | 'erp_items') =>
  prepare((db, p: { id: number }) =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('connection_id', '=', p.id),
  )
const countMissing = (table: 'erp_contacts' | 'erp_documents' | 'erp_items') =>
  prepare((db, p: { id: number }) =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('connection_id', '=', p.id)
      .where('missing_since', 'is not', null),
  )
const countContacts = countOthers('erp_contacts')
const countItems = countOthers('erp_items')
const MISSING = (['erp_contacts', 'erp_documents', 'erp_items'] as const).map(countMissing)

async function countsOf(ctx: Ctx, id: number): Promise<Integration['counts']> {
  const documents = await countDocuments.all(ctx.db, { id })
  const contacts = await countContacts.first(ctx.db, { id })
  const items = await countItems.first(ctx.db, { id })
  const of = (side: 'issued' | 'received') => documents.find((each) => each.side === side)
  let missing = 0
  for (const query of MISSING) missing += (await query.first(ctx.db, { id }))?.count ?? 0
  return {
    contacts: contacts?.count ?? 0,
    issued: of('issued')?.count ?? 0,
    received: of('received')?.count ?? 0,
    catalogue: items?.count ?? 0,
    missing,
  }
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

const NEVER_CONNECTED = {
  connected: false,
  state: 'disconnected',
  connectionId: null,
  ownLabel: null,
  erpAccountName: null,
  erpAccountHint: null,
  erpTaxId: null,
  baseUrl: null,
  keyHint: null,
  apiFlavour: null,
  permissions: { granted: [], missing: [] },
  lastSyncAt: null,
  lastPartialAt: null,
  lastError: null,
  historyFrom: null,
  counts: { contacts: 0, issued: 0, received: 0, catalogue: 0, missing: 0 },
  fullPassDue: false,
  currentRun: null,
  lastRun: null,
  quota: null,
  version: null,
} as const

async function integrationOf(
  ctx: Ctx,
  provider: Provider,
  row: ConnectionRow | undefined,
): Promise<Integration> {
  const { id, kind, label } = provider.describe()
  const head = { kind, provider: id as ProviderId, label }
  if (!row) return { ...head, ...NEVER_CONNECTED, permissions: { granted: [], missing: [] } }
  const running = await runningRun(ctx, row.id)
  const last = await lastRun(ctx, row.id)
  return {
    ...head,
    connected: row.state === 'connected',
    state: row.state,
    connectionId: row.public_id,
    ownLabel: row.label,
    erpAccountName: row.account_name,
    erpAccountHint: row.account_name === null ? row.key_hint : null,
    erpTaxId: row.account_tax_id,
    baseUrl: row.base_url,
    keyHint: row.sealed_key === null ? null : row.key_hint,
    apiFlavour: row.api_flavour,
    permissions: permissionsOf(row),
    lastSyncAt: iso(row.last_sync_at),
    lastPartialAt: iso(row.last_partial_at),
    lastError:
      row.last_error_code === null || row.last_error_at === null
        ? null
        : { code: row.last_error_code, at: new Date(row.last_error_at).toISOString() },
    historyFrom: row.history_from,
    counts: await countsOf(ctx, row.id),
    fullPassDue: row.state === 'connected' && isFullPassDue(ctx.now(), await watermarksOf(ctx, row.id)),
    currentRun: running && (await runView(ctx, running)),
    lastRun: last && (await runView(ctx, last)),
    quota: await quotaOf(ctx, row),
    version: row.version,
  }
}

/** Returns every integration: connected ones first, then former connections, then available ones. */
export const erpStatus: UseCase<typeof statusContract> = async (ctx) => {
  const rows = await connectionsOf(ctx)
  const integrations: Integration[] = []
  for (const provider of providers) {
    const own = rows.filter((row) => row.provider === provider.describe().id)
    for (const row of own.length > 0 ? own : [undefined])
      integrations.push(await integrationOf(ctx, provider, row))
  }
  const rank = ({ state, connectionId }: Integration) =>
    state !== 'disconnected' ? 0 : connectionId !== null ? 1 : 2
  return { integrations: integrations.toSorted((a, b) => rank(a) - rank(b)) }
}

/** Changes the settings of the open connection. */
export const changeErpSettings: UseCase<typeof settingsContract> = (ctx, input) =>
  ctx.transaction(async (tx) => {
    const row = await openConnection(tx)
    if (!row) throw new AppError('erp_not_connected')
    if (input.expectedVersion !== undefined && input.expectedVersion !== row.version)
      throw new AppError('version_conflict', { details: { version: row.version } })
    if (input.historyFrom !== undefined && input.historyFrom > tx.today())
      throw validationFailed([
        {
          code: 'erp_history_ahead',
          field: 'historyFrom',
          severity: 'error',
          message: 'The history begins today at the latest.',
          fix: 'Choose a day that has passed.',
        },
      ])
    await tx.db
      .updateTable('erp_connections')
      .set({
        ...(input.monthlyBudget === undefined ? {} : { monthly_budget: input.monthlyBudget }),
        ...(input.historyFrom === undefined ? {} : { history_from: input.historyFrom }),
        ...(input.label === undefined
          ? {}
          : { label: input.label === null ? null : normalizeText(input.label) }),
        version: row.version + 1,
        updated_at: tx.now().getTime(),
      })
      .where('id', '=', row.id)
      .execute()
    await recordAudit(tx, { action: 'erp.settings_changed', target: targetOf(row) })
    await emitEvent(tx, 'erp.changed', { connectionId: row.public_id })
    const changed = await findConnection(tx, row.public_id)
    const provider = providers.find((each) => each.describe().id === row.provider)
    if (!provider) throw new Error(`No accounting system is called ${row.provider}.`)
    return integrationOf(tx, provider, changed)
  })

/** Deletes the records of a connection that has no key any more; documents created from them stay. */
export const forgetErp: UseCase<typeof forgetContract> = (ctx, { connectionId }) =>
  ctx.transaction(async (tx) => {
    const row = await findConnection(tx, connectionId)
    if (row.sealed_key !== null) throw new AppError('erp_still_connected')
    const { contacts, issued, received, catalogue } = await countsOf(tx, row.id)
    await tx.db.deleteFrom('erp_connections').where('id', '=', row.id).execute()
    await recordAudit(tx, { action: 'erp.data_deleted', target: targetOf(row) })
    await emitEvent(tx, 'erp.changed', { connectionId })
    return { deleted: contacts + issued + received + catalogue }
  })
