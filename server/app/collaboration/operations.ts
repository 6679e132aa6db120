/** The operations of notes, tasks and the personal inbox. */
import { defineOperations, operation } from '../../context.ts'
import * as contract from './contract.ts'
import { markInboxRead, ownInbox } from './inbox.ts'
import { addNote, editNote, listNotes, removeNote } from './notes.ts'
import { completeTask, createTask, listTasks, removeTask, reopenTask, updateTask } from './tasks.ts'

export const collaborationOperations = defineOperations([
  operation(contract.listNotesContract, listNotes),
  operation(contract.addNoteContract, addNote),
  operation(contract.editNoteContract, editNote),
  operation(contract.removeNoteContract, removeNote),
  operation(contract.listTasksContract, listTasks),
  operation(contract.createTaskContract, createTask),
  operation(contract.updateTaskContract, updateTask),
  operation(contract.completeTaskContract, completeTask),
  operation(contract.reopenTaskContract, reopenTask),
  operation(contract.removeTaskContract, removeTask),
  operation(contract.ownInboxContract, ownInbox),
  operation(contract.markInboxReadContract, markInboxRead),
])
