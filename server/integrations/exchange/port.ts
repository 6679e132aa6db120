/**
 * Port of the public e-invoice platform. An adapter carries each call in one or more messages and never repeats one that
 * may have arrived.
 *
 * A call that changes something fails in two ways only: `NothingDone`, where it is certain that the platform took nothing,
 * and `OutcomeUnknown`, which `find` settles. `find`, `download` and `events` change nothing and fail with `NothingDone`.
 */
import type { InvoiceCode, PlatformAnswer, StatusMessage, StatusReport, StatusRole } from './types.ts'

type NothingDoneCode =
  /** The platform cannot be reached, or a reading call got no usable answer. */
  | 'down'
  /** The platform refused the message as a whole. */
  | 'refused'
  /** Too many messages: `retryAfter` says how long to wait, where the platform does. */
  | 'throttled'
  /** The certificate is missing, out of date or refused, or its holder may not act for the company. */
  | 'not_allowed'
  /** There is no address to send to. */
  | 'not_configured'

/** It is certain that the platform took nothing of the call. */
export class NothingDone extends Error {
  readonly code: NothingDoneCode
  /** Seconds. */
  readonly retryAfter?: number

  constructor(code: NothingDoneCode, detail: string, retryAfter?: number) {
    super(detail)
    this.name = 'NothingDone'
    this.code = code
    if (retryAfter !== undefined) this.retryAfter = retryAfter
  }
}

/** The platform may have taken the call: no usable answer came. */
export class OutcomeUnknown extends Error {
  constructor(detail: string) {
    super(detail)
    this.name = 'OutcomeUnknown'
  }
}

/** An invoice that the platform holds, as it answers one of the parties. */
export interface Found {
  invoice: InvoiceCode
  locator: string
  presentedAt: string
  copy: boolean
  /** For platforms that still show what was withdrawn; the tax agency's does not. */
  withdrawn: boolean
  /** In the order of their presentation. */
  statuses: Array<StatusReport & { role: StatusRole; presentedAt: string }>
}

/** What the other side did. */
export type ExchangeEvent =
  /** An invoice for this company arrived. */
  | { kind: 'arrived'; at: string; found: Found }
  /** The other side reported a status; `status.role` is its role. */
  | { kind: 'status'; at: string; invoice: InvoiceCode; status: Found['statuses'][number] }
  /** An invoice that had arrived is no longer there: its issuer withdrew it. */
  | { kind: 'withdrawn'; at: string; invoice: InvoiceCode }

/** An answer, with the bytes of its document where the adapter has them. */
export type AnsweredBatch = PlatformAnswer & { original?: Uint8Array }

export interface ExchangePort {
  /** Sends invoices of the company, or copies: at most a batch (`inBatches`). */
  send(items: { xml: string }[]): Promise<AnsweredBatch>
  /** Withdraws an invoice whose operation never existed. */
  withdraw(item: { invoice: InvoiceCode }): Promise<AnsweredBatch>
  /** Reports up to 100 statuses of one role. */
  report(message: StatusMessage): Promise<AnsweredBatch>
  /**
   * Returns what the platform holds of invoices where the company has that role: by their codes (absent ones are left out),
   * or by the days of presentation, `from` and `to` included. A period comes in pages: pass `next` as `cursor` until it is null.
   */
  find(
    filter:
      | { role: StatusRole; codes: InvoiceCode[] }
      | { role: StatusRole; from: string; to: string; cursor?: string },
  ): Promise<{ found: Found[]; next: string | null }>
  /** Returns invoices as they were presented, byte for byte; those that the platform does not give are left out. */
  download(locators: string[]): Promise<{ locator: string; xml: Uint8Array }[]>
  /**
   * Returns what the other side did since the call whose `next` is given; null for everything recent. It looks at invoices
   * that were presented in the last months; `find` by codes tells about older ones. Keep `next` together with what the events
   * caused: a second call with the same `since` returns the same events again.
   */
  events(since: string | null): Promise<{ events: ExchangeEvent[]; next: string }>
}
