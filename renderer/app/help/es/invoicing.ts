/** Help in Spanish: invoicing. */
import type { TopicText } from '../topics.ts'

export const invoicing = {
  correct: {
    title: 'Rectificar, anular o subsanar: cuál y cuándo',
    lead: 'Si el cliente ve el error, rectifica. Si la factura nunca debió existir, anula. Si el error está solo en el registro, subsana.',
    body: `
## Rectificar

Para lo que se lee en la factura: importes, tipos, cliente, concepto; y para devoluciones, descuentos posteriores o impagos. Haces una factura nueva, en su propia serie, que dice qué factura corrige y por qué. Hay {rectifyYears} años desde el devengo o desde que cambió la base.

- **Por diferencias**: la nueva lleva solo lo que sube o baja.
- **Por sustitución**: la nueva lleva las cifras correctas enteras y ocupa el lugar de la otra.

Sello pregunta el motivo con palabras corrientes y elige la clase (R1 a R5).

## Anular

Solo para una factura que nunca debió existir y que el cliente no ha recibido: emitida dos veces, o por error. Conserva su número y deja de contar. No sirve para una venta que se devuelve: eso se rectifica.

## Subsanar

Para un dato que solo está en el registro de la AEAT: el NIF tal como lo conoce el censo, la descripción, la clave de régimen o la fecha de operación. También cuando la AEAT rechaza el primer registro. La factura y su PDF se quedan igual.

Las tres están en la ficha de la factura: Rectificar en la barra, y bajo «…» las otras dos: Anular la factura y Corregir el registro.`,
    words:
      'error equivocado corregir abono devolución descuento nota de crédito borrar factura emitida R1 R4 R5',
  },
  series: {
    title: 'Series y numeración',
    lead: 'La serie es el comienzo del número. Dentro de cada una los números van seguidos, sin huecos.',
    body: `
El número se da al emitir, nunca antes, y no se repite aunque la factura se anule. Un borrador no tiene número.

- **F2026**: facturas completas. **S2026**: simplificadas. **R2026**: rectificativas, que por ley llevan serie propia.
- Las de cada año se crean solas cuando hacen falta.
- En el libro de pruebas empiezan por T-.

## Si vienes de otro programa

En Ajustes, Series, pon el número con el que sigues. Solo se puede antes de la primera factura de esa serie.

## Fechas

Una factura no puede llevar fecha anterior a la última de su serie ni fecha futura. Si la operación fue otro día, pon la **fecha de operación**, en «Más».

## Facturas que expide otro

Si tu gestoría, una plataforma o tu cliente expiden facturas tuyas, abre en Ajustes, Series, una serie para cada uno y di en la factura, en «Más», quién la expide. Siguen siendo tuyas: se registran a tu nombre y el registro dice quién las hizo. Con el cliente hace falta un acuerdo previo, y que aceptes cada factura.

Una serie usada no se cambia: se archiva y se abre otra. Ten series distintas si facturas desde varios sitios o para actividades distintas.`,
    words:
      'número correlativo empezar desde numerar F2026 T- autofactura facturación por el destinatario tercero gestoría plataforma',
  },
  simplified: {
    title: 'Facturas simplificadas (tiques)',
    lead: 'Hasta {simplified} € con IVA incluido puedes hacer una factura sin los datos del cliente.',
    body: `
En el editor, abre **Más** y elige el tipo F2. El límite sube a {simplifiedSectors} € con IVA en comercio al por menor, hostelería, peluquerías, taxis, aparcamientos, tintorerías y las demás actividades que nombra la ley.

No valen para vender a otro país de la Unión con exención, para ventas a distancia ni cuando el IVA lo paga el cliente.

## Si el cliente pide los datos

Un empresario que quiera deducir el IVA, o cualquier cliente que lo necesite para un trámite fiscal, puede pedirte que pongas su NIF, su domicilio y la cuota. Elige entonces factura completa, o márcala con los datos del cliente en «Más».

## Si ya hiciste el tique

Elígelo en la lista y haz una **factura en sustitución** (F3): lo nombra y ocupa su lugar sin contar dos veces.

Un tique con error se rectifica con una R5. Puede imprimirse en A4 o en rollo de 80 mm.`,
    words: 'ticket tique F2 F3 consumidor final sin NIF caja recibo',
  },
  quotes: {
    title: 'Presupuestos, proformas y albaranes',
    lead: 'No son facturas: no llevan número de factura ni se registran. Se convierten en una cuando toca.',
    body: `
- **Presupuesto**: lo que costará, con fecha de validez. El cliente lo acepta o no.
- **Proforma**: parece una factura, pero no lo es; sirve para que te adelanten un pago o te autoricen un gasto.
- **Albarán**: lo que has entregado. Varios albaranes pueden acabar en una factura.

## Facturar un presupuesto

En su ficha, **Facturar**: entero, por líneas, por un porcentaje o como anticipo. Sello lleva la cuenta y no deja facturar más de lo presupuestado.

Si cambias un presupuesto ya enviado, se guarda la versión anterior. El borrador que sale de él se revisa y se emite como cualquier otro.`,
    words: 'oferta presupuesto aceptar señal anticipo entrega',
  },
  recurring: {
    title: 'Facturas que se repiten',
    lead: 'Sello prepara el borrador el día que toca; tú lo revisas y lo emites.',
    body: `
1. En **Recurrentes**, pulsa «Nueva recurrente», o abre una factura y elige «Repetir esta factura».
2. Di cada cuánto: cada mes, el último día, cada trimestre…
3. Di cuándo termina: nunca, un día o tras un número de veces.

Los borradores preparados aparecen en Inicio y en Facturas, Borradores. Si Sello estaba cerrado ese día, los prepara al abrirse: uno por cada fecha, sin repetir ninguno.

Nada se emite solo. Una **plantilla** guarda el contenido sin fechas, para usarlo cuando quieras.`,
    words: 'mensual cuota suscripción alquiler mantenimiento automático iguala plantilla',
  },
  customers: {
    title: 'Contactos: clientes y proveedores',
    lead: 'Un contacto guarda lo que la factura necesita y lo que le es propio: retención, recargo, días de pago.',
    body: `
- El **NIF** se comprueba mientras lo escribes. «Comprobar en Hacienda» pregunta al censo si el NIF y el nombre van juntos: así la AEAT no lo rechaza.
- De otro país de la Unión se escribe el **NIF-IVA** y se comprueba en VIES.
- Sin NIF español: pasaporte, documento de su país u otra identificación.
- La **dirección** no es obligatoria si es un particular.

Preguntar fuera solo pasa cuando tú lo pides.

## Repetidos

Sello señala los contactos con el mismo NIF y ofrece unirlos. La unión se puede deshacer.

Cambiar un contacto no cambia sus facturas emitidas: conservan lo que decían aquel día. No se borra un contacto que usan borradores o mandatos.`,
    words: 'cliente proveedor censo VIES NIF-IVA duplicados unir extranjero pasaporte',
  },
  items: {
    title: 'Productos y servicios',
    lead: 'Guarda lo que vendes a menudo y en la factura bastará con escribir sus primeras letras.',
    body: `
Un producto o servicio trae nombre, precio sin IVA, tipo de IVA y, si quieres, código y unidad. En la línea se puede cambiar todo: lo guardado es un punto de partida.

- Cambiar un precio no toca las facturas hechas.
- Lo que ya no vendes se desactiva; las facturas que lo usaron no cambian.
- Para tener muchos de una vez, impórtalos desde un Excel.

Sello no lleva existencias.`,
    words: 'productos servicios catálogo tarifa precio código almacén stock',
  },
  documents: {
    title: 'El PDF, su aspecto y el correo',
    lead: 'El PDF se hace al emitir y no cambia nunca más; el aspecto se elige en Ajustes, Diseño de los documentos.',
    body: `
- **Aspecto**: logotipo, color y pie, con la hoja al lado mientras cambias. Vale para los documentos que hagas desde entonces.
- **Idioma**: el de la factura, si no el del cliente, si no el de la empresa.
- **Firma**: si has importado el certificado, el PDF va firmado. Una factura española vale también sin firma.
- **Formatos**: PDF con la factura dentro en XML, Facturae para la Administración (FACe), UBL y CII, Peppol, y el UBL 2.5 de las facturas entre empresas.

## Enviarlo

Con «Enviar por correo» sale un mensaje con el PDF: por tu cuenta, si la configuras en Ajustes, Correo, o abierto en tu programa de correo. En Correos ves lo que salió y lo que no.

En la ficha de cada contacto eliges cómo recibe sus facturas: solo el PDF, que lleva los datos dentro, o además Facturae, CII, UBL o la página de respuesta. En cada correo puedes cambiarlo.

## La página de respuesta

Es un archivo con el que tu cliente dice que recibió la factura, que la acepta, que la rechaza y por qué, o cuándo la paga. No necesita conexión: su respuesta te llega por correo con un código. Pégala en la factura, bajo Recorrido, o deja que la recoja un buzón vigilado. Es lo que dice el cliente, no un estado de la plataforma pública.

La factura electrónica necesita que el cliente la acepte. Un libro de pruebas solo envía a tu propia dirección.`,
    words: 'logo logotipo color email enviar imprimir facturae FACe idioma firma electrónica',
  },
  exchange: {
    title: 'La factura electrónica entre empresas',
    lead: 'La ley pide que las facturas entre empresas vayan en un archivo que lea el programa del otro, y que digas cuándo pagas o si rechazas.',
    body: `
## Cuándo te toca

En **Factura electrónica**, «Qué pide la ley» tiene cada fecha con su fuente, dice si te obliga a ti y qué te falta. Depende de tu facturación del año pasado y de si eres una sociedad: si los libros no lo saben, dilo allí.

Hoy el envío real está **apagado**: la Agencia no ha publicado todo lo que hace falta. La misma página enseña cada cosa que Sello da por cierta. Mientras tanto, envía la factura por correo con su XML y prueba lo demás en el libro de pruebas.

## Por contestar

- **Si una factura recibida está bien, no hagas nada**: callar es aceptarla.
- Cuando la pagues del todo, se comunica el pago con su día. Si anotas el pago en Sello, sale solo. Los pagos parciales no se comunican.
- Si no la aceptas, **Rechazar**: por motivo comercial, o porque era para ti como particular.
- El plazo es de cuatro días sin contar sábados, domingos ni festivos nacionales. Sello dice cuántos quedan, cuáles cuentan y cuáles no.

Con las flechas, o con J y K, vas de una a otra; P comunica el pago, R rechaza y X marca varias.

## Las que emites

Con el envío activado, las facturas a empresas salen solas. En «Facturas» ves el estado, lo que dices tú y lo que dice tu cliente; al abrir una, los mensajes, el justificante (CSV y localizador) y el archivo exacto.

**Retirar** es solo para una operación que nunca existió. Un error se rectifica.

## Si algo no sale

La página dice por qué y cuándo se reintenta. También puedes guardar el mensaje de estados, llevarlo tú a la plataforma y traer aquí su respuesta.

## Cómo recibe cada cliente

Por defecto, por la plataforma pública: no hay que acordar nada. En el contacto puedes decir que lo hace por otra, con el día en que lo acordasteis.`,
    words:
      'b2b crea y crece obligatoria spfe plataforma pública ubl estados pago rechazo aceptación plazo cuatro días csv localizador retirar impago',
  },
} satisfies Partial<Record<string, TopicText>>
