/** The operations on the personal data of a contact. */
import { defineOperations, operation } from '../../context.ts'
import {
  findPersonContract,
  previewErasureContract,
  erasePersonContract,
  exportPersonContract,
  blockedPeopleContract,
  liftBlockContract,
} from './contract.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './export.ts'
import { findPerson, previewErasure, blockedPeople, liftBlock } from './find.ts'

export const privacyOperations = defineOperations([
  operation(findPersonContract, findPerson),
  operation(previewErasureContract, previewErasure),
  operation(erasePersonContract, erasePerson),
  operation(exportPersonContract, exportPerson),
  operation(blockedPeopleContract, blockedPeople),
  operation(liftBlockContract, liftBlock),
])
