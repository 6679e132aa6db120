/** Texts of the set-up. */
export const welcome = {
  welcome: {
    frame:
      'The orange frame that has just appeared says that you are in the test book: nothing you do here reaches the tax agency. The live book has no frame.',
    progress: 'Step {number} of {total}',
    company: {
      name: 'Company',
      title: 'Who invoices?',
      text: 'What the law wants on every invoice. You can change it later, except the NIF.',
      restore: 'I use Sello already: bring my data from a backup',
      fullName: 'Full name',
      territory: 'Tax residence in',
      regime: 'Scheme',
      contradicted:
        'That postal code is of {territory}. The territory decides the tax and cannot be changed later: check where your tax domicile is.',
      contradictedYes: 'It is right: my tax domicile is in that territory',
      sii: 'I keep my books under SII',
      missing: {
        nif: 'Type your NIF, for example 12345678Z',
        legalName: 'Type the name as the tax agency has it',
        street: 'Type the street and number',
        postalCode: 'Type the postal code, for example 28013',
        city: 'Type the town',
        province: 'Type the province',
      },
    },
    lookup: {
      ask: 'Find its data',
      help: 'Asks the tax agency and VIES about this NIF. You can change everything.',
      exists: 'That NIF is in Sello already: {company}.',
      open: 'Open that company',
      differs: 'The name typed is not the one on record: {name}.',
      take: 'Use that name',
      simulated: 'Simulated answers: nothing left this computer.',
      census: {
        identified: 'Tax agency: the NIF is in the census. {name}',
        similar: 'Tax agency: the NIF exists, but the name does not match entirely. {name}',
        not_identified: 'Tax agency: NIF and name are not in the census together. You can go on.',
        inactive: 'Tax agency: the NIF is inactive. {name}',
        revoked: 'Tax agency: the NIF is revoked. {name}',
        not_asked: 'Tax agency: not asked, it needs the certificate of the open company.',
        unavailable: 'The tax agency did not answer. Type the data yourself.',
      },
      vies: {
        valid: 'VIES: valid number. The name and address that it gives are in the form.',
        silent: 'VIES: valid number. It publishes neither name nor address.',
        unknown: 'VIES: not on record. Usual without business in other EU states.',
        unavailable: 'VIES did not answer. Type the data yourself.',
      },
    },
    barred: {
      lookedUpOn: 'Last looked up on {date}.',
      navarre: {
        title: 'Navarre has its own system',
        text: 'VERI*FACTU does not apply there. The tax agency of Navarre will publish which programs are valid.',
      },
      sii: {
        title: 'Under SII you do not need Sello',
        text: 'Keep using your SII program.',
      },
    },
    territory: {
      canary:
        'You will charge IGIC, and your invoices are registered under VERI*FACTU. Sello computes forms 420, 425 and 415; others of the Canary Tax Agency it does not.',
      ceuta_melilla:
        'You will charge IPSI, and your invoices are registered under VERI*FACTU. Sello adds up by rate and does not prepare the return of IPSI.',
      basque:
        'You will charge VAT, and your invoices are signed under TicketBAI. Sello computes no form of your foral treasury: neither VAT, nor withholdings, nor income or corporation tax.',
    },
    look: {
      name: 'Your invoice',
      title: 'This is how your invoice will look',
      text: 'With your logo, your colour and the account you are paid into. You can change it in Settings at any time.',
      iban: 'Account to be paid into (IBAN)',
      ibanHelp: 'It is printed on invoices paid by transfer, with a QR code to pay them.',
      later: 'Later',
    },
    certificate: {
      name: 'Test book',
      title: 'You start in the test book',
      text: 'Practise without fear: nothing leaves this computer.',
      testFirst: 'No certificate is needed to try',
      testFirstText:
        'In the test book a simulated authority answers, numbers begin with T- and the PDF is marked TEST.',
      obliged: 'VERI*FACTU obliges companies from {companies} and everybody else from {others} ({gazette}).',
      signed:
        'The live book is next to it, with its own numbering. TicketBAI signs each invoice when it is issued: before the first one, import the company’s certificate in Settings, Certificate. Nothing is issued without it.',
      liveLater:
        'The live book is next to it, with its own numbers. To issue in it, import the company’s certificate in Settings, Certificate, whenever you want.',
    },
    recovery: {
      name: 'Recovery',
      title: 'Your recovery code',
      text: 'Your data is encrypted. This code opens it if the computer is lost or breaks.',
      later: 'Do it later, in Settings',
    },
    sample: {
      client: 'Sample Customer S.L.',
      work: 'Hours of work',
      material: 'Materials',
    },
  },
}
