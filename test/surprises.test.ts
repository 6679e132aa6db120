/** Time and chance come to the product through ports, so that a run can be played again; every exception is here, with its reason. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { surprisesIn } from './support/surprises.ts'

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
  'server/app.ts': [
    'new Date(), randomBytes, setTimeout',
    `${PORT}; the window's token is ${SECRET}; what begins later ${TIMER}`,
  ],
  'server/assistants/calls.ts': ['setTimeout', 'gathers notes of calls; `writeCalls` writes them without it'],
  'server/assistants/check.ts': ['performance.now', DURATION],
  'server/backups/restore-source.ts': ['randomUUID', 'names books that come back without their keyring'],
  'server/backups/run.ts': ['performance.now', DURATION],
  'server/cli.ts': ['setTimeout', DEADLINE],
  'server/cli/door.ts': ['randomBytes', SECRET],
  'server/cli/backups.ts': ['new Date()', 'a command is where the real clock is handed in'],
  'server/core/background.ts': ['setTimeout', TIMER],
  'server/core/parsers.ts': ['setTimeout', DEADLINE],
  'server/core/threads.ts': ['setTimeout', DEADLINE],
  'server/core/ids.ts': ['randomFillSync', PORT],
  'server/desk/lock/code.ts': ['randomBytes', SECRET],
  'server/documents/patience.ts': ['setTimeout', DEADLINE],
  'server/documents/pool.ts': ['setTimeout', DEADLINE],
  'server/erp/calling.ts': ['setTimeout', DEADLINE],
  'server/erp/http.ts': [
    'Math.random, performance.now, setTimeout',
    `${PORT}; the pace another system asks for`,
  ],
  'server/erp/run.ts': ['setTimeout', DEADLINE],
  'server/erp/worker.ts': [
    'performance.now',
    'carries the clock that is handed in on, in a thread that cannot be handed one',
  ],
  'server/events/stream.ts': ['setTimeout', 'a sign of life on an open connection'],
  'server/http/feed.ts': ['setInterval', 'a sign of life on an open connection'],
  'server/http/limits.ts': ['performance.now', `${PORT}; a clock that nobody can set`],
  'server/http/log.ts': ['new Date()', PORT],
  'server/http/window-sessions.ts': [
    'performance.now, randomBytes',
    `${SECRET}; a clock that nobody can set`,
  ],
  'server/http/window.ts': [
    'setInterval',
    'looks whether the window was locked meanwhile, by the clock that is handed in',
  ],
  'server/invoices/confirmations.ts': ['randomBytes', SECRET],
  'server/keys/secret.ts': ['randomBytes', SECRET],
  'server/limits/counters.ts': ['performance.now', `${PORT}; a clock that nobody can set`],
  'server/lookups/outgoing.ts': ['setTimeout', DEADLINE],
  'server/mail/smtp.ts': ['setTimeout', DEADLINE],
  'server/mcp/service.ts': ['performance.now', DURATION],
  'server/outward/exchange.ts': ['performance.now, setTimeout', DEADLINE],
  'server/registry/aeat/connect.ts': ['setTimeout', DEADLINE],
  'server/registry/aeat/exchange.ts': ['setTimeout', DEADLINE],
  'server/registry/queue/sender.ts': ['Math.random', PORT],
  'server/registry/simulator/certificates.ts': ['Date.now, generateKeyPair', STAND_IN],
  'server/registry/simulator/command.ts': ['randomBytes', STAND_IN],
  'server/registry/simulator/server.ts': ['Date.now, new Date(), setTimeout', STAND_IN],
  'server/registry/simulator/x509.ts': ['randomBytes', STAND_IN],
  'server/store/keyring.ts': ['randomBytes, randomUUID', SECRET],
  'server/store/recovery.ts': ['randomBytes', SECRET],
  'server/store/remains.ts': ['setTimeout', 'waits for readers to be gone before the log is emptied'],
  'server/store/seal.ts': ['randomBytes', SECRET],
  'server/trouble/index.ts': [
    'new Date(), randomBytes, setTimeout',
    `${PORT}; the window's token is ${SECRET}`,
  ],
  'server/webhooks/schedule.ts': ['Math.random', PORT],
  'server/webhooks/send.ts': ['performance.now', DURATION],
  'server/webhooks/settle.ts': ['Math.random', PORT],
  'server/webhooks/sign.ts': ['randomBytes', SECRET],
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
