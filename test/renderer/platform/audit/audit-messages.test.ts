/** Every action that the server records in the history has a text in both languages. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import en from '../../../../renderer/locales/en/index.ts'
import es from '../../../../renderer/locales/es/index.ts'
import { loadContracts } from '../../../../server/api/operations.ts'

const contracts = await loadContracts()

const server = resolve(import.meta.dirname, '../../../../server')
/** The file that writes the history: its action names come from the callers. */
const ITSELF = join('platform', 'audit', 'record.ts')
/** A restore uses the action name stored with the deleted record. */
const TRASH = join('platform', 'trash', 'restore.ts')

const quoted = (text: string) => [...text.matchAll(/'([a-z_]+\.\w+)'/gi)].map((match) => match[1] ?? '')

/** Refused operations are recorded under their own name. */
const refusable = contracts
  .filter(({ name, effect }) => effect === 'irreversible' || (effect !== 'read' && name.startsWith('keys.')))
  .map(({ name }) => name)

/** Returns the parenthesis that opens at `from`, with its content. */
function call(text: string, from: number): string {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(from, at + 1)
  }
  return text.slice(from)
}

/** Returns the possible actions of a source expression; null for an unknown form. */
function actionsOf(said: string, text: string): string[] | null {
  if (said === 'contract.name') return refusable
  if (said === '')
    return [
      ...[...text.matchAll(/\brecord(?!Audit\b)\w*\(/g)].flatMap((at) =>
        quoted(call(text, at.index + at[0].length - 1)),
      ),
      // Or by what the type of the event, or the list of all, allows.
      ...[...text.matchAll(/^const ACTIONS = \[([^\]]*)\] as const$/gm)].flatMap((match) =>
        quoted(match[1] ?? ''),
      ),
      ...[...text.matchAll(/^  action: ('.*')$/gm)].flatMap((match) => quoted(match[1] ?? '')),
    ]
  const template = /^`([a-z]+\.)\$\{[^?]*\?([^}]*)\}`/.exec(said)
  if (template)
    return [...(template[2] ?? '').matchAll(/'(\w+)'/g)].map((match) => `${template[1]}${match[1]}`)
  const table = /\b([A-Z_]+)\[/.exec(said)?.[1]
  const rows = table ? (new RegExp(`const ${table}\\b[^{]*\\{([^}]*)\\}`).exec(text)?.[1] ?? '') : ''
  const found = [...quoted(said), ...quoted(rows)]
  return found.length > 0 ? found : null
}

interface Written {
  action: string
  /** True if it concerns an invoice, so that the invoice's own history includes it. */
  ofInvoice: boolean
}

const written: Written[] = []
const unread: string[] = []
for (const file of readdirSync(server, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts') || file === ITSELF || file === TRASH) continue
  const text = readFileSync(join(server, file), 'utf8')
  // A deletion states the action name of its restore.
  for (const at of text.matchAll(/\bsoftDelete\(/g))
    for (const action of quoted(call(text, at.index + 'softDelete'.length)).filter((one) =>
      one.endsWith('.restored'),
    ))
      written.push({ action, ofInvoice: action.startsWith('invoice.') })
  for (const at of text.matchAll(/\brecordAudit\(/g)) {
    const entry = call(text, at.index + 'recordAudit'.length)
    const said = /\baction(?::\s*([^\n]+?))?\s*(?:,\s*(?:\n|target|code|outcome)|\n|\s\})/.exec(entry)
    const actions = said
      ? actionsOf(said[1] ?? '', text)
      : entry.includes('...event')
        ? actionsOf('...event', text)
        : null
    if (!actions?.length) unread.push(`${file}: ${entry.slice(0, 80)}`)
    const ofInvoice = entry.includes("type: 'invoice'")
    for (const action of actions ?? [])
      written.push({ action, ofInvoice: ofInvoice || action.startsWith('invoices.') })
  }
}
/** The history of a deleted object is not shown. */
const UNSEEN = 'invoice.deleted'
const key = (action: string) => action.replaceAll('.', '_')

test('every source that writes the history is understood by this test', () => {
  expect(unread).toEqual([])
  const actions = written.map(({ action }) => action)
  // One example of each form: literal, by table, by condition, through a function, by the operation's name.
  for (const action of [
    'series.numbers_skipped',
    'registry.rejected',
    'registry.conflict',
    'certificate.expired',
    'proposal.accepted',
    'key.revoked',
    'invoices.issue',
    'contact.restored',
  ])
    expect(actions).toContain(action)
})

test('every action has a text in both languages', () => {
  for (const language of [es, en])
    for (const { action, ofInvoice } of written) {
      expect(language.auditAction, action).toHaveProperty(key(action), expect.any(String))
      if (ofInvoice && action !== UNSEEN)
        expect(language.invoice.history, `${action} of an invoice`).toHaveProperty(
          key(action),
          expect.any(String),
        )
    }
})
