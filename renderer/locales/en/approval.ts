/** Texts of approvals that programs request. */
export const approval = {
  approval: {
    title: {
      issue: 'wants to issue an invoice',
      cancel: 'wants to annul a registration',
      amend: 'wants to correct a registration',
    },
    short: { issue: 'Issue {number}', cancel: 'Annul {number}', amend: 'Correct {number}' },
    channel: { mcp: 'Assistant on this computer', rest: 'Program, through the API' },
    head: {
      issue: 'What will be registered',
      cancel: 'What will be annulled',
      amend: 'What will be sent to the registry',
    },
    lines: 'No lines | 1 line | {count} lines',
    left: 'Time is up | 1 minute left | {count} minutes left',
    newKey: 'This key requests this for the first time. Check whose key it is before you approve.',
    changed:
      'The draft has changed since it was asked. It cannot be approved like this: it has to be asked again.',
    checked: 'We checked',
    check: {
      client: 'You have invoiced this customer before.',
      newClient: 'It is the first invoice to this customer.',
      nif: 'The tax number is well formed.',
      badNif: 'The tax number is not valid.',
      caps: 'It is within the key’s daily limits.',
      overCaps: 'It goes beyond the key’s daily limits.',
      unchanged: 'It has not changed since it was asked.',
      changed: 'It has changed since it was asked.',
    },
    mind: 'Before you approve:',
    cannot: 'It cannot be done now:',
    final: 'This cannot be undone.',
    approve: { issue: 'Approve and issue', cancel: 'Approve and annul', amend: 'Approve and send' },
    status: {
      pending: 'To decide',
      approved: 'Approved and done',
      denied: 'Refused',
      withdrawn: 'No longer needed: the invoice or the key is another one',
      expired: 'Ran out without an answer. Nothing was done.',
    },
    done: {
      issue: 'Issued: {number}. Sending it to the tax agency.',
      cancel: 'Annulment of {number} on its way to the tax agency.',
      amend: 'Correction of {number} on its way to the tax agency.',
      denied: 'Refused. Nothing was done.',
    },
    withdrawn: {
      title: 'What {who} asked for needs no approval any more',
      text: 'The draft has changed: to issue it, it has to ask again.',
    },
    codeMissing: {
      title: 'First, set a lock code for Sello',
      text: 'Without a code that only you know, a program on this computer could ask and approve by itself. It is set once; the request waits for you in the inbox.',
      action: 'Set the code',
    },
    proof: { title: 'Is it you?', text: 'Type the lock code to approve it. This cannot be undone.' },
    see: 'See the invoice',
    toast: { title: '{who} asks for your approval', action: 'Review' },
  },
}
