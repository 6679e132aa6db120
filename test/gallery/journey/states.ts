/** Timelines of an issued and of a received invoice by the public platform and FACe, typed by their contracts. */
import { settled } from '../../support/browser/browser.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import type { GalleryState, Stage } from '../states.ts'

type Steps = OutputOf<'invoices.journey'>['steps']
type Step = Steps[number]
type Fact = Step['facts'][number]

const fact = (
  channel: Fact['channel'],
  state: Fact['state'],
  note: string | null,
  more: Partial<Fact> = {},
): Fact => ({ channel, state, note, at: '2027-10-08T09:30:00.000Z', day: null, evidence: null, ...more })

/** A step that follows from the first of some facts. */
const step = (name: Step['step'], facts: Fact[], more: Partial<Step> = {}): Step => ({
  step: name,
  ...(facts[0] ?? { state: 'waiting', at: null, day: null, channel: null, evidence: null, note: null }),
  due: null,
  facts,
  ...more,
})

const label = (type: 'exchange' | 'submission' | 'mail', text: string) => ({
  evidence: { type, id: 'x_1', label: text },
})

const ISSUED: Steps = [
  step('registered', [fact('registry', 'done', null)]),
  step('delivered', [
    fact('exchange', 'done', 'exchange_admitted', label('exchange', 'A1B2C3D4E5F6G7H8')),
    fact('mail', 'done', 'mail_server_took_it', label('mail', 'facturas@cliente-primero.example')),
  ]),
  step('seen', [fact('exchange', 'done', 'exchange_partner_paid')]),
  step('accepted', [
    fact('exchange', 'done', 'exchange_partner_paid', { at: '2027-10-13T09:00:00.000Z' }),
    fact('exchange', 'waiting', 'exchange_cancellation', { at: '2027-10-11T09:00:00.000Z' }),
    fact('exchange', 'failed', 'exchange_taken_back', { at: '2027-10-10T09:00:00.000Z' }),
    fact('exchange', 'waiting', 'exchange_silence'),
  ]),
  step(
    'paid',
    [
      fact('exchange', 'unknown', 'exchange_partner_paid', { at: '2027-10-13T09:00:00.000Z' }),
      fact('payment', 'waiting', null, { at: null }),
    ],
    { due: '2027-11-06' },
  ),
]

const AT_PORTAL: Steps = [
  step('registered', [fact('registry', 'done', 'simulated')]),
  step('delivered', [fact('portal', 'unknown', 'portal_answer_lost')]),
  step('seen', []),
  step('accepted', [
    fact('portal', 'unknown', 'portal_state_unknown', label('submission', '2999 Un estado nuevo')),
    fact('portal', 'done', 'portal_2400', label('submission', '2400 Contabilizada la obligación de pago')),
  ]),
  step('paid', [fact('payment', 'waiting', 'overdue', { at: null })], { due: '2027-09-01' }),
]

const RECEIVED: Steps = [
  step('registered', [], { state: 'not_applicable' }),
  step('delivered', [fact('exchange', 'done', 'exchange_arrived', label('exchange', 'S-1'))]),
  step('seen', [fact('entry', 'done', null)]),
  step('accepted', [
    fact('exchange', 'failed', 'exchange_said_rejected', label('exchange', 'commercial')),
    fact('exchange', 'waiting', 'exchange_silence'),
  ]),
  step('paid', [fact('payment', 'waiting', null, { at: null })], { due: '2027-11-06' }),
]

/** Answers with steps, and scrolls to them. */
const showing =
  (operation: 'invoices.journey' | 'received.journey', steps: Steps, region: string) =>
  async ({ page }: Stage): Promise<void> => {
    const data =
      operation === 'invoices.journey'
        ? { invoiceId: 'inv_1', number: 'F2027-0001', steps }
        : { receivedId: 'rec_1', number: '2027-0001', steps }
    await page.route(`**/app/call/${operation}`, (route) => route.fulfill({ json: { ok: true, data } }))
    await page.reload()
    const section = page.locator(`[aria-labelledby="${region}"]`)
    await section.waitFor()
    for (const summary of await section.locator('summary').all()) await summary.click()
    await settled(page)
    await section.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  }

const state = (name: string, path: GalleryState['path'], act: GalleryState['act']): GalleryState => ({
  name: `timeline-${name}`,
  world: 'everyday',
  path,
  ...(act ? { act } : {}),
})

export const timelineStates: readonly GalleryState[] = [
  state(
    'exchange',
    ({ invoice }) => `/invoices/${invoice}`,
    showing('invoices.journey', ISSUED, 'invoice-journey'),
  ),
  state(
    'portal',
    ({ invoice }) => `/invoices/${invoice}`,
    showing('invoices.journey', AT_PORTAL, 'invoice-journey'),
  ),
  state(
    'received',
    ({ received }) => `/received/${received}`,
    showing('received.journey', RECEIVED, 'received-journey'),
  ),
]
