/**
 * Suggests the invoices that a movement may settle: one, several together, one in part, one plus another amount, or
 * one less a fee.
 */
import { daysBetween } from '../../../domain/dates.ts'
import { centsToText } from '../../../domain/money.ts'
import type { Cents } from '../../../domain/money.ts'
import { subsetSum } from './combine.ts'
import type { Evidence, ParsedMovement, OpenIndex, Party } from './engine.ts'
import { reason, suggestion } from './score.ts'
import { nameWords, namesNumber, namesParty, readText, sequenceOf } from './text.ts'
import type { OpenDocument, Reason, SuggestedPart, Suggestion } from './types.ts'

/** Largest bank fee for a transfer; it is also never more than a thirtieth of the amount. */
const MOST_FEE_CENTS: Cents = 6_000
const FEE_SHARE = 30
const SMALL_FEE_CENTS: Cents = 150
const BANK_SERVICES = '626'
const CUSTOMER_ADVANCES = '438'
const SUPPLIER_ADVANCES = '407'
/** Most parties considered when the text contains parts of several names. */
const MOST_PARTIES = 12

const settle = (document: OpenDocument, amountCents: Cents, instalment?: number): SuggestedPart => ({
  kind: document.kind,
  amountCents,
  document,
  ...(instalment === undefined ? {} : { instalment }),
  label: `${document.number} · ${document.party}`,
})

const booked = (
  ledgerAccount: string,
  amountCents: Cents,
  party: OpenDocument,
  label: string,
): SuggestedPart => ({
  kind: 'account',
  amountCents,
  ledgerAccount,
  contactRowId: party.contactRowId,
  contactId: party.contactId,
  label,
})

export function documentSuggestions(look: ParsedMovement, index: OpenIndex): Suggestion[] {
  const amount = look.movement.amountCents
  const exact = index.byAmount.get(amount) ?? []
  const all = look.quoted.flatMap((document) => {
    const how = namesNumber(look.text, document.number)
    return how ? [{ document, how }] : []
  })
  // A complete invoice number identifies the invoice, so its last digits are not evidence for others.
  const whole = all.filter(({ how }) => how === 'number')
  const named = whole.length > 0 ? whole : all
  const parties = evidenced(
    look,
    named.map((each) => each.document),
    index,
  )
  const found: Suggestion[] = []
  for (const document of exact) found.push(exactly(look, document, exact, index))
  const inParts = index.byInstalment.get(amount) ?? []
  for (const each of inParts) found.push(instalmentOf(look, each, inParts.length, index))
  const known = new Set(inParts.map(({ document }) => document))
  for (const { document } of named)
    // A whole instalment is no payment in part.
    if (document.effectCents !== amount && !known.has(document))
      found.push(...nearly(look, document, index, true))
  for (const party of parties) {
    found.push(...together(look, party, index))
    // Without a number, only the oldest invoice is a reasonable guess.
    const first = party.documents.find((document) => Math.sign(document.effectCents) === Math.sign(amount))
    if (
      first &&
      first.effectCents !== amount &&
      !known.has(first) &&
      named.every(({ document }) => index.partyOf.get(document) !== party)
    )
      found.push(...nearly(look, first, index, false))
  }
  const several = named.filter(({ how }) => how === 'number').map(({ document }) => document)
  if (several.length > 1 && several.reduce((sum, document) => sum + document.effectCents, 0) === amount)
    found.push(
      suggestion(
        'combination',
        several.map((document) => settle(document, document.effectCents)),
        [
          reason('amount_quoted', 62, { count: several.length }),
          ...several.slice(0, 4).map((document) => reason('number_in_text', 9, { number: document.number })),
          ...identity(look, index.partyOf.get(several[0] as OpenDocument)),
        ],
      ),
    )
  const batch = batchOf(look, index)
  return batch ? [batch, ...found] : found
}

/** Returns the parties that the text, number or account of the movement points to, strongest evidence first. */
function evidenced(look: ParsedMovement, named: readonly OpenDocument[], index: OpenIndex): Party[] {
  const strength = (each: Evidence): number =>
    (each.iban ? 4 : 0) + (each.nif ? 3 : 0) + (each.name === 'whole' ? 2 : each.name === 'part' ? 1 : 0)
  const parties = new Set<Party>()
  for (const document of named) {
    const party = index.partyOf.get(document)
    if (party) parties.add(party)
  }
  for (const each of [...look.evidence.values()].toSorted((a, b) => strength(b) - strength(a)))
    parties.add(each.party)
  return [...parties].slice(0, MOST_PARTIES)
}

/** Returns the reasons that identify the party of the movement. */
function identity(look: ParsedMovement, party: Party | undefined): Reason[] {
  const evidence = party && look.evidence.get(party)
  if (!evidence) return []
  const name = party.name
  const reasons: Reason[] = []
  if (evidence.iban)
    reasons.push(reason(look.movement.amountCents < 0 ? 'iban_known_out' : 'iban_known', 26, { name }))
  if (evidence.nif && party.nif !== null) reasons.push(reason('nif_in_text', 28, { name, nif: party.nif }))
  if (evidence.name === 'whole') reasons.push(reason('name_whole', 22, { name }))
  else if (evidence.name === 'part') reasons.push(reason('name_part', 11, { name }))
  return reasons
}

/** Returns the reasons given by how the text names the document's number. */
function naming(look: ParsedMovement, document: OpenDocument): Reason[] {
  const how = namesNumber(look.text, document.number)
  if (how === 'number') return [reason('number_in_text', 36, { number: document.number })]
  if (how === 'sequence')
    return [
      reason('sequence_in_text', 18, {
        sequence: sequenceOf(document.number) ?? '',
        number: document.number,
      }),
    ]
  return []
}

/** Returns the reasons given by the date. */
function timing(look: ParsedMovement, document: OpenDocument): Reason[] {
  const { date } = look.movement
  const sinceIssue = daysBetween(document.issueDate, date)
  if (sinceIssue < -1) return [reason('before_issue', -28, { days: -sinceIssue, number: document.number })]
  if (document.dueDate === null) return []
  const days = daysBetween(document.dueDate, date)
  if (days === 0) return [reason('due_same_day', 9, {})]
  if (days > 365) return [reason('long_after', -8, { days })]
  if (days > 0) return [reason('due_after', days <= 7 ? 8 : days <= 45 ? 4 : 0, { days })]
  return [reason('due_before', days >= -7 ? 6 : 3, { days: -days })]
}

function exactly(
  look: ParsedMovement,
  document: OpenDocument,
  exact: readonly OpenDocument[],
  index: OpenIndex,
): Suggestion {
  const who = identity(look, index.partyOf.get(document))
  const number = naming(look, document)
  const reasons = [
    reason('amount_exact', 50, { number: document.number, name: document.party }),
    ...number,
    ...who,
  ]
  const known = who.length > 0 || number.length > 0
  if (exact.length === 1) reasons.push(reason('amount_only', known ? 6 : 8, {}))
  else if (number.length === 0) {
    // Other invoices with the same amount: when a party is named, only its own are ambiguous.
    const rivals = exact.filter(
      (other) =>
        other !== document && (who.length === 0 || index.partyOf.get(other) === index.partyOf.get(document)),
    )
    if (rivals.length > 0) reasons.push(reason('amount_shared', -14, { count: rivals.length }))
  }
  return suggestion(
    'invoice',
    [settle(document, document.effectCents)],
    [...reasons, ...timing(look, document)],
  )
}

/** Suggests an instalment of an invoice: its amount, and its own due date. */
function instalmentOf(
  look: ParsedMovement,
  { document, number, dueDate }: { document: OpenDocument; number: number; dueDate: string },
  alike: number,
  index: OpenIndex,
): Suggestion {
  const who = identity(look, index.partyOf.get(document))
  const named = naming(look, document)
  const isFirst = document.instalments[0]?.number === number
  return suggestion(
    'invoice',
    [settle(document, look.movement.amountCents, number)],
    [
      reason('amount_instalment', isFirst ? 48 : 40, {
        number: document.number,
        instalment: number,
        date: dueDate,
      }),
      ...named,
      ...who,
      ...(alike > 1 && named.length === 0 ? [reason('amount_shared', -10, { count: alike - 1 })] : []),
      ...timing(look, { ...document, dueDate }),
    ],
  )
}

/** Suggests the named invoice when the amount differs from it: in part, with another amount, or with a fee. */
function nearly(
  look: ParsedMovement,
  document: OpenDocument,
  index: OpenIndex,
  named: boolean,
): Suggestion[] {
  const amount = look.movement.amountCents
  const owed = document.effectCents
  if (Math.sign(amount) !== Math.sign(owed)) return []
  const rest = [
    ...naming(look, document),
    ...identity(look, index.partyOf.get(document)),
    ...timing(look, document),
  ]
  const difference = amount - owed
  const found: Suggestion[] = []
  const fee = -difference
  // A fee reduces money received and increases money paid.
  if (fee > 0 && isFee(fee, Math.abs(owed)))
    found.push(
      suggestion(
        'invoice',
        [settle(document, owed), booked(BANK_SERVICES, -fee, document, 'Comisión del banco')],
        [
          reason(amount > 0 ? 'amount_fee' : 'amount_fee_out', 34, {
            number: document.number,
            fee: centsToText(fee),
            name: document.party,
          }),
          ...rest,
        ],
      ),
    )
  if (Math.abs(amount) < Math.abs(owed))
    found.push(
      suggestion(
        'invoice',
        [settle(document, amount)],
        [
          reason('amount_partial', named ? 20 : 14, {
            number: document.number,
            missing: centsToText(Math.abs(owed - amount)),
          }),
          ...rest,
        ],
      ),
    )
  else if (named)
    found.push(
      suggestion(
        'invoice',
        [
          settle(document, owed),
          booked(amount > 0 ? CUSTOMER_ADVANCES : SUPPLIER_ADVANCES, difference, document, document.party),
        ],
        [
          reason('amount_over', 14, { number: document.number, extra: centsToText(Math.abs(difference)) }),
          ...rest,
        ],
      ),
    )
  return found
}

function isFee(fee: Cents, owed: Cents): boolean {
  return fee <= MOST_FEE_CENTS && (fee <= SMALL_FEE_CENTS || fee * FEE_SHARE <= owed)
}

/**
 * Suggests several documents of one party that add up to the movement; all that is owed scores higher than a part of
 * it.
 */
function together(look: ParsedMovement, party: Party, index: OpenIndex): Suggestion[] {
  if (party.documents.length < 2) return []
  const amount = look.movement.amountCents
  const all = party.documents.reduce((sum, document) => sum + document.effectCents, 0)
  const chosen =
    all === amount
      ? party.documents
      : subsetSum(
          party.documents.map((document) => document.effectCents),
          amount,
        )?.flatMap((position) => party.documents[position] ?? [])
  if (!chosen || chosen.length < 2) return []
  // Payables first, then the credits that reduce them.
  const listed = chosen.toSorted(
    (x, y) =>
      Number(Math.sign(x.effectCents) !== Math.sign(amount)) -
      Number(Math.sign(y.effectCents) !== Math.sign(amount)),
  )
  const quoted = chosen.flatMap((document) => naming(look, document).map((each) => ({ ...each, points: 9 })))
  const whole = chosen.length === party.documents.length
  const first = chosen[0] as OpenDocument
  return [
    suggestion(
      'combination',
      listed.map((document) => settle(document, document.effectCents)),
      [
        whole
          ? reason(amount > 0 ? 'amount_all_owed' : 'amount_all_payable', 46, {
              name: party.name,
              count: chosen.length,
            })
          : reason('amount_combination', 36, { name: party.name, count: chosen.length }),
        ...quoted.slice(0, 5),
        ...identity(look, index.partyOf.get(first)),
        ...chosen
          .flatMap((document) => timing(look, document))
          .filter(({ code }) => code === 'before_issue')
          .slice(0, 1),
      ],
    ),
  ]
}

/** Suggests a batch in which every operation is an open invoice; its score is that of its weakest part. */
function batchOf(look: ParsedMovement, index: OpenIndex): Suggestion | null {
  const { details, amountCents } = look.movement
  if (details.length < 2 || details.reduce((sum, detail) => sum + detail.amountCents, 0) !== amountCents)
    return null
  const taken = new Set<OpenDocument>()
  for (const detail of details) {
    const text = readText(detail.text, detail.name)
    const score = (document: OpenDocument): number => {
      const party = index.partyOf.get(document)
      const named = namesNumber(text, document.number)
      const called = namesParty(text, party?.words ?? nameWords(document.party))
      return (
        (named === 'number' ? 4 : named ? 2 : 0) +
        (called === 'whole' ? 3 : called ? 1 : 0) +
        (detail.iban !== null && party?.ibans.has(detail.iban) ? 3 : 0)
      )
    }
    const free = (index.byAmount.get(detail.amountCents) ?? []).filter((document) => !taken.has(document))
    const best = free.toSorted((a, b) => score(b) - score(a))[0]
    if (!best || (free.length > 1 && score(best) === 0)) return null
    taken.add(best)
  }
  const documents = [...taken]
  return suggestion(
    'combination',
    documents.map((document) => settle(document, document.effectCents)),
    [
      reason('batch_details', 82, { count: documents.length }),
      ...documents
        .slice(0, 3)
        .flatMap((document) => naming(look, document).map((each) => ({ ...each, points: 4 }))),
    ],
  )
}
