/** Texts for leaving with everything of a company, and for bringing it back. */
export const leaving = {
  leaving: {
    title: 'Take everything with you',
    text: 'Everything of this company in one ZIP of open formats: PDF, XML, JSON and CSV. It can be read without Sello, and another Sello brings it back.',
    open: 'Take everything…',
    dialogTitle: 'Everything of {company} in one archive',
    dialogText: 'It is made, read again completely to check it, and downloaded.',
    points: {
      documents:
        'The invoices as PDF as they were delivered, the electronic ones, attachments, and the records with the answers of the [authority].',
      data: 'The data as JSON with their schema; [tax] books, journal and lists as CSV and Excel.',
      back: 'With it a newly installed Sello has equal books: every amount, every box, every document.',
      without: 'Certificates, passwords and keys are not in it. Nothing changes here: you can go on working.',
    },
    private:
      'It is not encrypted: whoever has the file reads your customers and amounts. Keep it where only the right people can read it.',
    make: 'Make and download',
    stay: 'With many invoices it takes some minutes. Do not close this page.',
    done: 'Downloaded: {file}',
    progress: 'Progress of the archive',
    step: {
      drawing: 'Drawing missing PDFs: {done} of {total}',
      files: 'Documents and attachments: {done}',
      rows: 'Data: {done} rows',
      lists: 'Lists: {done} records',
      proving: 'Checking what was written: {done} of {total} files',
      sending: 'Reading the file: {percent}%',
      reading: 'Checking the archive: {done} of {total}',
      checking: 'Verifying the books…',
      copying: 'Bringing the books…',
    },
    takeIn: {
      link: 'Bring an archive of Sello with everything of a company',
      title: 'Bring a company from its archive',
      text: 'Sello checks every file and verifies the books before it brings anything. All of it comes, or nothing.',
      file: 'ZIP file',
      hint: 'The one downloaded in Settings > Company > Take everything with you, not unpacked.',
      missing: 'Choose the ZIP file.',
      yes: 'Check and bring',
      done: '{company} is here, with everything',
      counts: '{rows} rows from {files} files, equal to those in the archive; {checks} checks passed.',
      held: 'The real book issues nothing yet: once the earlier Sello issues no more, begin a new installation in Registry. Add the certificate and the passwords again.',
      open: 'Open the books',
    },
  },
}
