/**
 * A public platform in memory, for many companies, with faults by script. It keeps invoices by their unique code, refuses
 * duplicates and statuses that contradict what stands, and remembers everything in order.
 */
import { NothingDone, OutcomeUnknown } from '../../../server/integrations/exchange/port.ts'
import type { ExchangeEvent, ExchangePort, Found } from '../../../server/integrations/exchange/port.ts'
import { readDocument } from '../../../server/documents/e-invoice/reading/read.ts'
import type {
  AnswerItem,
  InvoiceCode,
  PlatformAnswer,
  StatusKind,
  StatusMessage,
  StatusReport,
} from '../../../server/integrations/exchange/types.ts'

/**
 * What goes wrong with a call: nothing arrives, it arrives and its answer is lost, the platform is down or wants a pause;
 * `dies_*`: the program is killed before or after the platform has acted.
 */
export type Fault =
  | 'lost_before'
  | 'lost_after'
  | 'down'
  | 'throttled'
  | 'dies_before'
  | 'dies_after'
  | 'refuses_all'

interface Held {
  code: InvoiceCode
  recipient: string | null
  xml: Uint8Array
  locator: string
  presentedAt: string
  copy: boolean
  withdrawn: boolean
  statuses: Found['statuses']
}

const STANDS: Readonly<Record<StatusKind, string | null>> = {
  rejected: 'rejected',
  rejection_cancelled: null,
  paid: 'paid',
  payment_cancelled: null,
  settled: 'settled',
  settlement_cancelled: null,
  defaulted: 'defaulted',
  default_cancelled: null,
  withdrawn: null,
}
const TAKES_BACK: Readonly<Partial<Record<StatusKind, string>>> = {
  rejection_cancelled: 'rejected',
  payment_cancelled: 'paid',
  settlement_cancelled: 'settled',
  default_cancelled: 'defaulted',
}

const keyOf = (code: InvoiceCode): string => `${code.issuerTaxId}|${code.number}|${code.issueDate}`

export class MemoryPlatform {
  readonly held: Held[] = []
  /** Faults of the next calls, in order. */
  readonly faults: Fault[] = []
  /** Called where a fault kills the program. */
  onDeath: () => void = () => {}
  /** Calls by their name. */
  readonly calls: string[] = []
  /** Codes of invoices that are refused by a rule. */
  readonly refused = new Map<string, string>()
  private readonly now: () => Date
  private readonly events = new Map<string, ExchangeEvent[]>()
  private count = 0

  constructor(now: () => Date) {
    this.now = now
  }

  /** Returns what is held of a code and was not withdrawn. */
  find(code: InvoiceCode): Held | undefined {
    return this.held.find((one) => !one.withdrawn && keyOf(one.code) === keyOf(code))
  }

  /** Returns the port of one company. */
  portOf(nif: string): ExchangePort {
    return {
      send: (items) => this.change('send', () => this.take(nif, items)),
      withdraw: ({ invoice }) => this.change('withdraw', () => Promise.resolve(this.remove(nif, invoice))),
      report: (message) => this.change('report', () => Promise.resolve(this.say(nif, message))),
      find: (filter) =>
        this.read('find', () => {
          const codes = 'codes' in filter ? new Set(filter.codes.map(keyOf)) : null
          const found = this.held.filter(
            (one) =>
              !one.withdrawn &&
              (filter.role === 'issuer' ? one.code.issuerTaxId === nif : one.recipient === nif) &&
              (codes === null || codes.has(keyOf(one.code))),
          )
          return { found: found.map((one) => this.shown(one)), next: null }
        }),
      download: (locators) =>
        this.read('download', () =>
          this.held
            .filter(({ locator, withdrawn }) => !withdrawn && locators.includes(locator))
            .map(({ locator, xml }) => ({ locator, xml })),
        ),
      events: (since) =>
        this.read('events', () => {
          const all = this.events.get(nif) ?? []
          return { events: structuredClone(all.slice(Number(since ?? 0))), next: String(all.length) }
        }),
    }
  }

  /** A supplier sends an invoice. */
  async deliver(from: string, xml: string): Promise<void> {
    const answer = await this.take(from, [{ xml }])
    if (answer.batch !== 200) throw new Error(answer.items[0]?.code)
  }

  /** The other party says something of an invoice. */
  sayAs(nif: string, role: 'issuer' | 'recipient', report: StatusReport): string {
    const answer = this.say(nif, {
      id: 'other',
      role,
      senderTaxId: nif,
      issuedAt: this.now().toISOString(),
      reports: [report],
    })
    return answer.items[0]?.code ?? ''
  }

  /** A supplier withdraws an invoice. */
  withdrawAs(nif: string, invoice: InvoiceCode): void {
    this.remove(nif, invoice)
  }

  private shown({ code, locator, presentedAt, copy, withdrawn, statuses }: Held): Found {
    return structuredClone({ invoice: code, locator, presentedAt, copy, withdrawn, statuses })
  }

  private tell(nif: string | null, event: ExchangeEvent): void {
    if (nif === null) return
    const all = this.events.get(nif) ?? []
    this.events.set(nif, all)
    all.push(structuredClone(event))
  }

  private async change<T>(name: string, act: () => Promise<T>): Promise<T> {
    this.calls.push(name)
    const fault = this.faults.shift()
    if (fault === 'down') throw new NothingDone('down', 'scripted')
    if (fault === 'throttled') throw new NothingDone('throttled', 'scripted', 120)
    if (fault === 'refuses_all') throw new NothingDone('refused', 'scripted')
    if (fault === 'dies_before') this.onDeath()
    if (fault === 'lost_before' || fault === 'dies_before') throw new OutcomeUnknown('scripted')
    const answer = await act()
    if (fault === 'dies_after') this.onDeath()
    if (fault === 'lost_after' || fault === 'dies_after') throw new OutcomeUnknown('scripted')
    return answer
  }

  private async read<T>(name: string, act: () => T): Promise<T> {
    this.calls.push(name)
    const fault = this.faults.shift()
    if (fault === 'dies_before' || fault === 'dies_after') this.onDeath()
    if (fault === 'throttled') throw new NothingDone('throttled', 'scripted', 120)
    if (fault !== undefined) throw new NothingDone('down', 'scripted')
    return act()
  }

  private answer(items: AnswerItem[]): PlatformAnswer {
    const taken = items.filter(({ code }) => code === '200').length
    this.count += 1
    return {
      csv: `CSV${String(this.count).padStart(13, '0')}`,
      batch: taken === items.length ? 200 : taken === 0 ? 400 : 206,
      items,
    }
  }

  private async take(nif: string, items: readonly { xml: string }[]): Promise<PlatformAnswer> {
    const answers: AnswerItem[] = []
    for (const { xml } of items) {
      const bytes = new Uint8Array(Buffer.from(xml, 'utf8'))
      const file = readDocument({ bytes, invoiceOnly: true })
      const read = file?.kind === 'invoice' ? file.invoice : null
      if (read === null || read.issuerTaxId !== nif) {
        answers.push({ invoice: null, code: 'SPFE-GEN-01', text: 'unreadable', locator: null })
        continue
      }
      const code = { issuerTaxId: read.issuerTaxId, number: read.number, issueDate: read.issueDate }
      const rule = this.refused.get(read.number)
      if (this.find(code) || rule) {
        answers.push({
          invoice: code,
          code: rule ?? 'SPFE-GEN-45',
          text: rule ? 'rule' : 'duplicate',
          locator: null,
        })
        continue
      }
      this.count += 1
      const held: Held = {
        code,
        recipient: read.recipientTaxId,
        xml: bytes,
        locator: `LOCGENV1:O:${this.count}`,
        presentedAt: this.now().toISOString(),
        copy: read.copy,
        withdrawn: false,
        statuses: [],
      }
      this.held.push(held)
      this.tell(held.recipient, { kind: 'arrived', at: held.presentedAt, found: this.shown(held) })
      answers.push({ invoice: code, code: '200', text: '', locator: held.locator })
    }
    return this.answer(answers)
  }

  private remove(nif: string, invoice: InvoiceCode): PlatformAnswer {
    const held = this.find(invoice)
    if (!held || held.code.issuerTaxId !== nif)
      return this.answer([{ invoice, code: 'SPFE-GEN-50', text: 'unknown', locator: null }])
    held.withdrawn = true
    this.tell(held.recipient, { kind: 'withdrawn', at: this.now().toISOString(), invoice })
    return this.answer([{ invoice, code: '200', text: '', locator: null }])
  }

  private say(nif: string, message: StatusMessage): PlatformAnswer {
    return this.answer(
      message.reports.map((report) => {
        const { invoice, kind } = report
        const held = this.find(invoice)
        const isParty =
          held && (message.role === 'issuer' ? held.code.issuerTaxId === nif : held.recipient === nif)
        if (!held || !isParty) return { invoice, code: 'SPFE-GEN-50', text: 'unknown', locator: null }
        const last = held.statuses.findLast(({ role }) => role === message.role)
        const stands = last ? STANDS[last.kind] : null
        const wants = TAKES_BACK[kind] ?? null
        if (wants !== stands)
          return { invoice, code: 'SPFE-GEN-60', text: `stands: ${stands}`, locator: null }
        const status = { ...report, role: message.role, presentedAt: this.now().toISOString() }
        held.statuses.push(status)
        this.tell(message.role === 'issuer' ? held.recipient : held.code.issuerTaxId, {
          kind: 'status',
          at: status.presentedAt,
          invoice,
          status,
        })
        return { invoice, code: '200', text: '', locator: held.locator }
      }),
    )
  }
}
