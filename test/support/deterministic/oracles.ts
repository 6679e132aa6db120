/**
 * Invariants after every step with any faults, and those after all faults have ended. They are checked on rows and on
 * the records of other parties, never on the product's own statements; its own integrity check is an addition.
 */
import { sql } from 'kysely'
import { WEBHOOK_TYPES } from '../../../server/platform/webhooks/event-types.ts'
import type { Db } from '../../../server/db/query.ts'
import type { MockAuthority } from './authority.ts'
import type { MockReceiver } from './receiver.ts'
import { HOUR, MINUTE } from './surroundings.ts'

const hex = (bytes: Uint8Array | null): string =>
  Buffer.from(bytes ?? [])
    .toString('hex')
    .toUpperCase()

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Broken: ${what}`)
}

interface Issued {
  number: string
  total: number
  hash: string
}

const DAY = 24 * HOUR
/** Retention of tokens and replies, and of accepted messages. */
const KEPT = { tokens: 7 * DAY, replies: 7 * DAY, messages: 30 * DAY } as const
/** Maximum by which this computer's clock is ahead of the real time. */
const AHEAD = 9 * MINUTE

export class Oracles {
  /** Invoices acknowledged as issued: identifier and number. */
  readonly acknowledged = new Map<string, string>()
  private readonly issued = new Map<string, Issued>()
  private readonly records: string[] = []
  /** Tokens that issued something and have been deleted. */
  private forgottenTokens = 0

  /** Cheap enough for every step. */
  async afterStep(db: Db, time: number): Promise<void> {
    await this.numbers(db)
    await this.registrations(db)
    await this.tokens(db)
    await this.told(db)
    await this.eventsHandedOut(db, time)
  }

  /**
   * Checks that numbers of each series are consecutive from 1, and that issued or acknowledged invoices are
   * unchanged.
   */
  private async numbers(db: Db): Promise<void> {
    const rows = await db
      .selectFrom('invoices')
      .select(['public_id', 'series_id', 'sequence', 'number', 'total_cents', 'content_hash'])
      .where('state', '=', 'issued')
      .orderBy('series_id')
      .orderBy('sequence')
      .execute()
    const byId = new Map<string, Issued>()
    let before = { series: -1, sequence: 0 }
    for (const row of rows) {
      const expected = row.series_id === before.series ? before.sequence + 1 : 1
      must(row.sequence === expected, `${row.number} stands where ${expected} was expected.`)
      before = { series: row.series_id ?? -1, sequence: row.sequence ?? 0 }
      byId.set(row.public_id, {
        number: row.number ?? '',
        total: row.total_cents,
        hash: hex(row.content_hash),
      })
    }
    for (const [id, known] of this.issued) {
      const now = byId.get(id)
      must(
        now?.number === known.number && now.total === known.total && now.hash === known.hash,
        `${known.number} was ${JSON.stringify(known)} and is ${JSON.stringify(now)}.`,
      )
    }
    for (const [id, number] of this.acknowledged)
      must(byId.get(id)?.number === number, `${number} was told as issued and is not there.`)
    for (const [id, invoice] of byId) this.issued.set(id, invoice)
  }

  /** Checks one first registration per issued invoice, and that no known record is missing or changed. */
  private async registrations(db: Db): Promise<void> {
    const rows = await db
      .selectFrom('registry_records')
      .select(['id', 'book_id', 'sequence', 'kind', 'turn', 'invoice_id', 'hash'])
      .orderBy('id')
      .execute()
    const firsts = new Set<number>()
    const heads = new Map<number, number>()
    for (const [index, row] of rows.entries()) {
      const content = `${row.id} ${row.book_id} ${row.sequence} ${row.kind} ${row.turn} ${row.invoice_id} ${hex(row.hash)}`
      must((this.records[index] ?? content) === content, `record ${content} was ${this.records[index]}.`)
      this.records[index] = content
      must(row.sequence === (heads.get(row.book_id) ?? 0) + 1, `record ${content} leaves a gap.`)
      heads.set(row.book_id, row.sequence)
      // The first record of an invoice is its registration; later ones correct or annul it.
      if (!firsts.has(row.invoice_id))
        must(row.kind === 'registration', `record ${content} is no registration.`)
      firsts.add(row.invoice_id)
    }
    must(rows.length >= this.records.length, 'a record is gone.')
    must(firsts.size === this.issued.size, `${this.issued.size} invoices and ${firsts.size} registered.`)
    const { rows: doubled } = await sql<{ invoice_id: number; turns: number }>`
      select invoice_id, count(*) as turns from registry_records where turn = 'first' and kind = 'registration' group by invoice_id having count(*) > 1`.execute(
      db,
    )
    must(doubled.length === 0, `invoices ${JSON.stringify(doubled)} were registered more than once.`)
  }

  /** Runs deletions through `work`, and checks the age of what is gone. */
  async whileForgetting(db: Db, time: number, work: () => Promise<void>): Promise<void> {
    const tokens = () =>
      db.selectFrom('confirmations').select(['token_hash', 'action', 'used_at', 'created_at']).execute()
    const replies = () =>
      db.selectFrom('idempotency_keys').select(['scope', 'idempotency_key', 'created_at']).execute()
    const [tokensBefore, repliesBefore] = [await tokens(), await replies()]
    try {
      await work()
    } finally {
      const tokensLeft = new Set((await tokens()).map(({ token_hash }) => hex(token_hash)))
      const tokensGone = tokensBefore.filter(({ token_hash }) => !tokensLeft.has(hex(token_hash)))
      this.forgottenTokens += tokensGone.filter(
        ({ action, used_at }) => action === 'issue' && used_at !== null,
      ).length
      const nameOf = (row: { scope: string; idempotency_key: string }) =>
        `${row.scope} ${row.idempotency_key}`
      const repliesLeft = new Set((await replies()).map(nameOf))
      const repliesGone = repliesBefore.filter((row) => !repliesLeft.has(nameOf(row)))
      for (const { created_at } of tokensGone)
        must(
          created_at < time + AHEAD - KEPT.tokens,
          `a token of ${new Date(created_at).toISOString()} is forgotten.`,
        )
      for (const row of repliesGone)
        must(row.created_at < time + AHEAD - KEPT.replies, `the reply to ${nameOf(row)} is forgotten.`)
    }
  }

  /** Checks that every issued invoice used one token, and every used token issued one. */
  private async tokens(db: Db): Promise<void> {
    const { spent } = await db
      .selectFrom('confirmations')
      .select((eb) => eb.fn.countAll<number>().as('spent'))
      .where('action', '=', 'issue')
      .where('used_at', 'is not', null)
      .executeTakeFirstOrThrow()
    const all = spent + this.forgottenTokens
    must(all === this.issued.size, `${this.issued.size} invoices and ${all} tokens spent.`)
  }

  /** Checks that every issued invoice occurs once in the events and in the history: both are written with it. */
  private async told(db: Db): Promise<void> {
    const { rows } = await sql<{ events: number; history: number }>`
      select (select count(*) from events where type = 'invoice.issued') as events,
        (select count(*) from audit_events where action = 'invoice.issued' and outcome = 'ok') as history`.execute(
      db,
    )
    const [counted] = rows
    must(
      counted?.events === this.issued.size && counted.history === this.issued.size,
      `${this.issued.size} invoices are told as ${JSON.stringify(counted)}.`,
    )
  }

  /** Checks for each webhook that every subscribed event up to the cursor is due, in flight, accepted or given up. */
  private async eventsHandedOut(db: Db, time: number): Promise<void> {
    const { rows } = await sql<{ url: string; missing: number }>`
      select webhooks.public_id as url, count(*) as missing from webhooks
        join events on events.book_id = webhooks.book_id and events.id > webhooks.after_event_id
          and events.id <= coalesce((select event_id from event_cursors where event_cursors.book_id = events.book_id), 0)
        left join webhook_deliveries on webhook_deliveries.webhook_id = webhooks.id
          and webhook_deliveries.event_id = events.id
      where webhook_deliveries.id is null and events.type in (${sql.join(WEBHOOK_TYPES)})
        and events.at > ${new Date(time + AHEAD - KEPT.messages).toISOString()}
      group by webhooks.id`.execute(db)
    must(rows.length === 0, `events were not handed out: ${JSON.stringify(rows)}.`)
  }

  /**
   * Checks that deliveries marked as accepted were accepted, and that the authority holds each record once, plus once
   * for each duplicate by the network.
   */
  async others(db: Db, authority: MockAuthority, receiver: MockReceiver): Promise<void> {
    const done = await db
      .selectFrom('webhook_deliveries')
      .select('public_id')
      .where('state', '=', 'done')
      .execute()
    for (const { public_id: id } of done)
      must(receiver.taken.has(id), `${id} is marked as taken and never was.`)
    const times = new Map<string, number>()
    for (const { hash } of authority.state.records()) times.set(hash, (times.get(hash) ?? 0) + 1)
    for (const [hash, count] of times) {
      const most = 1 + (authority.doubled.get(hash) ?? 0)
      must(count <= most, `the authority holds ${hash} ${count} times, and not ${most} at most.`)
    }
  }

  /** Checks after all faults that nothing waits, and that accepted records are the ones held by the authority. */
  async afterHealing(db: Db, authority: MockAuthority): Promise<void> {
    const rows = await db
      .selectFrom('registry_records')
      .innerJoin('registry_submissions', 'registry_submissions.record_id', 'registry_records.id')
      .innerJoin('invoices', 'invoices.id', 'registry_records.invoice_id')
      .innerJoin('books', 'books.id', 'registry_records.book_id')
      .innerJoin('companies', 'companies.id', 'books.company_id')
      .select([
        'registry_records.id',
        'registry_records.kind',
        'registry_records.hash',
        'status',
        'number',
        'nif',
        'mode',
      ])
      .orderBy('registry_records.id')
      .execute()
    must(
      rows.length === this.records.length,
      `${this.records.length} records and ${rows.length} in the queue.`,
    )
    const waiting = rows.filter(
      ({ status }) => !['accepted', 'accepted_with_errors', 'rejected'].includes(status),
    )
    must(
      waiting.length === 0,
      `records wait: ${JSON.stringify(waiting.map(({ id, status }) => [id, status]))}.`,
    )
    const held = new Set(authority.state.records().map(({ hash }) => hash))
    // A test book's records go only to the authority inside the product.
    const live = rows.filter(({ mode }) => mode === 'live')
    const entries = new Map(
      authority.state.entries().map((entry) => [`${entry.issuerNif} ${entry.number}`, entry]),
    )
    const ours = new Set(live.map(({ hash }) => hex(hash)))
    // If another program annulled it, the annulment is already in effect and our record is not stored there.
    const isMoot = ({ kind, nif, number, hash }: (typeof live)[number]): boolean => {
      const entry = entries.get(`${nif} ${number}`)
      const annulledBy = entry?.status === 'cancelled' ? entry.cancellationHash : null
      return kind === 'cancellation' && !held.has(hex(hash)) && annulledBy != null && !ours.has(annulledBy)
    }
    const accepted = live.filter((row) => row.status !== 'rejected' && !isMoot(row))
    for (const { number, hash } of accepted)
      must(held.has(hex(hash)), `${number} was accepted and is not held.`)
    for (const { number, hash } of live.filter(({ status }) => status === 'rejected'))
      must(!held.has(hex(hash)), `${number} is held and counts as rejected.`)
    must(
      held.size === new Set(accepted.map(({ hash }) => hex(hash))).size,
      'the authority holds what nobody sent.',
    )
    const last = new Map(accepted.map((row) => [`${row.nif} ${row.number}`, row]))
    for (const [name, { kind, hash }] of last) {
      const entry = entries.get(name)
      const there = kind === 'cancellation' ? entry?.cancellationHash : entry?.hash
      must(there === hex(hash), `${name} is not held as it was sent last.`)
      must(
        entry?.status === (kind === 'cancellation' ? 'cancelled' : 'active'),
        `${name} is ${entry?.status} there.`,
      )
    }
    const { rows: due } = await sql<{ id: string; state: string }>`
      select webhook_deliveries.public_id as id, webhook_deliveries.state from webhook_deliveries
        join webhooks on webhooks.id = webhook_deliveries.webhook_id
      where webhooks.state = 'active' and webhook_deliveries.state in ('due', 'leased')`.execute(db)
    must(due.length === 0, `messages wait: ${JSON.stringify(due.slice(0, 5))}.`)
  }
}
