/** The work of an adviser by files: books to the adviser, changes to the client, decisions back. */
import { describe, expect, test } from 'vitest'
import { Pair, entry, failedChecks, purchase } from '../../../support/advised/pair.ts'

describe('the books of a client at its adviser', () => {
  test('have the same invoices, purchases and figures, and verify', async () => {
    const pair = await Pair.open()
    const { client, adviser } = pair
    const draft = await client.createDraft()
    await client.issue(draft.id)
    await client.run('received.create', purchase('A-1'))
    await pair.join()
    await pair.sendBooks()
    const list = await pair.advise('invoices.list', {})
    expect(list.items.map(({ number }) => number)).toEqual(
      (await client.run('invoices.list', {})).items.map(({ number }) => number),
    )
    expect(await pair.advise('ledger.trialBalance', { year: 2026 })).toEqual(
      await client.run('ledger.trialBalance', { year: 2026 }),
    )
    expect(await failedChecks(adviser)).toEqual([])
    // Again over the first copy.
    await client.run('received.create', purchase('A-2'))
    await pair.sendBooks()
    expect((await pair.advise('received.list', {})).items).toHaveLength(2)
    expect(await failedChecks(adviser)).toEqual([])
  })

  test('take purchases and entries of the adviser, which the client takes one by one', async () => {
    const pair = await Pair.ready()
    const { client } = pair
    const bought = await pair.advise('received.create', purchase('A-7'))
    const written = await pair.advise('ledger.writeEntry', entry('Comisión', 12.5))
    await pair.advise('ledger.writeEntry', { ...entry('Comisión corregida', 13), id: written.id })
    expect(await pair.sendChanges()).toMatchObject({ kind: 'changes', added: 3 })
    const { changes } = await client.run('bundles.state', {})
    expect(changes.map(({ summary, problem }) => [summary.title, summary.amount, problem])).toEqual([
      ['Papelería Sol, S.L. · A-7', 121, null],
      ['Comisión', 12.5, null],
      ['Comisión corregida', 13, null],
    ])
    // Nothing was written by looking.
    expect((await client.run('received.list', {})).items).toEqual([])
    expect(await pair.takeAll()).toEqual({ taken: 3, failed: [] })
    const [there] = (await client.run('received.list', {})).items
    expect(there?.id).toBe(bought.id)
    const { items } = await client.run('audit.list', {})
    expect(
      items.filter(({ action }) => action === 'received.entered').map(({ actor }) => actor.name),
    ).toEqual(['Ana Prado, Gestoría Olmo'])
    await pair.sendBooks()
    const state = await pair.advise('bundles.state', {})
    expect(state.changes.map(({ state: decided }) => decided)).toEqual(['taken', 'taken', 'taken'])
    expect(await pair.advise('ledger.trialBalance', { year: 2026 })).toEqual(
      await client.run('ledger.trialBalance', { year: 2026 }),
    )
  })
})
