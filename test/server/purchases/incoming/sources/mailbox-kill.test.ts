/** The program, killed while it reads a mailbox: started again it goes on, and no mail comes twice or is lost. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Child } from '../../../../support/children/run.ts'
import { startChild } from '../../../../support/children/run.ts'
import { makeServerCertificate } from '../../../../support/files/certificates.ts'
import { dice } from '../../../../support/seeded-random.ts'
import { sweptCount } from '../../../../support/sweep.ts'
import { windowCaller } from '../../../../support/stages/window-caller.ts'
import type { RunOverHttp, ServerAddress } from '../../../../support/stages/window-caller.ts'
import { hasDovecot, mailOf, openDovecot, PASSWORD, pdfOf, USER } from './dovecot.ts'

interface Program {
  child: Child
  run: RunOverHttp
}

/** Starts the whole program over the books of a folder: a sandbox that trusts the certificates of the tests. */
async function startProgram(folder: string): Promise<Program> {
  const ca = join(folder, 'ca.pem')
  writeFileSync(ca, makeServerCertificate().caPem)
  const child = startChild('serve', [join(folder, 'books'), 'http://127.0.0.1:1', '0', 'sandbox'], {
    env: {
      ...process.env,
      SELLO_TEST_AUTHORITY_URL: 'https://127.0.0.1:1/',
      SELLO_TEST_AUTHORITY_CA: ca,
    },
  })
  return { child, run: await windowCaller((await child.line()) as unknown as ServerAddress) }
}

/** Returns how many documents have come, whatever became of them. */
async function countOf({ run }: Program): Promise<number> {
  const { counts } = await run('incoming.list', { limit: 1 })
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

async function namesOf({ run }: Program): Promise<string[]> {
  const names: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await run('incoming.list', { limit: 200, ...(cursor ? { cursor } : {}) })
    names.push(...page.items.map(({ name }) => name))
    cursor = page.nextCursor
  } while (cursor)
  return names
}

async function untilThere(program: Program, count: number): Promise<void> {
  const deadline = Date.now() + 40_000
  while ((await countOf(program)) < count) {
    if (Date.now() > deadline) throw new Error(`Only ${await countOf(program)} of ${count} documents came.`)
    await pause(5)
  }
}

describe.runIf(hasDovecot)('a program that reads a mailbox', () => {
  test('and is killed goes on where it was: no mail comes twice, none is lost, none is marked', async () => {
    const mails = sweptCount(500, 120)
    const kills = sweptCount(12, 3)
    const die = dice(20_261)
    const folder = mkdtempSync(join(tmpdir(), 'sello-mailbox-kill-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const dovecot = await openDovecot()
    const wanted: string[] = []
    for (let index = 0; index < mails; index++) {
      // Most documents are of mails with several: a kill between them must repeat none and lose none.
      const own = Array.from({ length: index % 3 === 0 ? 6 : 1 }, (_, at) => `${index}-${at}`)
      wanted.push(...own.map((name) => `f${name}.pdf`))
      dovecot.deliver(
        mailOf({
          subject: `Factura ${index}`,
          parts: own.map((name) => ({ name: `f${name}.pdf`, bytes: pdfOf(name) })),
        }),
      )
    }
    let program = await startProgram(folder)
    await program.run('incoming.addSource', {
      name: 'Compras',
      mailbox: { host: '127.0.0.1', port: dovecot.port, user: USER, signIn: 'password', password: PASSWORD },
    })
    let landed = 0
    for (let kill = 0; kill < kills; kill++) {
      await untilThere(program, Math.floor((wanted.length * (kill + 1)) / (kills + 1)))
      await pause(die.below(15))
      await program.child.kill()
      program = await startProgram(folder)
      const names = await namesOf(program)
      expect(new Set(names).size, `after kill ${kill + 1}`).toBe(names.length)
      if (names.length < wanted.length) landed += 1
    }
    expect(landed).toBeGreaterThanOrEqual(kills / 2)
    await untilThere(program, wanted.length)
    const [source] = (await program.run('incoming.sources', {})).items
    // A further look finds nothing.
    await program.run('incoming.checkSource', { id: source!.id })
    expect((await namesOf(program)).toSorted()).toEqual(wanted.toSorted())
    expect((await program.run('incoming.sources', {})).items).toMatchObject([
      { state: 'active', why: null, left: [], documents: wanted.length },
    ])
    expect(dovecot.files().filter((name) => /:2,.*[A-Z]/.test(name))).toEqual([])
    await program.child.kill()
  }, 120_000)
})
