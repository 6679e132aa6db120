/** Books that use a public platform in memory, whose background work can be killed at any transaction or message. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { STEP_CHANNEL } from '../../../server/db/failpoints.ts'
import type { Step } from '../../../server/db/failpoints.ts'
import { createSystemCtx } from '../../../server/context.ts'
import type { AppEnvironment, Ctx } from '../../../server/context.ts'
import { invoiceXml } from '../../../server/integrations/exchange/formats.ts'
import { exchangeTurn } from '../../../server/integrations/exchange/sending/turn.ts'
import type { OutputOf } from '../../../server/api/contracts.ts'
import { CLIENT_ADDRESS, openBooks } from '../books.ts'
import type { TestBooks } from '../books.ts'
import { EXAMPLE_COMPANY } from '../store.ts'
import { MemoryPlatform } from './memory-platform.ts'

/** The program was killed here: nothing after it runs. */
class Killed extends Error {}

type Document = OutputOf<'exchange.get'>

export const OWN_NIF = EXAMPLE_COMPANY.nif
export const SUPPLIER_NIF = 'A58818501'

export interface ExchangeBooks extends TestBooks {
  platform: MemoryPlatform
  /** Does what is due. Returns null if the program was killed. */
  turn(): Promise<number | null | 'killed'>
  /** Turns until nothing is due within the next hours, with the clock going on. */
  quiet(): Promise<void>
  goOn(ms: number): void
  /** Kills the work at its nth transaction from now: before it, or after its commit. */
  killAt(nth: number, after: boolean): void
  /** Kills the work when it reaches a failpoint. Returns whether it did since. */
  killAtStep(step: Step): () => boolean
  /** Returns the followed document of an invoice. */
  documentOf(invoiceId: string): Promise<Document>
  /** A supplier sends an invoice to this company by the platform. */
  deliver(number: string, issueDate: string): Promise<void>
  nowMs(): number
}

/** Opens books whose test book sends. */
export async function openExchange(
  at = '2027-10-07T10:00:00Z',
  options: Omit<NonNullable<Parameters<typeof openBooks>[0]>, 'at'> = {},
): Promise<ExchangeBooks> {
  const world = await openBooks({ ...options, at })
  let now = Date.parse(at)
  const platform = new MemoryPlatform(() => new Date(now))
  let isDead = false
  let countdown = 0
  let diesAfter = false
  const die = (): never => {
    isDead = true
    throw new Killed()
  }
  platform.onDeath = () => {
    isDead = true
  }
  const mortal = (): AppEnvironment['store'] => {
    const { store } = world.env
    return new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        if (name !== 'transaction') return value.bind(target)
        return async (...given: unknown[]) => {
          if (isDead) throw new Killed()
          countdown -= 1
          const isLast = countdown === 0
          if (isLast && !diesAfter) die()
          const done: unknown = await Reflect.apply(value, target, given)
          return isLast ? die() : done
        }
      },
    })
  }
  let store = mortal()
  const env = (): AppEnvironment => Object.create(world.env, { store: { value: store } }) as AppEnvironment
  const books: ExchangeBooks = {
    ...world,
    get test() {
      return world.test
    },
    get live() {
      return world.live
    },
    platform,
    invoice: (changes, ctx) => world.invoice({ client: { address: CLIENT_ADDRESS }, ...changes }, ctx),
    async turn() {
      isDead = false
      const ctx: Ctx = createSystemCtx(env(), world.books.test)
      const port = platform.portOf(OWN_NIF)
      try {
        return await exchangeTurn(ctx, () => Promise.resolve({ port, why: null }))
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        // Another process: nothing in memory is left.
        store = mortal()
        return 'killed'
      } finally {
        countdown = 0
        isDead = false
      }
    },
    async quiet() {
      platform.faults.length = 0
      countdown = 0
      for (let at = 0; at < 30; at += 1) {
        books.goOn(20 * 60_000)
        await books.turn()
      }
    },
    goOn(ms) {
      now += ms
      world.setTime(new Date(now).toISOString())
    },
    setTime(time) {
      now = Date.parse(time)
      world.setTime(time)
    },
    killAt(nth, after) {
      countdown = nth
      diesAfter = after
    },
    killAtStep(step) {
      let isReached = false
      const listen = (reached: unknown): void => {
        if (reached !== step || isReached) return
        isReached = true
        isDead = true
      }
      subscribe(STEP_CHANNEL, listen)
      return () => {
        unsubscribe(STEP_CHANNEL, listen)
        return isReached
      }
    },
    async documentOf(invoiceId) {
      const { items } = await world.run('exchange.list', { invoiceId })
      return world.run('exchange.get', { id: items[0]?.id ?? '' })
    },
    async deliver(number, issueDate) {
      await platform.deliver(SUPPLIER_NIF, await supplierXml(number, issueDate))
    },
    nowMs: () => now,
  }
  let template: { xml: string; number: string; issueDate: string } | null = null
  /** An invoice as a supplier's program writes it: one of ours with the parties and the number changed. */
  async function supplierXml(number: string, issueDate: string): Promise<string> {
    if (template === null) {
      const invoice = await books.invoice({ clientNif: SUPPLIER_NIF, clientName: 'Proveedor, S.A.' })
      const row = await world.test.db
        .selectFrom('invoices')
        .select('id')
        .where('public_id', '=', invoice.id)
        .executeTakeFirstOrThrow()
      const made = await invoiceXml(world.test, row.id, { copy: false })
      if (!('xml' in made)) throw new Error(made.fault)
      template = { xml: made.xml, number: invoice.number ?? '', issueDate: invoice.issueDate ?? '' }
    }
    return template.xml
      .replaceAll(OWN_NIF, '#own#')
      .replaceAll(SUPPLIER_NIF, OWN_NIF)
      .replaceAll('#own#', SUPPLIER_NIF)
      .replaceAll(template.number, number)
      .replaceAll(template.issueDate, issueDate)
  }
  // Made before anything is followed.
  await supplierXml('X', at.slice(0, 10))
  await world.run('exchange.setSettings', { sending: true })
  return books
}
