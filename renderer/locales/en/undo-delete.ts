/** Texts of undo: what was restored, and what was not. */
export const undoDelete = {
  undoDelete: {
    back: '“{name}” is back as it was',
    received: 'Received invoice {number} is in the books again',
    receivedChange: 'Received invoice {number} is as it was before the change',
    view: 'View “{name}” is back in its place',
    unbooked:
      'No movement taken back | 1 movement to be matched again | {count} movements to be matched again',
    kept: 'None stays | 1 stays: you changed it since | {count} stay: you changed them since',
    ignoredBack: 'The movement is as it was again',
  },
}
