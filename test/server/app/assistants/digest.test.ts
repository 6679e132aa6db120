/** Logged facts of a call contain no secret and stay short, whatever an assistant sends. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../server/app/assistants/client.ts'
import {
  answerFacts,
  argumentFacts,
  invoiceIn,
  seenInvoices,
} from '../../../../server/app/assistants/digest.ts'
import { textFault } from '../../../../server/domain/text.ts'

const SECRETS = [
  'svct_Zk3mQ8vT1xLwP0aBcDeFgHiJkLmNoPqRsTuVwXyZ012',
  'svc_live_8hT2kQ0pVb7XcD4sLm9RzA1eYw3UnG5JfK6oBiHq',
  'svc_test_8hT2kQ0pVb7XcD4s',
  'sk-ant-api03-AbCdEfGhIjKlMnOp',
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'Bearer abc.def',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
  'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4',
]

describe('arguments', () => {
  test('are logged by path, and a field named like a secret never with its value', () => {
    expect(
      argumentFacts({
        clientName: 'Ana Ruiz Gil',
        lines: [{ description: 'Mano de obra', quantity: 2, unitPrice: 10 }],
        confirmationToken: 'short',
        idempotencyKey: 'chat-7-draft-1',
        nested: { apiKey: 'x', password: 'y', deep: { a: { b: { c: 'too deep' } } } },
        nothing: null,
      }),
    ).toEqual([
      { name: 'clientName', value: 'Ana Ruiz Gil' },
      { name: 'lines[1].description', value: 'Mano de obra' },
      { name: 'lines[1].quantity', value: '2' },
      { name: 'lines[1].unitPrice', value: '10' },
      { name: 'confirmationToken', value: '…' },
      { name: 'idempotencyKey', value: '…' },
      { name: 'nested.apiKey', value: '…' },
      { name: 'nested.password', value: '…' },
    ])
  })

  test.each(SECRETS)('%s is not logged, wherever it occurs', (secret) => {
    const kept = JSON.stringify([
      argumentFacts({ notes: `use ${secret} please`, [secret]: 1, lines: [{ description: secret }] }),
      argumentFacts({ notes: `${'x '.repeat(55)}${secret}` }),
      answerFacts({ number: secret, title: secret, issues: [{ code: secret }] }),
    ])
    for (let at = 0; at + 14 <= secret.length; at++) expect(kept).not.toContain(secret.slice(at, at + 14))
  })

  test('stay short and clean for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const facts = [...argumentFacts({ value }), ...answerFacts(value), ...answerFacts({ items: value })]
        expect(facts.length).toBeLessThanOrEqual(80)
        for (const { name, value: text } of facts) {
          expect([...text].length).toBeLessThanOrEqual(121)
          expect(textFault(text)).toBeNull()
          expect(textFault(name)).toBeNull()
        }
        expect(seenInvoices(value).length).toBeLessThanOrEqual(50)
      }),
      { numRuns: 300 },
    )
  })

  test('are logged up to a limit for a thousand lines, and the rest is counted', () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => ({ description: `n${index}` }))
    const facts = argumentFacts({ lines })
    expect(facts.map(({ value }) => value)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', '+995'])
  })
})

describe('answers', () => {
  test('are logged with identifiers, numbers, states, totals, and the invoices shown', () => {
    const list = {
      items: [
        { id: 'inv_0001', number: 'F-1', clientName: 'Ana' },
        { id: 'inv_0002', number: null },
        { id: 'inv_0001', number: 'F-1' },
      ],
      totals: { count: 3, base: 20, total: 24.2 },
    }
    expect(answerFacts(list)).toEqual([
      { name: 'totals.count', value: '3' },
      { name: 'totals.base', value: '20' },
      { name: 'totals.total', value: '24.2' },
      { name: 'items', value: '3' },
    ])
    expect(seenInvoices(list)).toEqual([
      { id: 'inv_0001', number: 'F-1' },
      { id: 'inv_0002', number: null },
    ])
    expect(
      answerFacts({ valid: false, confirmation: { confirmationToken: 'x' }, issues: [{ code: 'a' }] }),
    ).toEqual([
      { name: 'valid', value: 'false' },
      { name: 'issues', value: 'a' },
    ])
  })

  test('link a call to the invoice it named, else to the one it created', () => {
    expect(invoiceIn({ id: 'inv_1' }, { id: 'inv_2' })).toBe('inv_1')
    expect(invoiceIn({ targetId: 'inv_3' }, undefined)).toBe('inv_3')
    expect(invoiceIn({ uri: 'svc://invoices/inv_4/pdf' }, undefined)).toBe('inv_4')
    expect(invoiceIn({ id: 'F-2026/1' }, { id: 'inv_2' })).toBe('inv_2')
    expect(invoiceIn({ id: '../inv_5' }, { id: 'prop_1' })).toBeNull()
  })
})

describe('the client name', () => {
  const named = (clientInfo: unknown) => clientOf({ clientInfo })

  test('is read in both protocols, and a display title wins', () => {
    expect(named({ name: 'claude-code', version: '2.1.0' })).toEqual({
      name: 'claude-code',
      version: '2.1.0',
    })
    const _meta = { 'io.modelcontextprotocol/clientInfo': { name: 'x', title: 'Cursor', version: 3 } }
    expect(clientOf({ _meta })).toEqual({ name: 'Cursor', version: null })
    for (const nobody of [undefined, null, 'x', [], {}, { name: 7 }, { name: ' \u200b' }])
      expect(named(nobody)).toBeNull()
  })

  test('is cleaned and truncated when hostile', () => {
    const { name, version } = named({
      name: `\u202eevil\u0000\nApproved by\u2066 Sello ${'📄'.repeat(500)}`,
      version: '1'.repeat(5_000),
    })!
    expect(name).toMatch(/^evil Approved by Sello 📄/u)
    expect([...name].length).toBeLessThanOrEqual(60)
    expect(textFault(name)).toBeNull()
    expect(version).toBe('1'.repeat(20))
  })
})
