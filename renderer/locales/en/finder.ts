/** Texts of the results and actions of the palette. */
export const finder = {
  finder: {
    placeholder: 'Number, customer, amount, page or action',
    test: 'TEST: you search and act in the test book',
    recent: 'Opened lately',
    start: 'Start',
    named: 'Pages and actions',
    invoiceFor: 'New invoice for {name}',
    createInvoice: 'New invoice for “{name}”',
    newQuote: 'New quote',
    system: 'Look of the system',
    normal: 'Normal rows',
    roomy: 'Roomy rows',
    help: 'Help: {topic}',
    groups: {
      companies: 'Companies',
      invoices: 'Invoices',
      contacts: 'Contacts',
      quotes: 'Quotes',
      received: 'Received',
      items: 'Products and services',
    },
  },
}
