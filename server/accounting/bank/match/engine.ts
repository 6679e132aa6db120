/**
 * Suggests matches for a movement, with reasons that a person can check. It books nothing: it finds open items,
 * scores them and gives the reasons. Deterministic: the same movement and the same books give the same answer.
 */
import { daysBetween } from '../../../domain/dates.ts'
import { documentSuggestions } from './documents.ts'
import { reason, suggestion } from './score.ts'
import { possibleSequences, readText, matchesKey, nameWords, namesParty, sequenceOf } from './text.ts'
import type { ReadText } from './text.ts'
import { patternsOf } from './patterns.ts'
import type { MovementFacts, OpenDocument, OpenItems, RuleFacts, Suggestion, TransferHalf } from './types.ts'

const SHOWN = 5
const LEAST_SCORE = 30

/** The open documents of one customer or supplier. */
export interface Party {
  key: string
  name: string
  words: readonly string[]
  nif: string | null
  contactRowId: number | null
  ibans: ReadonlySet<string>
  documents: OpenDocument[]
}

/** Index of all open items; built once for many movements. */
export interface OpenIndex {
  items: OpenItems
  parties: ReadonlyMap<string, Party>
  partyOf: ReadonlyMap<OpenDocument, Party>
  byAmount: ReadonlyMap<number, OpenDocument[]>
  /** Instalments of invoices, by what is open of each. */
  byInstalment: ReadonlyMap<number, { document: OpenDocument; number: number; dueDate: string }[]>
  bySequence: ReadonlyMap<string, OpenDocument[]>
  byWord: ReadonlyMap<string, Party[]>
  byIban: ReadonlyMap<string, Party[]>
  byNif: ReadonlyMap<string, Party[]>
  paymentsByAmount: ReadonlyMap<number, OpenItems['payments'][number][]>
  transfersByAmount: ReadonlyMap<number, TransferHalf[]>
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

const oldestFirst = (a: OpenDocument, b: OpenDocument): number => {
  const [left, right] = [a.dueDate ?? a.issueDate, b.dueDate ?? b.issueDate]
  return left === right ? a.rowId - b.rowId || (a.kind < b.kind ? -1 : 1) : left < right ? -1 : 1
}

/** Builds the index of open items. */
export function indexOpenItems(items: OpenItems): OpenIndex {
  const learned = new Map<number, string[]>()
  for (const rule of items.rules)
    if (rule.contactRowId !== null && rule.counterpartyIban !== null)
      push(learned, rule.contactRowId, rule.counterpartyIban)
  const parties = new Map<string, Party>()
  const partyOf = new Map<OpenDocument, Party>()
  const byAmount = new Map<number, OpenDocument[]>()
  const byInstalment = new Map<number, { document: OpenDocument; number: number; dueDate: string }[]>()
  const bySequence = new Map<string, OpenDocument[]>()
  for (const document of items.documents.toSorted(oldestFirst)) {
    const key =
      document.contactRowId !== null
        ? `c${document.contactRowId}`
        : document.nif !== null
          ? `n${document.nif}`
          : `p${document.party.toLowerCase()}`
    let party = parties.get(key)
    if (!party) {
      const ibans = new Set(document.contactRowId === null ? [] : (learned.get(document.contactRowId) ?? []))
      parties.set(
        key,
        (party = {
          key,
          name: document.party,
          words: nameWords(document.party),
          nif: document.nif,
          contactRowId: document.contactRowId,
          ibans,
          documents: [],
        }),
      )
    }
    if (document.iban !== null) (party.ibans as Set<string>).add(document.iban)
    party.documents.push(document)
    partyOf.set(document, party)
    push(byAmount, document.effectCents, document)
    // The last open one is the invoice itself.
    if (document.instalments.length > 1)
      for (const { effectCents, ...one } of document.instalments)
        push(byInstalment, effectCents, { document, ...one })
    const sequence = sequenceOf(document.number)
    if (sequence !== null) push(bySequence, sequence, document)
  }
  const byWord = new Map<string, Party[]>()
  const byIban = new Map<string, Party[]>()
  const byNif = new Map<string, Party[]>()
  for (const party of parties.values()) {
    for (const word of party.words) {
      push(byWord, word, party)
      // Banks truncate names, so the beginnings of a long word are indexed too.
      for (let length = 5; length < word.length; length++) push(byWord, word.slice(0, length), party)
    }
    for (const iban of party.ibans) push(byIban, iban, party)
    if (party.nif !== null) push(byNif, party.nif.toLowerCase(), party)
  }
  const paymentsByAmount = new Map<number, OpenItems['payments'][number][]>()
  for (const payment of items.payments) push(paymentsByAmount, payment.effectCents, payment)
  const transfersByAmount = new Map<number, TransferHalf[]>()
  for (const half of items.transfers) push(transfersByAmount, half.amountCents, half)
  return {
    items,
    parties,
    partyOf,
    byAmount,
    byInstalment,
    bySequence,
    byWord,
    byIban,
    byNif,
    paymentsByAmount,
    transfersByAmount,
  }
}

/** Evidence in the movement's text for a party. */
export interface Evidence {
  party: Party
  iban: boolean
  nif: boolean
  name: 'whole' | 'part' | null
}

/** A movement with its parsed text and the parties it names. */
export interface ParsedMovement {
  movement: MovementFacts
  text: ReadText
  evidence: ReadonlyMap<Party, Evidence>
  /** Documents whose number may appear in the text. */
  quoted: readonly OpenDocument[]
}

function lookAt(movement: MovementFacts, index: OpenIndex): ParsedMovement {
  const text = readText(movement.text, movement.counterparty, movement.reference)
  const evidence = new Map<Party, Evidence>()
  const of = (party: Party): Evidence => {
    let known = evidence.get(party)
    if (!known) evidence.set(party, (known = { party, iban: false, nif: false, name: null }))
    return known
  }
  if (movement.counterpartyIban !== null)
    for (const party of index.byIban.get(movement.counterpartyIban) ?? []) of(party).iban = true
  const near = new Set<Party>()
  for (const word of text.words) {
    for (const party of index.byNif.get(word) ?? []) of(party).nif = true
    for (const party of index.byWord.get(word) ?? []) near.add(party)
  }
  for (const party of near) {
    const name = namesParty(text, party.words)
    if (name) of(party).name = name
  }
  const quoted = new Set<OpenDocument>()
  for (const sequence of possibleSequences(text))
    for (const document of index.bySequence.get(sequence) ?? []) quoted.add(document)
  return { movement, text, evidence, quoted: [...quoted].toSorted(oldestFirst) }
}

/** Returns suggestions for a movement, the most probable first; at most five. */
export function suggest(movement: MovementFacts, index: OpenIndex): Suggestion[] {
  const look = lookAt(movement, index)
  const all = [
    ...ruleSuggestions(look, index),
    ...documentSuggestions(look, index),
    ...paymentSuggestions(look, index),
    ...remittanceSuggestions(look, index),
    ...transferSuggestions(look, index),
    ...patternSuggestions(look, index),
  ]
  const seen = new Set<string>()
  return all
    .filter((each) => each.score >= LEAST_SCORE)
    .toSorted((a, b) => b.score - a.score || order(a) - order(b))
    .filter((each) => {
      const key = each.parts
        .map(
          (part) =>
            `${part.document?.id ?? part.payment?.id ?? part.ledgerAccount ?? part.kind}#${part.instalment ?? 0}:${part.amountCents}`,
        )
        .toSorted()
        .join('|')
      return seen.has(key) ? false : seen.add(key)
    })
    .slice(0, SHOWN)
}

const ORDER = ['rule', 'payment', 'invoice', 'combination', 'remittance', 'transfer', 'pattern']
const order = (each: Suggestion): number => ORDER.indexOf(each.kind)

/**
 * Returns suggestions from rules that name a ledger account. A rule that names only a contact has added its IBAN to
 * the index instead.
 */
function ruleSuggestions({ movement, text }: ParsedMovement, { items }: OpenIndex): Suggestion[] {
  return items.rules.flatMap((rule) => {
    if (rule.ledgerAccount === null || !ruleFits(rule, movement, text)) return []
    const byIban = rule.counterpartyIban !== null
    const points =
      (rule.origin === 'person' ? 92 : 62) + Math.min(18, rule.origin === 'person' ? 0 : rule.uses * 6)
    const code = rule.origin === 'person' ? 'rule' : byIban ? 'learned_iban' : 'learned_text'
    return [
      suggestion(
        'rule',
        [
          {
            kind: 'account',
            amountCents: movement.amountCents,
            ledgerAccount: rule.ledgerAccount,
            contactRowId: rule.contactRowId,
            contactId: rule.contactId,
            label: rule.contactName ?? rule.ledgerAccount,
          },
        ],
        [
          reason(code, points, {
            account: rule.ledgerAccount,
            uses: rule.uses,
            text: rule.textKey ?? '',
            iban: rule.counterpartyIban ?? '',
          }),
        ],
        rule,
      ),
    ]
  })
}

/** Returns true when a rule matches this movement. */
export function ruleFits(rule: RuleFacts, movement: MovementFacts, text?: ReadText): boolean {
  if (rule.direction !== (movement.amountCents > 0 ? 'in' : 'out')) return false
  if (rule.counterpartyIban !== null && rule.counterpartyIban !== movement.counterpartyIban) return false
  if (rule.textKey === null) return rule.counterpartyIban !== null
  return matchesKey(text ?? readText(movement.text, movement.counterparty, movement.reference), rule.textKey)
}

/** Suggests payments that were recorded before the bank showed them. */
function paymentSuggestions({ movement, text }: ParsedMovement, index: OpenIndex): Suggestion[] {
  return (index.paymentsByAmount.get(movement.amountCents) ?? []).flatMap((payment) => {
    const days = Math.abs(daysBetween(payment.date, movement.date))
    if (days > 30) return []
    const reasons = [
      reason('payment_recorded', 56, { date: payment.date, name: payment.party ?? '' }),
      days <= 3
        ? reason('payment_same_days', 24, { days })
        : reason('payment_days', days <= 10 ? 12 : 0, { days }),
    ]
    if (payment.party !== null && namesParty(text, nameWords(payment.party)))
      reasons.push(reason('name_whole', 14, { name: payment.party }))
    return [
      suggestion(
        'payment',
        [
          {
            kind: 'payment',
            amountCents: payment.effectCents,
            payment,
            label: payment.party ?? payment.reference ?? payment.date,
          },
        ],
        reasons,
      ),
    ]
  })
}

function remittanceSuggestions({ movement, text }: ParsedMovement, { items }: OpenIndex): Suggestion[] {
  return items.remittances.flatMap((remittance) => {
    if (remittance.effectCents !== movement.amountCents) return []
    const days = daysBetween(remittance.date, movement.date)
    if (days < -4 || days > 20) return []
    const reasons = [
      reason('remittance_amount', 60, { name: remittance.name }),
      reason('remittance_date', Math.abs(days) <= 3 ? 20 : 8, { date: remittance.date, days }),
    ]
    if (/\b(remesas?|adeudos?|recibos?|sepa|transf\w*)\b/.test(text.folded) || movement.concept === '06')
      reasons.push(reason('remittance_words', 12, {}))
    return [
      suggestion(
        'remittance',
        [{ kind: 'remittance', amountCents: movement.amountCents, remittance, label: remittance.name }],
        reasons,
      ),
    ]
  })
}

/** Suggests transfers between own accounts, which appear as one movement in each account. */
function transferSuggestions({ movement, text }: ParsedMovement, index: OpenIndex): Suggestion[] {
  const { accounts } = index.items
  const found: Suggestion[] = []
  const named = accounts.find(
    (account) =>
      account.rowId !== movement.accountId &&
      account.iban !== null &&
      account.iban === movement.counterpartyIban,
  )
  const words = /\b(traspaso|transferencia (entre cuentas|propia|interna)|cuenta propia|traspasos?)\b/.test(
    text.folded,
  )
  for (const half of index.transfersByAmount.get(-movement.amountCents) ?? []) {
    if (half.accountId === movement.accountId) continue
    if (half.waitsFor !== null && half.waitsFor !== movement.accountId) continue
    const days = Math.abs(daysBetween(half.date, movement.date))
    const account = accounts.find((each) => each.rowId === half.accountId)
    if (days > 5 || !account) continue
    const reasons = [
      half.waitsFor !== null
        ? reason('transfer_waits', 66, { name: half.accountName, date: half.date })
        : reason('transfer_half', 46, { name: half.accountName, date: half.date }),
      reason('transfer_days', days === 0 ? 18 : 8, { days }),
    ]
    if (named?.rowId === half.accountId) reasons.push(reason('transfer_iban', 25, { name: half.accountName }))
    if (words) reasons.push(reason('transfer_words', 14, {}))
    found.push(
      suggestion(
        'transfer',
        [
          {
            kind: 'transfer',
            amountCents: movement.amountCents,
            transfer: { account, half },
            label: account.name,
          },
        ],
        reasons,
      ),
    )
  }
  if (named && found.length === 0)
    found.push(
      suggestion(
        'transfer',
        [
          {
            kind: 'transfer',
            amountCents: movement.amountCents,
            transfer: { account: named, half: null },
            label: named.name,
          },
        ],
        [
          reason('transfer_iban', 74, { name: named.name }),
          ...(words ? [reason('transfer_words', 14, {})] : []),
        ],
      ),
    )
  return found
}

function patternSuggestions({ movement, text }: ParsedMovement, { items }: OpenIndex): Suggestion[] {
  return patternsOf(movement, text, items.companyKind).map((pattern) =>
    suggestion(
      'pattern',
      [
        {
          kind: 'account',
          amountCents: movement.amountCents,
          ledgerAccount: pattern.ledgerAccount,
          label: pattern.label,
        },
      ],
      [
        reason(`pattern_${pattern.code}`, pattern.points, {
          ...pattern.params,
          account: pattern.ledgerAccount,
        }),
      ],
    ),
  )
}
