/** Labels of shortcuts that no other text of a page names. */
export const keys = {
  keys: {
    tab: 'Go to a tab: 1, 2…',
    more: 'More actions',
    go: 'Go on with what comes next',
    remind: 'Remind every customer with overdue invoices',
    creditor: 'Change the creditor details',
    import: 'Import what was checked',
    next: 'Go on with the next step',
    attend: 'Open the first entry that needs attention',
    earlier: 'The period before',
    later: 'The period after',
  },
}
