/** Sentences of payment letters in every document language: before the due date and in three levels after it. Pure. */
import type { DocumentLanguage } from '../../../domain/languages.ts'

/** 0 up to the due date, 1 friendly, 2 firm, 3 last before legal steps. */
export type LetterLevel = 0 | 1 | 2 | 3

interface ItemFacts {
  number: string
  issued: string
  amount: string
  due: string
  /** Days since the due date; 0 on it, negative before it. */
  daysLate: number
}

type PerLevel<Text> = readonly [Text, Text, Text, Text]

interface LetterMessages {
  and: string
  more: (count: number) => string
  greeting: (name: string) => string
  subject: PerLevel<(isMany: boolean, numbers: string) => string>
  /** Paragraphs before the list of invoices. */
  intro: PerLevel<(isMany: boolean, total: string) => readonly string[]>
  item: (facts: ItemFacts) => string
  /** Follows an invoice on which interest is claimed. */
  claim: (interest: string, recovery: string, total: string) => string
  total: (amount: string) => string
  law: string
  payTo: (iban: string) => string
  pay: string
  /** The last paragraph. */
  ending: PerLevel<string>
  closing: PerLevel<string>
  computation: string
  stretch: (from: string, to: string, days: number, rate: string) => string
  estimated: string
  head: readonly [string, string, string, string, string, string, string, string]
}

const all = <Text>(text: Text): PerLevel<Text> => [text, text, text, text]

export const LETTER_MESSAGES: Readonly<Record<DocumentLanguage, LetterMessages>> = {
  es: {
    and: 'y',
    more: (count) => `${count} más`,
    greeting: (name) => `Estimado cliente, ${name}:`,
    subject: [
      (many, numbers) => `Próximo vencimiento: ${many ? 'facturas' : 'factura'} ${numbers}`,
      (many, numbers) => `Recordatorio de pago: ${many ? 'facturas' : 'factura'} ${numbers}`,
      (many, numbers) => `Segundo aviso: ${many ? 'facturas vencidas' : 'factura vencida'} ${numbers}`,
      (many, numbers) => `Último aviso antes de reclamar: ${many ? 'facturas' : 'factura'} ${numbers}`,
    ],
    intro: [
      (many) => [
        `Le escribimos para recordarle el vencimiento de ${many ? 'las facturas siguientes' : 'la factura siguiente'}.`,
      ],
      (many) => [
        `A fecha de hoy no nos consta el pago de ${many ? 'las facturas siguientes' : 'la factura siguiente'}. Es posible que se trate de un descuido.`,
      ],
      (many, total) => [
        `Seguimos sin recibir el pago de ${many ? 'las facturas siguientes' : 'la factura siguiente'}, cuyo plazo ha vencido. Le pedimos que abone ${total} en un plazo de siete días.`,
      ],
      (many, total) => [
        `A pesar de nuestros avisos, ${many ? 'siguen impagadas las facturas siguientes' : 'sigue impagada la factura siguiente'}. Le requerimos formalmente el pago de ${total} en un plazo de diez días desde la recepción de esta carta.`,
        'Esta carta interrumpe la prescripción de la deuda (artículo 1973 del Código Civil).',
      ],
    ],
    item: ({ number, issued, amount, due, daysLate }) =>
      `Factura ${number}, del ${issued}: ${amount}. ${
        daysLate > 0
          ? `Venció el ${due}, hace ${daysLate} ${daysLate === 1 ? 'día' : 'días'}.`
          : daysLate === 0
            ? 'Vence hoy.'
            : `Vence el ${due}.`
      }`,
    claim: (interest, recovery, total) =>
      `Con ${interest} de intereses y ${recovery} de costes de cobro: ${total}.`,
    total: (amount) => `Total a pagar: ${amount}.`,
    law: 'Los intereses de demora y la compensación por costes de cobro se reclaman conforme a los artículos 5 a 8 de la Ley 3/2004, de 29 de diciembre, y se devengan sin necesidad de aviso previo.',
    payTo: (iban) => `Puede pagar por transferencia a la cuenta ${iban}, indicando el número de factura.`,
    pay: 'Por favor, indique el número de factura al pagar.',
    ending: [
      'Si ya ha dado la orden de pago, no tenga en cuenta este mensaje. Para cualquier duda, estamos a su disposición.',
      'Si ya ha hecho el pago, no tenga en cuenta este mensaje. Para cualquier duda, estamos a su disposición.',
      'Si existe algún motivo para no pagar, comuníquenoslo dentro de ese mismo plazo.',
      'De no recibir el pago en ese plazo, reclamaremos la deuda por la vía judicial, con los intereses y las costas que correspondan, sin más aviso.',
    ],
    closing: ['Un cordial saludo,', 'Un cordial saludo,', 'Atentamente,', 'Atentamente,'],
    computation: 'Cálculo de los intereses:',
    stretch: (from, to, days, rate) =>
      `Del ${from} al ${to}: ${days} ${days === 1 ? 'día' : 'días'} al ${rate} %`,
    estimated: 'El último tipo es provisional hasta que se publique el del semestre.',
    head: ['Factura', 'Fecha', 'Vencimiento', 'Días', 'Pendiente', 'Intereses', 'Costes de cobro', 'Total'],
  },
  ca: {
    and: 'i',
    more: (count) => `${count} més`,
    greeting: (name) => `Benvolgut client, ${name}:`,
    subject: [
      (many, numbers) => `Venciment pròxim: ${many ? 'factures' : 'factura'} ${numbers}`,
      (many, numbers) => `Recordatori de pagament: ${many ? 'factures' : 'factura'} ${numbers}`,
      (many, numbers) => `Segon avís: ${many ? 'factures vençudes' : 'factura vençuda'} ${numbers}`,
      (many, numbers) => `Últim avís abans de reclamar: ${many ? 'factures' : 'factura'} ${numbers}`,
    ],
    intro: [
      (many) => [
        `Li escrivim per recordar-li el venciment de ${many ? 'les factures següents' : 'la factura següent'}.`,
      ],
      (many) => [
        `A dia d'avui no ens consta el pagament de ${many ? 'les factures següents' : 'la factura següent'}. És possible que sigui un oblit.`,
      ],
      (many, total) => [
        `Continuem sense rebre el pagament de ${many ? 'les factures següents' : 'la factura següent'}, que ja ha vençut. Li demanem que pagui ${total} en un termini de set dies.`,
      ],
      (many, total) => [
        `Malgrat els nostres avisos, ${many ? 'continuen impagades les factures següents' : 'continua impagada la factura següent'}. El requerim formalment que pagui ${total} en un termini de deu dies des de la recepció d'aquesta carta.`,
        'Aquesta carta interromp la prescripció del deute (article 1973 del Codi civil).',
      ],
    ],
    item: ({ number, issued, amount, due, daysLate }) =>
      `Factura ${number}, de data ${issued}: ${amount}. ${
        daysLate > 0
          ? `Data de venciment: ${due}, fa ${daysLate} ${daysLate === 1 ? 'dia' : 'dies'}.`
          : daysLate === 0
            ? 'Venç avui.'
            : `Data de venciment: ${due}.`
      }`,
    claim: (interest, recovery, total) =>
      `Amb ${interest} d'interessos i ${recovery} de costos de cobrament: ${total}.`,
    total: (amount) => `Total a pagar: ${amount}.`,
    law: 'Els interessos de demora i la compensació pels costos de cobrament es reclamen d’acord amb els articles 5 a 8 de la Llei 3/2004, de 29 de desembre, i es meriten sense necessitat d’avís previ.',
    payTo: (iban) => `Pot pagar per transferència al compte ${iban}, indicant el número de factura.`,
    pay: 'Si us plau, indiqui el número de factura en pagar.',
    ending: [
      'Si ja ha donat l’ordre de pagament, no tingui en compte aquest missatge. Per a qualsevol dubte, som a la seva disposició.',
      'Si ja ha fet el pagament, no tingui en compte aquest missatge. Per a qualsevol dubte, som a la seva disposició.',
      'Si hi ha algun motiu per no pagar, faci’ns-ho saber dins d’aquest mateix termini.',
      'Si no rebem el pagament en aquest termini, reclamarem el deute per la via judicial, amb els interessos i les costes que corresponguin, sense cap més avís.',
    ],
    closing: ['Cordialment,', 'Cordialment,', 'Atentament,', 'Atentament,'],
    computation: 'Càlcul dels interessos:',
    stretch: (from, to, days, rate) =>
      `Del ${from} al ${to}: ${days} ${days === 1 ? 'dia' : 'dies'} al ${rate} %`,
    estimated: 'L’últim tipus és provisional fins que es publiqui el del semestre.',
    head: ['Factura', 'Data', 'Venciment', 'Dies', 'Pendent', 'Interessos', 'Costos de cobrament', 'Total'],
  },
  eu: {
    and: 'eta',
    more: (count) => `beste ${count}`,
    greeting: (name) => `Bezero agurgarria, ${name}:`,
    subject: [
      (_many, numbers) => `Mugaeguna hurbil: ${numbers} faktura`,
      (_many, numbers) => `Ordainketa-gogorarazpena: ${numbers} faktura`,
      (_many, numbers) => `Bigarren abisua: ${numbers} faktura, epez kanpo`,
      (_many, numbers) => `Azken abisua erreklamatu aurretik: ${numbers} faktura`,
    ],
    intro: [
      (many) => [`Honako ${many ? 'faktura hauen' : 'faktura honen'} mugaeguna gogorarazten dizugu.`],
      (many) => [
        `Gaur arte ez dugu honako ${many ? 'faktura hauen' : 'faktura honen'} ordainketarik jaso. Baliteke oharkabean gertatu izana.`,
      ],
      (many, total) => [
        `Oraindik ez dugu honako ${many ? 'faktura hauen' : 'faktura honen'} ordainketarik jaso, eta epea amaitu da. Mesedez, ordaindu zazpi eguneko epean. Zenbatekoa: ${total}.`,
      ],
      (many, total) => [
        `Gure abisuak gorabehera, honako ${many ? 'faktura hauek' : 'faktura honek'} ordaindu gabe ${many ? 'jarraitzen dute' : 'jarraitzen du'}. Formalki eskatzen dizugu gutun hau jaso eta hamar eguneko epean ordaintzeko. Zenbatekoa: ${total}.`,
        'Gutun honek zorraren preskripzioa eteten du (Kode Zibilaren 1973. artikulua).',
      ],
    ],
    item: ({ number, issued, amount, due, daysLate }) =>
      `${number} faktura. Data: ${issued}. Zenbatekoa: ${amount}. ${
        daysLate > 0
          ? `Mugaeguna: ${due} (${daysLate === 1 ? 'egun bateko atzerapena' : `${daysLate} eguneko atzerapena`}).`
          : daysLate === 0
            ? 'Mugaeguna: gaur.'
            : `Mugaeguna: ${due}.`
      }`,
    claim: (interest, recovery, total) =>
      `Interesak: ${interest}. Kobratzeko kostuak: ${recovery}. Guztira: ${total}.`,
    total: (amount) => `Ordaindu beharrekoa guztira: ${amount}.`,
    law: 'Berandutze-interesak eta kobrantza-kostuengatiko kalte-ordaina abenduaren 29ko 3/2004 Legearen 5. artikulutik 8. artikulura bitartekoen arabera eskatzen dira, eta aurretiko abisurik gabe sortzen dira.',
    payTo: (iban) => `Transferentziaz ordain dezakezu kontu honetan: ${iban}. Adierazi faktura-zenbakia.`,
    pay: 'Mesedez, adierazi faktura-zenbakia ordaintzean.',
    ending: [
      'Ordainketa-agindua eman baduzu, ez kontuan hartu mezu hau. Zalantzarik baduzu, zure esanetara gaude.',
      'Dagoeneko ordaindu baduzu, ez kontuan hartu mezu hau. Zalantzarik baduzu, zure esanetara gaude.',
      'Ez ordaintzeko arrazoirik baduzu, jakinarazi epe horren barruan.',
      'Epe horretan ordainketarik jasotzen ez badugu, zorra bide judizialetik erreklamatuko dugu, dagozkion interes eta kostuekin, beste abisurik gabe.',
    ],
    closing: all('Adeitasunez,'),
    computation: 'Interesen kalkulua:',
    stretch: (from, to, days, rate) => `${from} – ${to}: ${days} egun, % ${rate}`,
    estimated: 'Azken tasa behin-behinekoa da, seihilekokoa argitaratu arte.',
    head: [
      'Faktura',
      'Data',
      'Mugaeguna',
      'Egunak',
      'Ordaintzeke',
      'Interesak',
      'Kobratzeko kostuak',
      'Guztira',
    ],
  },
  gl: {
    and: 'e',
    more: (count) => `${count} máis`,
    greeting: (name) => `Estimado cliente, ${name}:`,
    subject: [
      (many, numbers) => `Próximo vencemento: ${many ? 'facturas' : 'factura'} ${numbers}`,
      (many, numbers) => `Recordatorio de pagamento: ${many ? 'facturas' : 'factura'} ${numbers}`,
      (many, numbers) => `Segundo aviso: ${many ? 'facturas vencidas' : 'factura vencida'} ${numbers}`,
      (many, numbers) => `Último aviso antes de reclamar: ${many ? 'facturas' : 'factura'} ${numbers}`,
    ],
    intro: [
      (many) => [
        `Escribímoslle para lembrarlle o vencemento ${many ? 'das facturas seguintes' : 'da factura seguinte'}.`,
      ],
      (many) => [
        `A día de hoxe non nos consta o pagamento ${many ? 'das facturas seguintes' : 'da factura seguinte'}. É posible que se trate dun esquecemento.`,
      ],
      (many, total) => [
        `Seguimos sen recibir o pagamento ${many ? 'das facturas seguintes' : 'da factura seguinte'}, cuxo prazo venceu. Pedímoslle que aboe ${total} nun prazo de sete días.`,
      ],
      (many, total) => [
        `A pesar dos nosos avisos, ${many ? 'seguen sen pagar as facturas seguintes' : 'segue sen pagar a factura seguinte'}. Requirímoslle formalmente o pagamento de ${total} nun prazo de dez días desde a recepción desta carta.`,
        'Esta carta interrompe a prescrición da débeda (artigo 1973 do Código civil).',
      ],
    ],
    item: ({ number, issued, amount, due, daysLate }) =>
      `Factura ${number}, do ${issued}: ${amount}. ${
        daysLate > 0
          ? `Venceu o ${due}, hai ${daysLate} ${daysLate === 1 ? 'día' : 'días'}.`
          : daysLate === 0
            ? 'Vence hoxe.'
            : `Vence o ${due}.`
      }`,
    claim: (interest, recovery, total) =>
      `Con ${interest} de xuros e ${recovery} de custos de cobramento: ${total}.`,
    total: (amount) => `Total a pagar: ${amount}.`,
    law: 'Os xuros de demora e a compensación polos custos de cobramento reclámanse conforme aos artigos 5 a 8 da Lei 3/2004, do 29 de decembro, e prodúcense sen necesidade de aviso previo.',
    payTo: (iban) => `Pode pagar por transferencia á conta ${iban}, indicando o número de factura.`,
    pay: 'Por favor, indique o número de factura ao pagar.',
    ending: [
      'Se xa deu a orde de pagamento, non teña en conta esta mensaxe. Para calquera dúbida, estamos á súa disposición.',
      'Se xa fixo o pagamento, non teña en conta esta mensaxe. Para calquera dúbida, estamos á súa disposición.',
      'Se hai algún motivo para non pagar, comuníquenolo dentro dese mesmo prazo.',
      'De non recibir o pagamento nese prazo, reclamaremos a débeda pola vía xudicial, cos xuros e as custas que correspondan, sen máis aviso.',
    ],
    closing: ['Un cordial saúdo,', 'Un cordial saúdo,', 'Atentamente,', 'Atentamente,'],
    computation: 'Cálculo dos xuros:',
    stretch: (from, to, days, rate) =>
      `Do ${from} ao ${to}: ${days} ${days === 1 ? 'día' : 'días'} ao ${rate} %`,
    estimated: 'O último tipo é provisional ata que se publique o do semestre.',
    head: ['Factura', 'Data', 'Vencemento', 'Días', 'Pendente', 'Xuros', 'Custos de cobramento', 'Total'],
  },
  en: {
    and: 'and',
    more: (count) => `${count} more`,
    greeting: (name) => `Dear ${name},`,
    subject: [
      (many, numbers) => `Payment due soon: ${many ? 'invoices' : 'invoice'} ${numbers}`,
      (many, numbers) => `Payment reminder: ${many ? 'invoices' : 'invoice'} ${numbers}`,
      (many, numbers) => `Second notice: overdue ${many ? 'invoices' : 'invoice'} ${numbers}`,
      (many, numbers) => `Final notice before legal action: ${many ? 'invoices' : 'invoice'} ${numbers}`,
    ],
    intro: [
      (many) => [`This is to remind you when the following ${many ? 'invoices are' : 'invoice is'} due.`],
      (many) => [
        `Our records show that the following ${many ? 'invoices have' : 'invoice has'} not been paid yet. It may just be an oversight.`,
      ],
      (many, total) => [
        `We have still not received the payment of the following ${many ? 'invoices' : 'invoice'}. Please pay ${total} within seven days.`,
      ],
      (many, total) => [
        `In spite of our notices, the following ${many ? 'invoices remain' : 'invoice remains'} unpaid. We formally demand payment of ${total} within ten days of receiving this letter.`,
        'This letter interrupts the limitation period of the debt (article 1973 of the Spanish Civil Code).',
      ],
    ],
    item: ({ number, issued, amount, due, daysLate }) =>
      `Invoice ${number} of ${issued}: ${amount}. ${
        daysLate > 0
          ? `It was due on ${due}, ${daysLate} ${daysLate === 1 ? 'day' : 'days'} ago.`
          : daysLate === 0
            ? 'It is due today.'
            : `It is due on ${due}.`
      }`,
    claim: (interest, recovery, total) =>
      `With interest of ${interest} and recovery costs of ${recovery}: ${total}.`,
    total: (amount) => `Total to pay: ${amount}.`,
    law: 'Late payment interest and the compensation for recovery costs are claimed under articles 5 to 8 of the Spanish Act 3/2004 (Directive 2011/7/EU); they fall due without further notice.',
    payTo: (iban) => `Please pay by transfer to ${iban}, quoting the invoice number.`,
    pay: 'Please quote the invoice number when you pay.',
    ending: [
      'If you have already ordered the payment, please disregard this message. If anything is unclear, let us know.',
      'If you have paid in the meantime, please disregard this message. If anything is unclear, let us know.',
      'If there is a reason not to pay, please tell us within the same time.',
      'If the payment does not arrive within that time, we will claim the debt in court, with interest and costs, without further notice.',
    ],
    closing: ['Kind regards,', 'Kind regards,', 'Yours faithfully,', 'Yours faithfully,'],
    computation: 'How the interest was computed:',
    stretch: (from, to, days, rate) =>
      `From ${from} to ${to}: ${days} ${days === 1 ? 'day' : 'days'} at ${rate} %`,
    estimated: 'The last rate is provisional until that of the half-year is published.',
    head: ['Invoice', 'Date', 'Due', 'Days late', 'Unpaid', 'Interest', 'Recovery costs', 'Total'],
  },
  fr: {
    and: 'et',
    more: (count) => `${count} autres`,
    greeting: (name) => `Cher client, ${name},`,
    subject: [
      (many, numbers) => `Échéance prochaine : ${many ? 'factures' : 'facture'} ${numbers}`,
      (many, numbers) => `Rappel de paiement : ${many ? 'factures' : 'facture'} ${numbers}`,
      (many, numbers) => `Deuxième rappel : ${many ? 'factures échues' : 'facture échue'} ${numbers}`,
      (many, numbers) => `Dernier avis avant poursuites : ${many ? 'factures' : 'facture'} ${numbers}`,
    ],
    intro: [
      (many) => [
        `Nous vous rappelons l’échéance ${many ? 'des factures suivantes' : 'de la facture suivante'}.`,
      ],
      (many) => [
        `Sauf erreur de notre part, nous n’avons pas encore reçu le paiement ${many ? 'des factures suivantes' : 'de la facture suivante'}. Il s’agit peut-être d’un oubli.`,
      ],
      (many, total) => [
        `Nous n’avons toujours pas reçu le paiement ${many ? 'des factures suivantes' : 'de la facture suivante'}. Nous vous prions de régler ${total} dans un délai de sept jours.`,
      ],
      (many, total) => [
        `Malgré nos rappels, ${many ? 'les factures suivantes restent impayées' : 'la facture suivante reste impayée'}. Nous vous mettons en demeure de payer ${total} dans un délai de dix jours à compter de la réception de cette lettre.`,
        'Cette lettre interrompt la prescription de la dette (article 1973 du Code civil espagnol).',
      ],
    ],
    item: ({ number, issued, amount, due, daysLate }) =>
      `Facture ${number} du ${issued} : ${amount}. ${
        daysLate > 0
          ? `Échue le ${due}, il y a ${daysLate} ${daysLate === 1 ? 'jour' : 'jours'}.`
          : daysLate === 0
            ? 'Elle arrive à échéance aujourd’hui.'
            : `Échéance : ${due}.`
      }`,
    claim: (interest, recovery, total) =>
      `Avec ${interest} d’intérêts et ${recovery} de frais de recouvrement : ${total}.`,
    total: (amount) => `Total à payer : ${amount}.`,
    law: 'Les intérêts de retard et l’indemnité pour frais de recouvrement sont réclamés en vertu des articles 5 à 8 de la loi espagnole 3/2004 (directive 2011/7/UE) ; ils sont dus sans qu’un rappel soit nécessaire.',
    payTo: (iban) =>
      `Vous pouvez payer par virement sur le compte ${iban}, en indiquant le numéro de la facture.`,
    pay: 'Merci d’indiquer le numéro de la facture lors du paiement.',
    ending: [
      'Si vous avez déjà donné l’ordre de paiement, veuillez ne pas tenir compte de ce message. Nous restons à votre disposition pour toute question.',
      'Si vous avez payé entre-temps, veuillez ne pas tenir compte de ce message. Nous restons à votre disposition pour toute question.',
      'Si vous avez une raison de ne pas payer, merci de nous l’indiquer dans ce même délai.',
      'À défaut de paiement dans ce délai, nous réclamerons la dette en justice, avec les intérêts et les frais, sans autre avis.',
    ],
    closing: ['Cordialement,', 'Cordialement,', 'Salutations distinguées,', 'Salutations distinguées,'],
    computation: 'Calcul des intérêts :',
    stretch: (from, to, days, rate) =>
      `Du ${from} au ${to} : ${days} ${days === 1 ? 'jour' : 'jours'} à ${rate} %`,
    estimated: 'Le dernier taux est provisoire jusqu’à la publication de celui du semestre.',
    head: ['Facture', 'Date', 'Échéance', 'Jours', 'Impayé', 'Intérêts', 'Frais de recouvrement', 'Total'],
  },
  de: {
    and: 'und',
    more: (count) => `${count} weitere`,
    greeting: (name) => `Guten Tag, ${name},`,
    subject: [
      (many, numbers) => `Bald fällig: ${many ? 'Rechnungen' : 'Rechnung'} ${numbers}`,
      (many, numbers) => `Zahlungserinnerung: ${many ? 'Rechnungen' : 'Rechnung'} ${numbers}`,
      (many, numbers) =>
        `Zweite Mahnung: ${many ? 'überfällige Rechnungen' : 'überfällige Rechnung'} ${numbers}`,
      (many, numbers) => `Letzte Mahnung vor Klage: ${many ? 'Rechnungen' : 'Rechnung'} ${numbers}`,
    ],
    intro: [
      (many) => [`wir erinnern Sie an die Fälligkeit der folgenden ${many ? 'Rechnungen' : 'Rechnung'}.`],
      (many) => [
        `für die ${many ? 'folgenden Rechnungen' : 'folgende Rechnung'} haben wir noch keinen Zahlungseingang festgestellt. Vielleicht handelt es sich um ein Versehen.`,
      ],
      (many, total) => [
        `die Zahlung der folgenden ${many ? 'Rechnungen' : 'Rechnung'} ist noch immer nicht bei uns eingegangen. Bitte zahlen Sie ${total} innerhalb von sieben Tagen.`,
      ],
      (many, total) => [
        `trotz unserer Mahnungen ${many ? 'sind die folgenden Rechnungen' : 'ist die folgende Rechnung'} unbezahlt. Wir fordern Sie förmlich auf, ${total} innerhalb von zehn Tagen nach Erhalt dieses Schreibens zu zahlen.`,
        'Dieses Schreiben unterbricht die Verjährung der Forderung (Artikel 1973 des spanischen Zivilgesetzbuchs).',
      ],
    ],
    item: ({ number, issued, amount, due, daysLate }) =>
      `Rechnung ${number} vom ${issued}: ${amount}. ${
        daysLate > 0
          ? `Sie war am ${due} fällig, vor ${daysLate} ${daysLate === 1 ? 'Tag' : 'Tagen'}.`
          : daysLate === 0
            ? 'Sie ist heute fällig.'
            : `Sie ist am ${due} fällig.`
      }`,
    claim: (interest, recovery, total) =>
      `Mit ${interest} Zinsen und ${recovery} Beitreibungskosten: ${total}.`,
    total: (amount) => `Zu zahlen insgesamt: ${amount}.`,
    law: 'Verzugszinsen und die Entschädigung für Beitreibungskosten werden nach den Artikeln 5 bis 8 des spanischen Gesetzes 3/2004 (Richtlinie 2011/7/EU) verlangt; sie fallen ohne weitere Mahnung an.',
    payTo: (iban) =>
      `Sie können per Überweisung auf das Konto ${iban} zahlen; bitte geben Sie die Rechnungsnummer an.`,
    pay: 'Bitte geben Sie bei der Zahlung die Rechnungsnummer an.',
    ending: [
      'Wenn Sie die Zahlung schon angewiesen haben, betrachten Sie dieses Schreiben als gegenstandslos. Bei Fragen sind wir gern für Sie da.',
      'Wenn Sie inzwischen gezahlt haben, betrachten Sie dieses Schreiben als gegenstandslos. Bei Fragen sind wir gern für Sie da.',
      'Wenn es einen Grund gibt, nicht zu zahlen, teilen Sie ihn uns bitte innerhalb derselben Frist mit.',
      'Geht die Zahlung innerhalb dieser Frist nicht ein, machen wir die Forderung mit Zinsen und Kosten ohne weitere Ankündigung gerichtlich geltend.',
    ],
    closing: all('Mit freundlichen Grüßen'),
    computation: 'Berechnung der Zinsen:',
    stretch: (from, to, days, rate) =>
      `Vom ${from} bis ${to}: ${days} ${days === 1 ? 'Tag' : 'Tage'} zu ${rate} %`,
    estimated: 'Der letzte Zinssatz ist vorläufig, bis der des Halbjahres veröffentlicht ist.',
    head: ['Rechnung', 'Datum', 'Fällig', 'Tage', 'Offen', 'Zinsen', 'Beitreibungskosten', 'Gesamt'],
  },
  pt: {
    and: 'e',
    more: (count) => `mais ${count}`,
    greeting: (name) => `Estimado cliente, ${name}:`,
    subject: [
      (many, numbers) => `Vencimento próximo: ${many ? 'faturas' : 'fatura'} ${numbers}`,
      (many, numbers) => `Lembrete de pagamento: ${many ? 'faturas' : 'fatura'} ${numbers}`,
      (many, numbers) => `Segundo aviso: ${many ? 'faturas vencidas' : 'fatura vencida'} ${numbers}`,
      (many, numbers) => `Último aviso antes de reclamar: ${many ? 'faturas' : 'fatura'} ${numbers}`,
    ],
    intro: [
      (many) => [`Vimos recordar o vencimento ${many ? 'das faturas seguintes' : 'da fatura seguinte'}.`],
      (many) => [
        `Até hoje não registámos o pagamento ${many ? 'das faturas seguintes' : 'da fatura seguinte'}. É possível que se trate de um lapso.`,
      ],
      (many, total) => [
        `Continuamos sem receber o pagamento ${many ? 'das faturas seguintes' : 'da fatura seguinte'}, cujo prazo já terminou. Pedimos que pague ${total} no prazo de sete dias.`,
      ],
      (many, total) => [
        `Apesar dos nossos avisos, ${many ? 'as faturas seguintes continuam por pagar' : 'a fatura seguinte continua por pagar'}. Exigimos formalmente o pagamento de ${total} no prazo de dez dias a contar da receção desta carta.`,
        'Esta carta interrompe a prescrição da dívida (artigo 1973.º do Código Civil espanhol).',
      ],
    ],
    item: ({ number, issued, amount, due, daysLate }) =>
      `Fatura ${number}, de ${issued}: ${amount}. ${
        daysLate > 0
          ? `Venceu em ${due}, há ${daysLate} ${daysLate === 1 ? 'dia' : 'dias'}.`
          : daysLate === 0
            ? 'Vence hoje.'
            : `Vence em ${due}.`
      }`,
    claim: (interest, recovery, total) =>
      `Com ${interest} de juros e ${recovery} de custos de cobrança: ${total}.`,
    total: (amount) => `Total a pagar: ${amount}.`,
    law: 'Os juros de mora e a indemnização pelos custos de cobrança são exigidos nos termos dos artigos 5.º a 8.º da Lei espanhola 3/2004 (Diretiva 2011/7/UE) e são devidos sem necessidade de aviso.',
    payTo: (iban) => `Pode pagar por transferência para a conta ${iban}, indicando o número da fatura.`,
    pay: 'Por favor, indique o número da fatura ao pagar.',
    ending: [
      'Se já deu a ordem de pagamento, não tenha em conta esta mensagem. Estamos ao seu dispor para qualquer dúvida.',
      'Se entretanto já pagou, não tenha em conta esta mensagem. Estamos ao seu dispor para qualquer dúvida.',
      'Se houver algum motivo para não pagar, comunique-o dentro desse mesmo prazo.',
      'Se não recebermos o pagamento nesse prazo, reclamaremos a dívida por via judicial, com os juros e as custas devidas, sem mais avisos.',
    ],
    closing: [
      'Com os melhores cumprimentos,',
      'Com os melhores cumprimentos,',
      'Atentamente,',
      'Atentamente,',
    ],
    computation: 'Cálculo dos juros:',
    stretch: (from, to, days, rate) =>
      `De ${from} a ${to}: ${days} ${days === 1 ? 'dia' : 'dias'} a ${rate} %`,
    estimated: 'A última taxa é provisória até à publicação da do semestre.',
    head: ['Fatura', 'Data', 'Vencimento', 'Dias', 'Em dívida', 'Juros', 'Custos de cobrança', 'Total'],
  },
}
