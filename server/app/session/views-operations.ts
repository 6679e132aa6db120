/** The operations of saved views. */
import { defineOperations, operation } from '../../context.ts'
import { listViewsContract, saveViewsContract } from './views-contract.ts'
import { listViews, saveViews } from './views.ts'

export const viewOperations = defineOperations([
  operation(listViewsContract, listViews),
  operation(saveViewsContract, saveViews),
])
