/** Texts of the help, the question marks at technical terms, the tour and the sample company. */
export const help = {
  help: {
    title: 'Help',
    text: 'All about Sello, without a connection too.',
    topics: 'Topics',
    search: 'Search the help',
    searchHint: '[tax] exempt, certificate, rectify…',
    results: 'Topics found',
    found: 'No topic | 1 topic | {count} topics',
    nothing: 'Nothing with those words. Try a single one, or look in the glossary.',
    related: 'Related',
    goTo: 'Go to {place}',
    law: 'Where it says so: {law}',
    openPage: 'Open as a page',
    close: 'Close the help',
    all: 'All topics',
    ofPage: 'The help for this page: {topic}',
    thisPage: 'Help for this page',
    first: 'Asked most often',
    lost: 'There is no such topic',
    lostText: 'It may have another name now.',
    learn: 'See how it works',
    tip: 'What it is: {word}',
    more: 'Learn more',
    groups: {
      start: 'Getting started',
      invoicing: 'Invoicing',
      registry: '[registryPage]',
      taxes: 'Taxes',
      money: 'Purchases and money',
      safety: 'Your data and help',
    },
  },
  tips: {
    base: {
      title: 'Taxable base',
      text: 'The price without [tax], discounts taken off already. The [tax] of each rate is calculated on it.',
    },
    withholding: {
      title: 'Income tax withheld',
      text: 'What your customer pays to the tax agency for you, towards your income tax. Only if it is a business.',
    },
    due: {
      title: 'Amount to pay',
      text: 'What you receive: the invoice total less what is withheld. The total is what gets registered.',
    },
    surcharge: {
      title: 'Equivalence surcharge',
      text: 'Retailers under that scheme pay it with the [tax]. Your customer has to tell you.',
    },
    operationDate: {
      title: 'Day of operation',
      text: 'The day it was delivered or done. Needed only when it is not the day of the invoice.',
    },
    series: {
      title: 'Series',
      text: 'The beginning of the number. Numbers follow each other within a series; rectifying ones have their own.',
    },
    kind: {
      title: 'Kind of invoice',
      text: 'F1 is the complete one. F2 is a ticket: no customer details, and up to a limit. F3 replaces tickets.',
    },
    gross: {
      title: 'Prices with [tax] included',
      text: 'The price you type is what the customer pays; the base follows from it and adds up to the cent.',
    },
    art7273: {
      title: 'Simplified, with the customer’s details',
      text: 'A ticket that adds NIF, address and VAT amount, so that the customer can deduct the [tax].',
    },
    hash: {
      title: 'Hash',
      text: 'A code that sums up this record and the one before. If anybody changed anything it would no longer fit.',
    },
    regime: {
      title: '[tax] scheme',
      text: 'The rules your activity follows. Nearly everybody is under the general one; your tax registration says.',
    },
    paymentDays: {
      title: 'Days to pay',
      text: 'The due date follows from them. Between businesses 30 if you agree on nothing else, and 60 at most.',
    },
    concept: {
      title: 'Kind of expense',
      text: 'The class that the book of received invoices asks for. If in doubt take the nearest: it can be changed.',
    },
    deductible: {
      title: 'Deductible [tax]',
      text: 'The part of the [tax] you may take off in your return. Less than all if you use it privately too.',
    },
  },
  tour: {
    label: 'Guided tour',
    firstTime: 'First time here?',
    done: 'Finish',
    offer: 'A two-minute tour',
    offerText: 'Eight stops on the real pages. Leave it when you like, and take it again from here.',
    begin: 'Start the tour',
    again: 'Take the tour again',
    later: 'Not now',
    step: '{number} of {total}',
    next: 'Next',
    back: 'Previous',
    end: 'Leave the tour',
    first: 'Your first invoice',
    gone: 'It is in Help when you want it',
    steps: {
      live: {
        title: 'You are in the live book',
        text: 'What you issue is registered with the tax agency. To practise, change to the test book in this menu.',
      },
      sample: {
        title: 'This is the sample company',
        text: 'Everything is invented. This menu changes company and book, and takes you back to yours.',
      },
      book: {
        title: 'You are in the test book',
        text: 'Nothing counts here. The live book is beside it: change here.',
      },
      home: {
        title: 'Home: how things stand',
        text: 'What you invoiced, what you are owed and the quarter’s [tax]. Below, what asks for your attention.',
      },
      invoices: {
        title: 'Your invoices',
        text: 'The marks say two things: whether it is registered with the agency and whether it is paid.',
      },
      create: {
        title: 'New invoice',
        text: 'This button, or the N key on any page. A draft saves itself and commits you to nothing.',
      },
      received: {
        title: 'What you buy',
        text: 'Drop the PDF of an invoice or expense here: Sello reads what it can and keeps it encrypted.',
      },
      taxes: {
        title: 'Your taxes, prepared',
        text: 'Each form with its date and the invoices behind it. Sello calculates; you do the filing.',
      },
      registry: {
        title: 'The registry, in words',
        text: 'If the agency refuses something or does not answer, this page says what happened and what to do.',
      },
      help: {
        title: 'And here, the help',
        text: 'F1 opens that of each page. Now you can make your first invoice.',
      },
    },
  },
  samples: {
    offer: 'Would you like to see Sello with data?',
    offerText:
      'We make a sample company of its own, with a test book only: invented customers, invoices, payments and purchases. Yours is not touched.',
    see: 'See an example',
    open: 'Go to the sample company',
    here: 'You are in the sample company',
    hereText: 'Everything you see is invented. Touch what you like.',
    filling: 'Preparing the sample company',
    part: {
      company: 'The company',
      customers: 'Customers and invoices',
      items: 'Products and payments',
      purchases: 'Purchases and quotes',
      done: 'Ready',
    },
    cancel: 'Cancel',
    cancelled: 'Cancelled: the sample company is put aside',
    filled: 'The sample company is ready',
    remove: 'Remove the example',
    removed: 'The sample company is gone',
    removeText:
      'It disappears from Sello. Its test records are not erased from the encrypted file, because they are chained; they count for nothing.',
    back: 'Back to my company',
  },
}
