/** The craft of lists: undo, deeds on many, own views, editing in the list. */
export const lists = {
  undo: {
    key: 'Undo the last thing',
    taking: 'Undoing: {what}',
    nothing: 'There is nothing to undo in this window',
    asNew: 'It comes back as a new one: the same data, another identifier.',
  },
  mandates: {
    active: 'Mandate of {name} in force again',
    cancelled: 'Mandate of {name} cancelled',
    removed: 'Mandate of {name} deleted',
    remove: 'Delete the mandate of {name}',
  },
}
