/** Texts of backups: the card in Settings, the bar and the notice while no backup can be made. */
export const backups = {
  backups: {
    title: 'Backups',
    text: 'Sello copies your books once a day, on quitting if something changed, and before updating them. Each copy is opened and compared with the books; they are encrypted with the same key.',
    last: 'Last',
    none: 'None yet',
    next: 'Next',
    now: 'Right now',
    whileReading: 'None are made while the books are open for reading only',
    withCompany: 'Once there is a company',
    where: 'Where',
    kept: 'Kept',
    drill: 'Last trial',
    drillHeld: '{when}: it opened and was whole',
    drillFailed: '{when}: it cannot be used; {why}',
    drillNone: 'One is tried every week',
    make: 'Make a backup now',
    making: 'Copying and checking…',
    made: 'Backup made and checked.',
    failedSince: 'No new backups since {since}: {why}. The existing ones stay.',
    reason: {
      daily: 'daily',
      migration: 'before an update',
      quit: 'on quitting',
      manual: 'by hand',
      restore: 'before restoring',
    },
    list: 'See all',
    portable: {
      label: 'Portable backup',
      help: 'One file with all your books. It opens on any computer with your recovery code, and nobody opens it without. On another computer it is restored here, or at the first start.',
      make: 'Download portable backup',
      making: 'Copying and checking…',
      made: 'Portable backup downloaded: keep it away from this computer.',
    },
    restore: {
      label: 'Restore a backup',
      help: 'Replaces the current data with one of these, or with your portable file.',
      start: 'Restore…',
      title: 'Restore a backup',
      text: 'Sello closes the data and shows you the available backups.',
      textEmpty: 'There is nothing here yet: choose your portable file and type the recovery code.',
      shut: 'While they are closed nobody issues: no assistant and no other program either.',
      kept: 'The current data are not deleted: they are kept aside in the same folder, and you can open them again without restoring anything.',
      lost: 'What was done after the backup will not be in it.',
      held: 'If the backup lacks invoices that you have issued, nothing is issued until their numbers are recovered from the [authority].',
      yes: 'Close and choose a backup',
      shutting: 'Backing up the latest and closing…',
    },
    own: {
      label: 'Another folder besides',
      help: 'On an external disk, for example: if this computer breaks, you still have the backup. Type the whole path.',
      save: 'Save',
      remove: 'Remove',
      last: 'The newest there is of {when}.',
      waiting: 'The next one will go there.',
      fault: 'It has not been reached since {since}: {why}.',
    },
    why: {
      no_space: 'the disk has no room left',
      folder_missing: 'the folder is not there, or its disk is not connected',
      folder_denied: 'the folder cannot be written',
      disk_failed: 'the disk answers with errors',
      differs: 'the copy was not equal to your books',
      broken_chain: 'the records or the history do not add up: check them in [registryPage]',
      busy: 'your books kept changing',
      other: 'a fault that is in the log of the program',
    },
    bar: {
      failed: 'No backups can be made',
      drill: 'The latest backup cannot be used',
      own: 'For more than a week nothing was copied to your other folder',
      text: 'The reason: {why}.',
      act: 'See backups',
    },
  },
}

/** Faults of fields. */
export const backupFaults = {
  folder_not_absolute: 'Write the whole path of the folder',
  folder_in_data: 'Choose a folder outside of the one of your data',
  folder_unusable: 'The folder is not there, or cannot be written',
}

/** Actions in the history. */
export const backupActions = {
  backups_settings: 'Folder of the backups changed',
  backups_portable: 'Portable backup made',
  backups_restored: 'Books restored from a backup',
}
