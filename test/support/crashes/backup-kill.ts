/** Kills a program that makes backups, repeatedly, and checks each time that the backups and the books are intact. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { verifyBackup } from '../../../server/app/backups/make/drill.ts'
import { listFolder } from '../../../server/app/backups/make/names.ts'
import { openStore } from '../../../server/db/embedded/store.ts'
import { keyOf } from '../stages/backups.ts'
import { startChild } from '../children/run.ts'
import { newFolder } from '../stages/unopenable-books.ts'

/** Longer than a backup of such small books including the start of its thread, so that the kill can occur at any step. */
const SPREAD_MS = 1_000

/** Runs rounds of: start, back up, kill -9 at some moment, open, verify. Returns how many backups were acknowledged. */
export async function killBackups(rounds: number, seed: number): Promise<number> {
  const folder = newFolder()
  let random = seed
  let acknowledged = 0
  let newest = ''
  for (let round = 1; round <= rounds; round++) {
    random = (random * 48_271) % 2_147_483_647
    const child = startChild('backup', [folder])
    expect(await child.line()).toEqual({ ready: true })
    // Half of the rounds are interrupted in their first backup, half in a later one.
    const names = random % 2 === 0 ? [] : [String((await child.line()).name)]
    const rest = child.rest()
    await new Promise((resolve) => setTimeout(resolve, random % SPREAD_MS))
    await child.kill()
    names.push(...(await rest).map(({ name }) => String(name)))
    acknowledged += names.length
    newest = names.at(-1) ?? newest
    const when = `round ${round} of seed ${seed}`
    const files = listFolder(join(folder, 'backups'))
    // The last reported one, or a later one: never an earlier one, never none.
    if (newest !== '') expect(files[0] && files[0].name >= newest, when).toBe(true)
    for (const { name } of files) await verifyBackup(join(folder, 'backups'), name, keyOf(folder))
    const store = await openStore({ folder, keychain: null, now: () => new Date(), cacheKib: 1024 })
    expect(await store.tryWriting(), when).toBeNull()
    store.close()
  }
  return acknowledged
}
