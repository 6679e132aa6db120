/** Help in Spanish: taxes. */
import type { TopicText } from '../topics.ts'

export const taxes = {
  vat: {
    title: 'El IVA de una factura',
    lead: 'El general es el {vat} %; hay además un {vatReduced} % y un {vatSuperReduced} % para lo que la ley nombra.',
    body: `
- La **base imponible** es el precio sin IVA, ya con los descuentos.
- El **tipo** es el porcentaje, y la **cuota** lo que resulta.
- Sello suma la base de cada tipo, calcula la cuota una vez y redondea al céntimo. Por eso el total puede diferir un céntimo de la suma de las líneas.

## Precio con IVA incluido

Si vendes a precio final, elige «IVA incluido» en «Más»: el precio del cliente manda y la base sale de él.

## Qué tipo va en cada cosa

Depende de qué vendes. Al {vatReduced} %, por ejemplo, la hostelería y el transporte de viajeros; al {vatSuperReduced} %, el pan, la leche o los libros. El tipo que cuenta es el del día de la operación. Los tipos que Sello conoce, con su fecha y su artículo, están en Ajustes, Impuestos.

Si no sabes si una operación lleva IVA, el signo de interrogación de la línea pregunta qué, a quién y dónde, y propone con sus razones. Los **suplidos**, lo que pagas en nombre de tu cliente y con factura a su nombre, no llevan IVA.`,
    words: 'iva tipo porcentaje base imponible cuota redondeo céntimo suplidos iva incluido',
  },
  territories: {
    title: 'Canarias, Ceuta y Melilla',
    lead: 'En Canarias se cobra IGIC y en Ceuta y Melilla IPSI, en lugar de IVA. El territorio se elige al crear la empresa.',
    body: `
Sello lo propone por el código postal. Decide el impuesto del libro y no se cambia después: otro territorio es otra empresa en Sello.

## Canarias

- El **tipo cero** es un tipo: la línea lleva impuesto, al 0 %.
- Un **comerciante minorista** vende exento, y la factura lo dice. El recargo solo lo cobra la aduana cuando importa: con la base del DUA, Sello lo propone.
- Un **pequeño empresario o profesional** (REPEP) no cobra IGIC ni deduce el que paga.
- Lo que mandas a la Península, a la Unión o a otros países es una exportación; los servicios a empresas de allí no están sujetos.
- El 0 % de La Palma es temporal y Sello no lo pone nunca por su cuenta.

## Ceuta y Melilla

Cada ciudad fija el tipo de cada cosa. Lo eliges tú en la línea, y Sello recuerda el último de cada artículo. Vender lo que no produces no está sujeto.

## Lo que Sello no lleva

Los impresos de Ceuta y Melilla. El País Vasco tiene el IVA, con registro y modelos propios. En Navarra, y para quien lleva los libros por el SII, Sello dice por qué no sirve y cuándo se miró por última vez.`,
    words:
      'igic ipsi canarias las palmas tenerife ceuta melilla minorista repep dua importación territorio país vasco navarra',
  },
  exempt: {
    title: 'Sin IVA: exenta o no sujeta',
    lead: 'Exenta: la ley la libra del IVA. No sujeta: el IVA español no llega a ella. La factura tiene que decir por qué.',
    body: `
## Exentas

- **Artículo 20**: sanidad, enseñanza reglada, seguros, operaciones financieras, alquiler de vivienda.
- **Artículo 21**: exportaciones fuera de la Unión.
- **Artículo 25**: bienes a una empresa de otro país de la Unión, con NIF-IVA.
- Otras: artículos 22, 23 y 24.

## No sujetas

- **Por reglas de localización** (artículos 69 y 70): la mayoría de los servicios a empresas de fuera de España.
- **Artículo 7**: por ejemplo, la transmisión del negocio entero o las muestras.

## En Sello

En la línea, cambia el IVA por «Sin IVA» y elige la causa, o pregunta con el signo de interrogación. La mención que la ley pide sale sola en el papel.

Si solo haces operaciones exentas del artículo 20, en general no deduces el IVA que pagas. Las exportaciones y las entregas a la Unión sí dan derecho a deducir.`,
    words:
      'iva exento exenta exención no sujeta E1 E2 E5 N1 N2 exportación sanidad formación alquiler vivienda',
  },
  'reverse-charge': {
    title: 'Inversión del sujeto pasivo',
    lead: 'Facturas sin IVA y es tu cliente, empresario, quien lo declara. Solo en los casos que nombra la ley.',
    body: `
Los más corrientes dentro de España:

- Obras de construcción o rehabilitación de edificios, y la mano de obra para ellas, cuando las encarga el promotor o un contratista.
- Chatarra y materiales de recuperación.
- Entregas de inmuebles en las que se renuncia a la exención.
- Móviles, tabletas, portátiles y consolas, a revendedores o por encima del límite que fija la ley.

## En la factura

La línea va con IVA 0 y la causa «inversión del sujeto pasivo»; Sello pone la mención. El cliente tiene que estar identificado: no puede ser una simplificada.

## Cuando la recibes tú

Declaras el IVA como si lo hubieras cobrado y, si te lo puedes deducir, lo restas en el mismo modelo 303. Márcalo al anotar la recibida; Sello hace las dos partes.`,
    words: 'isp autorepercusión reverse charge construcción reformas chatarra móviles S2',
  },
  eu: {
    title: 'Vender y comprar en la Unión Europea',
    lead: 'A una empresa con NIF-IVA se factura sin IVA español; a un particular, con IVA.',
    body: `
## A una empresa

- **Bienes** que salen de España: exentos por el artículo 25, si el cliente tiene NIF-IVA válido y puedes probar el transporte.
- **Servicios**: en general no sujetos aquí; los declara el cliente en su país.

Compruébalo en VIES desde el contacto: la respuesta se guarda con su fecha. Tú también necesitas estar en el Registro de operadores intracomunitarios (se pide con el modelo 036).

Estas operaciones van en el **modelo 349**: cada trimestre, o cada mes si las entregas y servicios pasan de {euMonthly} € en el trimestre o en alguno de los cuatro anteriores. Un abono del mismo trimestre resta de su operación; el de un periodo anterior va aparte, con la base rectificada y la que se declaró.

## A un particular

Con el IVA español mientras no pases del límite de las ventas a distancia. Después, el del país del cliente: es la ventanilla única.

## Comprar

La factura llega sin IVA. Lo declaras y, si procede, lo deduces. Sello lo propone al anotarla, según el país y el NIF del proveedor: compruébalo, sobre todo si son bienes o servicios. El IVA de otro país no se deduce aquí: es coste.`,
    words:
      'intracomunitario intracomunitaria europa VIES NIF-IVA ROI 349 extranjero francia alemania portugal',
  },
  oss: {
    title: 'La ventanilla única (OSS)',
    lead: 'Si vendes a particulares de otros países de la Unión por más de {oss} € al año, se aplica el IVA de su país.',
    body: `
El límite de {oss} € suma las ventas a distancia de bienes y los servicios electrónicos, de telecomunicaciones y de radiodifusión a particulares de toda la Unión, sin IVA. Por debajo puedes seguir con el IVA español, o elegir el del cliente.

Con la ventanilla única no te registras en cada país: presentas un solo **modelo 369** cada trimestre, hasta el último día del mes siguiente. Hay que darse de alta antes en la AEAT.

## En Sello

En la línea elige la causa «ventanilla única» y el país: el tipo es el de allí. Sello suma por país y tipo en el modelo 369, y separa las rectificativas de trimestres anteriores. El fichero se sube a la sede y dice que todo sale de España. Esas líneas no entran en el 303, y el registro de la AEAT va sin su cuota.`,
    words: 'oss ioss ventas a distancia tienda online ecommerce 369 particulares europa',
  },
  withholding: {
    title: 'La retención de IRPF',
    lead: 'Si eres profesional y facturas a una empresa, te retienen: cobras menos hoy y ya está a cuenta de tu renta.',
    body: `
- **{professional} %** en general para actividades profesionales.
- **{newProfessional} %** el año en que empiezas y los dos siguientes, si no ejerciste el año anterior. Se lo comunicas a tu cliente.
- **{rent} %** en el alquiler de locales.

Otras actividades tienen otros tipos, y las empresariales en general no llevan.

## Cuándo se pone

Cuando el cliente es empresa, profesional o entidad en España. Nunca si es un particular, ni si eres una sociedad, salvo en alquileres.

## En la factura

Se calcula sobre la base, no sobre el IVA. **Total factura** es lo que se registra; **Total a pagar**, lo que te ingresan. La retención no va al registro de la AEAT.

El tipo habitual se pone en Ajustes, Empresa, o en el contacto, y en la factura se cambia. Si eres tú quien retiene, al anotar la recibida sale en los modelos 111 o 115.`,
    words: 'irpf retención 15 7 19 profesional autónomo alquiler local total a pagar',
  },
  surcharge: {
    title: 'El recargo de equivalencia',
    lead: 'Se añade al IVA cuando vendes a un comerciante minorista que está en ese régimen.',
    body: `
Son personas físicas, o entidades en atribución de rentas, que venden al por menor sin transformar lo que compran. No presentan IVA: lo pagan todo a su proveedor.

- Con el {vat} % de IVA, {surcharge} %.
- Con el {vatReduced} %, {surchargeReduced} %.
- Con el {vatSuperReduced} %, {surchargeSuperReduced} %.

El tabaco tiene el suyo. El recargo va sobre la misma base y se muestra aparte.

## En Sello

Marca «recargo de equivalencia» en el contacto y saldrá en todas sus facturas. El cliente tiene que decirte que está en ese régimen. Lo que cobras de recargo lo ingresas en tu modelo 303.

Si el minorista eres tú, elige ese régimen en Ajustes, Empresa.`,
    words: 'recargo equivalencia minorista tienda comercio RE',
  },
  returns: {
    title: 'Los modelos: qué te da Sello y qué no',
    lead: 'Sello calcula las casillas con las facturas que hay detrás de cada una y prepara el fichero de la Agencia. Solo se presenta si tú dices que sí.',
    body: `
- **303**: el IVA del trimestre. **390**: el resumen del año.
- **130**: el pago a cuenta del IRPF, si eres autónomo en estimación directa.
- **111** y **190**: lo que has retenido a profesionales; las nóminas las escribes tú en las casillas 01 a 06 del 111, o un 0 si no hay. **115** y **180**: a quien te alquila el local.
- **347**: con quién has pasado de {thirdParties} € en el año, con IVA.
- **349**: operaciones con empresas de la Unión. **369**: ventanilla única.
- **131** (módulos) y **123** (retenciones sobre dividendos e intereses): sus casillas las escribes tú; Sello comprueba las sumas. El 123 se añade en **Actividad económica**.

Pulsa una casilla y verás sus facturas: suman lo mismo. Arriba, los avisos: lo que falta por registrar, un NIF que no está, recibidas sin documento.

## Lo que no sabe

El régimen simplificado (módulos): el 303 no se calcula, y el 131 lo escribes tú. Tampoco el 309 del recargo de equivalencia: Sello solo dice cuándo toca. Las nóminas que no escribas, compensaciones de otros años que no hayas anotado, gastos que no están en Sello, y tus circunstancias personales. Es una estimación para prepararte.

## Presentar

**Presentar** enseña lo que dirá el modelo, cómo se liquida el resultado y lo que falta antes. **Descargar el fichero** lo guarda para subirlo a la sede: la página trae los pasos. Sello solo hace el fichero de los años cuyo diseño conoce; el 190 con nóminas y el 180 con alquileres piden datos que escribes en la página de cada uno.

- En un **libro de pruebas** lo recibe una Agencia simulada: no llega a nadie.
- En el **libro real** está apagado. Se enciende en **Datos para presentar** para 303, 390, 130, 131, 111, 115 y 123, con el certificado de la empresa, o con el de un representante si declaras allí que puede presentar por ella. Nunca se ha probado con la Agencia de verdad: sube el primero a mano.
- **347**, **349**, **190** y **180** se suben siempre a la sede.
- Si se pierde la respuesta, Sello pregunta y no lo envía otra vez.

Si lo presentas en la sede, márcalo como presentado. Se guardan las cifras, y Sello avisa si después cambia algo.

**Leer un fichero de la Agencia** enseña uno hecho por Sello o por otro programa, lo compara con tus cifras y puede guardarlo como presentado.`,
    words:
      'impuestos modelo 303 130 390 111 115 180 190 347 349 hacienda trimestre declaración presentar fichero justificante csv nrc sede',
  },
  'foral-returns': {
    title: 'Los modelos del País Vasco: lo que Sello no calcula',
    lead: 'El IVA, las retenciones y el impuesto sobre la renta o sociedades se presentan a tu Hacienda Foral, con modelos suyos.',
    body: `
Sello lleva tus facturas, tus recibidas y las sumas de IVA por tipo. No calcula ninguna declaración foral, porque no conoce sus casillas: te lo dice en Impuestos, en lugar de enseñar un modelo del Estado que no presentas.

- **IVA del trimestre y resumen del año**: los modelos forales que correspondan. El tipo y la base de cada factura salen en Impuestos y en los libros de IVA.
- **Retenciones** de trabajadores, profesionales y alquileres: sus modelos forales.
- **Pagos a cuenta** y renta o sociedades: con tu asesor.
- **Operaciones con terceros y con la Unión**: también a tu Hacienda.
- En **Bizkaia**, el LROE pide además las facturas recibidas y los bienes de inversión. Sello solo manda las emitidas.

El **paquete para la gestoría** tiene todo lo que tu asesor necesita para presentarlas.`,
    words: 'foral 303 300 390 391 110 hacienda bizkaia gipuzkoa álava araba declaración modelo lroe',
  },
  islands: {
    title: 'Los modelos de Canarias, Ceuta y Melilla',
    lead: 'Sello calcula los modelos del IGIC que conoce y nombra los demás, con lo que hay que hacer.',
    body: `
## En Canarias

- **420**: el IGIC del trimestre. Un resultado a tu favor se compensa en el siguiente; la devolución se pide en el cuarto.
- **425**: el resumen del año, que presentan todos, también el pequeño empresario. Al final se coteja con los cuatro 420.
- **415**: con quién has pasado de {thirdParties} € en el año, con IGIC. Solo las claves A y B.
- **111**, **115**, **130** y los demás del IRPF se presentan en la Agencia del Estado.

El formulario del 420 tiene seis líneas y el tipo lo escribes tú: Sello propone una línea para cada tipo y avisa si faltan líneas. El **Borrador XML** sirve para comparar y copiar: no es un fichero que se pueda presentar.

Los plazos son otros: el cuarto trimestre acaba el 31 de enero, y la domiciliación el 20. Los festivos de cada isla no mueven los plazos en Sello: el día anterior es el seguro.

## Lo que no se sabe

Si te toca además el 347 del Estado. Los modelos 412, 416, 417 y 421 se nombran en Impuestos, sin calcular.

## En Ceuta y Melilla

Sello enseña los totales por tipo, pero no prepara la declaración del IPSI: pregunta a tu ciudad.`,
    words: 'igic ipsi canarias las palmas tenerife ceuta melilla 420 425 415 412 416 417 421 atc modelo',
  },
  'year-schemes': {
    title: 'Los regímenes del año: trimestres o meses',
    lead: 'Respóndelos una vez por año en Impuestos: Sello no los puede saber, y el 303 los declara.',
    body: `
En Impuestos, **Regímenes del año** pregunta por el registro de devolución mensual, la gran empresa, el SII, la prorrata, el concurso y algunos más. Hasta que respondas no hay fichero del 303 ni del 390 de ese año. Queda en el historial quién lo declaró y cuándo.

- **Registro de devolución mensual**: 303 cada mes, y la devolución se puede pedir todos los meses.
- **Gran empresa**: 303, 111, 115 y 123 cada mes.
- **SII por decisión propia**: 303 por trimestres.
- **349 cada mes**: si lo respondes así. Sello avisa si has vendido a la UE más de 50.000 € en un trimestre.

Quien lleva el SII, por ley o por decisión propia, no presenta 390 ni 347, y queda fuera del reglamento de facturación: las facturas de Sello no están hechas para ese caso.

Algunos regímenes no se escriben, y el aviso dice cuál: prorrata, concurso, autoliquidación conjunta, depósitos de carburantes, y el último 303 del año de quien no presenta el 390. Para esos, usa el formulario de la Agencia.

Pasar de trimestres a meses dentro de un mismo año no está previsto.`,
    words: 'redeme sii gran empresa mensual meses prorrata concurso exonerado 390 registro devolución',
  },
  'handing-on': {
    title: 'Entregar el diario al programa de la asesoría',
    lead: 'El diario, las cuentas y el IVA en el formato que importa su programa. No cambia nada de tus libros.',
    body: `
En Impuestos, **Entregar el diario a su programa**:

1. **Programa**: a3, Sage 50 o ContaPlus, ContaSOL, Holded, Odoo o CSV, con los dígitos de cuenta de la asesoría. Pregúntaselos antes.
2. **Comprobar** muestra cuántos asientos van, qué cuentas son nuevas para ella y qué no cabe en el formato, con el paso siguiente.
3. **Entregar y descargar** da el fichero. La próxima vez solo se propone lo nuevo o lo que ha cambiado.

Cada cliente y proveedor recibe **un número**, como 43000001, y lo conserva. Si la asesoría ya tiene los suyos, escríbelos o pega su lista de NIF y cuenta.

Si cambias o anulas algo ya entregado, la página lo dice: hay que cambiarlo también en el otro programa, porque Sello no llega hasta allí.

Sello no ha probado los ficheros en esos programas. Haz la primera importación en una empresa de prueba.`,
    words:
      'suenlace a3 contaplus sage contasol holded odoo diario subcuenta exportar asesoría gestoría asientos',
  },
  'quarter-close': {
    title: 'Cerrar el trimestre con tu asesor',
    lead: 'Una página con los pasos en orden y lo que falta en cada uno; al final, el paquete para tu asesor.',
    body: `
En Impuestos, **Cerrar el trimestre**:

1. **Antes**: borradores, banco, documentos y datos dudosos de las recibidas, peticiones que esperan tu permiso, registro y facturas periódicas.
2. **Modelos**: presentar cada uno y pagarlo.
3. **Asiento del IVA**: lleva el IVA del trimestre a la cuenta de Hacienda. Se ve antes de anotarlo, junto al 303 presentado.
4. **Cerrar los días** y descargar el paquete.

Un paso está hecho solo si Sello puede comprobarlo. Donde no puede, dice que no lo sabe: por ejemplo el pago, sin cuenta de banco.

El **Paquete para la gestoría** hace un ZIP con los documentos, los libros de IVA, los registros, las cifras de los modelos y el diario. Se abre sin Sello: trae un índice.

Los **libros de IVA** van con el formato de la AEAT, en XLSX o CSV, comprobados fila por fila.

Cuando tu asesor presente, marca los modelos como presentados. Con los días cerrados nadie cambia por descuido algo ya declarado. Se pueden abrir otra vez, y queda en el historial.`,
    words: 'gestoría gestor contable paquete zip libros registro cerrar periodo asesoría asiento iva pasos',
  },
  deadlines: {
    title: 'Los plazos del año',
    lead: 'Si el último día es sábado, domingo o festivo, pasa al siguiente hábil.',
    body: `
- **Del 1 al 20 de abril, julio y octubre**: 303, 130, 111, 115 y 349 del trimestre.
- **Del 1 al 20 de enero**: 111 y 115 del cuarto trimestre.
- **Del 1 al 30 de enero**: 303, 130 y 349 del cuarto trimestre, y 390.
- **Enero**: 190 y 180, hasta el 31.
- **Febrero**: 347, hasta el último día.
- **369**: hasta el último día del mes que sigue al trimestre.

Si domicilias el pago, el plazo acaba unos días antes: Impuestos dice el día de cada uno. Los que la Agencia aún no ha publicado salen como calculados.

**Calendario (.ics)**, en Impuestos, guarda lo que te queda por presentar para tu calendario, con un aviso tres días antes. Es una copia: descárgalo otra vez si algo cambia.

## Facturas

- A un consumidor, al hacer la operación.
- A una empresa, antes del 16 del mes siguiente al devengo.
- Rectificar, dentro de {rectifyYears} años.

## Guardar

Sello conserva todo. La ley pide los documentos mientras Hacienda pueda comprobarlos, cuatro años en general, y los libros seis años a los comerciantes.

No conoce los festivos de tu comunidad ni los plazos especiales.`,
    words:
      'plazo fecha límite calendario ics domiciliación fiscal cuándo vence presentar enero abril julio octubre febrero conservar',
  },
} satisfies Partial<Record<string, TopicText>>
