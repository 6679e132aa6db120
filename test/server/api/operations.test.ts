/** The table of operations: what the slices register, and the types and facts that others take of it. */
import { expect, expectTypeOf, test } from 'vitest'
import operationFacts from '#operation-facts'
import type { OperationName } from '../../../server/api/contracts.ts'
import { loadOperations, operationTable } from '../../../server/api/operations.ts'
import type { SLICES, SliceName } from '../../../server/api/slices.ts'
import type { handBackOperations } from '../../../server/app/office/hand-back/operations.ts'
import type { peopleOperations } from '../../../server/app/people/operations.ts'
import { defineOperations, operation } from '../../../server/context.ts'
import type { UseCase } from '../../../server/context.ts'
import { factsOf } from '../../../server/domain/contract/define-contract.ts'
import { getItemContract, listItemsContract } from '../../../server/catalog/items/contract.ts'

type Registered =
  | Awaited<ReturnType<(typeof SLICES)[SliceName]>>[number]['contract']['name']
  | (typeof peopleOperations)[number]['contract']['name']
  | (typeof handBackOperations)[number]['contract']['name']

test('the types for the page name the operations that the slices register, and no other', () => {
  expectTypeOf<Registered>().toEqualTypeOf<OperationName>()
})

test('a function of other types than its contract does not compile', () => {
  const getItem = null as unknown as UseCase<typeof getItemContract>
  const registered = defineOperations([
    operation(getItemContract, getItem),
    // @ts-expect-error A function for one item answers no list.
    operation(listItemsContract, getItem),
  ])
  expect(registered.map(({ contract }) => contract.name)).toEqual(['items.get', 'items.list'])
})

test('the facts that a start knows are those of the contracts, each operation once', async () => {
  const operations = await loadOperations()
  expect(Object.values(operationFacts).flat()).toEqual(operations.map(({ contract }) => factsOf(contract)))
  const names = operationTable.map(({ facts }) => facts.name)
  expect(new Set(names).size).toBe(names.length)
})
