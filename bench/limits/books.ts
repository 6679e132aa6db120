/**
 * The limit of T1 and T2: the smallest program that writes the same rows as the product. Prepared statements over the
 * driver, the product's own schema (and therefore the same indexes, triggers and foreign keys), the same record text,
 * hash and chain. It uses the facts of customer, issuer and system unchecked, validates only the token, and caches
 * constant values in memory. It uses only pure functions of the product: the compression of the XML and Spanish time;
 * it has its own template for the record's text.
 */
import { createHash, hash, randomBytes } from 'node:crypto'
import type { Statement } from 'better-sqlite3'
import { madridInstant } from '../../server/domain/dates.ts'
import { packXml } from '../../server/registry/systems/packing.ts'
import { sealedRecord, systemXmlOf } from './record.ts'
import type { ChainHead } from './record.ts'
import type { Handle } from './database.ts'

export interface LimitActor {
  rowId: number
  kind: string
  id: string
  name: string
  channel: string
}

interface InvoiceRow {
  id: number
  public_id: string
  state: string
  series_id: number | null
  issue_date: string | null
  operation_date: string | null
  party_id: number
  number: string | null
  base_cents: number
  tax_cents: number
  surcharge_cents: number
  total_cents: number
  withholding_base_cents: number
  withholding_cents: number
  contact_id: number | null
  version: number
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

type ChainRow = ChainHead & { head_hash: Buffer | null }

interface ConfirmationRow {
  invoice_id: number
  draft_version: number
  content_hash: Buffer
  actor: string
  expires_at: number
  used_at: number | null
  superseded: number
}

const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer')

const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
function newId(prefix: string): string {
  let text = `${prefix}_`
  for (const byte of randomBytes(16)) text += ID_ALPHABET.charAt(byte & 31)
  return text
}

export interface NewLine {
  description: string
  quantity: number
  unitPrice: number
  vatRate?: number
}

/** One book of the limit program. */
export class LimitBooks {
  readonly handle: Handle
  readonly book: { id: number; public_id: string; company_id: number }
  private readonly issuer: { id: number; nif: string; name: string }
  private readonly statements = new Map<string, Statement>()
  private readonly systemXml: string
  private readonly ids = new Map<string, number>()

  constructor(handle: Handle, version: string) {
    this.handle = handle
    this.book = handle
      .prepare("select id, public_id, company_id from books where mode = 'test'")
      .get() as LimitBooks['book']
    const installation = handle
      .prepare('select installation from registry_chains where book_id = ?')
      .pluck()
      .get(this.book.id) as string
    const company = handle
      .prepare('select legal_name as name, nif from companies where id = ?')
      .get(this.book.company_id) as { name: string; nif: string }
    const id = handle
      .prepare('select id from parties where book_id = ? and nif = ? limit 1')
      .pluck()
      .get(this.book.id, company.nif) as number
    this.issuer = { id, ...company }
    this.systemXml = systemXmlOf({ version, installation, severalIssuers: 'N' })
  }

  sql(text: string): Statement {
    let statement = this.statements.get(text)
    if (!statement) this.statements.set(text, (statement = this.handle.prepare(text)))
    return statement
  }

  private transaction<T>(work: () => T): T {
    this.sql('begin immediate').run()
    try {
      const result = work()
      this.sql('commit').run()
      return result
    } catch (error) {
      this.sql('rollback').run()
      throw error
    }
  }

  /** The names in this object are sorted, as the product hashes them. */
  private audit(actor: LimitActor, action: string, targetId: string, label: string | null, at: number): void {
    const last = this.sql(
      'select sequence, hash from audit_events where book_id = ? order by sequence desc limit 1',
    ).get(this.book.id) as { sequence: number; hash: Buffer } | undefined
    const sequence = (last?.sequence ?? 0) + 1
    const requestId = newId('req')
    const event = JSON.stringify({
      action,
      actor: { id: actor.id, kind: actor.kind, name: actor.name },
      at,
      book: this.book.public_id,
      channel: actor.channel,
      code: null,
      outcome: 'ok',
      requestId,
      sequence,
      target: { id: targetId, label, type: 'invoice' },
    })
    const digest = createHash('sha256')
    if (last) digest.update(last.hash)
    this.sql(
      `insert into audit_events (book_id, sequence, at, actor_id, channel, action, target_type, target_id, target_label, outcome, code, request_id, hash)
       values (?, ?, ?, ?, ?, ?, 'invoice', ?, ?, 'ok', null, ?, ?)`,
    ).run(
      this.book.id,
      sequence,
      at,
      actor.rowId,
      actor.channel,
      action,
      targetId,
      label,
      requestId,
      digest.update(event).digest(),
    )
  }

  private event(type: string, data: object, at: number): void {
    this.sql('insert into events (book_id, type, at, data) values (?, ?, ?, ?)').run(
      this.book.id,
      type,
      at,
      JSON.stringify(data),
    )
  }

  private invoice(publicId: string): InvoiceRow {
    const row = this.sql(
      `select i.*, p.name as client_name, p.nif as client_nif from invoices i join parties p on p.id = i.party_id
       where i.book_id = ? and i.public_id = ?`,
    ).get(this.book.id, publicId)
    if (!row) throw new Error('not_found')
    return row as InvoiceRow
  }

  /** Runs the issue transaction. */
  issue(publicId: string, token: string, actor: LimitActor): { number: string; hash: string } {
    const now = new Date()
    const at = now.getTime()
    return this.transaction(() => {
      const tokenHash = sha256(token)
      const confirmation = this.sql('select * from confirmations where token_hash = ?').get(tokenHash) as
        | ConfirmationRow
        | undefined
      const row = this.invoice(publicId)
      const holder = actor.kind === 'key' ? actor.id : actor.kind
      if (
        !confirmation ||
        confirmation.invoice_id !== row.id ||
        confirmation.actor !== holder ||
        confirmation.used_at !== null ||
        confirmation.superseded === 1 ||
        confirmation.expires_at <= at ||
        confirmation.draft_version !== row.version ||
        row.state !== 'draft'
      )
        throw new Error('confirmation_invalid')
      this.sql('update confirmations set used_at = ? where token_hash = ?').run(at, tokenHash)

      const generatedAt = madridInstant(now)
      const issueDate = row.issue_date ?? generatedAt.slice(0, 10)
      const series = this.sql(
        `update series set next_number = next_number + 1, last_issue_date = max(coalesce(last_issue_date, ''), ?) where book_id = ? and code = ?
         returning id, code, next_number`,
      ).get(issueDate, this.book.id, `T-F${issueDate.slice(0, 4)}`) as {
        id: number
        code: string
        next_number: number
      }
      const sequence = series.next_number - 1
      const number = `${series.code}-${String(sequence).padStart(4, '0')}`
      const marked = this.sql(
        `update invoices set state = 'issued', series_id = ?, sequence = ?, number = ?, issue_date = ?, list_date = ?, issuer_id = ?, is_owed = ?,
           registry_status = 'pending', content_hash = ?, issued_at = ? where id = ? and version = ? and state = 'draft'`,
      ).run(
        series.id,
        sequence,
        number,
        issueDate,
        issueDate,
        this.issuer.id,
        row.total_cents - row.withholding_cents > 0 ? 1 : 0,
        confirmation.content_hash,
        at,
        row.id,
        row.version,
      )
      if (marked.changes !== 1) throw new Error('confirmation_stale')

      const taxes = this.sql('select * from invoice_taxes where invoice_id = ? order by position').all(
        row.id,
      ) as TaxRow[]
      const hex = this.append(row, number, issueDate, taxes, at, generatedAt)

      const day = Number((row.operation_date ?? issueDate).replaceAll('-', ''))
      this.figures(row, taxes, day)
      this.entry(row, taxes, day)
      this.audit(actor, 'invoice.issued', publicId, number, at)
      this.event('invoice.issued', { invoiceId: publicId, number }, at)
      this.sql('insert into document_queue (invoice_id) values (?)').run(row.id)
      return { number, hash: hex }
    })
  }

  /** Adds the invoice to the totals of its month and its customer. */
  private figures(row: InvoiceRow, taxes: TaxRow[], day: number): void {
    const month = Math.floor(day / 100)
    for (const tax of taxes) {
      const group = this.known('group', `${tax.tax_treatment}|${tax.regime_key}|${tax.vat_rate_bp}`, () => {
        const values = [this.book.id, tax.tax_treatment, tax.regime_key, tax.vat_rate_bp]
        const where =
          "book_id = ? and side = 'issued' and stage = 'both' and rectifying = 0 and tax_treatment = ? and regime_key = ? and vat_rate_bp = ? and nature = 'services' and place = 'domestic'"
        return (
          (this.sql(`select id from figure_groups where ${where}`)
            .pluck()
            .get(...values) as number | undefined) ??
          Number(
            this.sql(
              "insert into figure_groups values (null, ?, 'issued', 'both', 0, 'vat', ?, ?, ?, -1, 'domestic', 'services', 0, 0, '', '')",
            ).run(...values).lastInsertRowid,
          )
        )
      })
      this.sql('insert into figure_entries values (?, ?, 1, ?, 0, ?, ?, ?, 0, ?)').run(
        group,
        month,
        row.id,
        tax.base_cents,
        tax.tax_cents,
        tax.surcharge_cents,
        tax.base_cents,
      )
      this.sql(
        `insert into month_figures values (?, ?, ?, ?, ?, 0, ?, 1) on conflict do update set base_cents = base_cents + excluded.base_cents,
           tax_cents = tax_cents + excluded.tax_cents, surcharge_cents = surcharge_cents + excluded.surcharge_cents,
           income_cents = income_cents + excluded.income_cents, documents = documents + 1`,
      ).run(group, month, tax.base_cents, tax.tax_cents, tax.surcharge_cents, tax.base_cents)
    }
    this.sql(
      `insert into period_totals values (?, 'issued', ?, 1, ?, ?, ?, ?, ?, ?, 0, 0) on conflict do update set documents = documents + 1,
         base_cents = base_cents + excluded.base_cents, tax_cents = tax_cents + excluded.tax_cents, total_cents = total_cents + excluded.total_cents,
         income_cents = income_cents + excluded.income_cents, withheld_base_cents = withheld_base_cents + excluded.withheld_base_cents,
         withholding_cents = withholding_cents + excluded.withholding_cents`,
    ).run(
      this.book.id,
      month,
      row.base_cents,
      row.tax_cents,
      row.total_cents,
      row.base_cents,
      row.withholding_cents === 0 ? 0 : row.withholding_base_cents,
      row.withholding_cents,
    )
    const party =
      (this.sql('select id from figure_parties where book_id = ? and party_key = ?')
        .pluck()
        .get(this.book.id, `ES|${row.client_nif}`) as number | undefined) ??
      this.sql("insert into figure_parties values (null, ?, ?, ?, ?, 'ES', null)").run(
        this.book.id,
        `ES|${row.client_nif}`,
        row.client_name,
        row.client_nif,
      ).lastInsertRowid
    const year = Math.floor(month / 100) * 100
    // Sales with income tax withheld are reported in another return.
    const third = row.withholding_cents === 0 ? row.total_cents : 0
    for (const period of [month, year + 20 + Math.ceil((month % 100) / 3), year])
      this.sql(
        `insert into party_figures values (?, 0, ?, ?, ?, ?, ?, 1) on conflict do update set base_cents = base_cents + excluded.base_cents,
           total_cents = total_cents + excluded.total_cents, third_cents = third_cents + excluded.third_cents, documents = documents + 1`,
      ).run(party, period, this.book.id, row.base_cents, row.total_cents, third)
  }

  /** Writes the ledger entry: customer and withholding against sales and VAT. */
  private entry(row: InvoiceRow, taxes: TaxRow[], day: number): void {
    const { lastInsertRowid: entry } = this.sql(
      'insert into journal_entries (book_id, day, month, source_type, source_id, open) values (?, ?, ?, 1, ?, 1)',
    ).run(this.book.id, day, Math.floor(day / 100), row.id)
    let position = 0
    const line = (code: string, cents: number, contact: number | null = null): void => {
      if (cents === 0) return
      const account = this.known(
        'account',
        code,
        () =>
          this.sql('select id from ledger_accounts where book_id = ? and code = ?')
            .pluck()
            .get(this.book.id, code) as number,
      )
      this.sql(
        'insert into journal_lines (entry_id, position, account_id, day, amount_cents, contact_id) values (?, ?, ?, ?, ?, ?)',
      ).run(entry, position++, account, day, cents, contact)
    }
    line('430', row.total_cents - row.withholding_cents, row.contact_id)
    line('473', row.withholding_cents)
    line('705', -row.base_cents)
    for (const tax of taxes) line(`477${String(tax.vat_rate_bp).padStart(4, '0')}`, -tax.tax_cents)
    this.sql('update journal_entries set open = null where id = ?').run(entry)
  }

  /** Returns a row number that never changes, cached in memory. */
  private known(kind: string, name: string, find: () => number): number {
    const key = `${kind}|${name}`
    let id = this.ids.get(key)
    if (id === undefined) this.ids.set(key, (id = find()))
    return id
  }

  /** Writes text, hash, chain and queue of the record. */
  private append(
    row: InvoiceRow,
    number: string,
    issueDate: string,
    taxes: TaxRow[],
    at: number,
    generatedAt: string,
  ): string {
    const chain = this.sql('select * from registry_chains where book_id = ?').get(this.book.id) as ChainRow
    const sequence = chain.records + 1
    const { issuer } = this
    const lines = this.sql('select description from invoice_lines where invoice_id = ? order by position')
      .pluck()
      .all(row.id) as string[]
    const { hex, xml } = sealedRecord({
      issuer,
      systemXml: this.systemXml,
      chain,
      number,
      issueDate,
      generatedAt,
      invoice: row,
      taxes,
      descriptions: lines,
    })
    const bytes = Buffer.from(hex, 'hex')
    this.sql(
      `update registry_chains set records = ?, head_hash = ?, head_issuer_nif = ?, head_number = ?, head_issue_date = ?, head_generated_at = ? where book_id = ?`,
    ).run(sequence, bytes, issuer.nif, number, issueDate, at, this.book.id)
    const { lastInsertRowid } = this.sql(
      `insert into registry_records (book_id, sequence, kind, turn, invoice_id, hash, generated_at, xml) values (?, ?, 'registration', 'first', ?, ?, ?, ?)`,
    ).run(this.book.id, sequence, row.id, bytes, at, packXml(xml))
    this.sql(`insert into registry_submissions (record_id, book_id, status) values (?, ?, 'pending')`).run(
      lastInsertRowid,
      this.book.id,
    )
    return hex
  }

  /** Creates a draft of lines with the general rate or the given one. */
  create(input: { clientName: string; clientNif: string; lines: NewLine[] }, actor: LimitActor): string {
    const at = Date.now()
    const publicId = newId('inv')
    const byRate = new Map<number, number>()
    const nets = input.lines.map((line) => {
      const net = Math.round(line.quantity * line.unitPrice * 100)
      const rateBp = Math.round((line.vatRate ?? 21) * 100)
      byRate.set(rateBp, (byRate.get(rateBp) ?? 0) + net)
      return { net, rateBp }
    })
    const taxes = [...byRate].map(([rateBp, base]) => ({
      rateBp,
      base,
      tax: Math.round((base * rateBp) / 10_000),
    }))
    const base = nets.reduce((sum, { net }) => sum + net, 0)
    const tax = taxes.reduce((sum, each) => sum + each.tax, 0)
    return this.transaction(() => {
      const contact = this.sql('select * from contacts where book_id = ? and nif = ?').get(
        this.book.id,
        input.clientNif,
      ) as
        | {
            id: number
            street: string
            postal_code: string
            city: string
            province: string
            country: string
            email: string
          }
        | undefined
      const today = madridInstant(new Date(at)).slice(0, 10)
      const partyId = this.party(input, contact)
      const { lastInsertRowid: id } = this.sql(
        `insert into invoices (book_id, public_id, state, kind, list_date, party_id, contact_id, price_mode, base_cents, tax_cents, surcharge_cents,
           disbursements_cents, total_cents, withholding_base_cents, withholding_cents, registry_status, language, created_at)
         values (?, ?, 'draft', 'F1', ?, ?, ?, 'net', ?, ?, 0, 0, ?, 0, 0, 'not_issued', 'es', ?)`,
      ).run(this.book.id, publicId, today, partyId, contact?.id ?? null, base, tax, base + tax, at)
      for (const [position, line] of input.lines.entries())
        this.sql(
          `insert into invoice_lines (invoice_id, position, description, quantity_micro, unit_price_micro, discount_bp, tax_treatment, regime_key,
             vat_rate_bp, withholdable, is_disbursement, net_cents) values (?, ?, ?, ?, ?, 0, 'S1', '01', ?, 1, 0, ?)`,
        ).run(
          id,
          position,
          line.description,
          Math.round(line.quantity * 1e6),
          Math.round(line.unitPrice * 1e6),
          nets[position]?.rateBp,
          nets[position]?.net,
        )
      for (const [position, each] of taxes.entries())
        this.sql(
          `insert into invoice_taxes (invoice_id, position, tax_treatment, regime_key, vat_rate_bp, base_cents, tax_cents, surcharge_cents)
           values (?, ?, 'S1', '01', ?, ?, ?, 0)`,
        ).run(id, position, each.rateBp, each.base, each.tax)
      if (contact) this.sql('update contacts set used_at = ? where id = ?').run(at, contact.id)
      this.audit(actor, 'invoice.drafted', publicId, input.clientName, at)
      this.event('invoice.drafted', { invoiceId: publicId }, at)
      return publicId
    })
  }

  private party(
    input: { clientName: string; clientNif: string },
    contact:
      | {
          street: string
          postal_code: string
          city: string
          province: string
          country: string
          email: string
        }
      | undefined,
  ): number {
    const facts = [
      input.clientName,
      input.clientNif,
      contact?.street,
      contact?.postal_code,
      contact?.city,
      contact?.province,
      contact?.country,
      contact?.email,
    ]
    const digest = sha256(JSON.stringify(facts)).subarray(0, 16)
    const known = this.sql('select id from parties where book_id = ? and digest = ?')
      .pluck()
      .get(this.book.id, digest) as number | undefined
    if (known !== undefined) return known
    const { lastInsertRowid } = this.sql(
      `insert into parties (book_id, digest, name, nif, street, postal_code, city, province, country, email, search) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      this.book.id,
      digest,
      input.clientName,
      input.clientNif,
      contact?.street ?? null,
      contact?.postal_code ?? null,
      contact?.city ?? null,
      contact?.province ?? null,
      contact?.country ?? 'ES',
      contact?.email ?? null,
      `${input.clientName} ${input.clientNif}`.toLowerCase(),
    )
    return Number(lastInsertRowid)
  }

  /** Creates the confirmation token for the current draft. */
  validate(publicId: string, actor: LimitActor): string {
    const at = Date.now()
    return this.transaction(() => {
      const row = this.invoice(publicId)
      const lines = this.sql('select * from invoice_lines where invoice_id = ? order by position').all(row.id)
      const contentHash = sha256(JSON.stringify([row, lines]))
      const token = `svct_${randomBytes(32).toString('base64url')}`
      const holder = actor.kind === 'key' ? actor.id : actor.kind
      this.sql(
        'update confirmations set superseded = 1 where invoice_id = ? and actor = ? and used_at is null',
      ).run(row.id, holder)
      this.sql(
        `insert into confirmations (token_hash, book_id, actor, action, invoice_id, draft_version, content_hash, created_at, expires_at)
         values (?, ?, ?, 'issue', ?, ?, ?, ?, ?)`,
      ).run(sha256(token), this.book.id, holder, row.id, row.version, contentHash, at, at + 600_000)
      this.audit(actor, 'invoice.confirmation_given', publicId, null, at)
      return token
    })
  }
}
