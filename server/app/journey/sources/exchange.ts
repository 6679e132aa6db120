/**
 * The public platform, for issued and for received invoices. What this side said of a payment never decides: the books do.
 * What the other side says of a payment that the books do not have is unknown.
 */
import { exchangeStories } from '../../../integrations/exchange/index.ts'
import type { ExchangeStory } from '../../../integrations/exchange/index.ts'
import type { JourneyFact, JourneyStepName } from '../contract.ts'
import type { JourneySource, ReceivedSource, SourceFact } from '../source.ts'

type Fact = ExchangeStory['facts'][number]
type Report = ExchangeStory['reports'][number]

/** Codes of what the platform says, all of which the window has words for. */
export const EXCHANGE_NOTES = [
  'exchange_queued',
  'exchange_blocked',
  'exchange_answer_lost',
  'exchange_refused',
  'exchange_admitted',
  'exchange_withdrawn',
  'exchange_withdrawal_waiting',
  'exchange_withdrawal_unknown',
  'exchange_withdrawal_refused',
  'exchange_arrived',
  'exchange_silence',
  'exchange_paid_on_the_invoice',
  'exchange_partner_rejected',
  'exchange_partner_paid',
  'exchange_partner_settled',
  'exchange_partner_defaulted',
  'exchange_partner_withdrew',
  'exchange_taken_back',
  'exchange_cancellation',
  'exchange_said_rejected',
  'exchange_said_paid',
  'exchange_said_settled',
  'exchange_said_defaulted',
  'exchange_report_waiting',
  'exchange_report_unknown',
  'exchange_report_refused',
] as const
type Note = (typeof EXCHANGE_NOTES)[number]

const instant = (ms: number): string => new Date(ms).toISOString()

/** Facts of the other side begin their note with the instant of presentation, as far as the platform says it. */
const PRESENTED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/

/** Returns when a fact happened; when it was learned, if the platform does not say more. */
function presentedAt({ at, note }: Pick<Fact, 'at' | 'note'>): string {
  const [stated] = PRESENTED.exec(note ?? '') ?? []
  const ms = stated === undefined ? Number.NaN : Date.parse(stated)
  return instant(Number.isNaN(ms) ? at : ms)
}

/** What each status takes back. */
const TAKES_BACK: Readonly<Record<string, string>> = {
  rejection_cancelled: 'rejected',
  payment_cancelled: 'paid',
  settlement_cancelled: 'settled',
  default_cancelled: 'defaulted',
}

/** Step to which a status belongs. */
const stepOf = (kind: string): JourneyStepName =>
  kind === 'rejected' || kind === 'rejection_cancelled' || kind === 'withdrawn' ? 'accepted' : 'paid'

interface Known {
  step: JourneyStepName
  state: JourneyFact['state']
  note: Note
  at: string | null
  day?: string | null
  label?: string | null
  /** It is known beside the others: the step does not follow from it. */
  isAside?: boolean
}

/** Collects the facts of one followed document. Those of an earlier one, which was withdrawn, decide nothing. */
class Collector {
  readonly facts: SourceFact[] = []
  readonly #story: ExchangeStory
  readonly #isNewest: boolean
  readonly #isPaid: boolean
  constructor(story: ExchangeStory, { isNewest, isPaid }: { isNewest: boolean; isPaid: boolean }) {
    this.#story = story
    this.#isNewest = isNewest
    this.#isPaid = isPaid
  }

  add({ label, isAside = false, day = null, ...known }: Known): void {
    const { public_id: id, number, csv } = this.#story.document
    this.facts.push({
      ...known,
      day,
      evidence: { type: 'exchange', id, label: label ?? csv ?? number },
      isAside: isAside || (!this.#isNewest && known.step !== 'delivered' && known.step !== 'seen'),
    })
  }

  /** True if a later fact of the other side takes this one back. */
  #isTakenBack(fact: Fact, kind: string): boolean {
    const cancellation = Object.entries(TAKES_BACK).find(([, taken]) => taken === kind)?.[0]
    return this.#story.facts.some((later) => later.id > fact.id && later.fact === `partner_${cancellation}`)
  }

  /** What the other side reported. */
  partnerSaid(fact: Fact, kind: string): void {
    const known = { at: presentedAt(fact), day: fact.day }
    const step = stepOf(kind)
    if (kind in TAKES_BACK) {
      this.add({ step, state: 'waiting', note: 'exchange_cancellation', ...known })
      return
    }
    if (this.#isTakenBack(fact, kind)) {
      this.add({ step, state: 'failed', note: 'exchange_taken_back', isAside: true, ...known })
      return
    }
    if (kind === 'rejected')
      this.add({ step, state: 'failed', note: 'exchange_partner_rejected', label: fact.code, ...known })
    else if (kind === 'defaulted')
      this.add({ step, state: 'failed', note: 'exchange_partner_defaulted', isAside: this.#isPaid, ...known })
    else {
      const note = kind === 'paid' ? 'exchange_partner_paid' : 'exchange_partner_settled'
      this.add({ step, state: this.#isPaid ? 'done' : 'unknown', note, ...known })
      // A customer that reports full payment has accepted the invoice; the law has no status of its own for it.
      if (kind === 'paid') this.add({ step: 'accepted', state: 'done', note, ...known })
    }
  }

  /** What this side reported, in its order. */
  reported(): void {
    const { reports } = this.#story
    for (const [index, report] of reports.entries()) {
      const later = reports.slice(index + 1)
      if (report.state === 'dropped') continue
      if (report.state !== 'admitted') this.#isSaying(report)
      else if (report.kind !== 'withdrawn') this.#hasSaid(report, later)
    }
  }

  #isSaying({ kind, state, day, created_at: createdAt, sent_at: sentAt, code }: Report): void {
    const step = stepOf(kind)
    const at = instant(sentAt ?? createdAt)
    const isWithdrawal = kind === 'withdrawn'
    if (state === 'to_send')
      this.add({
        step,
        state: 'waiting',
        note: isWithdrawal ? 'exchange_withdrawal_waiting' : 'exchange_report_waiting',
        at,
        day,
        isAside: true,
      })
    else if (state === 'unknown')
      this.add({
        step,
        state: 'unknown',
        note: isWithdrawal ? 'exchange_withdrawal_unknown' : 'exchange_report_unknown',
        at,
        day,
        // Whether it was rejected or withdrawn is not known before the answer; whether it was paid, the books say.
        isAside: step === 'paid',
      })
    else
      this.add({
        step,
        state: 'not_applicable',
        note: isWithdrawal ? 'exchange_withdrawal_refused' : 'exchange_report_refused',
        at,
        day,
        label: code,
        isAside: true,
      })
  }

  #hasSaid({ kind, day, settled_at: settledAt, csv, reason }: Report, later: readonly Report[]): void {
    const step = stepOf(kind)
    const known = { step, at: settledAt === null ? null : instant(settledAt), day, label: csv }
    if (kind in TAKES_BACK) {
      this.add({ ...known, state: 'waiting', note: 'exchange_cancellation', isAside: step === 'paid' })
      return
    }
    const isTakenBack = later.some((each) => each.state === 'admitted' && kind === TAKES_BACK[each.kind])
    if (isTakenBack) {
      const state = kind === 'rejected' || kind === 'defaulted' ? 'failed' : 'done'
      this.add({ ...known, state, note: 'exchange_taken_back', isAside: true })
    } else if (kind === 'rejected')
      this.add({ ...known, state: 'failed', note: 'exchange_said_rejected', label: reason ?? csv })
    else if (kind === 'defaulted')
      this.add({ ...known, state: 'failed', note: 'exchange_said_defaulted', isAside: this.#isPaid })
    else {
      const note = kind === 'paid' ? 'exchange_said_paid' : 'exchange_said_settled'
      this.add({ ...known, state: 'done', note, isAside: !this.#isPaid })
      if (kind === 'paid') this.add({ ...known, step: 'accepted', state: 'done', note })
    }
  }
}

const partnerKind = (fact: string): string | null =>
  fact.startsWith('partner_') && fact !== 'partner_withdrew' ? fact.slice('partner_'.length) : null

/** How far an issued invoice has come that is not at the platform. */
function knownOfSending({ document, facts }: ExchangeStory): Known | null {
  const { state, why, changed_at: changedAt, next_at: nextAt, sent_at: sentAt } = document
  const changed = instant(changedAt)
  if (state === 'to_send')
    return nextAt === null && why !== null
      ? { step: 'delivered', state: 'failed', note: 'exchange_blocked', at: changed, label: why }
      : { step: 'delivered', state: 'waiting', note: 'exchange_queued', at: changed }
  if (state === 'sent_unknown')
    return {
      step: 'delivered',
      state: 'unknown',
      note: 'exchange_answer_lost',
      at: sentAt === null ? changed : instant(sentAt),
    }
  if (state !== 'refused') return null
  const last = facts.findLast(({ fact }) => fact === 'refused')
  return {
    step: 'delivered',
    state: 'failed',
    note: 'exchange_refused',
    at: last ? instant(last.at) : changed,
    label: why,
  }
}

/** Returns what the platform knows of an issued invoice. Pure. */
export function issuedFacts(stories: readonly ExchangeStory[], isPaid: boolean): SourceFact[] {
  return stories.flatMap((story, index) => {
    const collector = new Collector(story, { isNewest: index === stories.length - 1, isPaid })
    const sending = knownOfSending(story)
    if (sending) collector.add(sending)
    for (const fact of story.facts) {
      const kind = partnerKind(fact.fact)
      if (fact.fact === 'admitted') {
        const at = instant(fact.at)
        collector.add({ step: 'delivered', state: 'done', note: 'exchange_admitted', at })
        // Said first, so that any word of the customer is newer.
        collector.add({ step: 'accepted', state: 'waiting', note: 'exchange_silence', at })
      } else if (fact.fact === 'withdrawn' || fact.fact === 'partner_withdrew')
        collector.add({ step: 'accepted', state: 'failed', note: 'exchange_withdrawn', at: instant(fact.at) })
      else if (kind !== null) {
        const at = presentedAt(fact)
        collector.partnerSaid(fact, kind)
        // Who answers has it, and has seen it.
        const note = kind === 'paid' ? 'exchange_partner_paid' : 'exchange_partner_rejected'
        const seen = kind in TAKES_BACK ? 'exchange_cancellation' : note
        collector.add({ step: 'seen', state: 'done', note: seen, at })
      }
    }
    collector.reported()
    return collector.facts
  })
}

/** Returns what the platform knows of a received invoice. Pure. */
export function receivedFacts(stories: readonly ExchangeStory[], isPaid: boolean): SourceFact[] {
  return stories.flatMap((story, index) => {
    const collector = new Collector(story, { isNewest: index === stories.length - 1, isPaid })
    for (const fact of story.facts) {
      const kind = partnerKind(fact.fact)
      if (fact.fact === 'arrived') {
        const at = presentedAt(fact)
        collector.add({ step: 'delivered', state: 'done', note: 'exchange_arrived', at })
        collector.add({ step: 'accepted', state: 'waiting', note: 'exchange_silence', at })
      } else if (fact.fact === 'paid_on_the_invoice')
        collector.add({
          step: 'paid',
          state: isPaid ? 'done' : 'unknown',
          note: 'exchange_paid_on_the_invoice',
          at: instant(fact.at),
          day: fact.day,
        })
      else if (fact.fact === 'partner_withdrew')
        collector.add({
          step: 'accepted',
          state: 'failed',
          note: 'exchange_partner_withdrew',
          at: instant(fact.at),
        })
      else if (kind !== null) collector.partnerSaid(fact, kind)
    }
    collector.reported()
    return collector.facts
  })
}

export const exchangeSource: JourneySource = {
  channel: 'exchange',
  facts: async (ctx, { rowId, invoice }) =>
    issuedFacts(await exchangeStories(ctx, { invoiceRow: rowId }), invoice.payment.status === 'paid'),
}

export const exchangeReceivedSource: ReceivedSource = {
  channel: 'exchange',
  facts: async (ctx, { rowId, entry }) =>
    receivedFacts(await exchangeStories(ctx, { receivedRow: rowId }), entry.payment.status === 'paid'),
}
