/** Authorities for the tests of the queue: they record what they receive and answer as the test specifies. */
import type { Authority, Exchange, NotSentReason } from '../../../server/registry/queue/authority.ts'
import { simulatedAuthority } from '../../../server/registry/systems/verifactu/simulator/stored.ts'
import type { TestBooks } from '../../support/books.ts'

/** Returns an answer with this body. */
export function answering(body: string, status = 200, serverTime: number | null = null): Exchange {
  return { kind: 'answered', status, body: new TextEncoder().encode(body), serverTime }
}

/** Returns the exchange of a message that was not sent. */
export function unsent(reason: NotSentReason): Exchange {
  return { kind: 'not_sent', reason, detail: 'as the test says' }
}

/** Returns the exchange of a message without an answer. */
export function unheard(): Exchange {
  return { kind: 'no_answer', detail: 'as the test says' }
}

function bodyOf(exchange: Exchange): string {
  return exchange.kind === 'answered' ? new TextDecoder().decode(exchange.body) : ''
}

/** Returns an answer with its text changed. */
export function changed(exchange: Exchange, change: (text: string) => string): Exchange {
  return exchange.kind === 'answered'
    ? { ...exchange, body: new TextEncoder().encode(change(bodyOf(exchange))) }
    : exchange
}

/** Returns a SOAP fault. */
export function faulting(side: 'Client' | 'Server', text: string, status = 500): Exchange {
  return answering(
    `<?xml version="1.0" encoding="UTF-8"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body><env:Fault><faultcode>env:${side}</faultcode><faultstring>${text}</faultstring></env:Fault></env:Body></env:Envelope>`,
    status,
  )
}

export interface Listening extends Authority {
  envelopes: string[]
  queries: string[]
}

/** Wraps the book's own simulated authority, or another one, with the test's answers to submissions and queries. */
export function listening(
  world: TestBooks,
  submit: (envelope: string, real: Authority) => Promise<Exchange> = (envelope, real) =>
    real.submit(envelope),
  query: (envelope: string, real: Authority) => Promise<Exchange> = (envelope, real) => real.query(envelope),
  real: Authority = simulatedAuthority(world.test),
): Listening {
  const envelopes: string[] = []
  const queries: string[] = []
  return {
    envelopes,
    queries,
    submit: (envelope) => {
      envelopes.push(envelope)
      return submit(envelope, real)
    },
    query: (envelope) => {
      queries.push(envelope)
      return query(envelope, real)
    },
  }
}

/** Returns the references of the records in a message, in order. */
export function recordsIn(envelope = ''): string[] {
  return [...envelope.matchAll(/<sf:RefExterna>(rec-\d+)</g)].map((match) => match[1] ?? '')
}
