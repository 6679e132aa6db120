/** Words that say what an expense is before anything was learned, in the languages of Spain and in English. Pure. */
import type { ReadCategory } from '../intake/contract.ts'

interface SeedClass {
  category: ReadCategory
  /** Concept of the unified books; null where the words do not decide it. */
  concept: string | null
  /** Words without accents; one that ends in `*` stands for all that begin like it. */
  words: string
}

export const SEEDS: readonly SeedClass[] = [
  {
    category: 'compras',
    concept: null,
    words:
      'material* herramienta* tornill* tuerca* papel* carton* tela* tejido* cemento pintura* madera tabler* cable* bombilla* recambio* pieza* bobina* caja* palet* albaran* mercanci* referencia* unidades uds ferreter* bricolaje mueble* silla* mesa escritorio toner cartucho* boligraf* archivador* folios teclado raton monitor portatil impresora disco pantalla ropa uniforme* guantes detergente lejia limpiador* fruta* verdura* carne pescado leche pan harina aceite vino* cerveza* hipermercado supermercado ferralla acero aluminio plastico vidrio envase* etiqueta* embalaje*',
  },
  {
    category: 'profesionales',
    concept: 'G19',
    words:
      'honorari* asesor* consultor* abogad* advocat* despacho bufete traduc* gestoria gestor notari* procurador* minuta dictamen perit* auditor* arquitect* proyecto* ingenier* diseno disseny disenador* fotograf* redaccion contenidos formacion* curso* ponencia docencia irpf retencion retencio colegiad* laboral fiscal contable contabilidad nominas psicolog* sesion* programador* desarrollo horas ilustra* interprete* coach* copywrit*',
  },
  {
    category: 'restauracion',
    concept: null,
    words:
      'restaurante* restaurant* cafeteria cafe bar meson menu comensal* camarer* cubierto* taberna tasca comida* cena* almuerzo desayuno* jatetxea sidreria sagardotegi* marisqueria pizzer* hamburgues* tapas racion* postre* paella chuleton ensalada croquetas bocadillo* cana canas refresco cortado catering degustacion brasa asador parrilla',
  },
  {
    category: 'combustible',
    concept: null,
    words:
      'gasolin* gasoleo* gasoil diesel carburante* surtidor litros repsol cepsa galp adblue octanos plomo e5 e10 combustible* benzina recarga electrolinera fuel petrol',
  },
  {
    category: 'telefonia',
    concept: 'G17',
    words:
      'telefon* fibra movil* mobil* internet adsl roaming telecom* centralita sms llamadas linea lineas gigas gb megas tarifa datos voip router movistar vodafone orange mugikorra',
  },
  {
    category: 'suministros',
    concept: 'G14',
    words:
      'electric* kwh energia potencia cups punta valle llano comercializadora distribuidora endesa iberdrola naturgy alumbrado argindar* llum peajes bono electricidad kw contador',
  },
  {
    category: 'suministros',
    concept: 'G15',
    words:
      'agua aguas aigua aigues ura saneamiento alcantarillado depuracion acueducto m3 contador canon abastecimiento clavegueram',
  },
  {
    category: 'suministros',
    concept: 'G16',
    words: 'gas natural propano butano bombona* hidrocarburos gnl regasificacion termino contador',
  },
  {
    category: 'viajes',
    concept: null,
    words:
      'hotel* hostal* habitacion* habitacio alojamiento* noche* nits huesped* estancia vuelo* billete* tren renfe ave iryo ouigo taxi* vtc peaje* autopista parking aparcamiento aeropuerto embarque equipaje pasajer* viajer* trayecto ferry autobus coche alquiler turistic* check apartamento* airline* aerolinea* booking flight pernocta*',
  },
  {
    category: 'seguros',
    concept: 'G20',
    words:
      'seguro* poliza* prima aseguradora* asegurad* asseguran* consorcio compensacion cobertura* siniestro* responsabilidad mutua mutualidad franquicia tomador insurance aseguru* correduria',
  },
  {
    category: 'alquiler',
    concept: 'G12',
    words:
      'alquiler* arrendamiento* arrendador* arrendatari* lloguer* renta mensualidad local nave oficina inmueble alugueiro alokairu* rent catastral fianza coworking leasing renting trastero plaza',
  },
  {
    category: 'software',
    concept: null,
    words:
      'software saas subscription* suscripcion* licencia* licence license hosting cloud nube dominio* dominis servidor* vps api seats storage almacenamiento plan pro premium usuarios users workspace github aws azure google microsoft adobe backup ssl certificado plugin app billing usage tokens credits',
  },
]
