/** The test files that run on both engines of the store. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix, resolve } from 'node:path'

/** What opens a store of the engine that is tested. */
const STAGES: readonly string[] = ['test/support/store.ts', 'test/support/world.ts']

/** About the file of the books, its key, its folder and the computer it is on. */
const EMBEDDED_ONLY: readonly string[] = [
  'test/server/accounting/ledger/store.test.ts',
  'test/server/api/start-plans.test.ts',
  'test/server/app/app-lock/',
  'test/server/app/backups/',
  'test/server/app/bundles/',
  'test/server/app/dashboard/approvals.test.ts',
  'test/server/app/moving-in/killed.test.ts',
  'test/server/app/integrity/damage.test.ts',
  'test/server/app/integrity/flips.test.ts',
  'test/server/app/integrity/inspect.test.ts',
  'test/server/app/integrity/secrets.test.ts',
  'test/server/app/integrity/tamper.test.ts',
  // An archive is read on a desk in the same way, whichever engine wrote it.
  'test/server/app/leaving/content.test.ts',
  'test/server/app/leaving/earlier.test.ts',
  'test/server/app/leaving/hostile.test.ts',
  'test/server/app/leaving/killed.test.ts',
  'test/server/app/leaving/sending.test.ts',
  'test/server/app/leaving/worlds.test.ts',
  'test/server/app/maintenance/',
  'test/server/integrations/exchange/state/verify.test.ts',
  'test/server/integrations/portal/kill.test.ts',
  'test/server/app/recovery-mode/',
  'test/server/app/session/',
  'test/server/cli/',
  'test/server/db/embedded/',
  'test/server/db/query.test.ts',
  'test/server/documents/rendering/embedding.test.ts',
  'test/server/documents/truth/planted.test.ts',
  // How the embedded engine finds its rows.
  'test/server/accounting/returns/quality/replaced-elsewhere.test.ts',
  'test/server/integrations/erp/plans.test.ts',
  'test/server/sales/invoices/read/plans.test.ts',
  // Folders, browsers and phones at the computer of the books.
  'test/server/purchases/incoming/sources/folder.test.ts',
  'test/server/purchases/incoming/sources/mailbox-kill.test.ts',
  'test/server/purchases/incoming/sources/phone.test.ts',
  'test/server/purchases/incoming/sources/sign-in.test.ts',
  'test/server/sales/invoices/rows-read.test.ts',
  // Counts sockets, and the other engine is reached by one.
  'test/server/registry/systems/verifactu/authority/test-book.test.ts',
  // A copy of the file that goes on by itself.
  'test/server/registry/chain/installations.test.ts',
  'test/server/registry/chain/rollback-guard.test.ts',
]

/** About the servers of an office, or about its database alone: the tests run on PostgreSQL only. */
export const OFFICE_ONLY: readonly string[] = [
  'test/server/app/office/**',
  'test/server/app/people/attacks.test.ts',
  'test/server/app/people/firm-directory.test.ts',
  'test/server/app/people/second-person.test.ts',
  'test/server/app/people/sign-in.test.ts',
  'test/server/app/people/together.test.ts',
  'test/server/cli/office/**',
  'test/server/db/postgres/**',
]

/** The window of an office in a browser, whose server needs PostgreSQL. */
export const OFFICE_BROWSER = 'test/e2e/people/**/*.test.ts'

/** About object storage alone. */
export const OBJECTS_ONLY = 'test/server/db/postgres/objects/'

/** What keeps and reads documents: these files also run with all of them in object storage. */
export const OBJECT_FILES: readonly string[] = [
  `${OBJECTS_ONLY}*.test.ts`,
  'test/server/accounting/returns/pack.test.ts',
  'test/server/app/companies/end-kill.test.ts',
  'test/server/documents/mail/files.test.ts',
  'test/server/documents/rendering/documents.test.ts',
  'test/server/documents/rendering/signing.test.ts',
  'test/server/platform/attachments/*.test.ts',
]

/** Lists the test files below `test/server` that run on PostgreSQL, as paths from the root. */
export function engineFiles(root: string): string[] {
  const known = new Map<string, boolean>()
  const opensStore = (path: string): boolean => {
    const before = known.get(path)
    if (before !== undefined) return before
    known.set(path, false)
    const opens = STAGES.includes(path) || importsOf(root, path).some(opensStore)
    known.set(path, opens)
    return opens
  }
  return readdirSync(resolve(root, 'test/server'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/server/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith(OBJECTS_ONLY))
    .filter(
      (path) =>
        OFFICE_ONLY.some((one) => posix.matchesGlob(path, one)) ||
        (!EMBEDDED_ONLY.some((one) => path.startsWith(one)) && opensStore(path)),
    )
    .toSorted()
}

/** Returns the files of the tests that a file imports. */
function importsOf(root: string, path: string): string[] {
  const code = readFileSync(resolve(root, path), 'utf8')
  return [...code.matchAll(/from '(\.[^']+\.ts)'/g)]
    .map(([, target = '']) => posix.join(posix.dirname(path), target))
    .filter((target) => target.startsWith('test/') && existsSync(resolve(root, target)))
}
