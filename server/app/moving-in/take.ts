/** Takes one document of an earlier program into the books: its row, its contact, its figures. */
import type { Fault } from '../../domain/errors/app-error.ts'
import type { HistoryDocument, HistoryParty } from '../../domain/history.ts'
import { normalizeNif } from '../../domain/tax/nif.ts'
import type { Ctx } from '../../context.ts'
import { checkContact, findSameContacts, insertContact } from '../../catalog/contacts/index.ts'
import { createContactContract } from '../../catalog/contacts/contract.ts'
import { recordHistoryPayment } from '../../accounting/payments/index.ts'
import { insertHistoryReceived, findDuplicate, openCentsOfReceived } from '../../purchases/invoices/index.ts'
import { insertHistoryInvoice, openCentsOf } from '../../sales/invoices/index.ts'
import { historyKey, isTaken, takeHistory } from '../../tax/history/index.ts'
import { noteRecord } from './rows.ts'
import type { MovingSettings } from './contract.ts'

/** Contacts that a stretch has found or made, by tax number or name. */
type KnownContacts = Map<string, number | null>

/** Highest rate that invoices hold, in basis points. */
const MAX_WITHHOLDING_BP = 5_000

export interface Taking {
  runId: number
  firstDay: string
  settings: MovingSettings
  known: KnownContacts
}

export type Outcome = { outcome: 'created' | 'skipped' | 'failed'; faults: readonly Fault[] }

const skipped = (code: string, message: string, params?: Fault['params']): Outcome => ({
  outcome: 'skipped',
  faults: [{ code, field: 'number', severity: 'warning', message, ...(params ? { params } : {}) }],
})

/** Returns the input of a new contact; what does not pass the rules of contacts is left out. */
function contactInput(party: HistoryParty, side: 'issued' | 'received') {
  const { name, nif, idType, country, street, postalCode, city, province } = party
  const parsed = createContactContract.input.safeParse({
    name: name.slice(0, 120),
    ...(nif === null ? {} : { nif }),
    ...(idType === null ? {} : { idType }),
    ...(street && postalCode && city
      ? { address: { street, postalCode, city, ...(province ? { province } : {}), country } }
      : {}),
    roles: { customer: side === 'issued', supplier: side === 'received' },
  })
  return parsed.success ? parsed.data : null
}

/** Returns the contact of a document, made if there is none; null for a party that no contact can be made of. */
async function contactOf(tx: Ctx, document: HistoryDocument, taking: Taking): Promise<number | null> {
  const { party } = document
  if (party.nif === null) return null
  const number = normalizeNif(party.nif)
  const word = `${party.country} ${number}`
  const before = taking.known.get(word)
  if (before !== undefined) return before
  const remember = (id: number | null): number | null => {
    taking.known.set(word, id)
    return id
  }
  const [same] = await findSameContacts(tx, number, party.name)
  if (same) return remember(same.id)
  if (!taking.settings.makesContacts) return remember(null)
  const input = contactInput(party, document.side)
  if (input === null) return remember(null)
  try {
    checkContact(input)
  } catch {
    // Its tax number or its address does not pass: the document keeps them, and a person makes the contact.
    return remember(null)
  }
  const made = await insertContact(tx, input)
  await noteRecord(tx, taking.runId, 'contact', { id: made.id, version: made.version })
  return remember(made.id)
}

/** Returns the fault of a document that these books must not take in. */
async function refusal(tx: Ctx, document: HistoryDocument, firstDay: string): Promise<Outcome | null> {
  if (document.issueDate >= firstDay)
    return {
      outcome: 'failed',
      faults: [
        {
          code: 'history_after_first_day',
          field: 'issueDate',
          severity: 'error',
          message: `It is of ${document.issueDate}; from ${firstDay} on, documents are made in these books.`,
          fix: 'Move the first day, or leave this document out.',
          params: { date: document.issueDate, firstDay },
        },
      ],
    }
  const rateBp = document.withholding?.rateBp ?? 0
  if (rateBp < 0 || rateBp > MAX_WITHHOLDING_BP)
    return {
      outcome: 'failed',
      faults: [
        {
          code: 'history_withholding_rate',
          field: 'withholding',
          severity: 'error',
          message: `${rateBp / 100} % is no rate of withholding.`,
          fix: 'Correct base and amount of what was withheld in the file, and add it again.',
          params: { rate: rateBp / 100 },
        },
      ],
    }
  if (document.side === 'issued') return null
  const twin = await findDuplicate(tx, {
    supplier: { nif: document.party.nif, name: document.party.name },
    supplierNumber: document.number,
    issueDate: document.issueDate,
  })
  return twin
    ? skipped('history_is_entered', 'The same document is entered already.', { number: twin.receptionNumber })
    : null
}

/** Takes a document in. In the transaction of its stretch; run twice, it adds nothing. */
export async function takeDocument(tx: Ctx, document: HistoryDocument, taking: Taking): Promise<Outcome> {
  return takeAs(tx, document, taking, document.taxes.length > 0)
}

/** Takes in a document that is only owed: it counts in no figure. */
export async function takeOwed(tx: Ctx, document: HistoryDocument, taking: Taking): Promise<Outcome> {
  return takeAs(tx, document, taking, false)
}

async function takeAs(tx: Ctx, document: HistoryDocument, taking: Taking, counts: boolean): Promise<Outcome> {
  if (await isTaken(tx, historyKey(document))) return skipped('history_is_here', 'It was taken in before.')
  const refused = await refusal(tx, document, taking.firstDay)
  if (refused) return refused
  const contactRowId = await contactOf(tx, document, taking)
  const isPaid = !taking.settings.leavesOpen
  const isCash = document.taxes.some(({ regimeKey }) => regimeKey === '07')
  const whole =
    document.side === 'issued' ? openCentsOf(document, false) : openCentsOfReceived(document, false)
  const openCents = isCash
    ? whole
    : document.side === 'issued'
      ? openCentsOf(document, isPaid)
      : openCentsOfReceived(document, isPaid)
  const written =
    document.side === 'issued'
      ? await insertHistoryInvoice(tx, document, { contactRowId, openCents })
      : await insertHistoryReceived(tx, document, { contactRowId, openCents })
  const type = document.side === 'issued' ? 'invoice' : 'received'
  await takeHistory(tx, {
    runId: taking.runId,
    type,
    rowId: written.rowId,
    document,
    operations: written.operations,
    counts,
  })
  if (isCash)
    for (const payment of document.payments) {
      const id = await recordHistoryPayment(tx, { type, rowId: written.rowId, ...payment })
      await noteRecord(tx, taking.runId, 'payment', { id })
    }
  return { outcome: 'created', faults: [] }
}

/** Returns how a document is called in lists of faults. */
export function labelOf({ number, party }: HistoryDocument): string {
  return `${number} ${party.name}`.trim().slice(0, 120)
}
