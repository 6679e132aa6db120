/**
 * The limit of T2 and T5: Fastify with defaults, prepared statements, JSON. It hashes the key of every request and
 * looks it up, reads the necessary rows and returns exactly the same invoice data as the product; it has no contract,
 * limits, guard or checks.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { madridInstant } from '../../server/domain/dates.ts'
import type { LimitActor, LimitBooks, NewLine } from './books.ts'

type Row = Record<string, string | number | Buffer | null>

const money = (cents: unknown): number => Number(cents) / 100
const hex = (bytes: unknown): string => (bytes as Buffer).toString('hex').toUpperCase()
const iso = (at: unknown): string | null =>
  at === null || at === undefined ? null : new Date(Number(at)).toISOString()
const today = (): string => madridInstant(new Date()).slice(0, 10)

function paymentStatus(row: Row, today: string): string {
  if (row.state === 'draft') return 'draft'
  if (row.is_owed === 0) return 'paid'
  return row.due_date !== null && String(row.due_date) < today ? 'overdue' : 'unpaid'
}

function summary(row: Row, today: string) {
  return {
    id: row.public_id,
    number: row.number,
    series: row.series_code,
    kind: row.kind,
    state: row.state,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    clientName: row.client_name,
    clientNif: row.client_nif,
    base: money(row.base_cents),
    tax: money(row.tax_cents),
    total: money(row.total_cents),
    amountDue: money(row.due_cents),
    currency: 'EUR',
    registry: { status: row.registry_status, simulated: true },
    payment: { status: paymentStatus(row, today) },
    version: row.version,
    externalRef: row.external_ref,
    createdAt: iso(row.created_at),
    updatedAt: iso(Math.max(row.updated_at as number, row.created_at as number)),
    untrusted: true,
  }
}

const party = (row: Row) => ({
  name: row.name,
  nif: row.nif,
  country: row.country,
  address: {
    street: row.street,
    postalCode: row.postal_code,
    city: row.city,
    province: row.province ?? undefined,
    country: row.country,
  },
  email: row.email ?? undefined,
})

const referenceOf = (row: Row) => ({
  id: row.public_id,
  number: row.number,
  issueDate: row.issue_date,
  kind: row.kind,
  total: money(row.total_cents),
})

const CHECKER = 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR'

function qrUrl(row: Row, issuer: Row): string {
  const encode = encodeURIComponent
  const day = String(row.issue_date)
  const date = `${day.slice(8, 10)}-${day.slice(5, 7)}-${day.slice(0, 4)}`
  const total = money(Number(row.base_cents) + Number(row.tax_cents)).toFixed(2)
  return `${CHECKER}?nif=${encode(String(issuer.nif))}&numserie=${encode(String(row.number))}&fecha=${date}&importe=${total}`
}

function detail(books: LimitBooks, publicId: string) {
  const row = books
    .sql(
      `select i.*, s.code as series_code, c.public_id as contact_public_id from invoices i left join series s on s.id = i.series_id
       left join contacts c on c.id = i.contact_id where i.book_id = ? and i.public_id = ?`,
    )
    .get(books.book.id, publicId) as Row | undefined
  if (!row) return null
  const lines = books
    .sql('select * from invoice_lines where invoice_id = ? order by position')
    .all(row.id) as Row[]
  const taxes = books
    .sql('select * from invoice_taxes where invoice_id = ? order by position')
    .all(row.id) as Row[]
  const client = books.sql('select * from parties where id = ?').get(row.party_id) as Row
  const issuer =
    row.issuer_id === null
      ? null
      : (books.sql('select * from parties where id = ?').get(row.issuer_id) as Row)
  const record = books
    .sql(
      `select r.sequence, r.hash, r.generated_at, s.status, s.csv, s.answered_at, s.authority_code, s.message, b.started_at,
         (select hash from registry_records p where p.book_id = r.book_id and p.sequence = r.sequence - 1) as previous
       from registry_records r join registry_submissions s on s.record_id = r.id left join registry_batches b on b.id = s.batch_id
       where r.invoice_id = ? order by r.sequence desc limit 1`,
    )
    .get(row.id) as Row | undefined
  const documents = books
    .sql(
      `select d.language, s.level from documents d left join document_signatures s on s.document_id = d.id
       where d.invoice_id = ? and d.format <> 'facturae' order by d.id`,
    )
    .all(row.id) as Row[]
  const named = (role: string) =>
    references.filter((reference) => reference.role === role).map((reference) => referenceOf(reference))
  const references = books
    .sql(
      `select r.role, r.number, r.issue_date, t.public_id, t.kind, t.total_cents from invoice_references r
       left join invoices t on t.id = r.target_id where r.invoice_id = ? order by r.position`,
    )
    .all(row.id) as Row[]
  const naming = books
    .sql(
      `select r.role, i.number, i.issue_date, i.public_id, i.kind, i.total_cents from invoice_references r
       join invoices i on i.id = r.invoice_id
       where r.target_id = ? and i.state = 'issued' and i.cancelled_at is null order by i.id`,
    )
    .all(row.id) as Row[]
  const namedBy = (role: string) =>
    naming.filter((reference) => reference.role === role).map((reference) => referenceOf(reference))
  const payments = books
    .sql(
      `select p.public_id, p.date, p.method, p.reference, a.cents from payment_allocations a join payments p on p.id = a.payment_id
       where a.invoice_id = ? and p.kind <> 'write_off' order by p.date, p.id`,
    )
    .all(row.id) as Row[]
  const history = books
    .sql(
      `select e.at, e.action, a.kind, a.name, e.outcome from audit_events e join actors a on a.id = e.actor_id
       where e.book_id = ? and e.target_id = ? order by e.sequence limit 100`,
    )
    .all(books.book.id, publicId) as Row[]
  return {
    ...summary({ ...row, client_name: client.name as string, client_nif: client.nif as string }, today()),
    lines: lines.map((line) => ({
      description: line.description,
      quantity: Number(line.quantity_micro) / 1e6,
      unitPrice: Number(line.unit_price_micro) / 1e6,
      discountPct: Number(line.discount_bp) / 100,
      vatRate: Number(line.vat_rate_bp) / 100,
      taxTreatment: line.tax_treatment,
      regimeKey: line.regime_key,
      surcharge: line.surcharge_bp,
      withholdable: line.withholdable === 1,
      isDisbursement: line.is_disbursement === 1,
      net: money(line.net_cents),
    })),
    taxBreakdown: taxes.map((tax) => ({
      taxTreatment: tax.tax_treatment,
      regimeKey: tax.regime_key,
      vatRate: Number(tax.vat_rate_bp) / 100,
      base: money(tax.base_cents),
      tax: money(tax.tax_cents),
    })),
    surcharge: money(row.surcharge_cents),
    outside: taxes.reduce((sum, tax) => sum + Number(tax.outside_cents), 0) / 100,
    replaced: money(row.replaced_cents),
    disbursements: money(row.disbursements_cents),
    withholding:
      row.withholding_bp === null
        ? undefined
        : {
            rate: Number(row.withholding_bp) / 100,
            base: money(row.withholding_base_cents),
            amount: money(row.withholding_cents),
          },
    priceMode: row.price_mode,
    taxName: 'IVA',
    client: party(client),
    clientId: row.contact_public_id,
    issuer: issuer ? party(issuer) : undefined,
    operationDate: row.operation_date,
    simplifiedArt7273: row.simplified_art7273 === 1,
    property: null,
    rectifies: named('rectifies'),
    rectifiedBy: namedBy('rectifies'),
    // None of these invoices is rectified: a rectified one would also need the totals of its family.
    rectified: 'no',
    substitutes: named('substitutes'),
    substitutedBy: namedBy('substitutes'),
    notes: row.notes,
    language: row.language,
    paymentMethod: row.payment_method,
    externalRef: row.external_ref,
    // The generated invoices have none.
    metadata: {},
    customerReferences: null,
    legalMentions: [],
    contentHash: row.content_hash === null ? null : (row.content_hash as Buffer).toString('hex'),
    registry:
      record && issuer
        ? {
            status: record.status,
            simulated: true,
            recordId: `rec-${record.sequence}`,
            hash: hex(record.hash),
            previousHash: record.previous === null ? undefined : hex(record.previous),
            qrUrl: qrUrl(row, issuer),
            csv: record.csv ?? undefined,
            sentAt: iso(record.started_at) ?? undefined,
            answeredAt: iso(record.answered_at) ?? undefined,
            errors:
              record.authority_code === null
                ? []
                : [{ authorityCode: record.authority_code, message: record.message }],
          }
        : { status: row.registry_status, simulated: true, errors: [] },
    pdf: {
      status: documents.length > 0 ? 'ready' : 'pending',
      signature: { level: documents[0]?.level ?? 'none' },
      languages: documents.map(({ language }) => language),
    },
    payments: payments.map((payment) => ({
      id: payment.public_id,
      date: payment.date,
      amount: money(payment.cents),
      method: payment.method ?? 'other',
      reference: payment.reference ?? undefined,
    })),
    history: history.map((event) => ({
      at: iso(event.at),
      action: event.action,
      actor: { kind: event.kind, name: event.name },
      outcome: event.outcome,
    })),
    actions:
      row.state === 'draft'
        ? DRAFT_ACTIONS
        : row.registry_status === 'pending'
          ? WAITING_ACTIONS
          : SETTLED_ACTIONS,
    links: {
      self: `/api/v1/invoices/${publicId}`,
      pdf: row.state === 'draft' ? undefined : `/api/v1/invoices/${publicId}/pdf`,
    },
  }
}

const DRAFT_ACTIONS = ['edit', 'delete', 'validate', 'issue', 'pdf', 'duplicate']
const WAITING_ACTIONS = ['pdf', 'duplicate', 'rectify', 'pay']
const SETTLED_ACTIONS = ['pdf', 'duplicate', 'rectify', 'pay', 'cancel', 'amend']

function list(books: LimitBooks, limit: number) {
  const rows = books
    .sql(
      `select i.*, s.code as series_code, p.name as client_name, p.nif as client_nif from invoices i join parties p on p.id = i.party_id
       left join series s on s.id = i.series_id where i.book_id = ? order by i.list_date desc, i.id desc limit ?`,
    )
    .all(books.book.id, limit + 1) as Row[]
  const shown = rows.slice(0, limit)
  const day = today()
  const last = shown.at(-1)
  return {
    items: shown.map((row) => summary(row, day)),
    nextCursor:
      rows.length > limit && last
        ? Buffer.from(JSON.stringify([last.list_date, last.id])).toString('base64url')
        : null,
  }
}

/** Creates the server; it opens no port itself. */
export function createLimitServer(books: LimitBooks): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true })
  const actorOf = (authorization: string | undefined): LimitActor | null => {
    const text = authorization?.startsWith('Bearer ') ? authorization.slice(7) : ''
    const digest = createHash('sha256').update(text).digest()
    const row = books
      .sql('select id, public_id, name, secret_hash from api_keys where lookup = ? and revoked_at is null')
      .get(text.slice(9, 17)) as
      | { id: number; public_id: string; name: string; secret_hash: Buffer }
      | undefined
    if (!row || !timingSafeEqual(row.secret_hash, digest)) return null
    return { rowId: actorRow(books, row), kind: 'key', id: row.public_id, name: row.name, channel: 'rest' }
  }
  const actors = new WeakMap<object, LimitActor>()
  const actor = (request: object): LimitActor => actors.get(request) as LimitActor
  const ok = (data: unknown) => ({ ok: true, data, meta: { timestamp: new Date().toISOString() } })
  app.addHook('onRequest', async (request, reply) => {
    const known = actorOf(request.headers.authorization)
    if (!known) return reply.code(401).send({ ok: false, error: { code: 'unauthorized' } })
    actors.set(request, known)
  })
  app.get<{ Params: { id: string } }>('/api/v1/invoices/:id', async (request) =>
    ok(detail(books, request.params.id)),
  )
  app.get<{ Querystring: { limit?: string } }>('/api/v1/invoices', async (request) =>
    ok(list(books, Number(request.query.limit ?? 25))),
  )
  app.post<{ Body: { clientName: string; clientNif: string; lines: NewLine[] } }>(
    '/api/v1/invoices',
    async (request, reply) => {
      const id = books.create(request.body, actor(request))
      return reply.code(201).send(ok(detail(books, id)))
    },
  )
  app.post<{ Params: { id: string } }>('/api/v1/invoices/:id/validate', async (request) =>
    ok({ confirmation: { confirmationToken: books.validate(request.params.id, actor(request)) } }),
  )
  app.post<{ Params: { id: string }; Body: { confirmationToken: string } }>(
    '/api/v1/invoices/:id/issue',
    async (request) => {
      books.issue(request.params.id, request.body.confirmationToken, actor(request))
      return ok(detail(books, request.params.id))
    },
  )
  return app
}

const actorRows = new Map<string, number>()

function actorRow(books: LimitBooks, key: { public_id: string; name: string }): number {
  const known = actorRows.get(key.public_id)
  if (known !== undefined) return known
  books
    .sql("insert into actors (kind, public_id, name) values ('key', ?, ?) on conflict do nothing")
    .run(key.public_id, key.name)
  const { id } = books
    .sql("select id from actors where kind = 'key' and public_id = ? and name = ?")
    .get(key.public_id, key.name) as { id: number }
  actorRows.set(key.public_id, id)
  return id
}
