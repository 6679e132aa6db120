/** Help in Spanish: the first steps. */
import type { TopicText } from '../topics.ts'

export const start = {
  'first-invoice': {
    title: 'Tu primera factura',
    lead: 'Un cliente, una línea y «Revisar y emitir». Lo demás lo pone Sello.',
    body: `
1. Pulsa **Nueva factura** o la tecla N.
2. En **Cliente** escribe el nombre o el NIF. Si es nuevo, elige «Crear» y completa lo que falte.
3. En la primera línea escribe qué vendes, cuánto y a qué precio sin IVA. Con Intro pasas a la siguiente.
4. Mira los totales y la hoja de la derecha: es la factura tal como saldrá.
5. Pulsa **Revisar y emitir**. Verás el número que recibirá y lo que se registra.
6. Confirma. Ya puedes enviarla por correo o descargar el PDF.

Mientras no la emitas es un borrador: se guarda solo, no tiene número y se puede borrar.

## Qué lleva una factura completa

Número y serie, fecha, nombre, NIF y domicilio de los dos, qué se vende, precio sin impuesto, tipo y cuota de IVA, y la fecha de la operación si no es la misma. Sello revisa todo eso antes de emitir y te dice qué falta.`,
    words: 'empezar crear hacer nueva factura paso a paso',
  },
  'test-and-live': {
    title: 'Libro de pruebas y libro real',
    lead: 'Cada empresa tiene dos libros: en el de pruebas nada cuenta, en el real todo cuenta.',
    body: `
- **Libro de pruebas**: marco naranja, números que empiezan por T- y PDF con la marca PRUEBA. Contesta una autoridad simulada y la AEAT no recibe nada.
- **Libro real**: tranquilo y sin marcas. Lo que emites se registra en la AEAT y no se deshace.

Los dos están separados: clientes, productos, series y facturas de uno no aparecen en el otro. Los datos de la empresa y el certificado son comunes.

## Cambiar de libro

Arriba a la izquierda, con el nombre de la empresa. Los borradores abiertos se guardan antes de cambiar.

## Antes de pasar al real

1. Completa la dirección en Ajustes, Empresa.
2. Importa el certificado.
3. Si vienes de otro programa, pon el número inicial de la serie antes de la primera factura.

La primera factura real te acoge a VERI*FACTU, al menos hasta el 31 de diciembre de ese año. Sello te lo recuerda antes de confirmarla.`,
    words: 'practicar probar demo ensayo modo test producción',
  },
  companies: {
    title: 'Varias empresas',
    lead: 'Cambia de una a otra por su nombre, y mira siempre su color y sus siglas.',
    body: `
Con más de una empresa, el botón de arriba a la izquierda (o **G** y luego **O**) abre la lista. Escribe parte del nombre o del NIF, elige con las flechas y pulsa Intro. La flecha derecha pasa del libro real al de pruebas, al grupo y a la estrella.

- **Favoritas**, **grupos** y **recientes** son tuyos: otra persona tiene los suyos.
- **Color y siglas** son de la empresa. Se ven arriba, en la búsqueda, en el título de la ventana y antes de emitir. Se cambian en Ajustes, Empresa.

## Añadir una empresa

Escribe primero el NIF y pulsa **Buscar sus datos**. Hacienda contesta con el certificado de la empresa abierta; VIES, sin él. Lo que no conteste se escribe a mano.

## Archivar o eliminar

En Ajustes, Empresa. Una empresa archivada no admite documentos nuevos y se puede recuperar. Solo se elimina cuando la ley ya no obliga a conservar nada de ella. Si solo tiene pruebas, se puede eliminar ya.

**Ajustes, Archivo** dice de cada empresa archivada cuándo se podrá eliminar y qué se conserva hasta entonces, y qué queda de las eliminadas.`,
    words: 'cambiar empresa cliente gestoría asesoría grupo favorita color archivar borrar eliminar',
  },
  'draft-and-issue': {
    title: 'Borrador, emitir y lo que no se deshace',
    lead: 'Un borrador es tuyo y cambia cuanto quieras; una factura emitida se queda como está para siempre.',
    body: `
- **Borrador**: sin número, se guarda solo, se cambia y se borra. Nadie lo ve fuera de este equipo.
- **Emitida**: tiene número, registro y huella en la cadena, y va a la AEAT. Ni tú ni Sello podéis cambiarla.

## Al emitir

Sello te enseña lo que va a registrar y espera tu sí. La revisión vale {confirmMinutes} minutos y solo para lo que has visto: si el borrador cambia, hay que mirarlo otra vez.

## Lo que se puede deshacer

**Ctrl Z** deshace lo último que has hecho en esta ventana, y otra vez lo anterior. También está en el botón Deshacer de cada aviso.

- **Lo borrado** vuelve tal cual durante un día: contactos, productos, borradores, presupuestos, plantillas, recurrentes, mandatos, cuentas y reglas del banco. Es lo mismo, con sus enlaces, no una copia.
- **Una factura recibida** cambiada o anulada, mientras sus días estén abiertos.
- **El banco**: traer un archivo, identificar un movimiento, apartarlo, aplicar las reglas (todas a la vez).
- **Cobros y pagos**, vistas, textos de correo y ajustes.

Si otra cosa ocupa ya su sitio, o el periodo se ha cerrado, Sello lo dice y no toca nada. Una factura emitida no se deshace: se rectifica.

## Lo que no se puede deshacer

- El número dado: no se vuelve a usar, pase lo que pase con la factura.
- El registro: se corrige con otro registro, nunca borrándolo.
- Acogerte a VERI*FACTU con la primera factura real.
- El número inicial de una serie, desde su primera factura.

## Cuándo hay que emitirla

A un consumidor, cuando se hace la operación. A una empresa o profesional, antes del día 16 del mes siguiente a aquel en que se devenga el IVA. Un anticipo cobrado también lleva factura.`,
    words:
      'deshacer recuperar restaurar papelera expedir irreversible borrar eliminar cambiar factura emitida plazo',
  },
  together: {
    title: 'Notas, tareas y cambios a la vez',
    lead: 'Cada factura, contacto, modelo o movimiento puede llevar notas y tareas. Lo tuyo te espera en la Bandeja, en Para mí.',
    body: `
Abre **Notas y tareas** en la ficha. Una tarea puede tener día y persona; al marcarla queda dicho quién la hizo. Escribe **@** y un nombre en una nota y esa persona la verá en su bandeja.

- Una nota solo la cambia o elimina quien la escribió. Al eliminarla, su texto desaparece.
- Ve las notas quien puede ver la ficha.

## Si otra persona cambia lo mismo

Nada se pierde. Lo que solo cambió uno se une solo y se muestra. Si los dos cambiasteis el mismo dato o la misma línea, se ve cómo estaba, lo tuyo y lo suyo, y eliges tú.

En una oficina, arriba se ve quién más lo está editando. **Tomar el relevo** hace que su página guarde y espere.`,
    words: 'nota tarea mención equipo conflicto versión compañero bandeja aviso',
  },
  console: {
    title: 'Despacho: todas tus empresas',
    lead: 'Una línea por empresa con lo que necesita: modelos, cierres, problemas, certificados, papeles y banco.',
    body: `
Los números de arriba cuentan empresas. Pulsa uno y quedan solo esas. Un filtro que uses a menudo se guarda en **Vistas**; solo lo ves tú.

- **Grupos** y **favoritas** son los tuyos, los mismos que en la lista de empresas: cada uno es un filtro.
- En una ventana estrecha cada empresa es una ficha: su próximo modelo y, debajo, lo que necesita.
- Pulsa una fila y se abren sus libros. La primera vez del día queda anotado en el historial de esa empresa.
- El reloj junto al nombre dice que hay algo más nuevo que las cifras y de cuándo son. **?** es que no se sabe; **–**, que no hay nada.
- El icono del final abre sus modelos y las **notas**.

## Trabajar con varias

Selecciónalas por su inicial, o todas, y elige: paquetes trimestrales, exportar, preparar cierres, recordatorios o certificado. El trabajo sigue en segundo plano, empresa a empresa, aunque cierres la página. Cada una dice qué pasó. Cancelar termina la empresa que esté en marcha y deja las demás como estaban. Los archivos se guardan siete días.

Preparar un cierre dice qué falta; no cierra nada.`,
    words: 'gestoría asesoría clientes empresas consola lote masivo paquetes cartera',
  },
  company: {
    title: 'Los datos de tu empresa, y varias empresas',
    lead: 'Lo que la ley pide en cada factura sale de Ajustes, Empresa. Con Sello puedes llevar varias.',
    body: `
La factura lleva tu nombre o razón social, NIF y domicilio. Una sociedad pone además sus datos del Registro Mercantil.

- Lo que cambies vale para las facturas siguientes; las emitidas conservan lo que decían.
- El **NIF no se cambia**: otro NIF es otra empresa.
- El **IBAN** sale en las facturas que se pagan por transferencia.
- La **retención** y los **días de pago** de aquí se proponen en cada factura nueva.

## Varias empresas

En el menú de libros, arriba a la izquierda, elige **Añadir empresa**. Cada una tiene su libro real, su libro de pruebas, sus series y su certificado. Nunca se mezclan.

Sello sirve para el territorio común, con su propio impuesto para Canarias, Ceuta y Melilla, y con TicketBAI para el País Vasco. Navarra anunció otro sistema, aún sin normas. Quien lleva los libros por el SII queda fuera de VERI*FACTU.`,
    words: 'autónomo sociedad multiempresa añadir empresa razón social domicilio iban',
  },
  moving: {
    title: 'Traer la historia de otro programa',
    lead: 'Facturas, saldos y lo pendiente de tu programa anterior, con la prueba de que no falta nada.',
    body: `
1. Abre **Traer tu historia** en el libro real: está en Ctrl K, en Importar y en el panel vacío.
2. Di tu **primer día en Sello**. Lo cómodo es el primero de un trimestre: así ninguna declaración queda partida.
3. **Suelta todos los archivos a la vez**: los libros de IVA de la Agencia, listas de facturas, contactos, saldos, ZIP y los PDF de las declaraciones. Sello dice qué es cada uno y cómo de seguro está, con las sumas de cada mes. Todavía no se guarda nada en los libros.
4. Responde lo que los archivos no dicen. Cada pregunta lleva la respuesta supuesta, lo que depende de ella y a cuántos documentos toca.
5. **Trae todo**. Las facturas entran como historia: no se registran ni se vuelven a numerar, y cuentan en las declaraciones, los gráficos y lo que te deben. Puedes seguir trabajando mientras entra.
6. **Comprueba**: al lado de lo que sale de los libros, escribe el resultado de cada declaración que presentaste, o suelta su PDF. Se compara al céntimo. Si algo no coincide, corrige el archivo o escribe por qué.
7. **Une los PDF** de tus facturas: suelta los ZIP y cada uno encuentra la suya por el número de su nombre.

## Si un archivo tiene errores

Cada error lleva su hoja, su fila, su columna y qué hacer. Corrige el archivo y suéltalo otra vez: sustituye al anterior. También puedes traer los documentos buenos sin los que fallan. Un Excel antiguo (.xls) o un archivo con contraseña se guarda antes como .xlsx y sin ella.

## Lo que se supone se ve

El formato de algunos programas lo publica su fabricante y el de otros se supone: lo dice cada tabla. De un PDF solo es seguro lo que prueban sus sumas; lo demás sale como supuesto hasta que lo confirmas. Lo que dejas sin comprobar nunca sale como comprobado.

## Deshacer

Un traslado se deshace entero, con sus contactos, saldos y PDF, mientras no hayas cobrado, recordado ni rectificado nada suyo. Traer dos veces el mismo archivo no añade nada.`,
    words:
      'migrar mudanza traslado cambiar de programa historia apertura saldos holded contasimple quipu factusol contaplus sage a3 odoo',
  },
  import: {
    title: 'Traer datos de otro programa',
    lead: 'Clientes, productos y facturas recibidas entran desde un CSV o un Excel, con ensayo antes y deshacer después.',
    body: `
1. Exporta de tu programa anterior un CSV o un XLSX, o descarga nuestra plantilla.
2. Súbelo en **Importar** y di qué columna es cada dato; Sello propone la mayoría.
3. Haz la prueba: verás fila por fila qué entra, qué se repite y qué falla. Todavía no se guarda nada.
4. Impórtalo. Si algo no te gusta, deshaz la importación entera.

Las facturas que emitiste con otro programa se traen con **Traer tu historia**. Para rectificar una, di su serie, su número y su fecha. Para seguir la numeración, pon el número inicial de la serie antes de la primera factura.`,
    words: 'migrar cambiar de programa excel csv pasar clientes',
  },
  keyboard: {
    title: 'Trabajar con el teclado',
    lead: 'Todo se puede hacer sin ratón, y cada botón dice su atajo si te paras en él.',
    body: `
- **Ctrl K**: buscar facturas, clientes, páginas, acciones y temas de ayuda.
- **F1**: la ayuda de la página en que estás. **?**: todos los atajos.
- **N**: factura nueva. **G** y una letra: ir a una página (G F, facturas).
- En las listas: **J** y **K** o las flechas para moverte, **Intro** para abrir, **X** para elegir, **/** para buscar.
- En el editor: **Intro** baja de línea, **Alt** con flecha la mueve, **Ctrl D** la duplica, **Ctrl .** enseña la hoja y **Ctrl Intro** revisa y emite.
- **Ctrl Z** deshace en el borrador; **Esc** cierra lo que está abierto.

En macOS es la tecla ⌘ en lugar de Ctrl. Las letras sueltas no actúan mientras escribes, y se apagan en Ajustes, Preferencias.`,
    words: 'atajos teclas rápido accesibilidad ratón',
  },
  preferences: {
    title: 'El menú, la letra y la página de inicio',
    lead: 'Cada persona elige cómo ve Sello; no cambia nada de la empresa.',
    body: `
- **Menú**: el de quien lleva el negocio, el de ventas o el de contabilidad. Las demás páginas están en **Más páginas**, al final del menú, y las encuentra **Ctrl K**. Si algo espera en una de ellas, sale sola.
- Las páginas con muchas pestañas enseñan las de cada día y guardan las otras en **Más**. Con el menú de todas las páginas salen todas.
- **Tamaño del texto**: grande o muy grande; las filas y los campos crecen con él.
- **Al abrir Sello**: la página que sale primero.
- **Atajos de una letra**: apágalos si se te escapan. Los atajos se ven al pararse en un botón, con el ratón o con el tabulador, y todos juntos con **?**.`,
    words: 'preferencias aspecto letra tamaño idioma oscuro menú páginas escondidas accesibilidad inicio',
  },
} satisfies Partial<Record<string, TopicText>>
