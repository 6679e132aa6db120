/** Reports where a person's data are and what an erasure would do: erase now, block, or keep until a day. Reads only. */
import { canonicalJson } from '../../domain/canonical-json.ts'
import { sha256Hex } from '../../domain/sha256.ts'
import { businessDateOf } from '../../domain/dates.ts'
import type { BusinessDate } from '../../domain/dates.ts'
import type { Ctx } from '../../context.ts'
import { RETENTION_MS } from '../../platform/idempotency/index.ts'
import { RECEIVED_TARGET } from '../../purchases/invoices/index.ts'
import { HISTORY_TARGET } from '../../sales/invoices/index.ts'
import { erpCopiesOf } from './accounting.ts'
import type { Area, Finding } from './contract.ts'
import {
  isExpired,
  retentionOfEntry,
  retentionOfIssued,
  retentionOfMandate,
  retentionOfReceived,
  RETAINED_FOR_CLAIMS,
  later,
} from './retention.ts'
import type { RetentionPeriod, Law } from './retention.ts'
import type { Person } from './person.ts'
import { answersOf } from './answers.ts'
import { agreementsOf, exchangedOf } from './exchanged.ts'
import { issuersOf } from './issuers.ts'
import * as rows from './rows.ts'

/** One item of personal data. */
interface Thing {
  /** Its key inside the area. */
  key: number | string
  /** Null when no retention applies. */
  keeping: RetentionPeriod | null
  /** True when it can be deleted after its retention; false for what the chain or the books hold. */
  canGo: boolean
  /** Increases with every change. */
  version?: number | string
  label?: string
  link?: string
}

export interface Standing {
  person: Person
  findings: Finding[]
  /** Keys of all items, by area. */
  keys: Map<Area, (number | string)[]>
  /** Keys of the items to be erased, by area. */
  erasable: Map<Area, (number | string)[]>
  /** Rows of invoices issued here, of those of an earlier program, and of all received ones. */
  issued: { id: number; publicId: string }[]
  history: number[]
  received: number[]
  imports: rows.ImportFacts
  /** Last day of the contact's block; undefined when the contact can be deleted. */
  blockUntil: BusinessDate | null | undefined
  hash: string
}

const SAMPLES = 4
const FREE = { keeping: null, canGo: true }

/** Areas kept for the audit log or for idempotency: they name the person but do not require the contact to stay. */
const WITHOUT_CONTACT: ReadonlySet<Area> = new Set(['history', 'replies'])

/**
 * Not part of the confirmed state: the audit log grows with every view and with the erasure itself, replies with every
 * call, and the PDF of an issued invoice and what is exchanged of it, which stay with it, are made in the background.
 */
const UNCONFIRMED: ReadonlySet<Area> = new Set(['history', 'replies', 'documents', 'exchanged'])

function addFindings(
  into: Finding[],
  erasable: Map<Area, (number | string)[]>,
  area: Area,
  things: readonly Thing[],
  today: BusinessDate,
): void {
  const going = things.filter(
    ({ keeping, canGo }) => keeping === null || (canGo && isExpired(keeping, today)),
  )
  const staying = things.filter((thing) => !going.includes(thing))
  const samplesOf = (some: readonly Thing[]): Finding['samples'] =>
    some
      .filter(({ label, link }) => label !== undefined || link !== undefined)
      .slice(0, SAMPLES)
      .map(({ label = '', link }) => ({ label, link: link ?? null }))
  if (going.length > 0) {
    erasable.set(
      area,
      going.map(({ key }) => key),
    )
    into.push({
      area,
      fate: 'erase',
      count: going.length,
      until: null,
      isOver: false,
      laws: [],
      samples: samplesOf(going),
    })
  }
  if (staying.length === 0) return
  const keepings = staying.flatMap(({ keeping }) => (keeping ? [keeping] : []))
  const until = keepings.reduce<BusinessDate | null>((last, keeping) => later(last, keeping.until), null)
  into.push({
    area,
    fate: area === 'mandates' ? 'block' : 'keep',
    count: staying.length,
    until,
    isOver: keepings.every((keeping) => isExpired(keeping, today)),
    laws: [...new Set(keepings.flatMap(({ laws }) => laws))] as Law[],
    samples: samplesOf(staying),
  })
}

/** Returns all data of a person, with what an erasure today would do. */
export async function standingOf(ctx: Ctx, person: Person): Promise<Standing> {
  const today = ctx.today()
  const invoices = await rows.invoicesOf(ctx, person)
  // Invoices of an earlier program are kept as long as those issued here.
  const issued = invoices.filter(({ state }) => state !== 'draft')
  const issuedRows = issued.map(({ id }) => id)
  const historyRows = invoices.filter(({ state }) => state === 'history').map(({ id }) => id)
  const invoiceRows = invoices.map(({ id }) => id)
  const received = await rows.receivedOf(ctx, person)
  const receivedRows = received.map(({ id }) => id)
  const quotes = await rows.quotesOf(ctx, person)
  const imports = await rows.importsOf(ctx, person, receivedRows)
  const keepingByInvoice = new Map(
    issued.map((row) => [row.id, retentionOfIssued(row.issue_date ?? today, row.oneStopShop === 1)]),
  )
  const keepingByReceived = new Map(
    received.map((row) => [
      row.id,
      retentionOfReceived(
        row.lastDay,
        row.capitalGoods === 0 ? null : row.property === 1 ? 'property' : 'movable',
      ),
    ]),
  )
  const invoicesUntil = [...keepingByInvoice.values()].reduce<BusinessDate | null>(
    (last, { until }) => later(last, until),
    null,
  )
  const ofInvoices: RetentionPeriod = { until: invoicesUntil, laws: ['commerce', 'tax'] }
  // The answer of the VAT number service justifies an invoice without VAT (LIVA arts. 25 and 69).
  const backsAnInvoice = issued.some(({ exemptInEu }) => exemptInEu === 1)
  const claim = (isClaim: number) => (isClaim === 1 ? RETAINED_FOR_CLAIMS : null)
  const entry = ({ id, date }: rows.DatedRow): Thing => ({
    key: id,
    keeping: retentionOfEntry(date),
    canGo: false,
  })

  const findings: Finding[] = []
  const erasable = new Map<Area, (number | string)[]>()
  const keys = new Map<Area, (number | string)[]>()
  const seen: [Area, (number | string)[]][] = []
  const put = (area: Area, things: readonly Thing[]): void => {
    if (things.length > 0) seen.push([area, things.map(({ key, version = '' }) => `${key} ${version}`)])
    keys.set(
      area,
      things.map(({ key }) => key),
    )
    addFindings(findings, erasable, area, things, today)
  }
  put(
    'drafts',
    invoices
      .filter(({ state }) => state === 'draft')
      .map((row) => ({
        key: row.public_id,
        version: row.version,
        ...FREE,
        link: `/invoices/${row.public_id}/edit`,
      })),
  )
  put(
    'quotes',
    quotes.map((row) => ({
      key: row.id,
      version: row.version,
      keeping:
        row.invoicedOn === null
          ? null
          : retentionOfEntry(row.invoicedOn > row.date ? row.invoicedOn : row.date),
      canGo: true,
      ...(row.number === null ? {} : { label: row.number }),
      link: `/quotes/${row.public_id}`,
    })),
  )
  put(
    'recurrences',
    (await rows.recurrencesOf(ctx, person)).map((row) => ({
      key: row.id,
      ...FREE,
      label: row.name,
      link: `/recurring/${row.public_id}`,
    })),
  )
  put(
    'templates',
    (await rows.templatesOf(ctx, person)).map((row) => ({
      key: row.id,
      ...FREE,
      label: row.name,
      link: '/templates',
    })),
  )
  put(
    'mandates',
    (await rows.mandatesOf(ctx, person)).map((row) => ({
      key: row.id,
      version: row.lastUsedOn ?? '',
      keeping: row.lastUsedOn === null ? null : retentionOfMandate(row.lastUsedOn),
      canGo: true,
      label: row.reference,
      link: '/payments/mandates',
    })),
  )
  put(
    'mails',
    (
      await rows.mailsOf(
        ctx,
        person,
        invoiceRows,
        quotes.map(({ id }) => id),
      )
    ).map((row) => ({
      key: row.id,
      keeping: claim(row.isClaim),
      canGo: true,
    })),
  )
  put(
    'reminders',
    (await rows.remindersOf(ctx, person, issuedRows)).map((row) => ({
      key: row.id,
      keeping: claim(row.isClaim),
      canGo: true,
    })),
  )
  put(
    'checks',
    (await rows.checksOf(ctx, person)).map((row) => ({
      key: `${row.kind} ${row.id}`,
      keeping: row.kind === 'vat' && backsAnInvoice ? ofInvoices : null,
      canGo: true,
      label: row.number,
    })),
  )
  put('imports', [
    ...imports.rows.map(({ runId, row }) => ({ key: `row ${runId} ${row}`, ...FREE })),
    ...imports.chunks.map(({ runId, position }) => ({ key: `cells ${runId} ${position}`, ...FREE })),
    ...imports.runs.map((id) => ({ key: `run ${id}`, ...FREE })),
    ...imports.moved.map(({ fileId, position }) => ({ key: `moved ${fileId} ${position}`, ...FREE })),
    ...imports.movedFiles.map((id) => ({ key: `file ${id}`, ...FREE })),
  ])
  put(
    'erp',
    (await erpCopiesOf(ctx, person)).map(({ key, label }) => ({ key, label, ...FREE })),
  )
  put(
    'proposals',
    (
      await rows.proposalsOf(
        ctx,
        person,
        invoices.map(({ public_id: id }) => id),
      )
    ).map(({ id }) => ({ key: id, ...FREE })),
  )
  put(
    'notes',
    (await rows.notesOf(ctx, person)).map(({ id, of, version }) => ({
      key: `${of} ${id}`,
      version,
      ...FREE,
    })),
  )
  put(
    'bankRules',
    (await rows.bankRulesOf(ctx, person)).map(({ id }) => ({ key: id, ...FREE })),
  )
  put(
    'supplierMemory',
    (await rows.supplierMemoryOf(ctx, person)).map(({ nif, documents, updated_at }) => ({
      key: nif,
      version: `${documents} ${updated_at}`,
      label: nif,
      ...FREE,
    })),
  )
  put(
    'incoming',
    (await rows.incomingOf(ctx, person)).map(({ id, public_id, name, version }) => ({
      key: id,
      version: String(version),
      label: name,
      link: `/received/incoming/${public_id}`,
      ...FREE,
    })),
  )
  const weekOn = businessDateOf(new Date(ctx.now().getTime() + RETENTION_MS))
  put(
    'replies',
    (await rows.repliesOf(ctx, person)).map(({ id, isOnce }) => ({
      key: id,
      keeping: isOnce === 1 ? { until: weekOn, laws: ['exactly_once'] } : null,
      canGo: true,
    })),
  )
  put(
    'issued',
    issued.map((row) => ({
      key: row.id,
      keeping: keepingByInvoice.get(row.id) ?? null,
      canGo: false,
      label: row.number ?? '',
      link: `/invoices/${row.public_id}`,
    })),
  )
  put(
    'documents',
    (await rows.documentsOf(ctx, issuedRows)).map(({ id }) => ({
      key: id,
      keeping: ofInvoices,
      canGo: false,
    })),
  )
  put(
    'records',
    (await rows.recordsOf(ctx, issuedRows)).map(({ id }) => ({
      key: id,
      keeping: { ...ofInvoices, laws: ['registry', 'tax'] },
      canGo: false,
    })),
  )
  put(
    'received',
    received.map((row) => ({
      key: row.id,
      version: row.version,
      keeping: keepingByReceived.get(row.id) ?? null,
      canGo: false,
      label: row.supplier_number ?? '—',
      link: `/received/${row.public_id}`,
    })),
  )
  put(
    'attachments',
    [
      ...(await rows.filesAttachedTo(ctx, RECEIVED_TARGET, receivedRows)).map((row) => ({
        ...row,
        keeping: keepingByReceived.get(row.target),
      })),
      ...(await rows.filesAttachedTo(ctx, HISTORY_TARGET, historyRows)).map((row) => ({
        ...row,
        keeping: keepingByInvoice.get(row.target),
      })),
    ].map(({ id, name, keeping = null }) => ({ key: id, keeping, canGo: false, label: name })),
  )
  put('payments', (await rows.paymentsOf(ctx, person, issuedRows, receivedRows)).map(entry))
  put(
    'debits',
    (await rows.debitsOf(ctx, person, issuedRows, receivedRows)).map((row) => ({
      ...entry(row),
      key: `${row.id} ${row.position}`,
    })),
  )
  put('entries', (await rows.entriesOf(ctx, person)).map(entry))
  put('bank', (await rows.movementsOf(ctx, person, issuedRows, receivedRows)).map(entry))
  put(
    'wages',
    (await rows.wagesOf(ctx, person)).map(({ year, position, mention }) => ({
      key: mention === null ? `${year} ${position}` : `${year} ${position} ${mention}`,
      keeping: retentionOfEntry(`${year}-12-31`),
      canGo: true,
      label: `190 ${year}`,
      link: `/taxes/${year}-4T/190`,
    })),
  )
  put(
    'premises',
    (await rows.premisesOf(ctx, person)).map(({ id, street, to_year }) => ({
      key: id,
      // While it is rented, each day begins another term.
      keeping: retentionOfEntry(to_year === null ? ctx.today() : `${to_year}-12-31`),
      canGo: true,
      label: street,
    })),
  )
  put(
    'assets',
    (await rows.assetsOf(ctx, person)).map(({ id, public_id, description, out_on }) => ({
      key: id,
      // While it is used, each day begins another term.
      keeping: retentionOfEntry(out_on ?? ctx.today()),
      canGo: true,
      label: description,
      link: `/assets/${public_id}`,
    })),
  )
  put(
    'issuers',
    (await issuersOf(ctx, person)).map(({ issuedOn, ...row }) => ({
      ...row,
      keeping: issuedOn === null ? null : retentionOfIssued(issuedOn, false),
      canGo: issuedOn === null,
    })),
  )
  put(
    'answers',
    (await answersOf(ctx, person, invoiceRows)).map(({ id, label, link }) => ({
      key: id,
      label,
      link,
      ...FREE,
    })),
  )
  put(
    'exchanged',
    (await exchangedOf(ctx, person, issuedRows, receivedRows)).map(
      ({ key, label, link, issuedOn, invoice, received: receivedRow }) => ({
        key,
        label,
        link,
        keeping:
          (invoice === null ? keepingByReceived.get(receivedRow ?? 0) : keepingByInvoice.get(invoice)) ??
          (invoice === null ? retentionOfReceived(issuedOn, null) : retentionOfIssued(issuedOn, false)),
        canGo: false,
      }),
    ),
  )
  put(
    'agreements',
    (await agreementsOf(ctx, person)).map((row) => ({ ...row, ...FREE })),
  )
  put(
    'history',
    (await rows.historyOf(ctx, person)).map(({ sequence }) => ({
      key: sequence,
      keeping: { until: null, laws: ['accountability'] },
      canGo: false,
    })),
  )

  const holding = findings.filter(
    ({ area, fate, isOver: over }) => fate !== 'erase' && !over && !WITHOUT_CONTACT.has(area),
  )
  const blockUntil =
    holding.length === 0 || person.contacts.length === 0
      ? undefined
      : holding.reduce<BusinessDate | null>((last, { until }) => later(last, until), null)
  const [first] = person.contacts
  if (first) {
    const kept = person.contacts.filter(({ merged_into: into }) => into === null)
    seen.push(['contact', person.contacts.map(({ id, version }) => `${id} ${version}`)])
    const card: Finding = {
      area: 'contact',
      fate: 'erase',
      count: person.contacts.length,
      until: null,
      isOver: false,
      laws: [],
      samples: [
        { label: first.name, link: first.blocked_at === null ? `/contacts/${first.public_id}` : null },
      ],
    }
    // A blocked contact keeps name and number, so that retained data can be found when a court or an inspector
    // requests it.
    if (blockUntil !== undefined)
      findings.unshift({
        ...card,
        fate: 'block',
        count: kept.length,
        until: blockUntil,
        laws: [...new Set(holding.flatMap(({ laws }) => laws))],
      })
    if (blockUntil === undefined || person.contacts.some(({ blocked_at: at }) => at === null))
      findings.unshift(card)
  }
  const agreed = seen.filter(([area]) => !UNCONFIRMED.has(area))
  const fates = findings
    .filter(({ area }) => !UNCONFIRMED.has(area))
    .map(({ area, fate, count, until }) => [area, fate, count, until])
  return {
    person,
    findings,
    keys,
    erasable,
    issued: issued.flatMap(({ id, public_id: publicId, state }) =>
      state === 'issued' ? [{ id, publicId }] : [],
    ),
    history: historyRows,
    received: receivedRows,
    imports,
    blockUntil,
    hash: sha256Hex(canonicalJson([ctx.book.publicId, agreed, fates])),
  }
}
