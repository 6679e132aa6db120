/** Codes 1200 to 1293: regimes, treatments, cancellations, formats. */
import { cancellation, ISSUER, taxed, untaxed } from '../plain-records.ts'
import {
  lines,
  regime,
  to,
  foreigner,
  FRENCH,
  IN_2022,
  other,
  original,
  by,
  cancelledBy,
  rejected,
  stricter,
  rejectedCancellation,
  OUT_OF_LIST,
  SERIALIZER,
  PROGRAM,
  rejectedSystem,
  EARLIER,
  CENSUS,
  ISSUER_IN_HEADER,
} from './making.ts'
import type { Coverage } from './making.ts'

export const CODES_1200: Coverage = {
  '1200': [
    rejected('second-hand goods not subject', regime('03', untaxed('N1', 1)), 'second_hand_regime', '1200'),
  ],
  '1201': [rejected('taxed gold', regime('04'), 'gold_regime', '1201')],
  '1202': [
    rejected('a group without base at cost', regime('06'), 'group_regime_cost_base', '1202'),
    rejected(
      'a group on F3',
      { kind: 'F3', ...regime('06', { ...taxed(10_000), costBaseCents: 10_000 }) },
      'group_regime_kind',
      '1202',
    ),
  ],
  '1203': [
    rejected('cash accounting with reverse charge', regime('07', untaxed('S2', 1)), 'cash_regime', '1203'),
    rejected('cash accounting of an export', regime('07', untaxed('E2', 1)), 'cash_regime', '1203'),
  ],
  '1205': [
    rejected('taxed collection', regime('10'), 'collection_regime', '1205'),
    rejected(
      'collection on F3',
      { kind: 'F3', ...regime('10', untaxed('N1', 1)) },
      'collection_regime',
      '1205',
    ),
    rejected(
      'collection from a foreigner',
      { ...to(foreigner()), ...regime('10', untaxed('N1', 1)) },
      'collection_regime',
      '1205',
    ),
  ],
  '1206': [
    rejected('a lease at 10 %', regime('11', taxed(1_000, 1000)), 'lease_regime_rate', '1206'),
    rejected('a lease under reverse charge', regime('11', untaxed('S2', 100)), 'lease_regime_rate', '1206'),
    stricter('an exempt lease', regime('11', untaxed('E1', 100)), 'lease_regime_rate', '1206'),
  ],
  '1207': [
    rejected(
      'IGIC of what is not subject',
      lines(other('03', '01', { taxTreatment: 'N1' })),
      'not_subject_with_rate',
      '1207',
    ),
  ],
  '1208': [
    rejected('S1 without rate', lines({ ...taxed(0), vatRateBp: null }), 'rate_required', '1208'),
    rejected(
      'IGIC without rate',
      lines(other('03', '01', { vatRateBp: null, taxCents: 0 })),
      'rate_required',
      '1208',
    ),
  ],
  '1209': [
    rejected(
      'a group without rate',
      regime('06', { ...taxed(0), vatRateBp: null, costBaseCents: 10_000 }),
      'rate_required',
      '1209',
    ),
  ],
  '1210': 'same as: 2005, which has taken its place',
  '1211': [
    rejected(
      'a third party not in the census',
      by(foreigner({ country: 'ES', idType: '07', id: '89890002E' })),
      'third_party_uncensused',
      '1211',
    ),
  ],
  '1212': SERIALIZER,
  '1213': SERIALIZER,
  '1214': 'impossible: the field is no longer in the schema',
  '1215': 'header: the message is made for the issuer of its records',
  '1216': 'same as: 2006, which has taken its place',
  '1217': CENSUS,
  '1218': OUT_OF_LIST,
  '1219': ISSUER_IN_HEADER,
  '1220': [rejectedSystem('a nameless program', { name: '' }, 'system_name_length', '1220')],
  '1221': PROGRAM,
  '1222': 'same as: 1103, for an identification that is empty',
  '1223': PROGRAM,
  '1224': OUT_OF_LIST,
  '1225': OUT_OF_LIST,
  '1226': SERIALIZER,
  '1227': 'impossible: an issuer who cancels its own invoice is not written as its maker',
  '1228': OUT_OF_LIST,
  '1229': [
    rejectedCancellation(
      'cancelled by a third party not in the census',
      cancelledBy('third_party', foreigner({ country: 'ES', idType: '07', id: '89890002E' })),
      'maker_uncensused',
      '1229',
    ),
  ],
  '1230': [
    rejectedCancellation(
      'cancelled by a customer in Spain with type 04',
      cancelledBy('recipient', foreigner({ country: 'ES' })),
      'party_spain_type',
      '1230',
    ),
  ],
  '1231': OUT_OF_LIST,
  '1232': [
    rejected(
      'made by a third party in Spain with type 04',
      by(foreigner({ country: 'ES' })),
      'party_spain_type',
      '1232',
    ),
    rejectedCancellation(
      'cancelled by a third party in Spain with type 04',
      cancelledBy('third_party', foreigner({ country: 'ES' })),
      'party_spain_type',
      '1232',
    ),
  ],
  '1233': 'same as: 1126, which names both types that Spain admits',
  '1234': 'same as: 1126 and 1230',
  '1235': [rejected('2 % today', lines(taxed(10_000, 200)), 'vat_rate_not_in_force', '1235')],
  '1236': [rejected('7.5 % today', lines(taxed(10_000, 750)), 'vat_rate_not_in_force', '1236')],
  '1237': [
    rejected(
      'not subject with a rate',
      lines({ ...untaxed('N1', 100), vatRateBp: 2100, taxCents: 21 }),
      'not_subject_with_rate',
      '1237',
    ),
    rejected(
      'not subject with a rate of 0',
      lines({ ...untaxed('N2', 100), vatRateBp: 0 }),
      'not_subject_with_rate',
      '1237',
    ),
    rejected(
      'not subject with a surcharge',
      lines({ ...untaxed('N1', 100), surchargeRateBp: 520, surchargeCents: 5 }),
      'surcharge_not_allowed',
      '1237',
    ),
  ],
  '1238': [
    rejected(
      'exempt with a rate',
      lines({ ...untaxed('E1', 100), vatRateBp: 0 }),
      'exempt_with_rate',
      '1238',
    ),
    rejected(
      'exempt with a surcharge',
      lines({ ...untaxed('E1', 100), surchargeRateBp: 520, surchargeCents: 5 }),
      'surcharge_not_allowed',
      '1238',
    ),
  ],
  '1239': CENSUS,
  '1240': ISSUER_IN_HEADER,
  '1241': 'technical',
  '1242': 'authority data: its register of programs',
  '1243': 'technical',
  '1244': SERIALIZER,
  '1245': [
    rejected('VAT without regime', regime(null), 'regime_required', '1245'),
    rejected('IGIC without regime', lines(other('03', null)), 'regime_required', '1245'),
    rejected('IPSI without regime in 2027', lines(other('02', null)), 'regime_required', '1245', {
      today: '2027-01-01',
    }),
  ],
  '1246': [
    rejected('a regime of IGIC with VAT', regime('21'), 'regime_of_another_tax', '1246'),
    rejected('a regime of VAT with IPSI in 2027', lines(other('02', '07')), 'regime_of_another_tax', '1246', {
      today: '2027-01-01',
    }),
  ],
  '1247': SERIALIZER,
  '1248': 'query',
  '1249': 'query',
  '1250': 'query',
  '1251': SERIALIZER,
  '1252': [
    rejected('08 taxed', regime('08'), 'other_territory_regime', '1252'),
    rejected(
      '08 of IGIC exempt',
      lines({ ...untaxed('E1', 100, '08'), tax: '03' }),
      'other_territory_regime',
      '1252',
    ),
    stricter('08 of IPSI taxed', lines(other('02', '08')), 'other_territory_regime', '1252'),
  ],
  '1253': [rejected('an empty reference', { recordId: ' ' }, 'reference_length', '1253')],
  '1254': [
    rejected(
      'Northern Ireland before it had numbers of its own',
      { ...to(foreigner({ country: 'GB', idType: '02', id: 'XI123456789' })), operationDate: '2020-12-31' },
      'party_vat_xi',
      '1254',
    ),
  ],
  '1255': [
    rejected(
      'a British number as an EU number',
      to(foreigner({ country: 'GB', idType: '02', id: 'GB123456789' })),
      'party_vat_gb',
      '1255',
    ),
    stricter(
      'a British number before 2021',
      {
        ...to(foreigner({ country: 'GB', idType: '02', id: 'GB123456789' })),
        operationDate: '2020-12-31',
      },
      'party_vat_gb',
      '1255',
    ),
  ],
  '1256': 'technical',
  '1257': [
    rejected(
      'a base at cost under 01',
      lines({ ...taxed(10_000), costBaseCents: 10_000 }),
      'cost_base_not_allowed',
      '1257',
    ),
  ],
  '1258': [
    rejectedCancellation(
      'cancelled by a customer with a bad letter',
      cancelledBy('recipient', { name: 'C', nif: '89890002A' }),
      'nif_invalid',
      '1258',
    ),
  ],
  '1259': [
    rejectedCancellation(
      'cancelled for itself by the issuer',
      cancelledBy('third_party', ISSUER),
      'maker_is_issuer',
      '1259',
    ),
  ],
  '1260': [rejected('another tax with a regime', lines(other('05', '01')), 'regime_not_allowed', '1260')],
  '1261': 'query',
  '1262': SERIALIZER,
  '1263': SERIALIZER,
  '1264': SERIALIZER,
  '1265': OUT_OF_LIST,
  '1266': 'same as: 4102, which too many digits earn',
  '1267': 'same as: 4102, which too many digits earn',
  '1268': SERIALIZER,
  '1269': EARLIER,
  '1270': 'query',
  '1271': 'query',
  '1272': 'query',
  '1273': 'same as: the codes of its elements',
  '1274': SERIALIZER,
  '1275': OUT_OF_LIST,
  '1276': OUT_OF_LIST,
  '1277': [
    rejected(
      '0 % with 0.5 in 2022',
      { operationDate: IN_2022, breakdown: [taxed(10_000, 0, 50)] },
      'surcharge_pair',
      '1277',
    ),
  ],
  '1281': [
    rejected(
      'reverse charge with surcharge',
      lines({ ...untaxed('S2', 100), surchargeRateBp: 0 }),
      'surcharge_not_allowed',
      '1281',
    ),
    rejected(
      'IGIC not subject with a surcharge',
      lines(other('03', '01', { taxTreatment: 'N1', vatRateBp: null, taxCents: 0, surchargeRateBp: 100 })),
      'surcharge_not_allowed',
      '1281',
    ),
  ],
  '1282': 'header: the message is made for the issuer of its records',
  '1283': [rejected('a nameless person', to({ name: ' ', nif: '89890002E' }), 'name_length', '1283')],
  '1284': [
    rejected(
      'a surcharge without rate',
      lines({ ...taxed(10_000), surchargeCents: 520 }),
      'surcharge_rate_required',
      '1284',
      {
        spoil: (xml) =>
          xml.replace(
            '</sf:CuotaRepercutida>',
            '</sf:CuotaRepercutida><sf:CuotaRecargoEquivalencia>5.20</sf:CuotaRecargoEquivalencia>',
          ),
      },
    ),
  ],
  '1285': 'query',
  '1286': [rejected('a taxed export', regime('02'), 'export_regime_taxed', '1286')],
  '1287': [
    ...[...'"\'<>='].map((sign) =>
      rejected(`${sign} in the number`, { number: `A${sign}1` }, 'number_forbidden_character', '1287'),
    ),
    rejectedCancellation(
      'cancels a number with =',
      cancellation({ turn: 'unregistered', key: original({ number: 'A=1' }) }),
      'number_forbidden_character',
      '1287',
    ),
  ],
  '1288': 'technical',
  '1289': [
    rejected('E5 to a Spanish number', lines(untaxed('E5', 100)), 'intra_community_recipient', '1289'),
    rejected(
      'E5 to a Spanish number too',
      { ...to(FRENCH, { name: 'C', nif: '89890002E' }), ...lines(untaxed('E5', 100)) },
      'intra_community_recipient',
      '1289',
    ),
  ],
  '1290': [
    rejected(
      'no number at all that is not in the census',
      to(foreigner({ country: 'ES', idType: '07', id: '12345678' })),
      'party_uncensused_nif',
      '1290',
      { also: ['recipient_not_in_census'] },
    ),
  ],
  '1291': EARLIER,
  '1292': SERIALIZER,
  '1293': [rejected('IGIC 20 taxed', lines(other('03', '20')), 'ipsi_under_igic_regime', '1293')],
}
