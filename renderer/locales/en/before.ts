/** Texts of documents that an earlier program made. */
export const before = {
  before: {
    tag: 'Before Sello',
    meaning: 'Made by an earlier program: Sello neither numbered nor registered it',
    title: 'It comes from an earlier program',
    what: {
      invoice: 'Sello neither numbered nor registered it: it stays as the other program made it.',
      received: 'Sello gave it no reception number: it stays as the other program entered it.',
    },
    counts: 'It counts in the returns, the [tax] books and the charts of its date.',
    owedOnly: 'Only what is owed counts here: its taxes were declared with the other program.',
    file: 'File',
    fromList: 'From a list of what is open',
    rows: 'row {rows} | row {rows} | rows {rows}',
    reception: 'Its reception',
    lastNumber: 'Last number',
    moved: 'Move',
    move: 'That of {date}',
    can: {
      invoice: {
        open: 'You can record its payment, remind the customer and keep its document.',
        paid: 'You can keep its document.',
      },
      received: {
        open: 'You can record its payment and attach its document.',
        paid: 'You can attach its document.',
      },
    },
    cannot:
      'It is not corrected, rectified, annulled or sent from Sello. If it is wrong, undo the move, correct the file and take it in again.',
    facts: 'What its file says',
    operationDate: 'Date of operation',
    settled: 'Settled in the other program',
    paidBefore: 'Paid in the other program',
    noPaper: 'Sello does not have the document',
    noPaperText: 'Sello does not draw it, because it did not make it. Attach the PDF that you kept.',
    attach: 'Attach the PDF',
    attached: 'Document attached',
    ambiguous: 'Another document has that number and that name. Attach it from the move.',
    notAttached: 'That file is not a PDF that can be kept.',
    included:
      'Includes 1 document from before Sello. | Includes 1 document from before Sello. | Includes {count} documents from before Sello.',
  },
}
