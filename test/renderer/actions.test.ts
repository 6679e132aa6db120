/**
 * The window offers nothing that the server refuses: every action names the operation it calls, and a role is shown
 * those alone that it may run.
 */
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from '@vue/compiler-sfc'
import { NodeTypes } from '@vue/compiler-dom'
import type { ElementNode, RootNode, TemplateChildNode } from '@vue/compiler-dom'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as PersonModule from '../../renderer/stores/person.ts'
import { officeOperations } from '../../server/api/office.ts'
import { operationTable } from '../../server/api/operations.ts'
import { capabilityFor, operationsOf } from '../../server/app/people/roles/capabilities.ts'
import { capabilitiesOf } from '../../server/app/people/roles/roles.ts'
import { ROLES } from '../../server/domain/people.ts'
import type { Role } from '../../server/domain/people.ts'

const root = resolve(import.meta.dirname, '../..')
const files = globSync('renderer/**/*.{vue,ts}', { cwd: root }).toSorted()
const sources = new Map(files.map((path) => [path, readFileSync(resolve(root, path), 'utf8')]))
const known = new Map(
  [...operationTable, ...officeOperations].map(({ facts }) => [facts.name as string, facts.effect]),
)

/** Actions that call no operation, or one that everybody has who sees the page. */
const OPEN_TO_ALL: ReadonlySet<string> = new Set([
  // Menus, which hide themselves without entries.
  'keys.more',
  'quotes.otherKinds',
  // Pages and dialogs that show something.
  'common.print',
  'help.all',
  'lost.action',
  'tour.begin',
  'keys.attend',
  'keys.next',
  'console.selectAll',
  // Of a page that only who may import can open.
  'keys.import',
  'imports.choose',
  'imports.template',
  'imports.another',
])

interface Key {
  path: string
  label: string
  /** Operations that its control names; null if it names none. */
  runs: string[] | null
}

const quoted = (code: string): string[] =>
  [...code.matchAll(/'([a-z]+\.\w+)'/gi)].map(([, name = '']) => name)

function runsOf(node: ElementNode): string[] | null {
  for (const prop of node.props)
    if (prop.type === NodeTypes.DIRECTIVE && prop.name === 'runs') return quoted(prop.exp?.loc.source ?? '')
  return null
}

/** Returns the keys of actions below a node, each with the operations of the nearest element that names some. */
function keysIn(path: string, node: RootNode | TemplateChildNode, inherited: string[] | null): Key[] {
  if (node.type !== NodeTypes.ROOT && node.type !== NodeTypes.ELEMENT) return []
  const runs = node.type === NodeTypes.ELEMENT ? (runsOf(node) ?? inherited) : inherited
  if (node.type === NodeTypes.ELEMENT && node.tag === 'ActionKey') {
    const label = node.props.flatMap((prop) => {
      if (prop.type === NodeTypes.ATTRIBUTE && prop.name === 'label') return prop.value?.content ?? []
      const isBound = prop.type === NodeTypes.DIRECTIVE && prop.arg?.loc.source === 'label'
      return isBound ? (prop.exp?.loc.source ?? []) : []
    })
    return [{ path, label: label[0] ?? '', runs }]
  }
  return node.children.flatMap((child) => keysIn(path, child, runs))
}

const keys = files
  .filter((path) => path.endsWith('.vue') && !path.endsWith('ActionKey.vue'))
  .flatMap((path) => {
    const { ast } = parse(sources.get(path) ?? '').descriptor.template ?? {}
    return ast ? keysIn(path, ast, null) : []
  })

/** Every operation that the window names as what an action does, with the files that name it. */
const named = new Map<string, string[]>()
for (const [path, code] of sources)
  for (const [, list = ''] of code.matchAll(/(?:v-runs="|\bruns(?:=|: ?)|mayRun\()((?:[^,)}\n"]|, ')+)/g))
    for (const name of quoted(list.replaceAll('"', "'"))) named.set(name, [...(named.get(name) ?? []), path])

test('every action of a page names the operation that it calls', () => {
  expect(keys.length).toBeGreaterThan(70)
  const silent = keys.filter(({ label, runs }) => runs === null && !OPEN_TO_ALL.has(label))
  expect(silent.map(({ path, label }) => `${path}: ${label}`)).toEqual([])
  // No action is excused that is not there.
  expect([...OPEN_TO_ALL].filter((label) => !keys.some((key) => key.label === label))).toEqual([])
})

test('an action names operations that exist', () => {
  const all = [...named.keys(), ...keys.flatMap(({ runs }) => runs ?? [])]
  expect(all.filter((name) => !known.has(name))).toEqual([])
})

/** Operations that need no action of their own in an office, and why. */
const WITHOUT_ACTION: Readonly<Record<string, readonly string[]>> = {
  'the page or section is open only to those with the same right': [
    'company.update',
    'companies.end',
    'companies.setMark',
    'imports.apply',
    'imports.check',
    'imports.discard',
    'imports.undo',
    'mail.test',
    'privacy.lift',
  ],
  'the page asks for the same right by another operation': [
    'approvals.decide',
    'inbox.open',
    'people.askRecovery',
    'people.confirmRecovery',
    'people.invite',
    'people.recoveryLink',
    'people.removeMember',
    'people.withdrawInvitation',
  ],
  'a dialog that opens with an action of the same right': [
    'bank.deleteAccount',
    'contacts.keepApart',
    'contacts.undoMerge',
    'incoming.setRule',
    'invoices.validate',
    'ledger.removeAccount',
    'mail.file',
    'reminders.skip',
  ],
  'the way back from an action of the same right': [
    'bank.unapplyRules',
    'bin.restore',
    'exports.cancel',
    'payments.create',
    'payments.unpayReceived',
    'received.restore',
  ],
  'a form that is disabled without the same right': [
    'attachments.upload',
    'received.attach',
    'received.read',
  ],
  'a table of the page has it': ['quotes.convert', 'quotes.delete'],
  'the set-up of a new company, which administrators of the office do': ['company.create'],
}

test('what the window calls to change something is named by an action', () => {
  const called = new Set<string>()
  for (const code of sources.values())
    for (const [, name = ''] of code.matchAll(/\bcall(?:Bytes)?\(\s*'([a-z]+\.\w+)'/gi)) called.add(name)
  const open = [...called].filter((name) => {
    const capability = capabilityFor(name)
    return known.get(name) !== 'read' && capability !== null && capability !== 'own' && !named.has(name)
  })
  const excused = Object.values(WITHOUT_ACTION).flat()
  expect(open.filter((name) => !excused.includes(name)).toSorted()).toEqual([])
  expect(excused.filter((name) => !open.includes(name))).toEqual([])
})

beforeEach(() => {
  vi.stubGlobal('localStorage', { getItem: () => null })
})
afterEach(() => vi.unstubAllGlobals())

/** Returns the module as the window of somebody with a role has it; of a desk without one. */
async function windowOf(role: Role | null): Promise<typeof PersonModule> {
  vi.resetModules()
  setActivePinia(createPinia())
  const module = await import('../../renderer/stores/person.ts')
  if (role === null) return module
  const capabilities = capabilitiesOf([role], false)
  vi.stubGlobal('fetch', async () =>
    Response.json({
      ok: true,
      data: { capabilities: [...capabilities], operations: operationsOf(capabilities), roles: [role] },
    }),
  )
  await module.usePersonStore().enter('bok_1')
  return module
}

test('each role is shown the actions that it may run, and a desk all of them', async () => {
  const desk = await windowOf(null)
  expect([...named.keys()].every((name) => desk.mayRun(name))).toBe(true)
  const shownTo = new Map<Role, number>()
  for (const role of ROLES) {
    const { mayRun, allowedOf } = await windowOf(role)
    const capabilities = capabilitiesOf([role], false)
    const wrong = [...named.keys()].filter((name) => {
      const capability = capabilityFor(name)
      return mayRun(name) !== (capability !== null && capabilities.has(capability))
    })
    expect(wrong, role).toEqual([])
    const actions = keys.flatMap(({ label, runs }) => (runs ? [{ label, runs }] : []))
    shownTo.set(role, allowedOf(actions).length)
    console.log(
      `actions: ${role} is shown ${allowedOf(actions).length} of ${actions.length} keys, ` +
        `${[...named.keys()].filter(mayRun).length} of ${named.size} operations`,
    )
  }
  // Nobody reads and sells as much as an owner, and who reads alone has no action that changes anything.
  expect([...shownTo.values()].every((count) => count <= (shownTo.get('owner') ?? 0))).toBe(true)
  const { mayRun } = await windowOf('accountant')
  const changing = [...named.keys()].filter(
    (name) => known.get(name) !== 'read' && capabilityFor(name) !== 'own' && capabilityFor(name) !== 'export',
  )
  expect(changing.length).toBeGreaterThan(100)
  expect(changing.filter(mayRun)).toEqual([])
})
