/** Help in English: taxes. */
import type { TopicText } from '../topics.ts'

export const taxes = {
  vat: {
    title: 'VAT on an invoice',
    lead: 'The general rate is {vat}%; there are {vatReduced}% and {vatSuperReduced}% for what the law names.',
    body: `
- The **taxable base** is the price without VAT, discounts taken off.
- The **rate** is the percentage, and the **VAT amount** what comes out.
- Sello adds up the base of each rate, reckons the VAT once and rounds to the cent. So the total may differ by a cent from the sum of the lines.

## Prices with VAT included

If you sell at a final price, choose “VAT included” under “More”: the customer’s price is fixed and the base follows from it.

## Which rate for what

It depends on what you sell. At {vatReduced}%, for instance, hospitality and passenger transport; at {vatSuperReduced}%, bread, milk or books. The rate of the day of the operation counts. The rates Sello knows, with date and article, are in Settings, Taxes.

If you do not know whether something bears VAT, the question mark of the line asks what, to whom and where, and proposes with its reasons. **Disbursements**, what you pay in your customer’s name against an invoice made out to them, bear none.`,
    words: 'vat rate percentage taxable base amount rounding cent disbursement iva',
  },
  territories: {
    title: 'Canary Islands, Ceuta and Melilla',
    lead: 'The Canary Islands charge IGIC, Ceuta and Melilla IPSI, in place of VAT. The territory is chosen when the company is set up.',
    body: `
Sello proposes it by the postal code. It decides the tax of the book and does not change later: another territory is another company in Sello.

## Canary Islands

- The **zero rate** is a rate: the line bears tax, at 0 %.
- A **retailer** (comerciante minorista) sells exempt, and the invoice says so. Only customs charges the surcharge, on imports: with the base of the customs document (DUA) Sello proposes it.
- A **small business** (REPEP) charges no IGIC and deducts none.
- What you send to the mainland, the Union or other countries is an export; services to businesses there are not subject.
- The 0 % of La Palma is temporary, and Sello never sets it by itself.

## Ceuta and Melilla

Each city fixes the rate of each thing. You choose it on the line, and Sello remembers the last one of each item. Selling what you do not produce is not subject.

## What Sello does not cover

The forms of Ceuta and Melilla. The Basque Country has VAT, with a registry and forms of its own. For Navarre, and for whoever keeps the books through the SII, Sello says why it does not serve and when that was last looked up.`,
    words:
      'igic ipsi canary islands las palmas tenerife ceuta melilla retailer repep dua import territory basque country navarre',
  },
  exempt: {
    title: 'Without VAT: exempt or not subject',
    lead: 'Exempt: the law frees it from VAT. Not subject: Spanish VAT does not reach it. The invoice has to say why.',
    body: `
## Exempt

- **Article 20**: health, regulated teaching, insurance, finance, letting of dwellings.
- **Article 21**: exports out of the Union.
- **Article 25**: goods to a business in another country of the Union, with a VAT number.
- Others: articles 22, 23 and 24.

## Not subject

- **By the rules of place** (articles 69 and 70): most services to businesses outside Spain.
- **Article 7**: for instance the sale of a whole business, or samples.

## In Sello

On the line, change VAT to “No VAT” and choose the cause, or ask with the question mark. The words the law wants print by themselves.

If all you do is exempt under article 20, you generally cannot deduct the VAT you pay. Exports and sales to the Union do let you deduct.`,
    words: 'vat exempt exemption not subject E1 E2 E5 N1 N2 export health training rent dwelling iva exento',
  },
  'reverse-charge': {
    title: 'Reverse charge',
    lead: 'You invoice without VAT and your customer, a business, declares it. Only in the cases the law names.',
    body: `
The most common within Spain:

- Building or renovation works on buildings, and the labour for them, for the developer or a contractor.
- Scrap and recovered materials.
- Sales of real estate in which the exemption is waived.
- Phones, tablets, laptops and consoles, to resellers or above the limit set by law.

## On the invoice

The line has VAT 0 and the cause “reverse charge”; Sello adds the words. The customer has to be identified: it cannot be a simplified invoice.

## When you receive one

You declare the VAT as if you had charged it and, if you may deduct it, take it off in the same form 303. Mark it when you enter the received invoice; Sello does both parts.`,
    words: 'inversión del sujeto pasivo isp construction renovation scrap phones S2',
  },
  eu: {
    title: 'Selling and buying in the European Union',
    lead: 'A business with a VAT number is invoiced without Spanish VAT; a private person with it.',
    body: `
## To a business

- **Goods** that leave Spain: exempt by article 25, if the customer has a valid VAT number and you can prove the transport.
- **Services**: generally not subject here; the customer declares them in their country.

Check it in VIES from the contact: the answer is kept with its date. You too have to be in the register of intra-Community operators (form 036).

These go into **form 349**: every quarter, or every month if goods and services sold pass €{euMonthly} in the quarter or one of the four before. A credit of the same quarter lessens its operation; one of an earlier period goes apart, with the rectified base and the one declared before.

## To a private person

With Spanish VAT while you stay below the limit of distance sales. Beyond it, that of the customer’s country: the one-stop shop.

## Buying

The invoice comes without VAT. You declare it and deduct it if you may. Sello proposes it when you enter it, by the supplier’s country and tax number: check it, above all whether these are goods or services. VAT of another country is not deducted here: it is cost.`,
    words: 'intra-community europe VIES VAT number ROI 349 abroad france germany portugal',
  },
  oss: {
    title: 'The one-stop shop (OSS)',
    lead: 'If you sell to private persons in other countries of the Union for more than €{oss} a year, their country’s VAT applies.',
    body: `
The limit of €{oss} counts distance sales of goods and electronic, telecommunication and broadcasting services to private persons of the whole Union, without VAT. Below it you may keep Spanish VAT, or choose the customer’s.

With the one-stop shop you do not register in each country: you file one **form 369** a quarter, by the last day of the month that follows. You have to register with the agency first.

## In Sello

On the line choose the cause “one-stop shop” and the country: the rate is the one there. Sello adds up by country and rate in form 369, and tells apart the credits of earlier quarters. Its file is uploaded to the agency’s site and says that everything leaves from Spain. Those lines are not in the 303, and the agency’s record leaves their VAT out.`,
    words: 'oss ioss distance sales online shop ecommerce 369 consumers europe',
  },
  withholding: {
    title: 'Income tax withheld (IRPF)',
    lead: 'If you are a professional and invoice a business, they withhold: you get less today, and it counts towards your income tax.',
    body: `
- **{professional}%** in general for professional activities.
- **{newProfessional}%** in the year you start and the two that follow, if you were not active the year before. You tell your customer so.
- **{rent}%** on the letting of business premises.

Other activities have other rates, and trading ones generally none.

## When it applies

When the customer is a business, professional or entity in Spain. Never a private person, nor if you are a company, save for rents.

## On the invoice

It is reckoned on the base, not on the VAT. **Invoice total** is what is registered; **Amount to pay** is what you receive. Withholding is not part of the agency’s record.

The usual rate is set in Settings, Company, or on the contact, and can be changed on the invoice. If it is you who withholds, entering the received invoice puts it into forms 111 or 115.`,
    words: 'irpf withholding retention 15 7 19 professional sole trader rent premises amount to pay',
  },
  surcharge: {
    title: 'The equivalence surcharge',
    lead: 'Added to VAT when you sell to a retailer under that scheme.',
    body: `
They are natural persons, or entities taxed through their members, who retail what they buy without changing it. They file no VAT: they pay all of it to their supplier.

- With {vat}% VAT, {surcharge}%.
- With {vatReduced}%, {surchargeReduced}%.
- With {vatSuperReduced}%, {surchargeSuperReduced}%.

Tobacco has its own. The surcharge is on the same base and shown apart.

## In Sello

Mark “equivalence surcharge” on the contact and it goes on all their invoices. The customer has to tell you that they are under the scheme. You pay the surcharge you collect with your form 303.

If the retailer is you, choose that scheme in Settings, Company.`,
    words: 'recargo de equivalencia retailer shop RE',
  },
  returns: {
    title: 'Tax forms: what Sello gives you and what it does not',
    lead: 'Sello works out the boxes with the invoices behind each, and prepares the file for the agency. Nothing is filed unless you say yes.',
    body: `
- **303**: the quarter’s VAT. **390**: the year’s summary.
- **130**: income tax on account, for sole traders under direct estimation.
- **111** and **190**: what you withheld from professionals; wages you write yourself into boxes 01 to 06 of form 111, or a 0 where there are none. **115** and **180**: from whoever lets you the premises.
- **347**: with whom you passed €{thirdParties} in the year, VAT included.
- **349**: operations with businesses of the Union. **369**: one-stop shop.
- **131** (modules) and **123** (withheld from dividends and interest): you type their boxes; Sello checks the sums. Form 123 is added under **Business activity**.

Press a box and you see its invoices: they add up to the same. Above, the warnings: what is not registered, a NIF that is missing, received invoices without a document.

## What it does not know

The simplified scheme (modules): form 303 is not computed, and you type form 131. Nor is form 309 of the equivalence surcharge: Sello only says when it is due. Wages you do not write, amounts carried over that you have not entered, expenses that are not in Sello, and your personal circumstances. It is an estimate to prepare by.

## Filing

**File** shows what the form will say, how its result is settled, and what is missing before. **Download the file** saves it for the agency’s site: the page lists the steps. Sello makes files only for years whose design it knows; 190 with wages and 180 with rents ask for facts that you type on the page of each.

- In a **test book** a simulated agency receives it: it reaches nobody.
- In the **live book** it is off. You turn it on in **Data for filing** for 303, 390, 130, 131, 111, 115 and 123, with the company’s certificate, or with that of a representative if you state there that it may file for the company. It was never tried with the real agency: upload the first one by hand.
- **347**, **349**, **190** and **180** are always uploaded to the agency’s site.
- If the answer is lost, Sello asks and does not send it again.

If you file on the agency’s site, mark it as filed. The figures are stored, and Sello tells you if something changes later.

**Read a file of the tax agency** shows one made by Sello or by another program, compares it with your figures, and can store it as filed.`,
    words:
      'taxes form modelo 303 130 390 111 115 180 190 347 349 quarter return file filing receipt csv nrc upload',
  },
  'foral-returns': {
    title: 'Returns of the Basque Country: what Sello does not compute',
    lead: 'VAT, withholdings and income or corporation tax are filed with your foral treasury, on forms of its own.',
    body: `
Sello keeps your invoices, the ones you receive and the sums of VAT by rate. It computes no foral return, because it does not know their boxes: Taxes says so, in place of showing a form of the State that you do not file.

- **VAT of the quarter and the yearly summary**: the foral forms that apply. Rate and base of each invoice are in Taxes and in the VAT books.
- **Withholdings** of employees, professionals and rents: their foral forms.
- **Payments on account** and income or corporation tax: with your adviser.
- **Operations with third parties and with the Union**: to your treasury too.
- In **Bizkaia**, LROE also asks for received invoices and fixed assets. Sello sends the issued ones only.

The **package for the adviser** has everything that your adviser needs to file them.`,
    words: 'foral 303 300 390 391 110 treasury bizkaia gipuzkoa araba return form lroe',
  },
  islands: {
    title: 'Tax forms of the Canary Islands, Ceuta and Melilla',
    lead: 'Sello computes the IGIC forms it knows, and names the others with what to do.',
    body: `
## In the Canary Islands

- **420**: the quarter’s IGIC. A result in your favour is offset in the next one; a refund is asked for in the fourth.
- **425**: the year’s summary, which all file, small businesses too. At the end it is compared with the four forms 420.
- **415**: with whom you passed €{thirdParties} in the year, IGIC included. Only keys A and B.
- **111**, **115**, **130** and the other income-tax forms are filed with the state agency.

Form 420 has six lines, and you write the rate: Sello proposes a line for each rate and tells you when there are too few. The **XML draft** is to compare and to copy from: it is not a file that can be filed.

The terms are others: the fourth quarter ends on 31 January, and direct debit on the 20th. Holidays of single islands move no term in Sello: the earlier day is the safe one.

## What is not known

Whether you also owe the State’s form 347. Forms 412, 416, 417 and 421 are named in Taxes and not computed.

## In Ceuta and Melilla

Sello shows the totals by rate and prepares no IPSI return: ask your city.`,
    words: 'igic ipsi canary islands las palmas tenerife ceuta melilla 420 425 415 412 416 417 421 form',
  },
  'year-schemes': {
    title: 'The schemes of a year: quarters or months',
    lead: 'Answer once a year in Taxes: Sello cannot know them, and form 303 states them.',
    body: `
In Taxes, **Schemes of the year** asks for the register of monthly refunds, large company, SII, pro rata, insolvency and some more. Until you answer, forms 303 and 390 of that year have no file. Who stated them, and when, is in the history.

- **Register of monthly refunds**: 303 every month, and a refund can be asked for in each.
- **Large company**: 303, 111, 115 and 123 every month.
- **SII by choice**: 303 by quarters.
- **349 every month**: if you answer so. Sello warns if you sold more than €50,000 to the EU in a quarter.

A business in the SII, by law or by choice, files neither 390 nor 347, and is outside the invoicing regulation: the invoices of Sello are not made for that case.

Some schemes are not written, and the warning says which: pro rata, insolvency, joint returns, fuel depots, and the last 303 of a year for a business without form 390. For those, use the agency’s form.

A change from quarters to months within one year is not covered.`,
    words: 'redeme sii large company monthly months pro rata insolvency excused 390 register refund',
  },
  'handing-on': {
    title: "Hand the journal on to the accountant's program",
    lead: 'The journal, the accounts and the VAT in the format that their program imports. It changes nothing in your books.',
    body: `
In Taxes, **Hand the journal on to their program**:

1. **Program**: a3, Sage 50 or ContaPlus, ContaSOL, Holded, Odoo or CSV, with the digits of the accountant's accounts. Ask them first.
2. **Check** shows how many entries go, which accounts are new to the accountant, and what does not fit the format, with the next step.
3. **Hand on and download** gives the file. Next time only what is new or has changed is proposed.

Each customer and supplier gets **a number**, as 43000001, and keeps it. If the accountant has their own already, type them or paste their list of tax numbers and accounts.

If you change or undo something that was handed on, the page says so: it has to be changed in the other program too, which Sello does not reach.

Sello has not tried the files in those programs. Do the first import in a test company.`,
    words: 'suenlace a3 contaplus sage contasol holded odoo journal subaccount export accountant entries',
  },
  'quarter-close': {
    title: 'Closing the quarter with your adviser',
    lead: 'One page with the steps in order and what is missing in each; at the end, the pack for your adviser.',
    body: `
In Taxes, **Close the quarter**:

1. **Before**: drafts, bank, documents and doubtful data of received invoices, requests that wait for your permission, registry and recurring invoices.
2. **Forms**: file each one and pay it.
3. **VAT entry**: takes the quarter’s VAT to the account of the tax agency. You see it before it is booked, beside form 303 as filed.
4. **Close the days** and download the pack.

A step is done only if Sello can check it. Where it cannot, it says so: the payment, for example, without a bank account.

The **pack for the accountant** makes a ZIP with documents, VAT books, records, the figures of the forms and the journal. It opens without Sello: it brings an index.

The **VAT books** follow the agency’s layout, in XLSX or CSV, checked row by row.

When your adviser has filed, mark the forms as filed. With the days closed nobody changes by accident what has been declared. They can be opened again, and the history says so.`,
    words: 'accountant adviser pack zip vat books close period entry steps',
  },
  deadlines: {
    title: 'The year’s deadlines',
    lead: 'If the last day is a Saturday, Sunday or holiday, it moves to the next working day.',
    body: `
- **1 to 20 April, July and October**: 303, 130, 111, 115 and 349 of the quarter.
- **1 to 20 January**: 111 and 115 of the fourth quarter.
- **1 to 30 January**: 303, 130 and 349 of the fourth quarter, and 390.
- **January**: 190 and 180, until the 31st.
- **February**: 347, until its last day.
- **369**: until the last day of the month after the quarter.

With direct debit the term ends some days earlier: Taxes says the day for each. Days that the agency has not published yet are shown as computed.

**Calendar (.ics)**, in Taxes, saves what is left to file for your calendar, with an alarm three days before. It is a copy: download it again if something changes.

## Invoices

- To a consumer, when the operation takes place.
- To a business, before the 16th of the month after the VAT falls due.
- Rectifying, within {rectifyYears} years.

## Keeping

Sello keeps everything. The law wants documents for as long as the tax agency may check them, four years in general, and traders’ books for six.

It does not know your region’s holidays nor extended terms.`,
    words:
      'deadline date due calendar ics direct debit tax when expires file january april july october february keep',
  },
} satisfies Partial<Record<string, TopicText>>
