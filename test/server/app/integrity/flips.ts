/** Flips single bits in the closed file of test books, and records what detected each: the opening or the self-check. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCtx } from '../../../../server/context.ts'
import { checkBooks } from '../../../../server/app/integrity/index.ts'
import { STORE_FILE } from '../../../../server/db/embedded/keys/keyring.ts'
import { openStore } from '../../../../server/db/embedded/store.ts'
import { dice } from '../../../support/seeded-random.ts'
import { livelyBooks } from './books.ts'

interface Flip {
  /** Byte of the file, and the bit in it. */
  byte: number
  bit: number
  noticedBy: 'opening' | 'proof' | null
}

const PAGE = 4096

/** Flips `count` bits, one at a time, a fifth of them in the first page; the same ones for the same seed. */
export async function flipBits(count: number, seed: number): Promise<Flip[]> {
  const world = await livelyBooks()
  const { folder, env } = world
  world.env.store.close()
  const file = join(folder, STORE_FILE)
  const whole = readFileSync(file)
  const { below, chance } = dice(seed)

  const isNoticedBy = async (): Promise<Flip['noticedBy']> => {
    for (const remains of ['-wal', '-shm']) rmSync(`${file}${remains}`, { force: true })
    let store
    try {
      store = await openStore({ folder, keychain: null, now: env.now, cacheKib: 2048 })
    } catch {
      return 'opening'
    }
    const open = { ...env, store }
    const actor = { kind: 'system', id: 'system', name: 'Sello' } as const
    try {
      const { ok } = await checkBooks(open, (book) =>
        createCtx({ env: open, book, actor, channel: 'system', requestId: env.newId('req') }),
      )
      return ok ? null : 'proof'
    } catch {
      return 'proof'
    } finally {
      store.close()
    }
  }

  const flips: Flip[] = []
  // The unchanged file first: a fault reported without a flip would prove nothing.
  writeFileSync(file, whole)
  if ((await isNoticedBy()) !== null)
    throw new Error('The books are not whole before anything was turned over.')
  for (let done = 0; done < count; done += 1) {
    const byte = chance(0.2) ? below(PAGE) : below(whole.length)
    const bit = below(8)
    const flipped = Buffer.from(whole)
    flipped.writeUInt8(flipped.readUInt8(byte) ^ (1 << bit), byte)
    writeFileSync(file, flipped)
    flips.push({ byte, bit, noticedBy: await isNoticedBy() })
  }
  writeFileSync(file, whole)
  return flips
}
