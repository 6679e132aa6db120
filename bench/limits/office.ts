/**
 * The limit of an office's issue: hand-written SQL over the same driver, on a copy of the same database, with the same
 * rows, the same lock and the same COMMIT. Named prepared statements; what needs no answer is sent without waiting for
 * one. Callers of one company share a commit as in the product, up to 16 behind savepoints. It validates the token alone
 * and keeps what is constant in memory.
 */
import { createHash, hash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { madridInstant } from '../../server/domain/dates.ts'
import { packXml } from '../../server/registry/systems/packing.ts'
import { valueTypes } from '../../server/db/postgres/values.ts'
import { sealedRecord, systemXmlOf } from './record.ts'
import type { ChainHead } from './record.ts'

const MOST_TOGETHER = 16
const ACTOR = { kind: 'system', id: 'system', name: 'Sello' } as const
const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

interface Draft {
  id: string
  token: string
}

interface Waiting {
  draft: Draft
  done: () => void
  failed: (error: unknown) => void
}

/** A book with what never changes of it. */
interface LimitBook {
  id: number
  publicId: string
  companyId: number
  issuer: { id: number; nif: string; name: string }
  systemXml: string
  actorId: number
  groups: Map<string, number>
  accounts: Map<string, number>
  series: { id: number; code: string }
  waiting: Waiting[]
  isRunning: boolean
}

type Row = Record<string, unknown>

interface InvoiceRow {
  id: number
  state: string
  version: number
  party_id: number
  contact_id: number | null
  base_cents: number
  tax_cents: number
  total_cents: number
  withholding_cents: number
  client_name: string
  client_nif: string
}

interface TaxRow {
  tax_treatment: string
  regime_key: string
  vat_rate_bp: number
  base_cents: number
  tax_cents: number
  surcharge_cents: number
}

const sha256 = (data: string): Buffer => hash('sha256', data, 'buffer')

function newId(prefix: string): string {
  let text = `${prefix}_`
  for (const byte of randomBytes(16)) text += ID_ALPHABET.charAt(byte & 31)
  return text
}

/** Returns `($1, $2), ($3, $4)` for rows of two columns; `suffix` is added to each row. */
function places(rows: number, columns: number, suffix = ''): string {
  return Array.from({ length: rows }, (_, row) => {
    const values = Array.from({ length: columns }, (__, column) => `$${row * columns + column + 1}`)
    return `(${values.join(', ')}${suffix})`
  }).join(', ')
}

/** One transaction's connection: named statements, and those whose answer nobody waits for. */
class Session {
  private readonly client: pg.PoolClient
  private readonly names: Map<string, string>
  private readonly unawaited: Promise<unknown>[] = []

  constructor(client: pg.PoolClient, names: Map<string, string>) {
    this.client = client
    this.names = names
  }

  async rows<T = Row>(text: string, values: unknown[]): Promise<T[]> {
    let name = this.names.get(text)
    if (name === undefined) this.names.set(text, (name = `l${this.names.size}`))
    return (await this.client.query({ name, text, values })).rows as T[]
  }

  /** Sends a statement; `settled` waits for it. */
  send(text: string, values: unknown[]): void {
    const answer = this.rows(text, values)
    answer.catch(() => {})
    this.unawaited.push(answer)
  }

  plain(text: string): Promise<unknown> {
    return this.client.query(text)
  }

  sendPlain(text: string): void {
    const answer = this.plain(text)
    answer.catch(() => {})
    this.unawaited.push(answer)
  }

  async settled(): Promise<void> {
    await Promise.all(this.unawaited.splice(0))
  }
}

export class LimitOffice {
  private readonly pool: pg.Pool
  private readonly books = new Map<number, LimitBook>()
  private readonly names = new Map<string, string>()
  /** Commits so far. */
  commits = 0

  constructor(url: string, connections: number) {
    const config = {
      connectionString: url,
      application_name: 'limit',
      max: connections,
      pipeline: true,
      types: valueTypes,
    }
    this.pool = new pg.Pool(config)
  }

  /** Reads what never changes of a book, before the measurement and past the policies. */
  async know(admin: pg.Client, bookId: number, version: string, year: string): Promise<void> {
    const one = async (text: string, values: unknown[]): Promise<Row> => {
      const { rows } = await admin.query<Row>(text, values)
      if (!rows[0]) throw new Error(`Nothing is found by: ${text}`)
      return rows[0]
    }
    const book = await one('select public_id, company_id from books where id = $1', [bookId])
    const company = await one('select legal_name, nif from companies where id = $1', [book.company_id])
    const issuer = await one(
      'select issuer_id as id from invoices where book_id = $1 and issuer_id is not null limit 1',
      [bookId],
    )
    const chain = await one('select installation from registry_chains where book_id = $1', [bookId])
    const actor = await one('select id from actors where kind = $1 and public_id = $2 and name = $3', [
      ACTOR.kind,
      ACTOR.id,
      ACTOR.name,
    ])
    const series = await one('select id, code from series where book_id = $1 and code = $2', [
      bookId,
      `T-F${year}`,
    ])
    const groups = await admin.query<Row>(
      `select id, tax_treatment, regime_key, vat_rate_bp from figure_groups where book_id = $1 and side = 'issued'
         and stage = 'both' and rectifying = 0 and nature = 'services' and place = 'domestic'`,
      [bookId],
    )
    const accounts = await admin.query<Row>('select id, code from ledger_accounts where book_id = $1', [
      bookId,
    ])
    this.books.set(bookId, {
      id: bookId,
      publicId: book.public_id as string,
      companyId: book.company_id as number,
      issuer: { id: issuer.id as number, nif: company.nif as string, name: company.legal_name as string },
      systemXml: systemXmlOf({ version, installation: chain.installation as string, severalIssuers: 'S' }),
      actorId: actor.id as number,
      groups: new Map(
        groups.rows.map((row) => [
          `${row.tax_treatment}|${row.regime_key}|${row.vat_rate_bp}`,
          row.id as number,
        ]),
      ),
      accounts: new Map(accounts.rows.map((row) => [row.code as string, row.id as number])),
      series: series as { id: number; code: string },
      waiting: [],
      isRunning: false,
    })
  }

  /** Issues a draft; resolves once it is durable. */
  issue(bookId: number, draft: Draft): Promise<void> {
    const book = this.books.get(bookId)
    if (!book) throw new Error('The limit does not know the book.')
    return new Promise((done, failed) => {
      book.waiting.push({ draft, done, failed })
      if (!book.isRunning) void this.run(book)
    })
  }

  private async run(book: LimitBook): Promise<void> {
    book.isRunning = true
    while (book.waiting.length > 0) await this.commitTogether(book)
    book.isRunning = false
  }

  private async commitTogether(book: LimitBook): Promise<void> {
    const parts: Waiting[] = []
    try {
      const client = await this.pool.connect()
      const session = new Session(client, this.names)
      try {
        session.sendPlain('begin')
        session.send(
          "select set_config('sello.company', $1, true), set_config('lock_timeout', '5000', true), set_config('statement_timeout', '30000', true), set_config('idle_in_transaction_session_timeout', '5000', true)",
          [String(book.companyId)],
        )
        session.send('select id from companies where id = $1 for no key update', [book.companyId])
        while (book.waiting.length > 0 && parts.length < MOST_TOGETHER) {
          const part = book.waiting.shift() as Waiting
          parts.push(part)
          if (parts.length > 1) session.sendPlain('set constraints all deferred; savepoint part')
          await this.write(session, book, part.draft)
          if (parts.length > 1) session.sendPlain('set constraints all immediate; release savepoint part')
          else if (book.waiting.length > 0) session.sendPlain('set constraints all immediate')
          await session.settled()
        }
        await session.plain('commit')
        this.commits += 1
      } finally {
        client.release()
      }
      for (const { done } of parts) done()
    } catch (error) {
      for (const { failed } of parts) failed(error)
    }
  }

  private async write(session: Session, book: LimitBook, draft: Draft): Promise<void> {
    const now = new Date()
    const at = now.getTime()
    const tokenHash = sha256(draft.token)
    const [confirmations, invoices] = await Promise.all([
      session.rows('select * from confirmations where token_hash = $1', [tokenHash]),
      session.rows<InvoiceRow>(
        `select i.*, p.name as client_name, p.nif as client_nif from invoices i join parties p on p.id = i.party_id
          where i.book_id = $1 and i.public_id = $2`,
        [book.id, draft.id],
      ),
    ])
    const [confirmation] = confirmations
    const [row] = invoices
    if (
      !confirmation ||
      row?.state !== 'draft' ||
      confirmation.invoice_id !== row.id ||
      confirmation.used_at !== null ||
      confirmation.superseded === 1 ||
      (confirmation.expires_at as number) <= at ||
      confirmation.draft_version !== row.version
    )
      throw new Error('confirmation_invalid')
    session.send('update confirmations set used_at = $1 where token_hash = $2', [at, tokenHash])
    const generatedAt = madridInstant(now)
    const issueDate = generatedAt.slice(0, 10)
    const [numbers, taxes, lines, chains, lasts, parties] = await Promise.all([
      session.rows<{ code: string; next_number: number }>(
        `update series set next_number = next_number + 1, last_issue_date = greatest(coalesce(last_issue_date, ''), $1)
          where id = $2 returning code, next_number`,
        [issueDate, book.series.id],
      ),
      session.rows<TaxRow>('select * from invoice_taxes where invoice_id = $1 order by position', [row.id]),
      session.rows<{ description: string }>(
        'select description from invoice_lines where invoice_id = $1 order by position',
        [row.id],
      ),
      session.rows<ChainHead>('select * from registry_chains where book_id = $1', [book.id]),
      session.rows<{ sequence: number; hash: Buffer }>(
        'select sequence, hash from audit_events where book_id = $1 order by sequence desc limit 1',
        [book.id],
      ),
      session.rows<{ id: number }>('select id from figure_parties where book_id = $1 and party_key = $2', [
        book.id,
        `ES|${row.client_nif}`,
      ]),
    ])
    const sequence = (numbers[0]?.next_number ?? 0) - 1
    const number = `${book.series.code}-${String(sequence).padStart(4, '0')}`
    session.send(
      `update invoices set state = 'issued', series_id = $1, sequence = $2, number = $3, issue_date = $4, list_date = $4,
         issuer_id = $5, is_owed = $6, registry_status = 'pending', content_hash = $7, issued_at = $8
        where id = $9 and version = $10 and state = 'draft'`,
      [
        book.series.id,
        sequence,
        number,
        issueDate,
        book.issuer.id,
        row.total_cents - row.withholding_cents > 0 ? 1 : 0,
        confirmation.content_hash,
        at,
        row.id,
        row.version,
      ],
    )
    const [chain] = chains
    if (!chain) throw new Error('There is no chain.')
    const record = this.record(session, book, {
      row,
      chain,
      number,
      issueDate,
      generatedAt,
      at,
      taxes,
      lines,
    })
    const entry = session.rows<{ id: number }>(
      `insert into journal_entries (book_id, day, month, source_type, source_id, open) values ($1, $2, $3, 1, $4, 1)
        returning id`,
      [book.id, Number(issueDate.replaceAll('-', '')), monthOf(issueDate), row.id],
    )
    this.figures(session, book, row, taxes, monthOf(issueDate), parties[0]?.id)
    this.audit(session, book, lasts[0], draft.id, number, at)
    session.send('insert into events (book_id, type, at, data) values ($1, $2, $3, $4)', [
      book.id,
      'invoice.issued',
      at,
      JSON.stringify({ invoiceId: draft.id, number }),
    ])
    session.send('insert into document_queue (invoice_id) values ($1)', [row.id])
    session.send(
      `insert into due_work (company_id, kind, due_at) values ($1, 'documents', $2), ($1, 'sender', $2)
        on conflict (company_id, kind) do update set due_at = least(due_work.due_at, excluded.due_at), mark = due_work.mark + 1`,
      [book.companyId, at],
    )
    const [[recordRow], [entryRow]] = await Promise.all([record, entry])
    session.send("insert into registry_submissions (record_id, book_id, status) values ($1, $2, 'pending')", [
      recordRow?.id,
      book.id,
    ])
    this.entryLines(session, book, row, taxes, entryRow?.id ?? 0, issueDate)
  }

  private record(
    session: Session,
    book: LimitBook,
    facts: {
      row: InvoiceRow
      chain: ChainHead
      number: string
      issueDate: string
      generatedAt: string
      at: number
      taxes: TaxRow[]
      lines: { description: string }[]
    },
  ): Promise<{ id: number }[]> {
    const { row, chain, number, issueDate, generatedAt, at, taxes } = facts
    const { hex, xml } = sealedRecord({
      issuer: book.issuer,
      systemXml: book.systemXml,
      chain,
      number,
      issueDate,
      generatedAt,
      invoice: row,
      taxes,
      descriptions: facts.lines.map(({ description }) => description),
    })
    const bytes = Buffer.from(hex, 'hex')
    session.send(
      `update registry_chains set records = $1, head_hash = $2, head_issuer_nif = $3, head_number = $4, head_issue_date = $5,
         head_generated_at = $6 where book_id = $7`,
      [chain.records + 1, bytes, book.issuer.nif, number, issueDate, at, book.id],
    )
    return session.rows(
      `insert into registry_records (book_id, sequence, kind, turn, invoice_id, hash, generated_at, xml)
        values ($1, $2, 'registration', 'first', $3, $4, $5, $6) returning id`,
      [book.id, chain.records + 1, row.id, bytes, at, packXml(xml)],
    )
  }

  /** Adds the invoice to the totals of its month and its customer. */
  private figures(
    session: Session,
    book: LimitBook,
    row: InvoiceRow,
    taxes: TaxRow[],
    month: number,
    party: number | undefined,
  ): void {
    const groupOf = (tax: TaxRow): number =>
      book.groups.get(`${tax.tax_treatment}|${tax.regime_key}|${tax.vat_rate_bp}`) ?? 0
    session.send(
      `insert into figure_entries (group_id, month, source_id, base_cents, tax_cents, surcharge_cents, income_cents, source, part, deductible_cents)
        values ${places(taxes.length, 7, ', 1, 0, 0')}`,
      taxes.flatMap((tax) => [
        groupOf(tax),
        month,
        row.id,
        tax.base_cents,
        tax.tax_cents,
        tax.surcharge_cents,
        tax.base_cents,
      ]),
    )
    session.send(
      `insert into month_figures as m (group_id, month, base_cents, tax_cents, surcharge_cents, income_cents, deductible_cents, documents)
        values ${places(taxes.length, 6, ', 0, 1')} on conflict (group_id, month) do update set base_cents = m.base_cents + excluded.base_cents,
         tax_cents = m.tax_cents + excluded.tax_cents, surcharge_cents = m.surcharge_cents + excluded.surcharge_cents,
         income_cents = m.income_cents + excluded.income_cents, documents = m.documents + 1`,
      taxes.flatMap((tax) => [
        groupOf(tax),
        month,
        tax.base_cents,
        tax.tax_cents,
        tax.surcharge_cents,
        tax.base_cents,
      ]),
    )
    session.send(
      `insert into period_totals as t (book_id, side, month, documents, base_cents, tax_cents, total_cents, income_cents, withheld_base_cents, withholding_cents, missing_nif, without_file)
        values ($1, 'issued', $2, 1, $3, $4, $5, $3, 0, 0, 0, 0) on conflict (book_id, side, month) do update set documents = t.documents + 1,
         base_cents = t.base_cents + excluded.base_cents, tax_cents = t.tax_cents + excluded.tax_cents,
         total_cents = t.total_cents + excluded.total_cents, income_cents = t.income_cents + excluded.income_cents`,
      [book.id, month, row.base_cents, row.tax_cents, row.total_cents],
    )
    if (party === undefined) throw new Error('The limit expects customers that were billed before.')
    const year = Math.floor(month / 100) * 100
    session.send(
      `insert into party_figures as f (party_id, side, period, book_id, base_cents, total_cents, third_cents, documents)
        values ($1, 0, $2, $5, $6, $7, $7, 1), ($1, 0, $3, $5, $6, $7, $7, 1), ($1, 0, $4, $5, $6, $7, $7, 1)
        on conflict (party_id, side, period) do update set base_cents = f.base_cents + excluded.base_cents,
         total_cents = f.total_cents + excluded.total_cents, third_cents = f.third_cents + excluded.third_cents, documents = f.documents + 1`,
      [
        party,
        month,
        year + 20 + Math.ceil((month % 100) / 3),
        year,
        book.id,
        row.base_cents,
        row.total_cents,
      ],
    )
  }

  private entryLines(
    session: Session,
    book: LimitBook,
    row: InvoiceRow,
    taxes: TaxRow[],
    entry: number,
    issueDate: string,
  ): void {
    const lines: [code: string, cents: number, contact: number | null][] = [
      ['430', row.total_cents, row.contact_id],
      ['705', -row.base_cents, null],
      ...taxes.map((tax): [string, number, null] => [
        `477${String(tax.vat_rate_bp).padStart(4, '0')}`,
        -tax.tax_cents,
        null,
      ]),
    ]
    const day = Number(issueDate.replaceAll('-', ''))
    session.send(
      `insert into journal_lines (entry_id, position, account_id, day, amount_cents, contact_id) values ${places(lines.length, 6)}`,
      lines.flatMap(([code, cents, contact], position) => [
        entry,
        position,
        book.accounts.get(code),
        day,
        cents,
        contact,
      ]),
    )
    session.send('update journal_entries set open = null where id = $1', [entry])
  }

  private audit(
    session: Session,
    book: LimitBook,
    last: { sequence: number; hash: Buffer } | undefined,
    targetId: string,
    label: string,
    at: number,
  ): void {
    const requestId = newId('req')
    const sequence = (last?.sequence ?? 0) + 1
    // The names are sorted, as the product hashes them.
    const event = JSON.stringify({
      action: 'invoice.issued',
      actor: { id: ACTOR.id, kind: ACTOR.kind, name: ACTOR.name },
      at,
      book: book.publicId,
      channel: 'system',
      code: null,
      outcome: 'ok',
      requestId,
      sequence,
      target: { id: targetId, label, type: 'invoice' },
    })
    const digest = createHash('sha256')
    if (last) digest.update(last.hash)
    session.send(
      `insert into audit_events (book_id, sequence, at, actor_id, channel, action, target_type, target_id, target_label, outcome, code, request_id, hash)
        values ($1, $2, $3, $4, 'system', 'invoice.issued', 'invoice', $5, $6, 'ok', null, $7, $8)`,
      [book.id, sequence, at, book.actorId, targetId, label, requestId, digest.update(event).digest()],
    )
  }

  async close(): Promise<void> {
    await this.pool.end()
  }
}

function monthOf(date: string): number {
  return Number(date.slice(0, 4)) * 100 + Number(date.slice(5, 7))
}
