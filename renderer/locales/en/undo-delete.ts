/** Texts of undo: what was restored, and what was not. */
export const undoDelete = {
  undoDelete: {
    back: '“{name}” is back as it was',
    received: 'Received invoice {number} is in the books again',
    receivedChange: 'Received invoice {number} is as it was before the change',
    view: 'View “{name}” is back in its place',
    unbooked: 'No movement undone | 1 movement to identify again | {count} movements to identify again',
    kept: 'None stays | 1 stays: you changed it since | {count} stay: you changed them since',
    ignoredBack: 'The movement is as it was again',
  },
}
