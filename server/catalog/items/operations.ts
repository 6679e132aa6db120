/** The operations of items. */
import { defineOperations, operation } from '../../context.ts'
import { createItem, updateItem, deleteItem } from './change.ts'
import {
  listItemsContract,
  exportItemsContract,
  getItemContract,
  createItemContract,
  updateItemContract,
  deleteItemContract,
} from './contract.ts'
import { exportItems } from './export.ts'
import { listItems, getItem } from './list.ts'

export const itemOperations = defineOperations([
  operation(listItemsContract, listItems),
  operation(exportItemsContract, exportItems),
  operation(getItemContract, getItem),
  operation(createItemContract, createItem),
  operation(updateItemContract, updateItem),
  operation(deleteItemContract, deleteItem),
])
