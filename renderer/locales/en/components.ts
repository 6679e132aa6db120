/** Texts of the shared components: states, fields, lists. */
export const components = {
  registryStatus: {
    not_issued: 'Not issued',
    pending: 'Queued',
    sending: 'Sending',
    accepted: 'Registered',
    accepted_with_errors: 'Registered with warnings',
    rejected: 'Rejected',
    unknown: 'Unconfirmed',
    cancelled: 'Annulled',
  },
  paymentStatus: {
    draft: 'Draft',
    open: 'Still owed',
    unpaid: 'Due',
    partial: 'Part paid',
    paid: 'Paid',
    overdue: 'Overdue',
    uncollectible: 'Written off',
    credit: 'To refund',
    cancelled: 'Annulled',
  },
  seriesKind: {
    ordinary: 'Ordinary',
    simplified: 'Simplified',
    rectifying: 'Rectifying',
    quote: 'Quotes',
  },
  vatRegime: {
    general: 'General',
    surcharge: 'Equivalence surcharge',
    simplified: 'Simplified',
    cash: 'Cash accounting',
    exempt: 'Exempt',
    used_goods: 'Used goods',
    travel: 'Travel agencies',
  },
  territory: {
    mainland: 'Mainland and Balearics (VAT)',
    canary: 'Canary Islands (IGIC)',
    ceuta_melilla: 'Ceuta and Melilla (IPSI)',
    basque: 'Basque Country',
    navarre: 'Navarre',
  },
  address: {
    street: 'Street and number',
    postalCode: 'Postal code',
    city: 'Town',
    province: 'Province',
  },
  money: {
    read: 'Read as {amount}',
    not_a_number: '“{text}” is not an amount. Type, for example, {example}',
    too_many_decimals: '“{text}” has too many decimals. Type, for example, {example}',
    too_large: '“{text}” is too large. Check the zeros',
    division_by_zero: '“{text}” divides by zero. Type, for example, {example}',
  },
  dates: {
    placeholder: 'dd/mm/yyyy',
    openCalendar: 'Open the calendar',
    not_a_date: '“{text}” is not a date. Type, for example, 3/2 or today',
    no_such_day: 'There is no day {text}. The day goes first, then the month',
  },
  nif: {
    natural: 'Valid NIF',
    foreigner: 'Valid NIE',
    entity: 'Valid NIF',
    shape: 'This is not a NIF. It is nine letters and digits, for example 12345678Z',
    control: 'The last character does not match: it should be {expected}. Check the digits',
  },
  filters: {
    active: 'Filters in force',
    remove: 'Remove the filter {name}',
    clear: 'Clear filters',
  },
  secret: {
    kept: 'It is in a safe place',
  },
  grid: {
    partial: 'Part of the list has not arrived.',
  },
  recovery: {
    title: 'Recovery code',
    code: 'Recovery code, in seven groups',
    once: 'It is shown only now. Without it, if this computer breaks, nobody can open your data; neither can we.',
    haveIt: 'I have kept it',
    retype: 'Let us check that you have it. Type these two groups.',
    group: 'Group {number}',
    seeAgain: 'See the code',
    check: 'Check',
    done: 'Recovery code kept',
    changeKey: 'Change the key of your data too',
    changeKeyText:
      'They are encrypted with another key, and the earlier code opens nothing of them any more. It takes seconds, with many invoices up to a minute; you can read meanwhile, and what you save waits.',
    deleteBackups: 'Delete the backups made with the earlier key',
    deleteBackupsText:
      'Kept, they open with the new code. Portable backups and folders copied elsewhere still open with the code they had: delete those yourself.',
    keyStep: {
      copying: 'Copying your data…',
      encrypting: 'Encrypting the copy with the new key, and checking it…',
      swapping: 'Putting it in place…',
      backing_up: 'Making a backup with the new key…',
    },
    keyChanged: 'Code kept and key changed. There is a backup with the new key.',
    keyChangedNoBackup: 'Code kept and key changed, but the backup with the new key could not be made.',
    isKept:
      'You kept it and proved it. If you no longer know where it is, or somebody else may have it, make another.',
    isMissing:
      'You have not kept it yet. It opens your data on another computer, or when this one loses the key.',
    make: 'See the code',
    renew: 'Make another code',
    sheetTitle: 'Sello: recovery code',
    sheetText:
      'Keep this sheet in a safe place. This code opens the data of Sello on another computer, or when this one loses the key.',
  },
  pdf: {
    page: 'Page {number} of {count}',
    pageBroken: 'This page cannot be drawn.',
    fault: {
      broken: { title: 'This PDF cannot be opened', text: 'The file is damaged or is no PDF.' },
      locked: {
        title: 'This PDF has a password',
        text: 'Open it with the program you received it in, or ask for a copy without a password.',
      },
      failed: { title: 'It could not be shown', text: 'Try again; if nothing changes, download the file.' },
    },
  },
}
