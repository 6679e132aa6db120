/**
 * Sends damaged messages to the simulated e-invoice platform, and damaged answers to its client, and prints what came of them as
 * JSON. A program of its own, so that its memory is its own. Argument: how many of each.
 */
import { createExchangeClient } from '../../../server/integrations/exchange/client/index.ts'
import type { HttpOutcome, Transport } from '../../../server/integrations/exchange/client/index.ts'
import { NothingDone, OutcomeUnknown } from '../../../server/integrations/exchange/port.ts'
import type { ExchangePort } from '../../../server/integrations/exchange/port.ts'
import {
  BUYER,
  codeOf,
  exchangeInvoice,
  messageOf,
  NOW,
  openedPlatform,
  report,
  SELLER,
} from '../exchange/exchange-invoices.ts'
import { dice } from '../seeded-random.ts'
import { peakOf } from './memory.ts'

const count = Number(process.argv[2])
const random = dice(20_271_225)
const figures = {
  toPlatform: 0,
  toClient: 0,
  taken: 0,
  refused: 0,
  answered: 0,
  unknown: 0,
  nothingDone: 0,
  wrong: 0,
  peakMb: 0,
}

const DTD = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'

/** Damages bytes in one of many ways. */
function spoiled(bytes: Uint8Array): Buffer {
  const given = Buffer.from(bytes)
  const at = random.below(given.length + 1)
  const to = Math.min(given.length, at + random.below(200))
  const insert = (text: string | Buffer): Buffer =>
    Buffer.concat([given.subarray(0, at), Buffer.from(text), given.subarray(at)])
  switch (random.below(14)) {
    case 0:
      return given.subarray(0, at)
    case 1:
      return Buffer.concat([given.subarray(0, at), given.subarray(to)])
    case 2:
      return insert(given.subarray(at, to))
    case 3:
      return insert(DTD)
    case 4:
      return insert('&b;')
    case 5:
      return insert(Buffer.from([0, 255, 254, 192]))
    case 6:
      return insert('<a>'.repeat(random.below(3_000)))
    case 7:
      return insert('x'.repeat(random.below(random.chance(0.02) ? 12_000_000 : 50_000)))
    case 8:
      return insert('<a b="c"/>'.repeat(random.below(20_000)))
    case 9:
      return Buffer.from(
        given.toString('latin1').replace('<?xml version="1.0" encoding="UTF-8"?>', `$&${DTD}`),
        'latin1',
      )
    case 10:
      return Buffer.from(given.toString('latin1').replace(/--[\w-]+--\s*$/, ''), 'latin1')
    case 11:
      return Buffer.from(given.toString('utf8').replaceAll('<cbc:', '<'), 'utf8')
    case 12:
      return Buffer.from(given.toString('utf8'), 'utf16le')
    default: {
      const changed = Buffer.from(given)
      for (let flips = 1 + random.below(4); flips > 0; flips -= 1)
        changed[random.below(changed.length)] = random.below(256)
      return changed
    }
  }
}

const { platform, state, seller, buyer } = openedPlatform()
let ids = 0

/** A port whose messages and answers pass through here. */
function through(company: typeof SELLER, pass: (send: Transport) => Transport): ExchangePort {
  const direct: Transport = async ({ path, headers, body }) => {
    const contentType = headers['content-type'] ?? ''
    const reply = await platform.handle({ method: 'POST', path, contentType, body, callers: [company.nif] })
    return reply.kind === 'dropped' ? { kind: 'no_answer', detail: '' } : reply
  }
  return createExchangeClient({
    transport: pass(direct),
    company,
    senderNif: company.nif,
    now: () => NOW,
    newId: () => `damaged-${++ids}`,
  })
}

const sent = await seller.send(['H-1', 'H-2', 'H-3'].map((number) => ({ xml: exchangeInvoice({ number }) })))
await buyer.report(messageOf('recipient', [report('paid', codeOf('H-1'))]))
const locator = sent.items[0]?.locator ?? ''

/** Calls of every operation; those of the customer are by its port. */
const CALLS: readonly ((
  at: { seller: ExchangePort; buyer: ExchangePort },
  number: string,
) => Promise<unknown>)[] = [
  (at, number) =>
    at.seller.send([{ xml: exchangeInvoice({ number }) }, { xml: exchangeInvoice({ number: 'H-1' }) }]),
  (at) => at.buyer.report(messageOf('recipient', [report('rejected', codeOf('H-1'))])),
  (at) => at.seller.report(messageOf('issuer', [report('settlement_cancelled', codeOf('H-3'))])),
  (at) => at.seller.withdraw({ invoice: codeOf('H-1') }),
  (at) => at.seller.find({ role: 'issuer', codes: [codeOf('H-1'), codeOf('H-2')] }),
  (at) => at.buyer.find({ role: 'recipient', from: '2027-10-01', to: '2027-10-31' }),
  (at) => at.buyer.download([locator]),
]
const CHANGES = 4

/** Counts how a call ended; anything but a result or one of the two errors is wrong. */
async function ended(work: Promise<unknown>): Promise<'answered' | 'unknown' | 'nothing_done' | 'wrong'> {
  try {
    await work
    return 'answered'
  } catch (error) {
    if (error instanceof OutcomeUnknown) return 'unknown'
    if (error instanceof NothingDone) return 'nothing_done'
    process.stderr.write(`${(error as Error).stack}\n`)
    return 'wrong'
  }
}

function toPlatform(company: typeof SELLER): ExchangePort {
  return through(company, (send) => async (message) => {
    const before = state.all().length
    const damaged = { ...message, body: spoiled(message.body) }
    const outcome = await send(damaged)
    if (outcome.kind !== 'answered' || ![200, 400, 500].includes(outcome.status)) figures.wrong += 1
    if (state.all().length > before) figures.taken += 1
    else figures.refused += 1
    return outcome
  })
}

const damagedAsk = { seller: toPlatform(SELLER), buyer: toPlatform(BUYER) }
for (; figures.toPlatform < count; figures.toPlatform += 1) {
  const call = CALLS[figures.toPlatform % CALLS.length]
  if (call && (await ended(call(damagedAsk, `P-${figures.toPlatform}`))) === 'wrong') figures.wrong += 1
}

/** An answer that says the same as before it was damaged, or less: a refusal must not become an acceptance, nor the reverse. */
function contradicts(outcome: HttpOutcome, result: unknown): boolean {
  if (outcome.kind !== 'answered') return true
  const original = outcome.body.toString()
  const { items } = (result ?? {}) as { items?: { code: string }[] }
  if (!items) return false
  const codes = [...original.matchAll(/<cbc:DocumentStatusCode>([^<]*)</g)].map(([, code]) => code)
  return (
    JSON.stringify(items.map(({ code }) => code === '200')) !==
    JSON.stringify(codes.map((code) => code === '200'))
  )
}

for (; figures.toClient < count; figures.toClient += 1) {
  let whole: HttpOutcome = { kind: 'no_answer', detail: '' }
  const pass =
    (send: Transport): Transport =>
    async (message) => {
      whole = await send(message)
      return whole.kind === 'answered' ? { ...whole, body: spoiled(whole.body) } : whole
    }
  const index = figures.toClient % CALLS.length
  let result: unknown
  const work = CALLS[index]?.(
    { seller: through(SELLER, pass), buyer: through(BUYER, pass) },
    `C-${figures.toClient}`,
  ).then((got) => {
    result = got
  })
  const how = await ended(work ?? Promise.resolve())
  if (how === 'wrong' || (how === 'answered' && contradicts(whole, result))) figures.wrong += 1
  // Whatever comes instead of its answer, a message that was taken may not pass for one that was not.
  if (how === 'nothing_done' && index < CHANGES) figures.wrong += 1
  if (how === 'answered') figures.answered += 1
  if (how === 'unknown') figures.unknown += 1
  if (how === 'nothing_done') figures.nothingDone += 1
}

figures.peakMb = Math.round(peakOf(process.pid))
process.stdout.write(`${JSON.stringify(figures)}\n`)
