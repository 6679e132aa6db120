/** Words of the front page. */
export const home = {
  home: {
    quarter: {
      title: 'Invoiced this quarter',
      more: '{percent} more than {quarter}',
      less: '{percent} less than {quarter}',
      same: 'The same as {quarter}',
      first: '{quarter}, before tax',
    },
    owed: { title: 'Owed to you', count: 'No invoices | 1 invoice | {count} invoices' },
    overdue: {
      title: 'Overdue',
      count: 'Nothing overdue | 1 invoice, due {ago} | {count} invoices, one due {ago}',
      none: 'Nothing overdue',
    },
    vat: { title: 'VAT on your invoices, {quarter}', due: 'To be filed by {day}' },
    chart: {
      title: 'Invoiced in twelve months',
      base: 'Before VAT',
      month: 'Month',
      thousands: '{count}k',
      decimalSign: '.',
      spoken: 'Bars of the last twelve months. The highest, {month}: {amount}.',
      none: 'Bars of the last twelve months. No invoices issued yet.',
    },
    checklist: {
      title: 'First steps',
      progress: '{done} of {all} done',
      ticked: 'done',
      dismiss: 'Hide',
      gone: 'First steps hidden',
      company: {
        title: 'Complete your company’s details',
        text: 'An invoice must show your address.',
        verb: 'Complete',
      },
      series: {
        title: 'Choose the series',
        text: 'Every invoice takes its number from it.',
        verb: 'See series',
      },
      firstTestInvoice: {
        title: 'Issue a test invoice',
        text: 'In the test book: nothing reaches the tax agency.',
        verb: 'Try it',
      },
      recovery: {
        title: 'Keep the recovery code',
        text: 'It opens your data if this computer breaks.',
        verb: 'Keep it',
      },
      certificate: {
        title: 'Import the company’s certificate',
        text: 'To issue in the live book. It can wait.',
        verb: 'Import',
      },
      apiKey: {
        title: 'Connect an assistant or a program',
        text: 'It prepares drafts for you. You decide.',
        verb: 'Connect',
      },
    },
    attention: {
      title: 'Needs your attention',
      none: 'Nothing waiting.',
      rejected: {
        title: 'The tax agency rejected {number}',
        text: 'See what it says and what to do.',
        verb: 'See',
      },
      proposal: {
        title: 'A proposal to decide | 1 proposal to decide | {count} proposals to decide',
        text: 'An assistant proposes something and waits for your answer.',
        verb: 'Review',
      },
      queue: {
        title: 'A record in the queue | 1 record in the queue | {count} records in the queue',
        text: 'They are sent by themselves as soon as possible.',
        verb: 'See queue',
      },
      recurring_waiting: {
        title: 'One draft is ready | 1 draft is ready | {count} drafts are ready',
        text: 'From your recurring invoices. Review and issue them.',
        verb: 'Review',
      },
      recurring_troubled: {
        title:
          'One recurring invoice needs your help | 1 recurring invoice needs your help | {count} recurring invoices need your help',
        text: 'Its draft could not be prepared.',
        verb: 'See',
      },
      recovery: {
        title: 'Keep the recovery code',
        text: 'Without it, if this computer breaks, your data is lost.',
        verb: 'Keep it',
      },
      deadline: {
        title: 'Form {form} for {period}',
        text: 'Due by {dueTo}. Sello does not file returns.',
        verb: 'See invoices',
      },
      issuer_address_missing: {
        title: 'Your company’s address is missing',
        text: 'Nothing can be issued without it.',
        verb: 'Complete',
      },
      certificate_missing: {
        title: 'The company’s certificate is missing',
        text: 'The live book needs it to issue.',
        verb: 'Import',
      },
      producer_missing: {
        title: 'The live book does not issue yet',
        text: 'This program lacks its producer’s details. The test book works in full.',
        verb: 'Go to test',
      },
      broken: {
        title: 'The chain of records does not add up',
        text: 'Nothing is issued until it is solved.',
        verb: 'See',
      },
      readiness: {
        title: 'Something is missing to issue',
        text: 'Look at it in Settings.',
        verb: 'See settings',
      },
    },
    collections: {
      title: 'Collections',
      all: 'See all',
      due: 'Owed',
      none: 'Nobody owes you anything. Unpaid invoices show here, overdue ones first.',
    },
    registry: {
      open: 'Open',
      records: 'No records | 1 chained record | {count} chained records',
      answered: 'Last answer {ago}',
      accepted: 'none registered | 1 registered | {count} registered',
      withWarnings: 'none with warnings | 1 with warnings | {count} with warnings',
      rejected: 'none rejected | 1 rejected | {count} rejected',
      queued: 'none queued | 1 queued | {count} queued',
      none: 'Every invoice you issue leaves its record here.',
      noneTest: 'Every invoice you issue as a test leaves its record here. A simulated authority answers.',
    },
  },
}
