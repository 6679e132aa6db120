/** Texts of start-up faults, with their ways out, and of faults while Sello runs. */
export const recover = {
  trouble: {
    otherLanguage: 'Español',
    still: 'Still the same.',
    reportSaved: 'Report downloaded: facts about the computer and the fault, nothing of your invoices.',
    hasCode: 'The recovery code opens your data too.',
    noCode: 'No recovery code is kept for these data.',
    way: {
      retry: 'Try again',
      open: 'Open the data as they are',
      read: 'Open for reading only',
      create: 'Make new books here',
      code: 'Use the recovery code',
      folder: 'Choose another folder',
      restore: 'Restore a backup',
      other: 'Go to the open Sello',
      report: 'Download report for support',
      quit: 'Close Sello',
    },
    detail: {
      folder: 'Folder',
      file: 'File',
      process: 'Process',
      free: 'Free space',
    },
    kind: {
      keychain_locked: {
        title: 'The keychain is locked',
        text: 'The key that opens your data is in this computer’s keychain, which does not answer or is locked. Unlock it with the password of your account and try again.',
        safe: 'Your data are fine: only the key to open them is missing.',
      },
      key_elsewhere: {
        title: 'These data come from another computer',
        text: 'This computer’s keychain works but does not hold the key of these data: it stayed on the computer or in the account where they were made.',
        safe: 'Your data are fine. If you still use them on the other computer, do not issue on both: once inside we tell you what to do.',
      },
      key_missing: {
        title: 'The key of your data is missing',
        text: 'The file with the key is not where it should be ({file}). Put it back and try again.',
        safe: 'Your data are fine: only the key to open them is missing.',
      },
      key_wrong: {
        title: 'That is not the key of these data',
        text: 'The key that was found ({file}) does not open these data: it may belong to others or be damaged. Put the right one there and try again.',
        safe: 'Your data are fine, and that key is not deleted.',
      },
      store_in_use: {
        title: 'Sello is open already',
        text: 'Another window or program on this computer is using these data (process {pid}). Go on there, or close it and try again.',
        safe: 'Your data are fine: they are not opened twice, so that nothing is overwritten.',
      },
      port_taken: {
        title: 'Another program uses the port of Sello',
        text: 'Your programs and assistants know Sello at port {port}, and another program answers there now: they would send it their key. Close that program and open Sello again. If you want another port, open Sello with --port and change the address in every program and assistant.',
        safe: 'Your data are fine. Sello does not open at another port, so that no key reaches the wrong program.',
      },
      disk_full: {
        title: 'The disk is full',
        text: 'Sello needs a little room to open your data, and there is none. Empty the bin or delete what you do not need, and try again.',
        safe: 'Your data are fine and nothing was lost.',
      },
      folder_readonly: {
        title: 'The folder cannot be written',
        text: 'The system does not allow writing in {folder}. Check its permissions, or whether the disk is protected or was unplugged badly, and try again. If you only want to look at them or export them, open them for reading: nothing is saved, issued or sent.',
        safe: 'Your data are fine and nothing was changed.',
      },
      folder_missing: {
        title: 'The folder of your data is not there',
        text: 'Sello was opened to use {folder}, and that folder does not exist. If it is on an external disk, connect it and try again. If this is the first time you use it, make new books here.',
        safe: 'Sello has made and changed nothing.',
      },
      folder_unusable: {
        title: 'That folder cannot be used',
        text: '{folder} is not a folder, or cannot be reached. If it is on an external disk, connect it and try again.',
        safe: 'Sello has touched nothing.',
      },
      folder_shared: {
        title: 'The folder is shared with other computers',
        text: '{folder} is shared through {by}. Data that two computers write into, or that are copied while they are written, break. Move the folder to a disk of this computer and choose it here; keep only backups in the shared one.',
        safe: 'Sello has not opened or changed anything in it.',
      },
      store_missing: {
        title: 'The data are missing in this folder',
        text: 'In {folder} there are remains of Sello (the note about the key) but not the file with the data. Did you move it, or is it in another folder or on a disk that is not connected?',
        safe: 'Sello makes no new data over it and deletes nothing: put the file sello.db back, or take it from a copy.',
      },
      store_damaged: {
        title: 'The data are damaged',
        text: 'The file {file} cannot be read. Mostly it is a fault of the disk or an unfinished copy. Sello does not open it, so as not to make it worse.',
        safe: 'Nothing was changed. Keep a copy of the folder as it is; you can restore one of the backups there are, or your portable file.',
      },
      store_newer: {
        title: 'These data are from a newer Sello',
        text: 'A later version saved them (format {store}; this one knows up to {known}). Update Sello on this computer and open it again.',
        safe: 'Your data are fine and nothing was changed.',
      },
      shut_to_restore: {
        title: 'Restore a backup',
        text: 'The data are closed so that a backup can take their place. Meanwhile nothing is issued or sent.',
        safe: 'Your data are fine: what is there now is kept aside, whatever you choose.',
      },
      start_failed: {
        title: 'Sello cannot open your data',
        text: 'Something failed that we did not expect. Try again; if it persists, download the report and send it to support.',
        safe: 'Nothing in your data was changed.',
      },
    },
    code: {
      title: 'Recovery code',
      text: 'The seven groups you kept when you began. Capitals or not makes no difference, and you can paste it whole.',
      wrongGroup: 'Group {number} has a letter that never occurs.',
      shortGroup: 'Group {number} is not complete.',
      keepTitle: 'Afterwards, the key',
      keep: {
        once: {
          name: 'Do not keep it',
          text: 'Opens the data this time only. Next time, if the trouble is still there, the code is asked for again.',
        },
        keychain: {
          name: 'Keep it in this computer’s keychain',
          text: 'That is its place: the password of your account protects it.',
        },
        file: {
          name: 'Keep it in a file beside the data',
          text: 'Opens without asking, but whoever copies the folder takes the key too.',
        },
        external: {
          name: 'Keep it in the file named at start',
          text: 'If there is another file of that name, it is kept under another.',
        },
      },
      open: 'Open my data',
    },
    folder: {
      title: 'Another folder',
      text: 'Type or paste the folder where your data are: the one with the file sello.db.',
      example: '/home/ana/sello',
      hint: 'For this time only: next time Sello looks in the usual one again.',
      open: 'Open this folder',
    },
    restore: {
      title: 'Which backup',
      text: 'Sello opens it aside, checks that it is whole and puts it in the place of your data.',
      file: 'A portable backup file',
      fileHint: 'The one you downloaded under Settings > Backups; it ends in .sellobak.',
      choose: 'File',
      noFile: 'Choose the file.',
      noCode: 'Type the code: this file does not open without it.',
      codeNeeded: 'The one you had when the backup was made. Type it as you like.',
      codeMaybe: 'Only if this computer no longer has the key of your data.',
      replaceOther: 'Put these books in the place of the others, which are kept aside.',
      kept: 'What is in the folder now is not deleted: it is kept aside, in “replaced-…”.',
      yes: 'Restore and open',
      busy: 'Checking the backup…',
    },
    opened: {
      title: 'Your data are open',
      text: 'If this computer replaces the other one, go in and carry on. If the other one will go on issuing, or issued anything after the data were copied, go to the registry page first and begin a new installation: then no number is given twice.',
      enter: 'Enter Sello',
      registry: 'Go to the registry page',
    },
    quit: {
      title: 'Sello is closed',
      text: 'You can close this tab now.',
    },
    server: {
      why: 'See why',
      gone: {
        title: 'Sello does not answer',
        text: 'What you type stays here and is saved once it is back. We keep trying; if you closed it, open it again.',
      },
      replaced: {
        title: 'Sello was opened again in another window',
        text: 'This tab is no longer connected. Copy what was not saved and go on in the new one.',
      },
      shut: {
        title: 'Sello is back but cannot open your data',
        text: 'Copy what was not saved before you look why.',
      },
    },
    store: {
      check: 'Check now',
      mended: 'Saving works again',
      still: 'It cannot be written yet',
      full: {
        title: 'Disk full: reading only for now',
        text: 'You can look things up and export. Empty the bin or delete what you do not need; what you are in the middle of is saved then.',
      },
      readonly: {
        title: 'Writing is not possible: reading only for now',
        text: 'You can look things up and export. Check the folder’s permissions or whether the disk is protected; what you are in the middle of is saved then.',
      },
      reading: {
        title: 'Open for reading only',
        text: 'You can look and export; nothing is saved, issued or sent. To go on working, copy the folder to a disk that can be written and open Sello with it.',
      },
      failing: {
        title: 'The disk is failing: reading only for now',
        text: 'You can look things up and export. Check the disk; before anything is written again the data are proved whole.',
      },
    },
    room: {
      still: 'There is still little room',
      enough: 'There is room enough again',
      told: {
        title: 'There is little room left on the disk',
        text: 'Less than 500 MB. Empty the bin or delete what you do not need before Sello has to stop.',
      },
      no_new: {
        title: 'The disk is nearly full: nothing new is added',
        text: 'Less than 100 MB are left. Issuing, payments and changes go on; new drafts, imports and files wait until you make room.',
      },
      no_issue: {
        title: 'The disk is nearly full: nothing is issued',
        text: 'Less than 50 MB are left. You can read, export and change what is there. Empty the bin or delete what you do not need.',
      },
    },
    clock: {
      title: 'This computer’s clock is wrong',
      text: 'Nothing is issued until it is set. Drafts and everything else go on.',
      act: 'Set the clock',
    },
  },
}
