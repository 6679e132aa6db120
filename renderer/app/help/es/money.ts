/** Help in Spanish: money and purchases. */
import type { TopicText } from '../topics.ts'

export const money = {
  payments: {
    title: 'Cobros y pagos',
    lead: 'Registra lo que cobras y Sello sabe quién te debe, cuánto y desde cuándo.',
    body: `
- En la factura, **Registrar cobro**: propone lo pendiente y hoy. Un cobro puede ser parcial, o saldar varias facturas.
- Lo que sobra queda **a cuenta** del cliente y se usa en la siguiente.
- Un abono se compensa con su factura o se devuelve.
- Si te equivocas, deshazlo: el cobro, no la factura.
- Una factura puede ir **en plazos**: en el borrador, «Dividir en plazos». Cada vencimiento se cobra, se domicilia y se recuerda por separado; un cobro salda primero el que antes vence. En el contacto puedes poner sus plazos de siempre, por ejemplo 30/60/90.

Si conectas los movimientos del banco, muchos cobros se registran desde allí.

## En efectivo

Una operación de {cash} € o más no se puede pagar en efectivo, ni en parte, si uno de los dos actúa como empresario. Sello no te deja apuntarlo.

Cuando no vas a cobrar, «dar por incobrable» la saca de lo pendiente, y se puede deshacer. Recuperar su IVA es otra cosa: necesita una rectificativa y cumplir lo que pide la ley.`,
    words:
      'plazos vencimientos cobrar pagar pagado pendiente parcial a cuenta efectivo bizum transferencia incobrable',
  },
  reminders: {
    title: 'Reclamar lo que te deben',
    lead: 'Tres niveles de carta, del aviso amable a la reclamación con intereses.',
    body: `
En Cobros y pagos, **Vencidas**, están todas por cliente, con sus días de retraso. «Recordar» prepara la carta en el idioma del cliente y te la enseña. **Enviar** la manda por correo con las facturas; sin cuenta de correo, la abre en tu programa de correo. Si la mandas por otro camino, «Marcar como enviado». Queda apuntado cuándo y cuál.

En Ajustes, **Correo**, puedes programar recordatorios: antes de vencer, el mismo día y a los 7 y 15 días. Los listos aparecen arriba en Vencidas: los lees y los envías; después pueden salir solos, si tú lo dices. Lo cobrado, anulado o en disputa no se recuerda, ni a los clientes que excluyas.

## Entre empresas

- El plazo es de 30 días si no pactáis otro, y de {termDays} como mucho.
- Pasado, hay **interés de demora** sin tener que avisar: el tipo del Banco Central Europeo más ocho puntos. Cambia cada semestre; Sello lo lleva.
- Y {recovery} € por factura por los costes de cobro.

Puedes pedirlos o no: tú eliges el nivel.

## Si no pagan

Con los requisitos del artículo 80 de la Ley del IVA puedes hacer una rectificativa y recuperar el IVA. La deuda sigue. El motivo es «crédito incobrable» o «concurso», y los plazos son estrictos: habla antes con tu asesor.

El **extracto** de un contacto enseña todo lo facturado y lo cobrado.`,
    words: 'moroso impago recordatorio vencida deuda reclamar intereses demora extracto',
  },
  'direct-debits': {
    title: 'Domiciliar recibos: mandatos y remesas SEPA',
    lead: 'El cliente firma un mandato, tú preparas la remesa y tu banco la cobra.',
    body: `
1. Pide a tu banco el **identificador de acreedor** y ponlo en Domiciliaciones.
2. Crea el **mandato** del cliente: su IBAN, la fecha en que firmó y su referencia. Guarda el papel firmado.
3. En **Remesas**, elige las facturas y el día de cobro. Sello hace el archivo XML (pain.008).
4. Súbelo a la web de tu banco.
5. Cuando el banco la ejecute, márcala como ejecutada: se registran los cobros.
6. Si devuelven un recibo, apúntalo con su motivo: la factura vuelve a estar pendiente.

Un mandato sin usar durante {mandateMonths} meses deja de valer.

Para pagar a tus proveedores, lo mismo al revés: una remesa de transferencias (pain.001).

Sello no se conecta con tu banco: tú llevas el archivo.`,
    words: 'sepa remesa mandato domiciliación recibo adeudo pain.008 pain.001 acreedor devuelto',
  },
  received: {
    title: 'Facturas recibidas y gastos que se deducen',
    lead: 'Suelta el PDF o el XML en la página: Sello lee lo que puede y tú lo compruebas.',
    body: `
Cada recibida tiene un **número de recepción** propio, seguido dentro del año, y el concepto que pide el libro de IVA. El documento se guarda dentro, cifrado.

Sello lee facturas electrónicas y el QR tributario. No anota nada por su cuenta, y avisa si esa factura ya está.

## Para deducir el IVA

- Una factura **completa a tu nombre**, con tu NIF. Un tique vale si lleva tu NIF, tu domicilio y la cuota.
- Que sea un gasto de tu actividad.
- Tenerla, y hacerlo dentro de cuatro años.

Los vehículos y lo que usas a medias se deducen en parte: pon en la línea cuánto. Comidas, regalos y otros gastos tienen límites propios: pregunta a tu asesor.

## Con retención

La de un profesional o la del alquiler se anotan con lo que retienes: es lo que ingresas con el 111 o el 115.

Una recibida ya declarada no se borra: se anula y conserva su número.`,
    words:
      'compras gastos proveedor deducible factura recibida tique ticket escanear pdf coche gasolina comidas',
  },
  incoming: {
    title: 'Documentos por revisar',
    lead: 'Lo que llega se lee solo en este equipo; no se anota nada hasta que tú lo dices.',
    body: `
Suelta archivos o carpetas en cualquier parte de la ventana, pega una imagen o usa **Añadir documentos**. Uno solo, soltado en otra página, se abre como factura recibida.

## Qué quiere decir cada marca

- **Listo**: todo lo que hace falta está demostrado: por las sumas, un dígito de control, el código QR o los datos de una factura electrónica, o es como en los documentos anteriores de ese proveedor.
- **Por comprobar**: algún dato solo está leído o adivinado. Se ve en ámbar, y su sitio queda marcado en el papel.
- **Repetido**, **no es una factura** o **sin leer**: se dice por qué, y anotarlo pide una respuesta tuya.

Un dato seguro dice en qué se basa si se lo preguntas. Nada se da por cuadrado si el total no está impreso y las sumas no llegan a él.

Si tus proveedores escriben en catalán, euskera, gallego o inglés, elige los idiomas de escaneos y fotos en **De dónde vienen los documentos**.

## Sin ratón

- J y K pasan de un documento a otro.
- Intro acepta un dato y va al siguiente por comprobar; Alt 1 pone otro valor que dice el documento.
- Ctrl Intro anota y abre el siguiente. X descarta. Las dos cosas se deshacen con Ctrl Z.
- S separa un archivo con varias facturas; M une las fotos de una misma.

**Anotar los listos** lo hace de una vez con los que cumplen tu regla, y dice cuáles se quedan y por qué.

Un IBAN nuevo de un proveedor conocido se avisa en rojo: antes de pagar, pregúntale por otro medio.

Lo descartado se borra a los 30 días.`,
    words:
      'documentos revisar bandeja escanear foto tique ticket correo carpeta arrastrar pegar ocr leer duplicado repetido separar unir descartar',
  },
  bank: {
    title: 'Banco y conciliación',
    lead: 'Trae el archivo de tu banco y di de qué es cada movimiento; Sello propone y tú aceptas.',
    body: `
1. Añade la cuenta con su IBAN.
2. En la web de tu banco descarga los movimientos: **Norma 43**, camt.053 o CSV.
3. Súbelo. Los que ya estaban no se repiten, aunque las fechas se solapen, y se comprueba que los saldos cuadran.
4. Para cada movimiento, Sello sugiere la factura y dice por qué: el importe, el número en el concepto, el nombre.
5. Acéptalo, elige otra, o di que es una comisión o un gasto.

Una **regla** recuerda qué hacer con los que se repiten. Solo apunta sola si tú la marcas como automática.

Todo se puede deshacer, también un archivo entero. **Conciliar** compara el saldo del banco con el de tus libros un día concreto.

Sello no entra en tu banco ni guarda sus claves.`,
    words: 'movimientos extracto norma 43 camt csv conciliar reglas comisión saldo',
  },
  assets: {
    title: 'Bienes de inversión y amortización',
    lead: 'Lo que dura más de un año no es gasto de un día: se reparte entre los años en que se usa.',
    body: `
## Dar de alta

Las facturas recibidas con un bien de inversión, o en una cuenta de inmovilizado, aparecen arriba en **Bienes de inversión** hasta que las das de alta con un clic. Lo demás, con «Nuevo bien». Escribe cuánto costó, desde cuándo se usa y cómo se amortiza: un porcentaje al año, unos años, todo el primer día o nada (el suelo). Debajo ves el plan.

Las tablas proponen el máximo: la de estimación directa simplificada, y la del artículo 12 de la Ley del Impuesto sobre Sociedades. Por encima, Sello avisa: el exceso no es gasto. Lo comprado usado y lo nuevo de una empresa de reducida dimensión puede ir hasta el doble.

Si vienes de otro programa, escribe lo amortizado antes y hasta qué día: el plan sigue desde ahí.

## Cada año

«Amortizar» enseña lo que falta por asentar, con su total, y lo asienta una vez por bien. Se puede deshacer mientras los días estén abiertos. El modelo 130 cuenta el plan del año hasta el trimestre, esté o no asentado, y el libro lleva esas filas y el de bienes de inversión.

## La baja

Al vender, retirar o perder un bien, Sello lo amortiza hasta ese día, lo saca de las cuentas y anota el beneficio o la pérdida. Con la factura de la venta, el precio sale de la cuenta de ingresos y no cuenta como ingreso en el 130.

## El IVA y la prorrata

Si siempre deduces todo el IVA no hay nada que regularizar. Con **prorrata**, escribe la definitiva de cada año: si la de un año difiere en más de diez puntos de la del año de compra, Sello calcula la regularización de los bienes desde 3.005,06 € y la lleva a la casilla 43. El modelo con prorrata hay que presentarlo en la sede.`,
    words:
      'amortización amortizar inmovilizado bienes de inversión ordenador vehículo furgoneta maquinaria coeficiente tabla valor residual venta baja prorrata regularización casilla 43',
  },
  ledger: {
    title: 'La contabilidad',
    lead: 'Los asientos se hacen solos con cada factura, cobro y gasto. Tú la miras o se la das a tu asesor.',
    body: `
Está en el Plan General Contable de pymes, por partida doble. Cada asiento lleva al documento del que sale; para cambiarlo, se corrige el documento.

- **Diario**: los asientos por orden. **Mayor**: los de una cuenta.
- **Sumas y saldos**, **resultado** y **balance**: de cualquier periodo.
- Asientos propios para lo demás: nóminas, amortizaciones, préstamos.
- **Apertura**: los saldos con que empiezas si vienes de otro programa.

## Cerrar

Cerrar hasta un día impide tocar lo anterior. Un año se cierra cuando ha terminado y por orden; se puede abrir mientras el siguiente siga abierto.

No legaliza libros ni presenta cuentas en el Registro Mercantil.`,
    words:
      'contabilidad asientos diario mayor balance pérdidas y ganancias plan contable pgc cierre ejercicio',
  },
} satisfies Partial<Record<string, TopicText>>
