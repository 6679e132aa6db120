/** The restore drill, with backups that the programs of PostgreSQL really make. */
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../../../server/cli/main.ts'
import { SERVER_ROLE } from '../../../../server/db/postgres/migrate.ts'
import { startChild } from '../../../support/children/run.ts'
import { OWNER_ROLE, startCluster } from '../../../support/postgres/cluster.ts'
import type { Cluster } from '../../../support/postgres/cluster.ts'
import { testKey } from '../../../support/postgres/databases.ts'
import { COMMAND_LINE } from '../../../support/postgres/office-process.ts'
import { officeTerminal } from '../../../support/postgres/office-terminal.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'

/** The server of the package has no programs for backups: those of the system come with their own server. */
const DEBIAN = '/usr/lib/postgresql'
const newest = existsSync(DEBIAN)
  ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))[0]
  : undefined
const bin = newest === undefined ? null : join(DEBIAN, newest, 'bin')
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const usable =
  bin !== null &&
  ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'pg_basebackup'].every((name) =>
    existsSync(join(bin, name)),
  )
const testBackup = usable ? test : test.skip

describe(
  usable ? 'a backup' : 'a backup (skipped: PostgreSQL with its client programs is not installed)',
  () => {
    let cluster: Cluster | null = null
    let folder = ''
    let env: NodeJS.ProcessEnv = {}

    const program = (name: string, ...args: string[]): void => {
      const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
      const { status, stderr } = spawnSync(join(bin ?? '', name), args, { ...user, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${name}: ${stderr}`)
    }
    const command = async (...argv: string[]): Promise<void> => {
      const said: string[] = []
      const io = {
        env,
        answer: () => {},
        say: (line: string) => said.push(line),
        untilStopped: async () => {},
      }
      const code = await runCommand(argv, io)
      if (code !== 0) throw new Error(said.join('\n'))
    }
    /** Runs the drill as a user that may run PostgreSQL. */
    const drill = async (...argv: string[]): Promise<{ code: number | null; answer: any }> => {
      const child = startChild(
        COMMAND_LINE,
        ['office', 'drill', '--pg-bin', bin ?? '', ...(isRoot ? ['--as', 'nobody'] : []), ...argv],
        {
          // The address of the office itself, which the drill must not use.
          env: {
            ...env,
            PATH: process.env.PATH,
            TMPDIR: folder,
            SELLO_OFFICE_URL: 'postgresql://a@127.0.0.1:1/none',
          },
        },
      )
      const answer = await child.line()
      await child.ended()
      return { code: child.process.exitCode, answer }
    }

    beforeAll(async () => {
      if (!usable) return
      cluster = await startCluster({ programs: bin ?? '' })
      folder = mkdtempSync(join(tmpdir(), 'sello-drill-test-'))
      if (isRoot) chownSync(folder, NOBODY, NOBODY)
      const admin = new pg.Client({ connectionString: cluster!.url('postgres') })
      await admin.connect()
      await admin.query(`create database office owner ${OWNER_ROLE}`)
      await admin.end()
      const key = join(folder, 'master.key')
      writeFileSync(key, testKey(), { mode: 0o600 })
      if (isRoot) chownSync(key, NOBODY, NOBODY)
      env = {
        SELLO_OFFICE_URL: cluster!.url('office', SERVER_ROLE),
        SELLO_OFFICE_MIGRATION_URL: cluster!.url('office', OWNER_ROLE),
        SELLO_OFFICE_KEY_FILE: key,
      }
      await command('office', 'migrate')
      const company = join(folder, 'company.json')
      writeFileSync(company, JSON.stringify(EXAMPLE_COMPANY))
      await command('office', 'init', '--company', company)
    })
    afterAll(async () => {
      await cluster?.stop()
      if (folder !== '') rmSync(folder, { recursive: true, force: true })
    })

    testBackup('of pg_dump is restored and verified; one that is cut short is not', async () => {
      const dump = join(folder, 'office.dump')
      // Neither role of the office sees all rows: a dump of theirs is refused, and not without rows.
      for (const role of [OWNER_ROLE, SERVER_ROLE])
        expect(() =>
          program('pg_dump', '--format=custom', `--file=${dump}`, cluster!.url('office', role)),
        ).toThrow(/row-level security|permission denied/)
      program('pg_dump', '--format=custom', `--file=${dump}`, cluster!.url('office'))
      const drilled = await drill('--dump', dump)
      expect(drilled).toMatchObject({
        code: 0,
        answer: { ok: true, books: 2, faults: [], restoredMs: expect.any(Number) },
      })
      console.log(`restore drill of a dump: ${JSON.stringify({ ...drilled.answer, unseen: undefined })}`)
      truncateSync(dump, 60_000)
      expect(await drill('--dump', dump)).toMatchObject({
        code: 1,
        answer: { error: { code: 'backup_damaged', details: { step: 'pg_restore' } } },
      })
      expect(readdirSync(folder).filter((name) => name.startsWith('sello-drill-'))).toEqual([])
    })

    testBackup('of pg_basebackup is started and verified, and is not changed', async () => {
      const base = join(folder, 'base')
      mkdirSync(base, { mode: 0o700 })
      if (isRoot) chownSync(base, NOBODY, NOBODY)
      program('pg_basebackup', '-D', base, '-X', 'stream', '-c', 'fast', '-d', cluster!.url('postgres'))
      const before = readdirSync(base)
      expect(await drill('--base', base, '--database', 'office')).toMatchObject({
        code: 0,
        answer: { ok: true, books: 2, faults: [] },
      })
      expect(await drill('--base', base, '--database', 'lost')).toMatchObject({
        code: 1,
        answer: { error: { code: 'validation_failed', details: { faults: [{ field: 'database' }] } } },
      })
      expect(readdirSync(base)).toEqual(before)
    })
  },
)

describe('the options of office drill', () => {
  test.each([
    [[], 'dump'],
    [['--dump', 'a', '--base', 'b'], 'dump'],
    [['--base', '/', '--role', 'a;b'], 'role'],
  ])('%j is refused', async (argv, field) => {
    const at = await officeTerminal()
    const ran = await at.run('office', 'drill', ...argv)
    expect([ran.code, ran.answer.error]).toMatchObject([
      1,
      { code: 'validation_failed', details: { faults: [{ field }] } },
    ])
  })
})
