/** The self-check of exchanged invoices finds what was changed behind the program's back. */
import { expect, test } from 'vitest'
import type { Ctx } from '../../../../../server/context.ts'
import { verifyExchange } from '../../../../../server/integrations/exchange/index.ts'
import { inEmbedded } from '../../../../support/engines.ts'
import { openExchange } from '../../../../support/exchange/exchange-books.ts'

const embeddedTest = inEmbedded(test)

const tampered = inEmbedded(
  test.each([
    ['a state without its fact', "update exchange_documents set state = 'refused'", 'its facts say admitted'],
    [
      'something said without its report',
      "update exchange_documents set said = 'settled', said_day = '2027-10-07'",
      'what was said',
    ],
    ['changed bytes', "update exchange_contents set bytes = x'00'", 'is not the one'],
  ]),
)

tampered('%s is found', async (_what, statement, fault) => {
  const books = await openExchange()
  await books.invoice()
  await books.turn()
  const sound = await verifyExchange(books.test)
  expect(sound.faults).toEqual([])
  expect(sound.checked).toBeGreaterThan(2)
  await books.tamper(statement)
  expect((await verifyExchange(books.test)).faults[0]).toContain(fault)
})

embeddedTest('facts, what was said and what was sent cannot be changed', async () => {
  const books = await openExchange()
  await books.invoice()
  await books.turn()
  const changes: readonly ((tx: Ctx) => Promise<unknown>)[] = [
    (tx) => tx.db.updateTable('exchange_facts').set({ note: 'x' }).execute(),
    (tx) => tx.db.updateTable('exchange_messages').set({ csv: 'x' }).execute(),
    (tx) => tx.db.deleteFrom('exchange_documents').execute(),
  ]
  for (const change of changes)
    await expect(books.test.transaction(change)).rejects.toMatchObject({
      message: expect.stringContaining('frozen'),
    })
})
