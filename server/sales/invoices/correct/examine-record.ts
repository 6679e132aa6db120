/**
 * Examines a further record of an issued invoice, an annulment or an amendment: the record as it would be made now,
 * its faults and its effects. Shared by validate and by the step itself.
 */
import { createHash } from 'node:crypto'
import { environmentOf } from '../../../company/index.ts'
import { canonicalJson } from '../../../domain/canonical-json.ts'
import type { BusinessDate } from '../../../domain/dates.ts'
import { AppError } from '../../../domain/errors/app-error.ts'
import type { Fault } from '../../../domain/errors/app-error.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import type { Totals } from '../../../domain/tax/totals.ts'
import type { Ctx } from '../../../context.ts'
import { checkCancellationRecord, checkRegistration, standingOf } from '../../../registry/index.ts'
import type { InvoiceDetail, NewCancellation, NewRegistration, Standing } from '../../../registry/index.ts'
import { amendableFacts, amendRegistration, lastRegistered } from './amendments.ts'
import type { Amended, Change } from './amendments.ts'
import { identityFaults } from '../draft/check.ts'
import { thirdPartyFaults } from '../draft/check-issued-by.ts'
import { composeIssuedBy, thirdPartyOf } from '../issued-by.ts'
import { totalsOf, accrualDateOf } from '../content.ts'
import type { DraftContent } from '../content.ts'
import type { AmendableFacts, AmendChanges } from '../contract.ts'
import { bookFaults, readBookState } from '../issue/examine.ts'
import type { BookState } from '../issue/examine.ts'
import { partyFacts } from '../draft/parties.ts'
import type { PartyFacts } from '../draft/parties.ts'
import { annulFaults } from './rectify-annul.ts'
import { registrationOf } from '../issue/registration.ts'
import { registryDetailOf } from '../issue/registry-detail.ts'
import { contentOf, recordCount } from '../rows.ts'
import type { InvoiceRow } from '../rows.ts'

/** Requested changes. */
export type RecordRequest = { action: 'cancel' } | { action: 'amend'; changes: AmendChanges }

type ProposedRecord =
  | { kind: 'cancellation'; cancellation: NewCancellation }
  | { kind: 'registration'; registration: NewRegistration; changes: Change[] }

export interface RecordExamination {
  /** As issued. */
  content: DraftContent
  totals: Totals
  issuer: PartyFacts
  number: string
  issueDate: BusinessDate
  /** Customer of the record: the content's, or as amended. */
  client: PartyFacts
  environment: ReturnType<typeof environmentOf>
  record: ProposedRecord
  /** True when the invoice is annulled, so that the record brings it back into force. */
  reactivates: boolean
  /** Binds the token: another record of the invoice, or another answer of the registry, changes it. */
  hash: Buffer
  faults: Fault[]
}

type Draft = Pick<Fault, 'code' | 'field' | 'message' | 'fix'> & Partial<Fault>
const error = (fault: Draft): Fault => ({ severity: 'error', ...fault })
const warning = (fault: Draft): Fault => ({ severity: 'warning', ...fault })

interface Facts extends Omit<RecordExamination, 'record' | 'hash' | 'faults' | 'client'> {
  row: InvoiceRow
  standing: Standing
  told: NewRegistration
}

async function factsOf(ctx: Ctx, row: InvoiceRow): Promise<Facts> {
  const standing = await standingOf(ctx, row.id)
  if (standing.open)
    throw new AppError('registry_pending', { details: { id: row.public_id, number: row.number } })
  if (row.number === null || row.issue_date === null || row.issuer_id === null)
    throw new Error(`Invoice ${row.public_id} lacks what an issue gives it.`)
  const content = await contentOf(ctx.db, row)
  const totals = totalsOf(content)
  const issued = {
    number: row.number,
    issueDate: row.issue_date,
    issuer: await partyFacts(ctx.db, row.issuer_id),
  }
  return {
    row,
    standing,
    content,
    totals,
    ...issued,
    told: await lastRegistered(ctx.db, row.id, registrationOf(content, totals, issued)),
    environment: environmentOf(ctx),
    reactivates: row.cancelled_at !== null || standing.registered === 'cancelled',
  }
}

/** Registration of another taxpayer under the same number: a further record would apply to that one. */
function conflictWarnings(standing: Standing, message: string): Fault[] {
  if (!standing.conflict) return []
  return [
    warning({
      code: 'number_in_conflict',
      field: '',
      message,
      fix: 'Find out first whose the number is.',
    }),
  ]
}

function cancelFaults({ row, standing, totals, number, content, issueDate }: Facts): Fault[] {
  if (row.cancelled_at !== null && standing.registered === 'cancelled')
    return [
      error({
        code: 'cancel_already',
        field: '',
        message: 'The invoice is annulled already.',
        fix: 'To bring it back into force amend it.',
      }),
    ]
  const faults = [
    warning({
      code: 'cancel_number_lost',
      field: '',
      message: `The number ${number} is never used again.`,
      fix: 'Issue another invoice, under a new number, if there has to be one.',
      params: { number },
    }),
    warning({
      code: 'cancel_customer_has_it',
      field: '',
      message: 'An invoice that the customer already has is put right by a rectifying invoice, not annulled.',
      fix: 'Annul only what was never delivered.',
    }),
  ]
  if (row.cancelled_at === null && totals.taxCents !== 0) {
    const month = accrualDateOf({ ...content, issueDate }).slice(0, 7)
    faults.push(
      warning({
        code: 'cancel_vat_removed',
        field: '',
        message: `Its VAT, ${eurosFromCents(totals.taxCents)} euros, leaves the figures of ${month}.`,
        fix: 'If the return of that period is filed, it has to be corrected.',
        params: { amount: eurosFromCents(totals.taxCents), month },
      }),
    )
  }
  faults.push(
    ...conflictWarnings(
      standing,
      "The registry holds another program's invoice under this number: the annulment would annul that one.",
    ),
  )
  return faults
}

function amendWarnings({ standing, reactivates }: Facts, changes: readonly Change[]): Fault[] {
  const faults = [
    warning({
      code: 'amend_not_amounts',
      field: 'changes',
      message:
        'Only what the registry is told changes. Amounts, and errors on the invoice the customer has, are put right by a rectifying invoice.',
      fix: 'Go on if the invoice itself is right.',
    }),
  ]
  if (reactivates)
    faults.push(
      warning({
        code: 'amend_reactivates',
        field: '',
        message: 'The invoice is annulled: this registers it again, and it counts in the figures again.',
        fix: 'Leave it if the invoice should stay annulled.',
      }),
    )
  else if (changes.length === 0)
    faults.push(
      warning({
        code: 'amend_unchanged',
        field: 'changes',
        message: 'Nothing changes of what the registry was told.',
        fix: 'Go on only if what the registry itself knows has changed, such as a tax number that it knows now.',
      }),
    )
  return [
    ...faults,
    ...conflictWarnings(
      standing,
      "The registry holds another program's invoice under this number: this one would take its place.",
    ),
  ]
}

const CHANGED_FIELDS: Readonly<Record<string, string>> = {
  clientName: 'changes.clientName',
  clientNif: 'changes.clientNif',
  'client.idType': 'changes.clientIdType',
  'client.country': 'changes.clientCountry',
  operationDate: 'changes.operationDate',
  madeBy: 'changes.issuedBy',
  lines: 'changes.breakdown',
}

/** Maps the faults of a record to the input fields that change it; faults of other fields keep their own names. */
function underChanges(fault: Fault): Fault {
  return { ...fault, field: CHANGED_FIELDS[fault.field] ?? fault.field }
}

/** Returns the customer of a registration: the invoice's, with the facts of the registration. */
function registeredClient({ client }: DraftContent, facts: AmendableFacts): PartyFacts {
  const { clientName, clientNif = null, clientCountry = 'ES', clientIdType = null } = facts
  if (clientName === undefined) return client
  // The record has no address, and the invoice's address belongs to its own country.
  const moved = clientCountry === client.country ? {} : { street: null, postalCode: null, city: null }
  return {
    ...client,
    ...moved,
    name: clientName,
    nif: clientNif,
    country: clientCountry,
    idType: clientIdType,
  }
}

/** Returns what some registries list beyond the registration: the invoice's lines, and the customer as amended. */
export function amendedDetail(
  { content, totals }: Pick<RecordExamination, 'content' | 'totals'>,
  client: PartyFacts,
): InvoiceDetail {
  return registryDetailOf({ ...content, client }, totals)
}

async function amendFaults(
  ctx: Ctx,
  facts: Facts,
  amended: Amended,
  { issuedBy }: AmendChanges,
  book: BookState,
): Promise<Fault[]> {
  const { registration, changes } = amended
  const faults = [...amended.faults]
  const client = registeredClient(facts.content, amended.facts)
  if (registration.recipients.length > 0 && client.nif !== null)
    faults.push(...identityFaults({ ...client, nif: client.nif }).map(underChanges))
  const third = thirdPartyOf({ issuedBy: composeIssuedBy(issuedBy) })
  if (third !== null)
    faults.push(
      ...thirdPartyFaults(third, registration.issuer.nif).map((fault) => ({
        ...fault,
        field: `changes.${fault.field}`,
      })),
    )
  // The registry's own rules come last, and repeat no fault that is already listed.
  if (!faults.some((fault) => fault.severity === 'error'))
    faults.push(
      ...(
        await checkRegistration(ctx, registration, book, {
          detailOf: () => amendedDetail(facts, client),
          invoiceId: facts.row.id,
          registered: facts.standing.registered,
        })
      ).map(underChanges),
    )
  return [...faults, ...amendWarnings(facts, changes)]
}

async function propose(
  ctx: Ctx,
  facts: Facts,
  request: RecordRequest,
  book: BookState,
): Promise<[ProposedRecord, Fault[]]> {
  if (request.action === 'cancel') {
    const cancellation: NewCancellation = {
      turn: facts.standing.cancellationTurn,
      key: { issuerNif: facts.told.issuer.nif, number: facts.number, issueDate: facts.issueDate },
      madeBy: null,
    }
    const { name } = facts.told.issuer
    const faults = [...(await checkCancellationRecord(ctx, cancellation, name, book)), ...cancelFaults(facts)]
    return [{ kind: 'cancellation', cancellation }, faults]
  }
  const amended = amendRegistration(facts.told, request.changes)
  const registration = { ...amended.registration, turn: facts.standing.registrationTurn }
  const faults = await amendFaults(ctx, facts, { ...amended, registration }, request.changes, book)
  return [{ kind: 'registration', registration, changes: amended.changes }, faults]
}

/**
 * Examines the record as if it were made now. Throws `registry_pending` while the registry has not answered about the
 * previous record.
 */
export async function examineRecord(
  ctx: Ctx,
  row: InvoiceRow,
  request: RecordRequest,
): Promise<RecordExamination> {
  const facts = await factsOf(ctx, row)
  const { content, totals, issuer, number, issueDate, environment, standing } = facts
  const book = await readBookState(ctx)
  const ofBook = await bookFaults(ctx, book.company, book.chain)
  const [record, faults] = await propose(ctx, facts, request, book)
  if (request.action === 'cancel') faults.push(...(await annulFaults(ctx, row)))
  const hash = createHash('sha256')
    .update(
      canonicalJson({
        version: 1,
        action: request.action,
        invoice: row.public_id,
        content: Buffer.from(row.content_hash ?? '').toString('hex'),
        // Every earlier record, with the registry's answer.
        records: await recordCount(ctx, row.id),
        registered: standing.registered,
        annulled: row.cancelled_at !== null,
        told: amendableFacts(facts.told),
        record,
        environment,
      }),
    )
    .digest()
  return {
    content,
    totals,
    issuer,
    number,
    issueDate,
    environment,
    client:
      record.kind === 'registration'
        ? registeredClient(content, amendableFacts(record.registration))
        : content.client,
    record,
    reactivates: record.kind === 'registration' && facts.reactivates,
    hash,
    // The address is for the document, which is already rendered.
    faults: [...ofBook.filter((fault) => fault.code !== 'issuer_address_missing'), ...faults],
  }
}
