/** Words of the app lock: its page, its warning, its settings, its errors and its history. */
export const lock = {
  lock: {
    title: 'Sello is locked',
    code: 'Your passphrase',
    pin: 'Your PIN',
    show: 'Show what you type',
    hide: 'Hide what you type',
    capitals: 'Caps Lock is on',
    open: 'Unlock',
    empty: 'Type your passphrase',
    wrong: 'That is not the passphrase. Type it again.',
    waitingNotice: 'Nothing waits. | 1 thing to decide. | {count} things to decide.',
    wrongPin: 'That is not the PIN. Type it again.',
    waiting: 'Not that one. You can try again in {time}.',
    forgotten: 'I forgot the passphrase',
    forgottenPin: 'I forgot the PIN',
    forgottenText: 'Open with the recovery code you kept, and choose a new passphrase.',
    recovery: 'Recovery code',
    recoveryEmpty: 'Type the code: seven groups of four letters and digits',
    newCode: 'New passphrase',
    newEmpty: 'Choose a new passphrase',
    rule: 'A PIN of 6 digits or more, or a passphrase of 8 characters or more.',
    openWithRecovery: 'Open and change it',
    back: 'Back to the passphrase',
    since: {
      person: 'You locked it at {time}',
      idle: 'Locked at {time}, with nobody there',
      system: 'Locked at {time}, with the computer',
      start: 'Started at {time}; waiting for you',
    },
    goesOn: 'Sending to the tax agency, API keys and assistants go on working.',
    entry: {
      title: 'Sello does not know this browser',
      why: 'It is open and working, but lets in only the browser that it opened itself, or whoever knows the code.',
      open: 'Enter',
      again: 'Or stop Sello where you opened it (Ctrl+C) and open it again: the link it gives works once.',
    },
    now: 'Lock now',
    warn: {
      title: 'Still there?',
      text: 'What you are writing is not lost.',
      left: 'Sello locks in {seconds} s',
      stay: 'Stay here',
    },
    settings: {
      title: 'Locking Sello',
      off: 'Asks for a passphrase when Sello opens and when nobody is there. It is off now.',
      on: 'Sello asks for your passphrase when it opens and when nobody is there.',
      onPin: 'Sello asks for your PIN when it opens and when nobody is there.',
      needsRecovery: 'First keep the recovery code: nothing else opens it if you forget the passphrase.',
      turnOn: 'Turn the lock on',
      change: 'Change the passphrase',
      turnOff: 'Turn the lock off',
      idle: 'Locks with nobody there after',
      minutes: '{count} min',
      hour: '1 hour',
      withSystem: 'Lock with the computer',
      withSystemHelp: 'When you lock your session or the computer sleeps. In the desktop app.',
      showName: "Show the company's name",
      showNameHelp: 'On the lock screen.',
      beforeApproval: 'Ask for the passphrase before approving',
      beforeApprovalHelp:
        'Before issuing, cancelling or correcting what a program asks for. Where the computer has Touch ID, a finger is enough.',
      approvalsOn: 'Ask before approving',
      approvalsOnText: 'So a program that moves the mouse cannot ask and approve by itself.',
      approvalsOff: 'Stop asking',
      approvalsOffText: 'A click will be enough to approve what a program asks for.',
      whatFor:
        'It keeps out whoever sits down at your computer. API keys and assistants have keys of their own and do not stop.',
      current: 'Current passphrase',
      fresh: 'New passphrase',
      again: 'Type it again',
      differ: 'They differ: type the same one twice',
      currentEmpty: 'Type the passphrase you have now',
      isOn: 'Lock turned on',
      isChanged: 'Passphrase changed',
      isOff: 'Lock turned off',
      turnOnText:
        'Asked for when Sello opens and when you come back. If you forget it, the recovery code opens.',
      changeText: 'From now on only the new one opens.',
      turnOffText: 'Whoever sits down at your computer will see your invoices.',
    },
  },
  look: {
    motion: 'Motion',
    motionSystem: 'As the system',
    motionLess: 'No animations',
    density: 'Rows and tables',
    menu: 'In the menu',
    menuHelp: 'What you take out is still there: find it with Ctrl K.',
  },
}

/** For the catalogue of errors. */
export const lockErrors = {
  app_locked: { title: 'Sello is locked', next: 'Open it with your passphrase.' },
  lock_code_wrong: {
    title: 'That is not the passphrase',
    next: 'Type it again or use the recovery code.',
  },
  identity_needed: {
    title: 'We have to know it is you',
    next: 'Type the code of the lock. If you have none yet, set it in Settings, Security.',
  },
  window_link_spent: {
    title: 'That link was used already, or its time is over',
    next: 'Type the code or the recovery code, or stop Sello and open it again.',
  },
  lock_wait: {
    title: 'Too many wrong passphrases',
    next: 'Wait {seconds} s or use the recovery code.',
  },
  lock_not_set: { title: 'The lock is off', next: 'Turn it on in Settings, Security.' },
  lock_needs_recovery: {
    title: 'The recovery code is missing',
    next: 'Keep it first: nothing else opens the lock if you forget the passphrase.',
  },
}

/** For the faults of fields. */
export const lockFaults = {
  lock_code_short: 'Too short: use 6 digits or more, or 8 characters or more',
  lock_code_plain: 'Anybody would try this one first: choose another',
}

/** For the history. */
export const lockActions = {
  lock_on: 'Lock turned on',
  lock_changed: 'Lock changed',
  lock_off: 'Lock turned off',
  lock_locked: 'Sello locked',
  lock_unlocked: 'Sello unlocked',
  lock_recovered: 'Unlocked with the recovery code',
}
