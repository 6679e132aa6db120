/** Codes 1100 to 1199: fields, parties, dates, kinds of invoice, surcharges. */
import { cancellation, invoice, ISSUER, taxed, untaxed } from '../plain-records.ts'
import {
  lines,
  to,
  foreigner,
  FRENCH,
  TOWN,
  IN_2022,
  IN_2023,
  END_OF_2024,
  other,
  nameless,
  rectifying,
  original,
  by,
  rejected,
  stricter,
  rejectedCancellation,
  OUT_OF_LIST,
  SERIALIZER,
  rejectedSystem,
  EARLIER,
  CENSUS,
  ISSUER_IN_HEADER,
  regime,
} from './making.ts'
import type { Coverage } from './making.ts'

export const CODES_1100: Coverage = {
  '1100': [
    rejected('an issuer without a name', { issuer: { ...ISSUER, name: ' ' } }, 'name_length', '1100'),
    rejected('no description', { description: '  ' }, 'description_length', '1100'),
    rejected('a nameless company', to({ name: '', nif: 'B12345674' }), 'name_length', '1100'),
    rejected('a nameless foreigner', to(foreigner({ name: ' ' })), 'name_length', '1100'),
  ],
  '1101': 'same as: 4102, which a country outside the list earns',
  '1102': OUT_OF_LIST,
  '1103': [
    rejected('an empty identification', to(foreigner({ id: '' })), 'party_id_length', '1103'),
    rejected(
      'an EU number of a wrong form',
      to(foreigner({ idType: '02', id: 'DE12345' })),
      'party_vat_number',
      '1103',
    ),
    rejected(
      'a Spanish number as an EU number',
      to(foreigner({ idType: '02', id: 'ESB12345674' })),
      'party_vat_number',
      '1103',
    ),
    rejected(
      'a third party with an EU number of a wrong form',
      by(foreigner({ idType: '02', id: 'PT1' })),
      'party_vat_number',
      '1103',
    ),
  ],
  '1104': [
    stricter('blanks around the number', { number: ' F1' }, 'number_blanks', '1104'),
    stricter('a blank after the number', { number: 'F1 ' }, 'number_blanks', '1104'),
  ],
  '1105': [
    rejected('issued on 30 February', { issueDate: '2026-02-30' }, 'date_invalid', '1105', { unread: true }),
    rejectedCancellation(
      'cancels an invoice of 30 February',
      cancellation({ turn: 'unregistered', key: original({ issueDate: '2026-02-30' }) }),
      'date_invalid',
      '1105',
      { unread: true },
    ),
  ],
  '1106': OUT_OF_LIST,
  '1107': OUT_OF_LIST,
  '1108': 'header: the message is made for the issuer of its records',
  '1109': CENSUS,
  '1110': CENSUS,
  '1111': [
    rejected('no country', to(foreigner({ country: '' })), 'party_country_required', '1111', {
      spoil: (xml) => xml.replace('<sf:CodigoPais></sf:CodigoPais>', ''),
    }),
  ],
  '1112': [
    rejected('issued tomorrow', { issueDate: '2026-11-17' }, 'issue_date_in_future', '1112'),
    rejectedCancellation(
      'cancels an invoice of tomorrow',
      cancellation({ turn: 'unregistered', key: original({ issueDate: '2026-11-17' }) }),
      'issue_date_in_future',
      '1112',
    ),
  ],
  '1114': [
    rejected(
      'a rectification without method',
      rectifying('R1', { rectification: null }),
      'rectification_required',
      '1114',
    ),
    rejected(
      'a simplified rectification without method',
      rectifying('R5', { rectification: null }),
      'rectification_required',
      '1114',
    ),
  ],
  '1115': [
    rejected('F1 by the difference', { rectification: { method: 'I' } }, 'rectification_not_allowed', '1115'),
  ],
  '1116': [
    rejected('F1 in place of another', { substituted: [original()] }, 'substituted_not_allowed', '1116'),
    rejected(
      'R1 in place of another',
      rectifying('R1', { substituted: [original()] }),
      'substituted_not_allowed',
      '1116',
    ),
  ],
  '1117': [
    rejected('F1 rectifying another', { rectified: [original()] }, 'rectified_not_allowed', '1117'),
    rejected(
      'F3 rectifying another',
      { kind: 'F3', rectified: [original()] },
      'rectified_not_allowed',
      '1117',
    ),
  ],
  '1118': 'impossible: the method S has its amounts',
  '1119': 'impossible: only the method S has amounts',
  '1120': ISSUER_IN_HEADER,
  '1121': CENSUS,
  '1122': 'impossible: an EU VAT number says its country, and no other is written',
  '1123': [
    rejected('a customer with a bad letter', to({ name: 'C', nif: '89890002A' }), 'nif_invalid', '1123'),
    rejected('a customer in lower case', to({ name: 'C', nif: '89890002e' }), 'nif_invalid', '1123'),
    rejected(
      'a bad second customer',
      to({ name: 'C', nif: '89890002E' }, { name: 'D', nif: '00000000A' }),
      'nif_invalid',
      '1123',
    ),
    rejected('a third party with a bad letter', by({ name: 'T', nif: '89890002A' }), 'nif_invalid', '1123'),
  ],
  '1124': [rejected('20 %', lines(taxed(10_000, 2000)), 'vat_rate_unknown', '1124')],
  '1125': [
    rejected(
      'an operation more than a year ahead',
      { ...regime('15'), operationDate: '2027-11-17' },
      'operation_date_too_late',
      '1125',
    ),
  ],
  '1126': [
    rejected('Spain with type 04', to(foreigner({ country: 'ES' })), 'party_spain_type', '1126'),
    rejected(
      'not in the census of another country',
      to(foreigner({ idType: '07', id: '89890002E' })),
      'party_uncensused_country',
      '1126',
      { also: ['recipient_not_in_census'] },
    ),
  ],
  '1127': [rejected('21 % with 5', lines(taxed(10_000, 2100, 500)), 'surcharge_pair', '1127')],
  '1128': 'authority data: its register of agreements',
  '1129': 'technical',
  '1130': [
    rejected('ñ in the number', { number: 'AÑO-1' }, 'number_not_ascii', '1130'),
    rejectedCancellation(
      'cancels a number with ñ',
      cancellation({ turn: 'unregistered', key: original({ number: 'AÑO-1' }) }),
      'number_not_ascii',
      '1130',
    ),
  ],
  '1131': [
    rejected(
      'a company not in the census',
      to(foreigner({ country: 'ES', idType: '07', id: 'B12345674' })),
      'party_uncensused_entity',
      '1131',
      { also: ['recipient_not_in_census'] },
    ),
  ],
  '1132': [
    ...[700, 800, 1600, 1800].map((rateBp) =>
      rejected(`${rateBp / 100} % today`, lines(taxed(10_000, rateBp)), 'vat_rate_unknown', '1132'),
    ),
    stricter(
      '18 % on a day of 2011',
      { operationDate: '2011-05-05', breakdown: [taxed(10_000, 1800)] },
      'vat_rate_unknown',
      '1132',
    ),
  ],
  '1133': [
    rejected('issued 20 years ago', { issueDate: '2006-11-15' }, 'issue_date_too_old', '1133', {
      // No list contains a rate of that day.
      invoice: invoice({ issueDate: '2006-11-15', breakdown: [untaxed('E1', 10_000)] }),
    }),
  ],
  '1134': [
    rejected('an operation 20 years ago', { operationDate: '2006-11-15' }, 'operation_date_too_old', '1134', {
      // No list contains a rate of that day.
      invoice: invoice({ operationDate: '2006-11-15', breakdown: [untaxed('E1', 10_000)] }),
    }),
  ],
  '1135': [rejected('21 % with 4', lines(taxed(10_000, 2100, 400)), 'surcharge_pair', '1135')],
  '1136': SERIALIZER,
  '1137': SERIALIZER,
  '1138': SERIALIZER,
  '1139': SERIALIZER,
  '1140': [
    rejected(
      'tax against the base at cost',
      lines(other('02', '01', { baseCents: -1_000, costBaseCents: 1_000, taxCents: -100 })),
      'tax_sign',
      '1140',
    ),
  ],
  '1142': [
    rejected('VAT 10.01 off', lines({ ...taxed(1_000_000), taxCents: 211_001 }), 'tax_amount', '1142'),
    rejected(
      'VAT off by less than half a cent over 10.00',
      lines({ ...taxed(1_003), taxCents: 1_211 }),
      'tax_amount',
      '1142',
    ),
    rejected(
      'VAT 10.01 off in place of another',
      rectifying('R4', lines({ ...taxed(1_000_000), taxCents: 208_999 })),
      'tax_amount',
      '1142',
    ),
  ],
  '1143': [rejected('VAT of the other sign', lines({ ...taxed(100), taxCents: -21 }), 'tax_sign', '1143')],
  '1144': [
    rejected(
      'tax that fits another base than the one at cost',
      lines(other('05', null, { baseCents: 200_000, costBaseCents: 100_000, taxCents: 20_000 })),
      'tax_amount',
      '1144',
    ),
  ],
  '1145': [rejected('operation on 30 February', { operationDate: '2026-02-30' }, 'date_invalid', '1145')],
  '1146': [
    rejected(
      'operation after the issue',
      { issueDate: '2026-11-10', operationDate: '2026-11-12' },
      'operation_after_issue',
      '1146',
    ),
    rejected(
      'operation after the issue of what is only in part due later',
      {
        issueDate: '2026-11-10',
        operationDate: '2026-11-12',
        breakdown: [taxed(100), { ...taxed(100, 1000), regimeKey: '15' }],
      },
      'operation_after_issue',
      '1146',
    ),
  ],
  '1147': [
    rejected(
      'works certified before they are done',
      { ...to(TOWN), ...regime('14') },
      'public_works_date',
      '1147',
    ),
  ],
  '1148': [
    rejected(
      'works on F3',
      { ...to(TOWN), ...regime('14'), kind: 'F3', operationDate: '2026-12-01' },
      'public_works_kind',
      '1148',
    ),
    rejected(
      'works on F2',
      nameless({ ...regime('14'), operationDate: '2026-12-01' }),
      'public_works_kind',
      '1148',
    ),
  ],
  '1149': [
    rejected(
      'works for a private customer',
      { ...regime('14'), operationDate: '2026-12-01' },
      'public_works_recipient',
      '1149',
    ),
    rejected(
      'works for a foreign body',
      { ...to(TOWN, FRENCH), ...regime('14'), operationDate: '2026-12-01' },
      'public_works_recipient',
      '1149',
    ),
  ],
  '1150': [rejected('F2 over 3,010', nameless(lines(taxed(248_762))), 'simplified_limit', '1150')],
  '1151': OUT_OF_LIST,
  '1152': [rejected('issued before the registry', { issueDate: '2024-10-27' }, 'issue_date_too_old', '1152')],
  '1153': OUT_OF_LIST,
  '1154': [
    rejected(
      'rectifies an invoice of a bad issuer',
      rectifying('R1', { rectified: [original({ issuerNif: '89890001A' })] }),
      'nif_invalid',
      '1154',
    ),
    rejected(
      'stands for an invoice of a bad issuer',
      { kind: 'F3', substituted: [original(), original({ issuerNif: '89890001A' })] },
      'nif_invalid',
      '1154',
    ),
  ],
  '1155': OUT_OF_LIST,
  '1156': 'same as: 1191 and 1192, which say it of R3 and R2',
  '1157': [
    rejected('a coupon on F1', { coupon: true }, 'coupon_not_allowed', '1157'),
    rejected('a coupon on R4', rectifying('R4', { coupon: true }), 'coupon_not_allowed', '1157'),
  ],
  '1158': [
    rejected(
      'made by a customer nobody names',
      nameless({ madeBy: { by: 'recipient' } }),
      'made_by_nobody',
      '1158',
    ),
  ],
  '1159': OUT_OF_LIST,
  '1160': [
    rejected(
      '5 % with 1.4',
      { operationDate: IN_2023, breakdown: [taxed(10_000, 500, 140)] },
      'surcharge_pair',
      '1160',
    ),
  ],
  '1161': OUT_OF_LIST,
  '1162': [rejected('21 % with 1.4', lines(taxed(10_000, 2100, 140)), 'surcharge_pair', '1162')],
  '1163': [rejected('10 % with 5.2', lines(taxed(10_000, 1000, 520)), 'surcharge_pair', '1163')],
  '1164': [rejected('4 % with 0.62', lines(taxed(10_000, 400, 62)), 'surcharge_pair', '1164')],
  '1165': [
    rejected(
      '0 % with 0.5 in 2023',
      { operationDate: IN_2023, breakdown: [taxed(10_000, 0, 50)] },
      'surcharge_pair',
      '1165',
    ),
  ],
  '1166': [
    rejected(
      '2 % with 1.4',
      { operationDate: END_OF_2024, breakdown: [taxed(10_000, 200, 140)] },
      'surcharge_pair',
      '1166',
    ),
  ],
  '1167': [
    rejected(
      '5 % with 0.5 after 2022',
      { operationDate: IN_2023, breakdown: [taxed(10_000, 500, 50)] },
      'surcharge_pair',
      '1167',
    ),
  ],
  '1168': [
    rejected(
      '5 % with 0.62 before 2023',
      { operationDate: IN_2022, breakdown: [taxed(10_000, 500, 62)] },
      'surcharge_pair',
      '1168',
    ),
  ],
  '1169': [
    rejected(
      '7.5 % with 1.4',
      { operationDate: END_OF_2024, breakdown: [taxed(10_000, 750, 140)] },
      'surcharge_pair',
      '1169',
    ),
  ],
  '1170': [
    rejected('0 % with 0', lines(taxed(10_000, 0, 0)), 'surcharge_pair', '1170'),
    // Sources disagree here: only no surcharge beside 0 % is valid for all of them.
    stricter('0 % with 0.26', lines(taxed(10_000, 0, 26)), 'surcharge_pair', '1170'),
  ],
  '1171': OUT_OF_LIST,
  '1172': 'header: the message is made for the issuer of its records',
  '1173': [
    rejected('operation tomorrow', { operationDate: '2026-11-17' }, 'operation_date_in_future', '1173'),
  ],
  '1174': EARLIER,
  '1175': EARLIER,
  '1176': [
    rejectedSystem(
      'a producer with a bad letter',
      { producer: { name: 'P', nif: '89890001A' } },
      'nif_invalid',
      '1176',
    ),
  ],
  '1177': [
    rejectedSystem('a program with an identifier in lower case', { id: 's1' }, 'system_id', '1177'),
    rejectedSystem('a program with half an identifier', { id: 'S' }, 'system_id', '1177'),
  ],
  '1178': 'same as: the codes of its elements',
  '1179': [
    rejectedSystem(
      'a nameless producer',
      { producer: { name: ' ', nif: '89890001K' } },
      'name_length',
      '1179',
    ),
    rejectedSystem('a program without version', { version: '' }, 'version_length', '1179'),
    rejectedSystem(
      'a program without number of installation',
      { installationNumber: ' ' },
      'installation_number_length',
      '1179',
    ),
  ],
  '1180': EARLIER,
  '1181': OUT_OF_LIST,
  '1182': [
    rejected('E7 with VAT', lines(untaxed('E7', 100)), 'exemption_only_igic', '1182'),
    rejected('E8 with IPSI', lines({ ...untaxed('E8', 100), tax: '02' }), 'exemption_only_igic', '1182'),
  ],
  '1183': [
    rejected('art. 7.2-7.3 on F2', nameless({ simplifiedArt7273: true }), 'flag_7273_not_allowed', '1183'),
    rejected(
      'art. 7.2-7.3 on R5',
      rectifying('R5', { simplifiedArt7273: true }),
      'flag_7273_not_allowed',
      '1183',
    ),
  ],
  '1184': SERIALIZER,
  '1185': [
    rejected('art. 6.1.d on F1', { withoutRecipientArt61d: true }, 'flag_61d_not_allowed', '1185'),
    rejected(
      'art. 6.1.d on F3',
      { kind: 'F3', withoutRecipientArt61d: true },
      'flag_61d_not_allowed',
      '1185',
    ),
  ],
  '1186': OUT_OF_LIST,
  '1187': OUT_OF_LIST,
  '1188': [rejected('a third party that is the issuer', by(ISSUER), 'third_party_is_issuer', '1188')],
  '1189': [
    rejected('F1 without customer', { recipients: [] }, 'recipient_required', '1189'),
    rejected('F3 without customer', { kind: 'F3', recipients: [] }, 'recipient_required', '1189'),
    rejected('R2 without customer', rectifying('R2', { recipients: [] }), 'recipient_required', '1189'),
  ],
  '1190': [
    rejected('F2 with a customer', { kind: 'F2' }, 'recipient_not_allowed', '1190'),
    rejected('R5 with a customer', rectifying('R5', to(FRENCH)), 'recipient_not_allowed', '1190'),
  ],
  '1191': [
    rejected('a bad debt of an EU customer', rectifying('R3', to(FRENCH)), 'bad_debt_recipient', '1191'),
    rejected('a bad debt of a foreigner', rectifying('R3', to(foreigner())), 'bad_debt_recipient', '1191'),
  ],
  '1192': [
    rejected('an insolvent foreigner', rectifying('R2', to(foreigner())), 'insolvency_recipient', '1192'),
  ],
  '1193': [
    {
      ...stricter('a self-supply', to(ISSUER), 'recipient_is_issuer', '1193'),
      severity: 'warning',
    },
  ],
  '1194': [rejected('5 % today', lines(taxed(10_000, 500)), 'vat_rate_not_in_force', '1194')],
  '1195': OUT_OF_LIST,
  '1196': OUT_OF_LIST,
  '1197': [
    rejected('reverse charge on F2', nameless(lines(untaxed('S2', 100))), 'reverse_charge_kind', '1197'),
    rejected(
      'reverse charge on R5',
      rectifying('R5', lines(untaxed('S2', 100))),
      'reverse_charge_kind',
      '1197',
    ),
  ],
  '1198': [
    rejected(
      'reverse charge with a rate',
      lines({ ...untaxed('S2', 100), vatRateBp: 2100 }),
      'reverse_charge_rate',
      '1198',
    ),
    rejected(
      'reverse charge without its zero',
      lines({ ...untaxed('S2', 100), vatRateBp: null }),
      'reverse_charge_rate',
      '1198',
    ),
  ],
  '1199': [
    rejected('an export under 01', lines(untaxed('E2', 100)), 'general_regime_export', '1199'),
    rejected(
      'E3 of IGIC under 01',
      lines({ ...untaxed('E3', 100), tax: '03' }),
      'general_regime_export',
      '1199',
    ),
  ],
}
