/** Texts of handing the journal on to an accountant's program. */
export const handOn = {
  handOn: {
    title: 'Hand on to the accountant',
    open: 'Hand the journal on to their program',
    text: "The journal, the accounts and the [tax] in the format that your accountant's program imports. Handing on changes nothing in your books.",
    settings: {
      title: "Accountant's program",
      none: 'Ask your accountant which program they use, and how many digits their accounts have.',
      edit: 'Change',
      save: 'Save',
      saved: 'Program saved',
      format: 'Program',
      digits: 'Digits of accounts',
      firstCustomer: 'First customer number',
      firstSupplier: 'First supplier number',
      companyCode: 'Code of the company there',
      encoding: 'Encoding',
      recordLength: 'Length of a record',
      journal: 'Journal there',
      closingEntries: 'Include the regularisation and the closing of the year',
      confirmed: 'The accountant has confirmed these data',
      summary: '{name} · {digits} digits',
      source: 'Where the format comes from: {source}',
    },
    sure: {
      published: 'Format published by its vendor',
      reader: 'A public program reads this format; the vendor has not published all of it',
      believed: 'Supposed format: try it with few entries first',
    },
    untried: 'Sello has tried no file in the program. Do the first import in a test company.',
    how: {
      title: 'How to import it there',
      a3: 'In a3, Utilidades, Importar/Exportar, Enlace contable: choose the company and the folder with SUENLACE.DAT. Copy the company first.',
      contaplus:
        'Unpack the archive. In Sage 50 or ContaPlus, Utilidades, Importaciones, Ficheros de ContaPlus: choose XDiario.txt and XSubCta.txt. The program numbers the entries its own way.',
      contasol:
        'Unpack the archive. In ContaSOL, Utilidades, Importación, Archivos .XLSX: put MAE, APU, IVR and IVS into one folder and choose it. The level of the accounts must be the same.',
      holded:
        'In Holded, Import, Journal: upload Diario.xlsx. Set the same digits of accounts there first, and do not upload the invoices too: they would be doubled.',
      odoo: 'Unpack the archive. In Odoo, Favourites, Import records: the accounts first, then the contacts and the entries last, with “Test” before. They arrive as drafts.',
      csv: 'Three tables with semicolons: accounts, journal and [tax]. The columns are in the documentation.',
    },
    period: {
      title: 'What is handed on',
      year: 'Year',
      quarter: 'Quarter',
      whole: 'The whole year',
      all: 'Also what was handed on before and has not changed',
      look: 'Check',
      create: 'Hand on and download',
      busy: 'Preparing the file',
      entries: '{count} entries | One entry | {count} entries',
      lines: '{count} lines | One line | {count} lines',
      total: 'Debits and credits',
      accounts: '{count} accounts | One account | {count} accounts',
      known:
        '{count} handed on before, unchanged | One handed on before, unchanged | {count} handed on before, unchanged',
      nothing: 'These days have no new or changed entries.',
      handed: 'Handed on: {file}',
      failed: 'It is noted as handed on, but the file was not downloaded: download it from the list.',
    },
    newAccounts:
      '{count} accounts new to the accountant | One account new to the accountant | {count} accounts new to the accountant',
    different: 'Handed on before, and different since',
    differentText: "Change or delete them in the accountant's program too.",
    changed: 'Entry {number}: has changed',
    undone: 'Entry {number}: no longer exists',
    faults: '{count} notices | One notice | {count} notices',
    more: 'And {count} more | And one more | And {count} more',
    error: 'Stops the file',
    accounts: {
      title: 'Accounts of customers and suppliers',
      text: 'Each gets a number the first time and keeps it. If the accountant has their own already, type them or paste their list.',
      find: 'Name, tax number or account',
      none: 'No accounts have a number yet: they get one when you hand on.',
      noMatch: 'Nobody matches.',
      general: 'General account',
      account: 'Account of {name}',
      save: 'Save the account of {name}',
      saved: 'Account saved',
      misfit: 'does not fit the digits',
      list: 'Paste a list',
      listTitle: "The accountant's list",
      listText: 'Two columns: tax number and account. For example, B87654323;43000012',
      listLook: 'Check the list',
      listSave: 'Save the accounts',
      listSaved: '{count} accounts saved | One account saved | {count} accounts saved',
      change: '{name}: {before} → {after}',
      nothing: 'The list changes nothing.',
      map: "The accountant's account for {account}",
      mapSave: 'Use this one',
    },
    runs: {
      title: 'Handed on',
      none: 'Nothing has been handed on yet.',
      row: '{name}, {from} to {to}',
      facts: '{entries} entries, {first} to {last}, {when}',
      gone: '{count} are gone | One is gone | {count} are gone',
      download: 'Download again',
      discard: 'Forget',
      discardTitle: 'Forget this time?',
      discardText:
        'Its entries are proposed again. Do this only if the accountant has not imported the file.',
      discarded: 'Forgotten',
    },
  },
}

/** The faults of files and settings. */
export const handOnFaults = {
  hand_on_digits_short:
    'Account {account} has more digits than those of the accountant: type the one they use for it, or choose more digits',
  hand_on_typed_digits:
    'The typed account, {account}, has other digits than those of the accountant: type it again',
  hand_on_numbers_full:
    'No numbers are left in group {account} with these digits: choose more digits, or a lower first number',
  hand_on_characters:
    'Windows-1252 lacks characters of {count} texts, which were replaced, as in {example}: check the names there',
  hand_on_unconfirmed:
    'The accountant has not confirmed digits, codes and lengths yet: ask them, and mark it',
  hand_on_vat_by_hand:
    'The [tax] of this invoice is not in the file, only its lines: enter it in the [tax] book of the other program by hand',
  hand_on_cash_accounting:
    'An invoice under cash accounting goes as lines without [tax]. Enter it in the [tax] book of the other program with its mark',
  hand_on_replaces:
    'An invoice that replaces others goes as lines. Take the earlier ones out of the [tax] book of the other program, and enter this one',
  hand_on_reversed:
    'The entry of an invoice was undone: take the invoice out of the [tax] book of the other program',
  hand_on_number_cut:
    'The number of the invoice does not fit, and its end was kept: check there that it is not that of another',
  hand_on_too_many_rates:
    'The invoice has more than three [tax] rates: enter it in the [tax] book of the other program by hand',
  hand_on_long_entry: 'The entry has more lines than the other program takes: split it',
  hand_on_entry_number_large:
    'The number of the entry does not fit: hand on the year by itself, from entry 1',
  hand_on_amount_too_large: 'An amount of the entry does not fit into the format: use another one',
  hand_on_two_periods: 'Both days and a year are given: send one of them',
  hand_on_no_period: 'The days are missing: send from and to, or a year',
  hand_on_digits_of_format: 'This program has {min} to {max} digits',
  hand_on_first_too_long: 'That number does not fit after 430 with these digits',
  hand_on_encoding: 'This format has another encoding',
  hand_on_record_length: 'This format has no records of that length',
  hand_on_company_code: 'That is no code of a company of this program: ask the accountant',
  hand_on_journal: 'That is no journal of this program: ask the accountant',
  hand_on_list_long: 'The list has more than {max} rows: send it in parts',
  hand_on_list_row: 'Row {row} is not a tax number and an account',
  hand_on_list_double: 'Several contacts have the number {nif} (row {row}): merge them first',
  hand_on_list_unknown: 'No contact has the number {nif} (row {row})',
  hand_on_no_contact: 'That contact does not exist',
  hand_on_account_needed: 'Whoever has an account keeps one: type another',
  hand_on_account_digits: 'Account {account} does not have {digits} digits',
  hand_on_account_group: 'Accounts of group {account} are not of contacts: use 400, 410 or 430',
  hand_on_account_taken:
    'Account {account} was given before, and numbers are never given twice: type another',
}
