/** Companies after random years in bad weather leave whole, and come back as equal books. */
import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { play } from '../../../support/deterministic/world.ts'
import { furnishedCopy } from '../../../support/deterministic/furnish.ts'
import { archiveOf, EmptyDesk, PERSON, unpacked } from '../../../support/leaving/archive.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

/** What goes on after the rows were written. */
const GOES_ON = /^(LEEME\.md|README\.md|manifest\.json|tables\/(audit_events|actors|registry_chains)\.jsonl)$/

function stable(file: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(unpacked(file)).flatMap(([name, bytes]) =>
      GOES_ON.test(name) ? [] : [[name, createHash('sha256').update(bytes).digest('hex')]],
    ),
  )
}

test.each(swept([5, 11, 12, 23, 31, 42, 57, 101], (seed) => seed === 11))(
  'a random world (start value %i)',
  async (seed) => {
    const books = await furnishedCopy()
    const world = await play(seed, sweptCount(300, 120), { checkEvery: 150, accounting: false }, books)
    onTestFinished(() => world.close())
    const [company] = books.companies
    const { file, made } = await archiveOf(world.open.ctx(company!.book, PERSON))
    const desk = await EmptyDesk.open(world.around.now(), { sandbox: true })
    await desk.takeIn(file)
    expect(await desk.failedChecks()).toEqual([])
    const again = await archiveOf(desk.sello.ctx(await desk.book(company!.book.mode), PERSON))
    expect(stable(again.file)).toEqual(stable(file))
    expect(made.withoutPdf).toEqual([])
    expect(made.rows).toBeGreaterThan(500)
  },
  180_000,
)
