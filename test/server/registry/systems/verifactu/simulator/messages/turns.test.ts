import { describe, expect, test } from 'vitest'
import {
  buildCancellation,
  buildRegistration,
} from '../../../../../../../server/registry/systems/verifactu/record/xml.ts'
import { buildSubmission } from '../../../../../../../server/registry/systems/verifactu/wire/messages.ts'
import { readReply } from '../../../../../../../server/registry/systems/verifactu/wire/reply.ts'
import {
  cancellation,
  GENERATED_AT,
  invoice,
  ISSUER,
  NOW,
  openSimulator,
  PREVIOUS,
  SYSTEM,
  verdict,
} from '../../../../samples.ts'
import { after, leaf } from '../spoil.ts'
import type { Spoil } from '../spoil.ts'
import type {
  MemoryState,
  Simulator,
} from '../../../../../../../server/registry/systems/verifactu/simulator/index.ts'

const STATES = ['none', 'active', 'cancelled'] as const
type Held = (typeof STATES)[number]

interface Opened {
  simulator: Simulator
  state: MemoryState
  register: (
    spoil?: Spoil,
    generatedAt?: string,
  ) => Promise<{ verdict: string; answer: string; hash: string }>
  cancel: (spoil?: Spoil, generatedAt?: string) => Promise<{ verdict: string; answer: string; hash: string }>
}

/** Creates a simulator that holds the plain invoice in a state, with two ways to continue. */
async function holding(held: Held): Promise<Opened> {
  const { simulator, state } = openSimulator({ now: () => NOW })
  const send = async (made: { xml: string; hash: string }, spoil: Spoil = (xml) => xml) => {
    const answer = await simulator.submit(spoil(buildSubmission({ issuer: ISSUER }, [made.xml])))
    return { verdict: verdict(readReply(answer)), answer, hash: made.hash }
  }
  const opened: Opened = {
    simulator,
    state,
    register: (spoil, generatedAt = GENERATED_AT) =>
      send(buildRegistration(invoice(), PREVIOUS, SYSTEM, generatedAt), spoil),
    cancel: (spoil, generatedAt = GENERATED_AT) =>
      send(buildCancellation(cancellation(), PREVIOUS, SYSTEM, generatedAt), spoil),
  }
  if (held !== 'none') expect((await opened.register()).verdict).toBe('Correcto')
  if (held === 'cancelled') expect((await opened.cancel()).verdict).toBe('Correcto')
  return opened
}

/** Returns the flags of a registration, which follow the issuer's name; `-` omits one. */
const registrationFlags =
  (correction: string, rejection: string): Spoil =>
  (xml) => {
    const flags =
      (correction === '-' ? '' : leaf('Subsanacion', correction)) +
      (rejection === '-' ? '' : leaf('RechazoPrevio', rejection))
    return flags === '' ? xml : after('NombreRazonEmisor', flags)(xml)
  }

const cancellationFlags =
  (unregistered: string, rejection: string): Spoil =>
  (xml) => {
    const flags =
      (unregistered === '-' ? '' : leaf('SinRegistroPrevio', unregistered)) +
      (rejection === '-' ? '' : leaf('RechazoPrevio', rejection))
    return flags === '' ? xml : after('RefExterna', flags)(xml)
  }

const LATER = '2026-11-16T10:00:01+01:00'

describe('a registration', () => {
  const refused = 'Incorrecto 3000'
  const unknown = 'Incorrecto 3002'
  const done = 'Correcto'
  /** Row of the table, Subsanacion, RechazoPrevio, then the outcome for a key held as none, active, cancelled. */
  const ROWS: [string, string, string, string, string, string][] = [
    ['first', '-', '-', done, refused, refused],
    ['first', 'N', '-', done, refused, refused],
    ['first', '-', 'N', done, refused, refused],
    ['first', 'N', 'N', done, refused, refused],
    ['after the first was rejected', 'S', 'X', done, refused, refused],
    ['correction', 'S', '-', unknown, done, done],
    ['correction', 'S', 'N', unknown, done, done],
    ['correction after a rejected correction', 'S', 'S', unknown, done, done],
    ['of an invoice never sent in this mode', 'S', 'X', done, refused, refused],
  ]
  const CASES = ROWS.flatMap(([row, correction, rejection, ...outcomes]) =>
    STATES.map((held, index) => [row, correction, rejection, held, outcomes[index] ?? ''] as const),
  )

  test.each(CASES)(
    '%s (Subsanacion %s, RechazoPrevio %s), held as %s: %s',
    async (_row, s, r, held, outcome) => {
      const { register, state } = await holding(held)
      const [before] = state.entries()
      const records = state.records().length
      const { verdict: got, answer, hash } = await register(registrationFlags(s, r), LATER)
      expect(got).toBe(outcome)
      const [entry] = state.entries()
      if (outcome === done) {
        // A correction replaces the held record, and reactivates a cancelled invoice.
        expect(entry).toMatchObject({ status: 'active', hash, generatedAt: LATER })
        expect(entry?.cancellationHash).toBe(before?.cancellationHash ?? null)
        expect(state.records()).toHaveLength(records + 1)
      } else {
        expect(entry).toEqual(before)
        expect(state.records()).toHaveLength(records)
      }
      const duplicate = /<sf:EstadoRegistroDuplicado>(\w+)</.exec(answer)?.[1]
      const held3000 = { none: undefined, active: 'Correcta', cancelled: 'Anulada' }[held]
      expect(duplicate).toBe(outcome === refused ? held3000 : undefined)
      // The answer repeats the flags as received.
      expect(answer).toContain(
        `<sf:TipoOperacion>Alta</sf:TipoOperacion>${s === '-' ? '' : leaf('Subsanacion', s)}${r === '-' ? '' : leaf('RechazoPrevio', r)}</sfR:Operacion>`,
      )
    },
  )

  test.each([
    ['S', 'N', '1161'],
    ['S', '-', '1161'],
    ['X', 'N', '1153'],
    ['X', '-', '1153'],
  ])(
    'with RechazoPrevio %s and Subsanacion %s is rejected whatever is held',
    async (rejection, correction, code) => {
      for (const held of STATES) {
        const { register } = await holding(held)
        expect((await register(registrationFlags(correction, rejection))).verdict).toBe(`Incorrecto ${code}`)
      }
    },
  )
})

describe('a cancellation', () => {
  const done = 'Correcto'
  const unknown = 'Incorrecto 3002'
  const refused = 'Incorrecto 3000'
  const ROWS: [string, string, string, string, string, string][] = [
    ['usual', '-', '-', unknown, done, done],
    ['usual', 'N', '-', unknown, done, done],
    ['usual', '-', 'N', unknown, done, done],
    ['usual', 'N', 'N', unknown, done, done],
    ['after a rejected one', '-', 'S', unknown, done, done],
    ['after a rejected one', 'N', 'S', unknown, done, done],
    ['of a key that is not held', 'S', '-', done, refused, refused],
    ['of a key that is not held', 'S', 'N', done, refused, refused],
    ['of a key that is not held, after a rejected one', 'S', 'S', done, refused, refused],
  ]
  const CASES = ROWS.flatMap(([row, unregistered, rejection, ...outcomes]) =>
    STATES.map((held, index) => [row, unregistered, rejection, held, outcomes[index] ?? ''] as const),
  )

  test.each(CASES)(
    '%s (SinRegistroPrevio %s, RechazoPrevio %s), held as %s: %s',
    async (_row, unregistered, rejection, held, outcome) => {
      const { cancel, state } = await holding(held)
      const [before] = state.entries()
      const { verdict: got, answer, hash } = await cancel(cancellationFlags(unregistered, rejection), LATER)
      expect(got).toBe(outcome)
      const [entry] = state.entries()
      if (outcome === done) {
        expect(entry).toMatchObject({ status: 'cancelled', cancellationHash: hash })
        // The registration remains what a query returns of the invoice.
        expect(entry?.hash).toBe(before?.hash ?? null)
        expect(entry?.generatedAt).toBe(before?.generatedAt ?? LATER)
        expect(state.records().at(-1)).toMatchObject({ kind: 'cancellation', hash })
      } else {
        expect(entry).toEqual(before)
      }
      expect(answer).toContain('<sf:TipoOperacion>Anulacion</sf:TipoOperacion>')
      expect(answer.includes('RegistroDuplicado')).toBe(outcome === refused)
    },
  )

  test('with X, which only registrations have, violates the schema', async () => {
    const { cancel } = await holding('active')
    expect((await cancel(cancellationFlags('-', 'X'))).verdict).toBe('fault 4102')
  })

  test('makes a number unusable, but a correction can bring the invoice back', async () => {
    const { register, cancel, state } = await holding('cancelled')
    expect((await register()).verdict).toBe('Incorrecto 3000')
    expect((await register(registrationFlags('S', '-'))).verdict).toBe('Correcto')
    expect((await cancel(undefined, LATER)).verdict).toBe('Correcto')
    expect(state.records().map(({ kind }) => kind)).toEqual([
      'registration',
      'cancellation',
      'registration',
      'cancellation',
    ])
    expect(state.entries()).toMatchObject([{ status: 'cancelled' }])
  })

  test('without a registration makes the next one a duplicate that was annulled', async () => {
    const { register, cancel } = await holding('none')
    expect((await cancel(cancellationFlags('S', '-'))).verdict).toBe('Correcto')
    const { answer } = await register()
    expect(readReply(answer)).toMatchObject({ lines: [{ code: '3000', duplicate: { state: 'Anulada' } }] })
  })
})
