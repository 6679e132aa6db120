/** What the exchange and the portal tell of an invoice: each fact once, with its state, and no more than is known. */
import { expect, test } from 'vitest'
import { combineJourney } from '../../../../server/app/journey/combine.ts'
import { JOURNEY_STEPS } from '../../../../server/app/journey/contract.ts'
import type { JourneyStepName } from '../../../../server/app/journey/contract.ts'
import { ENTRY_NOTES } from '../../../../server/app/journey/sources/entry.ts'
import {
  EXCHANGE_NOTES,
  issuedFacts,
  receivedFacts,
} from '../../../../server/app/journey/sources/exchange.ts'
import { PORTAL_NOTES, portalFacts } from '../../../../server/app/journey/sources/portal.ts'
import type { SourceFact } from '../../../../server/app/journey/source.ts'
import type { ExchangeStory } from '../../../../server/integrations/exchange/index.ts'
import type { PortalStory } from '../../../../server/integrations/portal/index.ts'
import { journey as spanish } from '../../../../renderer/locales/es/journey.ts'
import { journey as english } from '../../../../renderer/locales/en/journey.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2027-10-07T08:00:00Z')
const at = (hour: number): number => START_MS + hour * HOUR_MS

type Fact = [hour: number, fact: string, more?: { day?: string; note?: string; code?: string }]
type Report = [hour: number, kind: string, state?: string, day?: string]

function story(
  document: Partial<ExchangeStory['document']>,
  facts: Fact[],
  reports: Report[] = [],
): ExchangeStory {
  return {
    document: {
      public_id: 'exd_1',
      state: 'admitted',
      why: null,
      number: 'F-1',
      csv: 'CSV1',
      sent_at: at(1),
      next_at: null,
      changed_at: at(0),
      ...document,
    },
    facts: facts.map(([hour, fact, more = {}], index) => ({
      id: index + 1,
      at: at(hour),
      fact,
      day: more.day ?? null,
      note: more.note ?? null,
      code: more.code ?? null,
    })),
    reports: reports.map(([hour, kind, state = 'admitted', day = '2027-10-07'], index) => ({
      id: index + 1,
      kind,
      state,
      day,
      csv: 'CSV2',
      code: null,
      reason: null,
      created_at: at(hour),
      sent_at: at(hour),
      settled_at: at(hour),
    })),
  } as ExchangeStory
}

/** The state and the note of each step, as the sources alone decide it. */
function stepsOf(facts: SourceFact[], channel: 'exchange' | 'portal' = 'exchange') {
  const steps = combineJourney(
    facts.map((fact) => ({ ...fact, channel })),
    { notApplicable: [], due: null },
  )
  return Object.fromEntries(
    steps.map(({ step, state, note }) => [step, note === null ? state : `${state} ${note}`]),
  ) as Record<JourneyStepName, string>
}

const ADMITTED: Fact = [1, 'admitted']

test('an issued invoice: on its way, there, refused, and of which nothing is known', () => {
  const delivered = (document: Partial<ExchangeStory['document']>, facts: Fact[] = []): string =>
    stepsOf(issuedFacts([story(document, facts)], false)).delivered
  expect(delivered({ state: 'to_send', next_at: at(1) })).toBe('waiting exchange_queued')
  expect(delivered({ state: 'to_send', why: 'customer_number_missing' })).toBe('failed exchange_blocked')
  expect(delivered({ state: 'sent_unknown' }, [[1, 'sent']])).toBe('unknown exchange_answer_lost')
  expect(delivered({ state: 'refused', why: 'SPFE-1' }, [[1, 'refused']])).toBe('failed exchange_refused')
  expect(delivered({}, [ADMITTED])).toBe('done exchange_admitted')
  expect(delivered({ state: 'not_due', why: 'consumer' }, [[0, 'not_due']])).toBe('waiting')
  expect(issuedFacts([story({ state: 'not_due', why: 'consumer' }, [[0, 'not_due']])], false)).toEqual([])
})

test('an issued invoice that is there was not seen because of that', () => {
  expect(stepsOf(issuedFacts([story({}, [[0, 'queued'], ADMITTED])], false))).toEqual({
    registered: 'waiting',
    delivered: 'done exchange_admitted',
    seen: 'unknown',
    accepted: 'waiting exchange_silence',
    paid: 'waiting',
  })
})

test('what the customer says: rejected, taken back, paid; a payment that is not in the books is unknown', () => {
  const rejected: Fact = [
    2,
    'partner_rejected',
    { day: '2027-10-07', note: '2027-10-07T09:30:00Z', code: 'commercial' },
  ]
  const facts = issuedFacts([story({}, [ADMITTED, rejected])], false)
  expect(stepsOf(facts)).toMatchObject({
    seen: 'done exchange_partner_rejected',
    accepted: 'failed exchange_partner_rejected',
    paid: 'waiting',
  })
  expect(facts.find(({ note, step }) => note === 'exchange_partner_rejected' && step === 'accepted')).toEqual(
    {
      step: 'accepted',
      state: 'failed',
      note: 'exchange_partner_rejected',
      at: '2027-10-07T09:30:00.000Z',
      day: '2027-10-07',
      evidence: { type: 'exchange', id: 'exd_1', label: 'commercial' },
      isAside: false,
    },
  )
  const back: Fact = [3, 'partner_rejection_cancelled']
  expect(stepsOf(issuedFacts([story({}, [ADMITTED, rejected, back])], false)).accepted).toBe(
    'waiting exchange_cancellation',
  )
  const paid: Fact = [4, 'partner_paid', { day: '2027-10-08' }]
  const all = [ADMITTED, rejected, back, paid]
  expect(stepsOf(issuedFacts([story({}, all)], false))).toMatchObject({
    accepted: 'done exchange_partner_paid',
    paid: 'unknown exchange_partner_paid',
  })
  expect(stepsOf(issuedFacts([story({}, all)], true)).paid).toBe('done exchange_partner_paid')
  const undone = [...all, [5, 'partner_payment_cancelled'] as Fact]
  expect(stepsOf(issuedFacts([story({}, undone)], false))).toMatchObject({
    // The acceptance went with the payment that said it.
    accepted: 'waiting exchange_cancellation',
    paid: 'waiting exchange_cancellation',
  })
})

test('what this side reported never decides against the books', () => {
  const paidBy = (reports: Report[], isPaid: boolean): string =>
    stepsOf(issuedFacts([story({}, [ADMITTED], reports)], isPaid)).paid
  expect(paidBy([[2, 'settled']], true)).toBe('done exchange_said_settled')
  expect(paidBy([[2, 'settled']], false)).toBe('waiting')
  expect(paidBy([[2, 'settled', 'to_send']], true)).toBe('waiting')
  expect(paidBy([[2, 'settled', 'unknown']], true)).toBe('waiting')
  expect(paidBy([[2, 'settled', 'refused']], true)).toBe('waiting')
  expect(paidBy([[2, 'defaulted']], false)).toBe('failed exchange_said_defaulted')
  expect(paidBy([[2, 'defaulted']], true)).toBe('waiting')
  const back: Report[] = [
    [2, 'defaulted'],
    [3, 'default_cancelled'],
  ]
  expect(paidBy(back, false)).toBe('waiting')
  const notes = issuedFacts([story({}, [ADMITTED], back)], false).map(({ note }) => note)
  expect(notes).toContain('exchange_taken_back')
  expect(paidBy([[2, 'settled', 'dropped']], true)).toBe('waiting')
})

test('a withdrawn invoice says so, until it was sent again', () => {
  const gone = story({ state: 'withdrawn' }, [ADMITTED, [2, 'withdrawn']], [[2, 'withdrawn']])
  expect(stepsOf(issuedFacts([gone], false))).toMatchObject({
    delivered: 'done exchange_admitted',
    accepted: 'failed exchange_withdrawn',
  })
  const again = story({ public_id: 'exd_2' }, [[5, 'admitted']])
  expect(stepsOf(issuedFacts([gone, again], false)).accepted).toBe('waiting exchange_silence')
  const lost = story({}, [ADMITTED], [[2, 'withdrawn', 'unknown']])
  expect(stepsOf(issuedFacts([lost], false)).accepted).toBe('unknown exchange_withdrawal_unknown')
  const waits = story({}, [ADMITTED], [[2, 'withdrawn', 'to_send']])
  expect(stepsOf(issuedFacts([waits], false)).accepted).toBe('waiting exchange_silence')
})

test('a received invoice: silence, our rejection, our payment, and the supplier', () => {
  const of = (facts: Fact[], reports: Report[] = [], isPaid = false) =>
    stepsOf(receivedFacts([story({ state: 'open' }, [[0, 'arrived'], ...facts], reports)], isPaid))
  expect(of([])).toMatchObject({
    delivered: 'done exchange_arrived',
    seen: 'unknown',
    accepted: 'waiting exchange_silence',
    paid: 'waiting',
  })
  expect(of([], [[2, 'rejected']]).accepted).toBe('failed exchange_said_rejected')
  expect(of([], [[2, 'rejected', 'unknown']]).accepted).toBe('unknown exchange_report_unknown')
  expect(of([], [[2, 'rejected', 'to_send']]).accepted).toBe('waiting exchange_silence')
  const takenBack: Report[] = [
    [2, 'rejected'],
    [3, 'rejection_cancelled'],
  ]
  expect(of([], takenBack).accepted).toBe('waiting exchange_cancellation')
  expect(of([], [[2, 'paid']], true)).toMatchObject({
    accepted: 'done exchange_said_paid',
    paid: 'done exchange_said_paid',
  })
  expect(of([], [[2, 'paid']]).paid).toBe('waiting')
  expect(of([[1, 'paid_on_the_invoice', { day: '2027-10-01' }]]).paid).toBe(
    'unknown exchange_paid_on_the_invoice',
  )
  expect(of([[1, 'partner_settled']]).paid).toBe('unknown exchange_partner_settled')
  expect(of([[1, 'partner_defaulted']]).paid).toBe('failed exchange_partner_defaulted')
  expect(of([[1, 'partner_defaulted']], [], true).paid).toBe('waiting')
  expect(of([[1, 'partner_withdrew']]).accepted).toBe('failed exchange_partner_withdrew')
})

function submission(
  state: PortalStory['submission']['state'],
  codes: [hour: number, code: string][] = [],
  cancellations: [hour: number, state: string][] = [],
  publicId = 'pos_1',
): PortalStory {
  return {
    submission: {
      public_id: publicId,
      state,
      why: state === 'refused' ? '506' : null,
      detail: state === 'refused' ? 'Unidad no existe' : null,
      registry_number: state === 'registered' ? '202600000001' : null,
      created_at: at(0),
      sent_at: at(0),
      settled_at: at(0),
    },
    states: codes.map(([hour, code]) => ({ code, description: `d${code}`, reason: null, seen_at: at(hour) })),
    cancellations: cancellations.map(([hour, each]) => ({
      state: each,
      reason: 'Error',
      created_at: at(hour),
      settled_at: null,
    })),
  } as PortalStory
}

test('the portal: each state of a submission', () => {
  const delivered = (state: PortalStory['submission']['state']): string =>
    stepsOf(portalFacts([submission(state)], false), 'portal').delivered
  expect(delivered('waiting')).toBe('waiting portal_waiting')
  expect(delivered('sent')).toBe('waiting portal_sending')
  expect(delivered('unknown')).toBe('unknown portal_answer_lost')
  expect(delivered('registered')).toBe('done portal_registered')
  expect(delivered('refused')).toBe('failed portal_refused')
  expect(delivered('not_arrived')).toBe('failed portal_not_arrived')
  expect(delivered('withdrawn')).toBe('waiting')
  const [refused] = portalFacts([submission('refused')], false)
  expect(refused?.evidence).toEqual({ type: 'submission', id: 'pos_1', label: '506 Unidad no existe' })
})

test('the portal: each state of an invoice, and one that is not known', () => {
  const after = (codes: string[], isPaid = false) =>
    stepsOf(
      portalFacts(
        [
          submission(
            'registered',
            codes.map((code, index) => [index + 1, code]),
          ),
        ],
        isPaid,
      ),
      'portal',
    )
  expect(after(['1200'])).toMatchObject({
    delivered: 'done portal_registered',
    seen: 'unknown',
    accepted: 'waiting',
  })
  expect(after(['1200', '1300'])).toMatchObject({
    seen: 'done portal_1300',
    accepted: 'waiting portal_1300',
  })
  expect(after(['1200', '1300', '2400'])).toMatchObject({ accepted: 'done portal_2400', paid: 'waiting' })
  expect(after(['1200', '2400', '2500']).paid).toBe('unknown portal_2500')
  expect(after(['1200', '2400', '2500'], true).paid).toBe('done portal_2500')
  expect(after(['1200', '2600'])).toMatchObject({ seen: 'done portal_2600', accepted: 'failed portal_2600' })
  expect(after(['1200', '3100']).accepted).toBe('failed portal_3100')
  expect(after(['1200', '2400', '4200']).accepted).toBe('done portal_2400')
  expect(after(['1200', '2400', '4200', '4400']).accepted).toBe('done portal_2400')
  expect(after(['1200', '4200', '4300']).accepted).toBe('failed portal_4300')
  expect(after(['1200', '4100']).accepted).toBe('waiting')
  // Accepted before: what it is now, nobody knows here.
  expect(after(['1200', '2400', '2999']).accepted).toBe('unknown portal_state_unknown')
})

test('the portal: a second submission takes the place of the first, and a lost cancellation decides nothing', () => {
  const rejected = submission('registered', [[1, '2600']])
  const again = (state: PortalStory['submission']['state']) => submission(state, [], [], 'pos_2')
  const accepted = (stories: PortalStory[]): string => stepsOf(portalFacts(stories, false), 'portal').accepted
  expect(accepted([rejected])).toBe('failed portal_2600')
  expect(accepted([rejected, again('registered')])).toBe('waiting')
  expect(accepted([rejected, again('refused')])).toBe('failed portal_2600')
  const asking = submission('registered', [[1, '2400']], [[2, 'unknown']])
  expect(accepted([asking])).toBe('done portal_2400')
  expect(portalFacts([asking], false).map(({ note }) => note)).toContain('portal_cancellation_unknown')
})

test('what may have happened is shown as unknown beside what failed', () => {
  const mail = {
    step: 'delivered',
    state: 'failed',
    at: null,
    day: null,
    evidence: null,
    note: 'mail_failed',
  } as const
  const [lost] = issuedFacts([story({ state: 'sent_unknown' }, [])], false)
  const [, delivered] = combineJourney(
    [
      { ...mail, channel: 'mail' },
      { ...lost!, channel: 'exchange' },
    ],
    { notApplicable: [], due: null },
  )
  expect(delivered).toMatchObject({ state: 'unknown', channel: 'exchange' })
  expect(delivered?.facts.map((fact) => Object.keys(fact))).not.toContain('isAside')
})

test('every step, state, channel and note has its words in both languages', () => {
  for (const { journey } of [spanish, english]) {
    const notes: Record<string, string> = journey.note
    for (const note of [...EXCHANGE_NOTES, ...PORTAL_NOTES, ...ENTRY_NOTES])
      expect(notes[note], note).toBeTruthy()
    for (const note of Object.keys(journey.said)) expect(Object.keys(notes)).toContain(note)
    expect(Object.keys(journey.step)).toEqual([...JOURNEY_STEPS])
    expect(Object.keys(journey.receivedStep)).toEqual(JOURNEY_STEPS.filter((step) => step !== 'registered'))
    // The name of a step says what was done.
    expect(Object.keys(journey.state).sort()).toEqual(['failed', 'not_applicable', 'unknown', 'waiting'])
    for (const channel of ['registry', 'mail', 'reply', 'payment', 'exchange', 'portal', 'entry'])
      expect(Object.keys(journey.channel)).toContain(channel)
  }
  expect(Object.keys(spanish.journey.said)).toEqual(Object.keys(english.journey.said))
  expect(Object.keys(spanish.journey.note)).toEqual(Object.keys(english.journey.note))
})
