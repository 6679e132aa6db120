/** Texts of the desktop: system notifications, dropped files, printing. */
export const desktop = {
  desktop: {
    notice: {
      private: 'Open it in Sello to see it.',
      approvals: 'Something waits for your answer',
      registry: 'A record needs your help',
      recurring: 'A recurring draft is ready',
      mail: 'A mail could not be sent',
    },
    settings: {
      title: 'System notifications',
      text: 'Shown only while you are not looking at the window.',
      approvals: 'Approvals and proposals',
      approvalsHelp: 'When a program asks for your approval or an assistant proposes something.',
      registry: 'Tax agency registry',
      registryHelp: 'When the tax agency rejects a record, or sending stops.',
      recurring: 'Recurring invoices',
      recurringHelp: 'When a draft is ready to be reviewed.',
      mail: 'Mail',
      mailHelp: 'When a mail could not be sent.',
      private: 'No names or amounts',
      privateHelp:
        'The notification says what happened, not whom it concerns. It shows on a locked screen too.',
    },
    drop: {
      title: 'Drop to add the document',
      text: 'A PDF, an electronic invoice or a photo opens as a received invoice; several go to the documents to review. For a statement or a table we ask where it goes.',
      where: 'Where does this file go?',
      to: { received: 'Received invoice', bank: 'Bank statement', import: 'Import a table' },
      toText: {
        received: 'It is read and kept with the invoice.',
        bank: 'Its movements go into an account.',
        import: 'Contacts, products or received invoices, row by row.',
      },
      unknown: '{name}: this kind of file cannot be added',
      known: 'A PDF, an XML, a picture, a statement (N43, CAMT, CSV) or an XLSX will do.',
      oneByOne: 'Statements and tables are dropped one at a time',
    },
    print: {
      test: 'TEST',
      all: '{count} rows',
      some: '{shown} of {count} rows. The others are not printed: filter the list or export it.',
    },
  },
}
