/**
 * What a module keeps for the whole process: an office has several of them, so that each such state needs a decision,
 * which is here.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { moduleStateIn } from './support/checks/module-state.ts'

const root = resolve(import.meta.dirname, '..')

/** The same in every process: computed from the program, the system or the argument alone. */
const PURE = 'derived from the program alone: every server has the same'
/** Of the computer or the process on purpose. */
const OWN = "about this process and its computer: another server's is another"
const DESK = 'of a desk only: an office has no such operation'
const NEVER_CHANGES = 'identifiers or rows that never change and are never deleted'
const LEASE = 'work under way in this process: in an office its lease is a row'

const ALLOWED: Readonly<Record<string, readonly [names: string, why: string]>> = {
  'server/accounting/bank/match/text.ts': ['patterns', PURE],
  'server/api/operations.ts': ['loaded, slices', PURE],
  'server/api/rate-limits/policy.ts': [
    'byStore',
    'counts are shared by rows and the policy is read again; places are of this computer',
  ],
  'server/app/app-lock/state.ts': ['locks', DESK],
  'server/app/assistants/calls.ts': [
    'waitingOf',
    'notes on their way to their rows, which no other server needs',
  ],
  'server/app/backups/make/run.ts': ['underWay, backedUp', DESK],
  'server/app/backups/state.ts': ['unwritten', DESK],
  'server/platform/spreadsheets/values.ts': ['countries', PURE],
  'server/app/inspection/pack.ts': [
    'underWay',
    'progress of an answer that this server is sending; asked of another one there is none',
  ],
  'server/app/leaving/in-flight.ts': [
    'inFlight',
    'progress of an archive that this server is making; asked of another one there is none',
  ],
  'server/app/integrity/run.ts': ['runs', LEASE],
  'server/app/people/second-person/requests.ts': [
    'confirmed',
    'callers of requests that this server is answering',
  ],
  'server/app/people/sign-in/passwords.ts': ['running, waiting', OWN],
  'server/app/company-rows/shape.ts': ['known', PURE],
  'server/app/session/recovery-code.ts': ['pending, changing', DESK],
  'server/db/embedded/pragmas.ts': ['wanted', DESK],
  'server/db/embedded/writing.ts': ['insideTransaction', OWN],
  'server/db/postgres/connection.ts': ['texts, names', OWN],
  'server/db/postgres/merged.ts': ['tables, merged', PURE],
  'server/db/postgres/statement.ts': ['connections', OWN],
  'server/db/postgres/values.ts': ['known', PURE],
  'server/db/query.ts': ['connections, cachedQueries', OWN],
  'server/documents/e-invoice/exchange/structure.ts': ['parsed', PURE],
  'server/documents/e-invoice/en16931.ts': ['known', PURE],
  'server/documents/mail/smtp.ts': ['roots', OWN],
  'server/documents/pdf/fonts.ts': ['opened', PURE],
  'server/documents/pdf/measure.ts': ['inUse', PURE],
  'server/documents/pdf/number-format.ts': ['countryNames', PURE],
  'server/documents/pdf/text.ts': ['substitutes', PURE],
  'server/documents/rendering/exports/running.ts': ['known', LEASE],
  'server/documents/truth/port.ts': ['loaded', PURE],
  'server/documents/truth/scan.ts': ['tags', PURE],
  'server/domain/concurrency/in-flight.ts': ['meters', 'what this process must end before it stops'],
  'server/domain/contract/schema-accepts.ts': ['known', PURE],
  'server/domain/contract/text-fields.ts': ['hidden', PURE],
  'server/domain/dates.ts': ['summer, cachedDayQuarter, cachedDay', PURE],
  'server/domain/ids.ts': ['used', OWN],
  'server/integrations/erp/reading/active.ts': ['active', LEASE],
  'server/integrations/erp/reading/store-page.ts': ['writings', PURE],
  'server/platform/api-keys/authenticate.ts': [
    'touchedAt',
    'each server notes the use of a key once a minute at most: the newest note stays',
  ],
  'server/platform/api-keys/cache.ts': ['byReader', 'used for seconds only, and dropped by a notice'],
  'server/platform/api-keys/rows.ts': ['knownScopes', PURE],
  'server/platform/audit/actors.ts': ['knownActors', NEVER_CHANGES],
  'server/platform/events/stream.ts': ['listeners', 'the streams that this process sends'],
  'server/platform/idempotency/replies.ts': ['atWork', 'of a desk: an office holds the name by a row'],
  'server/platform/processes/memory.ts': ['collect, firstMb', OWN],
  'server/platform/processes/parsers.ts': ['startProcess, idleChildren, lanes', OWN],
  'server/purchases/incoming/shown.ts': [
    'shownIn',
    'what this server showed lately: without it an entry teaches nothing, which is never wrong',
  ],
  'server/purchases/intake/codes.ts': ['loading', PURE],
  'server/purchases/intake/ocr/worker.ts': ['engine, engineLanguages, pagesRead, isBroken', OWN],
  'server/purchases/incoming/sources/mailbox/sign-in.ts': ['underWay', DESK],
  'server/purchases/incoming/sources/phone/session.ts': ['states', DESK],
  'server/registry/chain/sealing-key.ts': [
    'testKeys',
    'keys of test books, which prove nothing: every server has its own',
  ],
  'server/registry/chain/installations.ts': ['underWay', LEASE],
  'server/integrations/exchange/sending/turn.ts': ['leases', LEASE],
  'server/registry/queue/sender.ts': ['leases', LEASE],
  'server/registry/systems/ticketbai/simulator/schema/check.ts': ['parsed, patterns', PURE],
  'server/registry/systems/verifactu/record/xml.ts': ['lastSystem', PURE],
  'server/registry/systems/verifactu/wire/reader.ts': ['QNAME, ATTRIBUTE, TAG_END, CLOSE_END', PURE],
  'server/sales/invoices/draft/parties.ts': ['knownIssuers, issuers', NEVER_CHANGES],
  'server/sales/recurring/placeholders.ts': ['monthFormats', PURE],
  'server/sales/recurring/rule.ts': ['loaded', PURE],
  'server/tax/totals/rows.ts': ['knownGroups', NEVER_CHANGES],
}

test('state of a module is known, and why a second server may not know of it', () => {
  const found = readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .map((path) => `server/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const names = moduleStateIn(path, readFileSync(join(root, path), 'utf8'))
      return names.length === 0 ? [] : [[path, names.join(', ')]]
    })
  const allowed = Object.entries(ALLOWED).map(([path, [names]]) => [path, names])
  expect(found.sort()).toEqual(allowed.sort())
})

test('the check finds variables, changed containers and instances, and no constants', () => {
  const code = `
    let count = 0
    const seen = new Set<string>()
    const list: string[] = []
    const table: Record<string, number> = {}
    const leases = new LeaseTable<number>()
    const constant = new Map([['a', 1]])
    const text = 'x'
    export function note(name: string) { seen.add(name); list.push(name); table[name] = 1; constant.get(name) }
    function local() { let inner = 0; const map = new Map(); map.set(inner, text) }
  `
  expect(moduleStateIn('example.ts', code)).toEqual(['count', 'seen', 'list', 'table', 'leases'])
})
