/** The operations of API keys. `keys.createByPerson` is registered by app/dashboard. */
import { defineOperations, operation } from '../../context.ts'
import { listKeysContract, createKeyContract, revokeKeyContract } from './contract.ts'
import { listKeys, createKey, revokeKey } from './manage.ts'

export const keyOperations = defineOperations([
  operation(listKeysContract, listKeys),
  operation(createKeyContract, createKey),
])

export const keyRevocationOperations = defineOperations([operation(revokeKeyContract, revokeKey)])
