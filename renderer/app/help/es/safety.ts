/** Help in Spanish: security, connections and terms. */
import type { TopicText } from '../topics.ts'

export const safety = {
  backup: {
    title: 'La copia y el código de recuperación',
    lead: 'Tus libros están cifrados en este equipo. Para no perderlos necesitas dos cosas: una copia fuera de él y el código.',
    body: `
## El código de recuperación

Abre tus datos si el equipo se estropea o cambias de ordenador. Son siete grupos de letras y números. Imprímelo o escríbelo, y guárdalo **lejos del equipo**. En Ajustes, Seguridad, puedes hacer uno nuevo. Con él cambia también la llave si lo dejas marcado: tus datos se cifran otra vez y el código anterior no abre nada de ellos. Las copias portátiles y las carpetas que copiaste fuera conservan el código que tenían.

Nadie puede dártelo si lo pierdes: ni nosotros.

## La copia

Sello hace una **cada día**, al salir si algo cambió y antes de actualizar tus libros. La abre, la comprueba y la compara con ellos; cada semana prueba la última. Guarda las de 7 días, 4 semanas y 12 meses.

En Ajustes, Copias de seguridad, ves la última y puedes hacer una en el momento. Elige allí **otra carpeta además**, de un disco externo: si este equipo se rompe, las que están en él se van con él.

Si no se puede hacer una, te lo dice una barra en todas las páginas hasta que se haga otra.

La **copia portátil**, ahí mismo, es un solo archivo que se abre en cualquier equipo con el código que tenías al hacerla. Guárdala lejos de este.

## Volver a una copia

Si tus datos faltan o están dañados, la ventana que lo dice te ofrece las copias que hay, o tu archivo portátil. Antes de poner una comprueba que está entera; lo que había se guarda aparte, en replaced-….

Una copia no sabe lo que emitiste después. Sello lo nota y no deja emitir, para no dar dos veces el mismo número. En Registro AEAT, **nueva instalación**: pregunta a la AEAT qué falta y sigue desde allí.

## Cambiar de ordenador

1. Instala Sello en el nuevo y pon en él la carpeta, o restaura tu copia portátil.
2. Ábrelo con el código de recuperación.
3. Sello nota que es otro equipo y no emite. En Registro AEAT, nueva instalación, «Los libros se han mudado a este equipo».
4. No uses más la carpeta vieja.`,
    words:
      'backup copia seguridad respaldo restaurar cambiar ordenador código recuperación perder contraseña',
  },
  leaving: {
    title: 'Llevarte todo, y traerlo de vuelta',
    lead: 'Un ZIP con todo lo de una empresa en formatos que lee cualquier programa. Otro Sello lo trae de vuelta con libros iguales.',
    body: `
## Llevártelo

En Ajustes, Empresa, **Llévatelo todo**. Dentro van las facturas en PDF, las electrónicas, los adjuntos, los registros con las respuestas de la AEAT, los libros de IVA, el diario, y todos los datos en JSON y CSV. El archivo LEEME dice qué es cada cosa.

Sello lo vuelve a leer entero antes de dártelo. Aquí no cambia nada: puedes seguir trabajando.

**No va cifrado.** Guárdalo donde solo pueda leerlo quien deba. Si quieres un archivo cifrado, haz una copia portátil.

No van certificados, contraseñas ni claves: el archivo manifest.json dice qué se quedó y por qué.

## Traerlo

En un Sello recién instalado, abajo en la bienvenida: **Traer un archivo de Sello**. Comprueba cada archivo, verifica los libros y trae todo o nada. Si algo falta o se cambió, dice qué.

En el libro real no se emite hasta que empieces una **instalación nueva** en Registro AEAT. Hazlo cuando el Sello anterior ya no emita: dos que numeran a la vez darían números repetidos.

Después añade otra vez el certificado, el correo y las conexiones.`,
    words:
      'exportar llevar todo irse marcharse cambiar programa archivo zip json portabilidad traer importar empresa',
  },
  inspection: {
    title: 'Enseñar los libros: el paquete de inspección',
    lead: 'Un solo archivo con todo, que se comprueba sin Sello: para Hacienda, tu gestoría o tú mismo dentro de diez años.',
    body: `
## Prepararlo

En Registro AEAT, **Paquete de inspección**. Elige los años o todo el libro. Puedes seguir trabajando mientras se hace.

Dentro van los registros en XML con la respuesta de la AEAT, la cadena, las facturas en PDF, el historial entero, los libros de IVA y el diario.

## Comprobarlo

Descomprímelo y abre **index.html** en un navegador, sin conexión. Arrastra el ZIP encima: dice punto por punto si todo coincide y, si algo se cambió, qué registro, factura o archivo.

Lo que no puede decir: si alguien rehízo el paquete entero. Compara la huella del último registro con lo que tiene la AEAT.

No va cifrado y lleva los datos de tus clientes.

## Comprobar tus libros aquí

En Ajustes, Seguridad, **Comprobar ahora** repasa todos tus libros y recuerda qué salió.`,
    words:
      'inspección hacienda inspector requerimiento exportar comprobar verificar gestoría auditoría zip conservar',
  },
  privacy: {
    title: 'Tus datos: dónde están y quién los ve',
    lead: 'Están en este equipo, cifrados. Sello no tiene nube, ni cuenta, ni estadísticas de uso.',
    body: `
## Lo que sale, y cuándo

- Los **registros** de tus facturas reales, a la AEAT.
- Los **correos** que envías, por tu cuenta de correo.
- Una **consulta** al censo, a VIES o del cambio de una moneda, cuando la pides.
- Lo que permitas a un **asistente** o a un programa con una clave.

## La llave

La guarda el llavero de tu sistema; donde no lo hay, un archivo al lado de los datos, y Ajustes, Seguridad, lo dice. Quien tiene tu sesión abierta ve lo mismo que tú: bloquea el ordenador al levantarte, o pon el bloqueo de Sello.

## Los datos de tus clientes

Eres responsable de ellos. Si alguien te pide los suyos o que los borres, mira **Los datos de una persona**. Lo que exportas o mandas ya no está cifrado: guárdalo bien.`,
    words:
      'privacidad rgpd protección de datos bloqueo cifrado nube seguridad llavero contraseña borrar cliente',
  },
  team: {
    title: 'El equipo y tu cuenta',
    lead: 'En una oficina con servidor, cada persona entra con su cuenta y ve lo que su papel le permite.',
    body: `
## Invitar

En Ajustes, Equipo, **Invitar**: escribe el correo y marca qué podrá hacer. Recibes un enlace para enviárselo. Vale **una vez, tres días y solo para ese correo**; retíralo ahí mismo si te equivocas.

Puedes dar varios papeles a la vez. **Ventas** prepara presupuestos y borradores y no ve el banco ni la contabilidad; emite facturas solo si lo marcas. **Consulta** lee todo y no cambia nada. Siempre queda un propietario.

## Entrar

- Con una **llave de acceso**: la huella, la cara o el PIN del equipo. Ten dos, en equipos distintos.
- Con **contraseña y aplicación de códigos**. Guarda los diez códigos de un solo uso: sirven si pierdes el móvil.
- Con el directorio de tu empresa, si quien opera el servidor lo ha unido.

La sesión termina a los 30 minutos sin usarla y a las 12 horas. Si termina mientras escribes, entras otra vez sobre la página y **no se pierde nada**.

## Comprobar que eres tú

Antes de aprobar, tocar el certificado, crear claves, cambiar cuentas bancarias o papeles, Sello pide la llave otra vez. Así nadie lo hace desde una sesión que dejaste abierta.

## Si alguien pierde su forma de entrar

En Equipo, en sus acciones: **Ha perdido su forma de entrar**. Otra persona que administre lo confirma, o se espera tres días. Quien lo pierde lo ve en su cuenta y puede rechazarlo: si te sale esa franja roja y no lo has pedido, pulsa **No he sido yo**.`,
    words:
      'usuarios personas roles papeles permisos invitar sesión llave passkey contraseña equipo cuenta salir entrar',
  },
  lock: {
    title: 'Bloquear Sello',
    lead: 'Un código cierra la ventana cuando te vas: nadie ve tus libros ni toca nada hasta que vuelves.',
    body: `
## Ponerlo

En Ajustes, Seguridad: elige una frase o un PIN y los minutos sin tocar nada. Antes guarda el código de recuperación: es lo que abre Sello si olvidas el de bloqueo.

- Se cierra **al pasar ese tiempo**, al bloquear o suspender el ordenador si lo marcas, y **al momento** con Ctrl L.
- Medio minuto antes avisa. Nunca se cierra mientras se está emitiendo.
- Al volver a abrir Sello sigue cerrado, en todas sus pestañas.
- Lo que estabas escribiendo vuelve al desbloquear.

## Si no aciertas

Cada intento fallido hace esperar más. Con **He olvidado el código** y el código de recuperación eliges otro. Queda en el Historial.

## Lo que no hace

Los programas y asistentes con clave de API siguen trabajando, y lo pendiente se sigue enviando a la AEAT. No cifra nada que no lo estuviera: protege de quien se sienta en tu silla, no de quien se lleva el disco; de eso protege el cifrado.`,
    words: 'contraseña pin clave código inactividad cerrar sesión pantalla olvidado desbloquear',
  },
  'person-data': {
    title: 'Los datos de una persona',
    lead: 'Si alguien te pide sus datos o que los borres, Sello reúne lo que hay, borra lo que puede y guarda lo que la ley manda.',
    body: `
Tienes un mes para contestar. Comprueba antes quién lo pide.

1. Abre el contacto y pulsa **Datos de esta persona**, o búscala en Ajustes, Privacidad, por nombre, NIF o correo.
2. **Exportar sus datos** hace un archivo ZIP con un resumen, los datos y sus documentos.
3. **Borrar** enseña antes tres grupos: lo que se borra, lo que se bloquea y lo que se conserva, y hasta cuándo.
4. Escribe su nombre para confirmarlo. No se puede deshacer.

## Qué se conserva

Las facturas, sus registros, los cobros y los asientos: seis años, más si son bienes de inversión o ventas a otros países de la Unión. El contacto queda **bloqueado**: no sale en las listas ni al facturar.

Cuando pasa la fecha, Ajustes, Privacidad, lo dice. Nada se borra solo. Si vuelve a ser cliente, **Desbloquear** te deja usarlo otra vez; lo borrado no vuelve.

Solo se busca en el libro abierto. Las empresas no tienen este derecho; quienes trabajan en ellas, sí.`,
    words:
      'rgpd protección de datos derecho de acceso supresión olvido borrar cliente exportar portabilidad bloqueo',
  },
  assistants: {
    title: 'Asistentes y la Bandeja',
    lead: 'Un asistente puede preparar y preguntar por ti. Lo que no se deshace lo decides siempre tú.',
    body: `
En Conexiones, **Asistentes**: elige el programa, copia lo que se te da y prueba la conexión. Habla con este equipo y solo mientras Sello está abierto. ChatGPT no puede: llama desde los servidores de OpenAI, que no llegan aquí.

- Puede leer, crear borradores y revisarlos. En el libro de pruebas también emite.
- En el libro real **pide tu aprobación** para emitir, anular o corregir. En la **Bandeja** ves justo lo que se registraría; si lo apruebas queda hecho, y si no contestas caduca a los diez minutos. Si el borrador cambia entretanto, la petición se retira y te avisa.
- Lo demás llega como **propuesta**, con sus efectos y sus alternativas.
- Aceptar una propuesta hace lo que se puede deshacer (cambia datos de un contacto, prepara una rectificativa) y para lo demás te lleva a su diálogo: quien emite, anula o envía eres tú.
- Si lo que propone cambia entretanto, la tarjeta dice qué; si ya no se puede, se cierra y dice por qué.

## Antes de decir que sí

Mira el cliente y el total. Antes del sí se pide el código de bloqueo, o el dedo: así ningún programa dice que sí por ti. Si aún no tienes código, la primera aprobación te lleva a ponerlo; en Ajustes, Seguridad, puedes dejar de pedirlo, con el mismo código. El motivo que da el asistente es texto suyo: no lo tomes por una comprobación.

## Qué ha hecho

Junto a cada clave, **Ver qué ha hecho** enseña lo que preguntó el asistente, lo que recibió y qué facturas vio, durante 30 días. No guarda claves ni confirmaciones.

Las propuestas caducan a los {proposalDays} días. Puedes revocar su clave cuando quieras; deja de funcionar al momento.`,
    words: 'inteligencia artificial ia claude mcp asistente aprobar bandeja propuesta rechazar',
  },
  'api-keys': {
    title: 'Claves para otros programas',
    lead: 'Una clave deja que otro programa de este equipo lea o escriba en un libro, con los límites que pongas.',
    body: `
1. En Conexiones, Claves de API, pulsa **Nueva clave**.
2. Elige qué puede hacer: leer, crear borradores, emitir…
3. Ponle tope diario y caducidad si emite.
4. Cópiala: **se ve una sola vez**. Guárdala donde guardas las contraseñas.

- Sirve para un solo libro. Las de pruebas empiezan por svc_test_, las reales por svc_live_.
- Las que se hacen aquí no emiten solas en el libro real: te piden permiso en la Bandeja. En el de pruebas sí emiten.
- Una clave no puede crear otra que pueda más que ella.
- **Revocar** la apaga al momento. Hazlo si no sabes quién la tiene.

Todo lo que hace queda en el Historial.`,
    words: 'api clave token rest integración programa tienda conectar revocar',
  },
  webhooks: {
    title: 'Avisar a otros programas',
    lead: 'Un webhook manda a una dirección, en cuanto pasa, lo que ocurre en un libro: emitir, una respuesta de la AEAT, un cobro.',
    body: `
1. En Conexiones, Webhooks, pulsa **Nuevo webhook**.
2. Pon la dirección del programa que recibe y elige qué le llega.
3. Copia el **secreto**: se ve una sola vez. Con él, el receptor comprueba que el aviso es de Sello.
4. Pulsa **Probar** y mira qué respondió.

Un aviso dice qué pasó y de qué factura, nunca su contenido: el programa lo pide después con su clave.

## Si no llega

Sello lo intenta diez veces en unos tres días, cada vez más espaciadas. Después queda en **Perdidos**, con el motivo, y lo puedes enviar otra vez: ese o los de unos días. Si el receptor falla cinco días seguidos, Sello apaga el webhook y te lo dice en Inicio; lo que espera sale al activarlo.

## Cambiar el secreto

**Renovar el secreto** da uno nuevo; durante 24 horas los avisos llevan las dos firmas.

## Direcciones

Van por https a direcciones públicas. Una de este equipo o de tu red solo la puedes permitir tú, aquí, nunca un programa con su clave.`,
    words: 'webhook aviso evento notificar integración tienda secreto firma reenviar perdido',
  },
  accounting: {
    title: 'Leer tu programa de contabilidad',
    lead: 'Sello trae contactos, facturas y productos de Holded u Odoo cuando lo pides. Solo lee, y lo leído queda aparte de tus libros.',
    body: `
## Conectar

En Conexiones, Programa de contabilidad, elige el programa y pega una clave **solo de lectura** que haces allí. Sello la prueba, te dice qué permisos tiene y cuáles faltan, y la guarda cifrada. No se vuelve a mostrar.

## Leer

**Leer ahora** trae lo que puede haber cambiado; la **lectura completa**, todo desde el comienzo del historial. Nunca se lee por sí solo: muchos planes tienen pocas peticiones al mes. Sello las cuenta, guarda una parte en reserva y avisa antes de gastar de más.

- Si se corta, la próxima sigue donde se quedó.
- Lo que ya no está allí se marca; aquí no se borra.
- Las filas que no se pueden leer quedan en **Lecturas**, con su motivo.

## Contactos

Cada contacto de allí se ve al lado del de aquí, dato por dato. Vincular no cambia nada que no marques, y se puede deshacer.

## Facturas de allí

No son facturas de estos libros ni se registran en la AEAT desde aquí. Una emitida se copia a un **borrador**; una recibida se abre rellena para **anotarla aquí**. En el resumen de impuestos cuentan las recibidas de allí que no estén ya anotadas, y se dice qué días están leídos.

## Desconectar

Destruye la clave en este equipo. Lo leído se queda, y después puedes borrarlo.`,
    words:
      'erp holded odoo contabilidad sincronizar importar api clave peticiones cuota vincular leer conectar',
  },
  adviser: {
    title: 'Tu gestoría, sin servidor',
    lead: 'Tus libros van a la gestoría en un archivo cifrado; sus cambios vuelven en otro y tú decides cada uno.',
    body: `
## Empezar

1. En Conexiones, Gestoría, pulsa **Invitar** y envía el archivo a tu gestoría.
2. Ella lo abre en su Sello y te devuelve la respuesta. Ábrela con **Abrir archivo recibido**.
3. Llámala y leed el **código** en voz alta. Si es el mismo en los dos sitios, confírmalo: nadie se ha metido en medio.
4. **Guarda tus libros** y envíalos por correo, memoria USB o una carpeta compartida. Solo ella puede abrirlos.

## Cada mes

La gestoría anota compras, asientos, cierres y modelos presentados en su copia y te envía los cambios. Al abrir el archivo ves cada uno con sus importes. Nada entra hasta que lo aceptas. Si algo ya no cabe (un periodo cerrado, una compra repetida, una cuenta de baja), te dice por qué. Tu próximo envío le cuenta qué aceptaste.

En Actividad queda el nombre de quien lo hizo.

## Qué no puede hacer

Emitir, anular o rectificar facturas, enviar registros, firmar ni ver tus certificados, claves y contraseñas: no viajan. Solo tu equipo emite.

## Si un archivo no se abre

Cada rechazo dice el motivo: le falta el final, se cambió por el camino, es de otra empresa, ya se leyó o faltan cambios anteriores. Un archivo perdido no es problema: el siguiente trae todo lo pendiente.`,
    words:
      'gestoría asesor asesoría contable compartir enviar libros cambios archivo cifrado sin servidor código invitar',
  },
  activity: {
    title: 'Historial: quién hizo qué',
    lead: 'Cada cosa que pasa en tus libros queda apuntada con su hora, y nadie puede borrarla.',
    body: `
Ves quién fue (tú, una clave o Sello por sí solo), por dónde entró y sobre qué. Filtra por persona, por acción o por fechas.

Los apuntes forman una cadena, como los registros de facturas. **Verificar** la recorre entera y dice si está intacta.

Sirve para saber qué hizo un asistente, cuándo se cambió un dato o quién cerró un periodo. No guarda contraseñas ni claves.`,
    words: 'historial auditoría registro de actividad log quién verificar',
  },
  troubles: {
    title: 'Problemas frecuentes',
    lead: 'Cada aviso de Sello dice qué pasa, qué está a salvo y qué hacer. Aquí están los más corrientes.',
    body: `
- **Sello no responde**: comprueba que sigue abierto y reintenta. Lo guardado está bien.
- **Otro Sello está usando estos datos**: cierra la otra ventana o el otro programa. No abras la misma carpeta desde dos equipos.
- **El llavero está cerrado**: desbloquea la sesión de tu sistema y reintenta, o usa el código de recuperación.
- **Los datos no se abren con esta llave**: son de otro equipo o el archivo está dañado. Usa el código de recuperación o la última copia.
- **Una versión más nueva escribió estos datos**: actualiza Sello. No se ha cambiado nada.
- **Ahora mismo solo se puede leer**: suele ser el disco lleno. Libera espacio y reintenta.
- **El reloj no está en hora**: pon la hora automática en tu sistema.
- **Falta el certificado**: impórtalo en Ajustes, Certificado.
- **Esto cambió en otro sitio**: alguien lo guardó antes. Mira los cambios y guarda los tuyos.
- **Algo ha fallado en Sello**: no es culpa tuya. Reintenta; en «Detalles» está el código para contarlo.

Si una factura no sale, mira Registro AEAT antes de repetirla: casi siempre está en cola.`,
    words: 'error fallo no funciona no abre ayuda soporte bloqueado dañado lento',
  },
  glossary: {
    title: 'Glosario',
    lead: 'Las palabras difíciles, en una línea.',
    body: `
- **Base imponible**: el precio sin IVA sobre el que se calcula.
- **Cuota**: lo que resulta de aplicar el tipo a la base.
- **Devengo**: el momento en que nace el IVA; casi siempre, cuando se entrega o se termina.
- **Fecha de expedición**: el día en que emites. **Fecha de operación**: el día en que se hizo, si es otro.
- **Factura rectificativa**: la que corrige a otra.
- **Factura simplificada**: el tique.
- **Huella**: código que resume un registro y el anterior; si algo cambia, no cuadra.
- **Registro de facturación**: lo que se manda a la AEAT de cada factura.
- **Subsanar**: corregir lo que se registró, sin tocar la factura.
- **NIF-IVA**: el NIF con el país delante, para operar en la Unión.
- **Inversión del sujeto pasivo**: el IVA lo declara el cliente.
- **Recargo de equivalencia**: lo que pagan de más los minoristas en vez de presentar IVA.
- **Régimen**: las reglas de IVA de una actividad; el general si no se dice otro.
- **Suplido**: lo que pagas en nombre del cliente.
- **IVA repercutido**: el que cobras. **Soportado**: el que pagas.
- **Prorrata**: la parte del IVA que deduces si haces operaciones con y sin derecho.
- **Criterio de caja**: declarar el IVA cuando cobras.
- **Remesa**: varios recibos o pagos en un archivo para el banco.
- **Conciliar**: comprobar que el banco y tus libros dicen lo mismo.
- **SII**: el sistema por el que otras empresas llevan sus libros en la AEAT al momento; quien está en él no usa VERI*FACTU.`,
    words: 'diccionario significado qué es definición términos devengo prorrata régimen',
  },
} satisfies Partial<Record<string, TopicText>>
