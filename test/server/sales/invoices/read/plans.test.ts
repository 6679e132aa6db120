/** Pages of invoices skip what a filter leaves out by an index alone, however many there are of it. */
import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { resolveFilter, selection } from '../../../../../server/sales/invoices/read/filter.ts'
import { openWorld } from '../../../../support/world.ts'

interface Step {
  opcode: string
  p1: number
  p4: string | null
}

test.each(['accepted', 'rejected', 'pending'] as const)(
  'what is not %s is skipped without reading its row',
  async (registryStatus) => {
    const world = await openWorld()
    const ctx = world.ctx()
    const query = selection(ctx, await resolveFilter(ctx, { registryStatus }))
      .select(['invoices.id', 'invoices.number'])
      .orderBy('invoices.list_date', 'desc')
      .orderBy('invoices.id', 'desc')
      .limit(26)
      .compile()
    const { rows } = await world.env.store.reader.executeQuery<Step>(
      CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters]),
    )
    // Columns of the row are read once it is known to be meant: after the last jump on to the next one.
    const seek = rows.findIndex(({ opcode }) => opcode === 'DeferredSeek')
    expect(seek).toBeGreaterThan(0)
    const index = rows[seek]!.p1
    const next = rows.findIndex(({ opcode }, at) => at > seek && opcode === 'Prev')
    const body = rows.slice(seek + 1, next)
    const judged = body.findLastIndex(({ opcode }) => /^(If|IfNot|Eq|Ne|Lt|Le|Gt|Ge)$/.test(opcode))
    expect(body.slice(0, judged + 1).filter(({ opcode, p1 }) => opcode === 'Column' && p1 !== index)).toEqual(
      [],
    )
    expect(body.slice(judged + 1).map(({ opcode }) => opcode)).toContain('Column')
    expect(rows.map(({ opcode }) => opcode)).not.toContain('SorterOpen')
  },
)
