/**
 * Takes in what a list says is open: of a document of the history what is still owed, or, of a year that no file of the
 * history covers, a document that is owed and counts in no return.
 */
import { sql } from 'kysely'
import type { HistoryDocument } from '../../../domain/history.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { normalizeNif } from '../../../domain/tax/nif.ts'
import { searchText } from '../../../domain/text.ts'
import type { Ctx } from '../../../context.ts'
import { setHistoryPayable } from '../../../purchases/invoices/index.ts'
import { setHistoryOpen } from '../../../sales/invoices/index.ts'
import { noteRecord } from '../rows.ts'
import type { StagedOpen } from '../stored.ts'
import type { Outcome, Taking } from '../take.ts'
import { takeOwed } from '../take.ts'

interface Found {
  id: number
  runId: number
  documentId: number
  issueDate: string | null
  nif: string | null
  name: string
  paidCents: number
  inInstalments: number
}

const failed = (code: string, message: string, fix: string, params: Fault['params'] = {}): Outcome => ({
  outcome: 'failed',
  faults: [{ code, field: 'number', severity: 'error', message, fix, params }],
})

/** Returns the documents of the history of a side, as one relation. */
function historyOf(ctx: Ctx, side: StagedOpen['side']) {
  const common = sql`d.id, d.run_id as "runId", d.is_counted, x.id as "documentId", x.issue_date as "issueDate",
    x.paid_cents as "paidCents"`
  return side === 'issued'
    ? sql`select ${common}, x.number, p.nif, p.name, x.list_date as day,
        case when x.instalments is null then 0 else 1 end as "inInstalments"
        from history_documents d join invoices x on x.id = d.invoice_id join parties p on p.id = x.party_id
        where x.book_id = ${ctx.book.id} and x.state = 'history'`
    : sql`select ${common}, x.supplier_number as number, x.supplier_nif as nif, x.supplier_name as name,
        x.reception_date as day, 0 as "inInstalments"
        from history_documents d join received_invoices x on x.id = d.received_id
        where x.book_id = ${ctx.book.id} and x.state = 'history'`
}

/** Returns the documents of the history with a number. */
async function withNumber(tx: Ctx, { side, number }: StagedOpen): Promise<Found[]> {
  const numbers = [...new Set([number, number.toUpperCase(), number.replace(/\s+/g, '')])]
  const { rows } = await sql<Found>`select * from (${historyOf(tx, side)}) as h
    where h.number in (${sql.join(numbers)}) order by h.id`.execute(tx.db)
  return rows
}

/** Returns whether a document may be of the party that a list names. */
function isParty({ nif, name }: Found, staged: StagedOpen): boolean {
  if (nif !== null && staged.nif !== null) return normalizeNif(nif) === normalizeNif(staged.nif)
  const [one, other] = [searchText(name), searchText(staged.name)]
  return one === other || (other !== '' && (one.startsWith(other) || other.startsWith(one)))
}

/** Returns whether the history of a book has documents of a side and year. */
async function hasYear(tx: Ctx, side: StagedOpen['side'], year: string): Promise<boolean> {
  const { rows } = await sql`select h.id from (${historyOf(tx, side)}) as h
    where h.is_counted = 1 and h.day >= ${`${year}-01-01`} and h.day <= ${`${year}-12-31`} limit 1`.execute(
    tx.db,
  )
  return rows.length > 0
}

/** A document that is owed: its amount is not divided by taxes, because it belongs to returns of another program. */
function owedDocument(staged: StagedOpen, issueDate: string): HistoryDocument {
  const totalCents = staged.totalCents ?? staged.openCents
  const facts = {
    source: { file: '', sheet: null, rows: [] },
    number: staged.number,
    lastNumber: null,
    issueDate,
    operationDate: null,
    party: {
      name: staged.name || (staged.nif ?? ''),
      nif: staged.nif,
      idType: staged.idType ?? null,
      country: staged.country ?? 'ES',
      street: null,
      postalCode: null,
      city: null,
      province: null,
    },
    taxes: [
      {
        taxTreatment: 'N1' as const,
        regimeKey: '01',
        vatRateBp: null,
        baseCents: totalCents,
        taxCents: 0,
        surchargeRateBp: null,
        surchargeCents: 0,
        deductibleCents: 0,
        selfAssessed: false,
        investment: false,
        nature: staged.side === 'received' ? ('domestic' as const) : null,
        concept: null,
        account: null,
        incomeCents: 0,
      },
    ],
    withholding: null,
    totalCents,
    payments: [],
    property: null,
    externalRef: null,
    dueDate: staged.dueDate,
    openCents: staged.openCents,
    description: null,
  }
  return staged.side === 'issued'
    ? {
        ...facts,
        side: 'issued',
        kind: totalCents < 0 ? 'R1' : 'F1',
        replaced: [],
        ...(staged.instalments ? { instalments: staged.instalments } : {}),
      }
    : {
        ...facts,
        side: 'received',
        kind: totalCents < 0 ? 'rectifying' : 'invoice',
        receptionDate: issueDate,
        reception: null,
        deductionDate: null,
      }
}

/** Sets what is open, or makes a document that is only owed. */
export async function takeOpen(tx: Ctx, staged: StagedOpen, taking: Taking): Promise<Outcome> {
  const { side, number, issueDate, dueDate, openCents } = staged
  const ofParty = (await withNumber(tx, staged)).filter((found) => isParty(found, staged))
  const onDay = ofParty.filter((found) => issueDate === null || found.issueDate === issueDate)
  const candidates = onDay.length > 0 ? onDay : ofParty
  const [found] = candidates
  if (candidates.length > 1)
    return failed(
      'history_open_ambiguous',
      'Several documents have that number.',
      'Add the date of the document to the list.',
      { number, documents: candidates.length },
    )
  if (found) {
    if (found.paidCents !== 0)
      return failed(
        'history_open_by_payments',
        'What is open of a document under cash accounting follows from its payments.',
        'Record the payments that are missing.',
        { number },
      )
    // What an earlier move took in goes back to what it was when this one is undone.
    const isEarlier = found.runId !== taking.runId
    if (isEarlier && found.inInstalments === 1)
      return failed(
        'history_open_in_instalments',
        'What is open of that document came with an earlier move, in instalments.',
        'Undo that move and take its files in again, or leave the document out.',
        { number },
      )
    const change = { openCents, dueDate: isEarlier ? null : dueDate }
    const before =
      side === 'issued'
        ? await setHistoryOpen(tx, found.documentId, {
            ...change,
            ...(isEarlier ? {} : { instalments: staged.instalments ?? [] }),
          })
        : await setHistoryPayable(tx, found.documentId, change)
    if (isEarlier) await noteRecord(tx, taking.runId, 'open', { id: found.id, version: before })
    return { outcome: 'created', faults: [] }
  }
  if (issueDate === null)
    return failed(
      'history_open_unknown',
      'The history has no such document, and the list does not say its date.',
      'Add the date of the document to the list.',
      { number },
    )
  if (await hasYear(tx, side, issueDate.slice(0, 4)))
    return failed(
      'history_open_missing',
      'The history of that year has no such document.',
      'Add the document to the files of that year, or correct number and name.',
      { number, year: Number(issueDate.slice(0, 4)) },
    )
  return takeOwed(tx, owedDocument(staged, issueDate), taking)
}
