/** The table of rights: every operation of an office, every role, nothing by omission. */
import { expect, test } from 'vitest'
import { officeOperations } from '../../../../server/api/office.ts'
import {
  capabilityFor,
  capabilityForEvent,
  operationsWithCapability,
  VERIFIED,
} from '../../../../server/app/people/roles/capabilities.ts'
import {
  capabilitiesOf,
  capabilitiesWithoutCompany,
  rolesToGive,
} from '../../../../server/app/people/roles/roles.ts'
import { ROLES } from '../../../../server/domain/people.ts'
import type { Role } from '../../../../server/domain/people.ts'
import { EVENT_TYPES } from '../../../../server/platform/events/types.ts'

const names = officeOperations.map(({ facts }) => facts.name).toSorted()

test('every operation of an office has one capability, and no other operation has', () => {
  const listed = [...operationsWithCapability()].toSorted()
  expect(listed).toEqual(names)
  expect(new Set(listed).size).toBe(listed.length)
})

test('every type of event has a capability', () => {
  expect(EVENT_TYPES.filter((type) => capabilityForEvent(type) === null)).toEqual([])
})

test('what asks for a fresh proof exists and changes something', () => {
  const changes = officeOperations
    .filter(({ facts }) => facts.effect !== 'read')
    .map(({ facts }) => facts.name)
  expect([...VERIFIED].filter((name) => !changes.includes(name))).toEqual([])
})

/** The operations that a role may run. */
function operationsOf(role: Role, mayIssue = false): string[] {
  const capabilities = capabilitiesOf([role], mayIssue)
  return names.filter((name) => capabilities.has(capabilityFor(name)!))
}

const effects = new Map(officeOperations.map(({ facts }) => [facts.name, facts.effect]))
const changing = (all: readonly string[]): string[] =>
  all.filter((name) => effects.get(name) !== 'read' && capabilityFor(name) !== 'own')

test('each role may what it is for, and not what it is not', () => {
  const owner = operationsOf('owner')
  // What belongs to the installation is nobody's by a role in a company.
  expect(names.filter((name) => !owner.includes(name)).map(capabilityFor)).toEqual(
    names.filter((name) => capabilityFor(name) === 'installation.manage').map(() => 'installation.manage'),
  )
  for (const role of ROLES)
    expect(
      operationsOf(role).filter((name) => !owner.includes(name)),
      role,
    ).toEqual([])

  const sales = operationsOf('sales')
  expect(sales.filter((name) => /^(ledger|bank|fiscal|received|remittances|audit)\./.test(name))).toEqual([])
  expect(sales).not.toContain('invoices.issue')
  expect(operationsOf('sales', true)).toContain('invoices.issue')
  expect(operationsOf('accountant', true)).not.toContain('invoices.issue')

  // Files are made by a write; nothing of the books changes.
  expect(changing(operationsOf('accountant'))).toEqual([
    'books.inspectorPack',
    'exports.cancel',
    'exports.create',
    'handOn.create',
    'inbox.propose',
  ])

  const adviser = operationsOf('adviser')
  for (const never of [
    'invoices.issue',
    'invoices.create',
    'payments.create',
    'bank.createAccount',
    'people.invite',
  ])
    expect(adviser, never).not.toContain(never)
  for (const always of ['received.create', 'ledger.lock', 'fiscal.fileReturn', 'people.members'])
    expect(adviser, always).toContain(always)

  const administrator = operationsOf('administrator')
  for (const never of ['invoices.issue', 'ledger.writeEntry', 'payments.create', 'bank.createAccount'])
    expect(administrator, never).not.toContain(never)
  for (const always of ['people.changeRoles', 'keys.createByPerson', 'certificates.import'])
    expect(administrator, always).toContain(always)
})

test('nobody gives what he may not', () => {
  expect(rolesToGive(['owner'])).toEqual(ROLES)
  expect(rolesToGive(['administrator'])).toEqual(ROLES.filter((role) => role !== 'owner'))
  for (const role of ROLES.filter((one) => one !== 'owner' && one !== 'administrator'))
    expect(rolesToGive([role]), role).toEqual([])
})

test('without a company there are the own affairs, and the installation for who administers it', () => {
  expect([...capabilitiesWithoutCompany(false)]).toEqual(['own'])
  expect([...capabilitiesWithoutCompany(true)]).toEqual(['own', 'installation.manage'])
})
