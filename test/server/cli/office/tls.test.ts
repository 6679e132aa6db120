/** The connection to the database: only with a certificate that is checked, or on this computer. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { runCommand } from '../../../../server/cli/main.ts'
import { startCluster } from '../../../support/postgres/cluster.ts'
import { hasServer, testKey } from '../../../support/postgres/databases.ts'
import { needs } from '../../../support/tools.ts'

const NOBODY = 65_534

/** Creates an authority, and a certificate of it for a name. */
function certificateFor(
  folder: string,
  name: string,
): { authority: string; certificate: string; key: string } {
  const at = (file: string): string => join(folder, file)
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8', cwd: folder })
    if (status !== 0) throw new Error(stderr)
  }
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl(
    'req',
    '-x509',
    ...fresh,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Test authority',
  )
  openssl('req', ...fresh, '-keyout', 'db.key', '-out', 'db.csr', '-subj', `/CN=${name}`)
  writeFileSync(at('names'), `subjectAltName=DNS:${name}\n`)
  openssl(
    'x509',
    '-req',
    '-in',
    'db.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-days',
    '2',
    '-extfile',
    'names',
    '-out',
    'db.pem',
  )
  return { authority: at('ca.pem'), certificate: at('db.pem'), key: at('db.key') }
}

/** Starts a server with a certificate for a name; it is stopped when the test ends. */
async function secureServer(name: string): Promise<{ port: number; authority: string; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sello-tls-'))
  chmodSync(folder, 0o755)
  const { authority, certificate, key } = certificateFor(folder, name)
  chmodSync(key, 0o600)
  if (process.getuid?.() === 0) chownSync(key, NOBODY, NOBODY)
  const cluster = await startCluster({
    settings: ['ssl=on', `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`],
  })
  onTestFinished(async () => {
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { port: cluster?.port ?? 0, authority, folder }
}

needs('openssl')('a certificate of another authority or for another name is refused', async () => {
  if (!hasServer()) return
  const run = async (
    { port, folder }: { port: number; folder: string },
    ...argv: string[]
  ): Promise<unknown> => {
    const lines: string[] = []
    const masterKey = join(folder, 'master.key')
    writeFileSync(masterKey, testKey())
    await runCommand(argv, {
      env: {
        SELLO_OFFICE_URL: `postgresql://sello_server@localhost:${port}/postgres?sslmode=verify-full`,
        SELLO_OFFICE_MIGRATION_URL: `postgresql://sello@localhost:${port}/postgres?sslmode=verify-full`,
        SELLO_OFFICE_KEY_FILE: masterKey,
      },
      answer: (line) => lines.push(line),
      say: () => {},
      untilStopped: async () => {},
    })
    return JSON.parse(lines.at(-1) ?? 'null') as unknown
  }
  const refusedFor = (why: string): object => ({
    error: { code: 'office_database_refused', details: { why } },
  })
  const server = await secureServer('localhost')
  const withAuthority = ['--database-ca-file', server.authority]
  expect(await run(server, 'office', 'migrate', ...withAuthority)).toMatchObject({ from: 0 })
  expect(await run(server, 'office', 'key', 'list', ...withAuthority)).toEqual({ items: [] })
  // No authority that this computer trusts has issued it.
  expect(await run(server, 'office', 'key', 'list')).toMatchObject(
    refusedFor('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  )

  const other = await secureServer('db.example')
  expect(await run(other, 'office', 'key', 'list', '--database-ca-file', other.authority)).toMatchObject(
    refusedFor('ERR_TLS_CERT_ALTNAME_INVALID'),
  )
})
