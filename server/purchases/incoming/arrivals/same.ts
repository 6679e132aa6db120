/**
 * Another document of an invoice that is here already: what it says otherwise, and whether it joins the first.
 */
import { filesOf, linkFile } from '../../../platform/attachments/index.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { orNotFound } from '../../../context.ts'
import type { Ctx } from '../../../context.ts'
import type { Proposal } from '../../intake/contract.ts'
import { warning } from '../../fault.ts'
import { attachReceived, findReceived } from '../../invoices/index.ts'
import { recordIncoming } from '../add.ts'
import type { DuplicateOf } from '../contract.ts'
import {
  decision,
  findIncoming,
  INCOMING_TARGET,
  NO_READING,
  readingOf,
  updateIncoming,
  waiting,
} from '../rows.ts'
import type { IncomingRow } from '../rows.ts'
import { isSameCode } from './code.ts'
import type { PurchaseCode } from './code.ts'
import { differencesBetween, factsOfProposal, formOf, isStructured } from './compare.ts'
import type { ArrivalFacts } from './compare.ts'
import type { ArrivalDifference, ArrivalForm } from './contract.ts'
import { arrivalsOf, arrivalsOfEntry, factsOfArrival, moveArrivals } from './rows.ts'
import type { ArrivalRow } from './rows.ts'

type ReceivedRow = NonNullable<Awaited<ReturnType<typeof findReceived>>>

/** What is here already. */
type Target = { entry: ReceivedRow; document?: never } | { document: IncomingRow; entry?: never }

interface Known {
  target: Target
  code: PurchaseCode
  facts: Partial<ArrivalFacts>
  /** Its values are those of data, or of a person who entered them. */
  isCertain: boolean
  forms: readonly ArrivalForm[]
}

const cents = (value: number): string => (value / 100).toFixed(2)

/** Returns what the first structured document among some says. */
function structuredFacts(arrivals: readonly ArrivalRow[]): ArrivalFacts | null {
  const first = arrivals.find(({ form, facts }) => isStructured(form) && facts !== null)
  return first ? factsOfArrival(first) : null
}

const formsOf = (arrivals: readonly ArrivalRow[]): ArrivalForm[] =>
  arrivals.filter(({ facts }) => facts !== null).map(({ form }) => form)

/** Returns what the books hold under the same number; null if nothing, or a document that is being read. */
async function knownOf(ctx: Ctx, duplicate: DuplicateOf | null): Promise<Known | null> {
  if (duplicate === null || duplicate.because !== 'number') return null
  if (duplicate.type === 'received') {
    const entry = await findReceived(ctx, duplicate.id)
    if (!entry || entry.state !== 'entered') return null
    const arrivals = await arrivalsOfEntry(ctx, entry.id)
    return {
      target: { entry },
      code: { nif: entry.supplier_nif, number: entry.supplier_number, issueDate: entry.issue_date },
      facts: {
        ...structuredFacts(arrivals),
        issueDate: entry.issue_date,
        currency: entry.currency,
        total: cents(entry.currency === 'EUR' ? entry.total_cents : entry.currency_total_cents),
        supplierName: entry.supplier_name,
      },
      isCertain: true,
      forms: formsOf(arrivals),
    }
  }
  const document = await findIncoming(ctx, duplicate.id)
  if (!document || document.state === 'queued' || document.state === 'reading') return null
  const arrivals = await arrivalsOf(ctx, [document.id])
  const reading = readingOf(document)
  if (reading === null) return null
  const certain = structuredFacts(arrivals)
  return {
    target: { document },
    code: { nif: document.supplier_nif, number: document.supplier_number, issueDate: document.issue_date },
    facts: certain ?? factsOfProposal(reading.proposal),
    isCertain: certain !== null,
    forms: formsOf(arrivals),
  }
}

/** How a document stands to what is here already. */
interface Same {
  target: Target | null
  form: ArrivalForm
  facts: ArrivalFacts
  differences: ArrivalDifference[]
  isConflict: boolean
  /** It is the same invoice in another form, and says nothing otherwise that matters. */
  joins: boolean
  warnings: Fault[]
}

const conflictWarning = (differences: readonly ArrivalDifference[]): Fault =>
  warning(
    'same_code_other_content',
    'supplierNumber',
    'Another document with the same supplier, number and day says something else.',
    'Compare both and ask the supplier which one counts. Nothing of the earlier one was changed.',
    { fields: differences.map(({ field }) => field).join(', ') },
  )

/** Compares a document that was read with what it repeats. */
export async function compareSame(
  ctx: Ctx,
  row: IncomingRow,
  proposal: Proposal,
  duplicate: DuplicateOf | null,
): Promise<Same> {
  const form = formOf(proposal)
  const facts = factsOfProposal(proposal)
  const known = await knownOf(ctx, duplicate)
  if (known === null)
    return { target: null, form, facts, differences: [], isConflict: false, joins: false, warnings: [] }
  const differences = differencesBetween(known.facts, facts)
  const mattering = differences.filter(({ matters }) => matters)
  const isOne = isSameCode(known.code, {
    nif: proposal.supplierNif ?? null,
    number: proposal.supplierNumber ?? null,
    issueDate: facts.issueDate,
  })
  const isConflict = isOne && mattering.length > 0 && known.isCertain && isStructured(form)
  return {
    target: known.target,
    form,
    facts,
    differences,
    isConflict,
    joins:
      isOne &&
      mattering.length === 0 &&
      row.first_page === null &&
      !known.forms.includes(form) &&
      [form, ...known.forms].some(isStructured),
    warnings: isConflict ? [conflictWarning(mattering)] : [],
  }
}

/** Attaches the files of a document to the purchase that was there before. */
async function joinEntry(tx: Ctx, row: IncomingRow, entry: ReceivedRow): Promise<void> {
  for (const { public_id: attachmentId } of await filesOf(tx, { type: INCOMING_TARGET, id: row.id }))
    await attachReceived(tx, { id: entry.public_id, attachmentId })
  const after = await updateIncoming(tx, row, {
    ...decision(tx),
    state: 'entered',
    received_id: entry.id,
    why: null,
  })
  await recordIncoming(tx, 'incoming.attached', after)
}

/**
 * Gives the files of a document to the one that waits, which is read again if data came to paper. The document itself is
 * put aside, from where a person can bring it back.
 */
async function joinDocument(tx: Ctx, row: IncomingRow, { public_id: firstId }: IncomingRow): Promise<void> {
  const first = orNotFound(await findIncoming(tx, firstId), 'internal')
  const [own, others] = [await arrivalsOf(tx, [row.id]), await arrivalsOf(tx, [first.id])]
  let position = 0
  for (const file of await filesOf(tx, { type: INCOMING_TARGET, id: row.id }))
    await linkFile(tx, file.id, { type: INCOMING_TARGET, id: first.id }, ++position)
  await moveArrivals(tx, row.id, first.id)
  const brings = formsOf(own).some(isStructured) && !formsOf(others).some(isStructured)
  const after = await updateIncoming(tx, first, brings ? { ...waiting(tx), ...NO_READING, pages: null } : {})
  if (brings) tx.wake('incoming')
  await recordIncoming(tx, 'incoming.joined', after)
  const aside = await updateIncoming(tx, row, { ...decision(tx), state: 'rejected' })
  await recordIncoming(tx, 'incoming.rejected', aside)
}

/** Makes a document one with what is here of the same invoice. Call it in a transaction. */
export async function joinSame(tx: Ctx, row: IncomingRow, { entry, document }: Target): Promise<void> {
  if (entry) await joinEntry(tx, row, entry)
  else await joinDocument(tx, row, document)
}
