/** Time and chance come to the product through ports, so that a run can be played again; every exception is here, with its reason. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { surprisesIn } from './support/checks/nondeterminism.ts'

const root = resolve(import.meta.dirname, '..')

/** What is real unless something stands in: a test hands over its own. */
const PORT = 'the default of something that is handed in'
const SECRET = 'a secret: nobody may foresee it, and nothing that is kept or answered depends on its value'
const DEADLINE =
  'ends what waits for another machine, thread or person; what follows is a failure like any other'
const DURATION = 'a duration that is told to people, and decides nothing'
const TIMER =
  'wakes what is decided by the clock that is handed in; the work itself is called by tests without it'
const STAND_IN = 'the authority for whoever writes a client: no part of the books'

const ALLOWED: Readonly<Record<string, readonly [uses: string, why: string]>> = {
  'server/api/application.ts': ['randomBytes', `the window's token is ${SECRET}`],
  'server/app/application.ts': ['new Date()', PORT],
  'server/app/background-work.ts': ['setTimeout', TIMER],
  'server/app/assistants/calls.ts': [
    'setTimeout',
    'gathers notes of calls; `writeCalls` writes them without it',
  ],
  'server/app/assistants/check.ts': ['performance.now', DURATION],
  'server/api/http/tls.ts': ['setInterval', TIMER],
  'server/app/people/directory/sessions.ts': [
    'performance.now, randomBytes',
    `cookies are ${SECRET}; the clock is ${PORT}`,
  ],
  'server/app/people/people-of-office.ts': ['performance.now', PORT],
  'server/app/people/sign-in/passwords.ts': ['randomBytes', 'the salt of a password'],
  'server/app/people/sign-in/second-factor.ts': ['randomInt', SECRET],
  'server/app/backups/restore/restore-source.ts': [
    'randomUUID',
    'names books that come back without their keyring',
  ],
  'server/app/backups/make/run.ts': ['performance.now', DURATION],
  'server/cli/main.ts': ['setTimeout', DEADLINE],
  'server/cli/office/bucket.ts': ['new Date()', PORT],
  'server/cli/office/access.ts': ['new Date()', 'a command is where the real clock is handed in'],
  'server/cli/open-page.ts': ['setTimeout', DEADLINE],
  'server/cli/serve.ts': ['Date.now, setTimeout', DEADLINE],
  'server/cli/door.ts': ['randomBytes', SECRET],
  'server/cli/backups.ts': ['new Date()', 'a command is where the real clock is handed in'],
  'server/domain/concurrency/background-loop.ts': ['setTimeout', TIMER],
  'server/platform/processes/parsers.ts': ['setTimeout', DEADLINE],
  'server/platform/processes/threads.ts': ['setTimeout', DEADLINE],
  'server/db/postgres/objects/bucket-objects.ts': [
    'randomBytes',
    'names an object; no other part of the books depends on it',
  ],
  'server/db/postgres/objects/sealed-object.ts': ['randomBytes', SECRET],
  'server/domain/ids.ts': ['randomFillSync', PORT],
  'server/app/app-lock/code.ts': ['randomBytes', SECRET],
  'server/documents/rendering/wait-limit.ts': ['setTimeout', DEADLINE],
  'server/documents/rendering/pool.ts': ['setTimeout', DEADLINE],
  'server/integrations/exchange/said/confirm.ts': ['randomBytes', SECRET],
  'server/integrations/erp/connection/calling.ts': ['setTimeout', DEADLINE],
  'server/integrations/erp/connection/http.ts': [
    'Math.random, performance.now, setTimeout',
    `${PORT}; the pace another system asks for`,
  ],
  'server/integrations/erp/reading/run.ts': ['performance.now, setInterval, setTimeout', DEADLINE],
  'server/integrations/erp/connection/worker.ts': [
    'performance.now',
    'carries the clock that is handed in on, in a thread that cannot be handed one',
  ],
  'server/platform/events/stream.ts': [
    'setTimeout',
    'a sign of life on an open connection, and a look for events whose notice was lost',
  ],
  'server/api/window/feed.ts': [
    'setInterval',
    'a sign of life on an open connection, and a look for events whose notice was lost',
  ],
  'server/api/http/bad-key-limits.ts': ['performance.now', `${PORT}; a clock that nobody can set`],
  'server/platform/log.ts': ['new Date()', PORT],
  'server/api/window/sessions.ts': ['performance.now, randomBytes', `${SECRET}; a clock that nobody can set`],
  'server/api/window/window.ts': [
    'setInterval',
    'looks whether the window was locked meanwhile, by the clock that is handed in',
  ],
  'server/sales/invoices/issue/confirmations.ts': ['randomBytes', SECRET],
  'server/platform/api-keys/secret.ts': ['randomBytes', SECRET],
  'server/api/rate-limits/policy.ts': ['setInterval', 'looks for a policy that another server has set'],
  'server/api/rate-limits/shared-counts.ts': [
    'setTimeout',
    'gathers counts; without the sum in time a server counts by itself',
  ],
  'server/api/rest/rest.ts': ['setInterval', 'looks whether the key of an open stream still holds'],
  'server/app/office/servers.ts': ['setInterval', 'removes what has ended'],
  'server/db/postgres/tables/leases.ts': ['setInterval', "renews a name; the database's clock ends it"],
  'server/platform/api-keys/cache.ts': ['performance.now', `${PORT}; a clock that nobody can set`],
  'server/api/rate-limits/counters.ts': ['performance.now', `${PORT}; a clock that nobody can set`],
  'server/catalog/lookups/outgoing.ts': ['setTimeout', DEADLINE],
  'server/documents/mail/smtp.ts': ['setTimeout', DEADLINE],
  'server/api/mcp/service.ts': ['performance.now', DURATION],
  'server/accounting/returns/filing/aeat/transport.ts': ['setTimeout', DEADLINE],
  'server/accounting/returns/filing/confirm.ts': ['randomBytes', SECRET],
  'server/platform/http-client/exchange.ts': ['performance.now, setTimeout', DEADLINE],
  'server/integrations/portal/face/transport.ts': ['setTimeout', DEADLINE],
  'server/integrations/portal/simulator/index.ts': ['setTimeout', STAND_IN],
  'server/integrations/portal/simulator/server.ts': ['new Date()', STAND_IN],
  'server/platform/http-client/mutual-tls.ts': ['setTimeout', DEADLINE],
  'server/registry/systems/verifactu/authority/exchange.ts': ['setTimeout', DEADLINE],
  'server/registry/queue/sender.ts': ['Math.random', PORT],
  'server/platform/simulated-authority/certificates/certificates.ts': ['Date.now, generateKeyPair', STAND_IN],
  'server/platform/simulated-authority/command.ts': ['randomBytes', STAND_IN],
  'server/platform/simulated-authority/tls-server.ts': ['Date.now', STAND_IN],
  'server/registry/systems/verifactu/simulator/server.ts': ['new Date(), setTimeout', STAND_IN],
  'server/integrations/exchange/client/transport.ts': ['setTimeout', DEADLINE],
  'server/registry/systems/ticketbai/client/transport.ts': ['setTimeout', DEADLINE],
  'server/registry/systems/ticketbai/simulator/provinces.ts': ['randomBytes', STAND_IN],
  'server/registry/systems/ticketbai/simulator/server.ts': ['new Date()', STAND_IN],
  'server/registry/systems/ticketbai/simulator/service.ts': ['setTimeout', STAND_IN],
  'server/integrations/exchange/simulator/platform.ts': ['setTimeout', STAND_IN],
  'server/integrations/exchange/simulator/server.ts': ['new Date(), randomBytes', STAND_IN],
  'server/accounting/returns/simulator/index.ts': ['setTimeout', STAND_IN],
  'server/accounting/returns/simulator/server.ts': ['new Date()', STAND_IN],
  'server/platform/simulated-authority/certificates/x509.ts': ['randomBytes', STAND_IN],
  'server/app/office/exports.ts': ['performance.now', 'how often progress is written'],
  'server/app/leaving/leave.ts': ['setTimeout', 'removes a file that nobody fetched'],
  'server/app/office/background/index.ts': [
    'performance.now, setInterval, setTimeout',
    `a lease of which the end must not depend on a clock that is set; ${DEADLINE}`,
  ],
  'server/app/office/background/webhooks.ts': [
    'setTimeout',
    'looks for new messages while some are under way',
  ],
  'server/app/bundles/file/envelope.ts': ['generateKeyPairSync', 'a key for each file'],
  'server/app/bundles/pairing/keys.ts': ['generateKeyPairSync', 'the keys of a pairing'],
  'server/app/office/watch.ts': [
    'performance.now, setInterval, setTimeout',
    `measures the event loop and reports that the server runs; ${DEADLINE}`,
  ],
  'server/app/office/metrics/readings.ts': ['performance.now', 'how old figures are that were read before'],
  'server/api/office-server/requests.ts': ['performance.now, setTimeout', `${DURATION}; ${DEADLINE}`],
  'server/api/office-server/run.ts': ['Math.random, setTimeout', `${PORT}; ${DEADLINE}`],
  'server/cli/office/drill.ts': ['performance.now, setTimeout', `${DURATION}; ${DEADLINE}`],
  'server/cli/office/migrate.ts': [
    'randomBytes, randomUUID',
    `names a new installation; the key is ${SECRET}`,
  ],
  'server/db/postgres/clock.ts': ['performance.now', `${PORT}; a clock that nobody can set`],
  'server/db/postgres/notices.ts': ['setTimeout', 'gathers notices, and connects again'],
  'server/db/postgres/store.ts': ['setInterval', "reads the database's clock when nothing is written"],
  'server/db/postgres/writing.ts': [
    'Date.now, performance.now, setTimeout',
    `asks for a while what became of a commit whose answer was lost; ${DURATION}`,
  ],
  'server/db/embedded/keys/keyring.ts': ['randomBytes, randomUUID', SECRET],
  'server/db/embedded/keys/recovery-code.ts': ['randomBytes', SECRET],
  'server/db/embedded/empty-log.ts': ['setTimeout', 'waits for readers to be gone before the log is emptied'],
  'server/db/seal.ts': ['randomBytes', SECRET],
  'server/api/recovery-mode/index.ts': [
    'new Date(), randomBytes, setTimeout',
    `${PORT}; the window's token is ${SECRET}`,
  ],
  'server/purchases/incoming/sources/mailbox/sign-in.ts': ['setTimeout', DEADLINE],
  'server/purchases/incoming/sources/mailbox/tokens.ts': ['randomBytes', SECRET],
  'server/purchases/incoming/sources/phone/listener.ts': ['randomBytes', SECRET],
  'server/purchases/incoming/sources/phone/session.ts': [
    'setInterval',
    'looks whether the time is over or the window is gone, by the clock that is handed in',
  ],
  'server/platform/webhooks/schedule.ts': ['Math.random', PORT],
  'server/platform/webhooks/send.ts': ['performance.now', DURATION],
  'server/platform/webhooks/settle.ts': ['Math.random', PORT],
  'server/platform/webhooks/sign.ts': ['randomBytes', SECRET],
  'server/sales/replies/secret.ts': ['randomBytes', SECRET],
}

test('time and chance are handed in, but for the exceptions above', () => {
  const files = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .map((path) => `server/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
  const found = files.flatMap((path) => {
    const uses = surprisesIn(path, readFileSync(join(root, path), 'utf8'))
    return uses.length === 0 ? [] : [[path, uses.join(', ')]]
  })
  const allowed = Object.entries(ALLOWED).map(([path, [uses]]) => [path, uses])
  expect(found.sort()).toEqual(allowed.sort())
})

test.each([
  ['const at = Date.now()', ['Date.now']],
  ['const at = new Date()', ['new Date()']],
  ['const at = new Date(0)', []],
  ['const now: () => number = Date.now', ['Date.now']],
  ['const spread = Math.random()', ['Math.random']],
  ['const begun = performance.now()', ['performance.now']],
  ["import { randomBytes as dice } from 'node:crypto'", ['randomBytes']],
  ["import * as crypto from 'node:crypto'\ncrypto.randomInt(6)", ['randomInt']],
  ['crypto.getRandomValues(bytes)', ['getRandomValues']],
  ['setTimeout(run, 10)', ['setTimeout']],
  ["import { setTimeout as pause } from 'node:timers/promises'", ['setTimeout']],
  ['socket.setTimeout(10)', []],
  ['// Date.now() would not do', []],
])('%s is seen for what it is', (code, uses) => {
  expect(surprisesIn('server/a.ts', code)).toEqual(uses)
})
