/** Help in Spanish: security, connections and terms. */
import type { TopicText } from '../topics.ts'

export const registry = {
  verifactu: {
    title: 'VERI*FACTU en palabras sencillas',
    lead: 'Cada factura que emites deja un registro encadenado al anterior, y Sello lo manda a la AEAT por ti.',
    body: `
1. Al emitir se crea el **registro**: quién factura, a quién, cuándo, cuánto. No lleva tus líneas de detalle.
2. De él y del anterior sale la **huella**, un código que cambiaría si alguien tocara algo. Así forman una cadena.
3. Sello lo envía a la AEAT y guarda lo que contesta.
4. La factura lleva un **QR** con el que tu cliente comprueba que está registrada.

## Qué dicen las marcas

- **En cola** y **Enviando**: no tienes que hacer nada.
- **Registrada**: la AEAT la tiene.
- **Registrada con avisos**: la tiene, y señala algo que conviene subsanar.
- **Rechazada**: no la tiene. La factura existe igual; falta corregir su registro.
- **Sin confirmar**: se envió y no hay respuesta. Sello pregunta antes de repetir.

## Desde cuándo obliga

A quien paga el Impuesto sobre Sociedades, desde el {verifactuCompanies}; a los demás, desde el {verifactuOthers}, según {verifactuGazette}. {verifactuAnnouncement} Puedes empezar antes: la primera factura real te acoge hasta el 31 de diciembre de ese año.

La retención de IRPF y las facturas que recibes no se registran.`,
    words: 'verifactu ley antifraude hacienda huella cadena registro obligatorio fecha',
  },
  'signed-registry': {
    title: 'TicketBAI en palabras sencillas',
    lead: 'En el País Vasco cada factura se firma con tu certificado al emitirla, y Sello la manda a tu Hacienda Foral.',
    body: `
1. Al emitir se crea el **fichero TicketBAI**: quién factura, a quién, cada línea, sus importes. Se firma en ese momento y nombra la factura anterior: así forman una cadena.
2. La factura lleva el **código TBAI**, en una línea, y debajo un **QR** con el que tu cliente la comprueba.
3. Sello envía el fichero tal como se firmó y guarda lo que contesta tu Hacienda.

## Antes de la primera factura

Hace falta el certificado, cargado en Ajustes, Certificado. Sin él, o caducado, no se emite nada y el borrador se queda como está. En el libro de pruebas se firma con una clave de ensayo y no hace falta.

Un certificado **de dispositivo** solo sirve en el equipo que tiene su clave y con alguien delante: las facturas periódicas que se emiten solas necesitan otro.

## Qué cambia según la provincia

- **Álava y Gipuzkoa** reciben cada factura por separado. Un fichero rechazado, o con datos equivocados, se corrige con Zuzendu: no se firma otra vez ni cambia la factura del cliente. Si lo que está mal es la factura, se rectifica.
- **Bizkaia** la recibe dentro del libro LROE, también muchas a la vez. Si eres persona física, pide el **epígrafe del IAE** de tu actividad, que va en Ajustes, Empresa. No tiene Zuzendu: una factura equivocada se rectifica o se anula.

Anular dice que la factura no debió existir. Para devoluciones y descuentos, haz una rectificativa.

## Lo que Sello no hace

Los capítulos del LROE que no son de facturas emitidas. Y nunca se ha probado con un servicio de verdad de las Haciendas: está hecho con sus esquemas y ejemplos oficiales.`,
    words:
      'ticketbai tbai batuz lroe zuzendu bizkaia gipuzkoa álava araba país vasco euskadi hacienda foral firma epígrafe iae',
  },
  offline: {
    title: 'Qué pasa si no hay internet',
    lead: 'Puedes emitir igual. La factura vale, y su registro sale solo en cuanto vuelva la conexión.',
    body: `
- El número, la huella y el QR se hacen en este equipo, sin red.
- El registro espera **en cola**. Abajo a la izquierda ves cuántos esperan; si pasa una hora, lo dice una franja sobre la página.
- Sello vuelve a intentarlo por su cuenta, con pausas cada vez más largas. «Enviar ahora», en [registryPage], lo intenta ya.
- Al volver, los envía en orden y con la marca de incidencia que pide la norma.

Lo mismo ocurre si es la [authority] la que no contesta. No emitas otra vez la misma factura ni apagues Sello por eso: no se pierde nada.

Lo que sí necesita red: comprobar un NIF en el censo o en VIES, pedir el cambio de una moneda y enviar correos.`,
    words: 'sin conexión sin red internet caído cola pendiente no responde wifi',
  },
  qr: {
    title: 'El QR de la factura',
    lead: 'Con él, tu cliente comprueba en la web de la [authority] que la factura está registrada.',
    body: `
Está arriba en la factura, con los textos que pide [registry]. Mide entre 30 y 40 mm y lleva tu NIF, el número, la fecha y el importe total; nada más.

- Quien lo lee con el móvil llega a la web de la [authority], que dice si la tiene.
- Si tu factura aún está en cola, dirá que no consta: espera a que salga.
- El de una factura de pruebas no vale, y el de un borrador está en gris.

En la ficha de la factura, «Comprobar en la sede de la [authority]» hace lo mismo desde el ordenador.

No lo tapes, no lo recortes ni lo reduzcas al imprimir. El QR de pago es otro: lo leen las aplicaciones de los bancos, y se activa en Ajustes, Documentos.`,
    words: 'código QR comprobar cotejar verificar sede cliente no consta',
  },
  certificate: {
    title: 'El certificado: conseguirlo y cargarlo',
    lead: 'Para emitir en el libro real, la [authority] tiene que saber que eres tú. Para practicar no hace falta.',
    body: `
## Cuál vale

- Si eres **autónomo**: tu certificado de persona física.
- Si eres **sociedad**: el de su representante o el sello de la empresa.

Lo dan prestadores reconocidos; la Fábrica Nacional de Moneda y Timbre es el más común. Se pide en su web y hay que acreditar la identidad.

## Cargarlo en Sello

1. Donde lo tengas instalado, expórtalo **con su clave privada**: sale un archivo .p12 o .pfx, protegido con una contraseña.
2. En Ajustes, Certificado, suelta el archivo y escribe esa contraseña.
3. Sello dice de quién es y hasta cuándo vale.

El archivo y la contraseña se olvidan: solo se guarda la clave, cifrada, en este equipo.

## Cuando caduca

Avisamos {certificateDays} días antes. Si caduca, sigues emitiendo y los registros esperan hasta que importes el nuevo. Con TicketBAI no: sin un certificado en vigor no se emite nada.

Si dice que no abre: la contraseña es la de la exportación y distingue mayúsculas. Si dice que no trae clave privada, expórtalo otra vez marcando esa opción. Un DNI electrónico no sirve: su clave no se puede exportar.`,
    words: 'FNMT p12 pfx firma digital contraseña representante sello caducado instalar',
  },
  'registry-trouble': {
    title: 'Cuando la [authority] rechaza o algo se detiene',
    lead: 'La página [registryPage] dice qué pasa con palabras, y cada cosa lleva su botón.',
    body: `
- **NIF del cliente rechazado**: no está en el censo o no va con ese nombre. Corrígelo en el contacto, compruébalo en Hacienda y subsana.
- **NIF o nombre de tu empresa**: tienen que ser los del censo. Corrígelos en Ajustes, Empresa.
- **Certificado**: falta, ha caducado o no puede presentar por tu empresa. Importa otro en Ajustes, Certificado.
- **Número ya registrado**: otro programa usó esa serie. Decide cuál vale, o sigue en otra serie.
- **Reloj**: si el equipo se aparta más de {clockMinutes} minutos de la hora de la [authority], no se emite hasta ponerlo en hora.
- **Copia antigua**: has restaurado libros viejos. Empieza una instalación nueva: Sello pregunta a la [authority] qué se emitió después y sigue la numeración.
- **La cadena no cuadra**: alguien o algo cambió los datos. No se emite; restaura la última copia buena o exporta los registros y pide ayuda.

Una factura rechazada sigue siendo una factura: no la emitas otra vez. Lo que se repite es su registro.`,
    words:
      'rechazada error AEAT censo no identificado reloj hora cadena rota conflicto copia antigua restaurar',
  },
} satisfies Partial<Record<string, TopicText>>
